// @ts-check
// The editor: clicks are sent to the server, which draws the board.  It knows nothing about any game.
import { $, callApi, showError } from "../common.js";
import { openLink } from "../share.js";
import { findDraft, forgetDraft, keepDraft } from "./drafts.js";
import { Pieces, centre } from "./pieces.js";

/**
 * @typedef {object} State  a drawing, and what can be done with it
 * @property {unknown} drawing
 * @property {string} picture
 * @property {string[]} problems
 * @property {number[]} seats
 * @property {{ key: string, label: string }[]} choices
 * @property {string} prompt
 */

/** @type {{ game: string, board: string | null, state: State }} */
const page = JSON.parse($("editor").textContent ?? "");
/** @type {HTMLElement} */
const board = $("board");
const MAX_UNDO = 100;
const pieces = new Pieces(board);
let state = page.state, saved = page.state;  // what is shown, and what was last saved
let id = page.board;                         // of the saved board
let address = location.pathname + location.search;
let isKept = true;                           // whether the browser keeps drafts
/** @type {State[]} */
let past = [], future = /** @type {State[]} */ ([]);
let busy = Promise.resolve();                // one click after another: each needs the drawing of the one before

const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ ($(name));
const button = (/** @type {string} */ name) => /** @type {HTMLButtonElement} */ ($(name));

// -- showing ----------------------------------------------------------------------------------

function render() {
  const focused = board.querySelector(":focus-visible"), place = focused && centre(focused);
  board.innerHTML = state.picture;
  pieces.mark();
  if (place) pieces.focus(pieces.nearest(place));
  showPrompt();
  $("choices").replaceChildren(...state.choices.map(({ key, label }) => {
    const choice = document.createElement("button");
    choice.textContent = label;
    choice.onclick = () => click([key]);
    return choice;
  }));
  showProblems();
  button("undo").disabled = !past.length;
  button("redo").disabled = !future.length;
}

function showPrompt() {
  const { hint, then } = chosenTool().dataset;
  $("prompt").textContent = state.prompt ? `${state.prompt} ${then}` : hint ?? "";
}

