// What clicks come to, without a server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseAmong, chooseKey, followReply, showSelection, startSelection } from "../../../src/fairplay/web/static/board/selection.js";

const tree = {
  nodes: [
    { prompt: "Choose a penguin.", next: { "at=0,0": 1, "at=1,1": -2, "pass=": -1 } },
    { prompt: "Choose where it goes.", next: { "at=0,0": 0, "at=2,0": -1 }, chosen: ["at=0,0"], places: [["spare", "translate(1 2)"]] },
  ],
  labels: { "at=0,0": "penguin at 0,0", "at=1,1": "penguin at 1,1", "at=2,0": "tile", "pass=": "Pass" },
  odd_labels: { "1 at=0,0": "take it back" },
  highlights: { "0 at=0,0": ["at=2,0"] },
};
const start = startSelection(tree);

test("the first node is shown first, with labels and highlights", () => {
  const { prompt, choices, chosen, places } = showSelection(start);
  assert.equal(prompt, "Choose a penguin.");
  assert.deepEqual(choices.map(({ key }) => key), ["at=0,0", "at=1,1", "pass="]);
  assert.deepEqual(choices[0], { key: "at=0,0", label: "penguin at 0,0", highlights: ["at=2,0"] });
  assert.deepEqual([chosen, places], [[], []]);
});

test("a click leads on, with labels of its own", () => {
  const step = chooseKey(start, "at=0,0");
  assert.equal(step.kind, "partial");
  const shown = showSelection(step.selection);
  assert.deepEqual(shown.choices.map(({ label }) => label), ["take it back", "tile"]);
  assert.deepEqual([shown.chosen, shown.places], [["at=0,0"], [["spare", "translate(1 2)"]]]);
  assert.deepEqual(chooseKey(step.selection, "at=2,0"), { kind: "complete", clicks: ["at=0,0", "at=2,0"] });
});

test("clicks that lead back to where one was are forgotten", () => {
  const chosen = chooseKey(start, "at=0,0").selection;
  assert.deepEqual(chooseKey(chosen, "at=0,0").selection, start);
});

test("where the tree ends the server is asked, and its reply is followed", () => {
  const step = chooseKey(start, "at=1,1");
  assert.deepEqual(step, { kind: "ask", clicks: ["at=1,1"] });
  const next = followReply(start, step.clicks, { prompt: "Where?", choices: [{ key: "at=9,9", label: "tile" }], places: [{ key: "spare", transform: "translate(3 4)" }] });
  assert.deepEqual(showSelection(next).places, [["spare", "translate(3 4)"]]);
  assert.deepEqual(chooseKey(next, "at=9,9"), { kind: "ask", clicks: ["at=1,1", "at=9,9"] });
  assert.deepEqual(chooseKey(next, "at=0,0"), { kind: "refused", clicks: ["at=1,1", "at=0,0"] });
});

test("what is not offered is refused, and the selection stays", () => {
  assert.deepEqual(chooseKey(start, "at=7,7"), { kind: "refused", clicks: ["at=7,7"] });
  assert.deepEqual(start.clicks, []);
});

test("a click means what is offered first, then what could be clicked at all", () => {
  assert.equal(chooseAmong(start, ["seat=1", "at=7,7", "pass="]), "pass=");
  assert.equal(chooseAmong(start, ["seat=1", "at=7,7"]), "at=7,7");
  assert.equal(chooseAmong(start, ["seat=1"]), undefined);
});
