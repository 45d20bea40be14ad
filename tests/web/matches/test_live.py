"""A match that is being played: what watchers are sent and when, and what clicks lead to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Outcome, Player, Seat, SeatInfo, Turn, UsageError
from fairplay.match.record import Isolation
from fairplay.web.house.worker import HouseQuestion, HouseReply, answer
from fairplay.web.http.endpoints import RequestError
from fairplay.web.matches import people
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.tables import SeatRequest, TableDefinition, TableRequest, build_table
from fairplay.web.watching import feed
from fairplay.web.watching.feed import Situation, Watcher
from fairplay.web.watching.timeline import Presence

T = TypeVar("T")
ME = Seat(0)


def build_match(game: str, *seats: str, patience: float = 3600, **more: Any) -> LiveMatch:
    """A match at a table, each seat of which is `me`, `friend` or a house player."""
    chosen = tuple(
        SeatRequest(cast("Any", who)) if who in ("me", "friend", "anyone") else SeatRequest("house", who)
        for who in seats
    )
    wanted = TableRequest(game=game, seats=chosen, **{"clock": 600, "pace": 0, **more})
    definition, _ = build_table(GAMES[game], GAMES[game].quick, wanted)
    taken = zip(definition.seats, chosen, strict=True)
    owned = tuple(replace(seat, account="me") if asked.who == "me" else seat for seat, asked in taken)
    return LiveMatch("abc", GAMES[game], replace(definition, seats=owned), FreeBacking(), patience=patience)


class FreeBacking:
    """A server that keeps nothing and answers at once."""

    async def begin(self, definition: TableDefinition) -> None:
        pass

    async def keep(self, definition: TableDefinition) -> None:
        self.kept = definition

    def start_bot(self, game: AnyGame, spec: str, chance: int, info: SeatInfo) -> tuple[Player, Isolation]:
        raise NotImplementedError

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
    """The same in short: the number of a moment, if there is one, and the seconds on the clock."""
    return [
        (found["moment"]["number"] if "moment" in found else None, found["presence"]["clock"])
        for found in messages(watcher)
    ]


async def play_out(match: LiveMatch) -> Outcome | None:
    """Play a match to its end, as a server does."""
    outcome = await match.play()
    match.conclude(outcome)
    return outcome


async def playing(match: LiveMatch, work: Callable[[], Awaitable[T]]) -> T:
    """Do something while a match is played."""
    task = asyncio.create_task(play_out(match))
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


def test_each_moment_is_sent_once_with_the_clock_that_runs_from_then_on() -> None:
    async def play() -> None:
        match, watcher = build_match("fish", "me", "random", clock=600), Watcher(None)
        match.add_watcher(watcher)
        match.add_watcher(Watcher(ME), ME)
        assert kinds(watcher) == [(0, None), (None, None)], "what there is, then that somebody came"

        async def work() -> None:
            await until(lambda: match.table.people[ME].view is not None)
            assert kinds(watcher) == [(None, 600.0)], "the match begins"
            take_turn(match)
            await until(lambda: match.timeline.last == 2 and match.table.people[ME].view is not None)
            assert kinds(watcher) == [(1, None), (2, 600.0)]

        await playing(match, work)

    asyncio.run(play())


def test_a_presence_that_has_not_changed_is_not_sent_again() -> None:
    async def play() -> None:
        match, watcher = build_match("fish", "me", "random"), Watcher(None)
        match.add_watcher(Watcher(ME), ME)
        match.add_watcher(watcher)
        messages(watcher)
        match.feed.publish()
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
        assert len({json.dumps(each[0]["presence"]) for each in found}) == 1
        assert len({json.dumps(each[0]["moment"]) for each in found}) >= 3, "two seats, and those who see less or more"

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
        assert kinds(watcher) == [(number, None) for number in (numbers or [None])]  # type: ignore[list-item]  # none: the presence alone

    asyncio.run(play())


def test_a_message_is_made_once_for_all_who_come() -> None:
    async def play() -> None:
        match, watchers = build_match("fish", "random", "random", pace=60), [Watcher(None) for _ in range(3)]
        for watcher in watchers:
            match.add_watcher(watcher)
        first = [watcher._waiting.get_nowait() for watcher in watchers]
        assert first[0] is first[1] is first[2]

    asyncio.run(play())


def test_a_match_that_nobody_watches_describes_itself_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    described: list[int] = []
    tell_time = feed.tell_time

    def note(situation: Situation) -> Presence:
        described.append(1)
        return tell_time(situation)

    monkeypatch.setattr(feed, "tell_time", note)

    async def play() -> None:
        match, watcher = build_match("fish", "random", "random"), Watcher(None)
        await play_out(match)
        assert described == []
        match.add_watcher(watcher)
        assert kinds(watcher) == [(match.timeline.last, None)], "who comes later is told how it stands"

    asyncio.run(play())


def test_a_match_waits_for_two_people_but_not_for_one() -> None:
    async def play() -> None:
        assert build_match("fish", "me", "random").table.status == "playing"
        match = build_match("fish", "me", "friend")
        assert (match.table.status, match.feed.presence().seats) == ("waiting", ("not here yet", "not here yet"))
        match.add_watcher(Watcher(ME), ME)
        assert (match.table.status, match.feed.presence().seats) == ("waiting", ("", "not here yet"))
        match.add_watcher(Watcher(Seat(1)), Seat(1))
        assert (match.table.status, match.feed.presence().seats) == ("playing", ("", ""))

    asyncio.run(play())


def test_a_table_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MAX_WAIT", 0.05)
    monkeypatch.setattr(people, "OFFER_HOUSE_AFTER", 0.01)

    async def play(*arrived: Seat) -> LiveMatch:
        match = build_match("labyrinth", "friend", "friend", patience=0, clock=0.01)
        assert match.table.status == "waiting"
        for seat in arrived:
            match.add_watcher(Watcher(seat), seat)
        await play_out(match)
        return match

    match = asyncio.run(play(ME))
    assert match.table.status == "over" and not match.table.is_discarded
    assert asyncio.run(play()).table.is_discarded, "where nobody came, there is no match"


def test_who_is_away_is_shown_so_until_they_come_back() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "random", patience=0)
        watcher, mine = Watcher(None), Watcher(ME)
        match.add_watcher(mine, ME)
        match.add_watcher(watcher)
        match.remove_watcher(mine, ME)
        assert messages(watcher)[-1]["presence"]["seats"] == ["away, a house player plays", ""]
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
            await until(lambda: match.table.people[ME].view is not None)
            with pytest.raises(UsageError, match="not your turn"):
                match.click(ME, 1, [])
            take_turn(match)
            await until(lambda: match.timeline.last == 2 and match.table.people[ME].view is not None)
            choices = match.click(ME, 2, [])
            assert choices.choices and choices.prompt and not choices.refusal
            keys = {choice.key for choice in choices.choices}
            taken = next(key for row in range(5) for column in range(5) if (key := f"at={row},{column}") not in keys)
            refused = match.click(ME, 2, [taken])
            assert refused.refusal and refused.choices == choices.choices and not refused.done
            assert match.timeline.last == 2

        await playing(match, work)

    asyncio.run(play())


def test_an_invitation_is_good_for_a_seat_once() -> None:
    async def play() -> None:
        game = GAMES["fish"]
        wanted = TableRequest(game="fish", seats=(SeatRequest("me"), SeatRequest("friend")))
        definition, (_, invitation) = build_table(game, game.quick, wanted)
        match = LiveMatch("abc", game, definition, FreeBacking(), patience=60)
        assert match.table.find_invited(invitation) == 1
        match.table.hand_over(Seat(1), "friend")
        assert [match.definition.find_seat({who}) for who in ("friend", "stranger", "")] == [1, None, None]
        assert match.table.find_invited(invitation) is None and match.table.find_invited("") is None

    asyncio.run(play())


def test_a_match_that_cannot_be_shown_is_played_all_the_same(log: list[dict[str, Any]]) -> None:
    async def play() -> LiveMatch:
        match = build_match("fish", "random", "random")
        match.add_watcher(Watcher(None))
        match.timeline.moment = lambda *_: 1 / 0  # type: ignore[assignment,method-assign]  # fails on purpose
        await play_out(match)
        return match

    assert asyncio.run(play()).table.status == "over"
    assert {entry["event"] for entry in log} == {"a match cannot be shown"}


# -- what can be clicked -----------------------------------------------------------------------


def test_only_the_person_who_is_to_move_is_sent_what_can_be_clicked() -> None:
    async def play() -> None:
        match = build_match("trains", "me", "friend")
        watchers = {viewer: Watcher(viewer) for viewer in (None, Seat(0), Seat(1))}
        for viewer, watcher in watchers.items():
            match.add_watcher(watcher, viewer)
            assert messages(watcher)[0]["moment"]["clicks"] is None, "nobody plays yet"

        async def work() -> None:
            await until(lambda: match.table.people[ME].view is not None)
            found = {viewer: messages(watcher)[-1]["moment"]["clicks"] for viewer, watcher in watchers.items()}
            assert found[ME]["nodes"] and found[None] is None and found[Seat(1)] is None
            assert match.moment(0, "all").clicks is None

        await playing(match, work)

    asyncio.run(play())


def test_the_clicks_of_the_tree_are_those_that_the_server_accepts() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "random")
        match.add_watcher(Watcher(ME), ME)

        async def work() -> None:
            await until(lambda: match.table.people[ME].view is not None)
            tree = match.moment(0, ME).clicks
            assert tree is not None
            assert [*tree.nodes[0].next] == [choice.key for choice in match.click(ME, 0, []).choices]
            take_turn(match)
            await until(lambda: match.timeline.last == 2 and match.table.people[ME].view is not None)
            assert match.moment(0, ME).clicks is None, "what is past cannot be clicked"
            assert match.moment(2, ME).clicks is not None

        await playing(match, work)

    asyncio.run(play())


def test_an_illegal_click_keeps_what_was_chosen_before() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "random")
        match.add_watcher(Watcher(ME), ME)

        async def work() -> None:
            while len(match.timeline.events) < 2 or match.click(ME, match.timeline.last, []).prompt.startswith("Place"):
                await until(lambda: match.table.people[ME].view is not None)
                take_turn(match)
                last = match.timeline.last
                await until(lambda: match.timeline.last >= last + 2 and match.table.people[ME].view is not None)  # noqa: B023  # now
            number = match.timeline.last
            first = match.click(ME, number, []).choices[0].key
            chosen = match.click(ME, number, [first])
            refused = match.click(ME, number, [first, "at=99,99"])
            assert refused.refusal.endswith(".") and "[" not in refused.refusal
            assert (refused.choices, refused.chosen) == (chosen.choices, chosen.chosen)

        await playing(match, work)

    asyncio.run(play())


# -- leaving -----------------------------------------------------------------------------------


def arrive(match: LiveMatch, *seats: int) -> None:
    for seat in map(Seat, seats):
        match.add_watcher(Watcher(seat), seat)


def test_who_resigns_is_removed_and_the_record_says_so() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "random")
        arrive(match, 0)
        task = asyncio.create_task(play_out(match))
        await until(lambda: match.table.people[ME].view is not None)
        match.table.take_leave(ME, resign=True)
        outcome = await task
        assert outcome is not None and outcome.winners == (1,) and outcome.faults[0] is not None
        assert outcome.faults[0].detail == "resigned"
        assert match.timeline.describe_event(1, ME) == "You resigned"
        assert match.timeline.describe_event(1, None) == "guest 1 resigned"
        assert match.timeline.moment(1, None).seats[0].removed == "resigned"

    asyncio.run(play())


def test_who_resigns_out_of_turn_goes_when_the_turn_comes() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "friend")
        arrive(match, 0, 1)
        task = asyncio.create_task(play_out(match))
        await until(lambda: match.table.people[ME].view is not None)
        match.table.take_leave(Seat(1), resign=True)
        assert match.feed.presence().seats == ("", "resigns") and match.table.status == "playing"
        take_turn(match)
        outcome = await task
        assert outcome is not None and outcome.winners == (0,)

    asyncio.run(play())


def test_a_house_player_plays_on_for_who_leaves_while_others_play() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "friend")
        arrive(match, 0, 1)
        task = asyncio.create_task(play_out(match))
        await until(lambda: match.table.people[ME].view is not None)
        match.table.take_leave(ME, resign=False)
        await until(lambda: match.table.people[Seat(1)].view is not None)
        assert match.feed.presence().seats == ("left, a house player plays", "")
        assert match.definition.seats[0].gone == "left", "so that it stays so after a restart"
        match.table.take_leave(Seat(1), resign=False)
        assert await task is None
        assert (match.table.status, match.feed.presence().ending) == ("cut off", "guest 2 left.")

    asyncio.run(play())


def test_a_match_is_broken_off_once_all_who_are_here_agree() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "friend")
        arrive(match, 0, 1)
        task = asyncio.create_task(play_out(match))
        await until(lambda: match.table.people[ME].view is not None)
        match.table.offer_stop(ME)
        assert match.feed.presence().offers.stop == (0,) and not match.table.stop_reason
        match.table.offer_stop(ME, withdraw=True)
        match.table.offer_stop(Seat(1))
        assert match.feed.presence().offers.stop == (1,)
        match.table.offer_stop(ME)
        assert await task is None
        assert match.feed.presence().ending == "guest 1 and guest 2 agreed to stop."

    asyncio.run(play())


def test_who_refuses_to_stop_ends_the_offer() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "friend")
        arrive(match, 0, 1)
        match.table.offer_stop(ME)
        match.table.offer_stop(Seat(1), withdraw=True)
        assert match.feed.presence().offers.stop == ()

    asyncio.run(play())


def test_who_resigns_loses_though_the_other_one_offers_to_stop() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "friend")
        arrive(match, 0, 1)
        task = asyncio.create_task(play_out(match))
        await until(lambda: match.table.people[ME].view is not None)
        match.table.offer_stop(Seat(1))
        match.table.take_leave(ME, resign=True)
        outcome = await task
        assert outcome is not None and outcome.winners == (1,)

    asyncio.run(play())


def test_a_lost_connection_does_not_agree_to_stop() -> None:
    async def play() -> None:
        match, watcher = build_match("fish", "me", "friend"), Watcher(Seat(1))
        arrive(match, 0)
        match.add_watcher(watcher, Seat(1))
        task = asyncio.create_task(play_out(match))
        await until(lambda: match.table.people[ME].view is not None)
        match.remove_watcher(watcher, Seat(1))
        match.table.offer_stop(ME)
        assert match.feed.presence().offers.stop == (0,) and match.table.status == "playing"
        match.table.take_leave(Seat(1), resign=False)
        assert await task is None and match.feed.presence().ending == "guest 1 stopped the match."

    asyncio.run(play())


def test_whose_page_is_closed_for_a_moment_has_not_agreed_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the one who is losing would wait for that moment; who stays away is not asked."""
    monkeypatch.setattr(people, "CHECK_INTERVAL", 0.01)

    async def play() -> None:
        match = build_match("fish", "me", "me")
        arrive(match, 0)
        match.table.stop_waiting()
        task = asyncio.create_task(play_out(match))
        await until(lambda: match.table.people[ME].view is not None)
        match.table.offer_stop(ME)
        assert match.feed.presence().offers.stop == (0,) and not match.table.stop_reason
        match.table.people[Seat(1)].patience = 0.0
        assert await task is None and match.feed.presence().ending == "guest 1 stopped the match."

    asyncio.run(play())


