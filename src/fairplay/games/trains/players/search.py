"""The strongest house player: it tries actions in rollouts, over worlds that agree with all it has seen.

`TrainsSearcher` chooses what to compare, `Comparison` plays paired rollouts of it, and `_Tally` says which candidates
drop out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from msgspec import Struct

from fairplay.core import KernelSizeError, Seat, Seen
from fairplay.core.kernel import Integers
from fairplay.core.thinking import Budget, Candidate, Clock, Searcher, Thought, think_equal
from fairplay.games.trains.deal import NO_CARDS, imagine, remaining_seats
from fairplay.games.trains.map import COLORS, Destination, bits
from fairplay.games.trains.numbers import encoding_of
from fairplay.games.trains.paths import are_joined, longest_path
from fairplay.games.trains.players.planner import best_pick, best_plan, best_turn
from fairplay.games.trains.rules import DRAW, acquire_actions, legal_actions
from fairplay.games.trains.state import Acquire, Action, DrawCards, Hand, Pick, State, View

if TYPE_CHECKING:
    from fairplay.games.trains.players.routes import Arrays
    from fairplay.kernels.code import How

_DEFAULT_PLAYOUTS = 4000
"""Rollouts for one decision: about 100 ms of one core on the map `continent`."""

_MAX_CANDIDATES = 24
_ROLLOUTS_EACH = 4  # at least, for each candidate
_SLIP_BITS = 30  # and none without slips: records depend on it


def search(
    rng: Random,
    *,
    playouts: int = _DEFAULT_PLAYOUTS,
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
        assert seen.seat is not None, "all chance is in the deal"
        if seen.action is None:
            self.gone = _add_cards(self.gone, self.paid.pop(seen.seat, NO_CARDS))
        elif isinstance(seen.action, Acquire):
            connection = seen.action.connection
            cost = [connection.length if color == connection.color else 0 for color in COLORS]
            self.paid[seen.seat] = _add_cards(self.paid.get(seen.seat, NO_CARDS), cost)

    def given_back(self, view: View) -> list[Destination]:
        """What I was offered and did not keep."""
        return [] if view.picking else [pair for pair in self.offer if pair not in view.destinations]


def _add_cards(hand: Hand, more: Sequence[int]) -> Hand:
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
        return self.slip > 0 and self.rng.getrandbits(_SLIP_BITS) < self.slip * (1 << _SLIP_BITS)

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
        return Thought(candidates, sum(each.worlds for each in verdicts), reason=_explain(view, candidates[0].action))

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

    def compare(self, view: View, actions: Sequence[int], wanted: Sequence[int] = ()) -> list[_Verdict]:
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
            return -_appeal(view, action)

        legal = [number for number in encoding.legal_numbers(view) if number != own]
        most = min(_MAX_CANDIDATES, len(legal) + 1)
        if not self.budget.seconds:
            most = max(1, min(most, self.budget.work // _ROLLOUTS_EACH))
        return [own, *sorted(legal, key=cost)[: most - 1]]

    def describe(self, verdict: _Verdict, view: View) -> Candidate:
        """A verdict as everyone reads it."""
        assert self.comparison is not None
        action, connections = encoding_of(view).action(verdict.action, view), len(view.network.connections)
        line = [
            (DRAW if number == 0 else acquire_actions(view.network)[number - 1]) if number <= connections else Pick(())
            for number in self.comparison.expected_line(verdict.action)
        ]
        return Candidate(action, verdict.shares, verdict.worlds, (action, *line), verdict.points)


def _appeal(view: View, action: Action) -> float:
    """How much speaks for comparing an action at all: most for a draw, then for long connections at my own network."""
    if not isinstance(action, Acquire):
        return 100.0
    mine = {city for connection in view.connections() for city in (connection.first, connection.second)}
    touched = sum(city in mine for city in (action.connection.first, action.connection.second))
    return touched + action.connection.length / 2


# -- reasons -----------------------------------------------------------------------------------


def _explain(view: View, action: Action) -> str:
    """Say what an action of the owner of `view` is good for; nothing if there is little to say."""
    if isinstance(action, Acquire):
        return _explain_purchase(view, view.network.index[action.connection])
    return _explain_draw(view) if isinstance(action, DrawCards) else ""


def _explain_purchase(view: View, index: int) -> str:
    """A destination that is joined, a step towards one, or a longer path."""
    network, mine = view.network, view.owned[view.me]
    joined = [
        " - ".join(pair)
        for pair in view.destinations
        if not are_joined(network, mine, pair) and are_joined(network, mine | 1 << index, pair)
    ]
    if joined:
        return f"joins {' and '.join(joined)}"
    if best_plan(view).routes >> index & 1:
        return "is needed for its destinations"
    before, after = longest_path(network, mine), longest_path(network, mine | 1 << index)
    return f"lengthens its longest path from {before} to {after}" if after > before else ""


def _explain_draw(view: View) -> str:
    """The cards that its routes still need."""
    needed = [0] * len(COLORS)
    for index in bits(best_plan(view).routes):
        needed[view.network.colors[index]] += view.network.lengths[index]
    short = [
        f"{need - have} {color}" for color, need, have in zip(COLORS, needed, view.cards, strict=True) if need > have
    ]
    if not short:
        return ""
    return f"still needs {' and '.join([', '.join(short[:-1]), short[-1]] if short[1:] else short)} for its routes"


# -- comparing ---------------------------------------------------------------------------------


_ROUND = 96  # rollouts, at most, before candidates drop out
_FEWEST_WORLDS = 8  # before a candidate drops out
_DROP_ERRORS = 2.0  # standard errors by which a candidate that drops out is worse than the best
_TRUST_ERRORS = 2.0  # standard errors by which another action must be better than the light planner's own
_PRIOR_WORLDS = 4  # that are thought to have been played already, so that few worlds prove little
_PRIOR_SPREAD = 300  # of the difference between two actions in one world, where a win counts 840


class _Verdict(Struct, frozen=True):
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
        self.kernel, self.seats = kernel, len(state.rails)
        searched = (rollouts.choose_lightly, rollouts.play_worlds, rollouts.prepare_belief)
        self.rollouts, self.functions = rollouts, load_functions("trains-search", searched, constants, how)
        root, world, row = (np.zeros(constants["WORDS"], dtype=np.uint64) for _ in range(3))
        cities, links = len(state.network.names), constants["LINK_WORDS"]
        self.arrays: Arrays = routes.Arrays(
            tables=kernel.make_tables(state),
            root=root,
            world=world,
            row=row,
            clues=np.zeros(2 + state.terms.offered, dtype=np.uint64),
            fit=np.zeros((self.seats + 1) * cities * cities, dtype=np.int64),
            masks=np.zeros((2 * self.seats + routes.SAVED) * links, dtype=np.uint64),
            notes=np.zeros(routes.NOTES, dtype=np.int64),
            points=np.zeros(self.seats, dtype=np.int64),
            line=np.zeros(rollouts.LINE, dtype=np.int64),
        )
        self.measured: dict[int, tuple[int, int]] = {}

    def place(self, view: View, seed: int, gone: Hand, given_back: Iterable[Destination]) -> None:
        """Look at a position: what `view` shows, the cards of seats that are gone, and what I gave back."""
        from fairplay.games.trains.kernel import row as layout

        self.kernel.pack(imagine(view, Random(seed)), self.arrays.root)
        self.arrays.root[0] = seed | 1
        codes = [layout.encode_pair(view.network, pair) for pair in given_back]
        clues = self.arrays.clues
        clues[0] = sum(count << 12 * color for color, count in enumerate(gone))
        clues[1] = len(codes)
        clues[2 : 2 + len(codes)] = codes
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
            self.functions.call(self.rollouts.prepare_belief, self.arrays, seat)

    def price_of(self, view: View, pair: Destination) -> int:
        """What it costs to join a destination on the empty map."""
        first, second = (view.network.number[name] for name in pair)
        cities = len(view.network.names)
        return int(self.arrays.fit[(self.seats * cities + first) * cities + second])

    def choose_lightly(self) -> int:
        """The light planner's own action."""
        return self.functions.call(self.rollouts.choose_lightly, self.arrays)

    def compare(self, actions: Sequence[int], budget: Budget, wanted: Sequence[int] = ()) -> list[_Verdict]:
        """Compare actions, the first of which is chosen unless another is clearly better; the best comes first.

        wanted: actions that do not drop out, because somebody wants to know their values.
        """
        import numpy as np

        tally = _Tally(self.seats, actions)
        alive = list(range(len(actions)))
        for rollouts in budget.slices(_ROUND):
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
        return tally.verdicts(alive, self.rollouts.SHARE)

    def play(self, actions: Sequence[int], gains: Integers, totals: Integers, first: int, worlds: int) -> None:
        """Play worlds for these actions."""
        import numpy as np

        numbers = np.array(actions, dtype=np.int64)
        self.functions.call(self.rollouts.play_worlds, self.arrays, numbers, gains, totals, first, first + worlds)

    def expected_line(self, action: int) -> list[int]:
        """What the light planner expects after an action, in the first world."""
        import numpy as np

        self.play([action], np.zeros((1, 1), np.int64), np.zeros((1, 2 * self.seats), np.int64), 0, 1)
        line = [int(each) for each in self.arrays.line]
        return line[: line.index(-1)] if -1 in line else line


