"""The rule book of Fish, in both variants."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import assert_never

from msgspec.structs import replace

from fairplay.core import Event, Score, Seat, SetupError, Tiers
from fairplay.core.chance import below, shuffled
from fairplay.core.immutable import mask, with_item
from fairplay.games.fish.board import Board, Cell, Geometry, Layout, Line, Lines, Position, geometry_of, make_board
from fairplay.games.fish.state import LONGEST_SIDE, Action, Move, Place, PlayingAs, PlayingWith, Setup, State, View

SEATS = range(2, 5)  # Fish 1.1

ORIGINAL_ROWS = (7, 8, 7, 8, 7, 8, 7, 8)  # Fish 13.2
ORIGINAL_TILES = make_board([[1] * width for width in ORIGINAL_ROWS]).tiles
ORIGINAL_FISH = {1: 30, 2: 20, 3: 10}


# -- dealing -----------------------------------------------------------------------------------


def start(setup: Setup, seats: int, rng: Random) -> State:
    """Deal a match (Fish 1, 2)."""
    if seats not in SEATS:
        raise SetupError(f"Fish is played by {SEATS[0]} to {SEATS[-1]} seats, not {seats}")  # Fish 1.1
    dealt = original_board(setup, rng) if setup.variant == "original" else standard_board(setup, rng)
    tiles, penguins = dealt.tiles.bit_count(), seats * penguins_each(seats)
    if tiles < penguins:
        raise SetupError(f"{tiles} tiles are too few for the {penguins} penguins of {seats} seats")
    return begin_match(dealt, seats)


def public_setup(setup: Setup) -> Setup:
    """The setup itself: everyone sees the board."""
    return setup


def penguins_each(seats: int) -> int:
    """How many penguins each seat places (Fish 1.2)."""
    return 6 - seats


def begin_match(board: Board, seats: int) -> State:
    """Return the state before the first placement; the board may be too small for all penguins (Fish 2.7)."""
    fresh = State(
        board=board,
        free=board.tiles,
        penguins=((),) * seats,
        fish=(0,) * seats,
        collected=(0,) * seats,
        out=frozenset(),
        turn=None,
    )
    return next_placement(fresh, -1)


def standard_board(setup: Setup, rng: Random) -> Board:
    """Deal a board of the standard game (Fish 2.2)."""
    plain = Setup()
    if setup.board is not None:
        if setup != replace(plain, board=setup.board):
            raise SetupError("a given board has its own size and fish: leave out rows, columns, fish, holes and ones")
        if len(setup.board) > LONGEST_SIDE or any(len(row) > LONGEST_SIDE for row in setup.board):
            raise SetupError(f"a board has at most {LONGEST_SIDE} rows and {LONGEST_SIDE} columns")
        return make_board(setup.board)
    rows, columns = setup.rows, setup.columns
    if off := [hole for hole in setup.holes if hole[0] >= rows or hole[1] >= columns]:
        raise SetupError(f"hole {list(off[0])} is not on a board of {rows} rows and {columns} columns")
    spots = geometry_of(rows, columns, Layout.STANDARD).positions
    tiles = [spot for spot in spots if spot not in setup.holes] if setup.holes else spots
    if setup.ones > len(tiles):
        raise SetupError(f"{setup.ones} tiles with one fish do not fit on {len(tiles)} tiles")
    if setup.ones and setup.fish is not None:
        raise SetupError(
            "choose either fish (the same on every tile) or ones (the least number of tiles with one fish), not both"
        )
    fish = dict.fromkeys(shuffled(rng, tiles)[: setup.ones], 1) if setup.ones else {}
    for tile in tiles:
        if tile not in fish:
            fish[tile] = setup.fish or 1 + below(rng, 5)
    return Board(geometry_of(rows, columns, Layout.STANDARD), bytes([fish.get(spot, 0) for spot in spots]))


def original_board(setup: Setup, rng: Random) -> Board:
    """Deal a board of the original game (Fish 13.2 to 13.4)."""
    if setup != replace(Setup(variant="original"), board=setup.board):
        raise SetupError("the original game lets you choose the board and nothing else")
    if setup.board is None:
        deck = shuffled(rng, [fish for fish, count in ORIGINAL_FISH.items() for _ in range(count)])
        return make_board([[deck.pop() for _ in range(width)] for width in ORIGINAL_ROWS], Layout.ORIGINAL)
    given = make_board(setup.board, Layout.ORIGINAL)
    counts = Counter(given.fish)
    del counts[0]
    if given.tiles != ORIGINAL_TILES or counts != ORIGINAL_FISH:
        raise SetupError(
            "the original board has rows of 7, 8, 7, 8, 7, 8, 7, 8 tiles: "
            "30 with one fish, 20 with two and 10 with three"
        )
    return given


# -- whose turn it is --------------------------------------------------------------------------


def to_move(state: State) -> Seat | None:
    """Whose turn it is; None once the match is over."""
    return state.turn


def remaining_seats(state: State) -> list[Seat]:
    """List the seats that were never removed, in turn order."""
    return [seat for seat in map(Seat, range(len(state.penguins))) if seat not in state.out]


def seats_after(state: State, seat: int) -> list[Seat]:
    """List the seats in turn order, from the one after `seat` to `seat` itself."""
    count = len(state.penguins)
    return [Seat((seat + step) % count) for step in range(1, count + 1)]


def placeable_tiles(state: State) -> int:
    """Return the mask of tiles where a penguin may be placed (Fish 2.6, 13.2)."""
    return state.free & state.board.ones if state.board.geometry.original else state.free


def next_placement(state: State, seat: int) -> State:
    """Pass the turn on from `seat` to the seat that places next, or to the first move."""
    for other in seats_after(state, seat):
        if other in state.out:
            continue
        if len(state.penguins[other]) == penguins_each(len(state.penguins)):  # everyone has placed all
            break
        if placeable_tiles(state):
            return replace(state, turn=other)
        state = take_off(state, other)  # Fish 2.7
    return next_move(replace(state, placing=False), -1)  # Fish 3.1: from the youngest


def next_move(state: State, seat: int) -> State:
    """Pass the turn on from `seat` to the next one that can move (Fish 3.2, 4.1)."""
    mover = next_mover(state.board, state.free, state.penguins, seat)
    if not state.board.geometry.original:
        return replace(state, turn=mover)
    for other in seats_after(state, seat):  # Fish 13.5: a seat that is passed over retires
        if other == mover:
            break
        state = retire_penguins(state, other)
    return replace(state, turn=mover)


def next_mover(board: Board, free: int, penguins: tuple[tuple[Cell, ...], ...], seat: int) -> Seat | None:
    """Find the first seat after `seat`, which itself comes last, with a penguin that can move."""
    adjacent, count = board.geometry.adjacent, len(penguins)
    for step in range(1, count + 1):
        other = (seat + step) % count
        for cell in penguins[other]:
            if free & adjacent[cell]:
                return Seat(other)
    return None


def retire_penguins(state: State, seat: Seat) -> State:
    """Take the penguins of `seat` off; the tiles under them count for it (Fish 13.5)."""
    cells = state.penguins[seat]
    return replace(
        state,
        penguins=with_item(state.penguins, seat, ()),
        fish=with_item(state.fish, seat, state.fish[seat] + sum(state.board.fish[cell] for cell in cells)),
        collected=with_item(state.collected, seat, state.collected[seat] | mask(cells)),
    )


# -- what a seat may know and do ---------------------------------------------------------------


def view(state: State, seat: Seat) -> View:
    """What `seat` sees: everything, for Fish hides nothing."""
    return View(seat, state)


def imagine(view: View, rng: Random) -> State:
    """The state itself, for nothing in it is hidden."""
    return view.state


def legal_actions(view: View) -> Sequence[Action]:
    """Every placement or move that the seat on turn may choose."""
    state = view.state
    if state.turn != view.me:
        return ()
    geometry = state.board.geometry
    if state.placing:
        return list_placements(geometry, placeable_tiles(state))
    free, lines = state.free, move_lines(geometry)
    moves: tuple[Move, ...] = ()
    for cell in state.penguins[view.me]:
        (mask0, moves0), (mask1, moves1), (mask2, moves2) = lines[cell]
        moves += moves0[free & mask0] + moves1[free & mask1] + moves2[free & mask2]
    return moves


def list_placements(geometry: Geometry, tiles: int) -> Sequence[Place]:
    """List the placements on the tiles of a mask, in order."""
    places: tuple[Place, ...] = ()
    for row, placements in place_rows(geometry):
        places += placements[tiles & row]
    return places


@lru_cache(maxsize=256)
def place_rows(geometry: Geometry) -> list[Line[tuple[Place, ...]]]:
    """Return the placements on each row; each is made once."""
    return geometry.build_rows(lambda cells: tuple(Place(geometry.positions[cell]) for cell in cells))


@lru_cache(maxsize=256)
def move_lines(geometry: Geometry) -> list[Lines[tuple[Move, ...]]]:
    """Return the moves along the lines of each cell; each is made once."""
    at = geometry.positions
    return geometry.build_lines(lambda start, targets: tuple(Move(at[start], at[target]) for target in targets))


def why_illegal(view: View, action: Action) -> str | None:
    """Why `action` is not allowed; None if it is."""
    state = view.state
    if state.turn != view.me:
        return "it is not your turn"
    if isinstance(action, Move):
        return why_no_move(state, view.me, action)
    return why_no_place(state, action)


def why_no_place(state: State, action: Place) -> str | None:
    """Say why a placement is illegal, or None."""
    if not state.placing:
        return "all penguins have been placed; a move is expected"
    cell = state.board.geometry.cell(action.at)
    if cell is None:
        return f"{format_place(action.at)} is not on the board"
    if not state.free >> cell & 1:
        return f"{format_place(action.at)} is not a free tile"  # Fish 2.6
    if not placeable_tiles(state) >> cell & 1:
        return f"{format_place(action.at)} has more than one fish"  # Fish 13.2
    return None


def why_no_move(state: State, me: Seat, action: Move) -> str | None:
    """Say why a move is illegal, or None."""
    if state.placing:
        return "penguins are still being placed; a placement is expected"
    geometry = state.board.geometry
    start, target = geometry.cell(action.start), geometry.cell(action.target)
    if start is None or start not in state.penguins[me]:
        return f"you have no penguin on {format_place(action.start)}"
    if target is None or not geometry.reachable(start, state.free) >> target & 1:
        reason = why_out_of_reach(state, start, action.target)
        return (
            f"{format_place(action.target)} cannot be reached from {format_place(action.start)}: {reason}"  # Fish 3.3
        )
    return None


def why_out_of_reach(state: State, start: Cell, position: Position) -> str:
    """Say what keeps the penguin on `start` from a position.  ASSUME it cannot be reached."""
    geometry, free = state.board.geometry, state.free
    target = geometry.cell(position)
    if target is None:
        return "it is not on the board"
    if target == start:
        return "a penguin has to leave its tile"
    if not free >> target & 1:
        return f"{name_obstacle(state, target)} is there"
    for ray in geometry.rays[start].values():
        if target in ray:
            obstacle = next(cell for cell in ray if not free >> cell & 1)
            return f"{name_obstacle(state, obstacle)} on {format_place(geometry.positions[obstacle])} is in the way"
    return "penguins move in straight lines"


def name_obstacle(state: State, cell: Cell) -> str:
    """What a penguin cannot pass."""
    return "a penguin" if any(cell in cells for cells in state.penguins) else "a hole"


def format_place(position: Position) -> str:
    """A position as people write it: (row,column)."""
    return f"({position[0]},{position[1]})"


# -- what happens ------------------------------------------------------------------------------


def apply(state: State, action: Action) -> State:
    """The state after `action`.  ASSUME it is legal."""
    match action:
        case Move():
            return apply_move(state, action)
        case Place():
            return apply_placement(state, action)
        case _:
            assert_never(action)


def public_action(action: Action) -> Action:
    """The action itself, for Fish hides nothing."""
    return action


def apply_move(state: State, move: Move) -> State:
    """Move a penguin: the tile it leaves becomes a hole, and its fish are collected (Fish 3.4)."""
    board, seat = state.board, state.turn
    assert seat is not None
    columns = board.geometry.columns
    (row, column), (target_row, target_column) = move.start, move.target
    left, reached = row * columns + column, target_row * columns + target_column
    free = state.free ^ 1 << reached
    cells, fish, collected = state.penguins[seat], state.fish, state.collected
    penguins = with_item(state.penguins, seat, with_item(cells, cells.index(left), reached))
    # Without `with_item`, and by position: calls and keywords would slow random play down by 2 % each.
    fish = fish[:seat] + (fish[seat] + board.fish[left],) + fish[seat + 1 :]
    collected = collected[:seat] + (collected[seat] | 1 << left,) + collected[seat + 1 :]
    mover = next_mover(board, free, penguins, seat)
    after = State(board, free, penguins, fish, collected, state.out, mover, False, state.turn_number + 1)
    return next_move(after, seat) if board.geometry.original else after


def apply_placement(state: State, place: Place) -> State:
    """Put a penguin on a tile, and pass the turn on (Fish 2.6)."""
    seat = state.turn
    assert seat is not None
    row, column = place.at
    cell = row * state.board.geometry.columns + column
    cells = (*state.penguins[seat], cell)
    after = replace(
        state,
        free=state.free ^ 1 << cell,
        penguins=with_item(state.penguins, seat, cells),
        turn_number=state.turn_number + 1,
    )
    return next_placement(after, seat)


def remove(state: State, seat: Seat) -> State:
    """Take `seat` out of the match and pass its turn on (Fish 6.4)."""
    after = take_off(state, seat)
    if state.turn != seat:
        return after
    return next_placement(after, seat) if state.placing else next_move(after, seat)


def take_off(state: State, seat: Seat) -> State:
    """Take `seat` out: its penguins leave, the tiles under them stay, its fish are lost."""
    return replace(
        state,
        free=state.free | mask(state.penguins[seat]),
        penguins=with_item(state.penguins, seat, ()),
        fish=with_item(state.fish, seat, 0),
        collected=with_item(state.collected, seat, 0),
        out=state.out | {seat},
    )


# -- what seats are told, and how it ends ------------------------------------------------------


def opening(state: State, wave: int) -> Iterable[tuple[Seat, object]]:
    """Fish 2.4: first everyone's own seat, then everyone's rivals."""
    seats = remaining_seats(state)
    if wave == 0:
        return [(seat, PlayingAs(seat)) for seat in seats]
    if wave == 1:
        return [(seat, PlayingWith(tuple(other for other in seats if other != seat))) for seat in seats]
    return ()


def notices(event: Event[State, Action]) -> Iterable[tuple[Seat, object]]:
    """Nothing: the next question shows what happened."""
    return ()


def closing(state: State, ranking: Tiers) -> Iterable[tuple[Seat, object]]:
    """Nothing: players are not told about the end."""
    return ()  # Fish 5.3: players are not told about the end


def scores(state: State) -> Mapping[Seat, Score]:
    """The fish of every seat that is still in; in the original game the tiles break ties (Fish 5.1, 13.6)."""
    if state.board.geometry.original:
        return {seat: (state.fish[seat], state.collected[seat].bit_count()) for seat in remaining_seats(state)}
    return {seat: (state.fish[seat],) for seat in remaining_seats(state)}


def ending(state: State) -> str:
    """How the match ended, in words."""
    if not remaining_seats(state):
        return "nobody is left"  # Fish 4.2
    return "no penguin is left" if state.board.geometry.original else "nobody can move"  # Fish 4.1, 13.2
