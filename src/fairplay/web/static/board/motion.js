// @ts-check
// Shows the change from one drawing to the next as motion; works for cards beside the board as well.
import { planJump, planMotion, planReturn, shortenMotions } from "./plan.js";

/** @typedef {import("./plan.js").Keyed} Keyed */
/** @typedef {import("./plan.js").Motion} Motion */
/** @typedef {import("./plan.js").Frame} Frame */
/** @typedef {{ places: Map<string, Keyed>, elements: Map<string, Element> }} Capture */
/** @typedef {{ x: number, y: number, turn: number, scale: number, opacity: number | null }} Pose */

/** Attributes that say how things move: they never stand for something to click. */
export const MOTION_HINTS = ["key", "enter", "leave", "path", "ride", "jump", "step", "order"];

const DROP = 30, SINK = 12;   // units of the drawing that things fall and sink
const CURVE = "cubic-bezier(.2, .7, .3, 1)";
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Where everything that has a key is now, even in the middle of a motion.
 * @param {HTMLElement} root holds the board and the cards
 * @returns {Capture}
 */
export function capturePlaces(root) {
  /** @type {Capture} */
  const capture = { places: new Map(), elements: new Map() };
  const toDrawing = drawingMatrix(root)?.inverse();
  if (calm.matches || !toDrawing) return capture;
  for (const element of root.querySelectorAll("[data-key]")) {
    const keyed = readKeyed(element, toDrawing);
    capture.places.set(keyed.key, keyed);
    capture.elements.set(keyed.key, element);
  }
  return capture;
}

/** From units of the drawing to pixels of the window. @param {HTMLElement} root */
const drawingMatrix = (root) => readMatrix(root.querySelector("svg"));

/** From the coordinates of an element of a drawing to pixels of the window; null for anything else. @param {Element | null} element */
function readMatrix(element) {
  const matrix = element instanceof SVGGraphicsElement ? element.getScreenCTM() : null;
  return matrix && new DOMMatrix([matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f]);
}

/** @param {Element} element @param {DOMMatrix} toDrawing @returns {Keyed} */
function readKeyed(element, toDrawing) {
  const matrix = toDrawing.multiply(screenMatrix(element));
  const data = /** @type {HTMLElement | SVGElement} */ (element).dataset;
  return {
    key: data.key ?? "",
    x: matrix.e,
    y: matrix.f,
    angle: (Math.atan2(matrix.b, matrix.a) * 180) / Math.PI,
    parent: element.parentElement?.closest("[data-key]")?.getAttribute("data-key") ?? "",
    path: readPath(data.path ?? ""),
    ride: readPath(data.ride ?? "")[0] ?? null,
    jump: "jump" in data,
    enter: data.enter ?? "",
    leave: data.leave ?? "",
    step: Number(data.step ?? 0),
    order: Number(data.order ?? 0),
  };
}

/** From the coordinates of an element to pixels of the window; a card counts as its middle. @param {Element} element */
function screenMatrix(element) {
  const matrix = readMatrix(element);
  if (matrix) return matrix;
  const box = element.getBoundingClientRect();
  return new DOMMatrix([1, 0, 0, 1, box.x + box.width / 2, box.y + box.height / 2]);
}

/** @param {string} text such as "1,2 3,4" */
const readPath = (text) =>
  text.split(" ").filter(Boolean).map((pair) => {
    const [x, y] = pair.split(",").map(Number);
    return { x, y };
  });

/** Show another drawing; the old elements stay together, so that those that leave find their neighbours. @param {Element} holder @param {string} picture */
export function replaceDrawing(holder, picture) {
  document.createDocumentFragment().append(...holder.childNodes);
  holder.innerHTML = picture;
}

/**
 * Show how things came from where they were to where they are.
 * @param {HTMLElement} root @param {Capture} before @param {number} direction 1: one moment on; -1: one back; else a jump
 * @param {number} [limit] milliseconds that all of it may take
 * @returns {number} how many motions there are
 */
export function playMotion(root, before, direction, limit = Infinity) {
  const toScreen = drawingMatrix(root);
  if (calm.matches || !toScreen || !before.places.size) return 0;
  const after = capturePlaces(root);
  const plan = direction === 1 ? planMotion : direction === -1 ? planReturn : planJump;
  const motions = shortenMotions(plan(before.places, after.places), limit);
  for (const motion of motions) {
    if (motion.kind === "leave") playExit(motion, before, after, toScreen);
    else animate(/** @type {Element} */ (after.elements.get(motion.key)), motion, toScreen);
  }
  return motions.length;
}

/** An element that is gone stays in the drawing until its motion ends. @param {Motion} motion @param {Capture} before @param {Capture} after @param {DOMMatrix} toScreen */
function playExit(motion, before, after, toScreen) {
  const element = before.elements.get(motion.key);
  if (!(element instanceof SVGGraphicsElement) || !bringBack(element, after)) return;
  animate(element, motion, toScreen).finished.then(() => element.remove(), () => element.remove());
}

