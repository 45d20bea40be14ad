// @ts-check
// The pieces of a drawing that can be clicked, and which of them a click, a drag or an arrow key is meant for.

/** Attributes that say how a piece moves, not what it stands for (core/shown.py). */
const MOTION = new Set(["data-key", "data-enter", "data-leave", "data-path", "data-step", "data-order", "data-body"]);
const RINGS = [4, 8, 13, 19, 26, 34, 43], RAYS = 12;

/** The pieces of the drawing in `board`. */
export class Pieces {
  /** @param {HTMLElement} board */
  constructor(board) {
    this.board = board;
    /** @type {Map<Element, string>} */
    this.keys = new Map();
  }

  /** Find the pieces of a new drawing, and let people reach them by keyboard. */
  mark() {
    this.keys = new Map();
    this.board.querySelector("svg")?.setAttribute("role", "group");
    for (const element of this.board.querySelectorAll("svg *")) {
      const data = [...element.attributes].find(({ name }) => name.startsWith("data-") && !MOTION.has(name));
      if (!data) continue;
      this.keys.set(element, `${data.name.slice(5)}=${data.value}`);
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", this.keys.size === 1 ? "0" : "-1");
      element.setAttribute("aria-label", element.querySelector("title")?.textContent || data.value);
    }
  }

  /**
   * The piece that a place in the window is meant for: the one there, or else the nearest.
   * @param {number} x @param {number} y @returns {Element | null}
   */
  at(x, y) {
    for (const radius of [0, ...RINGS]) {
      for (let ray = 0; ray < (radius ? RAYS : 1); ray++) {
        const angle = (2 * Math.PI * ray) / RAYS;
        const found = this.holding(document.elementFromPoint(x + radius * Math.cos(angle), y + radius * Math.sin(angle)));
        if (found) return found;
      }
    }
    return this.nearest([x, y]);
  }

  /** The piece that an element is part of. @param {Element | null} element @returns {Element | null} */
  holding(element) {
    while (element && element !== this.board && !this.keys.has(element)) element = element.parentElement;
    return element && this.keys.has(element) ? element : null;
  }

  /**
   * The piece whose middle is nearest to a point; `distance` is infinite for pieces that lie in another direction.
   * @param {[number, number]} point
   * @param {(right: number, down: number) => number} distance
   * @returns {Element | null}
   */
  nearest([x, y], distance = Math.hypot) {
    let best = null, least = Infinity;
    for (const element of this.keys.keys()) {
      const [toX, toY] = centre(element), far = distance(toX - x, toY - y);
      if (far < least) [best, least] = [element, far];
    }
    return best;
  }

  /** The piece one step from another. @param {Element} piece @param {[number, number]} direction */
  beside(piece, [right, down]) {
    return this.nearest(centre(piece), (x, y) => {
      const along = x * right + y * down, across = Math.abs(x * down + y * right);
      return along > 1 ? along + 3 * across : Infinity;
    });
  }

  /** @param {Element | null} element */
  focus(element) {
    if (!(element instanceof SVGElement)) return;
    this.board.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
    element.focus({ preventScroll: false });
  }

  /** Show which piece the next click would take. @param {Element | null} element */
  point(element) {
    const before = this.board.querySelector(".near");
    if (before === element) return;
    before?.classList.remove("near");
    element?.classList.add("near");
  }
}

/** The middle of an element in the window. @param {Element} element @returns {[number, number]} */
export function centre(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}
