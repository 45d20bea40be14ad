"""docs/reference/encodings.md holds the sizes and channels that the code gives.

After a change that is meant to alter them: ``FAIRPLAY_GOLDEN=write python -m pytest tests/test_encodings_document.py``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.match.replay import deal_state
from fairplay.setups import choose_setup

DOCUMENT = Path(__file__).parent.parent / "docs" / "reference" / "encodings.md"

TABLE = re.compile(r"(<!-- generated: (\w+ \w+) -->\n\n)(.*?)(?=\n\n|\n\Z)", re.DOTALL)

SIZES: dict[str, list[tuple[str, str | None, dict[str, Any], Sequence[int]]]] = {
    "fish": [
        ("5 × 5", None, {"rows": 5, "columns": 5}, (2,)),
        ("8 × 8", None, {}, (2, 3, 4)),
        ("original", "original", {}, (2, 4)),
        ("10 × 10", None, {"rows": 10, "columns": 10}, (2,)),
        ("25 × 25", None, {"rows": 25, "columns": 25}, (2,)),
    ],
    "trains": [
        *((name, None, {"map": name}, (2,)) for name in ("tiny", "small", "coast")),
        ("continent", None, {"map": "continent"}, (2, 4, 8)),
        ("vast", None, {"map": "vast"}, (2,)),
    ],
    "labyrinth": [
        ("7 × 7", None, {}, (2, 4)),
        ("9 × 9", None, {"rows": 9, "columns": 9}, (2,)),
        ("original", "original", {}, (2, 4)),
    ],
}


def lay_out_table(head: Sequence[str], rows: Iterator[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def encoding_of(game: Any, variant: str | None, fields: dict[str, Any], seats: int) -> tuple[Any, Any]:
    """The encoding of such matches, and the view of the first decision."""
    state = deal_state(game, choose_setup(game, variant, fields), 0, seats)
    mover = game.rules.to_move(state)
    return game.parts.numbers.encoding_of(state), game.rules.view(state, Seat(0) if mover is None else mover)


def list_sizes(name: str) -> Iterator[Sequence[object]]:
    for board, variant, fields, counts in SIZES[name]:
        for seats in counts:
            encoding, _ = encoding_of(GAMES[name], variant, fields, seats)
            yield board, seats, f"{encoding.actions:,}", " × ".join(map(str, encoding.shape))


def list_channels(name: str) -> Iterator[Sequence[object]]:
    encoding, _ = encoding_of(GAMES[name], None, {}, 2)
    first = 0
    for channels in encoding.channels:
        last = first + channels.size - 1
        yield first if first == last else f"{first} to {last}", channels.name, channels.about
        first = last + 1


def list_actions(name: str) -> Iterator[Sequence[object]]:
    """Ranges of numbers that mean the same kind of action, with the first and the last in the game's notation."""
    game = GAMES[name]
    encoding, view = encoding_of(game, None, {}, 2)
    actions = [(number, encoding.action(number, view)) for number in range(encoding.actions)]
    for kind, found in groupby(actions, key=lambda each: type(each[1]).__name__):
        ends = [*found]
        (low, first), (high, last) = ends[0], ends[-1]
        numbers = f"{low}" if low == high else f"{low} to {high}"
        examples = dict.fromkeys(f"`{game.notation.format_action(action)}`" for action in (first, last))
        yield numbers, kind, " to ".join(examples)


def build_tables() -> dict[str, str]:
    tables = {}
    for name in SIZES:
        tables[f"{name} sizes"] = lay_out_table(["board", "seats", "actions", "observation"], list_sizes(name))
        tables[f"{name} actions"] = lay_out_table(["numbers", "action", "written"], list_actions(name))
        tables[f"{name} channels"] = lay_out_table(["channels", "name", "about"], list_channels(name))
    return tables


def test_the_document_holds_what_the_code_gives() -> None:
    text, tables = DOCUMENT.read_text("utf-8"), build_tables()
    if os.environ.get("FAIRPLAY_GOLDEN") == "write":
        DOCUMENT.write_text(TABLE.sub(lambda found: found[1] + tables[found[2]], text), "utf-8")
        pytest.skip("written again")
    assert {found[2]: found[3] for found in TABLE.finditer(text)} == tables


def test_every_game_with_numbers_is_there() -> None:
    own = {
        name for name, game in GAMES.items() if game.parts.numbers is not None and "fairplay.games" in str(game.rules)
    }
    assert own == SIZES.keys()
    text = DOCUMENT.read_text("utf-8")
    for name in SIZES:
        numbers = GAMES[name].parts.numbers
        assert numbers is not None and f"`{numbers.VERSION}`" in text
