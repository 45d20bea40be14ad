// @ts-check
// Enlarging the board with two fingers, the wheel or buttons, and moving it about; nothing else of the page changes.

/** `scale` and where the top left corner of the board lies, in pixels. @typedef {{ scale: number, x: number, y: number }} View */
/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ width: number, height: number }} Size */

export const LARGEST = 6;
/** @type {View} */
export const WHOLE = { scale: 1, x: 0, y: 0 };
const STEP = 1.5;              // of the buttons
const SLOP = 6;                // pixels that a pointer may move and still click
const DOUBLE = 300;            // milliseconds between the taps of a double tap

/** Keep the board within its frame. @param {View} view @param {Size} size @returns {View} */
export function limitView({ scale, x, y }, { width, height }) {
  const limited = Math.min(LARGEST, Math.max(1, scale));
  const within = (/** @type {number} */ value, /** @type {number} */ extent) => Math.min(0, Math.max(extent * (1 - limited), value));
  return { scale: limited, x: within(x, width), y: within(y, height) };
}

/** Enlarge around a point of the frame, which stays where it is. @param {View} view @param {number} ratio @param {Point} at @param {Size} size @returns {View} */
export function zoomAt(view, ratio, at, size) {
  const scale = Math.min(LARGEST, Math.max(1, view.scale * ratio)), real = scale / view.scale;
  return limitView({ scale, x: at.x - (at.x - view.x) * real, y: at.y - (at.y - view.y) * real }, size);
}

/** What two fingers do that were at `before` and are at `after`. @param {View} view @param {Point[]} before @param {Point[]} after @param {Size} size @returns {View} */
export function pinchView(view, before, after, size) {
  const [from, to] = [middle(before), middle(after)];
  const ratio = spread(after) / Math.max(1, spread(before));
  const moved = { ...view, x: view.x + to.x - from.x, y: view.y + to.y - from.y };
  return zoomAt(moved, ratio, to, size);
}

/** @param {Point[]} points */
const middle = ([one, other]) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
/** @param {Point[]} points */
const spread = ([one, other]) => Math.hypot(one.x - other.x, one.y - other.y);

/**
 * Let the drawing within a frame be enlarged and moved.
 * @param {HTMLElement} frame @param {HTMLElement} board
 * @returns {{ zoomIn: () => void, zoomOut: () => void, wasDragged: () => boolean }}
 */
export function enableZoom(frame, board) {
  /** @type {View} */
  let view = WHOLE;
  /** @type {Map<number, Point>} */
  const pointers = new Map();
  let travelled = 0, lastTap = 0;

  const size = () => ({ width: frame.clientWidth, height: frame.clientHeight });
  const place = (/** @type {{ clientX: number, clientY: number }} */ event) => {
    const box = frame.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const show = (/** @type {View} */ next) => {
    view = next;
    board.style.transform = view.scale === 1 ? "" : `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    frame.classList.toggle("zoomed", view.scale > 1);
  };
  const zoomBy = (/** @type {number} */ ratio) => {
    const { width, height } = size();
    show(zoomAt(view, ratio, { x: width / 2, y: height / 2 }, size()));
  };

  frame.addEventListener("pointerdown", (event) => {
    if (!pointers.size) travelled = 0;
    pointers.set(event.pointerId, place(event));
  });
  frame.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = place(event), others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (others.length) show(pinchView(view, [before, others[0]], [now, others[0]], size()));
    else if (view.scale > 1 && travelled > SLOP) show(limitView({ ...view, x: view.x + now.x - before.x, y: view.y + now.y - before.y }, size()));
    if (view.scale > 1 && travelled > SLOP && !frame.hasPointerCapture(event.pointerId)) frame.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, now);
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
    frame.addEventListener(name, (event) => {
      pointers.delete(event.pointerId);
      if (name === "pointerup" && event.pointerType === "touch" && travelled <= SLOP) noticeTap(event);
    });
  const noticeTap = (/** @type {PointerEvent} */ { target, timeStamp }) => {
    const onTarget = target instanceof Element && target.closest("[data-choice]");
    if (timeStamp - lastTap < DOUBLE && !onTarget) show(WHOLE);
    lastTap = onTarget ? 0 : timeStamp;
  };
  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    show(zoomAt(view, Math.exp(-event.deltaY / 200), place(event), size()));
  }, { passive: false });
  new ResizeObserver(() => show(limitView(view, size()))).observe(frame);
  return { zoomIn: () => zoomBy(STEP), zoomOut: () => zoomBy(1 / STEP), wasDragged: () => travelled > SLOP };
}
