"""Who meets whom in a round: neighbours in an order of strength, and as few pairs as possible that have met before.

**Two seats.**  A maximum matching among the pairs that have not met (Edmonds' algorithm), so that no pairing of the
round has fewer repeats; those who are left over meet somebody they have met least often.
**More seats.**  Dividing players into groups without a repeated pair is hard in general, so matches of neighbours are
improved by swapping two players at a time, as long as that saves repeated pairs, or brings neighbours closer.
**Small fields with many rounds.**  If nearly every pair has to meet, a careless round makes repeats unavoidable later.
There a search looks for a plan of this and all later rounds without a repeat, and plays its first round.  The search is
bounded; if it finds nothing, the round is made as above.

Everything is a pure function of the order and of who has met, the same on every machine.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

LineUp: TypeAlias = tuple[int, ...]

_NEAREST = 60
"""Opponents that are tried at first in a large field."""

_PLANNED_PLAYERS = 36
"""Players of the largest field for which later rounds are planned."""

_PLANNING_STEPS = 30_000
"""Steps after which the search for a plan gives up."""

_MAX_PASSES = 20
"""How often all matches are gone through to swap players."""

_NEAR_PASSES = 2
_NEAR_MATCHES = 2
"""In the first passes, matches without a repeat swap players with the next ones, to bring neighbours closer."""


FEWER = 1 << 32
"""What a repeated pair costs however seldom it has met: more than meeting often, so that fewer pairs come first."""


class Meetings:
    """Counts how often each pair of players has met."""

    def __init__(self, players: int) -> None:
        self._times: list[Counter[int]] = [Counter() for _ in range(players)]

    def add(self, line_ups: Iterable[LineUp]) -> None:
        """Count the pairs of a round."""
        for line_up in line_ups:
            for one, other in combinations(line_up, 2):
                self._times[one][other] += 1
                self._times[other][one] += 1

    def count(self, one: int, other: int) -> int:
        """How often two players have met."""
        return self._times[one][other]

    def fewest(self, players: Sequence[int]) -> int:
        """How often every pair of `players` has met at least."""
        return min((self._times[one][other] for one, other in combinations(players, 2)), default=0)


def split_neighbours(order: Sequence[int], size: int) -> list[LineUp]:
    """Neighbours in matches of `size`."""
    return [tuple(order[start : start + size]) for start in range(0, len(order), size)]


def fold_order(order: Sequence[int], size: int) -> list[LineUp]:
    """Top against bottom: with two seats the first of the upper half meets the first of the lower half, and so on."""
    matches = len(order) // size
    return [tuple(order[first::matches]) for first in range(matches)]


def pair_players(order: Sequence[int], size: int, met: Meetings, rounds_left: int = 1) -> list[LineUp]:
    """Matches of `size` neighbours with few repeated pairs; `rounds_left`: with this one, among the same."""
    if len(order) <= _PLANNED_PLAYERS and (plan := _plan_round(order, size, met, rounds_left)):
        return plan
    line_ups = _match_pairs(order, met) if size == 2 else split_neighbours(order, size)
    return _swap_players(order, line_ups, met)


# -- swapping ----------------------------------------------------------------------------------


def _swap_players(order: Sequence[int], line_ups: Sequence[LineUp], met: Meetings) -> list[LineUp]:
    """The same matches with players swapped, two at a time, until no swap helps."""
    place = {player: index for index, player in enumerate(order)}
    repeat = len(order) ** 3  # more than all places together can be apart

    def cost(line_up: Sequence[int]) -> int:
        total = 0
        for one, other in combinations(line_up, 2):
            total += (place[one] - place[other]) ** 2
            if times := met.count(one, other):
                total += repeat * (FEWER + times * times)
        return total

    matches = [list(line_up) for line_up in line_ups]
    costs = [cost(line_up) for line_up in matches]
    for number in range(_MAX_PASSES):
        swapped = False
        for one in range(len(matches)):
            if costs[one] >= repeat:
                others = range(len(matches))
            else:
                others = range(one + 1, min(one + 1 + _NEAR_MATCHES, len(matches) if number < _NEAR_PASSES else 0))
            for other in others:
                swapped |= one != other and _swap_best(matches, costs, one, other, cost)
        if not swapped:
            break
    return [tuple(sorted(match, key=place.__getitem__)) for match in matches]


def _swap_best(
    matches: list[list[int]], costs: list[int], one: int, other: int, cost: Callable[[Sequence[int]], int]
) -> bool:
    """Make the best swap of two players between two matches, if one helps."""
    best, found = costs[one] + costs[other], None
    for here, player in enumerate(matches[one]):
        for there, rival in enumerate(matches[other]):
            mine = [*matches[one][:here], rival, *matches[one][here + 1 :]]
            theirs = [*matches[other][:there], player, *matches[other][there + 1 :]]
            new = cost(mine), cost(theirs)
            if sum(new) < best:
                best, found = sum(new), (mine, theirs, new)
    if found is None:
        return False
    matches[one], matches[other], (costs[one], costs[other]) = found
    return True


# -- matching pairs ----------------------------------------------------------------------------


def _match_pairs(order: Sequence[int], met: Meetings) -> list[LineUp]:
    """Pairs of neighbours: as many as possible that have not met, the rest with as few meetings as possible."""
    pairs: list[LineUp] = []
    left, times = list(order), 0
    while left:
        for nearest in sorted({min(_NEAREST, len(left)), len(left)}):
            partners = [_find_partners(left, place, met, times, nearest) for place in range(len(left))]
            mates = match_maximum(partners)
            if -1 not in mates:
                break
        pairs += [(left[one], left[other]) for one, other in enumerate(mates) if one < other]
        left = [player for player, mate in zip(left, mates, strict=True) if mate < 0]
        times += 1
    return pairs


def _find_partners(order: Sequence[int], place: int, met: Meetings, times: int, nearest: int) -> list[int]:
    """The places of the `nearest` players who have met the one at `place` at most `times` times, nearest first."""
    found: list[int] = []
    for apart in range(1, len(order)):
        both = (other for other in (place + apart, place - apart) if 0 <= other < len(order))
        found += (other for other in both if met.count(order[place], order[other]) <= times)
        if len(found) >= nearest:
            break
    return found


def match_maximum(partners: Sequence[Sequence[int]]) -> list[int]:
    """The partner of each in a maximum matching, -1 for none: neighbours from the top, then Edmonds' algorithm."""
    mates = [-1] * len(partners)
    for one, others in enumerate(partners):
        if mates[one] < 0 and (other := next((each for each in others if mates[each] < 0), -1)) >= 0:
            mates[one], mates[other] = other, one
    for root, mate in enumerate(mates):
        if mate < 0:
            _AlternatingTree(partners, mates).augment(root)
    return mates


