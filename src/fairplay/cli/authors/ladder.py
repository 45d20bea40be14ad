"""`fairplay ladder`: how strong are the levels of a game, and is each stronger than the one below?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise

import click

from fairplay.api.games import LoadedGame
from fairplay.api.tournaments import tournament
from fairplay.cli.options import choose_game, choose_seed, json_option
from fairplay.cli.output import echo, print_json
from fairplay.contest.statistics import Estimate
from fairplay.core import UsageError
from fairplay.core.game import Rung
from fairplay.report.json_output.catalog import LadderDocument, MeasuredLevel
from fairplay.run.house_players import levels_of_variant, list_playable, name_level
from fairplay.setups import choose_setup


@click.command(
    "ladder",
    epilog="""\b
Every level meets every other one, in each order of the seats. A level is in the wrong place if it is
weaker than the one below it, beyond doubt: their 95 % intervals do not overlap.

\b
Examples:
  fairplay ladder mygame
  fairplay ladder ./mygame.py --games 100 --jobs 4
  fairplay ladder mygame --variant large --seed 7 --json
""",
)
@click.argument("game")
@click.option("--variant", help="Measure the levels of this variant. [default: the first one]")
@click.option("--games", type=click.IntRange(1), default=20, show_default=True, help="Matches for each order of seats.")
@click.option("--seed", type=int, help="Fixes the deals, and the chance of the players. [default: a new one]")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Number of worker processes.")
@json_option
def command(game: str, variant: str | None, games: int, seed: int | None, jobs: int, *, as_json: bool) -> None:
    """Measure the levels of a game, weakest first.  Exit code 1: a level is weaker than the one below it."""
    chosen = choose_game(game)
    setup, drawn = choose_setup(chosen, variant, {}, None), choose_seed(seed)
    playable, left_out = list_playable(chosen, setup)
    rungs = [rung for rung in levels_of_variant(chosen, setup) if name_level(rung) in playable]
    if len(rungs) < 2:
        raise UsageError(f"{chosen.name} has one level that can be played here; it takes two to compare them")
    players = {name_level(rung): rung.spec for rung in rungs}
    table = tournament(LoadedGame(chosen, setup), players, games=games, seed=drawn, jobs=jobs, progress=not as_json)
    ratings = {row.player: row.rating for row in table.tables.standings}
    measured = tuple(_measure_level(rung, ratings[name_level(rung)]) for rung in rungs)
    found = LadderDocument(
        chosen.name, setup.variant, drawn, len(table.matches), measured, find_inversions(measured), left_out
    )
    if as_json:
        print_json(found)
    else:
        _show_ladder(found)
    if found.inverted:
        sys.exit(1)


def _measure_level(rung: Rung, rating: Estimate | None) -> MeasuredLevel:
    value, low, high = (rating.value, rating.low, rating.high) if rating else (None, None, None)
    return MeasuredLevel(rung.level, name_level(rung), rung.spec, value, low, high)


def find_inversions(levels: Sequence[MeasuredLevel]) -> tuple[str, ...]:
    """The levels that are weaker than the one below, beyond doubt."""
    return tuple(
        above.name
        for below, above in pairwise(levels)
        if above.high is not None and below.low is not None and above.high < below.low
    )


def _show_ladder(found: LadderDocument) -> None:
    """Print the levels, the strongest first, and the verdict."""
    width = max(len(level.name) for level in found.levels)
    for level in reversed(found.levels):
        rating = "?" if level.rating is None else f"{level.rating:.0f}"
        bounds = "" if level.low is None or level.high is None else f" [{level.low:.0f}, {level.high:.0f}]"
        mark = "  weaker than the level below" if level.name in found.inverted else ""
        echo(f"{level.level:3}  {level.name:{width}}  {rating + bounds:20}  {level.spec}{mark}")
    if found.left_out:
        echo(found.left_out)
    unsure = [
        f"{above.name} and {below.name}"
        for below, above in pairwise(found.levels)
        if above.name not in found.inverted and (above.low is None or below.high is None or above.low <= below.high)
    ]
    if unsure:
        echo(f"Not told apart: {', '.join(unsure)}; play more --games to be surer.")
    verdict = f"in the wrong order: {', '.join(found.inverted)}" if found.inverted else "not in the wrong order"
    echo(
        f"The levels of {found.game}/{found.variant} are {verdict} ({found.matches} matches, seed {found.seed}).",
        bold=True,
    )
