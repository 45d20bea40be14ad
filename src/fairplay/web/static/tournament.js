// The pages of tournaments: keep one up to date, stop it or go on with it, start a new one.
import { $, ask, follow, refuse } from "./common.js";

// -- one that is played -------------------------------------------------------------------------

const now = $("now");

// Put the new content in, and leave the reader where they were: scrolled to the side, on a link.
function renew(html) {
  const aside = new Map([...now.querySelectorAll("[data-keep]")].map((part) => [part.dataset.keep, part.scrollLeft]));
  const focused = now.contains(document.activeElement) ? document.activeElement : null;
  const again = focused && (focused.dataset.keep ? `[data-keep="${focused.dataset.keep}"]` : `a[href="${CSS.escape(focused.getAttribute("href") || "")}"]`);
  now.innerHTML = html;
  for (const part of now.querySelectorAll("[data-keep]")) part.scrollLeft = aside.get(part.dataset.keep) || 0;
  if (again) now.querySelector(again)?.focus({ preventScroll: true });
}

function become(status) {
  if (status !== now.dataset.status) $("said").textContent = `The tournament is ${status}.`;
  now.dataset.status = status;
  for (const button of document.querySelectorAll("[data-when]")) button.hidden = !button.dataset.when.split(" ").includes(status);
}

if (now && now.dataset.status !== "finished") {
  follow(() => `/api/tournaments/${now.dataset.id}/live`, ({ status, html }) => { renew(html); become(status); });
}

for (const button of document.querySelectorAll("[data-ask]")) {
  button.onclick = async () => {
    refuse("");
    button.disabled = true;
    try { await ask(button.dataset.ask, {}); } catch (error) { refuse(error.message); }
    button.disabled = false;
  };
}

// -- a new one ----------------------------------------------------------------------------------

const form = $("contest");

function fit() {
  const options = form.format.selectedOptions[0].dataset.options.split(" ");
  for (const field of form.querySelectorAll("[data-option]")) field.hidden = !options.includes(field.dataset.option);
}

function entry(word) {
  const [, name, player] = /^(?:([^=:,]+?)\s*=\s*)?(.+)$/.exec(word);
  return { player, name: name || "" };
}

// Options of a player stand between commas too: what is no player of its own belongs to the one before.
function entries(text) {
  const words = [];
  for (const piece of text.split(",").map((word) => word.trim()).filter(Boolean)) {
    if (words.length && /^[a-z]+=[0-9.]+$/.test(piece) && words.at(-1).includes(":")) words[words.length - 1] += `,${piece}`;
    else words.push(piece);
  }
  return words.map(entry);
}

if (form) {
  form.format.onchange = fit;
  fit();
  form.onsubmit = async (event) => {
    event.preventDefault();
    refuse("");
    const fields = new FormData(form), variant = fields.get("variant");
    const players = [...fields.getAll("player").map((player) => ({ player })), ...entries(fields.get("more"))];
    const wish = { game: form.dataset.game, players, format: fields.get("format") };
    if (fields.get("board")) wish.board = fields.get("board");
    else if (variant === "quick") wish.quick = true;
    else wish.variant = variant;
    for (const input of form.querySelectorAll("[name=games], [name=size], [name=rounds], [name=matches], [name=seed]")) {
      if (input.value && !input.closest("[hidden]")) wish[input.name] = Number(input.value);
    }
    try {
      const { id } = await ask("/api/tournaments", wish);
      location.href = `/tournaments/${id}`;
    } catch (error) {
      refuse(error.message);
    }
  };
}
