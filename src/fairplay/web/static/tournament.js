// The pages of tournaments: keep one up to date, stop or resume it, start a new one.
import { $, callApi, follow, showError } from "./common.js";

// -- one that is shown --------------------------------------------------------------------------

const results = $("results");

// Replace the content, and leave the reader where they were: scrolled sideways, on a link.
function update(html) {
  const scrolled = new Map([...results.querySelectorAll("[data-keep]")].map((part) => [part.dataset.keep, part.scrollLeft]));
  const focused = results.contains(document.activeElement) ? document.activeElement : null;
  const selector = focused && (focused.dataset.keep ? `[data-keep="${focused.dataset.keep}"]` : `a[href="${CSS.escape(focused.getAttribute("href") || "")}"]`);
  results.innerHTML = html;
  for (const part of results.querySelectorAll("[data-keep]")) part.scrollLeft = scrolled.get(part.dataset.keep) || 0;
  if (selector) results.querySelector(selector)?.focus({ preventScroll: true });
}

function setStatus(status) {
  if (status !== results.dataset.status) $("announcement").textContent = `The tournament is ${status}.`;
  results.dataset.status = status;
  for (const button of document.querySelectorAll("[data-when]")) button.hidden = !button.dataset.when.split(" ").includes(status);
}

if (results && results.dataset.status !== "finished") {
  follow(() => `/api/tournaments/${results.dataset.id}/live`, ({ status, html }) => { update(html); setStatus(status); });
}

for (const button of document.querySelectorAll("[data-post]")) {
  button.onclick = async () => {
    showError("");
    button.disabled = true;
    try { await callApi(button.dataset.post, {}); } catch (error) { showError(error.message); }
    button.disabled = false;
  };
}

// -- a new one ----------------------------------------------------------------------------------

const form = $("tournament");

function showOptions() {
  const options = form.format.selectedOptions[0].dataset.options.split(" ");
  for (const field of form.querySelectorAll("[data-option]")) field.hidden = !options.includes(field.dataset.option);
}

function parseEntrant(text) {
  const [, name, player] = /^(?:([^=:,]+?)\s*=\s*)?(.+)$/.exec(text);
  return { player, name: name || "" };
}

// The options of a player are separated by commas, too: a piece such as depth=2 belongs to the player before it.
function parseEntrants(text) {
  const entrants = [];
  for (const piece of text.split(",").map((each) => each.trim()).filter(Boolean)) {
    if (entrants.length && /^[a-z]+=[0-9.]+$/.test(piece) && entrants.at(-1).includes(":")) entrants[entrants.length - 1] += `,${piece}`;
    else entrants.push(piece);
  }
  return entrants.map(parseEntrant);
}

if (form) {
  form.format.onchange = showOptions;
  showOptions();
  form.onsubmit = async (event) => {
    event.preventDefault();
    showError("");
    const fields = new FormData(form), variant = fields.get("variant");
    const players = [...fields.getAll("player").map((player) => ({ player })), ...parseEntrants(fields.get("more"))];
    const request = { game: form.dataset.game, players, format: fields.get("format") };
    if (fields.get("board")) request.board = fields.get("board");
    else if (variant === "quick") request.quick = true;
    else request.variant = variant;
    for (const input of form.querySelectorAll("[name=games], [name=size], [name=rounds], [name=matches], [name=seed]")) {
      if (input.value && !input.closest("[hidden]")) request[input.name] = Number(input.value);
    }
    try {
      const { id } = await callApi("/api/tournaments", request);
      location.href = `/tournaments/${id}`;
    } catch (error) {
      showError(error.message);
    }
  };
}
