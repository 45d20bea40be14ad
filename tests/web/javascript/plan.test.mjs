// What moves between two drawings, when, and which way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GLIDE, LONGEST_WALK, planJump, planMotion, planReturn, shortenMotions, totalTime } from "../../../src/fairplay/web/static/board/plan.js";

const keyed = (key, x, y, more = {}) => ({ key, x, y, angle: 0, parent: "", path: [], ride: null, jump: false, enter: "", leave: "", step: 0, order: 0, ...more });
const places = (...all) => new Map(all.map((each) => [each.key, each]));
const ways = ({ frames }) => frames.map(({ dx, dy }) => [dx, dy]);

test("an element whose place changed glides, one that stayed does not", () => {
  const [motion, ...others] = planMotion(places(keyed("a", 0, 0), keyed("b", 5, 5)), places(keyed("a", 10, 20), keyed("b", 5, 5)));
  assert.deepEqual(others, []);
  assert.equal(motion.kind, "move");
  assert.deepEqual(ways(motion), [[-10, -20], [0, 0]]);
  assert.deepEqual([motion.start, motion.end], [0, GLIDE]);
});

test("a path is walked through its points, and never takes too long", () => {
  const path = [{ x: 10, y: 0 }, { x: 10, y: 10 }];
  const [motion] = planMotion(places(keyed("a", 0, 0)), places(keyed("a", 20, 10, { path })));
  assert.deepEqual(ways(motion), [[-20, -10], [-10, -10], [-10, 0], [0, 0]]);
  assert.ok(motion.end > GLIDE && motion.end <= LONGEST_WALK);
  const long = Array.from({ length: 40 }, (_, number) => ({ x: number, y: 0 }));
  const [far] = planMotion(places(keyed("a", 0, 0)), places(keyed("a", 50, 0, { path: long })));
  assert.equal(far.end, LONGEST_WALK);
  assert.deepEqual(far.frames.map(({ at }) => at), far.frames.map(({ at }) => at).toSorted((one, other) => one - other));
});

test("what does not say how it appears or disappears has no motion", () => {
  assert.deepEqual(planMotion(places(keyed("a", 0, 0)), places(keyed("b", 0, 0))), []);
});

test("something flies from where another element is, or appears where that is unknown", () => {
  const deck = keyed("deck", 100, 0);
  const fly = planMotion(places(deck), places(deck, keyed("card", 0, 0, { enter: "from deck" })))[0];
  assert.deepEqual([fly.kind, fly.how, ...ways(fly)], ["enter", "fly", [100, 0], [0, 0]]);
  const fade = planMotion(places(keyed("other", 0, 0)), places(keyed("card", 0, 0, { enter: "from deck" })))[0];
  assert.equal(fade.how, "fade");
});

test("something leaves to where another element is now", () => {
  const [fly] = planMotion(places(keyed("gem", 0, 0, { leave: "to hand" }), keyed("hand", 5, 5)), places(keyed("hand", 50, 50))).filter(({ kind }) => kind === "leave");
  assert.deepEqual(ways(fly), [[0, 0], [50, 50]]);
});

test("a step waits for the one before, where that has any motion", () => {
  const before = places(keyed("row", 0, 0), keyed("pawn", 0, 0));
  const both = planMotion(before, places(keyed("row", 10, 0), keyed("pawn", 0, 30, { step: 1 })));
  assert.deepEqual(both.map(({ key, start }) => [key, start]), [["row", 0], ["pawn", GLIDE]]);
  const [alone] = planMotion(before, places(keyed("row", 0, 0), keyed("pawn", 0, 30, { step: 1 })));
  assert.equal(alone.start, 0);
});

const row = (x) => keyed("row", x, 0, { step: 1 });
const times = ({ frames }) => frames.map(({ at, dx, dy }) => [at, dx, dy]);
const find = (motions, key) => motions.find((motion) => motion.key === key);

test("a pawn rides on the row that slides, and then walks", () => {
  const path = [{ x: 10, y: 10 }], ride = { x: 10, y: 0 };
  const motions = planMotion(places(row(0), keyed("pawn", 0, 0)), places(row(10), keyed("pawn", 20, 10, { step: 2, path, ride })));
  const pawn = find(motions, "pawn");
  assert.deepEqual(times(pawn).slice(0, 3), [[0, -20, -10], [GLIDE, -10, -10], [GLIDE, -10, -10]]);
  assert.ok(pawn.end > GLIDE);
});

test("a pawn that is carried and walks back moves all the same", () => {
  const [pawn] = planMotion(places(keyed("pawn", 0, 0)), places(keyed("pawn", 0, 0, { step: 2, path: [{ x: 10, y: 0 }], ride: { x: 10, y: 0 } })));
  assert.deepEqual(ways(pawn), [[0, 0], [10, 0], [10, 0], [10, 0], [0, 0]]);
});

