// @ts-check
// The end of a match: places, scores and where they come from, how it went, and what to do next.
import { $, callApi } from "../common.js";

/** @typedef {import("./wire.js").MatchPage} MatchPage */
/** @typedef {import("./wire.js").MatchResult} MatchResult */
/** @typedef {import("./wire.js").SeatResult} SeatResult */
/** @typedef {import("./wire.js").Presence} Presence */

/** @type {((number: number) => void) | null} */
let showNow = null;

/** Ask how the match ended; null: it is not said, or not yet. @param {string} path @returns {Promise<MatchResult | null>} */
export const loadResult = (path) => callApi(path).catch(() => null);

/** @param {MatchPage} page @param {MatchResult} result @param {Presence} presence @param {(number: number) => void} goTo */
export async function showEnding(page, result, presence, goTo) {
  $("ending-title").textContent = describeEnd(page, result, presence);
  const isCutOff = presence.status === "cut off";
  const isPlayedOut = !isCutOff && result.seats.filter(({ removed }) => !removed).length > 1;
  $("ending-words").textContent = isCutOff ? result.ending : isPlayedOut ? `How it ended: ${result.ending}.` : "";
  const rows = isCutOff ? [] : [...result.seats].sort((one, other) => (one.place ?? 99) - (other.place ?? 99));
  $("scores").replaceChildren(...rows.map((row) => buildRow(page, result, row)));
  await showGraph(page, result, goTo).catch(() => {});   // nothing else depends on it
  $("ending").hidden = false;
}

/** Who won, for the person who looks. @param {MatchPage} page @param {MatchResult} result @param {Presence} presence */
export function describeEnd(page, result, presence) {
  if (presence.status === "cut off") return "Broken off";
  const own = page.me === null ? "" : `${page.players[page.me].name} won`;
  const isMine = presence.winners.length === 1 && presence.winners[0] === page.me && result.margin_words.startsWith(own);
  return isMine ? `You won${result.margin_words.slice(own.length)}` : result.margin_words || describeWinners(page, presence);
}

/** @param {Pick<MatchPage, "me" | "players">} page @param {Presence} presence */
export function describeWinners({ me, players }, { winners }) {
  const names = winners.map((seat) => (seat === me ? "You" : players[seat].name));
  return names.length ? `${names.join(" and ")} won.` : "Nobody won.";
}

/** @param {MatchPage} page @param {MatchResult} result @param {SeatResult} row */
function buildRow(page, result, { seat, name, place, score, lines, removed }) {
  const row = make("li", "result"), player = page.players[seat];
  const token = make("span", "token");
  token.innerHTML = player.token;
  const who = make("span", "who", name);
  if (seat === page.me) who.append(make("span", "you", " (you)"));
  if (isDrawable(result)) who.append(" ", drawSample(player));
  row.append(make("span", "place", place === null || removed ? "–" : `${place}.`), token, who, make("b", "score", removed ? "out" : score === null ? "–" : formatPoints(score)));
  const list = make("ul", "lines");
  for (const [label, points] of lines) {
    const line = make("li", "", label);
    line.append(make("span", "", `${points > 0 ? "+" : ""}${formatPoints(points)}`));
    list.append(line);
  }
  if (removed) list.append(make("li", "", removed));
  if (list.children.length) row.append(list);
  if (score !== null) row.title = `${score} ${result.unit}`;
  return row;
}

/** @param {number} points */
const formatPoints = (points) => `${points < 0 ? "−" : ""}${Math.abs(points)}`;

/** Whether there are points to draw over the turns. @param {MatchResult} result */
const isDrawable = ({ progress }) => progress.length > 0 && progress[0].length > 2;

/** How the line of a player looks in the graph. @param {import("./wire.js").Player} player */
function drawSample({ line }) {
  const sample = make("span", "sample");
  sample.innerHTML = `<svg class="graph" viewBox="0 0 24 6" aria-hidden="true"><path d="M0 3H24" stroke="${line.color}" stroke-dasharray="${line.dashes || "none"}"/></svg>`;
  return sample;
}

/** @param {MatchPage} page @param {MatchResult} result @param {(number: number) => void} goTo */
async function showGraph(page, result, goTo) {
  if (!isDrawable(result)) return;
  const { drawGraph } = await import("./graph.js");
  const draw = (/** @type {string} */ place, /** @type {number[]} */ turningPoints) => {
    const graph = drawGraph(result.progress, turningPoints, page.players, result.unit, goTo);
    $(place).replaceChildren(graph.element);
    return graph.showNow;
  };
  const graphs = [draw("progress", result.turning_points), draw("course", [])];
  showNow = (number) => { for (const show of graphs) show(number); };
}

/** What is marked below the slider. @param {Pick<MatchResult, "turning_points" | "removals" | "last_round">} result @returns {import("./stepping.js").Mark[]} */
export function listMarks({ turning_points, removals, last_round }) {
  return [
    ...(last_round === null ? [] : [{ number: last_round, kind: "last-round", label: `Last round: from turn ${last_round}` }]),
    ...turning_points.map((number) => ({ number, kind: "turning", label: `Turning point: turn ${number}` })),
    ...removals.map((number) => ({ number, kind: "removal", label: `A player is out: turn ${number}` })),
  ];
}

/** @param {number} number of the moment that is shown */
export const showGraphAt = (number) => showNow?.(number);

/** @param {string} tag @param {string} name @param {string} [text] */
function make(tag, name, text = "") {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.textContent = text;
  return element;
}
