"""Fish for the laws: small boards of both variants, and one illegal action of each class."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from fairplay.core import Seat
from fairplay.core.immutable import bits, mask
from fairplay.games.fish.rules import placeable_tiles
from fairplay.games.fish.state import Action, Move, Place, Setup, State, View
from fairplay.testing import Kit, Perft, Table


@st.composite
def dealt(draw: st.DrawFn) -> Table:
    seats = draw(st.integers(2, 4))
    rows, columns = draw(st.integers(3, 6)), draw(st.integers(3, 6))
    spots = [(row, column) for row in range(rows) for column in range(columns)]
    spare = len(spots) - seats * (6 - seats)
    holes = draw(st.lists(st.sampled_from(spots), unique=True, max_size=min(4, spare)))
    fish = draw(st.none() | st.integers(1, 5))
    ones = 0 if fish else draw(st.integers(0, 3))
    return Table(Setup(rows=rows, columns=columns, holes=tuple(holes), fish=fish, ones=ones), seats)


ORIGINAL = st.builds(Table, st.just(Setup(variant="original")), st.integers(2, 4))


def nothing_hidden(state: State, seat: Seat | None, rng: Random) -> State:
    return state


def seen_by_all(action: Action, seat: Seat | None, rng: Random) -> Action:
    return action


def illegal(view: View) -> Iterator[tuple[str, Action]]:
    state, spots = view.state, view.state.board.geometry.positions
    mine = [spots[cell] for cell in state.penguins[view.me]]
    taken = [spots[cell] for cells in state.penguins for cell in cells]
    free = [spots[cell] for cell in bits(state.free)]
    yield "off the board", Place((998, 0)) if state.placing else Move(mine[0], (0, 998))
    if state.placing:
        yield "a move while placing", Move(spots[0], spots[1])
        if taken:
            yield "an occupied tile", Place(taken[0])
        if others := set(bits(state.free)) - set(bits(placeable_tiles(state))):
            yield "a rich tile in the original game", Place(spots[min(others)])
        return
    yield "a placement after placing", Place(free[0])
    yield "staying", Move(mine[0], mine[0])
    yield "from a free tile", Move(free[0], free[-1])
    yield "from off the board", Move((998, 998), free[0])
    if rivals := [spot for spot in taken if spot not in mine]:
        yield "a rival's penguin", Move(rivals[0], free[0])
        yield "onto a rival", Move(mine[0], rivals[0])


def invariant(state: State) -> None:
    """Each tile is free, under one penguin, or was collected; a removed seat has nothing."""
    standing = [cell for cells in state.penguins for cell in cells]
    assert len(set(standing)) == len(standing)
    assert not any(state.free >> cell & 1 for cell in standing)
    assert not state.free & ~state.board.tiles
    gone = state.board.tiles & ~state.free & ~mask(standing)
    for seat, tiles in enumerate(state.collected):
        assert not tiles & ~gone
        gone &= ~tiles
        assert state.fish[seat] == sum(state.board.fish[cell] for cell in bits(tiles))
    assert state.out or not gone
    assert all(not state.penguins[seat] and not state.fish[seat] for seat in state.out)
    if not state.out:
        on_board = sum(map(sum, state.rows))
        assert on_board + sum(state.fish) == sum(state.board.fish)


KIT = Kit(
    tables=dealt() | ORIGINAL,
    scramble=nothing_hidden,
    disguise=seen_by_all,
    hides=False,
    illegal=illegal,
    invariant=invariant,
    perft=[  # counted by the reference implementation
        Perft(Table(Setup(rows=4, columns=4), 2), 1, (16, 240), 0),
        Perft(Table(Setup(rows=4, columns=4), 2), 1, (7, 64, 274, 1519), 8),
        Perft(Table(Setup(rows=4, columns=4), 2), 2, (9, 22, 136, 234, 756), 10),
        Perft(Table(Setup(rows=4, columns=4), 3), 3, (7, 20, 103), 9),
        Perft(Table(Setup(rows=4, columns=4), 4), 4, (8, 34, 56), 8),
        Perft(Table(Setup(rows=5, columns=5), 2), 5, (17, 244), 8),
        Perft(Table(Setup(rows=5, columns=5), 2), 6, (21, 81, 1393), 12),
        Perft(Table(Setup(rows=5, columns=5), 3), 7, (5, 26, 58), 15),
        Perft(Table(Setup(rows=5, columns=5), 4), 8, (2, 6, 16, 16), 16),
        Perft(Table(Setup(rows=3, columns=6), 3), 9, (5, 28, 136, 488), 9),
        Perft(Table(Setup(rows=6, columns=3, holes=((0, 0), (3, 1))), 2), 10, (14, 132, 1180), 8),
        Perft(Table(Setup(rows=6, columns=3), 4), 11, (3, 10, 36, 188, 376), 10),
        Perft(Table(Setup(), 2), 12, (3, 57), 30),
        Perft(Table(Setup(), 4), 13, (4, 8, 46), 40),
        Perft(Table(Setup(rows=25, columns=25), 2), 14, (185,), 8),
        Perft(Table(Setup(rows=25, columns=25), 4), 15, (43,), 120),
        Perft(Table(Setup(variant="original"), 2), 16, (30,), 0),
        Perft(Table(Setup(variant="original"), 2), 17, (32, 368), 20),
        Perft(Table(Setup(variant="original"), 3), 18, (6, 37, 201), 40),
        Perft(Table(Setup(variant="original"), 4), 19, (1, 1, 0, 0), 52),
        Perft(Table(Setup(variant="original"), 2), 20, (1, 0, 0, 0, 0), 55),
    ],
    longest=120,
    plays_on_alone=True,
)
