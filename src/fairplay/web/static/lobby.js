// @ts-check
// The lobby: open tables and who waits, kept up to date while somebody looks; one click to join or to be paired.
import { $, callApi, showError } from "./common.js";
import { readName } from "./names.js";

/**
 * @typedef {{ name: string, open: boolean, person: boolean }} Seat
 * @typedef {{ id: string, game: string, variant: string, seats: Seat[], created: number, watchers: number }} Table
 * @typedef {{ tables: Table[], waiting: Record<string, number> }} Lobby
 */

const INTERVAL = 3000;         // milliseconds
const RUNNING_INTERVAL = 10_000;
let shown = "";                // what the list was made from

/** @param {string} text */
const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} count @param {string} one @param {string} many */
const countOf = (count, one, many) => count === 1 ? `1 ${one}` : `${count} ${many}`;

/** @param {string} tag @param {string} name @param {string} [text] */
function newElement(tag, name, text = "") {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}

/** @param {Table} table */
function describeTable({ seats, variant, watchers }) {
  const there = seats.filter((seat) => !seat.open).map((seat) => seat.name), free = seats.length - there.length;
  const parts = [`${countOf(free, "free seat", "free seats")}`];
  if (variant) parts.push(variant);
  if (watchers) parts.push(`${watchers} watching`);
  return { who: there.join(", "), about: parts.join(" · ") };
}

/** @param {Table} table */
function buildRow(table) {
  const { who, about } = describeTable(table), name = capitalize(table.game);
  const row = newElement("li", "card match-row"), picture = document.createElement("img"), what = newElement("div", "what");
  Object.assign(picture, { className: "thumb", src: `/api/matches/${table.id}/moments/0/picture.svg?as=public`, alt: "", width: 160, height: 120 });
  const join = newElement("button", "main", "Join");
  join.dataset.join = table.id;
  join.setAttribute("aria-label", `Join ${name} with ${who}`);
  what.append(newElement("strong", "", name), newElement("span", "names", who), newElement("span", "hint", about));
  row.append(picture, what, join);
  return row;
}

/** @param {Lobby} lobby */
function showLobby({ tables, waiting }) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-waiting]"))) {
    const count = waiting[place.dataset.waiting ?? ""] ?? 0;
    place.textContent = count ? `${countOf(count, "person waits", "people wait")} for you` : "Nobody waits at the moment";
    place.classList.toggle("waiting", count > 0);
  }
  const text = JSON.stringify(tables);
  if (text === shown) return;
  shown = text;
  $("tables").replaceChildren(...tables.map(buildRow));
  $("no-tables").hidden = tables.length > 0;
  $("more-tables").hidden = !tables.length;
}

async function update() {
  if (!document.hidden) await callApi("/api/lobby").then(showLobby).catch(() => {});
  setTimeout(update, INTERVAL);
}

/** Show what is being played now, as the page would if it were opened again. */
async function updateRunning() {
  if (!document.hidden) {
    const text = await fetch(location.pathname).then((answer) => answer.text()).catch(() => "");
    const now = new DOMParser().parseFromString(text, "text/html").getElementById("running"), old = $("running");
    if (now && now.innerHTML !== old.innerHTML && !old.contains(document.activeElement)) old.replaceWith(now);
  }
  setTimeout(updateRunning, RUNNING_INTERVAL);
}

/** Go to the match that the server names. @param {string} path @param {object} body @param {HTMLButtonElement} button */
async function enter(path, body, button) {
  button.disabled = true;
  try {
    const { id } = await callApi(path, body);
    location.href = `/matches/${id}`;
  } catch (error) {
    button.disabled = false;
    showError(error instanceof Error ? error.message : String(error));
  }
}

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  const { join, pair } = target.dataset, name = readName();
  if (join) enter(`/api/lobby/${join}/join`, { name }, target);
  else if (pair) enter("/api/lobby/pair", { game: pair, name }, target);
});

update();
setTimeout(updateRunning, RUNNING_INTERVAL);
