"""House players of the page: many matches at a move a second, and what others notice of somebody who floods them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from time import monotonic

from bench.measure import Figure, show
from bench.webserver import Answer, start_server
from bench.webtables import KINDS, MatchKind, ms, open_table, percentile
from fairplay.web.http.limits import Settings

PACED = (200, 500, 1_000)
"""Matches at a move a second, none of them watched."""

MOVES_BAR = 0.97
"""The share of the moves that are due which must be made: each takes a little more than a second."""

CPU_BAR = 0.3
"""Milliseconds of CPU time for a move, of all processes together."""

MEASURED = 12.0
"""Seconds for which a server is measured."""

WAIT_BAR = 250.0
"""Milliseconds that a question to `greedy` may wait."""

FLOODS = ((15, ("127.0.0.9",)), (45, ("127.0.0.7", "127.0.0.8", "127.0.0.9")))
"""Tables of players that search, without a pause between turns, and the addresses that open them."""

FLOODERS = tuple(
    MatchKind(game, variant, "search")
    for game, variant in (("fish", "standard"), ("trains", "standard"), ("labyrinth", "multi-goal"))
)
HONEST = (MatchKind("fish", "standard", "greedy"), MatchKind("fish", "standard", "level-4"))
HONEST_TABLES = 8
"""Tables of each kind that others open meanwhile, one for each address."""

WARM_UP = 10.0
"""Seconds for which each player plays alone before that, so that its processes run and have read what was compiled."""

HONEST_PACE = 0.1


# -- many matches ------------------------------------------------------------------------------


async def paced(db: Path) -> list[Figure]:
    """So many matches at a move a second, each number on a server of its own."""
    return [await measure_paced(db.with_name(f"{matches}.db"), matches) for matches in PACED]


async def measure_paced(db: Path, matches: int) -> Figure:
    """How many of the moves that were due were made, how late, and what each cost."""
    async with start_server(db) as server:
        for kind in islice(cycle(KINDS), matches):
            await open_table(server.port, kind, 1.0)
        await asyncio.sleep(2)
        began, used, alone = monotonic(), server.cpu_of_all(), server.cpu()
        await asyncio.sleep(MEASURED)
        ended, spent, alone = monotonic(), server.cpu_of_all() - used, server.cpu() - alone
        turns = await asyncio.to_thread(server.stop)
    made = {moment: time for moment, time in turns.items() if began <= time < ended}
    late = sorted(
        time - turns[id, number - 1] - 1.0 for (id, number), time in made.items() if (id, number - 1) in turns
    )
    rate, cost = len(made) / (ended - began), spent / len(made) * 1e3
    note = f"late p50 {ms(late, 50)}, p99 {ms(late, 99)}; {cost:.2f} ms of CPU a move in all processes"
    note += f" ({alone / len(made) * 1e3:.2f} in the server), {CPU_BAR:g} are allowed"
    reached = min(rate / matches, CPU_BAR / cost) if matches == max(PACED) else rate / matches
    name = f"web: {matches:,} house matches at a move a second"
    return Figure(name, rate, "moves", f"{matches:,} moves a second", reached, MOVES_BAR, note)


# -- somebody who floods -----------------------------------------------------------------------


async def flooding(db: Path) -> list[Figure]:
    """How long others wait for their house players while one address, or three, has many tables of search."""
    return [
        figure
        for tables, addresses in FLOODS
        for figure in await measure_flood(db.with_name(f"{tables}.db"), tables, addresses)
    ]


async def measure_flood(db: Path, tables: int, addresses: Sequence[str]) -> list[Figure]:
    """One flood, and what each kind of honest match notices of it."""
    async with start_server(db, Settings().cpu) as server:
        for number, kind in enumerate((*HONEST, *FLOODERS)):
            await open_table(server.port, kind, HONEST_PACE, source=f"127.1.0.{number + 1}")
        await asyncio.sleep(WARM_UP)
        for number, (kind, source) in enumerate(islice(zip(cycle(FLOODERS), cycle(addresses)), tables)):
            await open_table(server.port, kind, 0.0, seats=2 + number % 3, source=source)
        await asyncio.sleep(2)
        began = monotonic()
        for number in range(HONEST_TABLES):
            for network, kind in enumerate(HONEST, 1):
                await open_table(server.port, kind, HONEST_PACE, source=f"127.0.{network}.{number + 1}")
        await asyncio.sleep(MEASURED)
        span = began, monotonic()
        await asyncio.to_thread(server.stop)
    flood = f"{tables} tables of search, of {len(addresses)} address{'es' * (len(addresses) > 1)}"
    return [flood_figure(server.answers, kind, network, span, flood) for network, kind in enumerate(HONEST, 1)]


def flood_figure(
    answers: Sequence[Answer], kind: MatchKind, network: int, span: tuple[float, float], flood: str
) -> Figure:
    """How long questions to one player waited, at the tables of others."""
    asked = [each for each in answers if each.address.startswith(f"127.0.{network}.") and each.asked < span[1]]
    waits = sorted(each.seconds - each.cpu for each in asked)
    note = f"waited p50 {ms(waits, 50)}, p99 {ms(waits, 99)}, at most {ms(waits, 100)}; "
    note += f"{len(waits)} questions, where {HONEST_TABLES * (span[1] - span[0]) / HONEST_PACE:.0f} are due at most"
    bar = 1.0 if kind.player == "greedy" else None
    name = f"web: a question to {kind.player} of {kind.game} beside {flood}"
    rate = len(waits) / (span[1] - span[0])
    return Figure(name, rate, "questions", f"{WAIT_BAR:g} ms", WAIT_BAR / 1e3 / percentile(waits, 99), bar, note)


def main(arguments: Sequence[str]) -> None:
    """Only these figures, or those of one kind."""
    import tempfile

    for part in (paced, flooding):
        if not arguments or part.__name__ in arguments:
            with tempfile.TemporaryDirectory() as folder:
                show(asyncio.run(part(Path(folder, "bench.db"))))


if __name__ == "__main__":
    main(sys.argv[1:])
