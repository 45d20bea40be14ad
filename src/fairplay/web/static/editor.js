// The editor: clicks are sent to the server, which draws the board.  It knows nothing about any game.
import { $, callApi, showError } from "./common.js";

const page = JSON.parse($("editor").textContent);
const board = $("board"), MAX_UNDO = 100;
let state = page.state, saved = page.state;  // what is shown, and what was last saved
let id = page.board;                         // of the saved board
let past = [], future = [];
let keys = new Map();                        // the elements of the picture that can be clicked, with their keys
let busy = Promise.resolve();                // one click after another: each needs the drawing of the one before

// -- showing ----------------------------------------------------------------------------------

function render() {
  const focused = board.querySelector(":focus-visible"), place = focused && centre(focused);
  board.innerHTML = state.picture;
  markPieces();
  if (place) focusPiece(nearestPiece(place));
  showPrompt();
  $("choices").replaceChildren(...state.choices.map(({ key, label }) => {
    const button = document.createElement("button");
    button.textContent = label;
    button.onclick = () => click(key);
    return button;
  }));
  showProblems();
  $("undo").disabled = !past.length;
  $("redo").disabled = !future.length;
}

function showPrompt() {
  const { hint, then } = chosenTool().dataset;
  $("prompt").textContent = state.prompt ? `${state.prompt} ${then}` : hint;
}

function markPieces() {
  keys = new Map();
  board.querySelector("svg").setAttribute("role", "group");
  for (const element of board.querySelectorAll("svg *")) {
    const data = [...element.attributes].find(({ name }) => name.startsWith("data-"));
    if (!data) continue;
    keys.set(element, `${data.name.slice(5)}=${data.value}`);
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", keys.size === 1 ? "0" : "-1");
    element.setAttribute("aria-label", element.querySelector("title")?.textContent || data.value);
  }
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
  $("play").disabled = problems.length > 0;
}

function formatCounts(seats) {
  const low = seats[0], high = seats.at(-1);
  if (seats.length > 2 && high - low + 1 === seats.length) return `${low} to ${high}`;
  return seats.join(" or ");
}

// -- drawing ----------------------------------------------------------------------------------

const chosenTool = () => document.querySelector("#tools input:checked");

function click(key) {
  const { value, dataset } = chosenTool(), text = dataset.asks ? $("text").value : "";
  busy = busy.then(async () => {
    try {
      const next = await callApi(`/api/editor/${page.game}`, { drawing: state.drawing, tool: value, click: key, text });
      past = [...past, state].slice(-MAX_UNDO);
      future = [];
      state = next;
      showError("");
      if (dataset.asks) $("text").value = "";
      render();
    } catch (error) {
      showError(error.message);
    }
  });
}

function step(from, to) {
  if (!from.length) return;
  to.push(state);
  state = from.pop();
  showError("");
  render();
}
const undo = () => step(past, future), redo = () => step(future, past);

board.onclick = ({ target }) => {
  for (let element = target; element && element !== board; element = element.parentElement) if (keys.has(element)) return click(keys.get(element));
};
$("undo").onclick = undo;
$("redo").onclick = redo;
$("enlarge").onclick = () => $("enlarge").setAttribute("aria-pressed", board.classList.toggle("large"));
$("tools").onchange = () => {
  if ($("text")) $("text").disabled = !chosenTool().dataset.asks;
  showError("");
  showPrompt();
};

// -- by keyboard: Tab reaches the picture, arrows move within it --------------------------------

function centre(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}

// The piece that is nearest to a point; `distance` is infinite for pieces that lie in another direction.
function nearestPiece([x, y], distance = (right, down) => Math.hypot(right, down)) {
  let best = null, least = Infinity;
  for (const element of keys.keys()) {
    const [toX, toY] = centre(element), far = distance(toX - x, toY - y);
    if (far < least) [best, least] = [element, far];
  }
  return best;
}

function focusPiece(element) {
  if (!element) return;
  board.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
  element.setAttribute("tabindex", "0");
  element.focus({ preventScroll: false });
}

const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

board.onkeydown = (event) => {
  const piece = event.target, direction = DIRECTIONS[event.key];
  if (!keys.has(piece) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (direction) {
    const along = (right, down) => right * direction[0] + down * direction[1], across = (right, down) => Math.abs(right * direction[1] + down * direction[0]);
    focusPiece(nearestPiece(centre(piece), (right, down) => along(right, down) > 1 ? along(right, down) + 3 * across(right, down) : Infinity));
  } else if (event.key === "Enter" || event.key === " ") click(keys.get(piece));
  else return;
  event.preventDefault();
};

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.target.matches("input:not([type=radio])")) return;
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) redo();
  else if (key === "z") undo();
  else return;
  event.preventDefault();
});

// -- saving -----------------------------------------------------------------------------------

async function save() {
  await busy;
  if (id && state === saved && $("name").value === $("name").defaultValue) return;
  const current = state, name = $("name").value.trim();
  ({ id } = await callApi("/api/boards", { game: page.game, name, drawing: current.drawing }));
  saved = current;
  $("name").defaultValue = $("name").value;
  history.replaceState(null, "", `?board=${id}`);
  $("saved").textContent = `Saved as ${name}.`;
}

$("save").onsubmit = async (event) => {
  event.preventDefault();
  try {
    await save();
    showError("");
    if (event.submitter?.value === "play") location.href = `/new?board=${id}`;
  } catch (error) {
    showError(error.message);
  }
};

addEventListener("beforeunload", (event) => { if (state !== saved) event.preventDefault(); });

render();
