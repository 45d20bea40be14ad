// @ts-check
// Shared by all scripts: calling the API, showing errors, sockets that reconnect.

const FIRST_PAUSE = 500, LONGEST_PAUSE = 8000;   // milliseconds before a lost connection is tried again

/** The element with this id; whoever asks knows what it is. @type {(id: string) => any} */
export const $ = (id) => document.getElementById(id);

// The server did not answer at all.
export class Unreachable extends Error {
  constructor() {
    super("The server cannot be reached. Try again in a moment.");
  }
}

/** @param {string} path @param {object} [body] of a POST @returns {Promise<any>} */
export async function callApi(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, options).catch(() => { throw new Unreachable(); });
  const result = response.headers.get("Content-Type")?.includes("json") ? await response.json() : { error: await response.text() };
  if (!response.ok) throw new Error(result.error || `The server answered ${response.status}.`);
  return result;
}

/** An error may cover something one wants to see: a click hides it. @param {string} text */
export function showError(text) {
  $("error").onclick ??= () => showError("");
  $("error").textContent = text;
  $("error").hidden = !text;
}

/**
 * Follow a socket, and reconnect for as long as that makes sense.
 * @param {() => string} path is called for each attempt, so that it can say what has been seen
 * @param {(message: any) => void} onMessage
 * @param {() => void} [onEnd] the server says that there is no more
 * @param {(connected: boolean) => void} [onState] whether it is connected, whenever that changes
 * @returns {() => void} tries again at once
 */
export function follow(path, onMessage, onEnd = () => {}, onState = () => {}) {
  let pause = FIRST_PAUSE, received = Promise.resolve(), ended = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {WebSocket | null} */
  let socket = null;
  const leave = () => {
    const old = socket;
    socket = null;
    old?.close();
    clearTimeout(timer);
  };
  const open = () => {
    const mine = socket = new WebSocket(socketUrl(path()));
    mine.onopen = () => mine === socket && onState(true);
    mine.onmessage = ({ data }) => {
      pause = FIRST_PAUSE;
      received = received.then(async () => {
        const message = await decode(data);
        if (mine === socket) queueMicrotask(() => onMessage(message));
      });
    };
    mine.onclose = ({ code }) => {
      if (mine !== socket) return;
      ended = code === 1000 || code >= 4000;
      if (ended) received.then(() => onEnd());
      else lose();
    };
  };
  const lose = () => {
    onState(false);
    timer = setTimeout(open, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  };
  const retry = () => {
    if (ended) return;
    leave();
    open();
  };
  addEventListener("online", retry);
  addEventListener("offline", () => {
    if (ended) return;
    leave();
    lose();
  });
  open();
  return retry;
}

/** @param {string} path */
function socketUrl(path) {
  const url = new URL(path, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  if ("DecompressionStream" in window) url.searchParams.set("encoding", "gzip");
  return url;
}

/** @param {string | Blob} data */
async function decode(data) {
  if (typeof data === "string") return JSON.parse(data);
  return new Response(data.stream().pipeThrough(new DecompressionStream("gzip"))).json();
}
