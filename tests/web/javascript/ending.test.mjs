// Who won, to whoever looks.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { getElementById: () => null };
const { describeEnd, describeWinners, listMarks } = await import("../../../src/fairplay/web/static/match/ending.js");

const players = [{ name: "Ann" }, { name: "Bob" }];
const result = (margin_words) => ({ margin_words });

test("the one who looks is called you", () => {
  assert.equal(describeEnd({ me: 0, players }, result("Ann won by 6 fish."), { winners: [0] }), "You won by 6 fish.");
  assert.equal(describeEnd({ me: 1, players }, result("Ann won by 6 fish."), { winners: [0] }), "Ann won by 6 fish.");
  assert.equal(describeEnd({ me: null, players }, result("Ann won by 6 fish."), { winners: [0] }), "Ann won by 6 fish.");
});

test("without words of the margin the winners are named", () => {
  assert.equal(describeEnd({ me: 0, players }, result(""), { winners: [0, 1] }), "You and Bob won.");
  assert.equal(describeWinners({ me: null, players }, { winners: [] }), "Nobody won.");
});

test("a match without an end was broken off, and the reason is no headline", () => {
  const reason = "The rule book of nim failed.";
  assert.equal(describeEnd({ me: 0, players }, result(reason), { winners: [], status: "cut off" }), "Broken off");
});

test("turning points, removals and the last round are marked", () => {
  const marks = listMarks({ turning_points: [3, 7], removals: [5], last_round: 9 });
  assert.deepEqual(marks.map(({ number, kind }) => [number, kind]).sort(), [[3, "turning"], [5, "removal"], [7, "turning"], [9, "last-round"]]);
  assert.deepEqual(listMarks({ turning_points: [], removals: [], last_round: null }), []);
});
