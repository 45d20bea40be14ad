"""The player that is meant to win."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from fairplay.core import House
from fairplay.core.chance import derived
from fairplay.core.immutable import bits as cells
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.board import reachable, slide_board, squared_distance
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.players.lookahead import distance_rings, most_ways, nearest_cell, ways_in
from fairplay.games.labyrinth.players.strategies import euclid, lookahead
from fairplay.games.labyrinth.state import Move, Setup
from fairplay.games.labyrinth.tiles import DEGREES
from fairplay.match.referee import referee
from fairplay.run.inline import play_inline
from games.labyrinth.worlds import ANN, shown, started
from kit import kit


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 6))
@settings(max_examples=30)
def test_lookahead_moves_legally_and_takes_what_it_can(data: st.DataObject, seed: int, turns: int) -> None:
    """If Euclid reaches the target now, so does it; if anybody can move, so does it."""
    table = data.draw(kit("labyrinth").tables)
    state = rules.start(table.setup, table.seats, derived(seed, "deal"))
    made = lookahead(derived(seed))
    for _ in range(turns + 1):
        mover = rules.to_move(state)
        if mover is None:
            return
        view = rules.view(state, mover)
        move = made(view)
        assert rules.why_illegal(view, move) is None
        assert isinstance(move, Move) or len(rules.legal_actions(view)) == 1
        others, mine = rules.apply(state, euclid(derived(0))(view)), rules.apply(state, move)
        assert (others.found, others.finisher) == (mine.found, mine.finisher)
        state = mine


@pytest.mark.no_cover  # other tests run the same lines
def test_lookahead_wins_more_often_than_euclid() -> None:
    """Far fewer matches than `python -m bench.labyrinth_strength` plays; of 40 it wins about 32."""
    wins = 0.0
    for seed in range(20):
        for seat in range(2):
            makers = [lookahead, euclid] if seat == 0 else [euclid, lookahead]
            players = [House(maker(derived(seed, number))) for number, maker in enumerate(makers)]
            state = rules.start(Setup("multi-goal", goals=5), 2, derived(seed, "deal"))
            winners = play_inline(referee(GAME, state, 2), players).winners
            wins += (seat in winners) / len(winners)
    assert wins >= 24


def test_lookahead_harms_others_only_as_much_as_it_is_told() -> None:
    """With no weight on harm it may choose otherwise in some position."""
    differ = 0
    for seed in range(12):
        view = rules.view(rules.start(Setup(), 2, derived(seed)), ANN)
        differ += lookahead(derived(1), harm=0.0)(view) != lookahead(derived(1), harm=8.0)(view)
    assert differ


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_ways_in_are_the_slides_that_open_a_way_to_the_target(data: st.DataObject, seed: int) -> None:
    """Asked from the target's side for all cells at once; beside sliding and flooding from each cell."""
    table = data.draw(kit("labyrinth").tables)
    state = rules.start(table.setup, table.seats, derived(seed, "deal"))
    board, target, original = state.board, state.targets[0], state.original
    spots = [(row, column) for row in range(board.grid.rows) for column in range(board.grid.columns)]
    masks = ways_in(board, target)
    counts = dict.fromkeys(spots, 0)
    for shift, mask in zip(board.grid.shifts, masks, strict=True):
        open_from = set()
        for degree in DEGREES:
            after = slide_board(board, shift, degree)
            aim = locate_target(after, target)
            for spot in spots:
                at = shift.carry.get(spot, spot)
                reached = reachable(after, at)
                if aim is not None and reached >> board.grid.cell(aim) & 1 and (original or at != aim):
                    open_from.add(spot)
        assert {board.grid.positions[cell] for cell in cells(mask)} == open_from
        for spot in open_from:
            counts[spot] += 1
    ways, best = most_ways(board, target, board.grid.everywhere)
    assert ways == max(counts.values())
    assert {board.grid.positions[cell] for cell in cells(best)} == {spot for spot in spots if counts[spot] == ways}


def test_it_puts_a_treasure_in_that_lies_on_the_spare_tile() -> None:
    """Labyrinth 13.5: from a corner the places beside it can be reached."""
    for seed in range(30):
        state = rules.start(Setup("original"), 2, derived(seed))
        spare = state.board.gems[-1]
        if spare[0] == spare[1]:
            state = replace(state, targets=(spare[0], state.targets[1]))
            after = rules.apply(state, lookahead(derived(1))(rules.view(state, ANN)))
            assert after.found[0] == (spare[0],)


def test_it_takes_its_chance_from_its_own_generator() -> None:
    view = rules.view(started(), ANN)
    assert lookahead(derived(5))(view) == lookahead(derived(5))(view)


@pytest.mark.parametrize("harm", [0.0, 1.5, 8.0])
def test_matches_among_such_players_end_long_before_the_last_round(harm: float) -> None:
    """They do not slide back and forth for ever, however much they harm each other."""
    for seed in range(4):
        state = rules.start(Setup("multi-goal", rows=5, columns=5), 2, derived(seed, "deal"))
        players = [lookahead(derived(seed, seat), harm=harm) for seat in range(2)]
        while state.turn is not None and state.rounds < 200:
            state = rules.apply(state, players[state.turn](rules.view(state, state.turn)))
        assert state.finisher is not None


# -- distances --------------------------------------------------------------------------------


def test_rings_lie_around_any_position() -> None:
    grid = shown().board.grid
    assert sum(ring.bit_count() for ring in distance_rings(grid, (1, 3))) == 15
    assert nearest_cell(grid, (1, 3), grid.everywhere) == (0, 1 << grid.cell((1, 3)))
    assert nearest_cell(grid, (-5, 1), grid.everywhere) == (0, 1 << grid.cell((0, 1)))


def test_each_ring_is_farther_than_the_one_before() -> None:
    grid = shown().board.grid
    far = [
        {squared_distance(grid.positions[cell], (0, 0)) for cell in cells(ring)}
        for ring in distance_rings(grid, (0, 0))
    ]
    assert all(len(ring) == 1 for ring in far)
    assert [min(ring) for ring in far] == sorted(min(ring) for ring in far)
