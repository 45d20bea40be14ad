"""Change only what a seat may not know: nothing it gets may change, not a byte."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.core.wire import text
from kit import Walk, kit, walk


def everything_sent(found: Walk, state: Any, seat: Seat) -> list[object]:
    """All that reaches `seat` in `state`, as values and as bytes."""
    game = found.game
    view = game.rules.view(state, seat)
    sent: list[object] = [view, hash(view), repr(view), text(game.codec.view_to_json(view)), game.picture(view)]
    if game.rules.to_move(state) == seat:
        sent += [text(game.wire.asked(view)), game.rules.legal_actions(view)]
    return sent


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 20))
def test_hidden_changes_are_invisible(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    found = walk(name, data.draw(kit(name).tables), seed, turns, faults=True)
    for seat in found.seats:
        other = kit(name).scramble(found.state, seat, derived(seed, "scramble"))
        assert everything_sent(found, other, seat) == everything_sent(found, found.state, seat)


@given(data=st.data(), seed=st.integers(0, 2**32))
def test_the_opening_tells_nothing_hidden(name: str, data: st.DataObject, seed: int) -> None:
    game = GAMES[name]
    found = walk(name, data.draw(kit(name).tables), seed, 0)

    def opening(state: Any, seat: Seat) -> list[object]:
        waves = [tuple(game.rules.opening(state, wave)) for wave in range(3)]
        news = [item for wave in waves for told, item in wave if told == seat]
        return [*news, *(text(game.wire.told(item)) for item in news)]

    for seat in found.seats:
        other = kit(name).scramble(found.state, seat, derived(seed, "scramble"))
        assert opening(other, seat) == opening(found.state, seat)


def test_the_scrambler_changes_something_where_something_is_hidden(name: str) -> None:
    """A scrambler that changed nothing would make the law above empty."""
    table = kit(name).perft[0].table
    changed = 0
    for seed in range(20):
        state = walk(name, table, seed, 4).state
        changed += kit(name).scramble(state, Seat(0), derived(seed, "scramble")) != state
    assert bool(changed) == kit(name).hides
