// @ts-check
// The home page: a board that moves, of a running match or of a demonstration, and who waits in the lobby.
import { callApi, follow } from "./common.js";
import { capturePlaces, playMotion, replaceDrawing } from "./board/motion.js";

const PACE = 1600;             // milliseconds between the moves of a demonstration
const REST = 4000;             // at its end

/** @typedef {{ number: number, last: number, words: string, head: string, picture: string }} Shown */

/** @param {string} id @returns {HTMLElement} */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const scene = find("scene"), board = find("scene-board"), button = find("scene-pause");
let paused = matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {{ picture: string, words: string, head?: string }} moment @param {boolean} isOther whether it is another match */
function draw({ picture, words, head = "" }, isOther = false) {
  const before = capturePlaces(board), body = board.querySelector("[data-body]");
  if (isOther && head) board.innerHTML = `${head}<g data-body>${picture}</g></svg>`;
  else if (body && !isOther) replaceDrawing(body, picture);
  else board.innerHTML = picture;
  if (!isOther) playMotion(board, before, 1);
  find("scene-words").textContent = words;
}

function showPause() {
  button.setAttribute("aria-pressed", String(paused));
  button.setAttribute("aria-label", paused ? "Let the board move" : "Stop the board");
}
button.hidden = false;
button.onclick = () => { paused = !paused; showPause(); };
showPause();

// -- a demonstration ----------------------------------------------------------------------------

/** @param {string[]} games */
function playDemo(games) {
  let game = 0, number = Number(scene.dataset.number), last = Infinity;
  const step = async () => {
    if (paused || document.hidden) return setTimeout(step, PACE);
    const isOther = number >= last;
    if (isOther) [game, number] = [(game + 1) % games.length, -1];
    /** @type {Shown | null} */
    const moment = await callApi(`/api/games/${games[game]}/demo/${number + 1}`).catch(() => null);
    if (moment) {
      ({ number, last } = moment);
      draw(moment, isOther);
    }
    return setTimeout(step, number >= last ? REST : PACE);
  };
  setTimeout(step, PACE);
}

// -- a running match ----------------------------------------------------------------------------

/** @param {string} id */
function watchMatch(id) {
  let number = Number(scene.dataset.number);
  const path = () => `/api/matches/${id}/live?as=public&after=${number}`;
  follow(path, ({ moment }) => {
    if (!moment || moment.number <= number) return;
    number = moment.number;
    if (!paused) draw(moment);
  }, () => { find("scene-kind").textContent = "Just finished"; });
}

// -- the lobby ----------------------------------------------------------------------------------

async function showMeeting() {
  const lobby = await callApi("/api/lobby").catch(() => null);
  if (!lobby) return;
  const waiting = Object.values(lobby.waiting).reduce((sum, count) => sum + count, 0);
  const games = Object.keys(lobby.waiting).map((game) => game.charAt(0).toUpperCase() + game.slice(1));
  const who = waiting === 1 ? "someone is" : `${waiting} people are`;
  const text = waiting ? `Right now ${who} waiting to play ${games.join(" or ")}.` : "";
  find("meeting").textContent = text;
  find("meeting").hidden = !text;
}

if (scene.dataset.id) watchMatch(scene.dataset.id);
else playDemo((scene.dataset.games ?? "").split(" "));
showMeeting();
