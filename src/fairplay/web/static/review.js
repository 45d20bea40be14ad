// The review of a finished match: a graph that leads to its turns, and what would have been better than the turn shown.
import { $, callApi } from "./common.js";

const PAUSE = 700;      // milliseconds between two looks at how far it is
let better = [];        // in words, by moment
let plot = null;        // of the graph; null while there is none
let waiting = false;

export function offerReview(path, goTo, current) {
  $("review").onclick = async () => {
    if (waiting) return;
    waiting = true;
    try {
      showReview(await waitForReview(path));
      showReviewAt(current());
    } catch (error) {
      showWords(error.message);
    }
    waiting = false;
  };
  $("review-chart").onclick = (event) => {
    const link = event.target.closest("[data-turn]");
    if (!link && !event.target.closest(".plot")) return;
    event.preventDefault();
    goTo(link ? Number(link.dataset.turn) : turnAt(event.clientX));
  };
}

async function waitForReview(path) {
  let review = await callApi(path, {});
  for (; review.status === "running"; review = await callApi(path)) {
    showReview(review);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return review;
}

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

function showWords(words) {
  $("review-area").hidden = false;
  $("review-words").textContent = words;
}

export function showReviewAt(number) {
  if (!plot) return;
  $("better").textContent = better[number] ? `Turn ${number}: ${better[number]}` : "";
  for (const end of ["x1", "x2"]) $("review-chart").querySelector(".now").setAttribute(end, `${1 + 98 * number / Math.max(1, plot.dataset.turns)}%`);
}

function turnAt(x) {
  const box = plot.getBoundingClientRect();
  return Math.round((x - box.left) / box.width * plot.dataset.turns);
}
