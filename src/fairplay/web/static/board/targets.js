// @ts-check
// Which of several targets is meant: the nearest to a finger, or the next one in the direction of an arrow key.

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {{ x: number, y: number }} Point */
/** The box around a target, and points along its lines; none: it fills its box. @typedef {{ box: Box, outline: Point[] }} Shape */

export const REACH = 30;       // pixels from a finger within which the nearest target is taken
const LARGE = 44;              // pixels; a target that is smaller is shown before it counts
const MARGIN = 12;             // pixels around a finger in which there must be one target alone for it to count

/** @type {Record<string, Point>} */
const DIRECTIONS = { ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 } };

/** @param {Box} box @returns {Point} */
export const middleOf = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

/** @param {Box} box */
const isLarge = ({ width, height }) => Math.min(width, height) >= LARGE;

/** How far a point is from a box; 0: inside. @param {Box} box @param {Point} point */
export function distanceTo({ x, y, width, height }, point) {
  const beside = Math.max(x - point.x, 0, point.x - x - width), above = Math.max(y - point.y, 0, point.y - y - height);
  return Math.hypot(beside, above);
}

/** How far a point is from what is drawn. @param {Shape} shape @param {Point} point */
export const distanceToShape = ({ box, outline }, point) =>
  outline.length ? Math.min(...outline.map(({ x, y }) => Math.hypot(x - point.x, y - point.y))) : distanceTo(box, point);

/** The number of the shape nearest to a point; -1 if none is within `reach`. @param {Shape[]} shapes @param {Point} point @param {number} reach */
export function nearestShape(shapes, point, reach) {
  const distances = shapes.map((shape) => distanceToShape(shape, point)), least = Math.min(...distances);
  return least < reach ? distances.indexOf(least) : -1;
}

/**
 * Is it plain that a finger means this shape: a large one, and no other near?
 * @param {Shape[]} shapes @param {number} number @param {Point} point @param {boolean} isHit whether the finger is on it
 */
export function isPlain(shapes, number, point, isHit) {
  const isNear = (/** @type {Shape} */ shape) => distanceToShape(shape, point) <= MARGIN;
  const isAlone = !shapes.some((shape, other) => other !== number && isNear(shape));
  return isLarge(shapes[number].box) && isAlone && (isHit || isNear(shapes[number]));
}

/**
 * The number of the box nearest to a point, by its edge and then by its middle; -1 if none is within `reach`.
 * @param {Box[]} boxes @param {Point} point @param {number} [reach]
 */
export function nearestBox(boxes, point, reach = Infinity) {
  let best = -1, least = [reach, Infinity];
  boxes.forEach((box, number) => {
    const middle = middleOf(box);
    const far = [distanceTo(box, point), Math.hypot(middle.x - point.x, middle.y - point.y)];
    if (far[0] < least[0] || (far[0] === least[0] && far[1] < least[1])) [best, least] = [number, far];
  });
  return best;
}

/**
 * The number of the box that an arrow key leads to from the box `from`; -1 if there is none.
 * @param {Box[]} boxes @param {number} from @param {string} key
 */
export function boxTowards(boxes, from, key) {
  const direction = DIRECTIONS[key], start = middleOf(boxes[from]);
  if (!direction) return -1;
  let best = -1, least = Infinity;
  boxes.forEach((box, number) => {
    const { x, y } = middleOf(box), dx = x - start.x, dy = y - start.y;
    const along = dx * direction.x + dy * direction.y, across = Math.abs(dx * direction.y) + Math.abs(dy * direction.x);
    if (number === from || along < 1 || across > 3 * along) return;
    const cost = along + 2 * across;
    if (cost < least) [best, least] = [number, cost];
  });
  return best;
}
