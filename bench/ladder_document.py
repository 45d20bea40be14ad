"""The files that hold what was measured of the house players, and the page of the documentation that they make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from bench.interpreted import LIMIT
from bench.series import show_time
from fairplay.catalog import GAMES
from fairplay.core.game import Rung

DOCUMENT = Path(__file__).parent.parent / "docs" / "reference" / "house-players.md"

Ladders: TypeAlias = Mapping[str, Sequence[Rung]]
"""Players by variant.  Those that are no rung, such as the strategies of the protocols, have the level 0."""


def ladder_file(game: str) -> Path:
    """Where the rungs of a game are."""
    return Path(GAMES.folders(game)[0]) / "players" / "ladder.json"


def references_file(game: str) -> Path:
    """Where the other house players of a game are, as far as they were measured."""
    return ladder_file(game).with_name("references.json")


def read_ladders(file: Path) -> dict[str, tuple[Rung, ...]]:
    """The players in a file; none where there is no such file."""
    return msgspec.json.decode(file.read_bytes(), type=dict[str, tuple[Rung, ...]]) if file.exists() else {}


def write_ladders(file: Path, ladders: Ladders) -> None:
    """Write a file, a line for each player."""
    variants = []
    for variant, rungs in ladders.items():
        lines = ",\n".join(f"    {encode_rung(rung)}" for rung in rungs)
        variants.append(f"  {encode(variant)}: [\n{lines}\n  ]")
    file.write_text("{\n" + ",\n".join(variants) + "\n}\n", "utf-8")


def encode_rung(rung: Rung) -> str:
    """A player as JSON, without what is not known of it."""
    known = {key: value for key, value in msgspec.to_builtins(rung).items() if value is not None and value != ""}
    return "{" + ", ".join(f"{encode(key)}: {encode(value)}" for key, value in known.items()) + "}"


def encode(value: Any) -> str:
    """A value as JSON."""
    return msgspec.json.encode(value).decode()


# -- the document ------------------------------------------------------------------------------


def build_document(ladders: Mapping[str, Ladders], references: Mapping[str, Ladders]) -> str:
    """The whole page, by game."""
    parts = [HEAD]
    for game, variants in ladders.items():
        parts.append(f"## {game.capitalize()}\n")
        for variant, rungs in variants.items():
            parts.append(f"### {game.capitalize()}, {variant}\n\n{lay_out_table(RUNG_HEAD, list_rungs(rungs))}")
            if others := references.get(game, {}).get(variant):
                parts.append(f"The other house players:\n\n{lay_out_table(REFERENCE_HEAD, list_references(others))}")
    return "\n".join(parts)


HEAD = """# House players

<!-- Written by `python -m bench.ladder --write`; do not edit it by hand. -->

Every level is a house player with its options; the spec can be used wherever a player is named. The *rating* is that of
[contests](../guides/contests.md): 400 points are odds of ten to one, and the mean of all players of one variant, those
in the second table included, is 1500. In brackets is the 95 % interval. Ratings of different variants cannot be
compared. The *gap* is the distance to the level below. Times are milliseconds of CPU time a move on one core, with
numba and without it.

All of it was measured by `python -m bench.ladder`, with two seats, a deal of its own for each match, and the seats
swapped from match to match. Neighbours on the ladder and next neighbours meet; the other house players meet the levels
that are quick, and those next to them in strength.
"""

RUNG_HEAD = ("level", "name", "spec", "rating", "gap", "ms a move", "without numba")
REFERENCE_HEAD = ("spec", "rating", "ms a move")


def list_rungs(rungs: Sequence[Rung]) -> Iterator[Sequence[str]]:
    """The rows of a ladder, the strongest first, as a table of players has them."""
    gaps = [None, *(gap_between(below, above) for below, above in pairwise(rungs))]
    for rung, gap in reversed([*zip(rungs, gaps, strict=True)]):
        shown = "" if gap is None else f"{gap:.0f}"
        times = show_time(rung.milliseconds), show_interpreted(rung)
        yield str(rung.level), rung.name, f"`{rung.spec}`", show_rating(rung), shown, *times


def show_interpreted(rung: Rung) -> str:
    """The time without numba, of which nobody waited for more than the limit."""
    most = 1000 * LIMIT
    return f"over {most:.0f}" if (rung.interpreted or 0.0) >= most else show_time(rung.interpreted)


def gap_between(below: Rung, above: Rung) -> float | None:
    """The distance of two ratings; None where one is not known."""
    return None if below.rating is None or above.rating is None else above.rating - below.rating


def list_references(players: Sequence[Rung]) -> Iterator[Sequence[str]]:
    """The rows of players that are no rungs, the strongest first."""
    for player in sorted(players, key=lambda each: each.rating or 0.0, reverse=True):
        yield f"`{player.spec}`", show_rating(player), show_time(player.milliseconds)


def show_rating(rung: Rung) -> str:
    """A rating with its interval."""
    if rung.rating is None:
        return "not measured"
    return f"{rung.rating:.0f}" + (
        "" if rung.low is None or rung.high is None else f" [{rung.low:.0f}, {rung.high:.0f}]"
    )


def lay_out_table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
