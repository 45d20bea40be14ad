"""Fish once more, naively, straight from the rule book and sharing nothing with the product: the differential oracle.

Positions are tuples, the board is a dictionary, nothing is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass, field

STANDARD = {
    0: [(-2, 0), (-1, 0), (1, 0), (2, 0), (1, -1), (-1, -1)],
    1: [(-2, 0), (-1, 1), (1, 1), (2, 0), (1, 0), (-1, 0)],
}
ORIGINAL = {
    0: [(-1, 1), (0, 1), (1, 1), (1, 0), (0, -1), (-1, 0)],
    1: [(-1, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, -1)],
}


Spot = tuple[int, int]


@dataclass
class Game:
    """A match in progress.  `tiles` maps positions to fish; `places` lists each player's penguins."""

    tiles: dict[tuple[int, int], int]
    players: int
    original: bool = False
    places: list[list[tuple[int, int]]] = field(default_factory=list)
    fish: list[int] = field(default_factory=list)
    collected: list[int] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    retired: set[int] = field(default_factory=set)
    queue: list[int] = field(default_factory=list)  # placements still due, then empty
    turn: int | None = None

    def __post_init__(self) -> None:
        self.places = [[] for _ in range(self.players)]
        self.fish = [0] * self.players
        self.collected = [0] * self.players
        self.queue = list(range(self.players)) * (6 - self.players)
        self.settle_placement()

    def occupied(self) -> set[tuple[int, int]]:
        return {place for places in self.places for place in places}

    def reachable(self, start: tuple[int, int]) -> list[tuple[int, int]]:
        steps, found = ORIGINAL if self.original else STANDARD, []
        for direction in range(6):
            row, column = start
            while True:
                down, right = steps[row % 2][direction]
                row, column = row + down, column + right
                if (row, column) not in self.tiles or (row, column) in self.occupied():
                    break
                found.append((row, column))
        return found

    def placeable(self) -> set[tuple[int, int]]:
        free = set(self.tiles) - self.occupied()
        return {spot for spot in free if self.tiles[spot] == 1} if self.original else free

    def legal(self) -> set[tuple[object, ...]]:
        if self.turn is None:
            return set()
        if self.queue:
            return {("place", spot) for spot in self.placeable()}
        return {("move", start, target) for start in self.places[self.turn] for target in self.reachable(start)}

    def place(self, spot: tuple[int, int]) -> None:
        self.places[self.queue.pop(0)].append(spot)
        self.settle_placement()

    def settle_placement(self) -> None:
        while self.queue:
            due = self.queue[0]
            if due in self.gone:
                self.queue.pop(0)
            elif not self.placeable():
                self.eliminate(due)
            else:
                self.turn = due
                return
        self.pass_on(self.players - 1)

    def move(self, start: tuple[int, int], target: tuple[int, int]) -> None:
        mover = self.turn
        assert mover is not None
        self.places[mover][self.places[mover].index(start)] = target
        self.fish[mover] += self.tiles.pop(start)
        self.collected[mover] += 1
        self.pass_on(mover)

    def pass_on(self, last: int) -> None:
        """The turn goes to the next who can move; in the original game whoever cannot takes its penguins off."""
        self.turn = None
        for step in range(1, self.players + 1):
            player = (last + step) % self.players
            if player in self.gone or player in self.retired:
                continue
            if any(self.reachable(place) for place in self.places[player]):
                self.turn = player
                return
            if self.original:
                self.retired.add(player)
                for place in self.places[player]:
                    self.fish[player] += self.tiles.pop(place)
                    self.collected[player] += 1
                self.places[player] = []

    def eliminate(self, player: int) -> None:
        self.gone.add(player)
        self.places[player] = []

    def throw_out(self, player: int) -> None:
        was_due, placing = self.turn == player, bool(self.queue)
        self.eliminate(player)
        if was_due and placing:
            self.settle_placement()
        elif was_due:
            self.pass_on(player)

    def ranking(self) -> list[list[int]]:
        """Groups of equals, best first, of the players never eliminated."""

        def worth(player: int) -> tuple[int, int]:
            return self.fish[player], self.collected[player] if self.original else 0

        ranked = [player for player in range(self.players) if player not in self.gone]
        return [[p for p in ranked if worth(p) == value] for value in sorted({worth(p) for p in ranked}, reverse=True)]


def search_value(game_tiles: dict[Spot, int], places: list[list[Spot]], me: int, turn: int, depth: int) -> int:
    """V of Fish 8.4, by plain recursion without any pruning."""
    game = Game.__new__(Game)
    game.tiles, game.places, game.original = game_tiles, places, False
    if depth == 0 or not any(game.reachable(place) for place in places[me]):
        return 0
    following = (turn + 1) % len(places)
    values = []
    for index, start in enumerate(places[turn]):
        for target in game.reachable(start):
            left = {spot: fish for spot, fish in game_tiles.items() if spot != start}
            moved = [list(each) for each in places]
            moved[turn][index] = target
            if turn == me:
                values.append(game_tiles[start] + search_value(left, moved, me, following, depth - 1))
            else:
                values.append(search_value(left, moved, me, following, depth))
    if not values:
        return search_value(game_tiles, places, me, following, depth)
    return max(values) if turn == me else min(values)
