"""The test programs over TCP: xserver and xclients, thin names for a server and for clients of it."""

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, Json, UsageError
from fairplay.core.established import RemotePrograms, TestClient
from fairplay.core.game import established_of
from fairplay.course.stage import describe_fault
from fairplay.net.established import RETRY_FOR, answer_calls, sign_up_client
from fairplay.net.server import host_knock_out
from fairplay.net.sign_up import open_listener

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


TOO_LATE = Fault(FaultKind.GONE, "nobody listens any more: the tournament began without it")


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
    return [playing[number].result() if number in playing else TOO_LATE for number in range(len(applicants))]
