// Which target is meant, and how the board is enlarged.
import assert from "node:assert/strict";
import { test } from "node:test";
import { REACH, boxTowards, distanceTo, isPlain, nearestBox, nearestShape } from "../../../src/fairplay/web/static/board/targets.js";
import { LARGEST, WHOLE, limitView, pinchView, zoomAt } from "../../../src/fairplay/web/static/board/zoom.js";
import { planLines } from "../../../src/fairplay/web/static/match/graph.js";

const box = (x, y, size = 20) => ({ x, y, width: size, height: size });
const size = { width: 400, height: 300 };

test("a finger means the nearest target within reach", () => {
  const boxes = [box(0, 0), box(60, 0)];
  assert.equal(nearestBox(boxes, { x: 45, y: 10 }, REACH), 1);
  assert.equal(nearestBox(boxes, { x: 10, y: 10 }, REACH), 0);
  assert.equal(nearestBox(boxes, { x: 10, y: 20 + REACH + 1 }, REACH), -1);
  assert.equal(nearestBox([], { x: 0, y: 0 }), -1);
});

test("of targets that overlap the one whose middle is nearest is meant", () => {
  assert.equal(nearestBox([box(0, 0, 100), box(55, 45)], { x: 60, y: 55 }), 1);
});

test("inside a box the distance is nothing", () => {
  assert.equal(distanceTo(box(0, 0), { x: 5, y: 5 }), 0);
  assert.equal(distanceTo(box(0, 0), { x: 23, y: 24 }), 5);
});

const line = (...outline) => ({ box: { x: 0, y: 0, width: 100, height: 100 }, outline: outline.map(([x, y]) => ({ x, y })) });
const filled = (x, y, size) => ({ box: box(x, y, size), outline: [] });

test("of lines whose boxes overlap the one that is drawn nearer is meant", () => {
  const rising = line([0, 100], [50, 50], [100, 0]), falling = line([0, 0], [30, 30], [100, 100]);
  assert.equal(nearestShape([rising, falling], { x: 28, y: 24 }, REACH), 1);
  assert.equal(nearestShape([rising, falling], { x: 52, y: 45 }, REACH), 0);
  assert.equal(nearestShape([rising], { x: 0, y: 0 }, REACH), -1);
  assert.equal(nearestShape([], { x: 0, y: 0 }, REACH), -1);
});

test("what a finger means is plain where a large target lies alone", () => {
  const finger = { x: 50, y: 50 };
  assert.ok(isPlain([filled(28, 28, 44), filled(90, 28, 44)], 0, finger, true));
  assert.ok(!isPlain([filled(30, 30, 40)], 0, finger, true), "small");
  assert.ok(!isPlain([filled(28, 28, 44), filled(60, 28, 44)], 0, finger, true), "another one is near");
  assert.ok(!isPlain([line([50, 75])], 0, finger, false), "beside it");
  assert.ok(isPlain([line([50, 55])], 0, finger, false));
});

test("arrow keys lead to the next target in their direction", () => {
  const boxes = [box(0, 0), box(40, 0), box(80, 0), box(0, 40), box(45, 38)];
  assert.equal(boxTowards(boxes, 0, "ArrowRight"), 1);
  assert.equal(boxTowards(boxes, 2, "ArrowLeft"), 1);
  assert.equal(boxTowards(boxes, 0, "ArrowDown"), 3);
  assert.equal(boxTowards(boxes, 4, "ArrowUp"), 1);
  assert.equal(boxTowards(boxes, 0, "ArrowLeft"), -1);
  assert.equal(boxTowards(boxes, 0, "Enter"), -1);
});

test("the board is never smaller than its frame, and never leaves it", () => {
  assert.deepEqual(limitView({ scale: 0.5, x: 30, y: -30 }, size), WHOLE);
  assert.equal(limitView({ scale: 99, x: 0, y: 0 }, size).scale, LARGEST);
  assert.deepEqual(limitView({ scale: 2, x: -900, y: 10 }, size), { scale: 2, x: -400, y: 0 });
});

test("enlarging keeps the point under the pointer where it is", () => {
  const at = { x: 100, y: 50 }, view = zoomAt(WHOLE, 2, at, size);
  assert.deepEqual(view, { scale: 2, x: -100, y: -50 });
  assert.deepEqual(zoomAt(view, 0.5, at, size), { scale: 1, x: 0, y: 0 });
});

test("two fingers enlarge and move at once", () => {
  const view = pinchView(WHOLE, [{ x: 150, y: 100 }, { x: 250, y: 100 }], [{ x: 100, y: 100 }, { x: 300, y: 100 }], size);
  assert.deepEqual(view, { scale: 2, x: -200, y: -100 });
});

test("lines of points run from the first to the last moment, within the drawing", () => {
  const { lines, y } = planLines([[0, 5, 10], [0, -5, 0]]);
  assert.equal(lines.length, 2);
  assert.ok(lines.every((line) => line.startsWith("M4 ") && line.split("L").length === 3));
  assert.ok(y(10) < y(0) && y(0) < y(-5));
});
