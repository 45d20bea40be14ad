"""The strongest house player: it tries actions in rollouts, over worlds that agree with all it has seen."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from fairplay.core import KernelSizeError, Seat, Seen
from fairplay.core.thinking import Budget, Candidate, Clock, Searcher, Thought, think_equal
from fairplay.games.trains.deal import NO_CARDS, imagine, remaining_seats
from fairplay.games.trains.map import COLORS, Destination
from fairplay.games.trains.numbers import encoding_of
from fairplay.games.trains.players.comparison import Comparison, Verdict
from fairplay.games.trains.players.planner import best_pick, best_turn
from fairplay.games.trains.players.reasons import explain
from fairplay.games.trains.rules import DRAW, acquire_actions, legal_actions
from fairplay.games.trains.state import Acquire, Action, Hand, Pick, View

__all__ = ["DEFAULT_PLAYOUTS", "TrainsSearcher", "search"]

DEFAULT_PLAYOUTS = 4000
"""Rollouts for one decision: about 100 ms of one core on the map `continent`."""

MAX_CANDIDATES = 24
ROLLOUTS_EACH = 4  # at least, for each candidate
SLIP_BITS = 30  # and none without slips: records depend on it


def search(
    rng: Random,
    *,
    playouts: int = DEFAULT_PLAYOUTS,
    slip: float = 0.0,
    seconds: float = 0.0,
    clock: Clock | None = None,
) -> TrainsSearcher:
    """Tries what it can do in rollouts of a light planner, over cards and destinations that agree with all it saw."""
    return TrainsSearcher(rng, Budget(playouts, seconds, clock), slip)


class Memory:
    """What a seat keeps in mind of what it was shown."""

    def __init__(self) -> None:
        self.paid: dict[Seat, Hand] = {}
        self.gone: Hand = NO_CARDS  # cards that seats spent which were removed
        self.offer: tuple[Destination, ...] = ()

    def saw(self, seen: Seen) -> None:
        """Keep in mind who spent what: the connections of a seat that is removed are nobody's again."""
        if seen.action is None:
            self.gone = add_cards(self.gone, self.paid.pop(seen.seat, NO_CARDS))
        elif isinstance(seen.action, Acquire):
            connection = seen.action.connection
            cost = [connection.length if color == connection.color else 0 for color in COLORS]
            self.paid[seen.seat] = add_cards(self.paid.get(seen.seat, NO_CARDS), cost)

    def given_back(self, view: View) -> list[Destination]:
        """What I was offered and did not keep."""
        return [] if view.picking else [pair for pair in self.offer if pair not in view.destinations]


def add_cards(hand: Hand, more: Sequence[int]) -> Hand:
    """Two hands as one."""
    red, blue, green, white = map(sum, zip(hand, more, strict=True))
    return red, blue, green, white


class TrainsSearcher(Searcher[View, Action]):
    """A player of one match."""

    def __init__(self, rng: Random, budget: Budget, slip: float) -> None:
        super().__init__(rng, budget, slip)
        self.memory = Memory()
        self.comparison: Comparison | None = None

    def saw(self, seen: Seen, /) -> None:
        self.memory.saw(seen)

    def _draw(self) -> tuple[bool, int]:
        seed = self._draw_seed()
        return self._draw_slip(), seed

    def _draw_slip(self) -> bool:
        return self.slip > 0 and self.rng.getrandbits(SLIP_BITS) < self.slip * (1 << SLIP_BITS)

    def _list_actions(self, view: View) -> Sequence[Action]:
        return legal_actions(view)

    def _choose(self, view: View, seed: int) -> Action:
        self.look(view)
        legal = legal_actions(view)
        if len(legal) == 1:
            return legal[0]
        actions = self.list_candidates(self.place(view, seed), view)
        best = self.compare(view, actions)[0].action if len(actions) > 1 else actions[0]
        return encoding_of(view).action(best, view)

    def _think(self, view: View, consider: Sequence[Action], seed: int) -> Thought:
        self.look(view)
        actions = self.list_candidates(self.place(view, seed), view)
        wanted = [encoding_of(view).number(action, view) for action in consider]
        verdicts = self.compare(view, [*dict.fromkeys(actions + wanted)], wanted)
        candidates = tuple(self.describe(each, view) for each in verdicts)
        return Thought(candidates, sum(each.worlds for each in verdicts), reason=explain(view, candidates[0].action))

    def _think_simply(self, view: View, consider: Sequence[Action], seed: int, error: KernelSizeError) -> Thought:
        action = best_pick(view) if view.picking else best_turn(view)
        reason = f"chosen as planner does, without search: {error}"
        return think_equal([action, *consider], remaining_seats(view), len(view.rails), reason)

    def look(self, view: View) -> None:
        """Keep in mind what only this view shows."""
        if view.picking and view.offer:
            self.memory.offer = view.offer

    def place(self, view: View, seed: int) -> Comparison:
        """Look at a position; raises KernelSizeError."""
        if self.comparison is None:
            self.comparison = Comparison(imagine(view, Random(0)))
        self.comparison.place(view, seed, self.memory.gone, self.memory.given_back(view))
        return self.comparison

    def compare(self, view: View, actions: Sequence[int], wanted: Sequence[int] = ()) -> list[Verdict]:
        """Compare actions by their numbers, the best first."""
        assert self.comparison is not None
        self.comparison.believe(view)
        return self.comparison.compare(actions, self.budget, wanted)

    def list_candidates(self, comparison: Comparison, view: View) -> list[int]:
        """The numbers of the actions to compare, the light planner's own first."""
        encoding, own = encoding_of(view), comparison.choose_lightly()

        def cost(number: int) -> float:
            action = encoding.action(number, view)
            if isinstance(action, Pick):
                return sum(comparison.price_of(view, pair) for pair in action.keep)
            return -appeal(view, action)

        legal = [number for number in encoding.legal_numbers(view) if number != own]
        most = min(MAX_CANDIDATES, len(legal) + 1)
        if not self.budget.seconds:
            most = max(1, min(most, self.budget.work // ROLLOUTS_EACH))
        return [own, *sorted(legal, key=cost)[: most - 1]]

    def describe(self, verdict: Verdict, view: View) -> Candidate:
        """A verdict as everyone reads it."""
        assert self.comparison is not None
        action, connections = encoding_of(view).action(verdict.action, view), len(view.network.connections)
        line = [
            (DRAW if number == 0 else acquire_actions(view.network)[number - 1]) if number <= connections else Pick(())
            for number in self.comparison.expected_line(verdict.action)
        ]
        return Candidate(action, verdict.shares, verdict.worlds, (action, *line), verdict.points)


def appeal(view: View, action: Action) -> float:
    """How much speaks for comparing an action at all: most for a draw, then for long connections at my own network."""
    if not isinstance(action, Acquire):
        return 100.0
    mine = {city for connection in view.connections() for city in (connection.first, connection.second)}
    touched = sum(city in mine for city in (action.connection.first, action.connection.second))
    return touched + action.connection.length / 2
