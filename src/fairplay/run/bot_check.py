"""Is a program ready to play?  Whole matches against house players, and what to fix where it fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from msgspec import Struct

from fairplay.contest.contest import Contest
from fairplay.core import AnyGame, Fault, FaultKind, House, Misbehaved, Player, SeatInfo, Turn, UsageError
from fairplay.core.chance import below, derived, derived_seed
from fairplay.play.players import house_strategy
from fairplay.play.record import start_match
from fairplay.play.secrecy import describe_seat
from fairplay.run.entrants import files_of, is_connection, is_process, seat_entrant
from fairplay.run.inline import play_inline
from fairplay.run.isolation.levels import find_level
from fairplay.run.isolation.program import Program

__all__ = ["Check", "CheckReport", "check_bot", "try_players"]

Start = Callable[[AnyGame, Random, SeatInfo], Program]
"""Starts the program for one match of a game."""

MOST_MATCHES: Final = 25

HINTS: Final = {
    FaultKind.ILLEGAL: 'say "legal": true in your hello, and every question lists what you may answer',
    FaultKind.MALFORMED: "compare the line with docs/protocols/native.md; one JSON value a line, nothing else",
    FaultKind.TIMED_OUT: "reply to every tell and ask before its deadline, and flush standard output after each line",
    FaultKind.CRASHED: "run it by hand, give it the lines of a transcript, and read its standard error",
    FaultKind.GONE: "keep standard input and output open until the line with bye",
    FaultKind.EXCEEDED: "stay below the limits on memory, CPU time, processes, files and output",
}


class Check(Struct, frozen=True):
    """One line of the checklist: what was checked, what was seen, and what to fix if it failed."""

    check: str
    passed: bool
    seen: str = ""
    fix: str = ""


class CheckReport(Struct, frozen=True):
    """The whole checklist."""

    player: str
    name: str | None
    games: tuple[str, ...]  # those that were played
    items: tuple[Check, ...]
    stderr: str  # of the match that failed, else of the last one

    @property
    def ready(self) -> bool:
        return all(item.passed for item in self.items)


def check_bot(player: str, start: Start, games: Mapping[str, AnyGame], positions: int, seed: int) -> CheckReport:
    """Start the program, and let it answer in at least `positions` positions of each of `games` that it claims."""
    some = next(iter(games.values()))
    first = start(some, derived(seed, "hello"), describe_seat(some))
    try:
        first.greet()
    except Misbehaved as misbehaved:
        if first.talk.hello is None:
            return CheckReport(player, None, (), (failed_start(player, misbehaved.fault),), read_stderr(first))
    finally:
        first.close()
    assert first.talk.hello is not None
    name, claimed = first.talk.hello.name, first.talk.hello.games
    items = [Check("starts and says hello", True, f"{name}, plays {', '.join(claimed)}"), check_level(first)]
    known = tuple(game for game in games if game in claimed)
    if not known:
        seen = f"it claims {', '.join(claimed)}, and none of {', '.join(games)}"
        items.append(Check("plays a game that is here", False, seen, "name the games you play in your hello"))
    stderr = ""
    for game in known:
        items += (trial := GameCheck(games[game], start, positions, seed)).items()
        stderr = trial.stderr
        if not items[-1].passed:
            break
    return CheckReport(player, name, known, tuple(items), stderr)


def check_level(program: Program) -> Check:
    """At which level the program runs here, and why at no better one."""
    assert program.child is not None
    reason = f": {find_level().reason}" if find_level().reason else ""
    return Check("runs in its own process", True, f"level {program.child.level}{reason}")


def try_players(game: AnyGame, contest: Contest) -> None:
    """Seat every entrant of a contest once, and start bot files as they will play; raises UsageError.

    Those who signed up over a network are left out.
    """
    files = files_of(contest)
    for spec in dict.fromkeys(entrant.spec for entrant in contest.entrants):
        if is_connection(spec):
            continue
        seating = seat_entrant(game, spec, contest.patience, files)
        if is_process(spec) and not spec.startswith("cmd:"):
            try_start(spec, seating)


def try_start(spec: str, seating: Callable[[Random], object]) -> None:
    """Start a bot file once, as it will play; raises UsageError with one sentence where it cannot be started."""
    player = seating(Random(0))
    assert isinstance(player, Program)
    try:
        player.greet()
    except Misbehaved as misbehaved:
        raise UsageError(describe_start(spec, misbehaved.fault)) from None
    finally:
        player.close()


def failed_start(player: str, fault: Fault) -> Check:
    """A player that does not even say hello; what is wrong with a bot file is said in its own words."""
    if "\nError: " not in fault.detail:
        return describe_failure("starts and says hello", fault)
    fix = f"correct the file; `python {player.partition(':')[0]}` shows where Python stumbles"
    return Check("starts and says hello", False, describe_start(player, fault), fix)


def describe_start(spec: str, fault: Fault) -> str:
    """Why a bot file cannot be started: in its own words where it has some."""
    _, found, words = fault.detail.rpartition("\nError: ")
    if not found:
        return f"{spec}: it cannot be started: {fault.detail}"
    path = Path(spec.removeprefix("isolated:").partition(":")[0])
    missing = MISSING.search(words)
    if missing is not None and any((path.parent / f"{missing[1]}{end}").exists() for end in ("", ".py")):
        return words + NOT_SHOWN
    return words + SPEAKS_ITSELF.format(path=path) if speaks_protocol(path) else words


def speaks_protocol(path: Path) -> bool:
    """Does a Python file look like a program that says hello by itself?"""
    try:
        return HELLO.search(path.read_text("utf-8")) is not None
    except (OSError, UnicodeDecodeError):
        return False


HELLO: Final = re.compile(r"""["']hello["']""")
SPEAKS_ITSELF: Final = "; if it speaks the native protocol by itself: 'cmd:python3 {path}'"


MISSING: Final = re.compile(r"No module named '(\w+)")

NOT_SHOWN: Final = (
    "; it lies beside the bot, but is not shown to it, because other bots, or too much else, lie in the same folder: "
    "put each bot into a folder of its own"
)


class GameCheck:
    """Matches of one game, until the program has answered often enough or failed."""

    def __init__(self, game: AnyGame, start: Start, positions: int, seed: int) -> None:
        self.game, self.start, self.positions, self.seed = game, start, positions, seed
        self.answered = self.matches = 0
        self.slowest = 0.0
        self.stderr = ""

    def items(self) -> Iterator[Check]:
        """Stops at the first failure: what comes after it would only repeat it."""
        name = self.game.name
        while self.answered < self.positions and self.matches < MOST_MATCHES:
            fault, status = self.played()
            if fault is not None:
                check = "answers in time" if fault.kind is FaultKind.TIMED_OUT else "answers legally"
                yield describe_failure(
                    f"{name}: {check}", fault, f"match {self.matches}, after {self.answered} answers: "
                )
                return
            if status != 0:
                seen = "it was still there" if status is None else f"it ended with status {status}"
                yield self.answers()
                yield Check(f"{name}: ends by itself", False, f"after bye {seen}", "end with status 0 after bye")
                return
        yield self.answers()
        yield Check(f"{name}: answers in time", True, f"slowest reply {self.slowest * 1000:.1f} ms")
        yield Check(f"{name}: ends by itself", True, "after bye, with status 0")

    def answers(self) -> Check:
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        return Check(f"{self.game.name}: answers legally", True, f"{self.answered} positions in {matches}")

    def played(self) -> tuple[Fault | None, int | None]:
        """One more match: the fault of the program, and how it ended."""
        game, seed = self.game, derived_seed(self.seed, self.game.name, self.matches)
        rng = derived(seed, "table")
        seats = game.seats[0] + self.matches % 2 if len(game.seats) > 1 else game.seats[0]
        mine = below(rng, seats)
        setup = [*game.variants.values()][self.matches % len(game.variants)]
        program = self.start(game, derived(seed, "player", mine), describe_seat(game, setup, mine, seats))
        players = line_up(game, program, seats, mine, seed)
        turns: list[Any] = []
        try:
            outcome = play_inline(start_match(game, setup, seed, seats), players, (turns.append,))
            status = program.bye(outcome)
        finally:
            program.close()
        self.matches += 1
        self.answered += sum(isinstance(event, Turn) and event.seat == mine for event in turns)
        self.slowest = max(self.slowest, program.slowest)
        self.stderr = read_stderr(program)
        return outcome.faults[mine], status


def line_up(game: AnyGame, program: Program, seats: int, mine: int, seed: int) -> Sequence[Player]:
    """The program on its seat, random house players on the others."""
    rivals: list[Player] = [
        House(house_strategy(game, "random", derived(seed, "rival", seat))) for seat in range(seats - 1)
    ]
    return [*rivals[:mine], program, *rivals[mine:]]


def describe_failure(check: str, fault: Fault, where: str = "") -> Check:
    """A fault as a failed check, with how to fix it."""
    return Check(check, False, f"{where}{fault.kind}: {fault.detail}", HINTS[fault.kind])


def read_stderr(program: Program) -> str:
    """What a program wrote to its standard error."""
    return "" if program.usage is None else program.usage.stderr
