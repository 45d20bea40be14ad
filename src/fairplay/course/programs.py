"""Run the test programs of a game's established protocol: on text, on whole folders of cases, and over TCP."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from fairplay.catalog import GAMES
from fairplay.contest.contest import Fixture
from fairplay.contest.formats.formats import knock_out
from fairplay.contest.schedule import Schedule
from fairplay.core import (
    AnyGame,
    ContestBegan,
    ContestEnded,
    Fault,
    FaultKind,
    Json,
    Outcome,
    Player,
    UsageError,
    WireError,
)
from fairplay.core.established import KnockoutResult, RemotePrograms, TestClient, TestProgram
from fairplay.core.game import established_of
from fairplay.core.names import escape_controls, list_known
from fairplay.match.calls import call_player
from fairplay.match.referee import referee
from fairplay.net.established import RETRY_FOR, answer_calls, sign_up_client
from fairplay.net.server import host_knock_out
from fairplay.net.sign_up import open_listener
from fairplay.run.inline import play_inline


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
    at = _skip_whitespace(text, 0)
    while at < len(text):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise WireError(f"ill-formed JSON in value {len(found) + 1}: {error}") from None
        found.append(value)
        at = _skip_whitespace(text, end)
    return found


def _skip_whitespace(text: str, at: int) -> int:
    """Where the next value begins."""
    blanks = BLANKS.match(text, at)
    return blanks.end() if blanks else at


def _refuse_constant(constant: str) -> NoReturn:
    """Refuse what Python reads and JSON does not have, such as NaN."""
    raise ValueError(f"{constant} is not JSON")


BLANKS = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


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


# -- matches and knock-outs in this process -----------------------------------------------------


def describe_fault(who: str, fault: Fault) -> str:
    """A fault with its reason, as one line."""
    words = f"{who} is removed: {fault.kind}: {fault.detail}".split()
    return escape_controls(" ".join(words).removesuffix(":"))


class InlineStage:
    """A test bench for one game; satisfies `TestBench`."""

    def __init__(self, game: AnyGame, report: Callable[[str], object] | None = None) -> None:
        """`report` is told the reason of every fault, in words."""
        self.game = game
        self.report = report or (lambda reason: None)

    def play_match(self, state: object, players: Sequence[Player]) -> Outcome:
        outcome = play_inline(referee(self.game, state, len(players)), players)
        for seat, fault in enumerate(outcome.faults):
            if fault is not None:
                self.report(describe_fault(f"the player in seat {seat + 1} of {len(players)}", fault))
        return outcome

    def play_knockout(self, players: Sequence[Player], deal: Callable[[int], object], sizes: range) -> KnockoutResult:
        faults: list[Fault | None] = [None] * len(players)

        def tell(number: int, news: object) -> None:
            if isinstance(fault := call_player(players[number].hear, news), Fault):
                faults[number] = fault
                self.report(describe_fault(f"player {number + 1} of {len(players)}", fault))

        for number in range(len(players)):
            tell(number, ContestBegan())
        entered = [number for number, fault in enumerate(faults) if fault is None]

        def play(fixture: Fixture) -> Outcome:
            numbers = [entered[index] for index in fixture.line_up]
            outcome = self.play_match(deal(len(numbers)), [players[number] for number in numbers])
            for number, fault in zip(numbers, outcome.faults, strict=True):
                faults[number] = fault or faults[number]
            return outcome

        schedule = Schedule(knock_out(len(entered), sizes))
        while fixtures := schedule.next_round():
            schedule.report([play(fixture) for fixture in fixtures])
        winners = [entered[index] for index in schedule.winners]
        for number in range(len(players)):
            if faults[number] is None:
                tell(number, ContestEnded(number in winners))
        return KnockoutResult(tuple(number for number in winners if faults[number] is None), tuple(faults))


# -- over TCP: xserver and xclients, thin names for a server and for clients of it --------------

LOCAL = "127.0.0.1"


class ServerPlace(NamedTuple):
    """Where a server listens, and how many clients go there if the program has to be told."""

    host: str
    port: int
    clients: int | None = None


def remote_programs(game: str) -> RemotePrograms:
    """The programs of `game`; raises UsageError if it has no established protocol."""
    return established_of(GAMES[game]).harness().REMOTE


def parse_place(name: str, arguments: Sequence[str], *, counted: bool) -> ServerPlace:
    """What the arguments of `xserver PORT [IP]` or `xclients [N] PORT [IP]` say; raises UsageError."""
    usage = f"usage: {name} {'N ' if counted else ''}PORT [IP]"
    numbers, rest = arguments[: 1 + counted], arguments[1 + counted :]
    if len(numbers) < 1 + counted or len(rest) > 1 or not all(re.fullmatch("[0-9]{1,5}", one) for one in numbers):
        raise UsageError(usage)
    port = int(numbers[-1])
    if port > 65_535:
        raise UsageError(f"{usage}; a port is at most 65535, not {port}")
    return ServerPlace(rest[0] if rest else LOCAL, port, int(numbers[0]) if counted else None)


def run_server(game: str, values: Sequence[Json], where: ServerPlace, report: Callable[[str], object]) -> Json:
    """Listen once the input is read, play one tournament or match, and give its result; faults are reported."""
    setup = remote_programs(game).setup(values)
    hosted = asyncio.run(host_knock_out(GAMES[game], setup, 0, open_listener(where.host, where.port)))
    faults = hosted.standing.faults if hosted.standing else ()
    for name, fault in zip(hosted.names, faults, strict=False):
        if fault is not None:
            report(describe_fault(name, fault))
    return hosted.result


def run_clients(
    game: str,
    values: Sequence[Json],
    where: ServerPlace,
    report: Callable[[str], object],
    *,
    gap: float | None = None,
    depth: int = 2,
    line_feeds: bool = False,
) -> None:
    """Sign all clients up, one after the other, and let them play until all have stopped; faults are reported."""
    programs = remote_programs(game)
    given = values if programs.reads_input else [where.clients]
    applicants = programs.clients(given, depth)
    pause = programs.sign_up_gap if gap is None else gap
    faults = asyncio.run(run_all_clients(applicants, where, pause, line_feeds=line_feeds))
    for applicant, fault in zip(applicants, faults, strict=True):
        if fault is not None:
            report(describe_fault(applicant.name, fault))


_TOO_LATE = Fault(FaultKind.GONE, "nobody listens any more: the tournament began without it")


async def run_all_clients(
    applicants: Sequence[TestClient],
    where: ServerPlace,
    gap: float,
    retry_for: float = RETRY_FOR,
    *,
    line_feeds: bool = False,
) -> list[Fault | None]:
    """Every client in its turn connects and sends its name; then they run in parallel.  The fault of each of them."""
    playing: dict[int, asyncio.Task[Fault | None]] = {}
    for number, applicant in enumerate(applicants):
        if number:
            await asyncio.sleep(gap)
        try:
            connection = await sign_up_client(
                where.host, where.port, applicant.name, retry_for=retry_for, line_feeds=line_feeds
            )
        except (ConnectionRefusedError, ConnectionResetError):
            continue  # the tournament began without it
        playing[number] = asyncio.create_task(answer_calls(connection, applicant.client))
    if applicants and not playing:
        raise OSError(f"nobody listens at {where.host}:{where.port}")
    await asyncio.gather(*playing.values())
    return [playing[number].result() if number in playing else _TOO_LATE for number in range(len(applicants))]
