"""How a match starts: dealt by chance (Labyrinth 2.3, 13.4) or given (2.2)."""

from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import TypeVar

from msgspec.structs import replace

from fairplay.core import Seat, SetupError
from fairplay.core.chance import below, choice, shuffled
from fairplay.games.labyrinth import state as data
from fairplay.games.labyrinth.board import Board, Position, grid_of, make_board
from fairplay.games.labyrinth.tiles import DEGREES, GEMS, OPEN_SIDES, PAIRS, TILES, Gem, Tile, rotate_tile

T = TypeVar("T")

ORIGINAL_SEATS = range(2, 5)  # Labyrinth 13.2
ORIGINAL_HOMES: tuple[Position, ...] = ((0, 0), (0, 6), (6, 6), (6, 0))
FIXED_TILES = ("┌┬┬┐", "├├┬┤", "├┴┤┤", "└┴┴┘")  # Labyrinth 13.3, at rows and columns 0, 2, 4, 6
TREASURES = GEMS[:24]


def deal_match(setup: data.Setup, seats: int, rng: Random) -> data.State:
    """Deal the match that `setup` asks for; raises SetupError."""
    if setup.given is not None:
        return deal_given(setup, setup.given, seats)
    return deal_original(setup, seats, rng) if setup.variant == "original" else deal_standard(setup, seats, rng)


def public_setup(setup: data.Setup) -> data.Setup:
    """The setup without the goals and their number (Labyrinth 3.11); of a given state its size is left."""
    if setup.given is None:
        return replace(setup, goals=None)
    rows = setup.given.board.connectors
    return replace(setup, goals=None, given=None, rows=len(rows), columns=len(rows[0]) if rows else 0)


# -- a given match -----------------------------------------------------------------------------


def deal_given(setup: data.Setup, given: data.Given, seats: int) -> data.State:
    """Check a given match against the setup around it, and start it; raises SetupError (Labyrinth 2.2)."""
    if setup != data.Setup(setup.variant, rounds=setup.rounds, fewest=setup.fewest, most=setup.most, given=given):
        raise SetupError(
            "with a given state only rounds, fewest and most can be chosen: leave out rows, columns, goals and board"
        )
    if setup.variant == "original":
        raise SetupError("the original game is always dealt: a given state has no piles of treasures")
    if setup.variant == "plain" and given.goals:
        raise SetupError("the plain game has no queue of goals: choose the variant multi-goal")  # Labyrinth 13.1
    check_seats(setup, seats)
    if seats > len(given.seats):
        raise SetupError(f"the given state has {len(given.seats)} players, too few for {seats} seats")
    return start_given(given, seats, setup.rounds, setup.variant)


def start_given(
    given: data.Given, seats: int, limit: int = data.Setup().rounds, variant: data.Variant = "multi-goal"
) -> data.State:
    """Start the match of `given` with its first `seats` players, however many (Labyrinth 2.2, 12.3)."""
    players = given.seats[:seats]
    state = begin_match(
        data.board_from_form(given.board, given.spare),
        colors=[player.color for player in players],
        homes=[player.home.position for player in players],
        targets=[player.target.position for player in players],
        queue=[goal.position for goal in given.goals],
        limit=limit,
        variant=variant,
    )
    avatars = tuple(player.at.position for player in players)
    return replace(state, last=data.slide_from_form(given.last), avatars=avatars)


def begin_match(
    board: Board,
    *,
    colors: Sequence[str],
    homes: Sequence[Position],
    targets: Sequence[data.Target],
    queue: Sequence[Position] = (),
    piles: Sequence[tuple[Gem, ...]] = (),
    limit: int,
    variant: data.Variant,
) -> data.State:
    """Return the state before the first turn, with everyone at home."""
    return data.State(
        board=board,
        last=None,
        colors=tuple(colors),
        homes=tuple(homes),
        avatars=tuple(homes),
        targets=tuple(targets),
        homeward=frozenset(),
        found=((),) * len(homes),
        queue=tuple(queue),
        piles=tuple(piles),
        turn=Seat(0) if homes else None,
        limit=limit,
        variant=variant,
    )


# -- the standard game -------------------------------------------------------------------------


def deal_standard(setup: data.Setup, seats: int, rng: Random) -> data.State:
    """Draw pairs, connectors, homes and goals, in this order (Labyrinth 2.3, 2.4)."""
    rows, columns = board_size(setup)
    check_seats(setup, seats)
    if rows * columns >= len(PAIRS):
        raise SetupError(f"a board has at most {len(PAIRS) - 1} tiles, not {rows} times {columns}")  # Labyrinth 13.1
    fixed = grid_of(rows, columns).fixed
    if len(fixed) < seats:
        raise SetupError(f"a board of {rows} rows and {columns} columns has room for {len(fixed)} of {seats} homes")
    further = count_goals(setup, len(fixed) - seats)
    tiles = random_board(rows, columns, rng) if setup.board is None else board_from_maze(setup.board, rng)
    homes = draw_distinct(rng, fixed, seats)
    goals = shuffled(rng, fixed)
    while any(goal == home for goal, home in zip(goals, homes, strict=False)):
        goals = shuffled(rng, fixed)
    return begin_match(
        tiles,
        colors=data.COLORS[:seats],
        homes=homes,
        targets=goals[:seats],
        queue=goals[seats : seats + further],
        limit=setup.rounds,
        variant=setup.variant,
    )


