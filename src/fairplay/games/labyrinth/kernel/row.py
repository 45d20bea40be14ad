"""A match of Labyrinth as a row of words: where everything lies, and the way from a state to a row and back.

A row is 64-bit words.  Most of it is read as *lanes* of 16 bits, four to a word.  Cells are numbered row by row with
one empty column on the right, as on the rule book's board; a *line* is a row or column that slides.

Small boards, of up to 64 cells, are planes of bits: one for each open side, six for the bits of the numbers of the
tiles.  Larger boards have one word for each cell.
"""

from collections.abc import Iterable, Mapping

import numpy as np
from msgspec.structs import replace

from fairplay.core import KernelSizeError, Seat
from fairplay.core.arithmetic import to_int, to_word
from fairplay.core.kernel import OVER, RANDOM, Row, Tables
from fairplay.games.labyrinth.board import NOWHERE, Board, Grid, Position, make_board
from fairplay.games.labyrinth.deal import FIXED_TILES, TREASURES, start_given
from fairplay.games.labyrinth.state import Setup, State, Target
from fairplay.games.labyrinth.tiles import GEM_NUMBERS, GEMS as GEM_NAMES, TILES, Pair

# What a source is compiled for: these are the values of the default setup.
ROWS = 7
COLUMNS = 7
WIDTH = 8
ORIGINAL = 0  # 1: the original game, whose first row and column do not slide
SMALL = 1  # is the board planes of bits?
REACHED = 15  # where the words of cells that can be reached begin
BOARD = 16  # where the planes, or the tiles, begin
GEMS = 104  # the lane of the first tile's gems
GOALS = 156  # the lane of the first goal
WORDS = 46

# Lanes of a row
TURN, FINISHER, MOVERS, FRESH = 4, 5, 6, 7
LAST, SPARE, SPARE_NUMBER, NEXT_GOAL = 8, 9, 10, 11
GOAL_COUNT = 12

# Words of a row
ROUNDS, TURN_NUMBER, SEAT = 4, 5, 6

# Lanes of the word of a seat; `FOUND` is twice the number of goals found, and one more if it is going home
AVATAR, HOME, TARGET, FOUND = 0, 1, 2, 3

NORTHS, EASTS, SOUTHS, WESTS, NUMBERS = 0, 1, 2, 3, 4  # planes
NUMBER_PLANES = 6

NO_LANE = 0xFFFF
"""Where a removed avatar stands; the last slide before there is one; who finished when nobody has."""

TREASURE = 0x8000
"""Added to the number of a tile that is a target: the one with a treasure, in the original game."""

NOBODY = 15
"""Who has a goal that nobody has."""

MOST_CELLS = 4096
MOST_SEATS = 9

# Words of the tables, then eight words for each slide; then, as `WAY_AT` says, nothing, the tiles of a drawn board with
# the spare one, or the row of a given match
SEATS_AT, LIMIT_AT, FURTHER_AT, FIXED_AT, EVERYWHERE_AT, WAY_AT, SLIDES_AT = 0, 1, 2, 3, 4, 5, 8
DEALT, DRAWN, GIVEN = 0, 1, 2
SLIDE_SIZE = 8
KEEP, STAY, UPWARDS, DOWNWARDS, ENTRY, EXIT, BY = 0, 1, 2, 3, 4, 5, 6

LANE = np.uint64(0xFFFF)
THIRTY_TWO = np.uint64(32)


def get_lane(row: Row, lane: int) -> int:
    return to_int((row[lane >> 2] >> to_word((lane & 3) << 4)) & LANE)


def set_lane(row: Row, lane: int, value: int) -> None:
    shift = to_word((lane & 3) << 4)
    row[lane >> 2] = (row[lane >> 2] & ~(LANE << shift)) | (to_word(value) << shift)


def seat_lane(seat: int, lane: int) -> int:
    """The number of one of the lanes of a seat."""
    return ((SEAT + seat) << 2) + lane


