// @ts-check
// What moves, appears and disappears between two drawings, when, and through which points.  There is no page here.

/** @typedef {{ x: number, y: number }} Point */

/**
 * An element with a key: where the origin of its coordinates lies in units of the drawing, its angle in degrees, the
 * key of the element that it is part of, and what the drawing says about its motion (see core/shown.py).
 * @typedef {{ key: string, x: number, y: number, angle: number, parent: string, path: Point[], ride: Point | null,
 *   jump: boolean, enter: string, leave: string, step: number, order: number }} Keyed
 */

/** @typedef {{ dx: number, dy: number, turn: number }} Place */

/**
 * Where it is at a time, seen from where it comes to rest; `glides`: on to the next frame, and comes to rest there;
 * `opacity`: of what fades on its way.
 * @typedef {Place & { at: number, glides?: boolean, opacity?: number }} Frame
 */

/**
 * `how` is what `data-enter` or `data-leave` says, without a key; `lead` are the frames of the step before its own.
 * @typedef {{ kind: "move" | "enter" | "leave", key: string, how: string, step: number, start: number, end: number,
 *   lead: Frame[], frames: Frame[] }} Motion
 */

/** @typedef {Map<string, Keyed>} Places */

export const GLIDE = 250;         // milliseconds that a glide takes
export const LONGEST_WALK = 600;
const STRIDE = 90;                // milliseconds for each further point of a path
const STAGGER = 70;               // between elements that appear one after the other
const LONGEST_STAGGER = 560;      // until the last of them begins
const STILL = 0.01;               // units of the drawing that do not count as motion

/**
 * The motions that lead from one drawing to the next.
 * @param {Places} before @param {Places} after
 * @returns {Motion[]}
 */
export function planMotion(before, after) {
  /** @type {Motion[]} */
  const motions = [];
  for (const now of after.values()) {
    const then = before.get(now.key);
    const motion = then ? planMove(then, now, before, after) : planEntry(now, before, after);
    if (motion) motions.push(motion);
  }
  for (const then of before.values()) {
    const motion = after.has(then.key) ? null : planExit(then, before, after);
    if (motion) motions.push(motion);
  }
  return scheduleSteps(staggerEntries(motions, after));
}

/**
 * The motions that lead back: those that lead there, played from the end.
 * @param {Places} before @param {Places} after
 * @returns {Motion[]}
 */
export function planReturn(before, after) {
  const motions = planMotion(after, before);
  const total = totalTime(motions);
  return motions.map((motion) => mirrorMotion(motion, total));
}

/**
 * The motions of a jump over several moments: everything glides at once.
 * @param {Places} before @param {Places} after
 * @returns {Motion[]}
 */
export function planJump(before, after) {
  const plain = (/** @type {Places} */ places) =>
    new Map([...places].map(([key, keyed]) => [key, { ...keyed, path: [], ride: null, jump: false, step: 0, order: 0, enter: keyed.enter && "fade", leave: keyed.leave && "fade" }]));
  return planMotion(plain(before), plain(after));
}

/** When the last motion ends. @param {Motion[]} motions */
export const totalTime = (motions) => Math.max(0, ...motions.map(({ end }) => end));

/**
 * The same motions within `limit` milliseconds.
 * @param {Motion[]} motions @param {number} limit
 * @returns {Motion[]}
 */
export function shortenMotions(motions, limit) {
  const ratio = Math.min(1, limit / Math.max(1, totalTime(motions)));
  return motions.map((motion) => ({
    ...motion,
    start: motion.start * ratio,
    end: motion.end * ratio,
    frames: motion.frames.map((frame) => ({ ...frame, at: frame.at * ratio })),
  }));
}

/** @type {Place} */
const REST = { dx: 0, dy: 0, turn: 0 };

/**
 * @param {Keyed} then @param {Keyed} now @param {Places} before @param {Places} after
 * @returns {Motion | null}
 */
function planMove(then, now, before, after) {
  const carried = sharedShift(then, now, before, after);
  const first = { dx: then.x - now.x - carried.x, dy: then.y - now.y - carried.y, turn: turnBetween(then.angle, now.angle) };
  if (isStill(first) && !now.path.length) return null;
  const seen = (/** @type {Point} */ { x, y }) => ({ dx: x - now.x, dy: y - now.y, turn: 0 });
  const begin = now.ride ? seen(now.ride) : first;
  const goThere = now.jump ? fadeOver : spread;
  const lead = isStill(minus(first, begin)) ? [] : goThere([first, begin]);
  const way = [begin, ...now.path.map(seen), REST];
  const motion = newMotion("move", now.key, "", now.step, now.ride ? spread(way) : goThere(way));
  return { ...motion, lead };
}

/** Fade where it was, and appear where it comes to rest. @param {Place[]} places @returns {Frame[]} */
function fadeOver(places) {
  const [first, last] = [places[0], places[places.length - 1]];
  return [
    { ...first, at: 0, opacity: 1 },
    { ...first, at: GLIDE / 2, opacity: 0 },
    { ...last, at: GLIDE / 2, opacity: 0 },
    { ...last, at: GLIDE, opacity: 1 },
  ];
}

/** How far the element that both are part of has moved: they move with it. @param {Keyed} then @param {Keyed} now @param {Places} before @param {Places} after */
function sharedShift(then, now, before, after) {
  const from = before.get(then.parent), to = after.get(now.parent);
  return from && to && then.parent === now.parent ? { x: from.x - to.x, y: from.y - to.y } : { x: 0, y: 0 };
}

/**
 * @param {Keyed} now @param {Places} before @param {Places} after
 * @returns {Motion | null}
 */