function showProblems() {
  const list = document.createElement("ul");
  const { seats, problems } = state;
  list.append(...(problems.length ? problems : [`Yes, with ${formatCounts(seats)} players.`]).map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
  $("check").classList.toggle("wrong", problems.length > 0);
  $("check").replaceChildren(list);
  button("play").disabled = problems.length > 0;
}

/** @param {number[]} seats */
function formatCounts(seats) {
  const low = seats[0], high = seats[seats.length - 1];
  if (seats.length > 2 && high - low + 1 === seats.length) return `${low} to ${high}`;
  return seats.join(" or ");
}

// -- drawing ----------------------------------------------------------------------------------

const chosenTool = () => /** @type {HTMLInputElement} */ (document.querySelector("#tools input:checked"));

/** Click pieces one after the other with the chosen tool: one change, taken back at once. @param {string[]} clicks */
function click([first, ...stroke]) {
  const { value, dataset } = chosenTool(), text = dataset.asks ? field("text").value : "";
  busy = busy.then(async () => {
    try {
      const edit = { drawing: state.drawing, tool: value, click: first, stroke, text };
      change(await callApi(`/api/editor/${page.game}`, edit));
      if (dataset.asks) field("text").value = "";
    } catch (error) {
      showError(/** @type {Error} */ (error).message);
    }
  });
}

/** @param {State} next */
function change(next) {
  past = [...past, state].slice(-MAX_UNDO);
  future = [];
  show(next);
}

/** @param {State} next */
function show(next) {
  state = next;
  showError("");
  render();
  if (state === saved) forgetDraft(address);
  else isKept = keepDraft(address, { drawing: state.drawing, name: field("name").value, when: Date.now() });
}

/** @param {State[]} from @param {State[]} to */
function step(from, to) {
  const next = from.pop();
  if (!next) return;
  to.push(state);
  show(next);
}
const undo = () => step(past, future), redo = () => step(future, past);

$("undo").onclick = undo;
$("redo").onclick = redo;
$("enlarge").onclick = () => $("enlarge").setAttribute("aria-pressed", String(board.classList.toggle("large")));
$("tools").onchange = () => {
  if (field("text")) field("text").disabled = !chosenTool().dataset.asks;
  showError("");
  showPrompt();
};

// -- by pointer: a click takes the nearest piece, dragging paints, or leads from one piece to another --

/** @type {string[]} */
let stroke = [];  // the pieces since the button of the mouse went down
let isDragging = false;
const keyOf = (/** @type {Element | null} */ piece) => (piece ? pieces.keys.get(piece) : undefined);
const isPainting = () => !chosenTool().dataset.asks && !chosenTool().dataset.two;

/** A place on the drawing, not beside it. @param {MouseEvent} event */
function pieceUnder({ clientX, clientY, target }) {
  return target instanceof Element && target.closest("svg") ? pieces.at(clientX, clientY) : null;
}

board.onpointerdown = (event) => {
  const key = keyOf(pieceUnder(event));
  isDragging = key !== undefined && event.button === 0 && event.pointerType !== "touch";
  stroke = key === undefined ? [] : [key];
};

board.onpointermove = (event) => {
  if (event.pointerType === "touch") return;
  const piece = isDragging ? pieces.at(event.clientX, event.clientY) : pieceUnder(event), key = keyOf(piece);
  pieces.point(piece);
  if (!isDragging || key === undefined || stroke.includes(key)) return;
  stroke = isPainting() ? [...stroke, key] : [stroke[0], key];
  if (isPainting()) piece?.classList.add("chosen");
};

board.onpointerleave = () => pieces.point(null);
addEventListener("pointercancel", () => { isDragging = false; stroke = []; });

addEventListener("pointerup", () => {
  if (isDragging && stroke.length > 1) finishDrag();
  else stroke = [];
  isDragging = false;
});

/** What was dragged over is painted; with a tool that needs two pieces, they are the first and the last one. */
function finishDrag() {
  if (isPainting()) click(stroke);
  else if (chosenTool().dataset.two) for (const key of stroke) click([key]);
  else stroke = [];
}

board.onclick = (event) => {
  const key = keyOf(pieceUnder(event));
  if (stroke.length > 1) stroke = [];  // it was a drag
  else if (key !== undefined) click([key]);
};

// -- by keyboard: Tab reaches the picture, arrows move within it --------------------------------

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

board.onkeydown = (event) => {
  const piece = /** @type {Element} */ (event.target), direction = DIRECTIONS[event.key], key = keyOf(piece);
  if (key === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  if (direction) pieces.focus(pieces.beside(piece, direction));
  else if (event.key === "Enter" || event.key === " ") click([key]);
  else return;
  event.preventDefault();
};

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || /** @type {Element} */ (event.target).matches("input:not([type=radio])")) return;
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) redo();
  else if (key === "z") undo();
  else return;
  event.preventDefault();
});

// -- saving -----------------------------------------------------------------------------------

async function save() {
  await busy;
  if (id && state === saved && field("name").value === field("name").defaultValue) return;
  const current = state, name = field("name").value.trim();
  ({ id } = await callApi("/api/boards", { game: page.game, name, drawing: current.drawing }));
  saved = current;
  field("name").defaultValue = field("name").value;
  forgetDraft(address);
  $("draft").hidden = true;
  history.replaceState(null, "", `?board=${id}`);
  address = location.pathname + location.search;
  $("title").textContent = name;
  $("saved").textContent = `Saved as ${name}.`;
  $("share").hidden = false;
}

$("save").onsubmit = async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  try {
    await save();
    showError("");
    const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (pressed?.value === "play") location.href = `/new?board=${id}`;
  } catch (error) {
    showError(/** @type {Error} */ (error).message);
  }
};

$("share").onclick = () => openLink(`Play on “${field("name").value.trim()}”`, `/new?board=${id}`);
addEventListener("beforeunload", (event) => { if (state !== saved && !isKept) event.preventDefault(); });

// -- what was drawn last time ------------------------------------------------------------------

async function restoreDraft() {
  const draft = findDraft(address);
  if (!draft) return;
  try {
    change(await callApi(`/api/editor/${page.game}`, { drawing: draft.drawing }));
  } catch {
    forgetDraft(address);  // of another version
    return;
  }
  field("name").value = draft.name;
  $("draft").hidden = false;
}

$("afresh").onclick = () => {
  past = [...past, state].slice(-MAX_UNDO);
  show(page.state);
  forgetDraft(address);
  field("name").value = field("name").defaultValue;
  $("draft").hidden = true;
};

render();
busy = restoreDraft();
