// A bot of the native protocol for node, without packages; plays every game by picking from what is legal.
//     node native_bot.js                     over standard input and output
//     node native_bot.js HOST:PORT [NAME]    over TCP; a token is taken from the variable FAIRPLAY_TOKEN
"use strict";
const net = require("net");
const readline = require("readline");
const [address, name = "native_bot.js"] = process.argv.slice(2);

// Two streams: what is said to us, and what we say.
function connected() {
  if (!address) return [process.stdin, process.stdout];
  const colon = address.lastIndexOf(":");
  const stream = net.connect(Number(address.slice(colon + 1)), address.slice(0, colon));
  stream.setNoDelay(true);
  return [stream, stream];
}

const [told, said] = connected();

// One JSON value a line.
function say(message) {
  said.write(JSON.stringify(message) + "\n");
}

// Any rule will do; this one jumps around in the list.
function choose(number, legal) {
  return legal[(7 * number) % legal.length];
}

say({ type: "hello", version: 1, name, games: ["*"], legal: true, token: process.env.FAIRPLAY_TOKEN });

// Until it is closed: after `bye`, or over TCP after the last match.
readline.createInterface({ input: told }).on("line", (line) => {
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
      break;
    case "refused":
    case "out":
    case "over":
      console.error(line);
  }
});
