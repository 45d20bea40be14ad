// @ts-check
// What a person has clicked in a turn and may click next: follows the tree that came with the moment.  No page here.

/** @typedef {import("../match/wire.js").ClickTree} ClickTree */
/** @typedef {import("../match/wire.js").Choice} Choice */
/** @typedef {import("../match/wire.js").WishReply} WishReply */

const COMPLETE = -1;   // instead of the number of a node: the click completes the move
const UNKNOWN = -2;    // only the server knows what comes next

/**
 * `nodes` has the node before each click, and the one after the last; `reply` is what the server said where the tree ends.
 * @typedef {{ tree: ClickTree, nodes: number[], clicks: string[], reply: WishReply | null }} Selection
 */

/**
 * What to show: what may be clicked, what was clicked, and what lies elsewhere meanwhile.
 * @typedef {{ prompt: string, choices: Choice[], chosen: string[], places: [string, string][] }} Shown
 */

/**
 * What a click comes to: a further selection, a whole move, a question to the server, or nothing that is offered.
 * @typedef {{ kind: "partial", selection: Selection } | { kind: "complete" | "ask" | "refused", clicks: string[] }} Step
 */

/** Nothing has been clicked yet. @param {ClickTree} tree @returns {Selection} */
export const startSelection = (tree) => ({ tree, nodes: [0], clicks: [], reply: null });

/** @param {Selection} selection @returns {Shown} */
export function showSelection({ tree, nodes, reply }) {
  if (reply) return showReply(reply);
  const node = nodes[nodes.length - 1];
  const { prompt, next, chosen = [], places = [] } = tree.nodes[node];
  const choices = Object.keys(next).map((key) => ({
    key,
    label: tree.odd_labels[`${node} ${key}`] ?? tree.labels[key] ?? key,
    highlights: tree.highlights[`${node} ${key}`] ?? [],
  }));
  return { prompt, choices, chosen, places };
}

/** @param {WishReply} reply @returns {Shown} */
function showReply({ prompt = "", choices = [], chosen = [], places = [] }) {
  return {
    prompt,
    choices,
    chosen,
    places: places.map((place) => (Array.isArray(place) ? place : [place.key, place.transform])),
  };
}

/** @param {Selection} selection @param {string} key @returns {Step} */
export function chooseKey(selection, key) {
  const { tree, nodes, reply } = selection, clicks = [...selection.clicks, key];
  if (reply) return { kind: (reply.choices ?? []).some((choice) => choice.key === key) ? "ask" : "refused", clicks };
  const next = tree.nodes[nodes[nodes.length - 1]].next[key];
  if (next === undefined) return { kind: "refused", clicks };
  if (next === COMPLETE) return { kind: "complete", clicks };
  if (next === UNKNOWN) return { kind: "ask", clicks };
  return { kind: "partial", selection: withoutLoop({ tree, nodes: [...nodes, next], clicks, reply: null }) };
}

/** Clicks that lead back to where one was, such as taking a card and putting it back, are forgotten. @param {Selection} selection @returns {Selection} */
function withoutLoop(selection) {
  const { nodes, clicks } = selection, first = nodes.indexOf(nodes[nodes.length - 1]);
  return { ...selection, nodes: nodes.slice(0, first + 1), clicks: clicks.slice(0, first) };
}

/**
 * The selection after the server has said what clicks come to, where the tree ends.
 * @param {Selection} selection @param {string[]} clicks @param {WishReply} reply
 * @returns {Selection}
 */
export const followReply = (selection, clicks, reply) => ({ ...selection, clicks, reply });

/**
 * The key that a click means: one that is offered, or else one of a kind that can be clicked in this turn.
 * @param {Selection} selection @param {string[]} keys of what is under the pointer, innermost first
 * @returns {string | undefined}
 */
export function chooseAmong(selection, keys) {
  const offered = new Set(showSelection(selection).choices.map(({ key }) => key));
  const names = new Set([...Object.keys(selection.tree.labels), ...offered].map(nameOf));
  return keys.find((key) => offered.has(key)) ?? keys.find((key) => names.has(nameOf(key)));
}

/** @param {string} key */
const nameOf = (key) => key.slice(0, key.indexOf("="));
