// @ts-check
// A match in a frame on another page: follow it while it is played, play it back when it is over.
import { $, callApi, follow } from "../common.js";
import { capturePlaces, playMotion, replaceDrawing } from "../board/motion.js";

/** @typedef {{ number: number, words: string, picture: string, label?: string }} Moment */

/** @type {{ id: string, viewer: string, number: number, last: number, live: boolean }} */
const page = JSON.parse($("page").textContent ?? "");
const slider = /** @type {HTMLInputElement} */ ($("slider")), play = $("play"), board = $("board");
const PAUSE = 1100;            // milliseconds between turns, with time for their motion
let number = page.number, drawn = page.number, last = page.last, timer = 0;
/** @type {Map<number, Promise<Moment>>} */
const moments = new Map();

/** @param {number} wanted @returns {Promise<Moment>} */
function fetchMoment(wanted) {
  let found = moments.get(wanted);
  if (!found) {
    found = callApi(`/api/matches/${page.id}/moments/${wanted}?as=${page.viewer}`);
    found.catch(() => moments.delete(wanted));
    moments.set(wanted, found);
  }
  return found;
}

/** @param {Moment} moment */
function show(moment) {
  const before = capturePlaces(board), body = board.querySelector("[data-body]");
  replaceDrawing(body && !moment.picture.startsWith("<svg") ? body : board, moment.picture);
  playMotion(board, before, moment.number - drawn);
  drawn = moment.number;
  if (moment.label) board.querySelector("svg")?.setAttribute("aria-label", moment.label);
  $("words").textContent = moment.words;
  showNumber(moment.number);
}

/** @param {number} shown */
function showNumber(shown) {
  number = shown;
  slider.max = String(last);
  slider.value = String(shown);
  $("turn").textContent = `${shown} / ${last}`;
}

/** @param {number} wanted */
async function goTo(wanted) {
  showNumber(wanted);
  try {
    const moment = await fetchMoment(wanted);
    if (number === wanted) show(moment);
    if (wanted < last) fetchMoment(wanted + 1).catch(() => {});
  } catch (error) {
    $("words").textContent = /** @type {Error} */ (error).message;
    stop();
  }
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  play.setAttribute("aria-pressed", "false");
  play.textContent = "Play";
}

async function playOn() {
  if (number >= last) return stop();
  await goTo(number + 1);
  if (timer) timer = setTimeout(playOn, PAUSE);
}

play.onclick = async () => {
  if (timer) return stop();
  play.setAttribute("aria-pressed", "true");
  play.textContent = "Pause";
  timer = setTimeout(playOn, number < last ? 0 : PAUSE);
  if (number >= last) await goTo(0);
};

slider.oninput = () => { stop(); goTo(Number(slider.value)); };

if (page.live) {
  const path = () => `/api/matches/${page.id}/live?as=public&after=${last}`;
  follow(path, ({ moment }) => {
    if (!moment) return;
    const following = number === last;
    last = moment.number;
    if (following) show(moment);
    else showNumber(number);
  }, () => { play.hidden = false; });
}