class _Tally:
    """Sums over worlds; all are whole numbers, so they are the same on every machine."""

    def __init__(self, seats: int, actions: Sequence[int]) -> None:
        import numpy as np

        self.seats, self.actions, self.worlds = seats, actions, 0
        self.sums = np.zeros(len(actions), dtype=np.int64)
        self.products = np.zeros((len(actions), len(actions)), dtype=np.int64)
        self.totals = np.zeros((len(actions), 2 * seats), dtype=np.int64)
        self.played = [0] * len(actions)

    def add(self, alive: Sequence[int], gains: Integers, totals: Integers) -> None:
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
        spread = squares - lead * lead / worlds + _PRIOR_WORLDS * _PRIOR_SPREAD**2
        return lead / sqrt(spread * worlds / (worlds + _PRIOR_WORLDS - 1))

    def still_good(self, alive: list[int]) -> list[int]:
        """The candidates that are not clearly worse than the best."""
        if self.worlds < _FEWEST_WORLDS:
            return alive
        best = max(alive, key=lambda nth: int(self.sums[nth]))
        return [nth for nth in alive if nth == best or self.errors_between(best, nth) < _DROP_ERRORS]

    def verdicts(self, alive: list[int], share: int) -> list[_Verdict]:
        """All candidates, the one to be chosen first, then by how long they stayed in and what they gain."""
        best = max(alive, key=lambda nth: int(self.sums[nth]))
        if 0 in alive and self.errors_between(best, 0) < _TRUST_ERRORS:
            best = 0
        order = sorted(range(len(self.actions)), key=lambda nth: (nth != best, -self.played[nth], -self.gain(nth), nth))
        return [self.verdict(nth, share) for nth in order]

    def gain(self, nth: int) -> float:
        """What a candidate gains on average."""
        return int(self.sums[nth]) / max(1, self.played[nth])

    def verdict(self, nth: int, share: int) -> _Verdict:
        """What is known of a candidate."""
        worlds, totals = max(1, self.played[nth]), [int(total) for total in self.totals[nth]]
        shares = tuple(total / (share * worlds) for total in totals[: self.seats])
        points = tuple(total / worlds for total in totals[self.seats :])
        return _Verdict(self.actions[nth], self.gain(nth), shares, points, self.played[nth])
