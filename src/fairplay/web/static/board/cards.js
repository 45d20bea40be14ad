// @ts-check
// The cards beside the board: hands, destinations, treasures.

/** @typedef {import("../match/wire.js").Card} Card */
/** @typedef {import("../match/wire.js").CardGroup} CardGroup */

const SEEN = 4;                // cards of a pile that are drawn: those that may just have come

/** Show these groups; a group that has not changed stays as it is. @param {HTMLElement} place @param {CardGroup[]} groups */
export function renderCards(place, groups) {
  groups.forEach((group, number) => {
    const text = JSON.stringify(group), old = /** @type {HTMLElement | undefined} */ (place.children[number]);
    if (old && written.get(old) === text) return;
    const made = buildGroup(group);
    written.set(made, text);
    if (old) old.replaceWith(made);
    else place.append(made);
  });
  while (place.children.length > groups.length) place.lastElementChild?.remove();
  place.hidden = !groups.length;
}

/** What each group was made from. @type {WeakMap<Element, string>} */
const written = new WeakMap();

/** What is shown while one points at a card. @type {WeakMap<Element, string[]>} */
const pointedAt = new WeakMap();

/** The keys of what a card is about; none for anything else. @param {Element | null} element @returns {string[]} */
export const highlightsOf = (element) => pointedAt.get(element?.closest(".hand-card") ?? document.body) ?? [];

/** The name of a card that can be clicked: what is written on it, and what a click does. @param {Element} card @param {string} label */
export function nameCard(card, label) {
  const written = (card.textContent ?? "").replace(/\s+/g, " ").trim();
  return label.includes(written) ? label : `${written}: ${label}`;
}

/** @param {CardGroup} group */
function buildGroup({ title, cards, detail = "" }) {
  const section = newElement("section", "card-group");
  const heading = newElement("h2", "", title);
  if (detail) heading.append(" ", newElement("small", "", detail));
  const list = newElement("div", "cards");
  list.append(...cards.map(buildCard));
  section.append(heading, list);
  return section;
}

/** @param {Card} card */
function buildCard({ title, detail = "", count = null, key = "", click = "", highlights = [], picture = "", kind = "", enter = "" }) {
  const card = newElement(click || highlights.length ? "button" : "div", `hand-card ${kind}`.trim());
  if (picture) {
    const drawn = newElement("span", "card-picture");
    drawn.innerHTML = picture;
    if (key && count !== null) drawn.append(...buildPile(key, count, picture, enter));
    card.append(drawn, " ");
  }
  card.append(newElement("span", "card-title", title));
  if (count !== null) card.append(" ", newElement("b", "card-count", `×${count}`));
  if (detail) card.append(" ", newElement("span", "card-detail", detail));
  if (key) card.dataset.key = key;
  if (enter) card.dataset.enter = enter;
  if (highlights.length) pointedAt.set(card, highlights);
  if (click) card.setAttribute(`data-${click.slice(0, click.indexOf("="))}`, click.slice(click.indexOf("=") + 1));
  return card;
}

/**
 * The cards of a pile, each with a key of its own, so that those that come are seen to come; of a pile from which cards
 * are taken, the uppermost alone.
 * @param {string} key @param {number} count @param {string} picture @param {string} enter
 */
function buildPile(key, count, picture, enter) {
  const numbers = Array.from({ length: count }, (_, number) => number + 1);
  return (enter ? numbers : numbers.slice(-1)).map((number) => {
    const card = newElement("span", "pile-card");
    if (number > count - SEEN) card.innerHTML = picture;
    card.dataset.key = `${key}-${number}`;
    card.dataset.enter = enter || "drop";
    if (enter) card.dataset.order = String(number);
    return card;
  });
}

/** @param {string} tag @param {string} [name] @param {string} [text] */
function newElement(tag, name = "", text = "") {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text) element.textContent = text;
  return element;
}
