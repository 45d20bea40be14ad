// The page of a match: live feed, scrubber, and clicks that become actions.  It knows no game.
import { $, ask, follow, refuse } from "./common.js";

const match = JSON.parse($("match").textContent);
const frames = new Map();          // moments already seen, by number
const board = $("board");
let number = match.number, last = match.last, status = match.status;
let following = match.following;   // keep to the newest moment
let timer = null;                  // plays the match on
let wish = null;                   // what may be clicked: { number, clicks, choices }
let due = null;                    // when the time of the one who is to move is up

// -- looking ----------------------------------------------------------------------------------

const path = (rest) => `/api/matches/${match.id}${rest}`;

async function moment(at) {
  if (!frames.has(at)) frames.set(at, await ask(path(`/moments/${at}?as=${match.looker}`)));
  return frames.get(at);
}

async function show(at) {
  at = Math.max(0, Math.min(at, last));
  number = at;
  const frame = await moment(at);
  if (number === at) render(frame);
}

function render(frame) {
  if (wish && wish.number !== frame.number) wish = null;
  if (!wish) draw(frame.picture);
  seats(frame);
  $("number").textContent = $("scrub").value = frame.number;
  $("link").href = `?turn=${frame.number}`;
  for (const button of $("turns").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
  const turn = $("turns").children[frame.number]?.firstElementChild;
  if (turn) {
    turn.setAttribute("aria-current", "true");
    const list = $("turns"), top = turn.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + turn.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }
  say(frame);
}

function draw(picture) {
  const focused = board.contains(document.activeElement);
  board.innerHTML = picture;
  if (focused) board.tabIndex = -1, board.focus({ preventScroll: true });
}

function seats(frame) {
  const items = $("seats").children;
  frame.seats.forEach((seat, at) => {
    const item = items[at];
    item.classList.toggle("moving", frame.to_move === at && status !== "over");
    item.querySelector(".state").textContent = seat.state;
    item.querySelector(".facts").replaceChildren(...seat.facts.map(([label, value]) => {
      const fact = document.createElement("span"), bold = document.createElement("b");
      bold.textContent = value;
      fact.append(`${label} `, bold);
      return fact;
    }));
  });
}

function say(frame) {
  const mine = frame.number === last && frame.to_move === match.me && match.me !== null && status === "playing";
  document.title = mine ? `● ${document.title.replace(/^● /, "")}` : document.title.replace(/^● /, "");
  if (wish) return;
  $("choices").replaceChildren();
  const mover = frame.to_move === null ? "" : frame.seats[frame.to_move].name;
  if (frame.number < last) $("prompt").textContent = frame.words;
  else if (status === "over") $("prompt").textContent = result(frame);
  else if (status === "waiting") $("prompt").textContent = "Waiting for everybody to come to the table.";
  else $("prompt").textContent = mine ? "It is your turn." : `${mover} is to move.`;
}

function result(frame) {
  const won = frame.seats.filter((seat) => seat.state === "won").map((seat) => seat.name);
  return won.length ? `Over: ${won.join(" and ")} won.` : "Over: nobody won.";
}

// -- live -------------------------------------------------------------------------------------

async function heard({ frame }) {
  const before = last;
  ({ status, last } = frame);
  frames.set(frame.number, frame);
  due = frame.clock === null ? null : performance.now() + 1000 * frame.clock;
  $("scrub").max = $("last").textContent = last;
  if (last > before + 1) await missed(before);
  else if (last > before) add(frame.words, last);
  if (frame.number !== last) return;  // a newer one came while the missed ones were asked for
  if (status !== "waiting") $("invitations").hidden = true;
  if (following || number > last) {
    number = frame.number;
    render(frame);
    if (frame.to_move === match.me && match.me !== null && status === "playing" && wish?.number !== frame.number) await choose([]);
  }
}

async function missed(before) {
  const { turns } = await ask(path(`?as=${match.looker}`));
  turns.slice(before + 1).forEach((words, at) => { if (!$("turns").children[before + 1 + at]) add(words, before + 1 + at); });
}

function add(words, at) {
  const item = document.createElement("li"), button = document.createElement("button");
  button.textContent = words;
  button.dataset.number = at;
  item.append(button);
  $("turns").append(item);
}

// Once it is over one may look in more ways, and there is a record to take along.
async function ended() {
  const now = await ask(path("")).catch(() => null);
  if (now?.status !== "over") return;
  $("record").hidden = false;
  for (const option of $("looker").options) option.disabled = !now.lookers.includes(option.value);
}

setInterval(() => {
  const clock = $("clock");
  clock.hidden = due === null || status !== "playing";
  if (clock.hidden) return;
  const left = Math.max(0, Math.ceil((due - performance.now()) / 1000));
  clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  clock.classList.toggle("short", left <= 10);
}, 250);

// -- playing ----------------------------------------------------------------------------------

async function choose(clicks) {
  const at = last;
  let wished;
  try {
    wished = await ask(path("/wish"), { number: at, clicks });
  } catch (error) {
    if (at === last) refuse(clicks.length ? error.message : "");
    return;
  }
  if (at !== last) return;
  refuse(wished.refused || "");
  if (wished.done) {
    wish = null;
    $("choices").replaceChildren();
    $("prompt").textContent = "…";
    return;
  }
  wish = { number: at, clicks: wished.refused ? [] : clicks, choices: wished.choices || [] };
  if (number !== at) return;
  light(wished);
}

function light({ picture, prompt, choices = [] }) {
  const focused = board.contains(document.activeElement) || $("choices").contains(document.activeElement);
  board.innerHTML = picture;
  $("prompt").textContent = prompt;
  const buttons = [], lit = [];
  for (const choice of choices) {
    const split = choice.key.indexOf("="), name = choice.key.slice(0, split), value = choice.key.slice(split + 1);
    const found = [...board.querySelectorAll(`[data-${name}="${CSS.escape(value)}"]`)];
    if (found.length) {
      const top = found[found.length - 1];
      top.setAttribute("role", "button");
      top.setAttribute("tabindex", "0");
      top.setAttribute("aria-label", choice.label);
      top.dataset.choice = choice.key;
      lit.push(top);
    } else {
      const button = document.createElement("button");
      button.textContent = choice.label;
      button.dataset.choice = choice.key;
      buttons.push(button);
    }
  }
  if (wish.clicks.length) {
    const back = document.createElement("button");
    back.textContent = "Start again (Esc)";
    back.onclick = () => choose([]);
    buttons.push(back);
  }
  if (lit.length) board.querySelector("svg").setAttribute("role", "group");  // an image would hide what can be clicked
  $("choices").replaceChildren(...buttons);
  if (focused) (lit[0] || buttons[0])?.focus({ preventScroll: true });
}

// The keys of everything under a click, innermost first.
function keys(event) {
  const found = [];
  for (let at = event.target; at && at !== board; at = at.parentElement)
    for (const { name, value } of at.attributes || [])
      if (name.startsWith("data-") && name !== "data-choice") found.push(`${name.slice(5)}=${value}`);
  return found;
}

function clicked(event) {
  if (!wish || number !== last) return;
  const found = keys(event);
  const key = found.find((one) => wish.choices.some((choice) => choice.key === one)) || found[0];
  if (key) choose([...wish.clicks, key]);
}

board.onclick = clicked;
$("choices").onclick = (event) => { if (event.target.dataset.choice) choose([...wish.clicks, event.target.dataset.choice]); };

// -- stepping ---------------------------------------------------------------------------------

function go(at, keep = false) {
  if (!keep) pause();
  following = at >= last && status !== "over";
  show(at).then(() => { if (following && wish === null) wake(); });
}

// Back at the newest moment, somebody whose turn it is may click again.
function wake() {
  const frame = frames.get(last);
  if (frame && frame.to_move === match.me && match.me !== null && status === "playing") choose([]);
}

function pause() {
  clearInterval(timer);
  timer = null;
  $("play").classList.remove("playing");
  $("play").setAttribute("aria-label", "Play");
}

function play() {
  if (timer) return pause();
  if (number >= last) number = -1;
  $("play").classList.add("playing");
  $("play").setAttribute("aria-label", "Pause");
  const step = () => number >= last ? pause() : go(number + 1, true);
  step();
  timer = setInterval(step, Number($("speed").value));
}

$("first").onclick = () => go(0);
$("back").onclick = () => go(number - 1);
$("forward").onclick = () => go(number + 1);
$("newest").onclick = () => go(last);
$("play").onclick = play;
$("speed").onchange = () => { if (timer) { pause(); play(); } };
$("scrub").oninput = () => go(Number($("scrub").value));
$("turns").onclick = (event) => { if (event.target.dataset.number) go(Number(event.target.dataset.number)); };
$("looker").onchange = () => { location.search = `?as=${$("looker").value}${following ? "" : `&turn=${number}`}`; };
$("enlarge").onclick = () => $("enlarge").setAttribute("aria-pressed", board.classList.toggle("large"));
$("full").onclick = () => document.fullscreenElement ? document.exitFullscreen() : document.querySelector(".scene").requestFullscreen();

document.addEventListener("keydown", (event) => {
  const on = event.target, typing = on.matches("input:not([type=range]), select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = on.closest("button, [role=button], a");
  if (event.key === "Escape" && wish?.clicks.length) choose([]);
  else if (event.key === "ArrowLeft") go(number - 1);
  else if (event.key === "ArrowRight") go(number + 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(last);
  else if (event.key === " " && !button) play();
  else if ((event.key === "Enter" || event.key === " ") && on.dataset.choice && board.contains(on)) choose([...wish.clicks, on.dataset.choice]);
  else return;
  event.preventDefault();
});

// -- coming to the table ----------------------------------------------------------------------

async function arrive() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key) {
    history.replaceState(null, "", location.pathname);
    try {
      await ask(path("/sit"), { key });
      location.reload();
    } catch (error) {
      refuse(error.message);
    }
    return;
  }
  invite();
  if (match.status === "over" || match.status === "cut off") return show(number);
  follow(() => path(`/live?as=${match.looker}&after=${last}`), heard, ended);
}

function invite() {
  const links = JSON.parse(sessionStorage.getItem(`links-${match.id}`) || "[]");
  if (status !== "waiting" || !links.length) return;
  $("invitations").hidden = false;
  $("links").replaceChildren(...links.map(({ name, number, key }) => {
    const item = document.createElement("li"), label = document.createElement("label"), field = document.createElement("input");
    field.readOnly = true;
    field.value = `${location.origin}/matches/${match.id}#key=${key}`;
    field.onfocus = () => field.select();
    label.append(name || `seat ${number + 1}`, field);
    item.append(label);
    return item;
  }));
}
$("begin").onclick = () => ask(path("/begin"), {}).catch((error) => refuse(error.message));

arrive();
