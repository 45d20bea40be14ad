"""The web server under load: 1,000 watchers, requests, 200 matches at once, and a stop in the middle of it."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import monotonic

import msgspec

from bench.measure import Figure, show
from bench.webclients import Arrivals, connect_watchers, request_repeatedly, send_request
from bench.webhouse import flooding, paced
from bench.webserver import TOKEN, ServerProcess, Turns, allow_sockets, start_server
from bench.webtables import FISH, KINDS, TRAINS, ms, open_table, percentile
from fairplay.catalog import GAMES
from fairplay.match.record import read_record
from fairplay.match.replay import replay_record
from fairplay.store import open_store
from fairplay.store.store import Store
from fairplay.web.http.limits import Settings

WATCHERS = 1_000
MATCHES = 200
PACE = 0.2
"""Seconds between the turns of the one match that everyone watches."""

CONNECTIONS = 4
"""Connections over which requests come."""

REQUESTS = 150
"""Requests over each of them."""

TIMEOUT = 60.0
"""Seconds after which a part of the benchmark is given up."""

MOVES_BAR = 0.97
"""The share of the moves that are due which must be made: each takes a little more than a second."""

EXIT_BAR = 5.0
"""Seconds that stopping may take."""

MEASURED = 12.0
"""Seconds for which the server is measured."""

HOSTILE_TABLES = 15
HOSTILE_SIZE = 25
"""Tables that somebody opens to make the page slow: of six of the strongest players, on the largest board."""

ATTACK_BAR = 5.0
"""How many times slower a page may be during that."""


def figures() -> list[Figure]:
    """A server in a process of its own for each part; the clients are here."""
    allow_sockets()
    found: list[Figure] = []
    for part in (one_match, requests, many_matches, attack, paced, flooding):
        print_progress(f"web: {part.__name__.replace('_', ' ')} ...")
        with tempfile.TemporaryDirectory() as folder:
            found += asyncio.run(asyncio.wait_for(part(Path(folder, "bench.db")), TIMEOUT))
    print_progress("")
    return found


# -- everyone watches one match ----------------------------------------------------------------


async def one_match(db: Path) -> list[Figure]:
    """From a turn to the last of all watchers."""
    arrivals = Arrivals()
    async with start_server(db) as server:
        id = await open_table(server.port, TRAINS, PACE)
        watchers = await connect_watchers(server.port, [f"/api/matches/{id}/live"] * WATCHERS, arrivals)
        arrivals.clear()
        span, spent = await measure_cpu(server)
        await asyncio.sleep(1)
        late = await count_dropped(server.port)
        turns = await asyncio.to_thread(server.stop)
        del watchers
    return [watching_figure(turns, arrivals, span, spent, late)]


def watching_figure(turns: Turns, arrivals: Arrivals, span: tuple[float, float], spent: float, late: int) -> Figure:
    delays, missing = find_delays(turns, arrivals, span, WATCHERS)
    last, every = sorted(map(max, delays)), sorted(delay for of_turn in delays for delay in of_turn)
    note = f"last watcher p50 {ms(last, 50)}, p99 {ms(last, 99)}; each p50 {ms(every, 50)}, p99 {ms(every, 99)}; "
    note += f"{spent / len(last) * 1e3:.0f} ms of CPU a turn, {len(last)} turns, {missing} messages missing, "
    note += f"{late} watchers dropped, {arrivals.bytes / arrivals.count / 1024:.1f} KiB a message"
    name = f"web: {WATCHERS:,} watchers of one match of Trains"
    return Figure(name, len(every) / (span[1] - span[0]), "messages", note=note)


def find_delays(
    turns: Turns, arrivals: Arrivals, span: tuple[float, float], watchers: int
) -> tuple[list[list[float]], int]:
    """For each turn in this time, how long it took to reach each watcher; and how many messages are missing."""
    seen, found, missing = arrivals.by_moment(), [], 0
    for moment, time in turns.items():
        if span[0] <= time < span[1]:
            times = seen.get(moment, [])
            missing += watchers - len(times)
            if times:
                found.append([arrival - time for arrival in times])
    return found, missing


# -- requests ----------------------------------------------------------------------------------


async def requests(db: Path) -> list[Figure]:
    """How many pages and answers a second of the server's CPU time gives."""
    async with start_server(db) as server:
        port = server.port
        fish, trains = await open_table(port, FISH, 0.0), await open_table(port, TRAINS, 0.0)
        for kind in islice(cycle(KINDS), 60):
            await open_table(port, kind, 60.0)
        turns, further = await wait_until_over(port, fish), await wait_until_over(port, trains)
        asked: dict[str, Sequence[str]] = {
            f"the page of a match of Fish, {turns} turns": [f"/matches/{fish}"],
            f"the page of a match of Trains, {further} turns": [f"/matches/{trains}"],
            "the home page": ["/"],
            "/api/matches, 50 of them": ["/api/matches"],
            "/api/matches/ID/moments/N, every N of Fish": [f"/api/matches/{fish}/moments/{at}" for at in range(turns)],
        }
        found = [await measure_requests(server, name, paths) for name, paths in asked.items()]
        await asyncio.to_thread(server.stop)
    return found


