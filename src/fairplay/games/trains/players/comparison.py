"""Comparing actions by paired rollouts: the arrays, the rounds, and which candidates drop out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairplay.core.thinking import Budget
from fairplay.games.trains.deal import imagine
from fairplay.games.trains.map import Destination
from fairplay.games.trains.state import Hand, State, View

if TYPE_CHECKING:
    from fairplay.kernels.code import How

__all__ = ["Comparison", "Verdict"]

ROUND = 96  # rollouts, at most, before candidates drop out
FEWEST_WORLDS = 8  # before a candidate drops out
DROP_ERRORS = 2.0  # standard errors by which a candidate that drops out is worse than the best
TRUST_ERRORS = 2.0  # standard errors by which another action must be better than the light planner's own
PRIOR_WORLDS = 4  # that are thought to have been played already, so that few worlds prove little
PRIOR_SPREAD = 300  # of the difference between two actions in one world, where a win counts 840


class Verdict(Struct, frozen=True):
    """What rollouts said about one action."""

    action: int  # its number in the kernel
    gain: float  # what I gain by it on average
    shares: tuple[float, ...]
    points: tuple[float, ...]
    worlds: int


class Comparison:
    """Room for the rollouts of one match; it knows nothing that the views it is given do not show."""

    def __init__(self, state: State, how: How | None = None) -> None:
        """`state`: any of this match, such as an imagined one; raises KernelSizeError."""
        import numpy as np

        from fairplay.games.trains import kernel
        from fairplay.games.trains.players import rollouts, routes
        from fairplay.kernels.code import load_functions

        constants = kernel.constants_for(state)
        self.kernel, self.seats, self.share, self.longest_line = kernel, len(state.rails), rollouts.SHARE, rollouts.LINE
        searched = (rollouts.choose_lightly, rollouts.play_worlds, rollouts.prepare_belief)
        self.rollouts, self.functions = rollouts, load_functions("trains-search", searched, constants, how)
        self.tables = kernel.make_tables(state)
        cities, links = len(state.network.names), constants["LINK_WORDS"]
        self.root, self.world, self.row = (np.zeros(constants["WORDS"], dtype=np.uint64) for _ in range(3))
        self.clues = np.zeros(2 + state.terms.offered, dtype=np.uint64)
        self.fit = np.zeros((self.seats + 1) * cities * cities, dtype=np.int64)
        self.masks = np.zeros((2 * self.seats + routes.SAVED) * links, dtype=np.uint64)
        self.notes = np.zeros(routes.NOTES, dtype=np.int64)
        self.points = np.zeros(self.seats, dtype=np.int64)
        self.line = np.zeros(self.longest_line, dtype=np.int64)
        self.measured: dict[int, tuple[int, int]] = {}

    def place(self, view: View, seed: int, gone: Hand, given_back: Iterable[Destination]) -> None:
        """Look at a position: what `view` shows, the cards of seats that are gone, and what I gave back."""
        from fairplay.games.trains.kernel.row import encode_pair

        self.kernel.pack(imagine(view, Random(seed)), self.root)
        self.root[0] = seed | 1
        codes = [encode_pair(view.network, pair) for pair in given_back]
        self.clues[0] = sum(count << 12 * color for color, count in enumerate(gone))
        self.clues[1] = len(codes)
        self.clues[2 : 2 + len(codes)] = codes
        if view.picking:
            self.measure(self.seats, (0, 0))

    def believe(self, view: View) -> None:
        """Measure what the connections of the others tell of their destinations, before rollouts."""
        self.measure(self.seats, (0, 0))
        for seat, owned in enumerate(view.owned):
            if seat != view.me:
                self.measure(seat, (owned, view.free))

    def measure(self, seat: int, shown: tuple[int, int]) -> None:
        """Measure what the connections of a seat tell, or with the number after the last seat the map; once."""
        if self.measured.get(seat) != shown:
            self.measured[seat] = shown
            self.functions.call(self.rollouts.prepare_belief, *self.arrays(), seat)

    def arrays(self) -> tuple[Any, Any, Any, Any, Any]:
        """What most functions work on."""
        return self.tables, self.root, self.fit, self.masks, self.notes

    def price_of(self, view: View, pair: Destination) -> int:
        """What it costs to join a destination on the empty map."""
        first, second = (view.network.number[name] for name in pair)
        cities = len(view.network.names)
        return int(self.fit[(self.seats * cities + first) * cities + second])

    def choose_lightly(self) -> int:
        """The light planner's own action."""
        return int(self.functions.call(self.rollouts.choose_lightly, *self.arrays()))

    def compare(self, actions: Sequence[int], budget: Budget, wanted: Sequence[int] = ()) -> list[Verdict]:
        """Compare actions, the first of which is chosen unless another is clearly better; the best comes first.

        wanted: actions that do not drop out, because somebody wants to know their values.
        """
        import numpy as np

        tally = Tally(self.seats, actions)
        alive = list(range(len(actions)))
        for rollouts in budget.slices(ROUND):
            worlds = max(rollouts // len(alive), 0 if tally.worlds else 1)
            if worlds == 0:
                break
            gains = np.zeros((len(alive), worlds), dtype=np.int64)
            totals = np.zeros((len(alive), 2 * self.seats), dtype=np.int64)
            self.play([actions[nth] for nth in alive], gains, totals, tally.worlds, worlds)
            tally.add(alive, gains, totals)
            alive = [nth for nth in alive if nth in tally.still_good(alive) or actions[nth] in wanted]
            if len(alive) == 1:
                break
        return tally.verdicts(alive, self.share)

    def play(self, actions: Sequence[int], gains: Any, totals: Any, first: int, worlds: int) -> None:
        """Play worlds for these actions."""
        import numpy as np

        rooms = (self.root, self.world, self.row, self.clues, self.fit, self.masks, self.notes, self.points)
        numbers = np.array(actions, dtype=np.int64)
        self.functions.call(
            self.rollouts.play_worlds, self.tables, *rooms, numbers, gains, totals, self.line, first, first + worlds
        )

    def expected_line(self, action: int) -> list[int]:
        """What the light planner expects after an action, in the first world."""
        import numpy as np

        self.play([action], np.zeros((1, 1), np.int64), np.zeros((1, 2 * self.seats), np.int64), 0, 1)
        line = [int(each) for each in self.line]
        return line[: line.index(-1)] if -1 in line else line


class Tally:
    """Sums over worlds; all are whole numbers, so they are the same on every machine."""

    def __init__(self, seats: int, actions: Sequence[int]) -> None:
        import numpy as np

        self.seats, self.actions, self.worlds = seats, actions, 0
        self.sums = np.zeros(len(actions), dtype=np.int64)
        self.products = np.zeros((len(actions), len(actions)), dtype=np.int64)
        self.totals = np.zeros((len(actions), 2 * seats), dtype=np.int64)
        self.played = [0] * len(actions)

    def add(self, alive: Sequence[int], gains: Any, totals: Any) -> None:
        """Add what some worlds brought to the candidates that are still in."""
        worlds = gains.shape[1]
        self.worlds += worlds
        self.sums[alive] += gains.sum(axis=1)
        self.products[[[nth] for nth in alive], alive] += gains @ gains.T
        self.totals[alive] += totals
        for nth in alive:
            self.played[nth] += worlds

    def errors_between(self, one: int, other: int) -> float:
        """By how many standard errors `one` is better than `other`; both were played in all worlds."""
        worlds, products = self.worlds, self.products
        lead = int(self.sums[one] - self.sums[other])
        squares = int(products[one, one] + products[other, other] - 2 * products[one, other])
        spread = squares - lead * lead / worlds + PRIOR_WORLDS * PRIOR_SPREAD**2
        return lead / sqrt(spread * worlds / (worlds + PRIOR_WORLDS - 1))

    def still_good(self, alive: list[int]) -> list[int]:
        """The candidates that are not clearly worse than the best."""
        if self.worlds < FEWEST_WORLDS:
            return alive
        best = max(alive, key=lambda nth: int(self.sums[nth]))
        return [nth for nth in alive if nth == best or self.errors_between(best, nth) < DROP_ERRORS]

    def verdicts(self, alive: list[int], share: int) -> list[Verdict]:
        """All candidates, the one to be chosen first, then by how long they stayed in and what they gain."""
        best = max(alive, key=lambda nth: int(self.sums[nth]))
        if 0 in alive and self.errors_between(best, 0) < TRUST_ERRORS:
            best = 0
        order = sorted(range(len(self.actions)), key=lambda nth: (nth != best, -self.played[nth], -self.gain(nth), nth))
        return [self.verdict(nth, share) for nth in order]

    def gain(self, nth: int) -> float:
        """What a candidate gains on average."""
        return int(self.sums[nth]) / max(1, self.played[nth])

    def verdict(self, nth: int, share: int) -> Verdict:
        """What is known of a candidate."""
        worlds, totals = max(1, self.played[nth]), [int(total) for total in self.totals[nth]]
        shares = tuple(total / (share * worlds) for total in totals[: self.seats])
        points = tuple(total / worlds for total in totals[self.seats :])
        return Verdict(self.actions[nth], self.gain(nth), shares, points, self.played[nth])