def test_who_has_left_offers_nothing() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "me")
        arrive(match, 0, 1)
        match.table.offer_stop(ME)
        match.table.take_leave(ME, resign=True)
        assert match.feed.presence().offers.stop == ()
        with pytest.raises(UsageError, match="have left"):
            match.table.offer_stop(ME)

    asyncio.run(play())


def test_a_lone_person_stops_at_once_and_everyone_sees_all_that_was_hidden() -> None:
    async def play() -> None:
        match, watcher = build_match("trains", "me", "random"), Watcher(None)
        match.add_watcher(watcher)
        arrive(match, 0)
        task = asyncio.create_task(play_out(match))
        await until(lambda: match.table.people[ME].view is not None)
        match.table.offer_stop(ME)
        assert await task is None and match.feed.presence().ending == "guest 1 stopped the match."
        end = messages(watcher)[-1]
        assert end["presence"]["status"] == "cut off"
        assert end["moment"]["picture"] == match.timeline.moment(match.timeline.last, "all").picture

    asyncio.run(play())


def test_an_abandoned_match_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "ABANDON_AFTER", 0.05)
    monkeypatch.setattr(people, "CHECK_INTERVAL", 0.01)

    async def play() -> LiveMatch:
        match = build_match("labyrinth", "me", "random", pace=60)
        watcher = Watcher(ME)
        match.add_watcher(watcher, ME)
        task = asyncio.create_task(play_out(match))
        await asyncio.sleep(0.2)
        assert not task.done(), "somebody is here"
        match.remove_watcher(watcher, ME)
        assert await task is None
        return match

    assert asyncio.run(play()).feed.presence().ending.startswith("Abandoned: ")


