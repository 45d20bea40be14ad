"""docs/protocols/native.md holds exactly the schemas of the types, and matches as they are really spoken.

After a change that is meant to alter them: ``FAIRPLAY_GOLDEN=write python -m pytest tests/test_native_document.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from fairplay.catalog import GAMES
from fairplay.core import House, Seen
from fairplay.core.chance import derived
from fairplay.match.driver import describe_seat
from fairplay.match.players import house_strategy
from fairplay.match.protocol import Conversation, Hello, encode_message
from fairplay.match.replay import start_match
from fairplay.match.schemas import game_schema, message_schema
from fairplay.run.inline import play_inline
from fairplay.run.isolation.sandbox import ProgramLimits
from generated_blocks import compare_blocks, lay_out_schema

DOCUMENT = Path(__file__).parent.parent / "docs" / "protocols" / "native.md"


class Example(NamedTuple):
    """A small match to be shown: who plays it, and whether legal actions and all turns are shown."""

    players: tuple[str, str]
    setup: dict[str, Any]
    seed: int
    legal: bool
    turns: bool = False


EXAMPLES = {
    "fish": Example(("greedy", "random"), {"rows": 4, "columns": 3, "fish": 2}, 1, legal=True),
    "labyrinth": Example(("euclid", "riemann"), {"rows": 3, "columns": 5}, 1, legal=False),
    "trains": Example(("buy-now", "hold-10"), {"map": "tiny", "rails": 8, "deck_size": 60}, 2, legal=False, turns=True),
}


class Spoken:
    """A house player that is asked and replies in lines, all of them written down."""

    def __init__(self, name: str, example: Example, setup: Any) -> None:
        game, seed = GAMES[name], example.seed
        self.talk = Conversation(game, derived(seed, "chance").getrandbits(53), info=describe_seat(game, setup, 0, 2))
        self.strategy = house_strategy(game, example.players[0], derived(seed, "player", 0))
        self.lines: list[str] = []
        self.saw = self.write_seen if example.turns else None
        turns = True if example.turns else UNSET
        hello = msgspec.json.encode(Hello(1, "my bot", (name,), example.legal, turns=turns))
        self.write(hello, self.talk.welcome(hello))

    def write(self, said: bytes, heard: bytes) -> None:
        self.lines += [f"> {said.decode().rstrip()}", f"< {heard.decode().rstrip()}"]

    def reply(self, line: bytes, **reply: Any) -> Any:
        said = msgspec.json.encode({"type": reply.pop("type"), "id": self.talk.id, **reply})
        self.lines += [f"< {line.decode().rstrip()}", f"> {said.decode()}"]
        return self.talk.reply(said)

    def choose(self, view: Any) -> Any:
        action = self.strategy(view)
        line = self.talk.ask(view, self.talk.game.patience)
        return self.reply(line, type="answer", action=msgspec.to_builtins(action))

    def write_seen(self, seen: Seen) -> None:
        self.lines.append(f"< {encode_message(seen).decode().rstrip()}")

    def hear(self, news: object) -> None:
        self.reply(self.talk.tell(news, self.talk.game.patience), type="heard")


def spoken(name: str) -> Spoken:
    """The whole match of the example, as seat 0 speaks it."""
    example, game = EXAMPLES[name], GAMES[name]
    setup = msgspec.convert(example.setup, game.setup)
    first = Spoken(name, example, setup)
    rival = House(house_strategy(game, example.players[1], derived(example.seed, "player", 1)))
    outcome = play_inline(start_match(game, setup, example.seed, 2), [first, rival])
    assert outcome.faults == (None, None), outcome.faults
    first.lines.append(f"< {first.talk.bye(outcome).decode().rstrip()}")
    return first


def limits() -> str:
    return "".join(
        f"{name:10} {msgspec.to_builtins(ProgramLimits())[name]:,}\n" for name in ProgramLimits.__struct_fields__
    )


def generated() -> Iterator[tuple[str, str]]:
    yield "limits", limits()
    yield "messages", lay_out_schema(message_schema())
    for name in EXAMPLES:
        match = spoken(name)
        yield f"schema of {name}", lay_out_schema(game_schema(GAMES[name]))
        yield f"match of {name}", "\n".join(match.lines) + "\n"


def test_the_document_holds_what_is_generated() -> None:
    compare_blocks(DOCUMENT, dict(generated()))


def test_every_kind_of_line_and_of_news_is_shown() -> None:
    for name in EXAMPLES:
        text = "\n".join(spoken(name).lines)
        for kind in ("hello", "welcome", "tell", "heard", "ask", "answer", "bye"):
            assert f'"type":"{kind}"' in text, (name, kind)
        for news in GAMES[name].news:
            assert f'"news":"{news.__name__}"' in text, (name, news)
        for action in GAMES[name].actions:
            tag = action.__struct_config__.tag
            assert f'"do":"{tag}"' in text or tag == "pass", (name, tag)
