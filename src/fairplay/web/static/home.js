// The home page: the newest running matches, side by side.
import { $, follow } from "./common.js";

const MAX_CARDS = 4;
const cards = $("live");

function addCard(id, moment) {
  const card = document.createElement("li"), link = document.createElement("a");
  card.className = "card small-board";
  card.dataset.match = id;
  link.href = `/matches/${id}`;
  const picture = document.createElement("span"), names = document.createElement("strong"), hint = document.createElement("span"), number = document.createElement("span");
  picture.className = "picture";
  names.textContent = moment.seats.map((seat) => seat.name).join(" – ");
  hint.className = "hint";
  number.dataset.number = "";
  hint.append(" turn ", number);
  link.append(picture, names, hint);
  card.append(link);
  cards.prepend(card);
  while (cards.children.length > MAX_CARDS) cards.lastElementChild.remove();
  return card;
}

const seen = () => [...cards.children].map((card) => ["seen", `${card.dataset.match}:${card.querySelector("[data-number]").textContent}`]);

follow(() => `/api/live?${new URLSearchParams(seen())}`, ({ id, moment }) => {
  if (!moment) return;
  $("nothing").hidden = true;
  const card = cards.querySelector(`[data-match="${id}"]`) || addCard(id, moment);
  card.querySelector(".picture").innerHTML = moment.picture;
  card.querySelector("[data-number]").textContent = moment.number;
});
