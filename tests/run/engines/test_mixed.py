"""Matches with awaited players beside computed ones: the same results, one match at a time, nothing left behind."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from fairplay.contest.contest import Contest, Kinds, Match, Result
from fairplay.core import EngineError, Fault, FaultKind, RecordError, StoreError
from fairplay.match.packing import unpacked
from fairplay.match.record import read_record
from fairplay.run.competition import Competition
from fairplay.run.engines.mixed import MixedEngine
from fairplay.run.engines.pool import Inline, Pool
from fairplay.run.isolation.process_tree import list_tree
from fairplay.run.keeping import Keeper, MemoryKeeper, StoreKeeper
from fairplay.store import open_store
from fairplay.store.schema import starts
from run.contenders import FISH, Overheard, Thinker, TurnKeeper
from run.contests import by_number, contest

FOUR = replace(contest("random", "greedy", "random", "greedy"), options={"games": 2})
"""Twelve line-ups; entrants 0 and 2 may be awaited."""


async def play_out(
    of: Contest, contenders: dict[int, Thinker], keeper: Keeper | None = None, inner: Any = None, **more: Any
) -> list[Result]:
    """All new results of a contest."""
    keeper = keeper or MemoryKeeper()
    competition = Competition(FISH, of, keeper)
    engine = MixedEngine(FISH, contenders, inner or Inline(), keeper, asyncio.get_running_loop(), **more)
    return await asyncio.to_thread(lambda: list(competition.results(engine)))


def computed(of: Contest) -> list[Result]:
    return list(Competition(FISH, of, MemoryKeeper()).results(Inline()))


def test_it_does_not_matter_who_is_awaited() -> None:
    greedy = replace(FOUR, entrants=tuple(entrant._replace(spec="greedy") for entrant in FOUR.entrants))
    expected = answers(computed(greedy))
    for awaited in ([], [0], [0, 2], [0, 1, 2, 3]):
        for inner in (Inline(), Pool(1)):
            found = asyncio.run(play_out(greedy, {n: Thinker("greedy") for n in awaited}, inner=inner))
            assert answers(found) == expected


def answers(results: list[Result]) -> list[Any]:
    """What was answered in each match, and how it ended."""
    return [(outcome, read_record(unpacked(record)).entries) for _, outcome, record in by_number(results)]


def test_a_contender_plays_its_matches_one_after_the_other_in_their_order() -> None:
    seen: list[tuple[int, int]] = []  # match and line
    contenders = {0: Thinker(), 2: Thinker()}

    def watch(match: Match, line: bytes) -> None:
        seen.append((match.number, len(line)))

    found = asyncio.run(play_out(FOUR, contenders, watch=watch))
    started = list(dict.fromkeys(number for number, _ in seen))
    mine = [result.number for result in found if 0 in result.line_up]
    assert [number for number in started if number in mine] == sorted(mine)
    for thinker in contenders.values():
        assert thinker.log == ["begin", "ready", "end"] * 12


def test_a_match_that_was_cut_off_anywhere_goes_on_to_the_same_bytes() -> None:
    """Whatever was kept is not asked again; local players with chance of their own stand where they stood."""
    two = replace(contest("random", "random"), options={"games": 1})
    keeper = TurnKeeper()
    whole = by_number(asyncio.run(play_out(two, {0: Thinker()}, keeper)))
    lines = unpacked(whole[0][2])
    for cut in range(1, len(lines) + 1):
        thinker = Thinker()
        resumed = asyncio.run(play_out(two, {0: thinker}, TurnKeeper({0: lines[:cut]})))
        assert by_number(resumed) == whole
        known = sum(b'"seat":0' in line for line in lines[:cut])
        assert thinker.asked == whole_asked(lines) - known + whole_asked(unpacked(whole[1][2]), seat=1)
        assert thinker.log.index("begin") == 0
        assert "ready" in thinker.log or cut == len(lines)


def whole_asked(lines: list[bytes], seat: int = 0) -> int:
    return sum(b'"seat":%d' % seat in line for line in lines)


def test_lines_that_are_no_beginning_of_this_match_are_refused() -> None:
    two = replace(contest("random", "random"), options={"games": 1})
    whole = by_number(asyncio.run(play_out(two, {0: Thinker()})))
    other = unpacked(whole[1][2])[:3]  # the other rotation
    with pytest.raises(RecordError, match="match 0 does not go on from line 1 of what was kept"):
        asyncio.run(play_out(two, {0: Thinker()}, TurnKeeper({0: other})))


def test_everything_is_kept_before_anyone_is_asked() -> None:
    keeper = TurnKeeper()
    kept_before: list[bool] = []

    async def before(view: Any) -> None:
        lines = [*thinker.lines]
        kept_before.append(lines in keeper.begun.values())

    thinker = Thinker(before=before)
    asyncio.run(play_out(FOUR, {0: thinker, 2: Thinker()}, keeper))
    assert len(kept_before) == thinker.asked > 0
    assert all(kept_before)


def test_the_store_knows_which_server_plays_a_match_and_since_which_attempt(tmp_path: Path) -> None:
    two = replace(contest("random", "random"), options={"games": 1})
    query = select(starts.c.number, starts.c.attempt, starts.c.server).order_by(starts.c.attempt, starts.c.number)
    with open_store(tmp_path / "fairplay.db") as store:
        id = store.create(two)
        asyncio.run(play_out(two, {0: Thinker()}, StoreKeeper(store, id)))
        assert [row.number for row in store.database.rows(query)] == [0, 1]
        with store.lease(id):
            store.start(id, 1)
        *_, last = store.database.rows(query)
    assert (last.number, last.attempt) == (1, 1)


@pytest.mark.parametrize("room", [0, 1, 30, 100])
def test_a_full_disk_stops_the_contest_and_what_was_kept_goes_on(room: int) -> None:
    async def until_full() -> int:
        with pytest.raises(StoreError, match="the disk is full"):
            await play_out(FOUR, {0: Thinker(), 2: Thinker()}, keeper)
        return len(asyncio.all_tasks())

    keeper = TurnKeeper(room=room)
    assert asyncio.run(until_full()) == 1, "no match goes on"
    assert not [thread for thread in threading.enumerate() if thread.name.startswith(("line-log", "inner-engine"))]
    keeper.room = None
    asyncio.run(play_out(FOUR, {0: Thinker(), 2: Thinker()}, keeper))
    again = [(result.number, result.outcome, result.record) for result in keeper.results()]
    assert again == by_number(asyncio.run(play_out(FOUR, {0: Thinker(), 2: Thinker()})))


def test_it_can_be_stopped_while_everyone_thinks() -> None:
    async def stopped() -> None:
        thinking = asyncio.Event()

        async def before(view: Any) -> None:
            thinking.set()
            await asyncio.Event().wait()

        contenders = {0: Thinker(before=before)}
        engine = MixedEngine(FISH, contenders, Pool(1), keeper, asyncio.get_running_loop())
        results = Competition(FISH, FOUR, keeper).results(engine)
        playing = asyncio.create_task(asyncio.to_thread(list, results))
        await asyncio.wait_for(thinking.wait(), 120)
        engine.stop(EngineError("enough"))
        with pytest.raises(EngineError, match="enough"):
            await playing
        assert len(asyncio.all_tasks()) == 1

    keeper = MemoryKeeper()
    asyncio.run(stopped())
    assert multiprocessing.active_children() == []


def test_whoever_wants_no_more_results_leaves_nothing_behind() -> None:
    async def left() -> int:
        engine = MixedEngine(FISH, {0: Thinker()}, Inline(), MemoryKeeper(), asyncio.get_running_loop())
        results = Competition(FISH, FOUR, MemoryKeeper()).results(engine)

        def one() -> None:
            next(results)
            results.close()

        await asyncio.to_thread(one)
        return len(asyncio.all_tasks())

    assert asyncio.run(left()) == 1
    assert not [thread for thread in threading.enumerate() if thread.name.startswith(("line-log", "inner-engine"))]


def test_an_inner_engine_that_fails_is_heard() -> None:
    class Failing(Inline):
        def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
            yield next(super().results(contest, matches))
            raise EngineError("the cluster is gone")

    keeper = MemoryKeeper()
    with pytest.raises(EngineError, match="the cluster is gone"):
        asyncio.run(play_out(FOUR, {0: Thinker()}, keeper, Failing()))
    assert len(list(keeper.results())) >= 1, "what was finished is kept"


def test_rounds_do_not_overlap_on_the_inner_engine() -> None:
    """The next round begins once the engine has nothing to say any more about the last one."""
    gaps: list[bool] = []

    class Slow(Inline):
        busy = False

        def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
            gaps.append(self.busy)
            self.busy = True
            yield from super().results(contest, matches)
            threading.Event().wait(0.05)
            self.busy = False

    swiss = replace(FOUR, format="swiss", options={"rounds": 6, "games": 1})
    asyncio.run(play_out(swiss, {0: Thinker()}, inner=Slow()))
    assert len(gaps) > 2
    assert not any(gaps)


def test_a_watcher_that_fails_changes_nothing() -> None:
    calls: list[int] = []

    def watch(match: Match, line: bytes) -> None:
        calls.append(match.number)
        raise RuntimeError("who watches the watchers")

    found = asyncio.run(play_out(FOUR, {0: Thinker(), 2: Thinker()}, watch=watch))
    assert by_number(found) == by_number(asyncio.run(play_out(FOUR, {0: Thinker(), 2: Thinker()})))
    assert len(calls) == len(set(calls)), "it is shown no second line of a match"


class Leaver(Thinker):
    async def choose(self, view: Any) -> Any:
        return Fault(FaultKind.GONE, "away")


@pytest.mark.parametrize(
    ("format", "options", "stays"),
    [
        ("round-robin", {"games": 1}, True),
        ("round-robin", {"games": 1, "removed": "leave"}, False),
        ("swiss", {"rounds": 2}, True),
        ("knock-out", {}, False),
    ],
)
def test_a_player_that_is_thrown_out_stays_where_the_format_lets_it(
    format: str, options: dict[str, Any], *, stays: bool
) -> None:
    leaver = Leaver()
    asyncio.run(play_out(replace(FOUR, format=format, options=options), {0: leaver, 2: Thinker()}))
    assert leaver.removals
    assert set(leaver.stays) == {stays}
    assert leaver.log.count("close") == len(leaver.removals)


def test_a_player_that_was_thrown_out_before_the_break_is_not_waited_for() -> None:
    three = replace(contest("greedy", "greedy", "greedy"), options={"games": 1, "size": 3})
    keeper = TurnKeeper()
    whole = by_number(asyncio.run(play_out(three, {0: Leaver(), 1: Thinker("greedy")}, keeper)))
    lines = unpacked(whole[0][2])
    out = next(number for number, line in enumerate(lines) if b'"fault"' in line)
    leaver = Leaver()
    resumed = asyncio.run(play_out(three, {0: leaver, 1: Thinker("greedy")}, TurnKeeper({0: lines[: out + 2]})))
    assert by_number(resumed) == whole
    first = leaver.log[: leaver.log.index("begin", 1)]
    assert "ready" not in first
    assert "close" in first


PROGRAM = """
import json, sys, time
print(json.dumps({"type": "hello", "version": 1, "name": "slow", "games": ["fish"]}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "tell":
        print(json.dumps({"type": "heard", "id": message["id"]}), flush=True)
    elif message["type"] == "ask":
        time.sleep(3600)
"""


def test_programs_are_ended_when_a_contest_is_stopped_in_the_middle(tmp_path: Path) -> None:
    """One that thinks in a thread is killed, and only then its pipes are closed."""
    program = tmp_path / "slow.py"
    program.write_text(PROGRAM)
    inner = Inline(kinds=Kinds({"overheard": "run.contenders:seat_overheard"}))
    with_program = replace(contest("random", f"overheard:python3 {program}"), patience=3000.0)

    async def stopped() -> None:
        engine = MixedEngine(FISH, {0: Thinker()}, inner, MemoryKeeper(), asyncio.get_running_loop())
        results = Competition(FISH, with_program, MemoryKeeper()).results(engine)
        playing = asyncio.create_task(asyncio.to_thread(list, results))
        await asyncio.to_thread(Overheard.asked.wait, 60)
        engine.stop(EngineError("enough"))
        with pytest.raises(EngineError):
            await playing

    asyncio.run(stopped())
    assert not [each for each in list_tree(os.getpid()) if str(program).encode() in command_line(each)]


def command_line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
