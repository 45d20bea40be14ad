"""`python -m bench.ladder [GAME[/VARIANT] ...] [--matches N] [--write]`: how strong the house players are.

Two seats, a deal of its own for each match, the seats swapped from match to match.  Of the ladder, neighbours and next
neighbours meet.  The house players that are no rung meet the quick rungs first, then those nearest in strength.  The
ratings are the fit that contests use (`contest/rating.py`): the mean of all players of a variant is 1500.

`python -m bench.ladder fish/standard --seed 1 --try SPEC SPEC ...` rates players that are not on the ladder yet, on
deals that do not rate the ladder.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bench.interpreted import measure_interpreted
from bench.ladder_document import (
    DOCUMENT,
    build_document,
    gap_between,
    ladder_file,
    read_ladders,
    references_file,
    show_rating,
    write_ladders,
)
from bench.series import add_efforts, milliseconds_of, play_series, show_time, start_engine
from bench.strength import positive
from fairplay.catalog import GAMES, find_game
from fairplay.contest.contest import Effort
from fairplay.contest.rating import PoolRatings, RatingRow
from fairplay.core import FairplayError, Outcome
from fairplay.core.chance import derived_seed
from fairplay.core.game import Rung
from fairplay.run.engines.pool import Engine
from fairplay.setups import choose_setup

SEED = 1_811_202_603
"""Of all deals here.  Choose levels with another one: on the deals that they were chosen on, gaps look more even."""

MATCHES = 120
QUICK = 4.0  # milliseconds a move: pairs that are this quick meet four times as often
COSTLY = 20.0  # milliseconds a move: such players meet only their neighbours and next neighbours


class Meeting(Struct, frozen=True):
    """A match between two players of a pool, the second of which may sit first."""

    pair: tuple[str, ...]  # the game, its variant, and the specs of both
    seed: int
    number: int
    line_up: tuple[int, ...]  # by seat: the first or the second of the pair
    outcome: Outcome
    efforts: tuple[Effort | None, ...]


class LadderPool:
    """House players of one variant that meet each other, and how strong they are by what came of it.

    keep: a file of matches that are finished.  Those of two players who meet here are not played again.
    """

    def __init__(
        self,
        engine: Engine,
        game: str,
        variant: str,
        specs: Sequence[str],
        *,
        seed: int = SEED,
        keep: Path | None = None,
    ) -> None:
        self.specs = specs
        self._engine, self._game, self._variant, self._seed, self._keep = engine, game, variant, seed, keep
        self._ratings = PoolRatings(specs, seed=seed, paired=False)
        self._efforts: dict[str, Effort | None] = dict.fromkeys(specs)
        self._known = {(each.pair, each.number): each for each in read_meetings(keep) if each.seed == seed}
        self._met: Counter[tuple[int, int]] = Counter()

    def meet(self, one: int, other: int, matches: int) -> None:
        """Let two players, by their numbers, play this many matches."""
        pair = (self._game, self._variant, self.specs[one], self.specs[other])
        first = self._met[one, other]
        self._met[one, other] += matches
        numbers = range(first, first + matches)
        found = [self._known[pair, number] for number in numbers if (pair, number) in self._known]
        missing = [number for number in numbers if (pair, number) not in self._known]
        for meeting in (*found, *self._play(pair, missing)):
            self._count(meeting, [(one, other)[player] for player in meeting.line_up])

    def _play(self, pair: tuple[str, ...], numbers: Sequence[int]) -> Iterator[Meeting]:
        setup, seed = choose_setup(find_game(self._game), self._variant, {}), derived_seed(self._seed, *pair)
        for result in play_series(self._engine, self._game, setup, pair[2:], numbers, seed=seed):
            meeting = Meeting(pair, self._seed, result.number, result.line_up, result.outcome, result.efforts)
            if self._keep is not None:
                with self._keep.open("ab") as lines:
                    lines.write(msgspec.json.encode(meeting) + b"\n")
            yield meeting

    def _count(self, meeting: Meeting, line_up: Sequence[int]) -> None:
        if any(meeting.outcome.faults):
            raise FairplayError(f"{[self.specs[player] for player in line_up]}: {meeting.outcome.faults}")
        self._ratings.add(derived_seed(meeting.number, *meeting.pair), line_up, meeting.outcome)
        for player, effort in zip(line_up, meeting.efforts, strict=True):
            spec = self.specs[player]
            self._efforts[spec] = add_efforts([self._efforts[spec], effort])

    def milliseconds(self, player: int) -> float | None:
        """CPU time of a player a move; None before its first match."""
        return milliseconds_of(self._efforts[self.specs[player]])

    def table(self) -> list[RatingRow]:
        """The ratings, in the order of the players."""
        found = {row.player: row for row in self._ratings.table()}
        return [found[spec] for spec in self.specs]

    def is_costly(self, player: int) -> bool:
        """Does a match of this player take long?"""
        return (self.milliseconds(player) or 0.0) > COSTLY

    def weigh_pair(self, one: int, other: int) -> float:
        """How often two players meet, compared with others."""
        return weigh_time(max(self.milliseconds(player) or 0.0 for player in (one, other)))


def weigh_time(milliseconds: float) -> float:
    """How often players meet that take this long: those who are quick are measured more exactly."""
    return 4.0 if milliseconds < QUICK else 1.0


def read_meetings(file: Path | None) -> list[Meeting]:
    """The matches that are finished."""
    if file is None or not file.exists():
        return []
    return msgspec.json.Decoder(Meeting).decode_lines(file.read_bytes())


FIRST = 2
"""Matches that show how long a player takes."""


def meet_neighbours(pool: LadderPool, rungs: int, matches: int) -> None:
    """Let the first players of the pool, which are rungs, meet their neighbours and next neighbours."""
    for distance, share in ((1, 1.0), (2, 0.5)):
        for one in range(rungs - distance):
            pool.meet(one, one + distance, FIRST)
            weight = pool.weigh_pair(one, one + distance)
            pool.meet(one, one + distance, max(0, round(matches * share * weight) - FIRST))
            say(f"{pool.specs[one]} : {pool.specs[one + distance]}")


def meet_references(pool: LadderPool, rungs: int, matches: int) -> None:
    """Let the players that are no rungs meet the quick rungs, and then those next to them in strength."""
    quick = [rung for rung in range(rungs) if not pool.is_costly(rung)]
    references = range(rungs, len(pool.specs))
    for player in references:
        for rung in quick:
            pool.meet(player, rung, matches // 8)
    ratings = [row.rating.value for row in pool.table()]
    for player in references:
        for rung in sorted(quick, key=lambda rung: abs(ratings[rung] - ratings[player]))[:2]:
            pool.meet(player, rung, matches // 2)
        say(pool.specs[player])


def measure_ladder(
    engine: Engine,
    game: str,
    variant: str,
    rungs: Sequence[Rung],
    others: Sequence[str] = (),
    *,
    matches: int,
    seed: int = SEED,
    keep: Path | None = None,
) -> tuple[list[Rung], list[Rung]]:
    """The rungs with what was measured of them, and the others, which have the level 0; raises FairplayError."""
    specs = [rung.spec for rung in rungs]
    specs += [spec for spec in others if spec not in specs]
    pool = LadderPool(engine, game, variant, specs, seed=seed, keep=keep)
    meet_neighbours(pool, len(rungs), matches)
    meet_references(pool, len(rungs), matches)
    players = [*rungs, *(Rung(0, spec) for spec in specs[len(rungs) :])]
    measured = [
        replace(
            player,
            rating=round(row.rating.value),
            low=None if row.rating.low is None else round(row.rating.low),
            high=None if row.rating.high is None else round(row.rating.high),
            milliseconds=round_time(pool.milliseconds(number)),
        )
        for number, (player, row) in enumerate(zip(players, pool.table(), strict=True))
    ]
    for number, rung in enumerate(measured[: len(rungs)]):
        measured[number] = replace(rung, interpreted=round_time(measure_interpreted(game, variant, rung.spec)))
    return measured[: len(rungs)], measured[len(rungs) :]


def round_time(milliseconds: float | None) -> float | None:
    """A time with as many digits as say something."""
    return None if milliseconds is None else float(f"{milliseconds:.2g}")


def say(what: str) -> None:
    """Tell those who wait how far it is."""
    print(f"measured: {what}", file=sys.stderr, flush=True)


# -- the program -------------------------------------------------------------------------------


def list_ladders(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The games and variants that `names` stand for; raises FairplayError or SystemExit."""
    for name in names or [game for game in GAMES if ladder_file(game).exists()]:
        game, _, variant = name.partition("/")
        variants = [variant] if variant else [*find_game(game).variants]
        for each in variants:
            choose_setup(find_game(game), each, {})
            yield game, each


