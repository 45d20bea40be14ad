// @ts-check
// A person's turn: what is chosen on the page at once, and what the server is asked.
import { $, Unreachable, callApi, showError } from "../common.js";
import { chooseAmong, chooseKey, followReply, showSelection, startSelection } from "../board/selection.js";
import { middleOf, nearestBox } from "../board/targets.js";

/** @typedef {import("../board/board.js").Board} Board */
/** @typedef {import("../board/selection.js").Selection} Selection */
/** @typedef {import("./wire.js").Moment} Moment */
/** @typedef {import("./wire.js").WishReply} WishReply */
/** @typedef {import("../board/targets.js").Point} Point */

const RESTART = matchMedia("(pointer: coarse)").matches ? "Start over" : "Start over (Esc)";

export class Playing {
  /** @param {Board} board @param {string} wishPath @param {{ onPrompt: () => void, onLost: () => void }} listeners */
  constructor(board, wishPath, listeners) {
    this.board = board;
    this.wishPath = wishPath;
    this.listeners = listeners;
    /** @type {Selection | null} */
    this.selection = null;
    this.number = -1;          // of the moment that the selection belongs to
    this.sent = false;         // a whole move is on its way
    /** @type {Point | null} */
    this.lastPlace = null;     // of the last click, so that the keyboard goes on near it
    this.wantsFocus = false;
    this.choicesHeight = 0;    // of the most lines of buttons so far
    addEventListener("resize", () => this.makeRoom(true));
    $("choices").onclick = (/** @type {MouseEvent} */ event) => this.pressButton(/** @type {HTMLElement} */ (event.target).dataset);
  }

  get isChoosing() {
    return this.selection !== null && !this.sent;
  }

  get prompt() {
    if (this.sent) return "…";
    return this.selection ? showSelection(this.selection).prompt : "";
  }

  /** Let the person choose at this moment. @param {Moment} moment */
  start(moment) {
    if (!moment.clicks) return;
    this.sent = false;
    this.number = moment.number;
    this.show(startSelection(moment.clicks));
  }

  /** Nothing can be chosen now. */
  stop() {
    if (!this.selection) return;
    showError("");   // what was wrong with a click is of no use any more
    this.wantsFocus ||= this.hasFocus();
    this.selection = null;
    this.sent = false;
    this.board.place([]);
    this.board.clearMarks();
    $("choices").replaceChildren();
  }

  /** @param {Selection} selection */
  show(selection) {
    this.wantsFocus ||= this.hasFocus();
    this.selection = selection;
    const shown = showSelection(selection), remaining = this.board.markChoices(shown, selection.clicks);
    const buttons = remaining.map(({ key, label }) => newButton(label, { choice: key }));
    if (selection.clicks.length) buttons.push(newButton(RESTART, { restart: "" }));
    $("choices").replaceChildren(...buttons);
    this.board.setMark([], "hint");
    this.restoreFocus();
    this.listeners.onPrompt();
    this.makeRoom();
  }

  /**
   * Buttons that do not fit beside the prompt are smaller, in two lines.  If those do not do, or there is nothing else to
   * click, buttons get lines of their own, which stay: the board does not jump from turn to turn.
   */
  makeRoom(isResized = false) {
    const strip = $("choices"), prompt = $("prompt"), root = $("root");
    if (isResized) {
      this.choicesHeight = 0;
      root.classList.remove("wide-choices");
      root.style.removeProperty("--choices-height");
    }
    strip.classList.remove("crowded");
    const first = /** @type {HTMLElement | null} */ (strip.firstElementChild);
    if (!first) return;
    const isCut = strip.scrollWidth > strip.clientWidth;
    const isAlone = !this.board.targets.length && !this.selection?.clicks.length;   // at the beginning of a turn
    strip.classList.toggle("crowded", isCut);
    const isTall = strip.offsetHeight > 2.5 * first.offsetHeight;
    const leavesLittle = prompt.scrollWidth > prompt.clientWidth && strip.offsetWidth > prompt.offsetWidth;
    if (isAlone ? isCut || isTall || leavesLittle : isCut && isTall) root.classList.add("wide-choices");
    this.choicesHeight = Math.max(this.choicesHeight, Math.ceil(strip.getBoundingClientRect().height));
    root.style.setProperty("--choices-height", `${this.choicesHeight}px`);
  }

  hasFocus() {
    const focused = document.activeElement;
    return this.board.root.contains(focused) || $("choices").contains(focused);
  }

  /** The keyboard goes on at what lies nearest to the last click. */
  restoreFocus() {
    if (!this.wantsFocus) return;
    const targets = this.board.targets, button = $("choices").querySelector("button");
    const near = this.lastPlace ? nearestBox(targets.map((each) => each.getBoundingClientRect()), this.lastPlace) : 0;
    const target = targets[near] ?? button;
    if (!target) return;
    this.wantsFocus = false;
    if (target !== button) this.board.setRoving(target);
    target.focus({ preventScroll: true });
  }

  /** @param {DOMStringMap} data */
  pressButton(data) {
    if (data.choice) this.choose(data.choice);
    else if ("restart" in data) this.restart();
  }

  /** Take back everything that was clicked in this turn. */
  restart() {
    if (!this.isChoosing || !this.selection?.clicks.length) return false;
    showError("");
    this.show(startSelection(this.selection.tree));
    return true;
  }

  /** A click on something with these keys, innermost first. @param {string[]} keys @param {Element | null} at */
  click(keys, at) {
    const key = this.isChoosing && this.selection ? chooseAmong(this.selection, keys) : undefined;
    if (at) this.lastPlace = middleOf(at.getBoundingClientRect());
    if (key) this.choose(key);
  }

  /** @param {string} key */
  choose(key) {
    if (!this.isChoosing || !this.selection) return;
    showError("");
    const step = chooseKey(this.selection, key);
    if (step.kind === "partial") this.show(step.selection);
    else this.ask(step.clicks, step.kind === "complete");
  }

  /** Ask the server what the clicks come to. @param {string[]} clicks @param {boolean} isWhole */
  async ask(clicks, isWhole) {
    const number = this.number;
    if (isWhole) this.setSent(true);
    try {
      const reply = await callApi(this.wishPath, { number, clicks });
      if (number === this.number && this.selection) this.takeReply(clicks, reply);
    } catch (error) {
      if (number === this.number && this.selection) this.takeFailure(/** @type {Error} */ (error));
    }
  }

  /** @param {boolean} sent */
  setSent(sent) {
    this.sent = sent;
    this.board.root.classList.toggle("sent", sent);
    this.listeners.onPrompt();
  }

  /** @param {string[]} clicks @param {WishReply} reply */
  takeReply(clicks, reply) {
    if (reply.done) return this.setSent(true);
    this.setSent(false);
    if (reply.refusal) showError(reply.refusal);
    else if (this.selection) this.show(followReply(this.selection, clicks, reply));
  }

  /** The selection stays. @param {Error} error */
  takeFailure(error) {
    this.setSent(false);
    if (error instanceof Unreachable) this.listeners.onLost();
    else showError(error.message);
  }

  /** What a target stands for; undefined: nothing. @param {string} key */
  findChoice(key) {
    return this.selection ? showSelection(this.selection).choices.find((choice) => choice.key === key) : undefined;
  }
}

/** @param {string} label @param {Record<string, string>} data */
function newButton(label, data) {
  const button = document.createElement("button");
  button.textContent = label;
  Object.assign(button.dataset, data);
  return button;
}