def avatar_of(row: Row, seat: int) -> int:
    """The cell where the avatar of a seat stands; NO_LANE if the seat was removed."""
    return get_lane(row, seat_lane(seat, AVATAR))


def is_in(row: Row, seat: int) -> bool:
    """Is this seat still in?"""
    return avatar_of(row, seat) != NO_LANE


def set_avatar(row: Row, seat: int, cell: int) -> None:
    set_lane(row, seat_lane(seat, AVATAR), cell)


def home_of(row: Row, seat: int) -> int:
    return get_lane(row, seat_lane(seat, HOME))


def set_home(row: Row, seat: int, cell: int) -> None:
    set_lane(row, seat_lane(seat, HOME), cell)


def target_of(row: Row, seat: int) -> int:
    """The cell where a seat has to go, or TREASURE and the number of a tile."""
    return get_lane(row, seat_lane(seat, TARGET))


def set_target(row: Row, seat: int, target: int) -> None:
    set_lane(row, seat_lane(seat, TARGET), target)


def count_found(row: Row, seat: int) -> int:
    """How many goals a seat has found."""
    return get_lane(row, seat_lane(seat, FOUND)) >> 1


def is_going_home(row: Row, seat: int) -> bool:
    """Is the target of a seat its home, at the end of its way?"""
    return get_lane(row, seat_lane(seat, FOUND)) & 1 == 1


def set_found(row: Row, seat: int, count: int, going_home: bool) -> None:
    set_lane(row, seat_lane(seat, FOUND), 2 * count + going_home)


def goal_at(row: Row, place: int) -> int:
    """The cell of the goal at a place, or the number of its tile in the original game."""
    return get_lane(row, GOALS + place) & 0xFFF


def owner_at(row: Row, place: int) -> int:
    """Who has, had or will get the goal at a place; or NOBODY."""
    return get_lane(row, GOALS + place) >> 12


def set_goal(row: Row, place: int, goal: int, owner: int) -> None:
    set_lane(row, GOALS + place, goal | (owner << 12))


def count_seats(tables: Tables) -> int:
    """How many seats the match has."""
    return to_int(tables[SEATS_AT])


