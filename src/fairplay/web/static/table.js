// The page of a new table: more or fewer seats, the levels of the variant, and start.
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

function showLevels() {
  const variant = form.elements.variant?.value;
  for (const select of form.querySelectorAll("select[name=who]")) {
    const chosen = select.selectedOptions[0];
    for (const group of select.querySelectorAll("optgroup[data-variant]")) group.hidden = group.disabled = group.dataset.variant !== variant;
    if (!chosen?.parentElement.hidden) continue;
    const offered = [...select.options].filter((option) => !option.parentElement.hidden);
    (offered.find((option) => option.value === chosen.value) || offered.at(-1)).selected = true;
  }
}
form.elements.variant?.addEventListener("change", showLevels);
showLevels();

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
