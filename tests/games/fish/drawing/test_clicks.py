"""Fish by clicks."""

from __future__ import annotations

import pytest

from fairplay.core import Seat, UsageError, WireError
from fairplay.core.chance import derived
from fairplay.core.shown import Choice, PartialMove
from fairplay.games.fish import rules
from fairplay.games.fish.drawing.clicks import interpret_clicks
from fairplay.games.fish.state import Move, Place, Setup, State, View

RED = Seat(0)


def dealt() -> State:
    return rules.start(Setup(rows=3, columns=4, fish=2, holes=((2, 3),)), 2, derived(1))


def moving() -> View:
    """Red stands on (0,0), (0,2), (1,0), (1,2); white between them; (2,0), (2,1), (2,2) are free."""
    state = dealt()
    for spot in [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)]:
        state = rules.apply(state, Place(spot))
    return rules.view(state, RED)


def wished(view: View, *clicked: str) -> PartialMove:
    wish = interpret_clicks(view, clicked)
    assert isinstance(wish, PartialMove)
    return wish


def test_a_penguin_is_placed_by_one_click() -> None:
    view = rules.view(dealt(), RED)
    wish = wished(view)
    assert wish.prompt == "Place a penguin on a highlighted tile: 4 to place."
    assert Choice("at=2,2", "Place a penguin on (2,2): 2 fish") in wish.choices
    assert len(wish.choices) == 11
    assert interpret_clicks(view, ["at=2,2"]) == Place((2, 2))


def test_a_penguin_moves_by_two_clicks() -> None:
    view = moving()
    assert wished(view).prompt == "Choose one of your penguins."
    assert [choice.key for choice in wished(view).choices] == ["at=0,0", "at=0,2", "at=1,0", "at=1,2"]
    wish = wished(view, "at=0,0")
    assert wish.prompt == "Choose where it goes, or another penguin."
    assert [choice.key for choice in wish.choices] == ["at=2,0", "at=0,2", "at=1,0", "at=1,2"]
    assert wish.choices[0] == Choice("at=2,0", "Go to (2,0): 2 fish")
    assert wish.chosen == ("at=0,0",)
    assert interpret_clicks(view, ["at=0,0", "at=2,0"]) == Move((0, 0), (2, 0))


def test_a_penguin_shows_where_it_could_go() -> None:
    """(0,2) reaches (2,2) only, and (1,0) what lies to its south-east and south-west."""
    penguins = wished(moving()).choices
    assert penguins[1] == Choice("at=0,2", "Your penguin on (0,2): 2 fish", ("at=2,2",))
    assert penguins[2].highlights == ("at=2,0", "at=2,1")
    for penguin in penguins:
        reached = [choice.key for choice in wished(moving(), penguin.key).choices if choice.label.startswith("Go to")]
        assert list(penguin.highlights) == reached


def test_another_penguin_begins_again() -> None:
    assert interpret_clicks(moving(), ["at=0,0", "at=0,2", "at=2,2"]) == Move((0, 2), (2, 2))


def test_what_the_rules_forbid_is_built_all_the_same() -> None:
    action = interpret_clicks(moving(), ["at=0,0", "at=2,2"])
    assert action == Move((0, 0), (2, 2))
    assert rules.why_illegal(moving(), action) == (
        "(2,2) cannot be reached from (0,0): penguins move in straight lines"
    )


@pytest.mark.parametrize(
    ("clicked", "error", "reason"),
    [
        (["at=2,0"], UsageError, "choose one of your penguins first"),
        (["fish=2"], WireError, "expected a click on a tile"),
        (["at=2"], WireError, "expected a click on a tile"),
        (["at=0,0", "at=2,0", "at=2,0"], UsageError, "nothing left to click"),
    ],
)
def test_clicks_that_make_no_sense(clicked: list[str], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        interpret_clicks(moving(), clicked)
