"""The house players of the rule book."""

from __future__ import annotations

from itertools import combinations
from typing import cast

import pytest

from fairplay.core import FaultKind, House, Seat
from fairplay.core.chance import derived
from fairplay.games.trains import GAME, rules
from fairplay.games.trains.map import Color, Connection
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.players.strategies import STRATEGIES, absent_connection, buy_now, cheat, hold_10, random
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Pick, Setup, View
from fairplay.match.replay import start_match
from fairplay.run.inline import play_inline
from games.trains.sheets import MAP_M, atlas_map, cards, played

M = map_from_json(MAP_M)


def turn_view(letters: str) -> View:
    """Seat 0 on turn on map M with these cards."""
    setup = Setup(map=M, dealt=len(letters), deck=cards(letters), destinations="ordered")
    return rules.view(played(setup, 2), Seat(0))


def test_picks_keep_the_first_or_the_last() -> None:
    """Trains 8.5 to 8.7."""
    view = rules.view(rules.start(Setup(map=M, destinations="ordered"), 2, derived(0)), Seat(0))
    first, last = Pick((("Alma", "Bree"), ("Alma", "Cove"))), Pick((("Alma", "Erin"), ("Bree", "Cove")))
    assert hold_10(derived(0))(view) == first
    assert cheat(derived(0))(view) == first  # Trains 14.7
    assert buy_now(derived(0))(view) == last


def test_with_other_settings_as_many_are_kept_as_must_be() -> None:
    """Trains 13.1."""
    view = rules.view(rules.start(Setup(map=M, offered=4, kept=4, destinations="ordered"), 2, derived(0)), Seat(0))
    assert hold_10(derived(0))(view) == buy_now(derived(0))(view) == Pick(view.offer)


@pytest.mark.parametrize(
    ("letters", "hold", "buy"),
    [
        ("rrrbbbgggg", DRAW, "Alma Bree red 3"),  # ten cards are too few for Hold-10
        ("rrrbbbggggg", "Alma Bree red 3", "Alma Bree red 3"),
        ("wwwwwbbb", DRAW, "Alma Erin blue 3"),
        ("ggggrrwwwww", "Bree Cove green 4", "Bree Cove green 4"),
        ("gggrrwwwwbb", DRAW, DRAW),  # nothing can be paid for
    ],
)
def test_turns(letters: str, hold: object, buy: object) -> None:
    """Trains 8.4 to 8.6."""
    for maker, expected in ((hold_10, hold), (buy_now, buy)):
        action = maker(derived(0))(turn_view(letters))
        if isinstance(expected, str):
            first, second, color, length = expected.split()
            assert action == Acquire(Connection(first, second, cast("Color", color), int(length)))
        else:
            assert action == expected


def test_cheat_asks_for_what_is_not_there_once_and_then_buys() -> None:
    """Trains 8.7, 8.8."""
    strategy = cheat(derived(0))
    view = turn_view("rrrbbbgggg")
    assert strategy(view) == Acquire(Connection("Alma", "Bree", "blue", 3))
    assert strategy(view) == Acquire(Connection("Alma", "Bree", "red", 3))


def test_what_cheat_asks_for() -> None:
    """Trains 8.8."""
    assert absent_connection(M) == Connection("Alma", "Bree", "blue", 3)
    full = "A-B blue 3,A-B green 3,A-B red 3,A-B white 3"
    assert absent_connection(atlas_map(full)) == Connection("A", "B", "blue", 4)
    assert absent_connection(atlas_map(full.replace("blue 3", "blue 4"))) == Connection("A", "B", "blue", 3)
    some = "A-B blue 3,A-B green 3,A-B white 3,B-C red 3"
    assert absent_connection(atlas_map(some)) == Connection("A", "B", "red", 3)
    assert absent_connection(atlas_map(f"{full},B-C red 3")) == Connection("A", "C", "blue", 3)


def test_a_cheat_is_thrown_out_and_the_others_play_on() -> None:
    players = [House(STRATEGIES[name](derived(0))) for name in ("cheat", "buy-now", "hold-10")]
    outcome = play_inline(start_match(GAME, Setup(map="small"), 1, 3), players)
    assert outcome.faults[0] is not None
    assert outcome.faults[0].kind is FaultKind.ILLEGAL
    assert {seat for tier in outcome.ranking for seat in tier} == {1, 2}


def test_random_tries_everything() -> None:
    view = turn_view("rrrbbbgggg")
    strategy = random(derived(0))
    assert {strategy(view) for _ in range(200)} == set(rules.legal_actions(view))


def test_every_pair_of_house_players_finishes_without_a_fault() -> None:
    for first, second in combinations([name for name in STRATEGIES if name not in ("cheat", "search")], 2):
        players = [House(STRATEGIES[name](derived(seat))) for seat, name in enumerate((first, second))]
        outcome = play_inline(start_match(GAME, Setup(map="tiny"), 7, 2), players)
        assert outcome.faults == (None, None), (first, second)
