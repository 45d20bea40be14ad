"""Labyrinth for the laws: small boards of every variant, dealt, drawn, given; one illegal action of each class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.games.labyrinth.board import NOWHERE, OPPOSITE, reachable, slide_board
from fairplay.games.labyrinth.deal import TREASURES
from fairplay.games.labyrinth.rules import start
from fairplay.games.labyrinth.state import Action, Maze, Move, Pass, Setup, State, Target, Variant, View
from fairplay.games.labyrinth.tiles import OPEN_SIDES, TILES
from fairplay.testing import Kit, Perft, Table
from games.labyrinth.worlds import referee_form


@st.composite
def dealt(draw: st.DrawFn) -> Table:
    rows, columns = draw(st.integers(2, 7)), draw(st.integers(4, 7))
    homes = (rows // 2) * (columns // 2)
    seats = draw(st.integers(2, min(homes, 6)))
    variant: Variant = draw(st.sampled_from(("plain", "multi-goal")))
    goals = None if variant == "plain" else draw(st.none() | st.integers(0, homes - seats))
    return Table(Setup(variant, rows=rows, columns=columns, goals=goals, rounds=draw(st.integers(1, 12))), seats)


@st.composite
def given_states(draw: st.DrawFn) -> Table:
    table = draw(dealt())
    form = referee_form(start(table.setup, table.seats, derived(draw(st.integers(0, 99)), "given")))
    return Table(Setup("multi-goal", rounds=table.setup.rounds, given=form), table.seats)


@st.composite
def drawn(draw: st.DrawFn) -> Table:
    table = draw(dealt())
    rows, columns = table.setup.rows, table.setup.columns
    row = st.text(st.sampled_from(sorted(TILES)), min_size=columns, max_size=columns)
    maze = Maze(tuple(draw(row) for _ in range(rows)), draw(st.sampled_from(sorted(OPEN_SIDES))))
    return Table(replace(table.setup, rows=7, columns=7, board=maze), table.seats)


ORIGINAL = st.builds(Table, st.builds(Setup, st.just("original"), rounds=st.integers(1, 12)), st.integers(2, 4))


def scramble(state: State, seat: Seat | None, rng: Random) -> State:
    """Other targets and treasures for everybody else, another queue, others going home; and me, where I cannot tell."""
    fixed = state.board.grid.fixed
    targets: list[Target] = list(state.targets)
    found, piles = list(state.found), list(state.piles)
    homeward = set(state.homeward)
    for other in range(len(targets)):
        if other != seat:
            goals: Sequence[Any] = TREASURES if state.original else fixed
            targets[other] = rng.choice(goals)
            found[other] = tuple(rng.choice(goals) for _ in range(rng.randrange(4)))
            homeward ^= {Seat(other)} if rng.random() < 0.5 and not state.original else set()
        if piles:
            piles[other] = tuple(rng.choice(TREASURES) for _ in piles[other])
    if seat is not None and targets[seat] == state.homes[seat] and not state.original:
        homeward ^= {seat}
    queue = () if state.original else tuple(rng.choice(fixed) for _ in range(rng.randrange(5)))
    hidden = {"queue": queue, "piles": tuple(piles), "homeward": frozenset(homeward)}
    return replace(state, targets=tuple(targets), found=tuple(found), **hidden)


def disguise(action: Action, seat: Seat | None, rng: Random) -> Action:
    return action  # everybody sees what is done


def illegal(view: View) -> Iterator[tuple[str, Action]]:
    board, grid = view.board, view.board.grid
    shift = next(
        shift
        for shift in grid.shifts
        if view.last is None
        or (shift.slide.index, shift.slide.direction) != (view.last.index, OPPOSITE[view.last.direction])
    )
    index, direction = shift.slide.index, shift.slide.direction
    place = shift.carry.get(view.at, view.at)
    yield "off the board", Move(index, direction, 0, (grid.rows, grid.columns))
    yield "a fixed row", Move(1 - grid.first, "LEFT", 0, place)
    yield "a fixed column", Move(1 - grid.first, "DOWN", 0, place)
    yield "a row below the board", Move(9998, "LEFT", 90, place)
    if view.last is not None:
        yield "undoing", Move(view.last.index, OPPOSITE[view.last.direction], 180, place)
    if grid.original:
        yield "passing in the original game", Pass()
    else:
        yield "staying", Move(index, direction, 0, place)
    for degree in (0, 90, 180, 270):
        closed = grid.everywhere & ~reachable(slide_board(board, shift, degree), place)
        if closed:
            yield f"unreachable with {degree}", Move(index, direction, degree, grid.positions[closed.bit_length() - 1])


def invariant(state: State) -> None:
    """No tile and no goal comes twice, everybody still in stands on the board, and nobody else is on turn."""
    grid, seats = state.board.grid, state.seats
    assert len(set(state.board.gems)) == len(state.board.gems) == grid.rows * grid.columns + 1
    assert not state.board.sides & ~grid.all_sides(grid.everywhere)
    assert all(grid.holds(spot) or spot == NOWHERE for spot in state.avatars)
    assert len(set(state.homes)) == len(state.homes)
    assert set(state.homes) <= set(grid.fixed)
    assert state.turn is None or state.turn in seats
    assert state.movers <= set(seats)
    assert state.rounds <= state.limit
    ahead = [state.targets[seat] for seat in seats if seat not in state.homeward]
    known = [*ahead, *state.queue, *(goal for seat in seats for goal in state.found[seat])]
    known += [gem for seat in seats if state.piles for gem in state.piles[seat]]
    assert len(set(known)) == len(known)
    for seat in state.homeward & set(seats):
        assert state.targets[seat] == state.homes[seat]
        assert not (state.piles and state.piles[seat])
    if state.original:
        size = len(TREASURES) // len(state.avatars)
        piles = ((*state.found[seat], *state.piles[seat], state.targets[seat]) for seat in seats)
        assert all(sum(isinstance(goal, str) for goal in pile) == size for pile in piles)


GIVEN = referee_form(start(Setup("multi-goal"), 2, derived(1, "given")))

KIT = Kit(
    tables=dealt() | drawn() | given_states() | ORIGINAL,
    scramble=scramble,
    disguise=disguise,
    hides=True,
    illegal=illegal,
    invariant=invariant,
    perft=[  # counted by the reference, and counted again in test_rules.py
        Perft(Table(Setup("multi-goal", rows=4, columns=4, rounds=8), 2), 1, (45, 9_317), 0),
        Perft(Table(Setup(rows=3, columns=5), 2), 2, (110, 12_847), 0),
        Perft(Table(Setup(rows=4, columns=4), 2), 3, (71, 4_371), 3),
        Perft(Table(Setup("multi-goal", rows=4, columns=4), 3), 4, (196, 36_823), 5),
        Perft(Table(Setup("multi-goal", rows=4, columns=4), 4), 5, (137, 27_381), 9),
        Perft(Table(Setup(rows=3, columns=4), 2), 6, (48, 2_461), 1),
        Perft(Table(Setup(rows=4, columns=3), 2), 7, (59, 5_483), 2),
        Perft(Table(Setup(rows=2, columns=4), 2), 8, (24, 474, 18_714), 3),
        Perft(Table(Setup(rows=4, columns=2), 2), 9, (13, 341, 8_456), 4),
        Perft(Table(Setup("multi-goal", rows=2, columns=6), 3), 10, (101, 10_773), 5),
        Perft(Table(Setup("multi-goal", rows=6, columns=2), 3), 11, (71, 4_133), 6),
        Perft(Table(Setup(rows=2, columns=5), 2), 12, (116, 11_939), 0),
        Perft(Table(Setup("multi-goal", rows=5, columns=5), 2), 13, (45,), 4),
        Perft(Table(Setup("multi-goal", rows=6, columns=4), 4), 14, (243,), 7),
        Perft(Table(Setup(rows=4, columns=7), 6), 15, (217,), 12),
        Perft(Table(Setup("multi-goal", rows=7, columns=7), 6), 16, (163,), 20),
        Perft(Table(Setup(rows=9, columns=5), 3), 17, (169,), 8),
        Perft(Table(Setup("original"), 2), 30, (248,), 0),
        Perft(Table(Setup("original"), 3), 31, (558,), 7),
        Perft(Table(Setup("original"), 4), 32, (478,), 15),
    ],
    longest=78,  # 12 rounds of 6 seats, and everybody thrown out in between
    plays_on_alone=True,
    alike=[
        (Setup("multi-goal", goals=2), Setup("multi-goal")),
        (Setup("multi-goal", given=GIVEN), Setup("multi-goal", given=replace(GIVEN, goals=GIVEN.goals[1:]))),
        (Setup("multi-goal", given=GIVEN), Setup("multi-goal", given=replace(GIVEN, seats=GIVEN.seats[::-1]))),
    ],
)
