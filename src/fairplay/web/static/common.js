// What all scripts of the pages share: asking the API, and sockets that come back.

export const $ = (id) => document.getElementById(id);

export async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, options);
  const answer = response.headers.get("Content-Type")?.includes("json") ? await response.json() : { error: await response.text() };
  if (!response.ok) throw new Error(answer.error || `the server answered ${response.status}`);
  return answer;
}

// A refusal may lie over something that one wants to see: a click takes it away.
export function refuse(text) {
  $("refused").onclick ??= () => refuse("");
  $("refused").textContent = text;
  $("refused").hidden = !text;
}

// Follow a socket for as long as it makes sense; `ended` is told when the server says that there is no more.
// `path` is asked for each time, so that it can say what has been seen.
export function follow(path, heard, ended = () => {}) {
  let pause = 500, stopped = false, socket;
  const open = () => {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path()}`);
    socket.onmessage = (event) => { pause = 500; heard(JSON.parse(event.data)); };
    socket.onclose = (event) => {
      if (stopped) return;
      if (event.code === 1000 || event.code >= 4000) return ended(event.code);
      setTimeout(open, pause);
      pause = Math.min(2 * pause, 15000);
    };
  };
  open();
  return () => { stopped = true; socket.close(); };
}
