"""A match that is being played: what watchers are sent and when, and what clicks lead to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Seat, Turn, UsageError
from fairplay.web.house.worker import HouseQuestion, HouseReply, answer
from fairplay.web.matches import live
from fairplay.web.matches.feed import Watcher
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.tables import SeatRequest, TableRequest, build_table

T = TypeVar("T")
ME = Seat(0)


def build_match(game: str, *seats: str, patience: float = 3600, **more: Any) -> LiveMatch:
    """A match at a table, each seat of which is `me`, `friend` or a house player."""
    chosen = tuple(
        SeatRequest(cast("Any", who)) if who in ("me", "friend") else SeatRequest("house", who) for who in seats
    )
    wanted = TableRequest(game=game, seats=chosen, **{"clock": 600, "pace": 0, **more})
    definition, _ = build_table(GAMES[game], GAMES[game].quick, wanted)
    return LiveMatch("abc", GAMES[game], definition, FreeBacking(), patience=patience)


class FreeBacking:
    """A server that keeps nothing and answers at once."""

    def write(self, line: bytes) -> None:
        pass

    async def settle(self) -> None:
        pass

    async def think(self, question: HouseQuestion, on_slow: Callable[[bool], object]) -> HouseReply:
        return answer(question)


def messages(watcher: Watcher) -> list[dict[str, Any]]:
    """What waits for a watcher."""
    found = []
    while not watcher._waiting.empty():
        message = watcher._waiting.get_nowait()
        assert message is not None
        found.append(json.loads(message.text))
    return found


def kinds(watcher: Watcher) -> list[Any]:
    """The same in short: the number of a moment, or the seconds on the clock."""
    return [
        found["moment"]["number"] if "moment" in found else ("clock", found["presence"]["clock"])
        for found in messages(watcher)
    ]


async def playing(match: LiveMatch, work: Callable[[], Awaitable[T]]) -> T:
    """Do something while a match is played."""
    task = asyncio.create_task(match.play())
    try:
        return await work()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(120):
        while not true():
            await asyncio.sleep(0.001)


def take_turn(match: LiveMatch) -> None:
    """Click the first choice until it is a move."""
    clicks: list[str] = []
    while not (result := match.click(ME, match.timeline.last, clicks)).done:
        clicks.append(result.choices[0].key)


def test_each_moment_is_sent_once_and_the_clock_apart() -> None:
    async def play() -> None:
        match, watcher = build_match("fish", "me", "random", clock=600), Watcher(None)
        match.add_watcher(watcher)
        match.add_watcher(Watcher(ME), ME)
        assert kinds(watcher) == [0, ("clock", None), ("clock", None)], "what there is, then that somebody came"

        async def work() -> None:
            await until(lambda: match.people[ME].view is not None)
            assert kinds(watcher) == [("clock", 600.0)]
            take_turn(match)
            await until(lambda: match.timeline.last == 2 and match.people[ME].view is not None)
            assert kinds(watcher) == [1, 2, ("clock", 600.0)]

        await playing(match, work)

    asyncio.run(play())


def test_a_presence_that_has_not_changed_is_not_sent_again() -> None:
    async def play() -> None:
        match, watcher = build_match("fish", "me", "random"), Watcher(None)
        match.add_watcher(Watcher(ME), ME)
        match.add_watcher(watcher)
        messages(watcher)
        match.publish_presence()
        match.add_watcher(Watcher(ME), ME)
        assert messages(watcher) == [], "a second page changes nothing"

    asyncio.run(play())


def test_all_viewers_are_sent_the_same_presence_and_a_picture_of_their_own() -> None:
    async def play() -> None:
        match = build_match("trains", "me", "random")
        watchers = [Watcher(viewer) for viewer in (None, Seat(0), Seat(1), "all")]
        for watcher in watchers:
            match.add_watcher(watcher)
        found = [messages(watcher) for watcher in watchers]
        assert len({json.dumps(each[1]["presence"]) for each in found}) == 1
        assert len({each[0]["moment"]["picture"] for each in found}) == 4

    asyncio.run(play())


@pytest.mark.parametrize(
    ("known", "numbers"),
    [(None, [12]), (12, []), (11, [12]), (4, [*range(5, 13)]), (3, [12]), (0, [12]), (13, [12]), (99, [12])],
)
def test_who_comes_back_is_sent_what_was_missed_if_it_is_not_too_much(known: int | None, numbers: list[int]) -> None:
    async def play() -> None:
        match, watcher = build_match("fish", "random", "random", pace=60), Watcher(None)
        rules, state = match.game.rules, match.timeline.states[0]
        for _ in range(12):
            seat = rules.to_move(state)
            assert seat is not None
            action = rules.legal_actions(rules.view(state, seat))[0]
            before, state = state, rules.apply(state, action)
            match.timeline.add(Turn(before, seat, action, state))
        match.add_watcher(watcher, known=known)
        assert kinds(watcher) == [*numbers, ("clock", None)]

    asyncio.run(play())


def test_a_message_is_made_once_for_all_who_come() -> None:
    async def play() -> None:
        match, watchers = build_match("fish", "random", "random", pace=60), [Watcher(None) for _ in range(3)]
        for watcher in watchers:
            match.add_watcher(watcher)
        first = [watcher._waiting.get_nowait() for watcher in watchers]
        assert first[0] is first[1] is first[2]

    asyncio.run(play())


def test_a_match_waits_for_two_people_but_not_for_one() -> None:
    async def play() -> None:
        assert build_match("fish", "me", "random").status == "playing"
        match = build_match("fish", "me", "friend")
        assert (match.status, match.presence().seats) == ("waiting", ("not here yet", "not here yet"))
        match.add_watcher(Watcher(ME), ME)
        assert (match.status, match.presence().seats) == ("waiting", ("", "not here yet"))
        match.add_watcher(Watcher(Seat(1)), Seat(1))
        assert (match.status, match.presence().seats) == ("playing", ("", ""))

    asyncio.run(play())


def test_a_table_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MAX_WAIT", 0.05)

    async def play() -> LiveMatch:
        match = build_match("labyrinth", "friend", "friend", patience=0, clock=1)
        assert match.status == "waiting"
        await match.play()
        return match

    match = asyncio.run(play())
    assert (match.status, match.presence()) == ("over", match.timeline.presence())


def test_who_is_away_is_shown_so_until_they_come_back() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "random", patience=0)
        watcher, mine = Watcher(None), Watcher(ME)
        match.add_watcher(mine, ME)
        match.add_watcher(watcher)
        match.remove_watcher(mine, ME)
        assert messages(watcher)[-1]["presence"]["seats"] == ["away, greedy plays", ""]
        match.add_watcher(mine, ME)
        assert messages(watcher)[-1]["presence"]["seats"] == ["", ""]

    asyncio.run(play())


def test_clicks_lead_to_choices_to_a_refusal_or_to_a_move() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "random")
        with pytest.raises(UsageError, match="not your turn"):
            match.click(ME, 0, [])
        match.add_watcher(Watcher(ME), ME)

        async def work() -> None:
            await until(lambda: match.people[ME].view is not None)
            with pytest.raises(UsageError, match="not your turn"):
                match.click(ME, 1, [])
            take_turn(match)
            await until(lambda: match.timeline.last == 2 and match.people[ME].view is not None)
            choices = match.click(ME, 2, [])
            assert choices.choices and choices.prompt and "<svg" in choices.picture and not choices.refusal
            keys = {choice.key for choice in choices.choices}
            taken = next(key for row in range(5) for column in range(5) if (key := f"at={row},{column}") not in keys)
            refused = match.click(ME, 2, [taken])
            assert refused.refusal and refused.choices == choices.choices and not refused.done
            assert match.timeline.last == 2

        await playing(match, work)

    asyncio.run(play())


def test_an_invitation_turns_into_a_key_once() -> None:
    async def play() -> None:
        game = GAMES["fish"]
        wanted = TableRequest(game="fish", seats=(SeatRequest("me"), SeatRequest("friend")))
        definition, (key, invitation) = build_table(game, game.quick, wanted)
        match = LiveMatch("abc", game, definition, FreeBacking(), patience=60)
        assert (match.find_seat(key), match.find_seat(invitation), match.find_seat("")) == (Seat(0), None, None)
        claimed = match.claim_seat(invitation)
        assert claimed is not None and claimed[0] == 1 and match.find_seat(claimed[1]) == 1
        assert match.claim_seat(invitation) is None and match.claim_seat("") is None

    asyncio.run(play())


def test_a_match_that_cannot_be_shown_is_played_all_the_same(log: list[dict[str, Any]]) -> None:
    async def play() -> LiveMatch:
        match = build_match("fish", "random", "random")
        match.add_watcher(Watcher(None))
        match.timeline.moment = lambda *_: 1 / 0  # type: ignore[assignment,method-assign]  # fails on purpose
        await match.play()
        return match

    assert asyncio.run(play()).status == "over"
    assert {entry["event"] for entry in log} == {"a match cannot be shown"}
