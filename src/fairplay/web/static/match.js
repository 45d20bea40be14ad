// The page of a match: live moments, replay, and clicks that become moves.  It knows nothing about any game.
import { $, callApi, follow, showError } from "./common.js";
import { offerReview, showReviewAt } from "./review.js";

const page = JSON.parse($("match").textContent);
const board = $("board");
const moments = new Map([[page.moment.number, { ...page.moment, picture: board.innerHTML }]]);

let last = page.last;               // the newest moment there is
let shown = page.moment.number;     // the moment on the screen
let following = page.following;     // show new moments as they come
let presence = page.presence;
let clockEnd = null;                // when the time of the person who is to move is up
let selection = null;               // what may be clicked: { number, clicks, choices }
let timer = null;                   // replays the match

const path = (rest) => `/api/matches/${page.id}${rest}`;

// -- showing ----------------------------------------------------------------------------------

async function showMoment(number) {
  shown = Math.max(0, Math.min(number, last));
  const wanted = shown;
  if (!moments.has(wanted)) moments.set(wanted, await callApi(path(`/moments/${wanted}?as=${page.viewer}`)));
  if (shown === wanted) render(moments.get(wanted));
}

function render(moment) {
  if (selection && selection.number !== moment.number) selection = null;
  if (!selection) drawPicture(moment.picture);
  renderState(moment);
  $("number").textContent = $("scrub").value = moment.number;
  $("link").href = `?turn=${moment.number}`;
  markTurn(moment.number);
  showReviewAt(moment.number);
}

function drawPicture(picture) {
  const focused = board.contains(document.activeElement);
  board.innerHTML = picture;
  if (focused) board.tabIndex = -1, board.focus({ preventScroll: true });
}

// What may change without a new moment.
function renderState(moment) {
  renderSeats(moment);
  const mine = moment.number === last && isMyTurn();
  document.title = `${mine ? "● " : ""}${document.title.replace(/^● /, "")}`;
  $("remark").textContent = presence.remark;
  $("remark").hidden = !presence.remark;
  if (selection) return;
  $("choices").replaceChildren();
  $("prompt").textContent = promptFor(moment, mine);
}

function renderSeats(moment) {
  const items = $("seats").children;
  moment.seats.forEach((seat, number) => {
    const item = items[number];
    item.classList.toggle("moving", moment.to_move === number && presence.status !== "over");
    item.querySelector(".state").textContent = seatState(moment, seat, number);
    item.querySelector(".facts").replaceChildren(...seat.facts.map(([label, value]) => {
      const fact = document.createElement("span"), bold = document.createElement("b");
      bold.textContent = value;
      fact.append(`${label} `, bold);
      return fact;
    }));
  });
}

function seatState(moment, seat, number) {
  const newest = moment.number === last, over = newest && presence.status === "over";
  let state = moment.to_move === number && !over ? "to move" : "";
  if (seat.removed) state = `removed, ${seat.removed}`;
  else if (over && presence.winners.includes(number)) state = "won";
  return [state, newest ? presence.seats[number] : ""].filter(Boolean).join(", ");
}

function promptFor(moment, mine) {
  if (moment.number < last) return moment.words;
  if (presence.status === "over") return describeResult(moment);
  if (presence.status === "waiting") return "Waiting for everyone to arrive.";
  return mine ? "It is your turn." : moment.to_move === null ? "" : `${moment.seats[moment.to_move].name} is to move.`;
}

function describeResult(moment) {
  const names = presence.winners.map((number) => moment.seats[number].name);
  return names.length ? `Over: ${names.join(" and ")} won.` : "Over: nobody won.";
}

