"""Trains by clicks."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairplay.core import Seat, UsageError, WireError
from fairplay.core.chance import derived
from fairplay.core.shown import Choice, PartialMove, build_click_tree
from fairplay.games.trains import rules
from fairplay.games.trains.drawing.clicks import interpret_clicks
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Pick, Setup, View
from games.trains.sheets import MAP_M, cards, line, played

M = map_from_json(MAP_M)
A = Seat(0)
BREE, COVE, DELL = "offer=Alma|Bree", "offer=Alma|Cove", "offer=Alma|Dell"
RED = "connection=Bree|Cove|red|3"
TAKE_RED = Acquire(line("Bree-Cove red 3"))


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
    assert one.choices[0] == Choice(BREE, "Alma to Bree, picked: put it back")
    assert one.chosen == (BREE,)
    assert "keep=these" not in keys(one)
    assert wished(view, BREE, BREE) == wished(view)
    two = wished(view, BREE, COVE)
    assert two == wished(view, COVE, BREE)
    assert keys(two) == [BREE, COVE, "keep=these"]
    assert two.choices[-1].label == "Keep these"
    assert interpret_clicks(view, [BREE, COVE, "keep=these"]) == Pick((("Alma", "Bree"), ("Alma", "Cove")))
    assert wished(picking(kept=1), BREE).choices[-1] == Choice("keep=these", "Keep this")


def test_the_deck_draws_cards() -> None:
    assert interpret_clicks(playing(), ["deck=draw"]) == DRAW
    assert wished(playing()).choices[0] == Choice("deck=draw", "Draw 2 cards")
    assert wished(playing("rrrrbbbbg")).choices[0].label == "Draw 1 card"
    assert wished(playing("rrrrbbbb")).choices[0].label == "Ask for cards (the deck is empty)"


def test_a_connection_says_what_it_costs_and_is_taken_by_a_second_click() -> None:
    view = playing()
    assert keys(wished(view)) == ["deck=draw", "connection=Alma|Bree|red|3", RED]
    costs = ("key=card-red", "city=Bree", "city=Cove")
    assert wished(view).choices[2] == Choice(RED, "Bree to Cove costs 3 red: you have 4", costs)
    chosen = wished(view, RED)
    assert chosen.prompt == "Bree to Cove costs 3 red: you have 4. Take it?"
    assert chosen.choices == tuple(Choice(key, "Take Bree to Cove for 3 red", costs) for key in (RED, "take=it"))
    assert chosen.chosen == (RED,)
    take = Acquire(line("Bree-Cove red 3"))
    assert interpret_clicks(view, [RED, "take=it"]) == interpret_clicks(view, [RED, RED]) == take
    assert interpret_clicks(view, ["connection=Alma|Bree|red|3", RED, "take=it"]) == take


def test_the_last_turn_is_announced() -> None:
    state = played(Setup(map=M, rails=3, deck=cards("rrrrbbbb"), destinations="ordered"), 2)
    closing = rules.apply(state, Acquire(line("Alma-Bree red 3")))
    assert wished(rules.view(closing, Seat(1))).prompt.startswith("This is your last turn. ")


def test_what_cannot_be_taken_says_why() -> None:
    view = playing()
    state = rules.apply(played(Setup(map=M, deck=cards("rrrrrrrr"), destinations="ordered", rails=5), 2), TAKE_RED)
    mine = rules.view(replace(state, turn=A), A)
    for seen, click, reason in (
        (view, "connection=Bree|Cove|green|4", "Bree to Cove needs 4 green cards: you have none"),
        (rules.view(state, Seat(1)), RED, "Bree to Cove already belongs to amber"),
        (mine, RED, "Bree to Cove already belongs to you"),
        (mine, "connection=Alma|Bree|red|3", "Alma to Bree needs 3 red cards: you have 1"),
    ):
        with pytest.raises(UsageError, match=f"^{reason}$"):
            interpret_clicks(seen, [click])


def test_a_connection_needs_rails_too() -> None:
    state = played(Setup(map=M, deck=cards("rrrr" + "bbbb"), destinations="ordered", rails=2), 2)
    with pytest.raises(UsageError, match=r"^Bree to Cove needs 3 rails: you have 2 left$"):
        interpret_clicks(rules.view(state, A), [RED])


def test_the_tree_of_a_turn_is_small() -> None:
    """A page is sent it each turn, however many connections can be taken."""
    state = played(Setup(map="vast", dealt=60), 2)
    view = rules.view(state, A)
    tree = build_click_tree(lambda clicks: interpret_clicks(view, clicks))
    assert len(tree.nodes) > 100
    assert sum(len(node.next) for node in tree.nodes) < 4 * len(tree.nodes[0].next)


@pytest.mark.parametrize(
    ("view", "clicked", "error", "reason"),
    [
        (picking(), ["deck=draw"], UsageError, "^pick 2 destinations first$"),
        (picking(), [BREE, "keep=these"], UsageError, "^pick 2 destinations: you have picked 1$"),
        (picking(), [BREE, COVE, DELL], UsageError, "^you keep 2 destinations: click one again to put it back first$"),
        (picking(), ["offer=Alma|Zoe"], WireError, "expected a click on an offered destination"),
        (picking(), [BREE, COVE, "keep=these", BREE], UsageError, "nothing left to click"),
        (playing(), ["take=it"], UsageError, "choose a connection first"),
        (playing(), ["connection=Alma|Bree|red|4"], WireError, "expected a click on the deck or on a connection"),
        (playing(), ["deck=9"], WireError, "expected a click on the deck or on a connection"),
    ],
)
def test_clicks_that_make_no_sense(view: View, clicked: list[str], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        interpret_clicks(view, clicked)