async def measure_requests(server: ServerProcess, name: str, paths: Sequence[str]) -> Figure:
    """The best of three.  Connections start far from each other, so that none profits from what another had drawn."""
    best, note, count = 0.0, "", CONNECTIONS * REQUESTS
    starts = [len(paths) * number // CONNECTIONS for number in range(CONNECTIONS)]
    for _ in range(3):
        before, began = server.cpu(), monotonic()
        await asyncio.gather(*(request_repeatedly(server.port, paths, start, REQUESTS) for start in starts))
        spent, seconds = server.cpu() - before, monotonic() - began
        if count / spent > best:
            best, note = (
                CONNECTIONS * REQUESTS / spent,
                f"{CONNECTIONS * REQUESTS / seconds:,.0f} a second of the clock",
            )
    return Figure(f"web: {name}", best, "requests", note=note)


async def wait_until_over(port: int, id: str) -> int:
    """How many turns a match has once it is over."""
    while True:
        match = msgspec.json.decode(await send_request(port, f"/api/matches/{id}"))
        if match["presence"]["status"] == "over":
            return len(match["turns"]) - 1
        await asyncio.sleep(0.05)


# -- many matches ------------------------------------------------------------------------------


async def many_matches(db: Path) -> list[Figure]:
    """Matches at a move a second with all watchers; then the server is stopped and resumes all of them."""
    arrivals = Arrivals()
    async with start_server(db) as server:
        empty = server.memory()
        started = monotonic()
        ids = [await open_table(server.port, kind, 1.0) for kind in islice(cycle(KINDS), MATCHES)]
        seconds = monotonic() - started
        await asyncio.sleep(1)
        alone = server.memory() - empty
        paths = [f"/api/matches/{id}/live" for id in islice(cycle(ids), WATCHERS)]
        watchers = await connect_watchers(server.port, paths, arrivals)
        await asyncio.sleep(1)
        arrivals.clear()
        span, spent = await measure_cpu(server)
        watched, late = server.memory() - empty, await count_dropped(server.port)
        await asyncio.sleep(1)
        began = monotonic()
        turns = await asyncio.to_thread(server.stop)
        stopped = monotonic() - began
        del watchers
    return [
        paced_figure(turns, arrivals, span, spent, late),
        memory_figure(seconds, alone, watched),
        *await stopping_figures(db, turns, stopped),
    ]


async def measure_cpu(server: ServerProcess) -> tuple[tuple[float, float], float]:
    """Let the server work for a while; returns from when to when, and the CPU time it took."""
    began, before = monotonic(), server.cpu()
    await asyncio.sleep(MEASURED)
    return (began, monotonic()), server.cpu() - before


async def count_dropped(port: int) -> int:
    """Watchers that lagged too far behind."""
    lines = (await send_request(port, "/metrics", token=TOKEN)).decode().splitlines()
    return int(float(next(line.split()[1] for line in lines if line.startswith("fairplay_watchers_dropped_total "))))


def paced_figure(turns: Turns, arrivals: Arrivals, span: tuple[float, float], spent: float, late: int) -> Figure:
    """How many of the moves that were due were made, how late, and how soon they were seen."""
    seconds = span[1] - span[0]
    played = {moment: time for moment, time in turns.items() if span[0] <= time < span[1]}
    gaps = sorted(
        time - turns[id, number - 1] - 1.0 for (id, number), time in played.items() if (id, number - 1) in turns
    )
    delays, missing = find_delays(turns, arrivals, span, WATCHERS // MATCHES)
    last = sorted(map(max, delays))
    note = f"moves late p50 {ms(gaps, 50)}, p99 {ms(gaps, 99)}; last watcher p50 {ms(last, 50)}, p99 {ms(last, 99)}; "
    note += f"{spent / len(played) * 1e3:.1f} ms of CPU a move, {spent / seconds:.0%} of a core, "
    note += f"{missing} messages missing, {late} watchers dropped"
    name, rate = f"web: {MATCHES} matches at a move a second beside {WATCHERS:,} watchers", len(played) / seconds
    return Figure(name, rate, "moves", f"{MATCHES} moves a second", rate / MATCHES, MOVES_BAR, note)


def memory_figure(seconds: float, alone: int, watched: int) -> Figure:
    note = f"{alone / MATCHES / 1024:.0f} KiB each while nobody watches; {watched / MATCHES / 1024:.0f} KiB "
    note += f"{MEASURED:.0f} moves on, with {WATCHERS // MATCHES} watchers each"
    return Figure(f"web: {MATCHES} matches begun, one after the other", MATCHES / seconds, "matches", note=note)


async def stopping_figures(db: Path, turns: Turns, stopped: float) -> list[Figure]:
    """How many turns are lost when the server stops, and how many matches are resumed when it starts again."""
    last: dict[str, int] = {}
    for id, number in turns:
        last[id] = max(number, last.get(id, 0))
    with open_store(str(db)) as store:
        lost = sum(max(0, number - count_kept_turns(store, id)) for id, number in last.items())
    began = monotonic()
    async with start_server(db) as server:
        back = monotonic() - began
        going = len(msgspec.json.decode(await send_request(server.port, f"/api/matches?running=true&limit={MATCHES}")))
        await asyncio.to_thread(server.stop)
    name = f"web: {MATCHES} matches and {WATCHERS:,} watchers"
    note = f"{stopped:.2f} s; {lost} of {sum(last.values()):,} turns lost"
    return [
        Figure(f"{name}: told to stop", MATCHES / stopped, "matches", "5 s", EXIT_BAR / stopped, 1.0, note),
        Figure(f"{name}: started again", going / back, "matches", note=f"{going} matches go on after {back:.2f} s"),
    ]


def count_kept_turns(store: Store, id: str) -> int:
    """The turns of a match that its record in the store leads to."""
    record = read_record(store.tables.lines(id))
    return sum(1 for _ in replay_record(GAMES[record.header.game], record))


# -- an attack ---------------------------------------------------------------------------------


async def attack(db: Path) -> list[Figure]:
    """How long `/matches` takes while somebody has the house players think as much as they may."""
    async with start_server(db, Settings().cpu) as server:
        for kind in islice(cycle(KINDS), 20):
            await open_table(server.port, kind, 60.0)
        idle = await time_pages(server.port)
        body = {"game": "labyrinth", "board": await save_maze(server.port), "pace": 0.0}
        seats = [{"who": "house", "player": "lookahead"}] * 6
        for _ in range(HOSTILE_TABLES):
            await send_request(server.port, "/api/matches", {**body, "seats": seats})
        during = await time_pages(server.port)
        await asyncio.to_thread(server.stop)
    ratio = percentile(during, 99) / percentile(idle, 99)
    note = f"p50 {ms(idle, 50)}, p99 {ms(idle, 99)} when idle; p50 {ms(during, 50)}, p99 {ms(during, 99)} during it, "
    note += f"{ratio:.1f} times as long"
    name = f"web: /matches beside {HOSTILE_TABLES} tables of six lookahead on {HOSTILE_SIZE} x {HOSTILE_SIZE}"
    rate = len(during) / sum(during)
    return [Figure(name, rate, "requests", f"{ATTACK_BAR:g} times the p99 when idle", ATTACK_BAR / ratio, 1.0, note)]


async def time_pages(port: int) -> list[float]:
    """How long each of some requests for `/matches` takes, one after another, in order of length."""
    times, end = [], monotonic() + MEASURED
    while monotonic() < end:
        began = monotonic()
        await send_request(port, "/matches")
        times.append(monotonic() - began)
        await asyncio.sleep(0.02)
    return sorted(times)


async def save_maze(port: int) -> str:
    """The id of a large board of Labyrinth."""
    editor = GAMES["labyrinth"].parts.editor
    assert editor is not None and editor.random_board is not None
    drawing = editor.random_board(Random(1), rows=HOSTILE_SIZE, columns=HOSTILE_SIZE)
    saved = await send_request(port, "/api/boards", {"game": "labyrinth", "name": "large", "drawing": drawing})
    id: str = msgspec.json.decode(saved)["id"]
    return id


def print_progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    show(figures())