def board_size(setup: data.Setup) -> tuple[int, int]:
    """Rows and columns; raises SetupError if a drawn board is not a rectangle, or a size is chosen as well."""
    if setup.board is None:
        return setup.rows, setup.columns
    if (setup.rows, setup.columns) != (data.Setup().rows, data.Setup().columns):
        raise SetupError("a drawn board has its own size: leave out rows and columns")
    widths = [len(row) for row in setup.board.tiles]
    if len(widths) < 2 or len(set(widths)) > 1:
        raise SetupError("a drawn board has two rows or more, all of one length")
    return len(widths), widths[0]


def board_from_maze(maze: data.Maze, rng: Random) -> Board:
    """Make a board of drawn tiles; only the gems are random (Labyrinth 2.3 (a))."""
    tiles = [[TILES[connector] for connector in row] for row in maze.tiles]
    return make_board(tiles, TILES[maze.spare], draw_distinct(rng, PAIRS, len(tiles) * len(tiles[0]) + 1))


def random_board(rows: int, columns: int, rng: Random) -> Board:
    """Make a board of random tiles (Labyrinth 2.3 (a), (b))."""
    count = rows * columns + 1
    gems = draw_distinct(rng, PAIRS, count)
    tiles = [choice(rng, CONNECTOR_TILES) for _ in range(count)]
    return make_board([tiles[start : start + columns] for start in range(0, count - 1, columns)], tiles[-1], gems)


CONNECTOR_TILES: Sequence[Tile] = tuple(OPEN_SIDES.values())


def check_seats(setup: data.Setup, seats: int) -> None:
    """Check the number of seats (Labyrinth 1.1, 13.1); raises SetupError."""
    if setup.most < 2 * setup.fewest - 1:
        raise SetupError(
            f"with fewest={setup.fewest} seats, most must be at least {2 * setup.fewest - 1}, not {setup.most}"
        )
    if not setup.fewest <= seats <= setup.most:
        raise SetupError(f"Labyrinth is played by {setup.fewest} to {setup.most} seats, not {seats}")


def count_goals(setup: data.Setup, most: int) -> int:
    """How many further goals there are (Labyrinth 2.4); raises SetupError."""
    if setup.variant == "plain":
        if setup.goals:
            raise SetupError("the plain game has no further goals: choose the variant multi-goal")
        return 0
    if setup.goals is not None and setup.goals > most:
        raise SetupError(f"{setup.goals} further goals are too many: {most} positions are left for them")
    return most if setup.goals is None else setup.goals


def draw_distinct(rng: Random, items: Sequence[T], count: int) -> list[T]:
    """Draw `count` different items in a uniformly random order."""
    taken: dict[int, T] = {}
    while len(taken) < count:
        number = below(rng, len(items))
        taken.setdefault(number, items[number])
    return list(taken.values())


# -- the original game -------------------------------------------------------------------------


def deal_original(setup: data.Setup, seats: int, rng: Random) -> data.State:
    """Draw pairs, loose tiles, their rotations and piles, in this order (Labyrinth 13.3, 13.4)."""
    if setup != data.Setup("original", rounds=setup.rounds):
        raise SetupError("in the original game only rounds can be chosen")
    if seats not in ORIGINAL_SEATS:
        raise SetupError(
            f"the original game is played by {ORIGINAL_SEATS[0]} to {ORIGINAL_SEATS[-1]} seats, not {seats}"
        )
    tiles = original_board(rng)
    order = shuffled(rng, TREASURES)
    size = len(order) // seats
    piles = [tuple(order[start : start + size]) for start in range(0, seats * size, size)]
    return begin_match(
        tiles,
        colors=data.COLORS[:seats],
        homes=ORIGINAL_HOMES[:seats],
        targets=[pile[0] for pile in piles],
        piles=[pile[1:] for pile in piles],
        limit=setup.rounds,
        variant=setup.variant,
    )


def original_board(rng: Random) -> Board:
    """Lay out the tiles of the original game (Labyrinth 13.3)."""
    pairs = iter(draw_distinct(rng, PAIRS, 26))
    treasures = iter([(gem, gem) for gem in TREASURES])
    # A fixed corner shows two gems, a fixed T-shaped tile its treasure.
    fixed = {
        (2 * row, 2 * column): (OPEN_SIDES[shape], next(pairs if shape in "┌┐└┘" else treasures))  # type: ignore[index]  # a connector
        for row, line in enumerate(FIXED_TILES)
        for column, shape in enumerate(line)
    }
    corner, straight, fork = OPEN_SIDES["└"], OPEN_SIDES["│"], OPEN_SIDES["┴"]
    loose = chain(
        ((corner, next(treasures)) for _ in range(6)),
        ((fork, next(treasures)) for _ in range(6)),
        ((corner, next(pairs)) for _ in range(9)),
        ((straight, next(pairs)) for _ in range(13)),
    )
    loose_tiles = [(rotate_tile(tile, choice(rng, DEGREES)), gems) for tile, gems in shuffled(rng, loose)]
    in_order = iter(loose_tiles)
    rows = [[fixed.get((row, column)) or next(in_order) for column in range(7)] for row in range(7)]
    spare, spare_gems = next(in_order)
    gems = [gems for row in rows for _, gems in row]
    return make_board([[tile for tile, _ in row] for row in rows], spare, [*gems, spare_gems], original=True)
