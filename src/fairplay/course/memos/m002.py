"""Memo 002: a Fish match as a network; each position has edges to all positions it reaches in a straight line."""

from __future__ import annotations

from collections.abc import Iterator

from fairplay.core.immutable import bits
from fairplay.games.fish.board import Cell, Position, walk_ray
from fairplay.games.fish.state import State


def make_game(state: State) -> Network:
    """Build the network of `state`; raises ValueError while penguins are still being placed."""
    return Network(state)


class Network:
    """Where each tile leads.  No edge leads to a hole or an occupied tile, and holes have no edges at all."""

    def __init__(self, state: State) -> None:
        check_placed(state)
        self._board, self._geometry = state.board, state.board.geometry
        self._opposite = dict(
            zip(directions := [*self._geometry.layout.steps], directions[3:] + directions[:3], strict=True)
        )
        self._free, self._tiles = state.free, find_tiles(state)
        self._edges: list[dict[str, list[Cell]]] = [{} for _ in self._geometry.positions]
        for cell in bits(self._tiles):
            for direction in directions:
                self._connect(cell, direction)

    def is_move_valid(self, pos1: Position, pos2: Position) -> bool:
        """May a penguin on `pos1` move to `pos2`?  Raises ValueError if either is not a tile."""
        start, target = self._tile(pos1), self._tile(pos2)
        return any(target in cells for cells in self._edges[start].values())

    def get_all_reachable_pos(self, pos: Position) -> list[Position]:
        """All positions a penguin on `pos` reaches, direction by direction.  Raises ValueError if it is not a tile."""
        return [self._geometry.positions[cell] for cells in self._edges[self._tile(pos)].values() for cell in cells]

    def get_map(self) -> list[list[dict[str, list[list[int]]]]]:
        """Row by row and column by column: direction -> positions reached.  A copy."""
        spots, columns = self._geometry.positions, self._geometry.columns
        flat = [
            {direction: [list(spots[cell]) for cell in cells] for direction, cells in edges.items()}
            for edges in self._edges
        ]
        return [flat[start : start + columns] for start in range(0, len(flat), columns)]

    def update(self, state: State) -> set[Position]:
        """Follow the match to `state`, a later one; returns the positions whose edges were computed again.

        EFFECT: changes this network.  LAW: it then equals a new network of `state`.  Raises ValueError, and changes
        nothing, for a state of the placement phase, of another board, or of an earlier moment.
        """
        self._check_later(state)
        now = find_tiles(state)
        sunk, changed = self._tiles & ~now, self._free ^ state.free
        either = self._free | state.free
        self._free, self._tiles = state.free, now
        touched = set(bits(sunk))
        for cell in touched:
            self._edges[cell] = {}
        for cell in bits(changed):
            for direction, witness in self._witnesses(cell, either):
                self._connect(witness, self._opposite[direction])
                touched.add(witness)
        return {self._geometry.positions[cell] for cell in touched}

    def _check_later(self, state: State) -> None:
        check_placed(state)
        if state.board != self._board:
            raise ValueError("this is a state of another board: make a new network with make_game")
        for cell in bits(find_tiles(state) & ~self._tiles):
            raise ValueError(f"this is an earlier state: {self._geometry.positions[cell]} is a hole by now")

    def _witnesses(self, cell: Cell, free: int) -> Iterator[tuple[str, Cell]]:
        """The tiles from which `cell` was or is in sight, each with the direction in which it lies from `cell`."""
        for direction, ray in self._geometry.rays[cell].items():
            seen = len(walk_ray(ray, free))
            yield from ((direction, witness) for witness in ray[: seen + 1] if self._tiles >> witness & 1)

    def _connect(self, cell: Cell, direction: str) -> None:
        """Compute the edges of `cell` in one direction again, keeping the canonical order of directions."""
        edges = self._edges[cell]
        edges[direction] = walk_ray(self._geometry.rays[cell][direction], self._free)
        self._edges[cell] = {name: cells for name in self._opposite if (cells := edges.get(name))}

    def _tile(self, position: Position) -> Cell:
        match position:
            case (int() as row, int() as column) if not isinstance(row, bool) and not isinstance(column, bool):
                cell = self._geometry.cell((row, column))
            case _:
                raise ValueError(f"expected a position (row, column), got {position!r}")
        if cell is None:
            rows, columns = self._geometry.rows, self._geometry.columns
            raise ValueError(f"({row}, {column}) is outside the board of {rows} rows and {columns} columns")
        if not self._tiles >> cell & 1:
            raise ValueError(f"({row}, {column}) is a hole")
        return cell


def check_placed(state: State) -> None:
    """Raises ValueError unless `state` is a state of Fish with all penguins placed."""
    if not isinstance(state, State):
        raise ValueError(f"expected a state of Fish, got {state!r}")
    if state.placing:
        raise ValueError("the network is built after all penguins are placed")


def find_tiles(state: State) -> int:
    """The mask of all tiles still there, free or not."""
    standing = 0
    for cells in state.penguins:
        for cell in cells:
            standing |= 1 << cell
    return state.free | standing