/** Put an element of the old drawing where it was among its neighbours; false: they are all gone. @param {Element} element @param {Capture} after */
function bringBack(element, after) {
  const next = findNeighbour(element, after, "nextElementSibling"), previous = next ? null : findNeighbour(element, after, "previousElementSibling");
  stripMeaning(element);
  if (next) next.before(element);
  else if (previous) previous.after(element);
  else return false;
  return true;
}

/** The nearest sibling in one direction that is in the new drawing too. @param {Element} element @param {Capture} after @param {"nextElementSibling" | "previousElementSibling"} side */
function findNeighbour(element, after, side) {
  for (let sibling = element[side]; sibling; sibling = sibling[side]) {
    const same = after.elements.get(sibling.getAttribute("data-key") ?? "");
    if (same && same !== sibling) return same;
  }
  return null;
}

/** It can neither be clicked nor be taken for part of the new drawing. @param {Element} element */
function stripMeaning(element) {
  for (const each of [element, ...element.querySelectorAll("*")]) {
    for (const name of each.getAttributeNames()) if (name.startsWith("data-") || name === "tabindex" || name === "role" || name === "id") each.removeAttribute(name);
    each.classList.remove("lit", "chosen", "near", "hint");
  }
  element.setAttribute("aria-hidden", "true");
  element.setAttribute("pointer-events", "none");
}

/** @param {Element} element @param {Motion} motion @param {DOMMatrix} toScreen @returns {Animation} */
function animate(element, motion, toScreen) {
  const length = Math.max(1, motion.end - motion.start);
  const toParent = parentMatrix(element).inverse(), own = ownMatrix(element, toParent);
  const units = linear(toParent).multiply(linear(toScreen));
  const poses = motion.frames.map((frame) => poseAt(motion, frame, units));
  const isPlain = poses.every(({ turn, scale }) => !turn && scale === 1);
  const keyframes = poses.map((pose, number) => ({
    ...writePose(pose, isPlain ? null : own),
    offset: Math.min(1, Math.max(0, (motion.frames[number].at - motion.start) / length)),
    easing: motion.frames[number].glides ? CURVE : number ? "linear" : "ease-in-out",
  }));
  return element.animate(keyframes, { duration: length, delay: motion.start, fill: motion.kind === "leave" ? "both" : "backwards" });
}

/** From the coordinates around an element to pixels of the window. @param {Element} element */
const parentMatrix = (element) => readMatrix(element.parentElement) ?? new DOMMatrix();

/** The transform that an element of a drawing has by itself; none for a card. @param {Element} element @param {DOMMatrix} toParent */
const ownMatrix = (element, toParent) => toParent.multiply(readMatrix(element) ?? toParent.inverse());

/** Without the shift. @param {DOMMatrix} matrix */
const linear = ({ a, b, c, d }) => new DOMMatrix([a, b, c, d, 0, 0]);

/**
 * Where an element is at a time of its motion, and how it looks then.
 * @param {Motion} motion @param {Frame} frame @param {DOMMatrix} units from those of the drawing to those of its parent
 * @returns {Pose}
 */
function poseAt(motion, frame, units) {
  const { x, y } = units.transformPoint({ x: frame.dx, y: frame.dy });
  const pose = { x, y, turn: frame.turn, scale: 1, opacity: frame.opacity ?? null };
  const rest = motion.kind === "enter" ? motion.frames.length - 1 : 0;
  if (motion.kind === "move" || motion.frames.indexOf(frame) === rest) return pose;
  return { ...pose, ...awayPose(motion.how, pose) };
}

/** How an element looks just before it appears, or once it has gone. @param {string} how @param {Pose} pose */
function awayPose(how, { y }) {
  if (how === "grow" || how === "shrink") return { scale: 0.05, opacity: 0 };
  if (how === "drop") return { y: y - DROP, opacity: 0 };
  if (how === "sink") return { y: y + SINK, scale: 0.8, opacity: 0 };
  return { opacity: how === "fly" ? 0.6 : 0 };
}

/** @param {Pose} pose @param {DOMMatrix | null} own its transform, if the motion changes more than its place @returns {Keyframe} */
function writePose({ x, y, turn, scale, opacity }, own) {
  const shown = { translate: `${x}px ${y}px`, ...(opacity === null ? {} : { opacity }) };
  if (!own) return shown;
  const { a, b, c, d, e, f } = own;
  const around = `translate(${e}px, ${f}px) rotate(${turn}deg) scale(${scale}) translate(${-e}px, ${-f}px)`;
  return { ...shown, transform: `${around} matrix(${a}, ${b}, ${c}, ${d}, ${e}, ${f})` };
}
