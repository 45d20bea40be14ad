"""The house players of Fish: random, greedy, and the search of Fish 8."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, TypeAlias

from fairplay.core import Seat, Strategy
from fairplay.core.chance import choice
from fairplay.games.fish.board import Board, Cell, bits, mask
from fairplay.games.fish.rules import legal_actions, placeable
from fairplay.games.fish.state import Action, Move, Place, State, View

__all__ = ["STRATEGIES", "best_move", "greedy", "minimax", "random", "zig_zag"]

FishStrategy: TypeAlias = Strategy[View, Action]
Penguins: TypeAlias = tuple[tuple[Cell, ...], ...]

ENDLESS: Final = 1 << 62  # more fish than there are


def random(rng: Random) -> FishStrategy:
    """Any legal action, all equally likely."""
    return lambda view: choice(rng, legal_actions(view))


def greedy(rng: Random) -> FishStrategy:
    """The most fish now, then on the tile it goes to, then room to move on."""

    def choose(view: View) -> Action:
        state = view.state
        geometry, fish = state.board.geometry, state.board.fish

        def gain(action: Action) -> tuple[int, int, int]:
            target = geometry.cell(action.at if isinstance(action, Place) else action.target)
            left = geometry.cell(action.start) if isinstance(action, Move) else None
            assert target is not None
            room = geometry.reachable(target, state.free).bit_count()
            return (0 if left is None else fish[left], fish[target], room)

        return max(legal_actions(view), key=gain)

    return choose


def minimax(rng: Random, *, depth: int = 2) -> FishStrategy:
    """Zig-zag placement, then the search of Fish 8.3 with this many own moves of look-ahead."""

    def choose(view: View) -> Action:
        if view.state.placing:
            return zig_zag(view.state)
        move = best_move(view.state, view.me, depth)
        assert move is not None, "nobody is asked who cannot move"
        return move

    return choose


def zig_zag(state: State) -> Place:
    """Fish 8.1, 13.7: the first free tile, row by row."""
    return Place(state.board.geometry.positions[next(bits(placeable(state)))])


def best_move(state: State, me: Seat, depth: int) -> Move | None:
    """Fish 8.3, 8.6: the first move by 8.2 of the greatest value, None without a legal move."""
    board, spots = state.board, state.board.geometry.positions
    value = search(board, me, len(state.penguins))
    best, chosen = -1, None
    for start in sorted(state.penguins[me]):
        for target in bits(board.geometry.reachable(start, state.free)):
            if depth == 0:
                return Move(spots[start], spots[target])
            fish = board.fish[start]
            free, penguins = after(state.free, state.penguins, me, start, target)
            found = fish + value(free, penguins, (me + 1) % len(penguins), depth - 1, best - fish, ENDLESS)
            if found > best:
                best, chosen = found, Move(spots[start], spots[target])
    return chosen


Value: TypeAlias = Callable[[int, Penguins, int, int, int, int], int]


def search(board: Board, me: Seat, seats: int) -> Value:
    """V of Fish 8.4 as a function of free tiles, penguins, seat on turn and depth, exact between alpha and beta."""
    geometry, fish = board.geometry, board.fish
    adjacent, reachable = geometry.adjacent, geometry.reachable

    def value(free: int, penguins: Penguins, seat: int, depth: int, alpha: int, beta: int) -> int:
        mine = [cell for cell in penguins[me] if free & adjacent[cell]]
        if depth == 0 or not mine:
            return 0
        while not movable(free, penguins[seat]):
            seat = (seat + 1) % seats
        following = (seat + 1) % seats
        if seat == me:
            return most(free, penguins, following, depth, alpha, beta, mine)
        if depth == 1 and following == me:
            return least_before_last(free, penguins[seat], mine)
        return least(free, penguins, seat, depth, alpha, beta)

    def most(free: int, penguins: Penguins, following: int, depth: int, alpha: int, beta: int, mine: list[Cell]) -> int:
        mine.sort(key=fish.__getitem__, reverse=True)  # rich tiles first, to prune more
        if depth == 1:
            return fish[mine[0]]
        best = 0
        for start in mine:
            for target in bits(reachable(start, free)):
                left, moved = after(free, penguins, me, start, target)
                gain = fish[start]
                found = gain + value(left, moved, following, depth - 1, max(alpha, best) - gain, beta - gain)
                if found > best:
                    best = found
                    if best >= beta:
                        return best
        return best

    def least(free: int, penguins: Penguins, seat: int, depth: int, alpha: int, beta: int) -> int:
        best = beta
        for start in penguins[seat]:
            for target in bits(reachable(start, free)):
                left, moved = after(free, penguins, seat, start, target)
                best = min(best, value(left, moved, (seat + 1) % seats, depth, alpha, best))
                if best <= alpha or best == 0:  # nothing is worse for me than 0
                    return best
        return best

    def least_before_last(free: int, rivals: tuple[Cell, ...], mine: list[Cell]) -> int:
        """The least that is left to me for one last move: a rival can only take away the tile it goes to."""
        beside = mask(())
        for cell in mine:
            beside |= adjacent[cell]
        targets = 0
        for cell in rivals:
            targets |= reachable(cell, free)
        least = max(map(fish.__getitem__, mine)) if targets & ~beside else ENDLESS
        for target in bits(targets & beside):
            left = free ^ 1 << target
            least = min(least, max((fish[cell] for cell in mine if left & adjacent[cell]), default=0))
        return least

    def movable(free: int, cells: tuple[Cell, ...]) -> bool:
        for cell in cells:
            if free & adjacent[cell]:
                return True
        return False

    return value


def after(free: int, penguins: Penguins, seat: int, start: Cell, target: Cell) -> tuple[int, Penguins]:
    """Free tiles and penguins after a move, in the search."""
    moved = tuple([target if cell == start else cell for cell in penguins[seat]])
    return free ^ 1 << target, penguins[:seat] + (moved,) + penguins[seat + 1 :]


STRATEGIES: Mapping[str, Callable[..., FishStrategy]] = {"random": random, "greedy": greedy, "minimax": minimax}
