"""Trains by clicks."""

from __future__ import annotations

import pytest

from fairplay.core import Seat, UsageError, WireError
from fairplay.core.chance import derived
from fairplay.games.trains import rules
from fairplay.games.trains.drawing.clicks import interpret_clicks
from fairplay.games.trains.map_files import map_from_json
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Pick, Setup, View
from fairplay.parts.clicks import Choice, PartialMove
from games.trains.sheets import MAP_M, cards, line, played

M = map_from_json(MAP_M)
A = Seat(0)
BREE, COVE, DELL = "offer=Alma|Bree", "offer=Alma|Cove", "offer=Alma|Dell"
RED = "connection=Bree|Cove|red|3"


def picking(kept: int = 2) -> View:
    return rules.view(rules.start(Setup(map=M, destinations="ordered", kept=kept), 2, derived(0)), A)


def playing(deck: str = "rrrrbbbb" + "gw") -> View:
    return rules.view(played(Setup(map=M, deck=cards(deck), destinations="ordered"), 2), A)


def wished(view: View, *clicked: str) -> PartialMove:
    wish = interpret_clicks(view, clicked)
    assert isinstance(wish, PartialMove)
    return wish


def keys(wish: PartialMove) -> list[str]:
    return [choice.key for choice in wish.choices]


def test_destinations_are_picked_taken_back_and_kept() -> None:
    view = picking()
    assert wished(view).prompt == "Pick 2 of these 5 destinations: 0 picked."
    assert len(wished(view).choices) == 5
    one = wished(view, BREE)
    assert one.choices[0] == Choice(BREE, "Alma to Bree, picked: take it back")
    assert "keep=these" not in keys(one)
    assert wished(view, BREE, BREE) == wished(view)
    two = wished(view, BREE, COVE)
    assert keys(two) == [BREE, COVE, "keep=these"]
    assert two.choices[-1].label == "Keep these"
    assert two.picture.count(">picked<") == 2
    assert interpret_clicks(view, [BREE, COVE, "keep=these"]) == Pick((("Alma", "Bree"), ("Alma", "Cove")))
    assert wished(picking(kept=1), BREE).choices[-1] == Choice("keep=these", "Keep this")


def test_too_few_or_too_many_are_for_the_referee() -> None:
    view = picking()
    few = interpret_clicks(view, [BREE, "keep=these"])
    assert isinstance(few, Pick) and rules.why_illegal(view, few) == "2 destinations must be kept, not 1"
    many = interpret_clicks(view, [BREE, COVE, DELL, "keep=these"])
    assert isinstance(many, Pick) and rules.why_illegal(view, many) == "2 destinations must be kept, not 3"
    assert keys(wished(view, BREE, COVE, DELL)) == [BREE, COVE, DELL]


def test_the_deck_draws_cards() -> None:
    assert interpret_clicks(playing(), ["deck=draw"]) == DRAW
    assert wished(playing()).choices[0] == Choice("deck=draw", "Draw 2 cards")
    assert wished(playing("rrrrbbbbg")).choices[0].label == "Draw 1 card"
    assert wished(playing("rrrrbbbb")).choices[0].label == "Ask for cards (the deck is empty)"


def test_a_connection_says_what_it_costs_and_is_taken_by_a_second_click() -> None:
    view = playing()
    assert keys(wished(view)) == ["deck=draw", "connection=Alma|Bree|red|3", RED]
    assert wished(view).choices[2].label == "Bree to Cove costs 3 red: you have 4"
    chosen = wished(view, RED)
    assert chosen.prompt == "Bree to Cove costs 3 red: you have 4. Take it?"
    assert chosen.choices[-1] == Choice("take=it", "Take Bree to Cove for 3 red")
    take = Acquire(line("Bree-Cove red 3"))
    assert interpret_clicks(view, [RED, "take=it"]) == interpret_clicks(view, [RED, RED]) == take
    assert interpret_clicks(view, ["connection=Alma|Bree|red|3", RED, "take=it"]) == take


def test_a_connection_that_cannot_be_taken_is_for_the_referee_at_once() -> None:
    view = playing()
    green = interpret_clicks(view, ["connection=Bree|Cove|green|4"])  # beside the red one
    assert green == Acquire(line("Bree-Cove green 4"))
    assert rules.why_illegal(view, green) == "Bree - Cove (green 4) costs 4 green cards; you have 0"


@pytest.mark.parametrize(
    ("view", "clicked", "error", "reason"),
    [
        (picking(), ["deck=draw"], WireError, "expected a click on an offered destination"),
        (picking(), ["offer=Alma|Zoe"], WireError, "expected a click on an offered destination"),
        (picking(), ["keep=these", BREE], UsageError, "nothing left to click"),
        (playing(), ["take=it"], UsageError, "choose a connection first"),
        (playing(), ["connection=Alma|Bree|red|4"], WireError, "expected a click on the deck or on a connection"),
        (playing(), ["deck=9"], WireError, "expected a click on the deck or on a connection"),
    ],
)
def test_clicks_that_make_no_sense(view: View, clicked: list[str], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        interpret_clicks(view, clicked)