def count_slides() -> int:
    """How many slides the board has."""
    return ((ROWS - ORIGINAL + 1) // 2 + (COLUMNS - ORIGINAL + 1) // 2) * 2


def extra_word(tables: Tables, number: int) -> np.uint64:
    """One of the words after those of the slides."""
    word: np.uint64 = tables[SLIDES_AT + count_slides() * SLIDE_SIZE + number]
    return word


def slide_word(tables: Tables, slide: int, word: int) -> int:
    """One of the numbers that describe a slide."""
    return to_int(tables[to_word(SLIDES_AT + slide * SLIDE_SIZE + word)])


# -- from a state to a row --------------------------------------------------------------------


TREASURE_NUMBERS = {gem: number for number, gem in enumerate(TREASURES)}


def constants_for(state: State) -> Mapping[str, int]:
    """What the source is compiled for: the size of the board, and how many goals there can be.

    Raises KernelSizeError beyond 4,096 cells, counting one more column, or 9 seats, or if something stands, lives or
    has to go off the board.
    """
    check_size(state)
    grid = state.board.grid
    constants = offsets_of(grid)
    fixed = len(grid.fixed)
    goals = 40 if state.original else max(len(list_goals(state)) + len(state.queue), fixed) + fixed + MOST_SEATS
    return {**constants, "WORDS": constants["GOALS"] // 4 + (goals + 3) // 4}


def offsets_of(grid: Grid) -> dict[str, int]:
    """Where things lie in a row, and the size of the board."""
    cells = grid.plane
    small = cells <= 64
    reached = SEAT + MOST_SEATS
    board = reached + (cells + 63) // 64
    gems = board + (NUMBERS + NUMBER_PLANES if small else cells)
    goals = gems + (grid.rows * grid.columns + 4) // 4
    sizes = {
        "ROWS": grid.rows,
        "COLUMNS": grid.columns,
        "WIDTH": grid.width,
        "ORIGINAL": int(grid.original),
        "SMALL": int(small),
    }
    return {**sizes, "REACHED": reached, "BOARD": board, "GEMS": 4 * gems, "GOALS": 4 * goals}


def check_size(state: State) -> None:
    """Raises KernelSizeError if matches like this do not fit."""
    grid = state.board.grid
    if not 2 <= grid.plane <= MOST_CELLS:
        raise KernelSizeError(
            f"the kernel of Labyrinth has room for {MOST_CELLS} cells, one more column than the board counted: "
            f"not for {grid.rows} rows of {grid.width}"
        )
    if len(state.avatars) > MOST_SEATS:
        raise KernelSizeError(f"the kernel of Labyrinth has room for {MOST_SEATS} seats, not {len(state.avatars)}")
    spots = [*state.homes, *state.queue, *(spot for spot in state.avatars if spot != NOWHERE)]
    spots += [goal for goals in (state.targets, *state.found) for goal in goals if not isinstance(goal, str)]
    if not all(grid.holds(spot) for spot in spots):
        raise KernelSizeError("the kernel of Labyrinth knows no avatars, homes and goals off the board")
    if state.last is not None and (state.last.index, state.last.direction) not in grid.shift_for:
        raise KernelSizeError("the kernel of Labyrinth knows no last slide that the board does not have")


def make_tables(state: State, setup: Setup | None = None) -> Tables:
    """What all matches like this share: seats, limit, how to deal and, for every slide, its masks and cells."""
    grid, extra = state.board.grid, list_extra(state, setup)
    tables = np.zeros(SLIDES_AT + SLIDE_SIZE * len(grid.shifts) + len(extra), np.uint64)
    tables[SEATS_AT] = len(state.avatars)
    tables[LIMIT_AT] = state.limit
    tables[FURTHER_AT] = count_further(state)
    tables[WAY_AT] = DEALT if not extra else DRAWN if setup and setup.board else GIVEN
    fixed = [TILES[tile] for line in FIXED_TILES for tile in line]
    tables[FIXED_AT] = sum(tile << 4 * place for place, tile in enumerate(fixed))
    small = offsets_of(grid)["SMALL"]
    tables[EVERYWHERE_AT] = grid.everywhere * small
    for number, shift in enumerate(grid.shifts):
        start = SLIDES_AT + SLIDE_SIZE * number
        keep, stay = (grid.everywhere ^ shift.cells) * small, (shift.cells ^ 1 << shift.exit) * small
        by = (shift.by, 0) if shift.forwards else (0, shift.by)
        tables[start : start + SLIDE_SIZE] = [keep, stay, *by, shift.entry, shift.exit, shift.by, 0]
    tables[len(tables) - len(extra) :] = extra
    return tables


def count_further(state: State) -> int:
    """How many further goals were dealt, as far as the state tells: goals of removed seats are forgotten."""
    seats = len(state.avatars)
    dealt = len(list_goals(state)) + len(state.queue)
    return max(0, min(dealt, len(state.board.grid.fixed)) - seats)


def list_extra(state: State, setup: Setup | None) -> list[int]:
    """What is not dealt by chance: the tiles of a drawn board, or a whole match."""
    if setup is not None and setup.board is not None:
        return [TILES[tile] for line in (*setup.board.tiles, setup.board.spare) for tile in line]
    if setup is None or setup.given is None:
        return []
    row = np.zeros(constants_for(state)["WORDS"], np.uint64)
    pack(start_given(setup.given, len(state.avatars), setup.rounds, setup.variant), row)
    return [int(word) for word in row]


# -- writing a row -----------------------------------------------------------------------------


def pack(state: State, row: Row) -> None:
    """Write `state` into `row`, all but its random numbers; raises KernelSizeError."""
    check_size(state)
    row[RANDOM + 1 :] = 0
    row[ROUNDS], row[TURN_NUMBER] = state.rounds, state.turn_number
    grid = state.board.grid
    last = None if state.last is None else grid.shift_for[state.last.index, state.last.direction]
    lanes = {
        TURN: OVER if state.turn is None else state.turn,
        FINISHER: NO_LANE if state.finisher is None else state.finisher,
        MOVERS: sum(1 << seat for seat in state.movers),
        FRESH: int(state.fresh),
        LAST: NO_LANE if last is None else grid.shifts.index(last),
    }
    for lane, value in lanes.items():
        set_lane(row, lane, value)
    pack_board(state, row)
    pack_seats(state, row)
    pack_goals(state, row)


def pack_board(state: State, row: Row) -> None:
    """Write the tiles and their gems."""
    board, grid = state.board, state.board.grid
    offsets = offsets_of(grid)
    numbers = number_tiles(board.gems) if state.original else list(range(len(board.gems)))
    for number, (one, other) in zip(numbers, board.gems, strict=True):
        set_lane(row, offsets["GEMS"] + number, GEM_NUMBERS[one] << 8 | GEM_NUMBERS[other])
    for place, sides in enumerate(side for line in board.tiles for side in line):
        lay_tile(row, offsets, place + place // grid.columns, sides | numbers[place] << NUMBERS)
    set_lane(row, SPARE, board.spare)
    set_lane(row, SPARE_NUMBER, numbers[-1])


def number_tiles(gems: Iterable[Pair]) -> list[int]:
    """The numbers of the tiles of the original game: that of the treasure on it, or any other."""
    others = iter(range(len(TREASURES), len(GEM_NAMES)))
    return [TREASURE_NUMBERS[one] if one == other else next(others) for one, other in gems]


def lay_tile(row: Row, offsets: Mapping[str, int], cell: int, tile: int) -> None:
    """Put a tile on an empty cell: its open sides, and 16 times its number."""
    start = offsets["BOARD"]
    if not offsets["SMALL"]:
        row[start + cell] = tile
        return
    for plane in range(NUMBERS + NUMBER_PLANES):
        row[start + plane] |= np.uint64((tile >> plane & 1) << cell)


def pack_seats(state: State, row: Row) -> None:
    """Write what belongs to each seat."""
    grid = state.board.grid
    for seat, (spot, home, target) in enumerate(zip(state.avatars, state.homes, state.targets, strict=True)):
        treasure = TREASURE if isinstance(target, str) else 0
        set_avatar(row, seat, NO_LANE if spot == NOWHERE else grid.cell(spot))
        set_home(row, seat, grid.cell(home))
        set_target(row, seat, treasure + goal_number(grid, target))
        set_found(row, seat, len(state.found[seat]), Seat(seat) in state.homeward)


def pack_goals(state: State, row: Row) -> None:
    """Write the goals that seats have, found, or will find in their piles; then the queue."""
    grid = state.board.grid
    goals = [goal_number(grid, goal) | seat << 12 for seat, goal in list_goals(state)]
    set_lane(row, NEXT_GOAL, len(goals))
    goals += [grid.cell(goal) | NOBODY << 12 for goal in state.queue]
    set_lane(row, GOAL_COUNT, len(goals))
    start = offsets_of(grid)["GOALS"]
    room = 4 * len(row) - start
    if len(goals) > room:
        raise KernelSizeError(f"this kernel of Labyrinth was made for {room} goals, not {len(goals)}")
    for place, goal in enumerate(goals):
        set_lane(row, start + place, goal)


def list_goals(state: State) -> list[tuple[int, Target]]:
    """The goals of each seat with the seat: those it found, the one it has, its pile."""
    goals: list[tuple[int, Target]] = []
    for seat, target in enumerate(state.targets):
        goals += [(seat, goal) for goal in state.found[seat]]
        if not (Seat(seat) in state.homeward and target == state.homes[seat]):
            goals.append((seat, target))
        if state.piles:
            goals += [(seat, goal) for goal in state.piles[seat]]
    return goals


def goal_number(grid: Grid, goal: Target) -> int:
    """The cell of a goal, or the number of the tile with a treasure."""
    return TREASURE_NUMBERS[goal] if isinstance(goal, str) else grid.cell(goal)


# -- reading a row -----------------------------------------------------------------------------


def unpack(row: Row, like: State) -> State:
    """The state in `row`; `like` is any state of the same setup and seats."""
    grid, seats = like.board.grid, range(len(like.avatars))
    turn, finisher, last = (read_lane(row, lane) for lane in (TURN, FINISHER, LAST))
    found = [int(count_found(row, seat)) for seat in seats]
    targets = [read_target(grid, int(target_of(row, seat))) for seat in seats]
    owned = [read_goals(row, like, seat) for seat in seats]
    movers = read_lane(row, MOVERS)
    return replace(
        like,
        board=unpack_board(row, like),
        last=None if last == NO_LANE else grid.shifts[last].slide,
        homes=tuple(grid.positions[int(home_of(row, seat))] for seat in seats),
        avatars=tuple(read_spot(grid, int(avatar_of(row, seat))) for seat in seats),
        targets=tuple(targets),
        homeward=frozenset(Seat(seat) for seat in seats if is_going_home(row, seat)),
        found=tuple(tuple(owned[seat][: found[seat]]) for seat in seats),
        queue=tuple(read_goals(row, like, NOBODY)),
        piles=tuple(
            tuple(str(goal) for goal in owned[seat][found[seat] + isinstance(targets[seat], str) :])
            for seat in seats
            if like.original
        ),
        turn=None if turn == OVER else Seat(turn),
        rounds=int(row[ROUNDS]),
        movers=frozenset(Seat(seat) for seat in seats if movers >> seat & 1),
        fresh=bool(read_lane(row, FRESH)),
        finisher=None if finisher == NO_LANE else Seat(finisher),
        turn_number=int(row[TURN_NUMBER]),
    )


def read_lane(row: Row, lane: int) -> int:
    """Read a lane as a number of Python's."""
    return int(get_lane(row, lane))


def unpack_board(row: Row, like: State) -> Board:
    """Read the tiles and their gems."""
    grid = like.board.grid
    offsets = offsets_of(grid)
    spots = range(grid.rows * grid.columns)
    tiles = [read_tile(row, offsets, place + place // grid.columns) for place in spots]
    numbers = [tile >> NUMBERS for tile in tiles] + [read_lane(row, SPARE_NUMBER)]
    pairs = [divmod(read_lane(row, offsets["GEMS"] + number), 256) for number in numbers]
    sides = [[tile & 15 for tile in tiles[start : start + grid.columns]] for start in spots[:: grid.columns]]
    gems = [(GEM_NAMES[one], GEM_NAMES[other]) for one, other in pairs]
    return make_board(sides, read_lane(row, SPARE), gems, original=like.original)


def read_tile(row: Row, offsets: Mapping[str, int], cell: int) -> int:
    """The open sides of the tile on a cell, and 16 times its number."""
    start = offsets["BOARD"]
    if not offsets["SMALL"]:
        return int(row[start + cell]) & 0xFFFFFFFF
    planes = range(NUMBERS + NUMBER_PLANES)
    return sum((int(row[start + plane]) >> cell & 1) << plane for plane in planes)


def read_goals(row: Row, like: State, seat: int) -> list[Target]:
    """The goals that a seat has, or NOBODY: the queue."""
    grid = like.board.grid
    start = offsets_of(grid)["GOALS"]
    first = read_lane(row, NEXT_GOAL) if seat == NOBODY else 0
    goals = [read_lane(row, start + place) for place in range(first, read_lane(row, GOAL_COUNT))]
    treasure = TREASURE if like.original else 0
    return [read_target(grid, goal & 0xFFF | treasure) for goal in goals if goal >> 12 == seat]


def read_target(grid: Grid, target: int) -> Target:
    """A target as the rule book has it."""
    return TREASURES[target - TREASURE] if target >= TREASURE else grid.positions[target]


def read_spot(grid: Grid, cell: int) -> Position:
    """A position as the rule book has it."""
    return NOWHERE if cell == NO_LANE else grid.positions[cell]
