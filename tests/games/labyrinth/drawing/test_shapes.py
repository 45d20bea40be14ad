"""Pawns and colours."""

from __future__ import annotations

from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.games.labyrinth import GAME, rules
from games.labyrinth.worlds import ANN, BOB, started


def test_colours_by_name_by_number_and_by_nonsense() -> None:
    """Labyrinth 1.1, 12.2: nothing that a given state says gets into the drawing unchecked."""
    odd = replace(started(), colors=("AA11BB", '"><script>'))
    drawing = GAME.picture(odd)
    assert "#AA11BB" in drawing
    assert "script" not in drawing
    assert "red, to move" in GAME.picture(started())


def test_a_pawn_carries_the_number_of_its_seat() -> None:
    assert ">2</text>" in GAME.picture(started())
    assert Seat(1) == BOB


def test_the_viewers_pawn_stands_in_a_ring() -> None:
    assert GAME.picture(rules.view(started(), ANN)).count('class="mine"') == 1
    assert 'class="mine"' not in GAME.picture(started())