class _AlternatingTree:
    """Edmonds' search for a path between two that have no mate, on which every second edge is in the matching."""

    def __init__(self, partners: Sequence[Sequence[int]], mates: list[int]) -> None:
        self.partners, self.mates = partners, mates
        self.parent = [-1] * len(mates)
        self.base = list(range(len(mates)))  # of the odd cycle ("blossom") that each is in
        self.seen = [False] * len(mates)

    def augment(self, root: int) -> None:
        """Give `root` a mate if that is possible.  EFFECT: changes the matching."""
        one = self._find_end(root)
        while one >= 0:
            before = self.parent[one]
            following = self.mates[before]
            self.mates[one], self.mates[before] = before, one
            one = following

    def _find_end(self, root: int) -> int:
        """The end of such a path from `root`; -1 if there is none."""
        self.seen[root] = True
        queue = deque([root])
        while queue:
            one = queue.popleft()
            for other in self.partners[one]:
                if self.base[one] == self.base[other] or self.mates[one] == other:
                    continue
                mate = self.mates[other]
                if other == root or (mate >= 0 and self.parent[mate] >= 0):
                    queue.extend(self._shrink(one, other))
                elif self.parent[other] < 0:
                    self.parent[other] = one
                    if mate < 0:
                        return other
                    self.seen[mate] = True
                    queue.append(mate)
        return -1

    def _shrink(self, one: int, other: int) -> list[int]:
        """Take an odd cycle as one from now on; those in it that are to be searched from."""
        top = self._common_base(one, other)
        inside: set[int] = set()
        self._mark_cycle(one, top, other, inside)
        self._mark_cycle(other, top, one, inside)
        found: list[int] = []
        for each, base in enumerate(self.base):
            if base in inside:
                self.base[each] = top
                if not self.seen[each]:
                    self.seen[each] = True
                    found.append(each)
        return found

    def _common_base(self, one: int, other: int) -> int:
        """Where the ways from both back to the root come together."""
        passed: set[int] = set()
        while True:
            one = self.base[one]
            passed.add(one)
            if self.mates[one] < 0:
                break
            one = self.parent[self.mates[one]]
        while self.base[other] not in passed:
            other = self.parent[self.mates[self.base[other]]]
        return self.base[other]

    def _mark_cycle(self, one: int, top: int, child: int, inside: set[int]) -> None:
        """Mark the way from `one` up to `top` as inside the cycle."""
        while self.base[one] != top:
            mate = self.mates[one]
            inside |= {self.base[one], self.base[mate]}
            self.parent[one] = child
            child = mate
            one = self.parent[mate]


