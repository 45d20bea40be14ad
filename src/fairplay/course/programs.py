"""Run a game's harness programs: on text, or on whole folders of cases."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, NoReturn

from fairplay.catalog import GAMES
from fairplay.core import Json, UsageError, WireError
from fairplay.core.established import TestProgram
from fairplay.core.names import list_known
from fairplay.course.stage import InlineStage


def list_programs(game: str) -> Mapping[str, TestProgram]:
    """The programs of `game` by name; none if it has no established protocol."""
    established = GAMES[game].parts.established
    return {} if established is None else established.harness().PROGRAMS


REMOTE = ("xserver", "xclients")
"""The programs that play over TCP if they are given a port."""


def find_program(game: str, name: str) -> TestProgram:
    """One program that reads standard input; raises UsageError naming all there are."""
    found = list_programs(game)
    if name not in found:
        names = dict.fromkeys([*found, *REMOTE]) if found else ()
        raise UsageError(f"{game} has no harness program '{name}'; it has {list_known(name, names)}")
    return found[name]


def read_values(text: str) -> list[Json]:
    """The JSON values in `text`, one after the other; raises WireError."""
    found: list[Json] = []
    at = skip_whitespace(text, 0)
    while at < len(text):
        try:
            value, end = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise WireError(f"ill-formed JSON in value {len(found) + 1}: {error}") from None
        found.append(value)
        at = skip_whitespace(text, end)
    return found


def skip_whitespace(text: str, at: int) -> int:
    """Where the next value begins."""
    blanks = BLANKS.match(text, at)
    return blanks.end() if blanks else at


def refuse_constant(constant: str) -> NoReturn:
    """Refuse what Python reads and JSON does not have, such as NaN."""
    raise ValueError(f"{constant} is not JSON")


BLANKS = re.compile(r"[ \t\r\n]*")
DECODER = json.JSONDecoder(parse_constant=refuse_constant)


class Case(NamedTuple):
    """One input with its agreed output, and what the program really gave."""

    path: Path
    expected: Json
    actual: Json

    @property
    def passed(self) -> bool:
        return equal_as_json(self.expected, self.actual)


def equal_as_json(one: Json, other: Json) -> bool:
    """Equal as JSON values: unlike in Python, true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def run_cases(game: str, name: str, folder: Path) -> Iterator[Case]:
    """Run every ``*-in.json`` below `folder` against its ``*-out.json``."""
    run, stage = find_program(game, name), InlineStage(GAMES[game])
    for path in sorted(folder.rglob("*-in.json")):
        expected = read_values(path.with_name(path.name.replace("-in.json", "-out.json")).read_text("utf-8"))
        try:
            actual: Json = run(read_values(path.read_text("utf-8")), stage)
        except WireError as error:
            actual = f"refused: {error}"
        yield Case(path, expected[0], actual)
