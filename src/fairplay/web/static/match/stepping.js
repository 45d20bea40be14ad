// @ts-check
// Stepping through a match: the list of turns, the slider, the buttons, and playing it back.
import { $ } from "../common.js";

/** @typedef {{ shown: number, last: number }} Position */
/** @typedef {{ number: number, kind: string, label: string }} Mark */

export class Stepping {
  /** @param {() => Position} position @param {(number: number) => Promise<void>} goTo shows a moment */
  constructor(position, goTo) {
    this.position = position;
    this.goTo = goTo;
    /** @type {ReturnType<typeof setInterval> | null} */
    this.timer = null;
    const step = (/** @type {() => number} */ target) => () => this.go(target());
    $("first").onclick = step(() => 0);
    $("back").onclick = step(() => position().shown - 1);
    $("forward").onclick = step(() => position().shown + 1);
    $("newest").onclick = step(() => position().last);
    $("play").onclick = () => this.togglePlay();
    $("speed").onchange = () => this.timer && (this.pause(), this.togglePlay());
    $("scrub").oninput = step(() => Number($("scrub").value));
    $("turns").onclick = (/** @type {MouseEvent} */ event) => {
      const { number } = /** @type {HTMLElement} */ (event.target).dataset;
      if (number) this.go(Number(number));
    };
  }

  /** The time between two moments of a replay, in milliseconds. */
  get interval() {
    return Number($("speed").value);
  }

  /** @param {number} number */
  go(number) {
    this.pause();
    return this.goTo(number);
  }

  pause() {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    $("play").classList.remove("playing");
    $("play").setAttribute("aria-label", "Play");
  }

  togglePlay() {
    if (this.timer) return this.pause();
    $("play").classList.add("playing");
    $("play").setAttribute("aria-label", "Pause");
    let next = this.position().shown >= this.position().last ? 0 : this.position().shown + 1;
    const step = () => {
      if (next > this.position().last) return this.pause();
      this.goTo(next);
      next += 1;
    };
    this.timer = setInterval(step, this.interval);
    step();
  }

  /** Keys that mean the match. @param {string} key @param {boolean} onButton; whether it is such a key */
  pressKey(key, onButton) {
    const { shown, last } = this.position();
    /** @type {Record<string, number>} */
    const targets = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: last };
    if (key in targets) this.go(targets[key]);
    else if (key === " " && !onButton) this.togglePlay();
    else return false;
    return true;
  }

  /** @param {number} number */
  showNumber(number) {
    $("number").textContent = $("scrub").value = String(number);
    const list = $("turns"), turn = list.children[number]?.firstElementChild;
    for (const button of list.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    if (!turn) return;
    turn.setAttribute("aria-current", "true");
    const top = turn.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + turn.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }

  /** @param {number} last */
  setLast(last) {
    $("scrub").max = $("last").textContent = String(last);
  }

  get count() {
    return $("turns").children.length;
  }

  /** @param {string[]} turns all of them; those in the list stay */
  addTurns(turns) {
    turns.forEach((words, number) => this.addTurn(words, number));
  }

  /** @param {string} words @param {number} number */
  addTurn(words, number) {
    if ($("turns").children[number]) return;
    const item = document.createElement("li"), button = document.createElement("button");
    button.textContent = words;
    button.dataset.number = String(number);
    item.append(button);
    $("turns").append(item);
  }

  /** @param {number} number */
  forgetFrom(number) {
    for (const turn of [...$("turns").children].slice(number)) turn.remove();
  }
}

/** Marks below the slider, which lead to their moments. @param {Mark[]} marks @param {number} last @param {(number: number) => void} goTo */
export function showMarks(marks, last, goTo) {
  $("marks").replaceChildren(...marks.map(({ number, kind, label }) => {
    const mark = document.createElement("button");
    mark.className = kind;
    mark.style.left = `${(100 * number) / Math.max(1, last)}%`;
    mark.title = label;
    mark.setAttribute("aria-label", label);
    mark.onclick = () => goTo(number);
    return mark;
  }));
}