# -- planning ----------------------------------------------------------------------------------


def _plan_round(order: Sequence[int], size: int, met: Meetings, rounds_left: int) -> list[LineUp] | None:
    """The first round of a plan without repeats, if that takes care; None if it takes none, or no plan was found."""
    least = met.fewest(order)
    fresh = [
        sum(1 << place for place, other in enumerate(order) if other != one and met.count(one, other) <= least)
        for one in order
    ]
    spare = min(mask.bit_count() for mask in fresh)
    rounds = min(rounds_left, spare // (size - 1))
    if not rounds or 2 * (spare - rounds * (size - 1)) >= len(order):
        return None  # few have met: every round will have matches without a repeat
    for ahead in sorted({rounds, max(1, rounds - 1), 1}, reverse=True):
        if groups := Plan(fresh, size, ahead).search():
            return [tuple(order[place] for place in group) for group in groups]
    return None


class Plan:
    """A search for rounds without repeats, by trying; the nearest neighbours first in each match."""

    def __init__(self, fresh: Sequence[int], size: int, rounds: int) -> None:
        self.fresh, self.size, self.rounds = list(fresh), size, rounds  # by place, a bit for each who may be met
        self.everyone = (1 << len(fresh)) - 1
        self.steps = 0

    def search(self) -> list[LineUp] | None:
        """The matches of the first round, as places; None if there are none, or none were found in time."""
        chosen: list[LineUp] = []
        return chosen[: len(self.fresh) // self.size] if self._place(self.everyone, self.rounds, chosen) else None

    def _place(self, left: int, rounds: int, chosen: list[LineUp]) -> bool:
        """Divide those of `left` into matches, and then everyone for the other `rounds`."""
        if not left:
            rounds, left = rounds - 1, self.everyone
            if not rounds:
                return True
        first = (left & -left).bit_length() - 1
        for group in self._groups((first,), left & self.fresh[first]):
            if self.steps > _PLANNING_STEPS:
                return False
            inside = sum(1 << place for place in group)
            for place in group:
                self.fresh[place] &= ~inside
            chosen.append(group)
            if self._place(left & ~inside, rounds, chosen):
                return True
            chosen.pop()
            for place in group:
                self.fresh[place] |= inside & ~(1 << place)
        return False

    def _groups(self, begun: LineUp, others: int) -> Iterator[LineUp]:
        """All matches with `begun` and some of `others`, of whom no two have met."""
        if len(begun) == self.size:
            self.steps += 1
            yield begun
            return
        while others:
            lowest = others & -others
            others ^= lowest
            place = lowest.bit_length() - 1
            self.steps += 1
            yield from self._groups((*begun, place), others & self.fresh[place])
