"""States of Fish that several tests look at."""

from __future__ import annotations

from fairplay.core.chance import derived
from fairplay.games.fish import rules
from fairplay.games.fish.established.forms import PlayerForm, StateForm, state_from_form
from fairplay.games.fish.state import Place, Setup, State

EXAMPLE = state_from_form(  # Fish 8.7
    StateForm(
        (PlayerForm("red", 0, ((0, 0), (0, 1))), PlayerForm("white", 0, ((2, 0), (2, 1)))),
        ((2, 2, 1), (3, 1, 2), (2, 1, 4), (1, 5, 2)),
    ),
    placing=False,
)

PLACES = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)]


def moving_state() -> State:
    """All penguins of two seats are placed on the first two of three rows."""
    state = rules.start(Setup(rows=3, columns=4, fish=2, holes=((2, 3),)), 2, derived(1))
    for at in PLACES:
        state = rules.apply(state, Place(at))
    return state
