// A bot of the native protocol for node, without packages; plays every game by picking from what is legal.
"use strict";
const lines = require("readline").createInterface({ input: process.stdin });

// One JSON value a line.
function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

// Any rule will do; this one jumps around in the list.
function choose(number, legal) {
  return legal[(7 * number) % legal.length];
}

say({ type: "hello", version: 1, name: "native_bot.js", games: ["fish", "labyrinth", "trains"], legal: true });

lines.on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "welcome":
      console.error("playing", message.game); // text for people: never on standard output
      break;
    case "tell":
      say({ type: "heard", id: message.id });
      break;
    case "ask":
      say({ type: "answer", id: message.id, action: choose(message.id, message.legal) });
      break;
    case "bye":
      console.error(message.outcome.ending);
      lines.close();
      break;
  }
});
