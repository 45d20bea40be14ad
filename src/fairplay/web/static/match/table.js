// @ts-check
// What people do at the table besides moving: resign, leave, offer to stop, signs to each other, a rematch.
import { $, callApi, showError } from "../common.js";

/** @typedef {import("./wire.js").MatchPage} MatchPage */
/** @typedef {import("./wire.js").Presence} Presence */

/** @type {Record<string, string>} */
const QUESTIONS = {
  resign: "Resign? You lose the game.",
  leave: "Leave for good? A house player takes over your seat.",
  stop: "Offer the others to stop the game here?",
};

export class Table {
  /** @param {MatchPage} page */
  constructor(page) {
    this.page = page;
    this.path = `/api/matches/${page.id}`;
    for (const name of Object.keys(QUESTIONS)) $(name).onclick = () => this.confirm(name);
    $("stop-yes").onclick = () => this.send("stop");
    $("stop-no").onclick = () => this.send("stop", { withdraw: true });
    $("rematch").onclick = () => this.askForRematch();
    $("emotes").replaceChildren(...page.emotes.map(({ name, label }) => this.buildEmote(name, label)));
  }

  /** @param {string} name @param {string} label */
  buildEmote(name, label) {
    const button = document.createElement("button");
    button.textContent = label;
    button.onclick = () => this.send("emote", { name });
    return button;
  }

  /** Ask again before anything is lost. @param {string} name */
  confirm(name) {
    const dialog = $("confirm");
    $("confirm-words").textContent = QUESTIONS[name];
    $("confirm-yes").textContent = $(name).textContent;
    $("confirm-yes").onclick = async () => {
      dialog.close();
      $("table-menu").open = false;
      const done = await this.send(name);
      if (done && name === "leave") location.href = "/";
    };
    $("confirm-no").onclick = () => dialog.close();
    dialog.showModal();
  }

  /** @param {string} name @param {object} [body] */
  async send(name, body = {}) {
    try {
      return await callApi(`${this.path}/${name}`, body);
    } catch (error) {
      showError(/** @type {Error} */ (error).message);
      return null;
    }
  }

  /** The answer brings the key of the seat there, so nobody may leave before. */
  async askForRematch() {
    $("rematch").disabled = true;
    const made = await this.send("rematch");
    $("rematch").disabled = false;
    if (made?.id) location.href = `/matches/${made.id}`;
  }

  /** @param {Presence} presence */
  show(presence) {
    const { me, players } = this.page, playing = presence.status === "playing", seated = me !== null;
    $("table-menu").hidden = !seated || !playing;
    $("emote-menu").hidden = !seated || !this.page.emotes.length || players.filter(({ person }) => person).length < 2;
    const offered = presence.offers.stop, mine = seated && offered.includes(me);
    $("stop").disabled = $("stop-yes").hidden = mine;
    $("stop-offer").hidden = !playing || !offered.length || !seated;
    $("stop-words").textContent = mine ? "You have offered to stop the game. The others are asked."
      : `${offered.map((seat) => players[seat].name).join(" and ")} would like to stop the game.`;
    $("rematch").hidden = !seated;
    this.showNext(presence);
  }

  /** Somebody has asked for a rematch, or it is there already. @param {Presence} presence */
  showNext({ next, offers }) {
    const { me, players } = this.page;
    const others = offers.rematch.filter((seat) => seat !== me).map((seat) => players[seat].name);
    $("rematch").textContent = others.length ? "Accept the rematch" : "Rematch";
    $("rematch-words").textContent = others.length ? `${others.join(" and ")} would like to play again.` : "";
    $("next").hidden = !next || me !== null;
    if (next) $("next").href = `/matches/${next}`;
  }
}
