"""Chance after the deal: drawn from the seed, recorded, reported to all as they may know it, and never foreseen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

import pig
from fairplay.catalog import GAMES, find_flaws
from fairplay.core import (
    AnyGame,
    Befell,
    Chance,
    Fault,
    FaultKind,
    Parts,
    RecordError,
    Removed,
    RuleBookError,
    Seat,
    Seen,
    Turn,
)
from fairplay.core.chance import derived
from fairplay.core.game import find_mover, is_over, let_chance_fall
from fairplay.match.driver import describe_chance, drive, report_event, see_event
from fairplay.match.record import Chain, read_record
from fairplay.match.referee import Ask
from fairplay.match.replay import Script, deal_state, exchanges_with, record_match, replay_record, start_match

PIG = pig.GAME
SETUP = pig.Setup()
SEEDS = st.integers(0, 2**32)

Answer = Callable[[Any], object]


def careful(order: Any) -> object:
    """Everybody holds from a sum of 6 on."""
    return pig.careful(Random(0))(order.view) if isinstance(order, Ask) else None


def play(seed: int, answer: Answer = careful, seats: int = 3) -> list[Any]:
    """What happens in a match."""
    return [*drive(start_match(PIG, SETUP, seed, seats), answer)]


def record(seed: int, answer: Answer = careful, seats: int = 3) -> list[bytes]:
    """The lines of a match."""
    lines: list[bytes] = []
    for _ in drive(record_match(PIG, SETUP, seed, ("a", "b", "c", "d")[:seats], lines.append), answer):
        pass
    return lines


def seal(lines: list[bytes], change: Callable[[list[Any]], object]) -> list[bytes]:
    """The same lines after a change, with a fresh chain."""
    values = [msgspec.json.decode(line) for line in lines]
    for value in values:
        del value["hash"]
    change(values)
    chain, sealed = Chain(), list[bytes]()
    for value in values:
        body = msgspec.json.encode(value)
        chain.advance(body)
        sealed.append(body[:-1] + Chain.SEAL % chain.hash)
    return sealed


# -- drawing -----------------------------------------------------------------------------------


def test_each_outcome_is_as_likely_as_its_weight_says() -> None:
    chance = Chance((1, 2, 5), ("a", "b", "c"))
    drawn = [chance.draw(Random(seed)) for seed in range(4_000)]
    assert [round(drawn.count(each) / 500) for each in "abc"] == [1, 2, 5]


@pytest.mark.parametrize(
    ("weights", "outcomes", "reason"),
    [
        ((), (), "0 weights for 0 outcomes"),
        ((1,), (1, 2), "1 weights for 2 outcomes"),
        ((1, 0), (1, 2), "whole numbers from 1, not 0"),
        ((0.5, 0.5), (1, 2), "whole numbers from 1, not 0.5"),
    ],
)
def test_chance_that_cannot_be_drawn_is_refused(weights: Any, outcomes: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Chance(weights, outcomes)


@given(SEEDS)
def test_the_seed_draws_each_event_by_its_number(seed: int) -> None:
    befell = [event for event in play(seed) if isinstance(event, Befell)]
    for number, event in enumerate(befell):
        chance = pig.chance(event.before)
        assert chance is not None
        assert event.outcome == chance.draw(derived(seed, "chance", number))
        assert event.after == pig.befall(event.before, event.outcome)


# -- the referee -------------------------------------------------------------------------------


def test_chance_falls_before_anybody_is_asked_and_each_event_follows_from_the_one_before() -> None:
    events = play(1)
    assert [type(event) for event in events[:4]] == [Befell, Befell, Befell, Turn]
    assert {type(event) for event in events} == {Befell, Turn}
    assert all(before.after == after.before for before, after in pairwise(events))
    assert all(not isinstance(event, Turn) or pig.chance(event.before) is None for event in events)
    assert pig.to_move(events[-1].after) is None


def test_chance_brings_news_and_who_cannot_take_them_is_removed() -> None:
    told: list[Any] = []

    def answer(order: Any) -> object:
        if isinstance(order, Ask):
            return careful(order)
        told.append((order.seat, order.news))
        return Fault(FaultKind.GONE) if isinstance(order.news, pig.GotBonus) and order.seat == 1 else None

    events = play(1, answer)
    assert [seat for seat, news in told if isinstance(news, pig.GotBonus)] == [0, 1, 2]
    assert [type(event) for event in events[:4]] == [Befell, Befell, Removed, Befell]
    assert all(event.seat != 1 for event in events if isinstance(event, Turn))


def test_everybody_gone_ends_the_match_though_the_die_is_in_the_air() -> None:
    def answer(order: Any) -> object:
        return Fault(FaultKind.GONE) if isinstance(order, Ask) else None

    assert [type(event) for event in play(1, answer)] == [Befell] * 3 + [Removed] * 3


def test_whose_turn_it_is_and_whether_it_is_over_ask_chance_first() -> None:
    events = play(1)
    for event in events:
        falls = pig.chance(event.after) is not None
        assert find_mover(PIG, event.after) == (None if falls else pig.to_move(event.after))
        assert is_over(PIG, event.after) is (event is events[-1])
    settled = let_chance_fall(PIG, events[0].before, Random(1))
    assert pig.chance(settled) is None and find_mover(PIG, settled) == 0


def test_a_rule_book_that_fails_in_its_chance_is_named() -> None:
    class Broken(SimpleNamespace):
        """The rule book with another `chance`."""

    for broken in ({"chance": lambda state: Chance((), ())}, {"befall": lambda state, outcome: 1 // 0}):
        game = replace(PIG, rules=Broken(**{**vars(pig), **broken}))
        with pytest.raises(RuleBookError, match="pig"):
            [*drive(start_match(game, SETUP, 1, 2), careful)]


def test_who_sees_everything_that_happens_sees_what_is_public_of_chance() -> None:
    events = play(1)
    for number, event in enumerate(events):
        seen = see_event(report_event(PIG, event), number, Seat(0))
        if isinstance(event, Befell):
            expected = msgspec.to_builtins(pig.public_outcome(event.outcome))
            assert seen == Seen(number, None, befell=expected)
            assert expected.get("points") is None


def test_words_tell_what_is_public_or_everything_and_there_is_a_default_sentence() -> None:
    first = play(1)[0]
    assert describe_chance(PIG, first) == "red got a hidden bonus"
    assert describe_chance(PIG, first, open=True) == f"red got a bonus of {first.outcome.points}"
    silent = replace(PIG, words=GAMES["fish"].words)
    assert describe_chance(silent, first, open=True) == (
        f'chance brought {{"came":"bonus","seat":0,"points":{first.outcome.points}}}'
    )
    mute = replace(silent, rules=GAMES["fish"].rules)
    assert describe_chance(mute, Befell(None, "rain", None)) == "chance brought rain"
    assert describe_chance(mute, Befell(None, None, None)) == "chance brought something that is hidden"


# -- records -----------------------------------------------------------------------------------


@given(SEEDS)
def test_a_record_replays_to_the_same_events(seed: int) -> None:
    lines = record(seed)
    assert [*replay_record(PIG, read_record(lines))] == play(seed)
    assert record(seed) == lines


def test_what_befell_has_a_line_with_an_order_of_its_own() -> None:
    values = [msgspec.json.decode(line) for line in record(1)]
    befell = [value for value in values if "befell" in value]
    assert befell[0]["order"] == 3 and befell[0]["befell"]["came"] == "bonus" and "seat" not in befell[0]
    orders = [value["order"] for value in values if "order" in value]
    assert orders == sorted({*orders})
    assert values[0]["fairplay"] == 1


def change_die(values: list[Any]) -> int:
    """Another face on the first die; the number of its line."""
    at = next(at for at, value in enumerate(values) if value.get("befell", {}).get("came") == "die")
    values[at]["befell"]["face"] = values[at]["befell"]["face"] % 6 + 1
    return at + 1


def drop_die(values: list[Any]) -> int:
    at = next(at for at, value in enumerate(values) if value.get("befell", {}).get("came") == "die")
    del values[at]
    return at + 1


def repeat_die(values: list[Any]) -> int:
    at = next(at for at, value in enumerate(values) if value.get("befell", {}).get("came") == "die")
    values.insert(at + 1, {**values[at], "order": values[at]["order"] + 1})
    return at + 2


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (change_die, "the seed draws {.*}, not {.*}"),
        (drop_die, "expected order [0-9]+, with what befell"),
        (repeat_die, "order [0-9]+ goes to seat [0-9]; nothing befalls here"),
    ],
)
def test_what_the_seed_does_not_draw_is_refused_and_its_line_is_named(change: Any, reason: str) -> None:
    numbers: list[int] = []
    lines = seal(record(1), lambda values: numbers.append(change(values)))
    with pytest.raises(RecordError, match=rf"^line {numbers[0]}: {reason}"):
        [*replay_record(PIG, read_record(lines))]


@given(SEEDS, st.data())
def test_a_record_that_was_cut_off_yields_what_it_holds_and_no_more(seed: int, data: st.DataObject) -> None:
    """Nobody learns what is still to come from a match that stands still."""
    lines, events = record(seed), play(seed)
    kept = data.draw(st.integers(1, len(lines) - 2))
    cut = read_record(lines[:kept])
    assert [*replay_record(PIG, cut)] == events[: kept - 1]
    seen = [each for each in exchanges_with(PIG, cut, Seat(0)) if isinstance(each, Seen)]
    assert [each.number for each in seen] == [*range(kept - 1)]


@given(SEEDS, st.data())
def test_a_match_that_was_cut_off_goes_on_as_it_would_have(seed: int, data: st.DataObject) -> None:
    lines = record(seed)
    kept = data.draw(st.integers(1, len(lines) - 1))
    past, again = Script(PIG, read_record(lines[:kept])), list[bytes]()

    def answer(order: Any) -> object:
        return careful(order) if past.over else past.reply(order)

    for event in drive(record_match(PIG, SETUP, seed, ("a", "b", "c"), again.append), answer):
        past.follow(event)
    assert again == lines


# -- nobody foresees it ------------------------------------------------------------------------


def course_of(game: AnyGame, seed: int) -> list[Any]:
    """Everything of a match that anybody can get hold of: states, views, news and what was seen, in order."""
    course: list[Any] = []

    def answer(order: Any) -> object:
        course.append(order)
        if isinstance(order, Ask):
            course.append(pig.imagine(order.view, Random(1)))
        return careful(order)

    for number, event in enumerate(drive(start_match(game, SETUP, seed, 3), answer)):
        course += [event, *(see_event(report_event(game, event), number, Seat(seat)) for seat in range(3))]
    return course


def tells_the_future(game: AnyGame, seed: int, other: int) -> bool:
    """Can two matches be told apart before chance brings something else?"""
    one, two = course_of(game, seed), course_of(game, other)
    differ = next((pair for pair in zip(one, two, strict=False) if pair[0] != pair[1]), None)
    return differ is not None and not (
        isinstance(differ[0], Befell) and isinstance(differ[1], Befell) and differ[0].before == differ[1].before
    )


@given(SEEDS, SEEDS)
def test_until_chance_brings_something_else_two_matches_cannot_be_told_apart(seed: int, other: int) -> None:
    """LAW: with the future drawn from the seed, nothing that anybody can get hold of depends on it."""
    assert not tells_the_future(PIG, seed, other)


def test_the_law_finds_a_rule_book_that_keeps_what_is_still_to_come_in_its_states() -> None:
    def start(setup: Any, seats: int, rng: Random) -> pig.Table:
        return msgspec.structs.replace(pig.start(setup, seats, rng), goal=20 + rng.getrandbits(20))

    cheating = replace(PIG, rules=SimpleNamespace(**{**vars(pig), "start": start}))
    assert tells_the_future(cheating, 1, 2)


@given(SEEDS)
def test_every_state_follows_from_the_deal_and_from_what_happened(seed: int) -> None:
    """LAW: no state holds anything of the seed but what it has dealt and drawn so far."""
    state = deal_state(PIG, SETUP, seed, 3)
    for event in play(seed):
        match event:
            case Turn():
                state = pig.apply(state, event.action)
            case Befell():
                state = pig.befall(state, event.outcome)
        assert state == event.after


@given(SEEDS, SEEDS)
def test_a_search_draws_dice_of_its_own(seed: int, chance: int) -> None:
    events = play(seed)
    asked = next(event.before for event in events if isinstance(event, Turn))
    thoughts = [pig.search(Random(chance), playouts=8).think(pig.view(asked, Seat(0))) for _ in range(2)]
    assert thoughts[0] == thoughts[1]


# -- games that do not go together with it -----------------------------------------------------


def flaws(**changed: Any) -> list[str]:
    rules = SimpleNamespace(**{name: value for name, value in {**vars(pig), **changed}.items() if value is not None})
    return find_flaws(replace(PIG, rules=rules))


def test_chance_and_befall_belong_together() -> None:
    assert flaws() == []
    assert flaws(befall=None) == ["its rules have no function 'befall'"]
    assert flaws(chance=None) == ["its rules have no function 'chance'"]
    assert flaws(befall=lambda state: state) == ["'befall' of its rules cannot be called as befall(state, outcome)"]
    assert flaws(chance=None, befall=None, public_outcome=None) == []

    def wrong() -> None: ...

    assert flaws(public_outcome=wrong) == ["'public_outcome' of its rules cannot be called as public_outcome(outcome)"]
    words = SimpleNamespace(**{**vars(pig), "describe_outcome": wrong})
    (flaw,) = find_flaws(replace(PIG, words=words))
    assert flaw == "'describe_outcome' of its words cannot be called as describe_outcome(outcome)"


def test_a_game_with_chance_and_a_kernel_says_that_they_do_not_go_together() -> None:
    unused: Any = None
    (flaw,) = find_flaws(replace(PIG, parts=Parts(kernel=lambda: unused)))
    assert flaw == "its kernel knows no chance after the deal: leave out the kernel, or 'chance' of its rules"


def test_a_game_without_chance_has_none() -> None:
    assert all(GAMES[name].chance_rules is None for name in ("fish", "trains", "labyrinth", "nim"))
