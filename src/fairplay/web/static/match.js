// @ts-check
// The page of a match: live moments, replay, and clicks that become moves.  It knows nothing about any game.
import { $, Unreachable, callApi, follow, showError } from "./common.js";
import { Board } from "./board/board.js";
import { enableZoom } from "./board/zoom.js";
import { describeWinners, listMarks, loadResult, showEnding, showGraphAt } from "./match/ending.js";
import { Helper } from "./match/help.js";
import { enablePointing } from "./match/pointing.js";
import { Playing } from "./match/playing.js";
import { Clock, formatMinutes, renderSeats, showEmote, takeNames } from "./match/seats.js";
import { enableSounds, playSound } from "./match/sounds.js";
import { Stepping, showMarks } from "./match/stepping.js";
import { Table } from "./match/table.js";

/** @typedef {import("./match/wire.js").Moment} Moment */
/** @typedef {import("./match/wire.js").Presence} Presence */
/** @typedef {import("./match/wire.js").MatchPage} MatchPage */

/** @type {MatchPage} */
const page = { emotes: [], may_hint: false, guided: false, abandon_after: 0, ...JSON.parse($("match").textContent) };
const path = (/** @type {string} */ rest) => `/api/matches/${page.id}${rest}`;
const board = new Board($("table"), $("board"), $("cards"), page.head);

/** @type {Map<number, Moment>} */
const moments = new Map([[page.moment.number, { ...page.moment, picture: board.picture }]]);
let last = page.last;               // the newest moment there is
let shown = page.moment.number;     // the moment on the screen
let drawn = shown;                  // the moment whose picture is on the screen
let following = page.following;     // show new moments as they come
let presence = page.presence;
let isConnected = true;
let emoteShown = page.presence.emote?.number ?? 0;
let finished = page.presence.status === "over" || page.presence.status === "cut off";

const clock = new Clock();
const zoom = enableZoom($("frame"), board.board);
const playing = new Playing(board, path("/wish"), { onPrompt: showPrompt, onLost: () => { setConnected(false); retry(); } });
const pointing = enablePointing(board, playing, { wasDragged: zoom.wasDragged, showTip });
const stepping = new Stepping(() => ({ shown, last }), goTo);
const table = new Table(page);
const helper = new Helper(page, board);
/** Once the match is reviewed. @type {typeof import("./review.js") | null} */
let review = null;
let retry = () => {};

// -- showing ----------------------------------------------------------------------------------

/** @param {number} number @param {number} [limit] milliseconds for the motion */
async function showMoment(number, limit) {
  shown = Math.max(0, Math.min(number, last));
  const wanted = shown;
  if (!moments.has(wanted)) {
    try {
      moments.set(wanted, await callApi(path(`/moments/${wanted}?as=${page.viewer}`)));
    } catch (error) {
      if (!(error instanceof Unreachable)) showError(/** @type {Error} */ (error).message);
      return;
    }
  }
  if (shown === wanted) render(/** @type {Moment} */ (moments.get(wanted)), limit);
}

/** @param {Moment} moment @param {number} [limit] */
function render(moment, limit) {
  if (drawn !== moment.number) {
    playing.stop();   // even if the same moment came again: what was marked is gone with the old drawing
    pointing.forget();
    board.draw(moment, moment.number - drawn, limit);
    drawn = moment.number;
  }
  renderState(moment);
  stepping.showNumber(moment.number);
  review?.showReviewAt(moment.number);
  showGraphAt(moment.number);
  showAddress(moment.number);
}

/** What may change without a new moment. @param {Moment} moment */
function renderState(moment) {
  const newest = moment.number === last;
  renderSeats(moment, presence, newest);
  $("root").dataset.status = presence.status;
  $("remark").textContent = presence.remark;
  $("remark").hidden = !presence.remark;
  $("words").textContent = moment.number || presence.status !== "waiting" ? moment.words : "";
  $("watchers").textContent = presence.watchers ? `${presence.watchers} ${presence.watchers === 1 ? "person is" : "people are"} watching.` : "";
  letChoose(moment);
  showPrompt();
  helper.show(moment.number, newest && isMyTurn(), isOver());
  $("abandon").hidden = isOver();
  document.title = `${newest && isMyTurn() ? "● " : ""}${document.title.replace(/^● /, "")}`;
}

