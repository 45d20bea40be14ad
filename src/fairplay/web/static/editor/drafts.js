// @ts-check
// Drawings that were not saved, kept in this browser: one for each address of the editor, the oldest forgotten first.

const KEY = "fairplay-drafts", MOST = 10;

/** @typedef {{ drawing: unknown, name: string, when: number }} Draft */

/** @param {Storage} storage @returns {Record<string, Draft>} */
function read(storage) {
  try {
    const found = JSON.parse(storage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

/** @param {Storage} storage @param {Record<string, Draft>} drafts @returns {boolean} whether the browser keeps them */
function write(storage, drafts) {
  try {
    storage.setItem(KEY, JSON.stringify(drafts));
    return true;
  } catch {
    return false;
  }
}

/** The draft of an address. @param {string} address @param {Storage} storage @returns {Draft | null} */
export function findDraft(address, storage = localStorage) {
  return read(storage)[address] ?? null;
}

/**
 * Keep a draft; false if the browser does not keep anything.
 * @param {string} address @param {Draft} draft @param {Storage} storage
 */
export function keepDraft(address, draft, storage = localStorage) {
  const others = Object.entries(read(storage)).filter(([each]) => each !== address);
  const newest = others.sort(([, one], [, other]) => other.when - one.when).slice(0, MOST - 1);
  return write(storage, Object.fromEntries([[address, draft], ...newest]));
}

/** Forget the draft of an address. @param {string} address @param {Storage} storage */
export function forgetDraft(address, storage = localStorage) {
  const drafts = read(storage);
  if (!(address in drafts)) return;
  delete drafts[address];
  write(storage, drafts);
}
