// @ts-check
// Sharing: a dialog with a link, its QR code, and of a match the pictures and the code of a frame.
import { callApi } from "./common.js";

/**
 * @typedef {object} ShareInfo  what can be shared of a match
 * @property {string} title
 * @property {string} url
 * @property {string} embed
 * @property {number} last
 * @property {boolean} over
 * @property {boolean} pictures
 */

/**
 * Share a match, by default as it is shown now.
 * @param {string} id @param {number | null} [turn] the moment that is shown, if it is not the newest
 */
export async function openShare(id, turn = null) {
  /** @type {ShareInfo} */
  const info = await callApi(`/api/matches/${id}/share`);
  const dialog = openDialog(info.title);
  const isMoment = turn !== null && turn < info.last;
  const link = addLink(dialog, "Link", info.url, info.title);
  if (isMoment) addTick(dialog, `Begin at turn ${turn}`, (ticked) => link(ticked ? `${info.url}?turn=${turn}` : info.url));
  addPictures(dialog, id, info, turn ?? info.last);
  dialog.part("For your own page", copyField(embedCode(info), "Embed code", "textarea"));
  dialog.show();
}

/** Share any page of this site, such as an invitation. @param {string} title @param {string} path */
export function openLink(title, path) {
  const dialog = openDialog(title);
  addLink(dialog, "Link", new URL(path, location.href).href, title);
  dialog.show();
}

/** The HTML that shows a match on another page. @param {{ embed: string, title: string }} info */
export function embedCode({ embed, title }) {
  const safe = title.replace(/[&"<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  return `<iframe src="${embed}" title="${safe}" width="640" height="560" loading="lazy"></iframe>`;
}

/**
 * The QR code of an address as something that an image can show.  It is not asked for by address: the text may be an
 * invitation.
 * @param {string} text @returns {Promise<string>}
 */
export async function drawQr(text) {
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text }) };
  const response = await fetch("/api/qr.svg", request);
  if (!response.ok) throw new Error((await response.json()).error);
  return `data:image/svg+xml,${encodeURIComponent(await response.text())}`;
}

/** Put a text where people paste from. @param {string} text @returns {Promise<boolean>} whether it worked */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// -- the dialog ---------------------------------------------------------------------------------

/** @param {string} title */
function openDialog(title) {
  loadStyle();
  const dialog = make("dialog", { className: "share" });
  const heading = make("h2", { textContent: title, id: "share-title" });
  const said = make("p", { className: "said" });
  said.setAttribute("role", "status");
  const close = make("button", { textContent: "Close", onclick: () => dialog.close() });
  const end = make("div", { className: "end" }, close);
  dialog.setAttribute("aria-labelledby", heading.id);
  dialog.append(heading, said, end);
  dialog.onclose = () => dialog.remove();
  dialog.onclick = ({ target }) => { if (target === dialog) dialog.close(); };
  return {
    end, say: (/** @type {string} */ text) => { said.textContent = text; },
    /** @param {string} name @param {...Node} nodes */
    part: (name, ...nodes) => said.before(make("h3", { textContent: name }), ...nodes),
    /** @param {Node} node */
    add: (node) => said.before(node),
    show: () => { document.body.append(dialog); dialog.showModal(); },
  };
}

/** @typedef {ReturnType<typeof openDialog>} Dialog */

/**
 * A link to copy, with its QR code; returns what changes the address.
 * @param {Dialog} dialog @param {string} name @param {string} url @param {string} title
 */
function addLink(dialog, name, url, title) {
  const copy = copyField(url, name), field = /** @type {HTMLInputElement} */ (copy.firstElementChild);
  const image = make("img", { className: "qr", alt: "QR code of the link", width: 176, height: 176 });
  const showQr = () => drawQr(field.value).then((source) => { image.src = source; }, (error) => dialog.say(error.message));
  dialog.part(name, copy);
  dialog.part("QR code", image);
  if (typeof navigator.share === "function") {
    const send = () => navigator.share({ title, url: field.value }).catch(() => {});
    dialog.end.prepend(make("button", { textContent: "Send to …", onclick: send }));
  }
  showQr();
  return (/** @type {string} */ next) => { field.value = next; showQr(); };
}

/** @param {Dialog} dialog @param {string} label @param {(ticked: boolean) => void} onChange */
function addTick(dialog, label, onChange) {
  const tick = make("input", { type: "checkbox", onchange: () => onChange(tick.checked) });
  dialog.add(make("label", { className: "at" }, tick, label));
}

/** @param {Dialog} dialog @param {string} id @param {ShareInfo} info @param {number} turn */
function addPictures(dialog, id, { over, pictures }, turn) {
  const path = `/api/matches/${id}`, links = [];
  if (pictures) links.push(download("Picture (PNG)", `${path}/moments/${turn}/picture.png`, `match-${id}-${turn}.png`));
  if (over && pictures) links.push(download("Animation (GIF)", `${path}/animation.gif`, `match-${id}.gif`));
  if (over) links.push(download("Animation (SVG)", `${path}/animation.svg`, `match-${id}.svg`));
  if (links.length) dialog.part("Pictures", make("div", { className: "row" }, ...links));
}

/** @param {string} label @param {string} href @param {string} name */
function download(label, href, name) {
  return make("a", { className: "button", textContent: label, href, download: name });
}

/** A text that can be copied. @param {string} text @param {string} label @param {"input" | "textarea"} kind */
function copyField(text, label, kind = "input") {
  const field = make(kind, { value: text, readOnly: true, onfocus: () => field.select() });
  field.setAttribute("aria-label", label);
  const button = make("button", { textContent: "Copy" });
  button.onclick = async () => {
    field.select();
    button.textContent = (await copyText(field.value)) ? "Copied" : "Press Ctrl+C";
    setTimeout(() => { button.textContent = "Copy"; }, 2500);
  };
  return make("div", { className: "copy" }, field, button);
}

/**
 * An element with these properties and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Partial<HTMLElementTagNameMap[T]>} properties @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function loadStyle() {
  const href = new URL("share.css", import.meta.url).href;
  if (![...document.styleSheets].some((sheet) => sheet.href === href)) {
    document.head.append(make("link", { rel: "stylesheet", href }));
  }
}
