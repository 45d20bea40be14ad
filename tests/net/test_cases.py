"""The agreed cases of xserver, each with a server and its clients over real sockets."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.core import Json
from fairplay.core.established import Period
from fairplay.core.game import established_of
from fairplay.course.programs import LOCAL, ServerPlace, equal_as_json, read_values, remote_programs, run_all_clients
from fairplay.net.server import host_knock_out
from fairplay.net.sign_up import open_listener
from kit import SHARED, needs_shared

PATIENCE = 1.5
"""Seconds for one answer: enough on a busy machine, for players that never answer are waited for in earnest."""

AT_ONCE = {"trains": 3, "labyrinth": 10}
"""Cases that run side by side: most of their time is waiting, but fifty maps at once are work."""


async def result(game: str, for_server: Sequence[Json], for_clients: Sequence[Json]) -> Json:
    """What a server prints when all the clients have come, in their order and without a gap.

    It starts when everybody with a valid name is there, so no case depends on how fast they come.
    """
    programs = remote_programs(game)
    setup = programs.setup(for_server)
    desk = established_of(GAMES[game]).sign_up
    assert desk is not None
    rules = desk.sign_up_terms(setup)
    applicants = programs.clients(for_clients, 2)
    coming = min(rules.most, sum(re.fullmatch(rules.name, one.name) is not None for one in applicants))
    least = rules.periods[-1].least
    rules = replace(rules, most=coming, periods=(Period(60.0 if coming >= least else 0.2, least),))
    sock = open_listener(LOCAL, 0)
    where = ServerPlace(LOCAL, sock.getsockname()[1])
    serving = host_knock_out(GAMES[game], setup, 0, sock, sign_up=rules, patience=PATIENCE)
    hosted, _ = await asyncio.gather(serving, run_all_clients(applicants, where, gap=0, retry_for=0))
    return hosted.result


def split(game: str, given: list[Json]) -> tuple[list[Json], list[Json]]:
    """What the server and what the clients are given: a case of Labyrinth has the clients' part first (12.6)."""
    return (given[1:], given[:1]) if game == "labyrinth" else (given, given)


async def differing(game: str, folder: Path) -> tuple[int, list[Any]]:
    """How many cases there are, and those that end otherwise than agreed."""
    paths = sorted(folder.glob("*-in.json"))
    room = asyncio.Semaphore(AT_ONCE[game])

    async def checked(path: Path) -> Any:
        (expected,) = read_values(path.with_name(path.name.replace("-in.json", "-out.json")).read_text("utf-8"))
        async with room:
            actual = await result(game, *split(game, read_values(path.read_text("utf-8"))))
        return None if equal_as_json(expected, actual) else (path.name, expected, actual)

    found = await asyncio.gather(*map(checked, paths))
    return len(paths), [case for case in found if case is not None]


@needs_shared
@pytest.mark.parametrize(
    ("game", "folder"), [("trains", "xserver"), ("labyrinth", "xserver"), ("labyrinth", "xserver2")]
)
def test_every_case_ends_as_agreed(game: str, folder: str) -> None:
    count, wrong = asyncio.run(differing(game, SHARED / "cases" / game / folder))
    assert wrong == []
    assert count >= 5
