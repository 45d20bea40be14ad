// @ts-check
// The drawing of a match and the cards beside it: shows moments, marks what can be clicked, finds what is meant.
import { MOTION_HINTS, capturePlaces, playMotion, replaceDrawing } from "./motion.js";
import { nameCard, renderCards } from "./cards.js";

/** @typedef {import("../match/wire.js").Moment} Moment */
/** @typedef {import("./selection.js").Shown} Shown */

const MARKS = ["lit", "chosen", "near", "hint"];
const PLACING = 160;           // milliseconds that things take to where they lie while one chooses
const NO_KEYS = new Set([...MOTION_HINTS, "choice", "body"].map((name) => `data-${name}`));

export class Board {
  /** @param {HTMLElement} root holds both @param {HTMLElement} board @param {HTMLElement} cards @param {string} head */
  constructor(root, board, cards, head) {
    this.root = root;
    this.board = board;
    this.cards = cards;
    this.head = head;
    /** @type {string[]} */
    this.hinted = [];          // the clicks that a hint suggests, in order
    /** @type {string[]} */
    this.clicked = [];         // those of this turn
    /** @type {Map<Element, string | null>} */
    this.moved = new Map();    // elements that lie elsewhere while one chooses, and their own transforms
  }

  get svg() {
    return this.board.querySelector("svg");
  }

  /** What the page shows when it is loaded. */
  get picture() {
    return this.head ? this.body?.innerHTML ?? "" : this.board.innerHTML;
  }

  get body() {
    return this.board.querySelector("[data-body]");
  }

  /** Show a moment; `direction` says how it follows the one shown before. @param {Moment} moment @param {number} direction @param {number} [limit] */
  draw(moment, direction, limit) {
    const before = capturePlaces(this.root);
    this.moved.clear();
    this.replacePicture(moment.picture);
    this.svg?.setAttribute("aria-label", moment.label);
    this.showCards(moment.cards);
    playMotion(this.root, before, direction, limit);
  }

  /** @param {import("../match/wire.js").CardGroup[]} groups */
  showCards(groups) {
    renderCards(this.cards, groups);
  }

  /** @param {string} picture */
  replacePicture(picture) {
    const holder = this.head ? this.body : this.board;
    if (holder) replaceDrawing(holder, picture);
  }

  /** Every element that a key such as at=2,3 stands for, the topmost last. @param {string} key @returns {(HTMLElement | SVGElement)[]} */
  find(key) {
    const split = key.indexOf("="), name = key.slice(0, split), value = key.slice(split + 1);
    if (!/^[a-z][a-z0-9-]*$/.test(name)) return [];
    return [this.board, this.cards].flatMap((part) => [.../** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll(`[data-${name}="${CSS.escape(value)}"]`))]);
  }

  /** Mark what can be clicked and what has been; the choices without an element remain. @param {Shown} shown @param {string[]} clicked in this turn */
  markChoices({ choices, chosen, places }, clicked) {
    this.clicked = clicked;
    this.clearMarks();
    this.place(places);
    for (const key of chosen) this.addMark(key, "chosen");
    const remaining = choices.filter(({ key, label }) => !this.offer(key, label));
    this.setRoving(this.targets[0]);
    this.svg?.setAttribute("role", this.targets.length ? "group" : "img");  // an image would hide what can be clicked
    return remaining;
  }

  /** @param {string} key @param {string} label */
  offer(key, label) {
    const found = this.find(key), target = found.at(-1);
    if (!target) return false;
    for (const element of found) element.classList.add("lit");
    if (target instanceof SVGElement) target.setAttribute("role", "button");
    target.setAttribute("aria-label", target instanceof SVGElement ? label : nameCard(target, label));
    target.setAttribute("tabindex", "-1");
    target.dataset.choice = key;
    return true;
  }

  clearMarks() {
    for (const target of this.targets) {
      if (target instanceof SVGElement) target.removeAttribute("role");
      for (const name of ["aria-label", "tabindex", "data-choice"]) target.removeAttribute(name);
    }
    for (const mark of MARKS) for (const element of this.root.querySelectorAll(`.${mark}`)) element.classList.remove(mark);
    this.svg?.setAttribute("role", "img");
  }

  /** @param {string} key of elements or of a button @param {string} mark */
  addMark(key, mark) {
    const buttons = this.root.querySelectorAll(`button[data-choice="${CSS.escape(key)}"]`);
    for (const element of [...this.find(key), ...buttons]) element.classList.add(mark);
  }

  /** Show only these keys with this mark, and a hint as long as there is one. @param {string[]} keys @param {string} mark */
  setMark(keys, mark) {
    for (const element of this.root.querySelectorAll(`.${mark}`)) element.classList.remove(mark);
    for (const key of mark === "hint" ? [...keys, ...this.nextHint] : keys) this.addMark(key, mark);
  }

  /** The next click of a hint; none once one goes another way. */
  get nextHint() {
    const isFollowed = this.clicked.every((click, number) => click === this.hinted[number]);
    return isFollowed ? this.hinted.slice(this.clicked.length, this.clicked.length + 1) : [];
  }

  /** @param {string[]} clicks that a hint suggests, in order; none: there is no hint any more */
  showHint(clicks) {
    this.hinted = clicks;
    this.setMark([], "hint");
  }

  /** Put elements where they lie while one chooses, and the others back. @param {[string, string][]} places */
  place(places) {
    if (!places.length && !this.moved.size) return;
    const before = capturePlaces(this.root);
    for (const [element, transform] of this.moved) setTransform(element, transform);
    this.moved.clear();
    for (const [key, transform] of places) {
      for (const element of this.find(`key=${key}`)) {
        this.moved.set(element, element.getAttribute("transform"));
        setTransform(element, transform);
      }
    }
    playMotion(this.root, before, 0, PLACING);
  }

  /** What can be clicked, in the drawing and among the cards. @returns {(HTMLElement | SVGElement)[]} */
  get targets() {
    return [this.board, this.cards].flatMap((part) => [.../** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll("[data-choice]"))]);
  }

  /** The targets that arrow keys move between: those of the same part. @param {Element} target */
  neighbours(target) {
    const part = this.cards.contains(target) ? this.cards : this.board;
    return this.targets.filter((each) => part.contains(each));
  }

  /** Tab leads to this target; each part has one. @param {Element} [chosen] */
  setRoving(chosen) {
    for (const part of [this.board, this.cards]) {
      const targets = this.targets.filter((each) => part.contains(each));
      const one = targets.find((each) => each === chosen) ?? targets.find((each) => each.getAttribute("tabindex") === "0") ?? targets[0];
      for (const target of targets) target.setAttribute("tabindex", target === one ? "0" : "-1");
    }
  }

  /** The keys of everything under an element, innermost first. @param {Element | null} element */
  keysUnder(element) {
    const keys = [];
    for (; element && this.root.contains(element) && element !== this.root; element = element.parentElement)
      for (const { name, value } of element.attributes)
        if (name.startsWith("data-") && !NO_KEYS.has(name)) keys.push(`${name.slice(5)}=${value}`);
    return keys;
  }
}

/** @param {Element} element @param {string | null} transform */
function setTransform(element, transform) {
  if (transform === null) element.removeAttribute("transform");
  else element.setAttribute("transform", transform);
}
