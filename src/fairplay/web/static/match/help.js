// @ts-check
// Help during a turn: a hint from the house player, and the words of a guided first game.
import { $, callApi } from "../common.js";

/** @typedef {import("./wire.js").MatchPage} MatchPage */
/** @typedef {{ title?: string, words: string, highlights: string[], by?: string }} Help */

export class Helper {
  /** @param {MatchPage} page @param {import("../board/board.js").Board} board */
  constructor(page, board) {
    this.page = page;
    this.board = board;
    this.path = `/api/matches/${page.id}`;
    this.number = -1;          // of the moment that the words are about
    $("hint").onclick = () => this.askForHint();
  }

  /** The person is to move at this moment, or is not. @param {number} number @param {boolean} mine @param {boolean} isOver */
  show(number, mine, isOver) {
    $("hint").hidden = !this.page.may_hint || isOver;
    $("hint").disabled = !mine;
    if (number === this.number && mine) return;
    this.number = mine ? number : -1;
    this.board.showHint([]);
    if (!this.page.guided || isOver) $("help").hidden = true;
    else if (mine) this.askForAdvice(number);
  }

  async askForHint() {
    $("hint").disabled = true;
    const number = this.number;
    try {
      const hint = await callApi(`${this.path}/hint`, {});
      if (number === this.number) this.tell({ title: "A strong player would do this", ...hint });
    } catch (error) {
      this.tell({ title: "Hint", words: /** @type {Error} */ (error).message, highlights: [] });
    }
    $("hint").disabled = this.number < 0;
  }

  /** @param {number} number */
  async askForAdvice(number) {
    const advice = await callApi(`${this.path}/advice`).catch(() => null);
    if (number !== this.number) return;
    if (advice?.words) this.tell(advice);
    else $("help").hidden = true;
  }

  /** @param {Help} help */
  tell({ title = "", words, highlights = [], by = "" }) {
    $("help-title").textContent = title;
    $("help-words").textContent = words;
    $("help-by").textContent = by;
    $("help-by").hidden = !by;
    $("help").hidden = false;
    this.board.showHint(highlights);
  }
}