test("a tile is taken to the edge and comes in together with the row", () => {
  const tile = keyed("tile", 0, 0, { step: 1, ride: { x: -10, y: 0 } });
  const motions = planMotion(places(row(0), keyed("tile", 50, 50)), places(row(10), tile));
  assert.deepEqual(times(find(motions, "tile")), [[0, 50, 50], [GLIDE, -10, 0], [GLIDE, -10, 0], [2 * GLIDE, 0, 0]]);
  assert.deepEqual(times(find(motions, "row")), [[GLIDE, -10, 0], [2 * GLIDE, 0, 0]]);
  assert.ok(find(motions, "row").frames[0].glides && find(motions, "tile").frames[2].glides, "in the same rhythm");
});

test("what was put in its place by hand does not move again", () => {
  assert.deepEqual(planMotion(places(row(10), keyed("tile", 0, 0)), places(row(10), keyed("tile", 0, 0, { step: 1, ride: { x: -10, y: 0 } }))), []);
});

test("what jumps is never seen on the way", () => {
  const [pawn] = planMotion(places(keyed("pawn", 60, 0)), places(keyed("pawn", 0, 0, { step: 1, jump: true })));
  assert.deepEqual(pawn.frames.map(({ dx, opacity }) => [dx, opacity]), [[60, 1], [60, 0], [0, 0], [0, 1]]);
  const [walker] = planMotion(places(keyed("pawn", 60, 0)), places(keyed("pawn", 0, 10, { step: 2, jump: true, ride: { x: 0, y: 0 }, path: [{ x: 0, y: 5 }] })));
  assert.deepEqual(walker.frames.map(({ dx, dy, opacity }) => [dx, dy, opacity]), [[60, -10, 1], [60, -10, 0], [0, -10, 0], [0, -10, 1], [0, -10, undefined], [0, -5, undefined], [0, 0, undefined]]);
});

test("elements that appear in an order begin one after the other", () => {
  const rail = (number) => keyed(`rail ${number}`, number, 0, { enter: "grow", order: number });
  const starts = planMotion(places(keyed("x", 0, 0)), places(rail(3), rail(1), rail(2))).map(({ key, start }) => [start, key]).sort((one, other) => one[0] - other[0]);
  assert.deepEqual(starts.map(([, key]) => key), ["rail 1", "rail 2", "rail 3"]);
  assert.equal(new Set(starts.map(([start]) => start)).size, 3);
});

test("what is part of something that moves is moved once", () => {
  const motions = planMotion(places(keyed("tile", 0, 0), keyed("gem", 2, 2, { parent: "tile" })), places(keyed("tile", 10, 0), keyed("gem", 12, 2, { parent: "tile" })));
  assert.deepEqual(motions.map(({ key }) => key), ["tile"]);
});

test("a turn goes the shorter way", () => {
  const [motion] = planMotion(places(keyed("tile", 0, 0, { angle: 0 })), places(keyed("tile", 0, 0, { angle: 270 })));
  assert.equal(motion.frames[0].turn, 90);
});

test("going back plays the same motion from its end", () => {
  const path = [{ x: 10, y: 0 }];
  const old = places(keyed("row", 0, 0), keyed("pawn", 0, 0), keyed("tile", 3, 3, { leave: "sink", step: 1 }));
  const now = places(keyed("row", 10, 0), keyed("pawn", 10, 10, { step: 1, path }), keyed("new", 9, 9, { enter: "drop" }));
  const there = planMotion(old, now), back = planReturn(now, old), total = totalTime(there);
  assert.deepEqual(back.map(({ key, kind }) => [key, kind]).sort(), [["new", "leave"], ["pawn", "move"], ["row", "move"], ["tile", "enter"]]);
  for (const { key, start, end } of there) assert.deepEqual([find(back, key).start, find(back, key).end], [total - end, total - start]);
  assert.deepEqual(ways(find(back, "row")), [[10, 0], [0, 0]]);
  assert.deepEqual(ways(find(back, "pawn")).at(0), [10, 10]);
  assert.deepEqual(ways(find(back, "pawn")).at(-1), [0, 0]);
});

test("a jump knows neither paths nor steps", () => {
  const motions = planJump(places(keyed("a", 0, 0), keyed("c", 1, 1, { leave: "sink" })), places(keyed("a", 9, 0, { path: [{ x: 5, y: 5 }], step: 2 }), keyed("b", 1, 1, { enter: "from a" })));
  assert.deepEqual(motions.map(({ key, how, start, end }) => [key, how, start, end]), [["a", "", 0, GLIDE], ["b", "fade", 0, GLIDE], ["c", "fade", 0, GLIDE]]);
  assert.equal(motions[0].frames.length, 2);
});

test("all of it fits into the time that there is", () => {
  const motions = planMotion(places(keyed("a", 0, 0), keyed("b", 0, 0)), places(keyed("a", 9, 0), keyed("b", 9, 0, { step: 1 })));
  const shorter = shortenMotions(motions, 100);
  assert.equal(totalTime(shorter), 100);
  assert.deepEqual(shortenMotions(motions, 10_000), motions);
});
