// The editor: clicks become drawings, which the server makes.  It knows no game.
import { $, ask, refuse } from "./common.js";

const { game, board: opened, sheet: first } = JSON.parse($("facts").textContent);
const board = $("board"), MOST = 100;
let sheet = first, kept = first;         // what is shown, and what was saved last
let id = opened;                         // of the saved board
let past = [], future = [];
let keys = new Map();                    // what can be clicked in the picture, with its key
let busy = Promise.resolve();            // one click after another: each needs the drawing of the one before

// -- showing ----------------------------------------------------------------------------------

function render() {
  const focused = board.querySelector(":focus-visible"), back = focused && middle(focused);
  board.innerHTML = sheet.picture;
  mark();
  if (back) reach(nearest(back));
  instruct();
  $("choices").replaceChildren(...sheet.choices.map(({ key, label }) => {
    const button = document.createElement("button");
    button.textContent = label;
    button.onclick = () => click(key);
    return button;
  }));
  check();
  $("undo").disabled = !past.length;
  $("redo").disabled = !future.length;
}

function instruct() {
  const { hint, then } = tool().dataset;
  $("prompt").textContent = sheet.prompt ? `${sheet.prompt} ${then}` : hint;
}

function mark() {
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

function check() {
  const list = document.createElement("ul");
  const { seats, problems } = sheet;
  list.append(...(problems.length ? problems : [`Yes, by ${counts(seats)} players.`]).map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
  $("check").classList.toggle("wrong", problems.length > 0);
  $("check").replaceChildren(list);
  $("play").disabled = problems.length > 0;
}

function counts(seats) {
  const low = seats[0], high = seats.at(-1);
  if (seats.length > 2 && high - low + 1 === seats.length) return `${low} to ${high}`;
  return seats.join(" or ");
}

// -- drawing ----------------------------------------------------------------------------------

const tool = () => document.querySelector("#tools input:checked");

function click(key) {
  const { value, dataset } = tool(), text = dataset.asks ? $("text").value : "";
  busy = busy.then(async () => {
    try {
      const next = await ask(`/api/editor/${game}`, { drawing: sheet.drawing, tool: value, click: key, text });
      past = [...past, sheet].slice(-MOST);
      future = [];
      sheet = next;
      refuse("");
      if (dataset.asks) $("text").value = "";
      render();
    } catch (error) {
      refuse(error.message);
    }
  });
}

function step(from, to) {
  if (!from.length) return;
  to.push(sheet);
  sheet = from.pop();
  refuse("");
  render();
}
const undo = () => step(past, future), redo = () => step(future, past);

board.onclick = ({ target }) => {
  for (let at = target; at && at !== board; at = at.parentElement) if (keys.has(at)) return click(keys.get(at));
};
$("undo").onclick = undo;
$("redo").onclick = redo;
$("enlarge").onclick = () => $("enlarge").setAttribute("aria-pressed", board.classList.toggle("large"));
$("tools").onchange = () => {
  if ($("text")) $("text").disabled = !tool().dataset.asks;
  refuse("");
  instruct();
};

// -- by keyboard: one stop for the whole picture, arrows within it ------------------------------

function middle(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}

// The element that costs least to go to from a point; infinite where the way does not lead there.
function nearest([x, y], cost = (right, down) => Math.hypot(right, down)) {
  let best = null, least = Infinity;
  for (const element of keys.keys()) {
    const [to, under] = middle(element), price = cost(to - x, under - y);
    if (price < least) [best, least] = [element, price];
  }
  return best;
}

function reach(element) {
  if (!element) return;
  board.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
  element.setAttribute("tabindex", "0");
  element.focus({ preventScroll: false });
}

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

board.onkeydown = (event) => {
  const on = event.target, way = WAYS[event.key];
  if (!keys.has(on) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (way) {
    const along = (right, down) => right * way[0] + down * way[1], across = (right, down) => Math.abs(right * way[1] + down * way[0]);
    reach(nearest(middle(on), (right, down) => along(right, down) > 1 ? along(right, down) + 3 * across(right, down) : Infinity));
  } else if (event.key === "Enter" || event.key === " ") click(keys.get(on));
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

// -- keeping ----------------------------------------------------------------------------------

async function save() {
  await busy;
  if (id && sheet === kept && $("name").value === $("name").defaultValue) return;
  const now = sheet, name = $("name").value.trim();
  ({ id } = await ask("/api/boards", { game, name, drawing: now.drawing }));
  kept = now;
  $("name").defaultValue = $("name").value;
  history.replaceState(null, "", `?board=${id}`);
  $("saved").textContent = `Saved as ${name}.`;
}

$("keep").onsubmit = async (event) => {
  event.preventDefault();
  try {
    await save();
    refuse("");
    if (event.submitter?.value === "play") location.href = `/new?board=${id}`;
  } catch (error) {
    refuse(error.message);
  }
};

addEventListener("beforeunload", (event) => { if (sheet !== kept) event.preventDefault(); });

render();
