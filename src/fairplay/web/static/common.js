// Shared by all scripts: calling the API, showing errors, sockets that reconnect.

export const $ = (id) => document.getElementById(id);

export async function callApi(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, options);
  const result = response.headers.get("Content-Type")?.includes("json") ? await response.json() : { error: await response.text() };
  if (!response.ok) throw new Error(result.error || `The server answered ${response.status}.`);
  return result;
}

// An error may cover something one wants to see: a click hides it.
export function showError(text) {
  $("error").onclick ??= () => showError("");
  $("error").textContent = text;
  $("error").hidden = !text;
}

// Follow a socket, and reconnect for as long as that makes sense.  `path` is called for each attempt, so that it can say
// what has been seen; `onEnd` is called when the server says that there is no more.
export function follow(path, onMessage, onEnd = () => {}) {
  let pause = 500, received = Promise.resolve();
  const open = () => {
    const socket = new WebSocket(socketUrl(path()));
    socket.onmessage = ({ data }) => {
      pause = 500;
      received = received.then(async () => {
        const message = await decode(data);
        queueMicrotask(() => onMessage(message));
      });
    };
    socket.onclose = ({ code }) => {
      if (code === 1000 || code >= 4000) return received.then(() => onEnd());
      setTimeout(open, pause);
      pause = Math.min(2 * pause, 15000);
    };
  };
  open();
}

function socketUrl(path) {
  const url = new URL(path, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  if (window.DecompressionStream) url.searchParams.set("encoding", "gzip");
  return url;
}

async function decode(data) {
  if (typeof data === "string") return JSON.parse(data);
  return new Response(data.stream().pipeThrough(new DecompressionStream("gzip"))).json();
}