function markTurn(number) {
  const list = $("turns"), turn = list.children[number]?.firstElementChild;
  for (const button of list.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
  if (!turn) return;
  turn.setAttribute("aria-current", "true");
  const top = turn.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + turn.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
}

setInterval(() => {
  const clock = $("clock");
  clock.hidden = clockEnd === null || presence.status !== "playing";
  if (clock.hidden) return;
  const left = Math.max(0, Math.ceil((clockEnd - performance.now()) / 1000));
  clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  clock.classList.toggle("short", left <= 10);
}, 250);

// -- live -------------------------------------------------------------------------------------

const receive = (message) => message.moment ? receiveMoment(message.moment) : receivePresence(message.presence);

async function receiveMoment(moment) {
  if (moment.number <= last) forgetFrom(moment.number);  // a server that crashed may have lost the last ones
  clockEnd = null;
  moments.set(moment.number, moment);
  setLast(moment.number);
  if ($("turns").children.length < last) (await callApi(path(`?as=${page.viewer}`))).turns.forEach(addTurn);
  else addTurn(moment.words, last);
  if (moment.number !== last) return;  // a newer one came meanwhile
  if (following || shown > last) {
    shown = last;
    render(moment);
  }
}

function receivePresence(received) {
  presence = received;
  clockEnd = presence.clock === null ? null : performance.now() + 1000 * presence.clock;
  if (presence.status !== "waiting") $("invitations").hidden = true;
  if (moments.has(shown)) renderState(moments.get(shown));
  askForChoices();
}

function setLast(number) {
  last = number;
  $("scrub").max = $("last").textContent = last;
}

function addTurn(words, number) {
  if ($("turns").children[number]) return;
  const item = document.createElement("li"), button = document.createElement("button");
  button.textContent = words;
  button.dataset.number = number;
  item.append(button);
  $("turns").append(item);
}

function forgetFrom(number) {
  for (const later of [...moments.keys()]) if (later >= number) moments.delete(later);
  for (const turn of [...$("turns").children].slice(number)) turn.remove();
}

// Once the match is over, there are more ways to look at it, and a record to download.
async function finish() {
  const details = await callApi(path(`?as=${page.viewer}`)).catch(() => null);
  if (details?.presence.status !== "over") return;
  details.turns.forEach(addTurn);
  setLast(details.turns.length - 1);
  receivePresence(details.presence);
  if (following) showMoment(last);
  $("record").hidden = $("review").hidden = false;
  for (const option of $("viewer").options) option.disabled = !details.viewers.includes(option.value);
}

// -- playing ----------------------------------------------------------------------------------

function isMyTurn() {
  return page.me !== null && moments.get(last)?.to_move === page.me && presence.status === "playing";
}

// At the newest moment, a person who is asked to move may click.
function askForChoices() {
  if (following && clockEnd !== null && isMyTurn() && selection?.number !== last) sendClicks([]);
}

async function sendClicks(clicks) {
  const number = last;
  let result;
  try {
    result = await callApi(path("/wish"), { number, clicks });
  } catch (error) {
    if (number === last) showError(clicks.length ? error.message : "");
    return;
  }
  if (number !== last || number !== shown) return;
  showError(result.refusal || "");
  if (result.done) {
    selection = null;
    $("choices").replaceChildren();
    $("prompt").textContent = "…";
  } else {
    selection = { number, clicks: result.refusal ? [] : clicks, choices: result.choices || [] };
    showChoices(result);
  }
}

function showChoices({ picture, prompt, choices = [] }) {
  const focused = board.contains(document.activeElement) || $("choices").contains(document.activeElement);
  board.innerHTML = picture;
  $("prompt").textContent = prompt;
  const pieces = [], buttons = [];
  for (const { key, label } of choices) {
    const piece = topPiece(key);
    if (piece) {
      piece.setAttribute("role", "button");
      piece.setAttribute("tabindex", "0");
      piece.setAttribute("aria-label", label);
      piece.dataset.choice = key;
      pieces.push(piece);
    } else buttons.push(newButton(label, { choice: key }));
  }
  if (selection.clicks.length) buttons.push(newButton("Start again (Esc)", { restart: "" }));
  if (pieces.length) board.querySelector("svg").setAttribute("role", "group");  // an image would hide what can be clicked
  $("choices").replaceChildren(...buttons);
  if (focused) (pieces[0] || buttons[0])?.focus({ preventScroll: true });
}

// The topmost element of the picture that a key such as at=2,3 stands for.
function topPiece(key) {
  const split = key.indexOf("="), name = key.slice(0, split), value = key.slice(split + 1);
  return [...board.querySelectorAll(`[data-${name}="${CSS.escape(value)}"]`)].at(-1);
}

function newButton(label, data) {
  const button = document.createElement("button");
  button.textContent = label;
  Object.assign(button.dataset, data);
  return button;
}

// The keys of everything under a click, innermost first.
function keysUnder(event) {
  const keys = [];
  for (let element = event.target; element && element !== board; element = element.parentElement)
    for (const { name, value } of element.attributes || [])
      if (name.startsWith("data-") && name !== "data-choice") keys.push(`${name.slice(5)}=${value}`);
  return keys;
}

board.onclick = (event) => {
  if (!selection || shown !== last) return;
  const keys = keysUnder(event);
  const key = keys.find((each) => selection.choices.some((choice) => choice.key === each)) || keys[0];
  if (key) sendClicks([...selection.clicks, key]);
};

$("choices").onclick = ({ target: { dataset } }) => {
  if (dataset.choice) sendClicks([...selection.clicks, dataset.choice]);
  else if ("restart" in dataset) sendClicks([]);
};

// -- stepping ---------------------------------------------------------------------------------

async function goTo(number, keepPlaying = false) {
  if (!keepPlaying) pause();
  following = number >= last && presence.status !== "over";
  await showMoment(number);
  askForChoices();
}

function pause() {
  clearInterval(timer);
  timer = null;
  $("play").classList.remove("playing");
  $("play").setAttribute("aria-label", "Play");
}

function togglePlay() {
  if (timer) return pause();
  if (shown >= last) shown = -1;
  $("play").classList.add("playing");
  $("play").setAttribute("aria-label", "Pause");
  const step = () => shown >= last ? pause() : goTo(shown + 1, true);
  step();
  timer = setInterval(step, Number($("speed").value));
}

$("first").onclick = () => goTo(0);
$("back").onclick = () => goTo(shown - 1);
$("forward").onclick = () => goTo(shown + 1);
$("newest").onclick = () => goTo(last);
$("play").onclick = togglePlay;
$("speed").onchange = () => { if (timer) { pause(); togglePlay(); } };
$("scrub").oninput = () => goTo(Number($("scrub").value));
$("turns").onclick = ({ target: { dataset } }) => { if (dataset.number) goTo(Number(dataset.number)); };
$("viewer").onchange = () => { location.search = `?as=${$("viewer").value}${following ? "" : `&turn=${shown}`}`; };
$("enlarge").onclick = () => $("enlarge").setAttribute("aria-pressed", board.classList.toggle("large"));
$("full").onclick = () => document.fullscreenElement ? document.exitFullscreen() : $("match-board").requestFullscreen();

offerReview(path("/review"), goTo, () => shown);

document.addEventListener("keydown", (event) => {
  const element = event.target, typing = element.matches("input:not([type=range]), select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = element.closest("button, [role=button], a");
  if (event.key === "Escape" && selection?.clicks.length) sendClicks([]);
  else if (event.key === "ArrowLeft") goTo(shown - 1);
  else if (event.key === "ArrowRight") goTo(shown + 1);
  else if (event.key === "Home") goTo(0);
  else if (event.key === "End") goTo(last);
  else if (event.key === " " && !button) togglePlay();
  else if ((event.key === "Enter" || event.key === " ") && element.dataset.choice && board.contains(element)) sendClicks([...selection.clicks, element.dataset.choice]);
  else return;
  event.preventDefault();
});

// -- arriving ---------------------------------------------------------------------------------

async function arrive() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key) return takeSeat(key);
  showInvitations();
  render(moments.get(shown));
  if (presence.status === "waiting" || presence.status === "playing") follow(() => path(`/live?as=${page.viewer}&after=${last}`), receive, finish);
}

async function takeSeat(key) {
  history.replaceState(null, "", location.pathname);
  try {
    await callApi(path("/sit"), { key });
    location.reload();
  } catch (error) {
    showError(error.message);
  }
}

function showInvitations() {
  const links = JSON.parse(sessionStorage.getItem(`links-${page.id}`) || "[]");
  if (presence.status !== "waiting" || !links.length) return;
  $("invitations").hidden = false;
  $("links").replaceChildren(...links.map(({ name, number, key }) => {
    const item = document.createElement("li"), label = document.createElement("label"), field = document.createElement("input");
    field.readOnly = true;
    field.value = `${location.origin}/matches/${page.id}#key=${key}`;
    field.onfocus = () => field.select();
    label.append(name || `seat ${number + 1}`, field);
    item.append(label);
    return item;
  }));
}
$("begin").onclick = () => callApi(path("/begin"), {}).catch((error) => showError(error.message));

arrive();
