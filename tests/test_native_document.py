"""docs/protocols/native.md holds exactly the schemas of the types, and matches as they are really spoken.

After a change that is meant to alter them: ``FAIRPLAY_GOLDEN=write python -m pytest tests/test_native_document.py``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core import House
from fairplay.core.chance import derived
from fairplay.play.players import house_strategy
from fairplay.play.protocol import Conversation, Hello
from fairplay.play.record import start_match
from fairplay.play.schemas import game_schema, message_schema
from fairplay.run.inline import play_inline
from fairplay.run.isolation.sandbox import ProgramLimits

DOCUMENT = Path(__file__).parent.parent / "docs" / "protocols" / "native.md"
BLOCK = re.compile(r"<!-- generated: ([\w -]+) -->\n```(\w+)\n(.*?)```\n", re.DOTALL)


class Example(NamedTuple):
    """A small match to be shown: who plays it, and whether the legal actions are shown with the questions."""

    players: tuple[str, str]
    setup: dict[str, Any]
    seed: int
    legal: bool


EXAMPLES = {
    "fish": Example(("greedy", "random"), {"rows": 4, "columns": 3, "fish": 2}, 1, legal=True),
    "labyrinth": Example(("euclid", "riemann"), {"rows": 3, "columns": 5}, 1, legal=False),
    "trains": Example(("buy-now", "hold-10"), {"map": "tiny", "rails": 8, "deck_size": 60}, 2, legal=False),
}


class Spoken:
    """A house player that is asked and replies in lines, all of them written down."""

    def __init__(self, name: str, spec: str, seed: int, *, legal: bool) -> None:
        self.talk = Conversation(GAMES[name], derived(seed, "chance").getrandbits(53))
        self.strategy = house_strategy(GAMES[name], spec, derived(seed, "player", 0))
        self.lines: list[str] = []
        hello = msgspec.json.encode(Hello(1, "my bot", (name,), legal))
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

    def hear(self, news: object) -> None:
        self.reply(self.talk.tell(news, self.talk.game.patience), type="heard")


def spoken(name: str) -> Spoken:
    """The whole match of the example, as seat 0 speaks it."""
    example, game = EXAMPLES[name], GAMES[name]
    first = Spoken(name, example.players[0], example.seed, legal=example.legal)
    rival = House(house_strategy(game, example.players[1], derived(example.seed, "player", 1)))
    setup = msgspec.convert(example.setup, game.setup)
    outcome = play_inline(start_match(game, setup, example.seed, 2), [first, rival])
    assert outcome.faults == (None, None), outcome.faults
    first.lines.append(f"< {first.talk.bye(outcome).decode().rstrip()}")
    return first


def laid_out(schema: Any) -> str:
    """A schema as JSON with a line for each property: short enough to read."""
    parts = []
    for name, definition in schema["$defs"].items():
        rest = {key: value for key, value in definition.items() if key != "properties"}
        if "properties" not in definition:
            parts.append(f"  {json.dumps(name)}: {json.dumps(rest)}")
            continue
        lines = [f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in definition["properties"].items()]
        body = ",\n".join(lines)
        parts.append(f'  {json.dumps(name)}: {json.dumps(rest)[:-1]}, "properties": {{\n{body}\n  }}}}')
    text = f'{{"$schema": {json.dumps(schema["$schema"])}, "$defs": {{\n' + ",\n".join(parts) + "\n}}\n"
    assert json.loads(text) == schema
    return text


def limits() -> str:
    return "".join(
        f"{name:10} {msgspec.to_builtins(ProgramLimits())[name]:,}\n" for name in ProgramLimits.__struct_fields__
    )


def generated() -> Iterator[tuple[str, str]]:
    yield "limits", limits()
    yield "messages", laid_out(message_schema())
    for name in EXAMPLES:
        match = spoken(name)
        yield f"schema of {name}", laid_out(game_schema(GAMES[name]))
        yield f"match of {name}", "\n".join(match.lines) + "\n"


def test_the_document_holds_what_is_generated() -> None:
    text = DOCUMENT.read_text("utf-8")
    blocks = dict(generated())
    if os.environ.get("FAIRPLAY_GOLDEN") == "write":
        DOCUMENT.write_text(BLOCK.sub(lambda found: renewed(found, blocks), text), "utf-8")
        pytest.skip("written anew")
    held = {found[1]: found[3] for found in BLOCK.finditer(text)}
    assert held == blocks


def renewed(found: re.Match[str], blocks: dict[str, str]) -> str:
    return f"<!-- generated: {found[1]} -->\n```{found[2]}\n{blocks[found[1]]}```\n"


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
