"""Random matches for the laws, up to some turn or to the end with everything that was said, and random values."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st

from fairplay.catalog import GAMES, find_game
from fairplay.core import AnyEvent, AnyGame, Befell, Fault, FaultKind, Outcome, Removed, Seat, Turn
from fairplay.core.chance import below, choice, derived
from fairplay.core.convert import text
from fairplay.match.referee import Report
from fairplay.match.replay import start_match
from fairplay.testing.defaults import complete_kit
from fairplay.testing.kit import CompleteKit, Table, find_kit


@cache
def kit(name: str) -> CompleteKit:
    """The kit of a game, complete; raises UsageError if there is no such game."""
    found = find_kit(name)
    return complete_kit(find_game(name), found)


class Walk(NamedTuple):
    """A match played at random up to some point, at which chance has nothing to decide."""

    game: AnyGame
    states: list[Any]
    events: list[AnyEvent]

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def seats(self) -> Iterator[Seat]:
        """The seats that were never removed."""
        return iter(self.game.rules.scores(self.state))


class WatchedMatch(NamedTuple):
    """A match that a law looks at, and what has happened in it so far."""

    game: AnyGame
    table: Table
    seed: int
    events: list[AnyEvent]


WATCHED: deque[WatchedMatch] = deque(maxlen=3)
"""The last matches that were dealt: a counterexample to a law is among them."""

FAULT = Fault(FaultKind.CRASHED, "thrown out by the walk")


def walk(name: str, table: Table, seed: int, turns: int, *, faults: bool = False) -> Walk:
    """Up to `turns` random turns from the deal; with `faults`, seats are thrown out now and then."""
    game, rules = GAMES[name], GAMES[name].rules
    events: list[AnyEvent] = []
    WATCHED.append(WatchedMatch(game, table, seed, events))
    found = Walk(game, [rules.start(table.setup, table.seats, derived(seed, "deal"))], events)
    rng = derived(seed, "walk")
    _let_chance_fall(found, seed)
    for _ in range(turns):
        state, mover = found.state, rules.to_move(found.state)
        if mover is None:
            break
        if faults and below(rng, 8) == 0:
            seat = choice(rng, sorted(rules.scores(state)))
            _add_event(found, Removed(state, seat, FAULT, rules.remove(state, seat)))
        else:
            action = choice(rng, rules.legal_actions(rules.view(state, mover)))
            _add_event(found, Turn(state, mover, action, rules.apply(state, action)))
        _let_chance_fall(found, seed)
    return found


def _add_event(walked: Walk, event: AnyEvent) -> None:
    walked.states.append(event.after)
    walked.events.append(event)


def _let_chance_fall(walked: Walk, seed: int) -> None:
    """Add what chance decides before somebody is asked."""
    luck = walked.game.chance_rules
    while luck is not None and (chance := luck.chance(walked.state)) is not None:
        outcome = chance.draw_event(seed, sum(isinstance(event, Befell) for event in walked.events))
        _add_event(walked, Befell(walked.state, outcome, luck.befall(walked.state, outcome)))


class Dialogue(NamedTuple):
    """A whole match with everything that was said."""

    outcome: Outcome
    orders: list[Any]
    replies: list[Any]


def hold_dialogue(name: str, table: Table, seed: int, answers: Mapping[int, Any] | None = None) -> Dialogue:
    """Play at random to the end; `answers` replaces the reply to the n-th order that is a question or news."""
    game, events = GAMES[name], list[AnyEvent]()
    WATCHED.append(WatchedMatch(game, table, seed, events))
    orders = start_match(game, table.setup, seed, table.seats)
    rng = derived(seed, "transcript")
    said = Dialogue(Outcome((), (), (), ""), [], [])
    reply: Any = None
    while True:
        try:
            order = orders.send(reply)
        except StopIteration as done:
            return said._replace(outcome=done.value)
        reply = None
        if isinstance(order, Report):
            events.append(order.event)
            continue
        if hasattr(order, "view"):
            reply = choice(rng, game.rules.legal_actions(order.view))
        reply = (answers or {}).get(len(said.orders), reply)
        said.orders.append(order)
        said.replies.append(reply)


# -- values ------------------------------------------------------------------------------------

NONSENSE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
"""What nobody asked for."""


def pass_through_json(value: Any) -> Any:
    return msgspec.json.decode(text(value))


def list_places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, inner in items for place in [(value, key), *list_places(inner)]]
