"""Trains once more, naive and slow on purpose: names, dictionaries and lists, nothing shared with the real rules."""

from __future__ import annotations

from itertools import combinations
from typing import Any

Line = tuple[str, str, str, int]


class Naive:
    """A game that is played by calling it; the last round is a list of who still gets a turn."""

    def __init__(
        self,
        lines: list[Line],
        deck: list[str],
        pairs: list[tuple[str, str]],
        seats: int,
        *,
        rails: int,
        dealt: int,
        per_draw: int,
        offered: int,
        kept: int,
    ) -> None:
        self.lines, self.deck, self.pairs = list(lines), list(deck), list(pairs)
        self.dealt, self.per_draw, self.offered, self.kept = dealt, per_draw, offered, kept
        self.everybody = list(range(seats))
        self.cards: dict[int, list[str]] = {seat: [] for seat in self.everybody}
        self.rails = dict.fromkeys(self.everybody, rails)
        self.mine: dict[int, list[Line]] = {seat: [] for seat in self.everybody}
        self.wants: dict[int, list[tuple[str, str]]] = {seat: [] for seat in self.everybody}
        self.alive = list(self.everybody)
        self.to_pick = list(self.everybody)
        self.turn: int | None = None
        self.last_round: list[int] | None = None
        self.quiet = 0
        self.begin_pick()

    def begin_pick(self) -> None:
        if self.to_pick:
            self.turn = self.to_pick[0]
            self.cards[self.turn] = [self.deck.pop(0) for _ in range(min(self.dealt, len(self.deck)))]
        else:
            self.turn = self.alive[0] if self.alive else None

    @property
    def picking(self) -> bool:
        return bool(self.to_pick)

    # what may be done

    def actions(self) -> set[Any]:
        if self.turn is None:
            return set()
        if self.picking:
            return {frozenset(keep) for keep in combinations(self.pairs[: self.offered], self.kept)}
        found: set[Any] = {"more cards"}
        taken = [line for seat in self.alive for line in self.mine[seat]]
        for line in self.lines:
            _, _, color, length = line
            has_cards = self.cards[self.turn].count(color) >= length
            if line not in taken and has_cards and self.rails[self.turn] >= length:
                found.add(line)
        return found

    # what happens

    def do(self, action: Any) -> None:
        me = self.turn
        assert me is not None
        if self.picking:
            self.wants[me] = sorted(action)
            self.pairs = [pair for pair in self.pairs if pair not in action]
            self.to_pick.pop(0)
            self.begin_pick()
            return
        changed = True
        if action == "more cards":
            new = self.deck[: self.per_draw]
            self.deck = self.deck[self.per_draw :]
            self.cards[me] += new
            changed = bool(new)
        else:
            _, _, color, length = action
            for _ in range(length):
                self.cards[me].remove(color)
            self.rails[me] -= length
            self.mine[me].append(action)
        self.quiet = 0 if changed else self.quiet + 1
        self.end_turn(me)

    def end_turn(self, me: int) -> None:
        if self.last_round is not None:
            self.last_round = [seat for seat in self.last_round if seat != me]
            self.turn = self.last_round[0] if self.last_round else None
        elif self.rails[me] <= 2:
            self.last_round = [seat for seat in self.in_order_after(me) if seat != me]
            self.turn = self.last_round[0] if self.last_round else None
        elif self.quiet >= len(self.alive):
            self.turn = None
        else:
            self.turn = self.in_order_after(me)[0]

    def in_order_after(self, me: int) -> list[int]:
        later = [seat for seat in self.alive if seat > me]
        return later + [seat for seat in self.alive if seat <= me]

    def throw_out(self, seat: int) -> None:
        over = self.turn is None
        self.alive.remove(seat)
        self.cards[seat], self.mine[seat], self.wants[seat], self.rails[seat] = [], [], [], 0
        self.quiet = 0
        if self.last_round is not None and seat in self.last_round:
            self.last_round.remove(seat)
        if seat in self.to_pick:
            was_first = self.to_pick[0] == seat
            self.to_pick.remove(seat)
            if was_first:
                self.begin_pick()
            return
        if self.picking or over or self.turn != seat:
            return
        if self.last_round is not None:
            self.turn = self.last_round[0] if self.last_round else None
        else:
            after = self.in_order_after(seat)
            self.turn = after[0] if after else None

    # what it comes to

    def scores(self) -> dict[int, int]:
        paths = {seat: self.longest(seat) for seat in self.alive}
        best = max(paths.values(), default=0)
        result = {}
        for seat in self.alive:
            points = sum(line[3] for line in self.mine[seat])
            if best > 0 and paths[seat] == best:
                points += 20
            for first, second in self.wants[seat]:
                points += 10 if second in self.connected(seat, first) else -10
            result[seat] = points
        return result

    def connected(self, seat: int, start: str) -> set[str]:
        found = {start}
        for _ in self.mine[seat]:
            for first, second, _, _ in self.mine[seat]:
                if first in found or second in found:
                    found |= {first, second}
        return found

    def longest(self, seat: int) -> int:
        lines = self.mine[seat]

        def walk(city: str, visited: list[str]) -> int:
            best = 0
            for first, second, _, length in lines:
                for here, there in ((first, second), (second, first)):
                    if here == city and there not in visited:
                        best = max(best, length + walk(there, [*visited, there]))
            return best

        return max((walk(city, [city]) for line in lines for city in line[:2]), default=0)
