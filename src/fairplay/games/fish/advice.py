"""What a beginner should do in a position of Fish, and why."""

from typing import NamedTuple

from fairplay.core import Seat
from fairplay.core.immutable import bits
from fairplay.core.shown import TurnAdvice
from fairplay.games.fish.board import Cell, Geometry
from fairplay.games.fish.rules import apply, format_place, legal_actions, penguins_each, placeable_tiles
from fairplay.games.fish.state import COLORS, Action, Move, Place, State, View

MOVES = 6
"""After this many moves a beginner needs no more advice."""


def advise(view: View, turn: int) -> TurnAdvice | None:
    """Say what to do now; `turn` is how many turns the owner of the view has taken, placements among them."""
    if view.state.placing:
        return advise_placement(view)
    moves = turn - penguins_each(len(view.state.penguins))
    if moves < MOVES:
        return advise_move(view, moves)
    return TurnAdvice("Over to you", LAST_WORDS) if moves == MOVES else None


def explain(view: View, action: Action) -> str:
    """Say what speaks for an action."""
    if isinstance(action, Place):
        return f"{describe_spot(view.state, view.state.board.geometry.positions.index(action.at))}."
    reason = explain_move(rate_move(view, action), moves=1)[1]
    return f"{reason[0].upper()}{reason[1:]}"


LAST_WORDS = (
    "You know everything now: take many fish, keep room to move, cut others off."
    " When nobody can move any more, most fish win."
)


# -- placing -----------------------------------------------------------------------------------


def advise_placement(view: View) -> TurnAdvice:
    """Suggest a tile for the next penguin."""
    state = view.state
    best = max(bits(placeable_tiles(state)), key=lambda cell: (rate_tile(view, cell), -cell))
    at = state.board.geometry.positions[best]
    title, words = PLACING_ORIGINAL if state.original else PLACING[min(len(view.penguins()), len(PLACING) - 1)]
    return TurnAdvice(title, f"{words} {describe_spot(state, best)}.", Place(at))


PLACING = (
    ("Begin on a rich tile", "The player with the most fish wins, and you get those of a tile when you leave it."),
    ("Spread out", "Penguins far from each other are hard to shut in."),
    ("Look at the neighbours", "A good start has many fish beside it, too."),
    ("Keep a way out", "A penguin with holes and others all around it can never move again."),
)
"""By the number of penguins that have been placed."""

PLACING_ORIGINAL = (
    "Begin beside rich tiles",
    "Penguins start on tiles with one fish, so look at what lies beside them.",
)


def rate_tile(view: View, cell: Cell) -> float:
    """How good it is to start on a tile: its fish, those beside it, and the distance to my other penguins."""
    state = view.state
    fish, beside = state.board.fish, state.board.geometry.adjacent[cell] & state.free
    crowd = sum(rate_closeness(state.board.geometry, cell, other) for other in state.penguins[view.me])
    return 2 * fish[cell] + 0.5 * sum(fish[other] for other in bits(beside)) - crowd


def rate_closeness(geometry: Geometry, cell: Cell, other: Cell) -> float:
    """How much two penguins are in each other's way: as neighbours most, with a neighbour in common less."""
    if geometry.adjacent[cell] >> other & 1:
        return 6
    return 3 if geometry.adjacent[cell] & geometry.adjacent[other] else 0


def describe_spot(state: State, cell: Cell) -> str:
    """How many fish a tile has, and how much room there is around it, in words."""
    at = format_place(state.board.geometry.positions[cell])
    return f"{at} has {state.board.fish[cell]} fish, and {room_around(state, cell)}"


def room_around(state: State, cell: Cell) -> str:
    """How many free tiles lie beside a tile, in words."""
    count = (state.board.geometry.adjacent[cell] & state.free).bit_count()
    return f"{count or 'no'} free tile{'' if count == 1 else 's'} beside it"


# -- moving ------------------------------------------------------------------------------------


class MoveReasons(NamedTuple):
    """A move, and what it is good for."""

    value: float
    caught: int  # fish
    ahead: int  # fish on the tile it goes to
    taken: int  # ways that rivals lose
    rival: Seat  # who loses most of them
    cramped: bool  # the penguin has at most two moves left
    alone: bool  # no rival can get where it stands


def advise_move(view: View, moves: int) -> TurnAdvice:
    actions = [action for action in legal_actions(view) if isinstance(action, Move)]
    rated = {action: rate_move(view, action) for action in actions}
    best = min(actions, key=lambda action: (-rated[action].value, action.start, action.target))
    title, reason = explain_move(rated[best], moves)
    way = f"Go from {format_place(best.start)} to {format_place(best.target)}"
    return TurnAdvice(title, f"{way}: {reason}", best)


def explain_move(move: MoveReasons, moves: int) -> tuple[str, str]:
    """What a move is good for, as a title and the rest of a sentence."""
    catch = f"you take {move.caught} fish"
    if moves == 0:
        return (
            "Move in a straight line",
            f"{catch}, and the tile you leave sinks. Click the penguin first, then the tile.",
        )
    if move.alone:
        return "This ice is yours", f"no rival can get here, so all of it is left for you. Now {catch}."
    if move.taken > 1:
        return "Get in the way", f"{catch}, and {COLORS[move.rival]} has {move.taken} moves fewer."
    if move.cramped:
        return "Leave while you can", f"this penguin will soon be stuck. {catch.capitalize()}."
    return "Think of the next turn", f"{catch} now, and {move.ahead} more when you move on."


def rate_move(view: View, move: Move) -> MoveReasons:
    """Weigh the fish of a move, those to come, and what it does to rivals; ice that is mine alone can wait."""
    state, me, geometry = view.state, view.me, view.state.board.geometry
    start, target = (geometry.positions.index(at) for at in (move.start, move.target))
    after = apply(state, move)
    fish = state.board.fish
    room = sum(fish[cell] for cell in bits(find_floe(geometry, target, after.free)))
    rivals = [Seat(seat) for seat in range(len(state.penguins)) if seat != me and state.penguins[seat]]
    lost = {seat: count_ways(state, seat) - count_ways(after, seat) for seat in rivals}
    rival = max(rivals, key=lambda seat: lost[seat], default=me)
    taken = lost.get(rival, 0)
    alone, cramped = is_alone(state, me, start), geometry.reachable(start, state.free).bit_count() <= 2
    later = 0.6 * room - 8 if alone else 0.15 * min(room, 20)
    value = fish[start] + 0.8 * (fish[target] if room else 0) + later + 0.4 * taken
    return MoveReasons(value, fish[start], fish[target], taken, rival, cramped, alone)


def count_ways(state: State, seat: Seat) -> int:
    """How many moves a seat has."""
    reachable = state.board.geometry.reachable
    return sum(reachable(cell, state.free).bit_count() for cell in state.penguins[seat])


def is_alone(state: State, me: Seat, cell: Cell) -> bool:
    """Can no rival ever get to the tiles around my penguin on `cell`?"""
    geometry = state.board.geometry
    floe = find_floe(geometry, cell, state.free)
    rivals = [other for seat, cells in enumerate(state.penguins) if seat != me for other in cells]
    return not any(geometry.adjacent[other] & floe for other in rivals)


def find_floe(geometry: Geometry, cell: Cell, free: int) -> int:
    """The mask of free tiles that a penguin on `cell` could get to in any number of moves."""
    floe, edge = 0, geometry.adjacent[cell] & free
    while edge:
        floe |= edge
        reached = 0
        for other in bits(edge):
            reached |= geometry.adjacent[other]
        edge = reached & free & ~floe
    return floe