function showPrompt() {
  const moment = moments.get(shown), text = moment ? promptFor(moment) : "";
  if ($("prompt").textContent !== text) $("prompt").textContent = text;
  $("root").dataset.turn = playing.sent ? "sent" : playing.selection ? "choosing" : "";
  $("root").dataset.clicks = String(playing.selection?.clicks.length ?? "");
}

/** @param {Moment} moment */
function promptFor(moment) {
  if (playing.selection) return playing.prompt;
  if (moment.number < last) return `Turn ${moment.number} of ${last}`;
  if (presence.status === "over") return describeWinners(page, presence);
  if (presence.status === "cut off") return "This match was broken off.";
  if (presence.status === "waiting") return "Waiting for everyone to arrive.";
  if (moment.to_move === null) return "";
  return moment.to_move === page.me ? "It is your turn." : `${moment.seats[moment.to_move].name} is to move.`;
}

/** What one points at, in the place of the words. @param {string} text */
function showTip(text) {
  $("tip").textContent = text.charAt(0).toUpperCase() + text.slice(1);
  $("tip").hidden = !text;
}

/** The address follows the moment once one steps about. @param {number} number */
function showAddress(number) {
  const url = new URL(location.href);
  if (following || (number === last && !url.searchParams.has("turn"))) url.searchParams.delete("turn");
  else url.searchParams.set("turn", String(number));
  if (url.href !== location.href) history.replaceState(null, "", url);
}

/** @param {number} number */
async function goTo(number) {
  following = number >= last && !isOver();
  $("words").setAttribute("aria-live", following || !stepping.timer ? "polite" : "off");
  await showMoment(number, stepping.timer ? stepping.interval * 0.9 : undefined);
}

// -- live -------------------------------------------------------------------------------------

/** @param {{ moment?: Moment, presence?: Presence }} message */
async function receive(message) {
  setConnected(true);
  if (message.presence) takePresence(message.presence);
  if (message.moment) await receiveMoment(message.moment, !message.presence);
  else if (moments.has(shown)) renderState(/** @type {Moment} */ (moments.get(shown)));
}

/** @param {Moment} moment @param {boolean} stopsClock */
async function receiveMoment(moment, stopsClock) {
  if (moment.number <= last) forgetFrom(moment.number);  // a server that crashed may have lost the last ones
  if (stopsClock) clock.set(null);
  takeNames(page, moment.seats);
  moments.set(moment.number, moment);
  last = moment.number;
  stepping.setLast(last);
  if (stepping.count < last) stepping.addTurns((await callApi(path(`?as=${page.viewer}`))).turns);
  else stepping.addTurn(moment.words, last);
  if (moment.number !== last) return;  // a newer one came meanwhile
  if (following || shown > last) showNewest(moment);
}

/** @param {Moment} moment */
function showNewest(moment) {
  const keys = board.root.querySelectorAll("[data-key]").length;
  shown = last;
  render(moment);
  if (isMyTurn()) playSound("turn");
  else playSound(board.root.querySelectorAll("[data-key]").length < keys ? "found" : "move");
}

/** @param {Presence} received */
function takePresence(received) {
  const before = presence;
  presence = received;
  clock.set(presence.status === "playing" ? presence.clock : null);
  showWaiting(presence.status === "waiting");
  table.show(presence);
  if (presence.emote && presence.emote.number > emoteShown) {
    emoteShown = presence.emote.number;
    showEmote(presence.emote.seat, page.emotes.find(({ name }) => name === presence.emote?.name)?.label ?? "");
  }
  if (isOver() && before.status === "playing") finish();
}

/** Those who wait see whom they can invite, and how. @param {boolean} isWaiting */
async function showWaiting(isWaiting) {
  $("invitations").hidden = !isWaiting || page.me === null;
  if (!isWaiting) return localStorage.removeItem(`links-${page.id}`);
  const { enableBegin, showInvitations } = await import("./match/arriving.js");
  showInvitations(page);
  enableBegin(path("/begin"));
}

/** Nothing more will be played. */
const isOver = () => presence.status === "over" || presence.status === "cut off";

/** @param {number} number */
function forgetFrom(number) {
  for (const later of [...moments.keys()]) if (later >= number) moments.delete(later);
  stepping.forgetFrom(number);
  if (drawn >= number) drawn = -1;
}

