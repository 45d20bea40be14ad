// The page of a new table: more or fewer seats, and start.
import { $, callApi, showError } from "./common.js";

const form = $("table"), seats = [...$("table-seats").children];
const fewest = Number(form.dataset.fewest), most = Number(form.dataset.most);

function showSeats(count) {
  seats.forEach((seat, number) => { seat.hidden = number >= count; });
  $("more").disabled = count >= most;
  $("fewer").disabled = count <= fewest;
}
const shownSeats = () => seats.filter((seat) => !seat.hidden);
$("more").onclick = () => showSeats(shownSeats().length + 1);
$("fewer").onclick = () => showSeats(shownSeats().length - 1);

function readSeat(seat) {
  const who = seat.querySelector("select").value, name = seat.querySelector("input").value;
  return who === "me" || who === "friend" ? { who, name } : { who: "house", player: who, name };
}

form.onsubmit = async (event) => {
  event.preventDefault();
  showError("");
  const fields = new FormData(form), variant = fields.get("variant");
  const request = { game: form.dataset.game, seats: shownSeats().map(readSeat), clock: Number(fields.get("clock")), pace: Number(fields.get("pace")) };
  const board = form.dataset.board || fields.get("board");
  if (board) request.board = board;
  if (variant === "quick") request.quick = true;
  else if (variant) request.variant = variant;
  try {
    const { id, keys } = await callApi("/api/matches", request);
    const links = request.seats.map(({ who, name }, number) => ({ who, name, number, key: keys[number] })).filter(({ who }) => who === "friend");
    if (links.length) sessionStorage.setItem(`links-${id}`, JSON.stringify(links));
    location.href = `/matches/${id}`;
  } catch (error) {
    showError(error.message);
  }
};
