// @ts-check
// How a match went: the points of every seat over its turns, as lines.

/** @typedef {import("./wire.js").Player} Player */

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 300, HEIGHT = 90, EDGE = 4;

/**
 * Where the lines run, in units of the drawing.
 * @param {number[][]} progress the points by moment, by seat
 * @returns {{ x: (number: number) => number, y: (points: number) => number, lines: string[] }}
 */
export function planLines(progress) {
  const last = Math.max(1, ...progress.map((points) => points.length - 1));
  const all = progress.flat(), low = Math.min(0, ...all), high = Math.max(low + 1, ...all);
  const x = (/** @type {number} */ number) => EDGE + ((WIDTH - 2 * EDGE) * number) / last;
  const y = (/** @type {number} */ points) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (points - low)) / (high - low);
  const round = (/** @type {number} */ value) => Math.round(10 * value) / 10;
  const lines = progress.map((points) => points.map((each, number) => `${number ? "L" : "M"}${round(x(number))} ${round(y(each))}`).join(""));
  return { x, y, lines };
}

/**
 * @param {number[][]} progress @param {number[]} turningPoints @param {Player[]} players @param {string} unit
 * @param {(number: number) => void} goTo
 * @returns {{ element: SVGSVGElement, showNow: (number: number) => void }}
 */
export function drawGraph(progress, turningPoints, players, unit, goTo) {
  const { x, y, lines } = planLines(progress);
  const last = Math.max(1, ...progress.map((points) => points.length - 1));
  const ends = progress.map((points, seat) => `${players[seat].name} ${points.at(-1)}`).join(", ");
  const svg = /** @type {SVGSVGElement} */ (make("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "group", "aria-label": `The ${unit} over the turns: ${ends}` }));
  svg.append(make("line", { class: "zero", x1: EDGE, x2: WIDTH - EDGE, y1: y(0), y2: y(0) }));
  lines.forEach((line, seat) => svg.append(drawLine(players[seat], line)));
  const now = make("line", { class: "now", y1: 0, y2: HEIGHT });
  svg.append(now);
  for (const number of turningPoints) svg.append(drawTurningPoint(number, x(number), goTo));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect(), place = (event.clientX - box.left) / box.width;
    goTo(Math.round(Math.min(1, Math.max(0, place)) * last));
  });
  return { element: svg, showNow: (number) => { for (const end of ["x1", "x2"]) now.setAttribute(end, String(x(number))); } };
}

/** The line of a player, in the colour of its pieces. @param {Player} player @param {string} d */
const drawLine = ({ line }, d) => make("path", { d, stroke: line.color, "stroke-dasharray": line.dashes || "none" });

/** @param {number} number @param {number} x @param {(number: number) => void} goTo */
function drawTurningPoint(number, x, goTo) {
  const mark = make("g", { class: "turning-point", tabindex: 0, role: "button", "aria-label": `Turning point: turn ${number}` });
  mark.append(make("rect", { x: x - 6, y: 0, width: 12, height: HEIGHT }), make("path", { d: `M${x} ${HEIGHT - 10}l5 9h-10z` }));
  const go = (/** @type {Event} */ event) => {
    event.stopPropagation();
    goTo(number);
  };
  mark.addEventListener("click", go);
  mark.addEventListener("keydown", (event) => {
    if (/** @type {KeyboardEvent} */ (event).key === "Enter") go(event);
  });
  return mark;
}

/** @param {string} tag @param {Record<string, string | number>} attributes */
function make(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
