# examples/native_bot.py: a bot of the native protocol in plain Python; plays every game by picking from what is legal
import json
import sys


def say(**message):
    """One JSON value a line, sent at once."""
    print(json.dumps(message), flush=True)


def choose(number, legal):
    """Any rule will do; this one jumps around in the list."""
    return legal[7 * number % len(legal)]


def main():
    say(type="hello", version=1, name="native_bot.py", games=["fish", "labyrinth", "trains"], legal=True)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "welcome":
            print("playing", message["game"], file=sys.stderr)  # text for people: never on standard output
        elif message["type"] == "tell":
            say(type="heard", id=message["id"])
        elif message["type"] == "ask":
            say(type="answer", id=message["id"], action=choose(message["id"], message["legal"]))
        elif message["type"] == "bye":
            print(message["outcome"]["ending"], file=sys.stderr)
            return


if __name__ == "__main__":
    main()
