// The home page: the newest running matches, side by side.
import { $, follow } from "./common.js";

const boards = $("live");

function card(id, frame) {
  const item = document.createElement("li"), link = document.createElement("a");
  item.className = "card small-board";
  item.dataset.match = id;
  link.href = `/matches/${id}`;
  const sight = document.createElement("span"), names = document.createElement("strong"), hint = document.createElement("span"), number = document.createElement("span");
  sight.className = "sight";
  names.textContent = frame.seats.map((seat) => seat.name).join(" – ");
  hint.className = "hint";
  number.dataset.number = "";
  hint.append(" turn ", number);
  link.append(sight, names, hint);
  item.append(link);
  boards.prepend(item);
  while (boards.children.length > 4) boards.lastElementChild.remove();
  return item;
}

follow(() => "/api/live", ({ id, frame }) => {
  $("nothing").hidden = true;
  const item = boards.querySelector(`[data-match="${id}"]`) || card(id, frame);
  item.querySelector(".sight").innerHTML = frame.picture;
  item.querySelector("[data-number]").textContent = frame.number;
});
