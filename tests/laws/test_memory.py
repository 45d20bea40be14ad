"""A house player with memory chooses the same wherever it sits, and whoever asks it again.

It is told what happened in this process, in one of its own, in a worker, over a conversation, on the page, where every
answer may be worked out elsewhere, after a restart, and when a record is checked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Entrant, Fixture
from fairplay.contest.schedule import number_matches
from fairplay.core import AnyGame, House, Player, SeatInfo
from fairplay.match.packing import unpacked
from fairplay.match.players import declared_options, house_strategy
from fairplay.match.record import Isolation, Record, read_record
from fairplay.match.replay import Script, record_match
from fairplay.match.review.house import check_house
from fairplay.run.awaited import LocalPlayer, play_awaited
from fairplay.run.engines.pool import Engine, Inline, Pool
from fairplay.run.inline import play_inline
from fairplay.web.house.worker import HouseQuestion, HouseReply, answer
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.tables import TableDefinition, TableSeat

SEARCHERS = [name for name, game in GAMES.items() if "search" in game.players.strategies]


@pytest.fixture(params=SEARCHERS)
def game(request: pytest.FixtureRequest) -> AnyGame:
    return GAMES[request.param]


def small_search(game: AnyGame) -> str:
    """The player that searches, with little work, and now and then with none."""
    options = declared_options(game.players.strategies["search"])
    return f"search:{'nodes' if 'nodes' in options else 'playouts'}={2 if game.name == 'nim' else 8},slip=0.2"


def setup_of(game: AnyGame) -> Any:
    """The variant with most to keep in mind; Nim, whose player is a toy, with all the heaps it can have."""
    return game.setup(heaps=5) if game.name == "nim" else [*game.variants.values()][-1]


def contest_of(game: AnyGame, spec: str) -> Contest:
    entrants = (Entrant("a", spec), Entrant("b", "random"))
    return Contest(game.name, entrants, "series", {}, msgspec.Raw(msgspec.json.encode(setup_of(game))), 7, 600.0)


def play_on(engine: Engine, game: AnyGame, spec: str) -> Record:
    contest = contest_of(game, spec)
    with engine:
        (result,) = engine.results(contest, number_matches(contest, [Fixture((0, 1), 0)]))
    return read_record(unpacked(result.record))


def actions_of(record: Record) -> list[bytes]:
    assert record.outcome is not None and record.outcome.faults == (None, None)
    return [bytes(entry.action) for entry in record.entries]  # type: ignore[arg-type]  # there are no faults


def cut_off(lines: list[bytes]) -> list[bytes]:
    """The first half of a record."""
    return lines[: len(lines) // 2]


def test_it_chooses_the_same_in_every_process(game: AnyGame) -> None:
    spec = small_search(game)
    here = play_on(Inline(), game, spec)
    assert actions_of(play_on(Pool(1), game, spec)) == actions_of(here)
    assert actions_of(play_on(Inline(), game, f"isolated:{spec}")) == actions_of(here)
    assert [check.verdict for check in check_house(game, here)] == ["same", "same"]


def test_it_chooses_the_same_on_the_page_and_after_a_restart(game: AnyGame) -> None:
    table = TableDefinition(
        msgspec.Raw(msgspec.json.encode(setup_of(game))),
        7,
        (TableSeat("a", small_search(game)), TableSeat("b", "random")),
        60.0,
        0.0,
    )
    whole = LiveMatch("a", game, table, Backing(), patience=60)
    asyncio.run(whole.play())
    lines = whole.played.lines
    assert [check.verdict for check in check_house(game, read_record(lines))] == ["same", "same"]
    resumed = LiveMatch("a", game, table, Backing(), cut_off(lines), patience=60)
    asyncio.run(resumed.play())
    assert resumed.played.lines == lines


class Backing:
    """A server that works every answer out with a player made afresh."""

    async def begin(self, definition: TableDefinition) -> None:
        pass

    async def keep(self, definition: TableDefinition) -> None:
        pass

    def start_bot(self, game: AnyGame, spec: str, chance: int, info: SeatInfo) -> tuple[Player, Isolation]:
        raise NotImplementedError

    async def think(self, question: HouseQuestion, on_slow: Callable[[bool], object]) -> HouseReply:
        return answer(msgspec.structs.replace(question, rng=copy_generator(question.rng)))


def copy_generator(rng: Random) -> Random:
    copy = Random()
    copy.setstate(rng.getstate())
    return copy


def test_it_chooses_the_same_in_a_match_that_goes_on(game: AnyGame) -> None:
    whole = play_lines(game, lambda orders, players: play_inline(orders, players))

    def go_on(orders: Any, players: list[House]) -> None:
        play_inline(orders, players, past=Script(game, read_record(cut_off(whole))))

    def go_on_awaited(orders: Any, players: list[House]) -> None:
        past = Script(game, read_record(cut_off(whole)))
        asyncio.run(play_awaited(orders, [LocalPlayer(player) for player in players], past=past))

    assert play_lines(game, go_on) == play_lines(game, go_on_awaited) == whole


def play_lines(game: AnyGame, play: Callable[[Any, list[House]], object], seed: int = 7) -> list[bytes]:
    lines: list[bytes] = []
    specs = (small_search(game), "random")
    players = [House(house_strategy(game, spec, Random(seat))) for seat, spec in enumerate(specs)]
    play(record_match(game, setup_of(game), seed, specs, lines.append), players)
    return lines


def test_what_it_saw_matters() -> None:
    """The toy's memory changes what it does: without it, these tests would show nothing."""
    nim = GAMES["nim"]

    def play(seed: int, *, told: bool) -> list[bytes]:
        def forget(orders: Any, players: list[House]) -> None:
            if not told:
                players[0].saw = None
            play_inline(orders, players)

        return play_lines(nim, forget, seed)

    assert [play(seed, told=True) for seed in range(10)] != [play(seed, told=False) for seed in range(10)]


def test_a_strategy_without_memory_is_called_as_it_is() -> None:
    def first(view: Any) -> Any:
        return view

    player = House(first)
    assert player.choose is first and player.saw is None
