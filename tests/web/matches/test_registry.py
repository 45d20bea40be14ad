"""All matches of a server, over a store that is there, that is away, and that is opened again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core import AbsentError, StoreError
from fairplay.match.packing import check_signature, match_name
from fairplay.match.record import SIGNED, read_record
from fairplay.match.review.house import check_house
from fairplay.store import open_store
from fairplay.store.keys import Keys, open_keys
from fairplay.store.store import Store
from fairplay.web.house.pool import HousePool
from fairplay.web.http.endpoints import BusyError
from fairplay.web.matches import registry
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.matches.tables import MatchSummary, SeatRequest, TableDefinition, TableRequest, build_table

FISH = GAMES["fish"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "fairplay.db") as opened:
        yield opened


def table(*, pace: float = 0, who: str = "house") -> TableDefinition:
    """A table of fish for two, the first of whom may be a person."""
    seats = (SeatRequest(who), SeatRequest("house"))  # type: ignore[arg-type]  # the test names one of the three
    return build_table(FISH, FISH.quick, TableRequest(game="fish", seats=seats, pace=pace))[0]


def run(
    store: Store, work: Callable[[MatchRegistry], Awaitable[Any]], limit: int = 10, keys: Keys | None = None
) -> Any:
    """Do something with a registry that is started and stopped."""

    async def started() -> Any:
        matches = MatchRegistry(store, HousePool(1, 1e9), limit, 3600, keys)
        await matches.start()
        try:
            return await work(matches)
        finally:
            await matches.stop()

    return asyncio.run(started())


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(120):
        while not true():
            await asyncio.sleep(0.01)


def test_a_finished_match_is_kept_with_its_record_and_its_summary(store: Store) -> None:
    async def work(matches: MatchRegistry) -> str:
        match = await matches.open_table("fish", table())
        await until(lambda: match.id not in matches.running)
        assert matches.finished_count == 1 and matches.unwritten_lines == 0
        assert await matches.find_timeline(match.id) is match.timeline
        return match.id

    id = run(store, work)
    kept = store.tables.get(id)
    assert kept.finished is not None and kept.summary is not None
    summary = msgspec.json.decode(kept.summary, type=MatchSummary)
    assert summary.names == ("greedy", "greedy 2") and summary.winners and len(summary.scores) == 2

    async def look(matches: MatchRegistry) -> int:
        return (await matches.find_timeline(id)).last

    assert run(store, look) == summary.moments


def test_only_so_many_matches_run_at_once(store: Store) -> None:
    async def work(matches: MatchRegistry) -> None:
        await asyncio.gather(*(matches.open_table("fish", table(pace=60)) for _ in range(2)))
        with pytest.raises(BusyError, match="2 matches are running"):
            await matches.open_table("fish", table(pace=60))
        assert matches.moments_in_memory == 2

    run(store, work, limit=2)


def test_a_table_that_cannot_be_kept_is_not_opened(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **more: object) -> None:
        raise StoreError("away")

    async def work(matches: MatchRegistry) -> None:
        monkeypatch.setattr(store.tables, "open", fail)
        with pytest.raises(StoreError):
            await matches.open_table("fish", table())
        assert not matches.running

    run(store, work)


def test_a_match_is_resumed_where_it_stopped(store: Store) -> None:
    async def begin(matches: MatchRegistry) -> tuple[str, int]:
        match = await matches.open_table("fish", table(pace=0.05))
        await until(lambda: match.timeline.last >= 3)
        return match.id, match.timeline.last

    id, last = run(store, begin)
    lines = store.tables.lines(id)

    async def resume(matches: MatchRegistry) -> None:
        assert matches.running[id].table.status == "playing"
        await until(lambda: id not in matches.running)

    run(store, resume)
    whole = store.tables.lines(id)
    assert whole[: len(lines)] == lines and read_record(whole).outcome is not None and last <= len(lines)


def name_of(store: Store, id: str) -> str:
    """What the match of a table is called in signatures."""
    table = store.tables.get(id)
    return match_name(store.summary(table.contest).fingerprint, table.number)


def test_a_match_is_signed_as_that_of_its_table(store: Store, tmp_path: Path) -> None:
    keys = open_keys(tmp_path / "fairplay.db.key")

    async def work(matches: MatchRegistry) -> str:
        match = await matches.open_table("fish", table())
        await until(lambda: match.id not in matches.running)
        words = (await matches.find_timeline(match.id)).proof
        assert words == f"Consistent, signed by {keys.signer.public} (this server)."
        matches._timelines.clear()
        assert (await matches.find_timeline(match.id)).proof == words
        return match.id

    id = run(store, work, keys=keys)
    signature = check_signature(store.tables.lines(id))
    assert signature is not None
    assert (signature.key, signature.match) == (keys.signer.public, name_of(store, id))

    async def look(matches: MatchRegistry) -> None:
        assert "(unknown to this server)" in (await matches.find_timeline(id)).proof

    run(store, look)


def test_without_a_key_a_match_is_not_signed(store: Store) -> None:
    async def work(matches: MatchRegistry) -> None:
        match = await matches.open_table("fish", table())
        await until(lambda: match.id not in matches.running)
        assert (await matches.find_timeline(match.id)).proof == "Consistent, not signed."

    run(store, work)


def test_a_signature_that_was_written_before_the_server_stopped_is_the_only_one(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = open_keys(tmp_path / "fairplay.db.key")
    monkeypatch.setattr(registry, "RETRY_INTERVAL", 0.05)
    close = store.tables.close

    def fail(*_: object) -> None:
        raise StoreError("away")

    async def work(matches: MatchRegistry) -> str:
        monkeypatch.setattr(store.tables, "close", fail)
        match = await matches.open_table("fish", table())
        await until(lambda: any(line.startswith(SIGNED) for line in store.tables.lines(match.id)))
        return match.id

    id = run(store, work, keys=keys)
    monkeypatch.setattr(store.tables, "close", close)

    async def resume(matches: MatchRegistry) -> None:
        await until(lambda: id not in matches.running)

    run(store, resume, keys=keys)
    lines = store.tables.lines(id)
    assert [line.startswith(SIGNED) for line in lines].count(True) == 1
    assert check_signature(lines) is not None and read_record(lines).outcome is not None


@pytest.mark.parametrize("stop_after", [2, 5])
def test_house_players_choose_as_if_the_server_had_never_stopped(store: Store, stop_after: int) -> None:
    seats = (SeatRequest("house", player="random"), SeatRequest("house", player="random"))
    wanted = build_table(FISH, FISH.quick, TableRequest(game="fish", seats=seats, pace=0.02))[0]

    async def begin(matches: MatchRegistry) -> str:
        match = await matches.open_table("fish", wanted)
        await until(lambda: match.timeline.last >= stop_after)
        return match.id

    id = run(store, begin)

    async def resume(matches: MatchRegistry) -> None:
        await until(lambda: id not in matches.running)

    run(store, resume)
    checks = check_house(FISH, read_record(store.tables.lines(id)))
    assert [check.verdict for check in checks] == ["same", "same"]


def test_a_table_that_makes_no_sense_is_logged_and_left(store: Store, log: list[dict[str, Any]]) -> None:
    store.tables.open("wrong", "fish", b"{}")
    store.tables.open("unknown", "chess", b"{}")

    async def work(matches: MatchRegistry) -> None:
        assert not matches.running

    run(store, work)
    assert {entry["table"] for entry in log} == {"wrong", "unknown"}


def test_a_match_waits_for_a_store_that_is_away_and_shows_nothing_that_could_be_lost(
    store: Store, monkeypatch: pytest.MonkeyPatch, log: list[dict[str, Any]]
) -> None:
    monkeypatch.setattr(registry, "LOG_RETRY_INTERVAL", 0.05)
    add_lines = store.tables.add_lines

    def fail(*_: object) -> None:
        raise StoreError("away")

    async def work(matches: MatchRegistry) -> str:
        monkeypatch.setattr(store.tables, "add_lines", fail)
        match = await matches.open_table("fish", table())
        await until(lambda: matches.unwritten_lines and len(log) >= 3)
        assert match.timeline.last == 0 and match.table.status == "playing"
        monkeypatch.setattr(store.tables, "add_lines", add_lines)
        await until(lambda: match.id not in matches.running)
        return match.id

    id = run(store, work)
    assert read_record(store.tables.lines(id)).outcome is not None


def test_a_running_match_has_no_record_yet(store: Store) -> None:
    async def work(matches: MatchRegistry) -> None:
        match = await matches.open_table("fish", table(pace=60))
        with pytest.raises(AbsentError, match="not over"):
            matches.read_record(match.id)
        with pytest.raises(AbsentError):
            await matches.find_timeline("nothing")
        with suppress(AbsentError):
            assert not await matches.has_open_tournament("nothing")

    run(store, work)


def test_a_seat_that_is_claimed_is_kept(store: Store) -> None:
    async def work(matches: MatchRegistry) -> str:
        seats = (SeatRequest("me"), SeatRequest("friend"))
        definition, keys = build_table(FISH, FISH.quick, TableRequest(game="fish", seats=seats))
        match = await matches.open_table("fish", definition)
        seat = match.table.find_invited(keys[1])
        assert seat == 1
        match.table.hand_over(seat, "friend")
        await matches.keep_definition(match.id, match.definition)
        return match.id

    id = run(store, work)

    async def again(matches: MatchRegistry) -> None:
        assert matches.running[id].definition.find_seat({"friend"}) == 1

    run(store, again)
