"""What a picture may show, by who looks at it."""

from __future__ import annotations

import pytest

from fairplay.games.trains import rules
from fairplay.games.trains.drawing.canvas import (
    DECK_KEY,
    Canvas,
    build_canvas,
    connection_key,
    destination_numbers,
    offer_key,
)
from games.trains.drawing.pictures import A, B, some_state
from games.trains.sheets import line

NOTHING: frozenset[str] = frozenset()


def test_a_state_is_public_unless_everything_is_open() -> None:
    state = some_state()
    public = build_canvas(state, NOTHING, NOTHING, open=False)
    assert (public.me, public.private, public.points, public.hand_sizes) == (None, {}, {}, (1, 4))
    opened = build_canvas(state, NOTHING, NOTHING, open=True)
    assert {seat: own.cards for seat, own in opened.private.items()} == dict(enumerate(state.hands))
    assert opened.points.keys() == {A, B}


@pytest.mark.parametrize("open", [False, True])
def test_a_view_shows_the_private_cards_of_its_owner_alone(open: bool) -> None:
    canvas = build_canvas(rules.view(some_state(), B), NOTHING, NOTHING, open=open)
    assert canvas.private.keys() == {B}
    assert canvas.destinations == (("Alma", "Dell"), ("Alma", "Erin"))
    assert canvas.points == {}


def test_a_city_has_the_numbers_of_all_destinations_that_end_there() -> None:
    canvas = build_canvas(rules.view(some_state(), A), NOTHING, NOTHING, open=False)
    assert destination_numbers(canvas) == {"Alma": (1, 2), "Bree": (1,), "Cove": (2,)}
    assert canvas.is_joined(A, ("Alma", "Bree")) and not canvas.is_joined(B, ("Alma", "Bree"))


def test_what_can_be_clicked_and_what_was_clicked_are_marked() -> None:
    one, pair = line("Alma-Bree red 3"), ("Alma", "Bree")
    canvas = Canvas(some_state().network, lit=frozenset({DECK_KEY, connection_key(one)}), chosen=frozenset({DECK_KEY}))
    keys = (DECK_KEY, connection_key(one), offer_key(pair))
    assert keys == ("deck=draw", "connection=Alma|Bree|red|3", "offer=Alma|Bree")
    assert [canvas.mark_class(key) for key in keys] == [" lit chosen", " lit", ""]
