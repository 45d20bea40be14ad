"""Run a game's harness programs: on text, or on whole folders of cases."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, NoReturn

from fairplay.catalog import GAMES
from fairplay.core import Json, UsageError, WireError
from fairplay.harness.stage import InlineStage
from fairplay.parts.harness import TestProgram

__all__ = ["Case", "cases", "program", "programs", "same", "values"]


def programs(game: str) -> Mapping[str, TestProgram]:
    """The programs of `game` by name; none where it has no established protocol."""
    established = GAMES[game].established
    return {} if established is None else established.harness().PROGRAMS


def program(game: str, name: str) -> TestProgram:
    """One program; raises UsageError naming those there are."""
    found = programs(game)
    if name not in found:
        there_are = f"it has {', '.join(found)}" if found else "it has none"
        raise UsageError(f"{game} has no harness program '{name}'; {there_are}")
    return found[name]


def values(text: str) -> list[Json]:
    """The JSON values in `text`, one after the other; raises WireError."""
    found: list[Json] = []
    at = after_blanks(text, 0)
    while at < len(text):
        try:
            value, end = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise WireError(f"ill-formed JSON in value {len(found) + 1}: {error}") from None
        found.append(value)
        at = after_blanks(text, end)
    return found


def after_blanks(text: str, at: int) -> int:
    blanks = BLANKS.match(text, at)
    return blanks.end() if blanks else at


def refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


BLANKS = re.compile(r"[ \t\r\n]*")
DECODER = json.JSONDecoder(parse_constant=refuse)


class Case(NamedTuple):
    """One input with its agreed output, and what the program really gave."""

    path: Path
    expected: Json
    actual: Json

    @property
    def passed(self) -> bool:
        return same(self.expected, self.actual)


def same(one: Json, other: Json) -> bool:
    """Equal as JSON values: unlike in Python, true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def cases(game: str, name: str, folder: Path) -> Iterator[Case]:
    """Run every ``*-in.json`` below `folder` against its ``*-out.json``."""
    run, stage = program(game, name), InlineStage(GAMES[game])
    for path in sorted(folder.rglob("*-in.json")):
        expected = values(path.with_name(path.name.replace("-in.json", "-out.json")).read_text("utf-8"))
        try:
            actual: Json = run(values(path.read_text("utf-8")), stage)
        except WireError as error:
            actual = f"refused: {error}"
        yield Case(path, expected[0], actual)
