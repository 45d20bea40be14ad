// @ts-check
// Arriving at a table: by an invitation, with a name; and inviting others.
import { $, callApi, showError } from "../common.js";

/** @typedef {import("./wire.js").MatchPage} MatchPage */
/** @typedef {{ name?: string, number: number, key: string }} Invitation */

const NAME = "fairplay-name";

/** @param {string} name @returns {any[]} */
function readList(name) {
  try {
    return JSON.parse(localStorage.getItem(name) || "[]");
  } catch {
    return [];
  }
}

/**
 * Take the seat that an invitation is for; those who hold it already go on, and those who come too late may watch.
 * @param {MatchPage} page @param {string} key
 */
export async function acceptInvitation(page, key) {
  history.replaceState(null, "", location.pathname + location.search);
  if (page.me !== null) return;
  const name = localStorage.getItem(NAME);
  try {
    await callApi(`/api/matches/${page.id}/sit`, name ? { key, name } : { key });
  } catch (error) {
    return showError(`${/** @type {Error} */ (error).message} You can watch.`);
  }
  if (!name) await chooseName(`/api/matches/${page.id}/name`);
  location.reload();
  await new Promise(() => {});   // the page is about to go
}

/** Ask for a name until it is accepted; nobody needs one. @param {string} path */
async function chooseName(path) {
  for (;;) {
    const name = await askForName();
    if (!name) return;
    try {
      await callApi(path, { name });
      return localStorage.setItem(NAME, name);
    } catch (error) {
      $("welcome-error").textContent = /** @type {Error} */ (error).message;
      $("welcome-error").hidden = false;
    }
  }
}

/** @returns {Promise<string>} empty: none was typed */
function askForName() {
  const dialog = $("welcome");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue && $("welcome-name").value.trim());
  });
}

/** @param {MatchPage} page */
export function showInvitations(page) {
  /** @type {Invitation[]} */
  const links = readList(`links-${page.id}`);   // kept by the page that opened the table
  $("links-hint").hidden = !links.length;
  if ($("links").children.length !== links.length) $("links").replaceChildren(...links.map((link) => buildLink(page, link)));
}

/** @param {MatchPage} page @param {Invitation} invitation */
function buildLink(page, { name, number, key }) {
  const url = `${location.origin}/matches/${page.id}#key=${key}`;
  const item = document.createElement("li"), label = document.createElement("label"), field = document.createElement("input");
  field.readOnly = true;
  field.value = url;
  field.onfocus = () => field.select();
  label.append(name || page.players[number]?.name || `seat ${number + 1}`, field);
  const row = document.createElement("div");
  row.className = "row";
  row.append(buildCopy(url), ...("share" in navigator ? [buildShare(page, url)] : []), buildCode(url));
  item.append(label, row);
  return item;
}

/** @param {string} url */
function buildCopy(url) {
  const button = newButton("Copy the link");
  button.onclick = async () => {
    await navigator.clipboard.writeText(url).catch(() => {});
    button.textContent = "Copied";
  };
  return button;
}

/** @param {MatchPage} page @param {string} url */
function buildShare(page, url) {
  const button = newButton("Send…");
  button.onclick = () => navigator.share({ title: `Play ${page.game} with me`, url }).catch(() => {});
  return button;
}

/** The link as a QR code, made when it is asked for. @param {string} url */
function buildCode(url) {
  const details = document.createElement("details"), summary = document.createElement("summary");
  summary.textContent = "QR code";
  details.append(summary);
  details.ontoggle = async () => {
    if (details.children.length > 1) return;
    const image = document.createElement("img");
    image.alt = "QR code of the link";
    image.width = image.height = 180;
    details.append(image);
    const { drawQr } = await import("../share.js");
    image.src = await drawQr(url);
  };
  return details;
}

/** @param {string} label */
function newButton(label) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  return button;
}

/** Starting without those who have not come is asked twice. @param {string} path */
export function enableBegin(path) {
  const begin = $("begin"), sure = $("begin-sure");
  begin.onclick = () => {
    sure.hidden = false;
    $("begin-yes").focus();
  };
  $("begin-no").onclick = () => {
    sure.hidden = true;
    begin.focus();
  };
  $("begin-yes").onclick = () => callApi(path, {}).catch((/** @type {Error} */ error) => showError(error.message));
}
