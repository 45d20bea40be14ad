// @ts-check
// The page of a new table: who sits where, with a face for each, a preview of what is played, and start.
import { $, callApi, showError } from "./common.js";
import { readName } from "./names.js";

/** @typedef {{ who: string, player?: string, name: string }} SeatRequest */

const PEOPLE = ["me", "friend", "anyone"];
const form = /** @type {HTMLFormElement} */ ($("table"));
const chairs = /** @type {HTMLElement[]} */ ([...$("table-seats").children]);
const fewest = Number(form.dataset.fewest), most = Number(form.dataset.most);

const takenChairs = () => chairs.filter((chair) => !chair.hidden);
/** @param {HTMLElement} chair */
const selectOf = (chair) => /** @type {HTMLSelectElement} */ (chair.querySelector("select"));
/** @param {HTMLElement} chair */
const fieldOf = (chair) => /** @type {HTMLInputElement} */ (chair.querySelector("input"));

// -- seats ---------------------------------------------------------------------------------------

/** @param {number} count */
function showChairs(count) {
  chairs.forEach((chair, number) => { chair.hidden = number >= count; });
  $("more").disabled = count >= most;
  $("fewer").disabled = count <= fewest;
  showPreview();
  showHint();
}
$("more").onclick = () => showChairs(takenChairs().length + 1);
$("fewer").onclick = () => showChairs(takenChairs().length - 1);

/** The face, the code name and the name of the player who is chosen. @param {HTMLElement} chair */
function showChair(chair) {
  const option = selectOf(chair).selectedOptions[0], person = option?.value === "me";
  const face = /** @type {HTMLImageElement} */ (chair.querySelector(".face"));
  face.src = option?.dataset.face ?? "/static/faces/robot.svg";
  /** @type {HTMLElement} */ (chair.querySelector(".about")).textContent = option?.dataset.about ?? "";
  const field = fieldOf(chair);
  /** @type {HTMLElement} */ (chair.querySelector(".named")).hidden = !person && option?.value !== "friend";
  field.placeholder = person ? "your name (optional)" : "your friend's name (optional)";
  if (person && !field.value) field.value = readName();
  else if (!person && field.value === readName()) field.value = "";
}

// Only the levels of the chosen variant can be chosen.
function showLevels() {
  const variant = fieldValue("variant");
  for (const chair of chairs) {
    const select = selectOf(chair), chosen = select.selectedOptions[0];
    for (const group of /** @type {NodeListOf<HTMLOptGroupElement>} */ (select.querySelectorAll("optgroup[data-variant]")))
      group.hidden = group.disabled = group.dataset.variant !== variant;
    const options = [...select.options].filter((option) => !option.parentElement?.hidden && !option.disabled);
    if (chosen?.parentElement?.hidden) (options.find(({ value }) => value === chosen.value) ?? options[0]).selected = true;
    showChair(chair);
  }
}

function showHint() {
  const who = takenChairs().map((chair) => selectOf(chair).value);
  const words = [];
  if (who.includes("friend")) words.push("You get a link for each friend as soon as the table is open.");
  if (who.includes("anyone")) words.push("The table is listed in the lobby until its seats are taken.");
  if (!who.some((each) => PEOPLE.includes(each))) words.push("You watch.");
  $("table-hint").textContent = words.join(" ");
}

$("table-seats").addEventListener("change", (/** @type {Event} */ { target }) => {
  const chair = target instanceof HTMLSelectElement && target.closest("li");
  if (chair) showChair(chair);
  showHint();
});

// -- what is played ------------------------------------------------------------------------------

/** @param {string} name @returns {string} */
const fieldValue = (name) => String(new FormData(form).get(name) ?? "");

function showPreview() {
  const query = new URLSearchParams({ seats: String(takenChairs().length) });
  const board = form.dataset.board || fieldValue("board"), variant = fieldValue("variant");
  if (board) query.set("board", board);
  if (variant) query.set("variant", variant);
  /** @type {HTMLImageElement} */ ($("preview")).src = `/api/games/${form.dataset.game}/preview.svg?${query}`;
}

form.addEventListener("change", (/** @type {Event} */ { target }) => {
  if (!(target instanceof HTMLSelectElement) || !["variant", "board"].includes(target.name)) return;
  showLevels();
  showPreview();
});

// -- start ---------------------------------------------------------------------------------------

/** @param {HTMLElement} chair @returns {SeatRequest} */
function readChair(chair) {
  const who = selectOf(chair).value, name = fieldOf(chair).value.trim();
  if (who === "anyone") return { who, name: "" };
  return PEOPLE.includes(who) ? { who, name } : { who: "house", player: who, name: "" };
}

function readTable() {
  const variant = fieldValue("variant"), board = form.dataset.board || fieldValue("board");
  return {
    game: form.dataset.game,
    seats: takenChairs().map(readChair),
    clock: Number(fieldValue("clock")),
    pace: Number(fieldValue("pace")),
    ...(board ? { board } : {}),
    ...(variant === "quick" ? { quick: true } : variant ? { variant } : {}),
  };
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  showError("");
  const request = readTable();
  try {
    const { id, keys } = await callApi("/api/matches", request);
    const links = request.seats.map(({ who, name }, number) => ({ who, name, number, key: keys[number] })).filter(({ who }) => who === "friend");
    if (links.length) localStorage.setItem(`links-${id}`, JSON.stringify(links));
    location.href = `/matches/${id}`;
  } catch (error) {
    showError(error instanceof Error ? error.message : String(error));
  }
});

showLevels();
showChairs(takenChairs().length);
