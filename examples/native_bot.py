# examples/native_bot.py: a bot of the native protocol in plain Python; plays every game by picking from what is legal
#     native_bot.py                     over standard input and output
#     native_bot.py HOST:PORT [NAME]    over TCP; a token is taken from the variable FAIRPLAY_TOKEN
import json
import os
import socket
import sys


def connected(address):
    """Two streams of text: what is said to us, and what we say."""
    if address is None:
        return sys.stdin, sys.stdout
    host, _, port = address.rpartition(":")
    stream = socket.create_connection((host, int(port))).makefile("rw", encoding="utf-8", newline="\n")
    return stream, stream


def say(stream, **message):
    """One JSON value a line, sent at once."""
    print(json.dumps(message), file=stream, flush=True)


def choose(number, legal):
    """Any rule will do; this one jumps around in the list."""
    return legal[7 * number % len(legal)]


def main(address=None, name="native_bot.py"):
    told, said = connected(address)
    token = {"token": os.environ["FAIRPLAY_TOKEN"]} if "FAIRPLAY_TOKEN" in os.environ else {}
    say(said, type="hello", version=1, name=name, games=["*"], legal=True, **token)
    for line in told:  # until it is closed: after `bye`, or over TCP after the last match
        message = json.loads(line)
        if message["type"] == "welcome":
            print("playing", message["game"], file=sys.stderr)  # text for people: never on standard output
        elif message["type"] == "tell":
            say(said, type="heard", id=message["id"])
        elif message["type"] == "ask":
            say(said, type="answer", id=message["id"], action=choose(message["id"], message["legal"]))
        elif message["type"] == "bye":
            print(message["outcome"]["ending"], file=sys.stderr)
        elif message["type"] in ("refused", "out", "over"):
            print(line, end="", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
