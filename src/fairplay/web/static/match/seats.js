// @ts-check
// The list of seats: who sits there, what they have, who is to move; and the clock.
import { $ } from "../common.js";

/** @typedef {import("./wire.js").Moment} Moment */
/** @typedef {import("./wire.js").Presence} Presence */
/** @typedef {import("./wire.js").SeatMoment} SeatMoment */

/** @param {Moment} moment @param {Presence} presence @param {boolean} isNewest */
export function renderSeats(moment, presence, isNewest) {
  const items = $("seats").children;
  moment.seats.forEach((seat, number) => {
    const item = items[number];
    item.classList.toggle("moving", isToMove(moment, presence, number, isNewest));
    item.classList.toggle("won", hasWon(presence, number, isNewest));
    item.classList.toggle("out", Boolean(seat.removed));
    setText(item.querySelector(".player-name"), seat.name);
    setText(item.querySelector(".state"), describeSeat(moment, presence, number, isNewest));
    item.querySelector(".facts").replaceChildren(...seat.facts.map(buildFact));
  });
}

/** People may still change their names while they wait for each other. @param {import("./wire.js").MatchPage} page @param {SeatMoment[]} seats */
export function takeNames(page, seats) {
  const old = page.players.map(({ name }) => name), names = seats.map(({ name }) => name);
  if (names.every((name, number) => name === old[number])) return;
  page.players = page.players.map((player, number) => ({ ...player, name: names[number] }));
  const rename = (/** @type {string} */ text) => text.replace(old.join(" – "), () => names.join(" – "));
  const heading = document.querySelector("h1");
  document.title = rename(document.title);
  setText(heading, rename(heading?.textContent ?? ""));
  page.players.forEach(({ name, seat_name }, number) => {
    const option = $("viewer").querySelector(`option[value="${number}"]`);
    if (number !== page.me) setText(option, `what ${name} (${seat_name}) sees`);
  });
}

/** @param {Moment} moment @param {Presence} presence @param {number} number @param {boolean} isNewest */
function describeSeat(moment, presence, number, isNewest) {
  const seat = moment.seats[number];
  let state = isToMove(moment, presence, number, isNewest) ? "to move" : "";
  if (seat.removed) state = seat.removed === "resigned" ? "resigned" : `removed, ${seat.removed}`;
  else if (hasWon(presence, number, isNewest)) state = "won";
  return [state, isNewest ? presence.seats[number] : ""].filter(Boolean).join(", ");
}

/** At the newest moment nobody is, unless the match is being played. @param {Moment} moment @param {Presence} presence @param {number} number @param {boolean} isNewest */
const isToMove = (moment, presence, number, isNewest) => moment.to_move === number && (!isNewest || presence.status === "playing");

/** @param {Presence} presence @param {number} number @param {boolean} isNewest */
const hasWon = (presence, number, isNewest) => isNewest && presence.status === "over" && presence.winners.includes(number);

/** @param {[string, string]} fact */
function buildFact([label, value]) {
  const fact = document.createElement("span"), bold = document.createElement("b");
  bold.textContent = value;
  fact.append(`${label} `, bold);
  return fact;
}

/** @param {Element | null} element @param {string} text */
function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Show an emote beside its seat for a while. @param {number} seat @param {string} sign */
export function showEmote(seat, sign) {
  const bubble = $("seats").children[seat]?.querySelector(".emote");
  if (!bubble) return;
  bubble.textContent = sign;
  bubble.hidden = false;
  clearTimeout(bubbles.get(seat));
  bubbles.set(seat, setTimeout(() => { bubble.hidden = true; }, 4000));
}
/** @type {Map<number, ReturnType<typeof setTimeout>>} */
const bubbles = new Map();

/** Counts down to when the time of the person who is to move is up. */
export class Clock {
  constructor() {
    /** @type {number | null} */
    this.end = null;
    setInterval(() => this.show(), 250);
  }

  /** @param {number | null} seconds left; null: it does not run */
  set(seconds) {
    this.end = seconds === null ? null : performance.now() + 1000 * seconds;
    this.show();
  }

  show() {
    const clock = $("clock");
    clock.classList.toggle("off", this.end === null);
    if (this.end === null) return;
    const left = Math.max(0, Math.ceil((this.end - performance.now()) / 1000));
    setText(clock, formatTime(left));
    clock.classList.toggle("short", left <= 10);
  }
}

/** @param {number} seconds */
const formatTime = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** @param {number} seconds */
export function formatMinutes(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 1 ? `${Math.round(seconds)} seconds` : minutes === 1 ? "a minute" : `${minutes} minutes`;
}
