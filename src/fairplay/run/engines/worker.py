"""Play numbered matches of a contest in this process: what every engine sends its workers."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, redirect_stdout, suppress
from functools import lru_cache
from pathlib import Path
from random import Random
from time import perf_counter, thread_time_ns
from typing import Any, Protocol, runtime_checkable

import msgspec

from fairplay import game_files
from fairplay.catalog import find_game
from fairplay.contest.contest import Batch, Effort, Hidden, Match, Result, broken_result
from fairplay.contest.specs import AddedSpec, BotFileSpec, EntrantSpec, PersonSpec, parse_spec
from fairplay.core import AnyGame, FairplayError, House, Player, RuleBookError, SeatInfo
from fairplay.kernels.progress import seconds_compiling
from fairplay.match.driver import describe_seat
from fairplay.match.packing import packed
from fairplay.match.record import worth_telling
from fairplay.match.replay import record_match
from fairplay.run.entrants import BotSeating, Seating, describe_house_players, levels_of, seat_entrant
from fairplay.run.inline import WithDeadline, play_inline
from fairplay.run.isolation.program import Program, Usage, end_programs

# -- what answers take -------------------------------------------------------------------------

# Measured beside the match, and never part of its record.  Reading the clock of CPU time twice takes some microseconds,
# more than a quick player thinks.  So players of this process are measured in their first matches, and from then on in
# a sample.

ALL_MEASURED = 16
"""Matches at the beginning of a contest in which every answer is measured."""

ONE_OF = 64
"""From then on, one match out of this many."""


class Sample:
    """Which of the matches that are played one after the other are measured: among them the first of every player."""

    def __init__(self) -> None:
        self._players: set[str] = set()

    def takes(self, number: int, players: Sequence[str]) -> bool:
        """Is the match with this number, between these players, measured?"""
        if number >= ALL_MEASURED and number % ONE_OF and self._players.issuperset(players):
            return False
        self._players.update(players)
        return True


class Meter:
    """Measures the answers of one player in CPU time of its thread."""

    def __init__(self, choose: Callable[[Any], object], clock: Callable[[], int] = thread_time_ns) -> None:
        self._choose, self._clock = choose, clock
        self.answers, self.spent = 0, 0  # in nanoseconds

    def choose(self, view: object) -> object:
        self.answers += 1
        started, compiled = self._clock(), seconds_compiling()
        try:
            return self._choose(view)
        finally:
            once = int((seconds_compiling() - compiled) * 1e9)  # is not what a move takes
            self.spent += max(0, self._clock() - started - once)


def meter_players(players: Sequence[object]) -> list[Meter | None]:
    """EFFECT: measures those players that answer in this process; their meters by seat, None for all others."""
    meters: list[Meter | None] = []
    for player in players:
        meter = None
        if isinstance(player, House | WithDeadline):
            meter = Meter(player.choose)
            player.choose = meter.choose
        meters.append(meter)
    return meters


def measure_effort(player: object, meter: Meter | None) -> Effort | None:
    """What the answers of a player took in the match that is over; None if nobody knows."""
    if meter is not None:
        return Effort(meter.answers, meter.spent / 1e9)
    if isinstance(player, Program) and player.usage is not None and player.usage.cpu:
        usage = player.usage
        return Effort(usage.answers, max(0.0, usage.cpu - usage.start), start=usage.start)
    return None


# -- playing -----------------------------------------------------------------------------------


@runtime_checkable
class WatchingPlayer(Player, Protocol):
    """A player of this process that is shown every event of its match; it is trusted to show only what it may."""

    def watch(self, event: Any, /) -> object: ...


Notice = Callable[[Match, list[Usage | None]], object]
"""Is told what the programs of a match took, by seat."""

Printing = Callable[[], AbstractContextManager[object]]
"""Makes a block in which players print where they should."""


def play_batch(batch: Batch) -> list[Result]:
    """Play some matches one after the other; the same match gives the same result wherever it runs."""
    return [*play_matches((batch, match) for match in batch.matches)]


def print_aside() -> AbstractContextManager[object]:
    """While it lasts, what bots of this process print goes to standard error: it must not mix with our report."""
    return redirect_stdout(sys.stderr)


def play_matches(
    source: Iterable[tuple[Batch, Match]], notice: Notice | None = None, printing: Printing = print_aside
) -> Iterator[Result]:
    """Play matches one after the other; `notice` is told what each program took, by seat.

    A match whose rule book fails is broken off, and the next one is played.

    printing: where players of this process print while they are asked.  What it changes is shared by all threads.

    While one is played, the interpreters for the bots of the next one start.  A bot itself is loaded when its match
    begins: until then its process has been told nothing, and none of its code has run.
    """
    ahead = iter(source)
    current, early, sample = next(ahead, None), dict[int, Program](), Sample()
    try:
        while current is not None:
            following = next(ahead, None)
            seated, early = early, dict[int, Program]()  # a match that cannot begin leaves nobody to the next one
            try:
                with printing():
                    players = _seat_players(*current, seated)
                early = {} if following is None else _start_early(*following)
                with printing():
                    result, usage = play_match(*current, players, sample)
            except RuleBookError as error:
                yield broken_result(current[1], error)
            else:
                if notice is not None:
                    notice(current[1], usage)
                yield result
            current = following
    finally:
        end_programs(early.values(), None)


def _seat_players(batch: Batch, match: Match, early: Mapping[int, Program]) -> list[Player]:
    """The players of a match by seat; those that were started early are there already."""
    infos = describe_seats(batch, match)
    return [
        early[seat] if seat in early else _find_seating(batch, spec)(Random(chance), infos[seat])
        for seat, ((_, spec), chance) in enumerate(zip(match.entrants, match.chances, strict=True))
    ]


def describe_seats(batch: Batch, match: Match) -> list[SeatInfo]:
    """What the players of a match may know beforehand, by seat."""
    game, setup = _game_and_setup(batch.game, bytes(batch.setup))
    return [describe_seat(game, setup, seat, len(match.entrants)) for seat in range(len(match.entrants))]


def _start_early(batch: Batch, match: Match) -> dict[int, Program]:
    """EFFECT: starts the interpreters for the bots of a match that is not on yet; the players by seat.

    What goes wrong is found out again, and told, when the match begins.
    """
    started: dict[int, Program] = {}
    with suppress(FairplayError):
        infos = describe_seats(batch, match)
        for seat, ((_, spec), chance) in enumerate(zip(match.entrants, match.chances, strict=True)):
            if isinstance(seating := _find_seating(batch, spec), BotSeating):
                started[seat] = seating(Random(chance), infos[seat])
    return started


def play_match(
    batch: Batch, match: Match, players: Sequence[Player], sample: Sample
) -> tuple[Result, list[Usage | None]]:
    """Play one match between these players, measured if the sample wants it; what each program took, by seat."""
    started = perf_counter()
    game, setup = _game_and_setup(batch.game, bytes(batch.setup))
    lines: list[bytes] = []
    names = tuple(name for name, _ in match.entrants)
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
            ponder=batch.ponder,
            rule_book=game_files.hash_of(game.name),
        )
        meters = meter_players(players) if sample.takes(match.number, names) else [None] * len(players)
        observers = [player.watch for player in players if isinstance(player, WatchingPlayer)]
        outcome = play_inline(orders, players, observers, ponder=batch.ponder)
    finally:
        usage = end_programs(players, outcome)
    if any(outcome.faults):
        game_files.check_unchanged(game.name)  # the process of a bot could not load another rule book: not its fault
    if batch.logs:
        _write_logs(batch.logs, match, usage)
    seconds = perf_counter() - started
    told, efforts = worth_telling(levels), tuple(map(measure_effort, players, meters))
    return Result(match.number, match.line_up, match.deal, outcome, packed(lines), seconds, told, efforts), usage


@lru_cache(maxsize=16)
def _game_and_setup(name: str, setup: bytes) -> tuple[AnyGame, Any]:
    """A game by name, and a setup of it."""
    game = find_game(name)
    return game, msgspec.json.decode(setup, type=game.setup)


def _find_seating(batch: Batch, text: str) -> Seating:
    """How to seat an entrant.  A trusted bot file is loaded once per process, and again when it has changed."""
    spec = parse_spec(text)
    if isinstance(spec, AddedSpec | PersonSpec):  # whoever added the kind knows what to keep, and for how long
        return seat_entrant(find_game(batch.game), text, batch.patience, batch.hidden, batch.kinds)
    folder = os.getcwd()  # noqa: PTH109 - twice per match
    return cached_seating(batch.game, text, batch.patience, batch.hidden, folder, _file_version(spec))


def _file_version(spec: EntrantSpec) -> tuple[int, int] | None:
    """What tells one version of a trusted bot file from the next."""
    if not (isinstance(spec, BotFileSpec) and spec.trust == "trusted"):
        return None
    try:
        found = os.stat(spec.path)  # noqa: PTH116 - once per match and player
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=10_000)
def cached_seating(
    name: str, spec: str, patience: float, hidden: Hidden, folder: str, version: tuple[int, int] | None
) -> Seating:
    """How to seat a player, found once per process."""
    return seat_entrant(find_game(name), spec, patience, hidden)


# -- what programs printed ---------------------------------------------------------------------

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
"""What has no place in the name of a file."""

LONGEST_NAME = 60


def _write_logs(folder: str, match: Match, usage: Sequence[Usage | None]) -> None:
    """EFFECT: writes what each program of a match printed, as far as it was kept; who printed nothing gets no file."""
    for seat, each in enumerate(usage):
        if each is not None and each.stderr:
            Path(folder, _log_name(match, seat)).write_text(each.stderr, "utf-8")


def _log_name(match: Match, seat: int) -> str:
    """The file for one player: its match is counted from 1, as in the names of records, its seat from 0."""
    name = _UNSAFE.sub("-", match.entrants[seat].name)[-LONGEST_NAME:].lstrip(".-")
    return f"match-{match.number + 1:04}-seat-{seat}-{name}.log"