def test_what_nobody_has_begun_leaves_nothing_behind_when_it_is_stopped() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "friend")
        arrive(match, 0)
        task = asyncio.create_task(play_out(match))
        await asyncio.sleep(0)
        match.table.offer_stop(ME)
        assert await task is None and match.table.is_discarded

    asyncio.run(play())


# -- open seats --------------------------------------------------------------------------------


def test_house_players_take_the_seats_that_nobody_took() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "anyone", "anyone")
        arrive(match, 0)
        assert match.feed.presence().seats == ("", "open seat", "open seat") and match.table.find_open_seat() == 1
        match.rename(Seat(1), "bob")
        match.table.hand_over(Seat(1), "bob")
        assert match.table.find_open_seat() == 2

        async def work() -> None:
            match.table.stop_waiting()
            await until(lambda: match.table.people[ME].view is not None)
            assert match.timeline.names == ("guest 1", "bob", "greedy") and match.table.find_open_seat() is None
            assert [seat.person for seat in match.definition.seats] == [True, True, False]
            with pytest.raises(UsageError, match="The match has begun"):
                match.rename(ME, "ann")

        await playing(match, work)

    asyncio.run(play())


def test_two_people_cannot_have_the_same_name() -> None:
    async def play() -> None:
        match = build_match("fish", "me", "friend")
        match.rename(ME, "ann")
        with pytest.raises(UsageError, match="two players"):
            match.rename(Seat(1), "Ann")
        assert match.timeline.moment(0, None).seats[0].name == "ann"

    asyncio.run(play())


def test_signs_are_few_and_come_from_a_fixed_set() -> None:
    async def play() -> None:
        match, watcher = build_match("fish", "me", "random"), Watcher(None)
        match.add_watcher(watcher)
        messages(watcher)
        match.table.talk.give_sign(ME, "hello")
        match.feed.publish()
        assert messages(watcher)[-1]["presence"]["emote"] == {"seat": 0, "name": "hello", "number": 1}
        with pytest.raises(RequestError, match="no such sign"):
            match.table.talk.give_sign(ME, "<script>")
        match.table.talk.give_sign(ME, "wow")
        match.table.talk.give_sign(ME, "wow")
        with pytest.raises(RequestError, match="Wait a moment"):
            match.table.talk.give_sign(ME, "wow")

    asyncio.run(play())


def test_those_who_look_on_are_counted_without_those_at_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "COUNT_INTERVAL", 0.01)

    async def play() -> None:
        match = build_match("fish", "me", "random")
        for _ in range(3):
            match.add_watcher(Watcher(None))
        match.add_watcher(Watcher(ME, at_table=True), ME)
        match.add_watcher(Watcher(None, many_matches=True))
        await until(lambda: match.feed.presence().watchers == 3)

    asyncio.run(play())
