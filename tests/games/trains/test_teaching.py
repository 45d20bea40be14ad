"""Trains for those who have never played it."""

from __future__ import annotations

from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.core.shown import TurnAdvice
from fairplay.games.trains import rules
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Pick, Setup, View
from fairplay.games.trains.teaching import advise, draw_lessons, explain
from games.trains.sheets import MAP_M, cards, line, played

M = map_from_json(MAP_M)
A, B = Seat(0), Seat(1)


def advised(view: View, turn: int = 5) -> TurnAdvice:
    advice = advise(view, turn)
    assert advice is not None
    return advice


def playing(deck: str, rails: int = 45) -> View:
    """The first seat wants Alma - Bree and Alma - Cove."""
    return rules.view(played(Setup(map=M, deck=cards(deck), destinations="ordered", rails=rails), 2), A)


def test_the_lessons_are_drawn_on_positions_that_show_what_they_say() -> None:
    goal, deck, connection, score, last = draw_lessons()
    assert 'class="aim done"' in goal.picture and 'class="aim"' in goal.picture
    assert 'class="deck lit"' in deck.picture
    assert 'class="lit chosen"' in connection.picture
    assert "points</text>" in score.picture
    assert "teal to move" in last.picture.label


def test_short_ways_that_share_a_part_are_advised() -> None:
    dealt = rules.start(Setup(map=M, destinations="ordered"), 2, derived(0))
    advice = advised(rules.view(dealt, A), 0)
    assert advice.action in (Pick((("Alma", "Bree"), ("Bree", "Cove"))), Pick((("Alma", "Bree"), ("Alma", "Cove"))))
    assert "6 rails are enough for both" in advice.words


def test_a_draw_is_advised_for_the_cards_that_are_missing() -> None:
    advice = advised(playing("rrbbbbbb" + "gw"), 1)
    assert advice.action == DRAW
    assert "You need 1 more red card for Alma to Bree." in advice.words
    assert "Click the deck" in advice.words
    assert "Click the deck" not in advised(playing("rrbbbbbb" + "gw")).words


def test_a_connection_on_the_way_is_advised_as_soon_as_it_can_be_paid() -> None:
    advice = advised(playing("rrrrbbbb"))
    assert advice.action == Acquire(line("Alma-Bree red 3"))
    assert advice.words == "Alma to Bree costs 3 red cards, and you have them: it joins Alma and Bree."


def test_points_are_advised_where_nothing_can_be_done_for_destinations() -> None:
    state = played(Setup(map=M, deck=cards("bbbbrrrr"), destinations="ordered"), 2)
    cut_off = replace(state, owned=(0, state.network.bit(line("Alma-Bree red 3")) | 0b1100))
    view = rules.view(cut_off, A)
    lonely = replace(
        view,
        destinations=(("Alma", "Bree"),),
        owned=(0, view.network.every & ~view.network.bit(line("Dell-Erin blue 4"))),
    )
    advice = advised(lonely)
    assert advice.action == Acquire(line("Dell-Erin blue 4"))
    assert "You can no longer join" in advice.words
    done = replace(lonely, destinations=())
    assert "Your destinations are joined" in advised(done).words


def test_an_empty_deck_is_said() -> None:
    advice = advised(playing("bbgwbbgw"))
    assert (advice.title, advice.action) == ("Ask for cards", DRAW)


def test_the_last_turn_joins_a_destination_or_brings_points() -> None:
    closing = {"closer": B}
    joining = advised(replace(playing("rrrrbbbb"), **closing))
    assert joining.action == Acquire(line("Alma-Bree red 3"))
    assert "joins Alma and Bree" in joining.words
    points = advised(replace(playing("bbbbrrrr"), **closing))
    assert points.action == Acquire(line("Dell-Erin blue 4"))
    assert "the most points, 4" in points.words
    assert advised(replace(playing("rgbwrgbw" + "rr"), **closing)).action == DRAW


def test_actions_are_explained_by_what_they_do_for_the_destinations() -> None:
    view = playing("rrrrbbbb" + "gw")
    assert explain(view, Acquire(line("Alma-Bree red 3"))) == "It joins Alma and Bree."
    assert explain(view, Acquire(line("Dell-Erin blue 4"))) == "It brings 4 points."
    assert explain(playing("rrbbbbbb" + "gw"), DRAW) == "You need 1 more red card for Alma to Bree."
    picking = rules.view(rules.start(Setup(map=M, destinations="ordered"), 2, derived(0)), A)
    assert explain(picking, Pick((("Alma", "Bree"), ("Alma", "Cove")))) == "6 rails are enough for all of it."