function planEntry(now, before, after) {
  if (!now.enter) return null;
  const source = splitHow(now.enter, "from");
  const origin = source && (before.get(source) || after.get(source));
  if (!origin) return newMotion("enter", now.key, source ? "fade" : now.enter, now.step, restFrames());
  return newMotion("enter", now.key, "fly", now.step, spread([{ dx: origin.x - now.x, dy: origin.y - now.y, turn: 0 }, REST]));
}

/**
 * @param {Keyed} then @param {Places} before @param {Places} after
 * @returns {Motion | null}
 */
function planExit(then, before, after) {
  if (!then.leave) return null;
  const target = splitHow(then.leave, "to");
  const goal = target && (after.get(target) || before.get(target));
  if (!goal) return newMotion("leave", then.key, target ? "fade" : then.leave, then.step, restFrames());
  return newMotion("leave", then.key, "fly", then.step, spread([REST, { dx: goal.x - then.x, dy: goal.y - then.y, turn: 0 }]));
}

/** The key in "from KEY". @param {string} how @param {string} word */
const splitHow = (how, word) => (how.startsWith(`${word} `) ? how.slice(word.length + 1) : "");

/**
 * @param {Motion["kind"]} kind @param {string} key @param {string} how @param {number} step @param {Frame[]} frames
 * @returns {Motion}
 */
function newMotion(kind, key, how, step, frames) {
  return { kind, key, how, step, start: 0, end: frames[frames.length - 1].at, lead: [], frames };
}

/** An element that stays where it is. @returns {Frame[]} */
const restFrames = () => [0, GLIDE].map((at) => ({ at, ...REST, glides: true }));

/**
 * Give places their times, in proportion to the way between them.
 * @param {Place[]} places
 * @returns {Frame[]}
 */
function spread(places) {
  const ways = places.map((place, number) => (number ? Math.hypot(place.dx - places[number - 1].dx, place.dy - places[number - 1].dy) : 0));
  const whole = ways.reduce((sum, way) => sum + way, 0) || 1;
  const duration = Math.min(LONGEST_WALK, GLIDE + STRIDE * (places.length - 2));
  let gone = 0;
  return places.map((place, number) => {
    gone += ways[number];
    return { ...place, at: number === places.length - 1 ? duration : (duration * gone) / whole, glides: places.length === 2 };
  });
}

/**
 * Elements that appear in an order begin one after the other.
 * @param {Motion[]} motions @param {Places} after
 * @returns {Motion[]}
 */
function staggerEntries(motions, after) {
  const entries = motions.filter(({ kind }) => kind === "enter");
  const orderOf = (/** @type {Motion} */ motion) => after.get(motion.key)?.order ?? 0;
  const orders = [...new Set(entries.map(orderOf))].sort((one, other) => one - other);
  const pause = Math.min(STAGGER, LONGEST_STAGGER / Math.max(1, orders.length - 1));
  return motions.map((motion) => (motion.kind === "enter" ? shiftMotion(motion, pause * orders.indexOf(orderOf(motion))) : motion));
}

/**
 * Each step begins when the one before has come to rest.
 * @param {Motion[]} motions
 * @returns {Motion[]}
 */
function scheduleSteps(motions) {
  /** @type {Map<number, number>} */
  const lengths = new Map();
  const note = (/** @type {number} */ step, /** @type {number} */ length) => lengths.set(step, Math.max(length, lengths.get(step) ?? 0));
  for (const { step, end, lead } of motions) {
    note(step, end);
    if (lead.length) note(step - 1, lead[lead.length - 1].at);
  }
  /** @type {Map<number, number>} */
  const begins = new Map();
  let begin = 0;
  for (const [step, length] of [...lengths].sort(([one], [other]) => one - other)) {
    begins.set(step, begin);
    begin += length;
  }
  return motions.map((motion) => followLead(shiftMotion(motion, begins.get(motion.step) ?? 0), begins.get(motion.step - 1) ?? 0));
}

/**
 * Something may be carried in the step before its own, as a pawn is by a row that is slid.
 * @param {Motion} motion @param {number} begin of the step before
 * @returns {Motion}
 */
function followLead(motion, begin) {
  if (!motion.lead.length) return motion;
  const frames = [...motion.lead.map((frame) => ({ ...frame, at: frame.at + begin })), ...motion.frames];
  return { ...motion, start: begin, lead: [], frames };
}

/** @param {Motion} motion @param {number} delay @returns {Motion} */
function shiftMotion(motion, delay) {
  const frames = motion.frames.map((frame) => ({ ...frame, at: frame.at + delay }));
  return { ...motion, start: motion.start + delay, end: motion.end + delay, frames };
}

/**
 * The motion played from its end to its start; a move comes to rest where it began.
 * @param {Motion} motion @param {number} total
 * @returns {Motion}
 */
function mirrorMotion(motion, total) {
  const kind = motion.kind === "enter" ? "leave" : motion.kind === "leave" ? "enter" : "move";
  const shift = kind === "move" ? motion.frames[0] : REST;
  const frames = motion.frames
    .map((frame, number, all) => ({ ...frame, ...minus(frame, shift), at: total - frame.at, glides: all[number - 1]?.glides }))
    .reverse();
  return { ...motion, kind, start: total - motion.end, end: total - motion.start, frames };
}

/** The shorter way from one angle to another, in degrees. @param {number} from @param {number} to */
function turnBetween(from, to) {
  const turn = (((from - to) % 360) + 360) % 360;
  return turn > 180 ? turn - 360 : turn;
}

/** @param {Place} place @param {Place} other @returns {Place} */
const minus = (place, other) => ({ dx: place.dx - other.dx, dy: place.dy - other.dy, turn: place.turn - other.turn });

/** @param {Place} place */
const isStill = ({ dx, dy, turn }) => Math.abs(dx) < STILL && Math.abs(dy) < STILL && Math.abs(turn) < STILL;
