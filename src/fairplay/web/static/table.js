// The page of a new table: seats more or fewer, and off it goes.
import { $, ask, refuse } from "./common.js";

const form = $("table"), chairs = [...$("chairs").children];
const fewest = Number(form.dataset.fewest), most = Number(form.dataset.most);

function sit(count) {
  chairs.forEach((chair, number) => { chair.hidden = number >= count; });
  $("more").disabled = count >= most;
  $("fewer").disabled = count <= fewest;
}
const seated = () => chairs.filter((chair) => !chair.hidden);
$("more").onclick = () => sit(seated().length + 1);
$("fewer").onclick = () => sit(seated().length - 1);

function seat(chair) {
  const who = chair.querySelector("select").value, name = chair.querySelector("input").value;
  return who === "me" || who === "friend" ? { who, name } : { who: "house", player: who, name };
}

form.onsubmit = async (event) => {
  event.preventDefault();
  refuse("");
  const fields = new FormData(form), variant = fields.get("variant");
  const wish = { game: form.dataset.game, seats: seated().map(seat), clock: Number(fields.get("clock")), pace: Number(fields.get("pace")) };
  const board = form.dataset.board || fields.get("board");
  if (board) wish.board = board;
  if (variant === "quick") wish.quick = true;
  else if (variant) wish.variant = variant;
  try {
    const { id, keys } = await ask("/api/matches", wish);
    const links = wish.seats.map(({ who, name }, number) => ({ who, name, number, key: keys[number] })).filter(({ who }) => who === "friend");
    if (links.length) sessionStorage.setItem(`links-${id}`, JSON.stringify(links));
    location.href = `/matches/${id}`;
  } catch (error) {
    refuse(error.message);
  }
};
