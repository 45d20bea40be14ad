"""Memo 002: a Fish match as a network, each position with edges to all positions it reaches in a straight line."""

from __future__ import annotations

from collections.abc import Iterator

from fairplay.games.fish.board import Cell, Position, bits, walk_ray
from fairplay.games.fish.state import State

__all__ = ["Network", "make_game"]


def make_game(state: State) -> Network:
    """The network of `state`; raises ValueError while penguins are still being placed."""
    if state.placing:
        raise ValueError("the network is built after all penguins are placed")
    return Network(state)


class Network:
    """Who reaches whom.  Edges to holes and occupied tiles are pruned, and holes have no edges at all."""

    def __init__(self, state: State) -> None:
        self._geometry = state.board.geometry
        self._opposite = dict(
            zip(directions := [*self._geometry.layout.steps], directions[3:] + directions[:3], strict=True)
        )
        self._free, self._tiles = state.free, tiles(state)
        self._edges: list[dict[str, list[Cell]]] = [{} for _ in self._geometry.positions]
        for cell in bits(self._tiles):
            for direction in directions:
                self._connect(cell, direction)

    def is_move_valid(self, pos1: Position, pos2: Position) -> bool:
        """May a penguin on `pos1` move to `pos2`?  Raises ValueError where either is no tile."""
        start, target = self._tile(pos1), self._tile(pos2)
        return any(target in cells for cells in self._edges[start].values())

    def get_all_reachable_pos(self, pos: Position) -> list[Position]:
        """All positions a penguin on `pos` reaches, direction by direction.  Raises ValueError where it is no tile."""
        return [self._geometry.positions[cell] for cells in self._edges[self._tile(pos)].values() for cell in cells]

    def get_map(self) -> list[list[dict[str, list[list[int]]]]]:
        """Row by row and column by column: direction -> positions reached.  A copy, to do with as you please."""
        spots, columns = self._geometry.positions, self._geometry.columns
        flat = [
            {direction: [list(spots[cell]) for cell in cells] for direction, cells in edges.items()}
            for edges in self._edges
        ]
        return [flat[start : start + columns] for start in range(0, len(flat), columns)]

    def update(self, state: State) -> set[Position]:
        """Follow the match to `state`, a later one; returns the positions whose edges were looked at again.

        EFFECT: changes this network.  LAW: it then equals a network made anew from `state`.
        """
        now = tiles(state)
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

    def _witnesses(self, cell: Cell, free: int) -> Iterator[tuple[str, Cell]]:
        """The tiles from which `cell` was or is in sight, each with the direction in which it lies from `cell`."""
        for direction, ray in self._geometry.rays[cell].items():
            seen = len(walk_ray(ray, free))
            yield from ((direction, witness) for witness in ray[: seen + 1] if self._tiles >> witness & 1)

    def _connect(self, cell: Cell, direction: str) -> None:
        """Make the edges of `cell` in one direction anew, keeping the canonical order of directions."""
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


def tiles(state: State) -> int:
    """The mask of all tiles still there, free or not."""
    standing = 0
    for cells in state.penguins:
        for cell in cells:
            standing |= 1 << cell
    return state.free | standing
