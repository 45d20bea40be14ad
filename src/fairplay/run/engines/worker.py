"""Play one numbered match of a contest in this process: what every engine sends its workers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import lru_cache
from random import Random
from time import perf_counter
from typing import Any

import msgspec

from fairplay.catalog import find_game
from fairplay.contest.contest import Batch, Match, Result
from fairplay.core import AnyGame
from fairplay.play.levels import worth_telling
from fairplay.play.packing import packed
from fairplay.play.record import record_match
from fairplay.run.entrants import Seating, add_kind, describe_house_players, is_trusted, levels_of, seat_entrant
from fairplay.run.inline import play_inline
from fairplay.run.isolation.program import Usage, end_programs

__all__ = ["Notice", "play_batch", "play_match"]

Notice = Callable[[Match, list[Usage | None]], object]
"""Is told what the programs of a match took, by seat."""


def play_batch(batch: Batch) -> list[Result]:
    """Play some matches one after the other; the same match gives the same result wherever it runs."""
    for kind, maker in batch.kinds.items():
        add_kind(kind, maker)
    return [play_match(batch, match) for match in batch.matches]


def play_match(batch: Batch, match: Match, notice: Notice | None = None) -> Result:
    """Play one match; `notice` is told what each program took, by seat."""
    started = perf_counter()
    game, setup = game_and_setup(batch.game, bytes(batch.setup))
    lines: list[bytes] = []
    names = tuple(name for name, _ in match.entrants)
    with redirect_stdout(sys.stderr):  # what a bot prints must not mix with our report
        seatings = [find_seating(batch, spec) for _, spec in match.entrants]
        players = [seat(Random(chance)) for seat, chance in zip(seatings, match.chances, strict=True)]
        outcome = None
        try:
            levels = levels_of(match.entrants, players, batch.require)
            orders = record_match(
                game,
                setup,
                match.seed,
                names,
                lines.append,
                seed_chosen=batch.seed_chosen,
                levels=levels,
                house=describe_house_players(game, match),
            )
            outcome = play_inline(orders, players)
        finally:
            usage = end_programs(players, outcome)
    if notice is not None:
        notice(match, usage)
    seconds = perf_counter() - started
    return Result(match.number, match.line_up, match.deal, outcome, packed(lines), seconds, worth_telling(levels))


@lru_cache(maxsize=16)
def game_and_setup(name: str, setup: bytes) -> tuple[AnyGame, Any]:
    """A game by name, and a setup of it."""
    game = find_game(name)
    return game, msgspec.json.decode(setup, type=game.setup)


def find_seating(batch: Batch, spec: str) -> Seating:
    """How to seat an entrant.  A trusted bot file is loaded once per process, and again when it has changed."""
    folder = os.getcwd()  # noqa: PTH109 - twice per match
    return cached_seating(batch.game, spec, batch.patience, batch.files, folder, file_version(spec))


def file_version(spec: str) -> tuple[int, int] | None:
    """What tells one version of a trusted bot file from the next."""
    if not is_trusted(spec):
        return None
    try:
        found = os.stat(spec.split(":")[1])  # noqa: PTH116
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=10_000)
def cached_seating(
    name: str, spec: str, patience: float, files: tuple[str, ...], folder: str, version: tuple[int, int] | None
) -> Seating:
    """How to seat a player, found once per process."""
    return seat_entrant(find_game(name), spec, patience, files)