def list_others(game: str) -> list[str]:
    """The house players of a game as they are; but rungs are made of the reviewer, and rogues only fault."""
    players = GAMES[game].players
    return [name for name in players.strategies if name not in {players.reviewer, *players.rogues}]


def print_rungs(title: str, players: Iterable[Rung]) -> None:
    """Print what was measured."""
    print(f"\n{title}")
    before: Rung | None = None
    for player in players:
        gap = gap_between(before, player) if before is not None else None
        level = f"{player.level}  {player.name:9}" if player.level else " " * 12
        shown = "" if gap is None else f"{gap:+.0f}"
        times = f"{show_time(player.milliseconds):>6} {show_time(player.interpreted):>8}"
        print(f"  {level} {player.spec:40} {show_rating(player):20} {shown:>6} {times}", flush=True)
        before = player


def write_results(game: str, variant: str, rungs: Sequence[Rung], others: Sequence[Rung]) -> None:
    """Write what was measured of a variant into the files of the game, and the document again."""
    for file, players in ((ladder_file(game), rungs), (references_file(game), others)):
        write_ladders(file, {**read_ladders(file), variant: players})
    write_document()


def write_document() -> None:
    """Write the page of the documentation again."""
    DOCUMENT.write_text(read_document(), "utf-8")


def read_document() -> str:
    """The page of the documentation, out of the files of all games."""
    names = [name for name in GAMES if ladder_file(name).exists()]
    references = {name: read_ladders(references_file(name)) for name in names}
    return build_document({name: read_ladders(ladder_file(name)) for name in names}, references)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write where that is asked for."""
    chosen = read_arguments(arguments)
    try:
        with start_engine(chosen.jobs) as engine:
            for game, variant in [*list_ladders(chosen.ladders)]:
                rate_ladder(engine, game, variant, chosen)
    except FairplayError as error:
        sys.exit(f"Error: {error}")


def rate_ladder(engine: Engine, game: str, variant: str, chosen: argparse.Namespace) -> None:
    """Measure one ladder, or what is tried instead; raises FairplayError."""
    tried = [Rung(level, spec) for level, spec in enumerate(chosen.tried or (), 1)]
    rungs = tried or read_ladders(ladder_file(game)).get(variant, ())
    if not rungs:
        print(f"{game}/{variant} has no ladder.", file=sys.stderr)
        return
    others = () if tried else list_others(game)
    found = measure_ladder(
        engine, game, variant, rungs, others, matches=chosen.matches, seed=chosen.seed, keep=chosen.keep
    )
    print_rungs(f"{game}/{variant}", found[0])
    if found[1]:
        print_rungs("  other house players", sorted(found[1], key=lambda each: each.rating or 0.0))
    if chosen.write and not tried:
        write_results(game, variant, *found)


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m bench.ladder", description="Measure how strong house players are.")
    parser.add_argument("ladders", nargs="*", metavar="GAME[/VARIANT]", help="Ladders to measure; all by default.")
    parser.add_argument("--matches", type=positive, default=MATCHES, help="Matches for each pair of neighbours.")
    parser.add_argument("--seed", type=int, default=SEED, help="Of the deals; use another one to choose levels.")
    parser.add_argument("--jobs", type=positive, default=1, help="Processes that play.")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="Go on with the matches in this file, and add to it.")
    parser.add_argument("--write", action="store_true", help="Write the files of the games and the document.")
    parser.add_argument(
        "--try", nargs="+", dest="tried", metavar="SPEC", help="Rate these instead; nothing is written."
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