/** @param {boolean} connected */
function setConnected(connected) {
  if (connected === isConnected) return;
  isConnected = connected;
  $("root").classList.toggle("offline", !connected);
  $("connection").textContent = connected ? "" : "Connection lost. Trying again…";
  $("connection").hidden = connected;
  if (connected) showError("");
}

// Once the match is over, there are more ways to look at it, and a record to download.
async function finish() {
  if (finished) return;
  finished = true;
  playSound("end");
  const details = await callApi(path(`?as=${page.viewer}`)).catch(() => null);
  if (!["over", "cut off"].includes(details?.presence.status)) return;
  stepping.addTurns(details.turns);
  last = details.turns.length - 1;
  stepping.setLast(last);
  takePresence(details.presence);
  if (following) await showMoment(last);
  following = false;
  await showResult();
  if (presence.status !== "over") return;
  $("record").hidden = $("review").hidden = false;
  for (const option of $("viewer").options) option.disabled = !details.viewers.includes(option.value);
}

async function showResult() {
  const result = await loadResult(path("/result"));
  if (!result) return;
  await showEnding(page, result, presence, (number) => stepping.go(number));
  showMarks(listMarks(result), last, (number) => stepping.go(number));
  showGraphAt(shown);
}

// -- playing ----------------------------------------------------------------------------------

function isMyTurn() {
  return page.me !== null && moments.get(last)?.to_move === page.me && presence.status === "playing";
}

/** At the newest moment, a person who is to move may click. @param {Moment} moment */
function letChoose(moment) {
  if (moment.number !== last || !isMyTurn()) playing.stop();
  else if (!playing.selection || playing.number !== moment.number) moment.clicks ? playing.start(moment) : askForClicks(moment);
}

/** What can be clicked did not come with the moment, as after a while away. @param {Moment} moment */
async function askForClicks(moment) {
  if (askedFor === moment.number) return;
  askedFor = moment.number;
  const { clicks } = await callApi(path(`/moments/${moment.number}?as=${page.viewer}`)).catch(() => ({ clicks: null }));
  if (!clicks) return;
  moment.clicks = clicks;
  if (shown === moment.number) renderState(moment);
}
let askedFor = -1;

// -- the page ---------------------------------------------------------------------------------

$("viewer").onchange = () => { location.search = `?as=${$("viewer").value}${following ? "" : `&turn=${shown}`}`; };
$("full").onclick = () => document.fullscreenElement ? document.exitFullscreen() : $("root").requestFullscreen();
$("zoom-in").onclick = zoom.zoomIn;
$("zoom-out").onclick = zoom.zoomOut;
$("review").onclick = async () => {
  review ??= await import("./review.js");
  review.askForReview(path("/review"), (/** @type {number} */ number) => stepping.go(number), () => shown);
};
$("share-button").onclick = async () => {
  const { openShare } = await import("./share.js");
  openShare(page.id, shown);
};

document.addEventListener("keydown", (event) => {
  const element = /** @type {HTMLElement} */ (event.target), typing = element.matches("input:not([type=range]), select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const button = element.closest("button, [role=button], a, summary");
  if (event.key === "Escape" ? !playing.restart() : !pressKey(event.key, Boolean(button))) return;
  event.preventDefault();
});

/** @param {string} key @param {boolean} onButton */
function pressKey(key, onButton) {
  if (key === "+") zoom.zoomIn();
  else if (key === "-") zoom.zoomOut();
  else return stepping.pressKey(key, onButton);
  return true;
}

async function arrive() {
  enableSounds();
  if (page.me !== null && page.abandon_after) $("abandon").textContent = `A game that everyone has left ends after ${formatMinutes(page.abandon_after)}.`;
  const key = new URLSearchParams(location.hash.slice(1)).get("key");   // in the part of an address that no server is told
  if (key) await (await import("./match/arriving.js")).acceptInvitation(page, key);
  takePresence(presence);
  board.showCards(page.moment.cards);
  render(/** @type {Moment} */ (moments.get(shown)));
  if (finished) await showResult().finally(() => $("root").classList.remove("settling"));
  if (!finished || page.me !== null) retry = follow(() => path(`/live?as=${page.viewer}&after=${last}`), receive, endConnection, setConnected);
}

/** The server has no more to say. */
async function endConnection() {
  setConnected(true);
  await finish();
}

arrive();
