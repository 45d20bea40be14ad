"""The search of Fish 8.3 to 8.6: only my own fish count, and every rival plays against me."""

from typing import TypeAlias

from fairplay.core import Seat
from fairplay.core.immutable import bits
from fairplay.games.fish.board import Board, Cell
from fairplay.games.fish.state import Move, State

Penguins: TypeAlias = tuple[tuple[Cell, ...], ...]

UNLIMITED = 1 << 62  # more fish than any board has


def best_move(state: State, me: Seat, depth: int) -> Move | None:
    """Find the move of the greatest value, the first one by 8.2 among equals; None without a legal move (8.3, 8.6)."""
    positions, search = state.board.geometry.positions, Search(state.board, me, len(state.penguins))
    best, chosen = -1, None
    for start, target in ordered_moves(state, me):
        if depth == 0:
            return Move(positions[start], positions[target])
        value = search.value_of_move(state, start, target, depth, best)
        if value > best:
            best, chosen = value, Move(positions[start], positions[target])
    return chosen


def move_values(state: State, me: Seat, depth: int) -> dict[Move, int]:
    """Compute the exact value of each move, in the order of Fish 8.2; ASSUME depth >= 1."""
    positions, search = state.board.geometry.positions, Search(state.board, me, len(state.penguins))
    return {
        Move(positions[start], positions[target]): search.value_of_move(state, start, target, depth, -1)
        for start, target in ordered_moves(state, me)
    }


def ordered_moves(state: State, me: Seat) -> list[tuple[Cell, Cell]]:
    """List starts and targets in the order of Fish 8.2."""
    reachable, free = state.board.geometry.reachable, state.free
    return [(start, target) for start in sorted(state.penguins[me]) for target in bits(reachable(start, free))]


class Search:
    """V of Fish 8.4 as a function of free tiles, penguins, seat to move and depth; exact between alpha and beta."""

    def __init__(self, board: Board, me: Seat, seats: int) -> None:
        self.fish, self.me, self.seats = board.fish, me, seats
        self.adjacent, self.reachable = board.geometry.adjacent, board.geometry.reachable

    def value_of_move(self, state: State, start: Cell, target: Cell, depth: int, alpha: int) -> int:
        """The value of one of my moves; a result of at most `alpha` means no more than that."""
        fish = self.fish[start]
        free, penguins = move_penguin(state.free, state.penguins, self.me, start, target)
        return fish + self.value(free, penguins, (self.me + 1) % self.seats, depth - 1, alpha - fish, UNLIMITED)

    def value(self, free: int, penguins: Penguins, seat: int, depth: int, alpha: int, beta: int) -> int:
        """The value of a position with `seat` to move."""
        mine = self.movable(free, penguins[self.me])
        if depth == 0 or not mine:
            return 0
        while not self.movable(free, penguins[seat]):
            seat = (seat + 1) % self.seats
        if seat == self.me:
            return self.maximize(free, penguins, depth, alpha, beta, mine)
        if depth == 1 and (seat + 1) % self.seats == self.me:
            return self.minimize_before_last(free, penguins[seat], mine)
        return self.minimize(free, penguins, seat, depth, alpha, beta)

    def movable(self, free: int, cells: tuple[Cell, ...]) -> list[Cell]:
        """Those penguins that can move."""
        return [cell for cell in cells if free & self.adjacent[cell]]

    def maximize(self, free: int, penguins: Penguins, depth: int, alpha: int, beta: int, mine: list[Cell]) -> int:
        """The value with me to move."""
        fish, following = self.fish, (self.me + 1) % self.seats
        mine.sort(key=fish.__getitem__, reverse=True)  # rich tiles first, to prune more
        if depth == 1:
            return fish[mine[0]]
        best = 0
        for start in mine:
            gain = fish[start]
            for target in bits(self.reachable(start, free)):
                after = move_penguin(free, penguins, self.me, start, target)
                floor = max(alpha, best) - gain
                best = max(best, gain + self.value(*after, following, depth - 1, floor, beta - gain))
                if best >= beta:
                    return best
        return best

    def minimize(self, free: int, penguins: Penguins, seat: int, depth: int, alpha: int, beta: int) -> int:
        """The value with a rival to move."""
        best, following = beta, (seat + 1) % self.seats
        for start in penguins[seat]:
            for target in bits(self.reachable(start, free)):
                after = move_penguin(free, penguins, seat, start, target)
                best = min(best, self.value(*after, following, depth, alpha, best))
                if best <= alpha or best == 0:  # nothing is worse for me than 0
                    return best
        return best

    def minimize_before_last(self, free: int, rivals: tuple[Cell, ...], mine: list[Cell]) -> int:
        """The value with the last rival before my last move: it can only take away the tile it goes to."""
        fish, adjacent = self.fish, self.adjacent
        beside = targets = 0
        for cell in mine:
            beside |= adjacent[cell]
        for cell in rivals:
            targets |= self.reachable(cell, free)
        least = max([fish[cell] for cell in mine]) if targets & ~beside else UNLIMITED
        for target in bits(targets & beside):
            left = free ^ 1 << target
            least = min(least, max([fish[cell] for cell in mine if left & adjacent[cell]], default=0))
        return least


def move_penguin(free: int, penguins: Penguins, seat: int, start: Cell, target: Cell) -> tuple[int, Penguins]:
    """Move a penguin, without scores and turn: the free tiles and penguins after it."""
    cells = tuple([target if cell == start else cell for cell in penguins[seat]])
    return free ^ 1 << target, penguins[:seat] + (cells,) + penguins[seat + 1 :]
