// @ts-check
// Mouse, fingers and keys on the board: what is pointed at, and what is chosen.
import { REACH, boxTowards, isPlain, nearestShape } from "../board/targets.js";
import { highlightsOf } from "../board/cards.js";

/** @typedef {import("../board/board.js").Board} Board */
/** @typedef {import("./playing.js").Playing} Playing */

const SAMPLES = 16;            // points along each line of a target

/** Where a target lies in the window. @param {Element} target @returns {import("../board/targets.js").Shape} */
function readShape(target) {
  const lines = [target, ...target.querySelectorAll("*")].filter((each) => each instanceof SVGGeometryElement);
  return { box: target.getBoundingClientRect(), outline: lines.flatMap((line) => sampleLine(/** @type {SVGGeometryElement} */ (line))) };
}

/** @param {SVGGeometryElement} line */
function sampleLine(line) {
  const matrix = line.getScreenCTM(), length = line.getTotalLength();
  if (!matrix || !length) return [];
  return Array.from({ length: SAMPLES + 1 }, (_, number) => line.getPointAtLength((length * number) / SAMPLES).matrixTransform(matrix));
}

/** A card that says all there is to know before one takes it. @param {Element} target */
const isWholeCard = (target) => target.matches(".hand-card") && !highlightsOf(target).length;

/**
 * @param {Board} board @param {Playing} playing
 * @param {{ wasDragged: () => boolean, showTip: (text: string) => void }} page
 */
export function enablePointing(board, playing, page) {
  /** @type {Element | null} */
  let near = null;

  /** @param {Element | null} target @param {Element | null} [card] */
  const point = (target, card = null) => {
    if (target === near && !card) return;
    near = target;
    const key = target?.getAttribute("data-choice") ?? "";
    board.setMark(key ? [key] : [], "near");
    const choice = playing.findChoice(key);
    board.setMark([...(choice?.highlights ?? []), ...highlightsOf(card ?? target)], "hint");
    page.showTip(choice?.label ?? "");
  };

  const root = board.root;
  root.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const element = /** @type {Element} */ (event.target);
    point(element.closest("[data-choice]"), element.closest(".hand-card"));
  });
  root.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") point(null);
  });
  root.addEventListener("focusin", (event) => {
    const element = /** @type {Element} */ (event.target);
    if (!element.matches(":focus-visible")) return;
    point(element.closest("[data-choice]"), element.closest(".hand-card"));
  });
  root.addEventListener("focusout", () => point(null));

  root.addEventListener("click", (event) => {
    const element = /** @type {Element} */ (event.target);
    if (page.wasDragged() || element.closest("[data-control]")) return;
    if (/** @type {PointerEvent} */ (event).pointerType === "touch") return tap(event, element);
    playing.click(board.keysUnder(element), element.closest("[data-choice]"));
  });

  /** A finger means the nearest target; a small one is shown first, and counts with the second tap. @param {MouseEvent} event @param {Element} element */
  const tap = (event, element) => {
    const targets = board.neighbours(element), shapes = targets.map(readShape), finger = { x: event.clientX, y: event.clientY };
    const hit = targets.findIndex((each) => each === element.closest("[data-choice]"));
    const number = hit >= 0 ? hit : nearestShape(shapes, finger, REACH), target = targets[number];
    if (!target) {
      point(null, element.closest(".hand-card"));
      return playing.click(board.keysUnder(element), null);
    }
    const isShown = hit >= 0 && isWholeCard(target) || isPlain(shapes, number, finger, hit >= 0);
    if (target !== near && !isShown) {
      point(target);
      return page.showTip(`${playing.findChoice(target.dataset.choice ?? "")?.label} – tap again to choose it`);
    }
    point(null);
    playing.click([target.dataset.choice ?? ""], target);
  };

  root.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!board.targets.includes(target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      playing.wantsFocus = true;
      playing.click([target.dataset.choice ?? ""], target);
    } else if (!moveFocus(target, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  /** @param {HTMLElement} target @param {string} key; whether it is an arrow key */
  const moveFocus = (target, key) => {
    if (!key.startsWith("Arrow")) return false;
    const targets = board.neighbours(target), boxes = targets.map((each) => each.getBoundingClientRect());
    const next = targets[boxTowards(boxes, targets.indexOf(target), key)];
    if (next) {
      board.setRoving(next);
      next.focus({ preventScroll: false });
    }
    return true;
  };

  return { forget: () => point(null) };
}
