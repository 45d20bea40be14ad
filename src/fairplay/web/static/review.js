// @ts-check
// The review of a finished match: a graph that leads to its turns, and what would have been better than the turn shown.
import { $, callApi } from "./common.js";

/** @typedef {{ status: "running" | "finished" | "failed", by: string, words: string, chart: string, better: string[] }} Review */
/** @typedef {(number: number) => void} GoTo */

const PAUSE = 700;      // milliseconds between two looks at how far it is
/** In words, by moment. @type {string[]} */
let better = [];
/** The part of the graph with its lines; null while there is none. @type {HTMLElement | null} */
let plot = null;
let waiting = false;

/** @param {string} path @param {GoTo} goTo @param {() => number} current the moment that is shown */
export async function askForReview(path, goTo, current) {
  if (waiting) return;
  waiting = true;
  letGraphLead(goTo);
  try {
    showReview(await waitForReview(path));
    showReviewAt(current());
  } catch (error) {
    showWords(/** @type {Error} */ (error).message);
  }
  waiting = false;
}

/** @param {GoTo} goTo */
function letGraphLead(goTo) {
  $("review-chart").onclick = (/** @type {MouseEvent} */ event) => {
    const target = /** @type {Element} */ (event.target), link = /** @type {HTMLElement | null} */ (target.closest("[data-turn]"));
    if (!link && !target.closest(".plot")) return;
    event.preventDefault();
    goTo(link ? Number(link.dataset.turn) : turnAt(event.clientX));
  };
}

/** @param {string} path @returns {Promise<Review>} */
async function waitForReview(path) {
  let review = await callApi(path, {});
  for (; review.status === "running"; review = await callApi(path)) {
    showReview(review);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return review;
}

/** @param {Review} review */
function showReview(review) {
  showWords(review.words);
  if (review.status !== "finished") return;
  better = review.better;
  $("review-chart").innerHTML = review.chart;
  plot = $("review-chart").querySelector(".plot");
  $("review-by").textContent = `This is what ${review.by} thinks: how much of the win each player could expect.`;
  if (document.activeElement === $("review")) $("review-title").focus({ preventScroll: true });
  $("review").hidden = true;
}

/** @param {string} words */
function showWords(words) {
  $("review-area").hidden = false;
  $("review-words").textContent = words;
}

/** @param {number} number of the moment that is shown */
export function showReviewAt(number) {
  if (!plot) return;
  $("better").textContent = better[number] ? `Turn ${number}: ${better[number]}` : "";
  for (const end of ["x1", "x2"]) $("review-chart").querySelector(".now").setAttribute(end, `${1 + 98 * number / Math.max(1, countTurns(plot))}%`);
}

/** @param {HTMLElement} graph */
const countTurns = (graph) => Number(graph.dataset.turns);

/** @param {number} x of a pointer in the window */
function turnAt(x) {
  if (!plot) return 0;
  const box = plot.getBoundingClientRect();
  return Math.round((x - box.left) / box.width * countTurns(plot));
}
