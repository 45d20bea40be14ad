"""Labyrinth once more, slowly and literally after the rule book, sharing no code with the real one."""

from __future__ import annotations

from itertools import product
from typing import Any, cast

OPEN = {
    "│": "NS", "─": "EW", "┐": "SW", "└": "NE", "┌": "ES", "┘": "NW",
    "┬": "ESW", "├": "NES", "┴": "NEW", "┤": "NSW", "┼": "NESW",
}  # fmt: skip
STEP = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
ACROSS = {"N": "S", "E": "W", "S": "N", "W": "E"}
QUARTER = {"N": "W", "W": "S", "S": "E", "E": "N"}  # 1.6
BACK = {"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}

Spot = tuple[int, int]


def turned(connector: str, degree: int) -> str:
    sides = set(OPEN[connector])
    for _ in range(degree // 90):
        sides = {QUARTER[side] for side in sides}
    return next(sign for sign, open_sides in OPEN.items() if set(open_sides) == sides)


class Maze:
    """Rows of (connector, gems), and the spare one."""

    def __init__(self, connectors: Any, treasures: Any, spare: tuple[str, Any]) -> None:
        rows = zip(connectors, treasures, strict=True)
        self.rows = [list(zip(signs, map(tuple, gems), strict=True)) for signs, gems in rows]
        self.spare = spare

    def copy(self) -> Maze:
        twin = Maze([], [], self.spare)
        twin.rows = [list(row) for row in self.rows]
        return twin

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def spots(self) -> list[Spot]:
        return list(product(range(self.height), range(self.width)))

    def reachable(self, start: Spot) -> set[Spot]:
        """1.5."""
        found: set[Spot] = set()
        todo = [start] if start in self.spots else []
        while todo:
            row, column = todo.pop()
            found.add((row, column))
            for side in OPEN[self.rows[row][column][0]]:
                down, right = STEP[side]
                other = row + down, column + right
                open_back = other in self.spots and ACROSS[side] in OPEN[self.rows[other[0]][other[1]][0]]
                if open_back and other not in found:
                    todo.append(other)
        return found

    def slide(self, index: int, direction: str, degree: int) -> None:
        """3.3."""
        new = turned(self.spare[0], degree), self.spare[1]
        level = direction in ("LEFT", "RIGHT")
        line = self.rows[index] if level else [row[index] for row in self.rows]
        line = [*line, new] if direction in ("LEFT", "UP") else [new, *line]
        self.spare = line.pop(0 if direction in ("LEFT", "UP") else -1)
        if level:
            self.rows[index] = line
        else:
            for row, tile in zip(self.rows, line, strict=True):
                row[index] = tile

    def carried(self, spot: Spot, index: int, direction: str) -> Spot:
        """3.4."""
        row, column = spot
        if spot not in self.spots:
            return spot
        if direction in ("LEFT", "RIGHT") and row == index:
            return row, (column + (1 if direction == "RIGHT" else -1)) % self.width
        if direction in ("UP", "DOWN") and column == index:
            return (row + (1 if direction == "DOWN" else -1)) % self.height, column
        return spot

    def slides(self, first: int) -> list[tuple[int, str]]:
        """8.3."""
        rows = [(row, way) for row in range(first, self.height, 2) for way in ("LEFT", "RIGHT")]
        return rows + [(column, way) for column in range(first, self.width, 2) for way in ("UP", "DOWN")]

    def gem_spot(self, gem: str) -> Spot | None:
        """13.3: where both gems are this one."""
        return next((spot for spot in self.spots if self.rows[spot[0]][spot[1]][1] == (gem, gem)), None)


class Match:
    """A match in progress; changes in place."""

    def __init__(self, maze: Maze, last: Any, players: Any, queue: Any, limit: int, piles: Any = None) -> None:
        self.maze, self.last, self.queue, self.limit, self.piles = maze, last, list(queue), limit, piles
        self.at = {seat: player["at"] for seat, player in enumerate(players)}
        self.home = {seat: player["home"] for seat, player in enumerate(players)}
        self.target = {seat: player["target"] for seat, player in enumerate(players)}
        self.found: dict[int, list[Any]] = {seat: [] for seat in self.at}
        self.going_home = dict.fromkeys(self.at, False)
        self.first = 0 if piles is None else 1
        self.pending = list(self.at)
        self.did: dict[int, str] = {}
        self.rounds = 0
        self.over = False
        self.terminating: int | None = None

    def on_turn(self) -> int | None:
        """Looks at the round only when somebody is to be called, after all expulsions of the turn before."""
        if self.over or not self.at:
            self.over = True
            return None
        if not self.pending:
            self.rounds += 1
            if all(self.did[seat] == "pass" for seat in self.at) or self.rounds == self.limit:  # 4.2, 4.3
                self.over = True
                return None
            self.pending, self.did = list(self.at), {}
        return self.pending[0]

    def legal(self, seat: int) -> set[Any]:
        """3.5, 13.2."""
        found: set[Any] = set() if self.piles else {"PASS"}
        for index, direction in self.maze.slides(self.first):
            if self.last == (index, BACK[direction]):
                continue
            for degree in (0, 90, 180, 270):
                after = self.maze.copy()
                after.slide(index, direction, degree)
                place = after.carried(self.at[seat], index, direction)
                spots = after.reachable(place)
                found |= {(index, direction, degree, to) for to in spots if self.piles or to != place}
        return found

    def take(self, choice: Any) -> Any:
        """Carry out what the player on turn chose; the new target, if there is one to be told."""
        seat = self.pending.pop(0)
        self.did[seat] = "pass"
        if choice == "PASS":
            return None
        self.did[seat] = "move"
        index, direction, degree, to = choice
        self.maze.slide(index, direction, degree)
        self.last = index, direction
        self.at = {other: self.maze.carried(spot, index, direction) for other, spot in self.at.items()}
        self.at[seat] = to
        target = self.target[seat]
        if to != (self.maze.gem_spot(target) if isinstance(target, str) else target):
            return None
        if self.going_home[seat]:  # 4.1
            self.over, self.terminating = True, seat
            return None
        self.found[seat].append(target)
        self.target[seat] = self.next_target(seat)
        return self.target[seat]

    def next_target(self, seat: int) -> Any:
        """3.8, 13.5."""
        goals = self.queue if self.piles is None else self.piles[seat]
        if goals:
            goal = goals.pop(0)
            self.going_home[seat] = self.piles is None and not goals and goal == self.home[seat]
            return goal
        self.going_home[seat] = True
        return self.home[seat]

    def expel(self, seat: int) -> None:
        """6.4."""
        del self.at[seat]
        self.pending = [other for other in self.pending if other != seat]
        self.did.pop(seat, None)

    def ranking(self) -> list[list[int]]:
        """5.1, one criterion after the other."""
        tiers: list[list[int]] = []
        for count in sorted({len(self.found[seat]) for seat in self.at}, reverse=True):
            equals = [seat for seat in self.at if len(self.found[seat]) == count]
            if self.terminating in equals:
                tiers.append([self.terminating])
                equals.remove(self.terminating)
            if self.piles is not None:
                tiers.extend([equals] if equals else [])
                continue
            far = {seat: distance(self.at[seat], self.target[seat]) for seat in equals}
            tiers.extend([seat for seat in equals if far[seat] == d] for d in sorted(set(far.values())))
        return tiers


def distance(one: Spot, other: Spot) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def choose(match: Match, seat: int, strategy: str) -> Any:
    """8.1 to 8.4, 13.7: three nested loops."""
    maze, target, original = match.maze, match.target[seat], match.piles is not None
    slides = [slide for slide in maze.slides(match.first) if match.last != (slide[0], BACK[slide[1]])]

    def hit(index: int, direction: str, degree: int, spot: Spot | None) -> bool:
        after = maze.copy()
        after.slide(index, direction, degree)
        if spot is None:  # the treasure, wherever it is now
            spot = after.gem_spot(target)
        place = after.carried(match.at[seat], index, direction)
        return spot in after.reachable(place) and (original or spot != place)

    centre = maze.gem_spot(target) if isinstance(target, str) else target
    candidates: list[Spot | None] = list(maze.spots)
    if strategy == "euclid" and centre is not None:
        candidates.sort(key=lambda spot: distance(cast("Spot", spot), centre))
    if not original:
        candidates = [target, *(spot for spot in candidates if spot != target)]
    elif isinstance(target, str):
        candidates = [None, *candidates]
    else:
        candidates = [target, *candidates]
    for spot in candidates:
        for index, direction in slides:
            for degree in (0, 90, 180, 270):
                if hit(index, direction, degree, spot):
                    after = maze.copy()
                    after.slide(index, direction, degree)
                    return index, direction, degree, after.gem_spot(target) if spot is None else spot
    return "PASS"
