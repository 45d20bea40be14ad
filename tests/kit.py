"""What the laws need to know about a game: each has a kit in ``tests/games/<game>/kit.py`` named KIT."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Fault, FaultKind, Outcome, Removed, Seat, Turn
from fairplay.core.chance import below, choice, derived
from fairplay.core.convert import text
from fairplay.match.record import SIGNED
from fairplay.match.referee import Report
from fairplay.match.replay import start_match

TESTS = Path(__file__).parent
SHARED = TESTS.parent.parent / "shared"
"""Rule books and cases that are not part of the project; tests that need them are skipped without."""

needs_shared = pytest.mark.skipif(
    not (SHARED / "cases").exists(), reason="needs the agreed cases in ../shared, which are not part of the project"
)

T = TypeVar("T")

NONSENSE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
"""What nobody asked for."""


def without_signature(record: Path) -> list[bytes]:
    """The lines of a record that say what was played; the last one, which says who keeps it, is always there."""
    *played, last = record.read_bytes().splitlines(keepends=True)
    assert last.startswith(SIGNED)
    return played


def through_json(value: Any) -> Any:
    return msgspec.json.decode(text(value))


def spy(function: Callable[..., T], tell: Callable[..., None]) -> Callable[..., T]:
    """The same function, of whose arguments `tell` is told first."""

    def told(*given: Any, **named: Any) -> T:
        tell(*given, **named)
        return function(*given, **named)

    return told


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, inner in items for place in [(value, key), *places(inner)]]


class Table(NamedTuple):
    """A match to be dealt: the chosen parameters and the number of seats."""

    setup: Any
    seats: int


class Perft(NamedTuple):
    """How many sequences of 1, 2, ... legal actions there are after some random turns from a deal (see `walk`)."""

    table: Table
    seed: int
    counts: tuple[int, ...]
    turns: int = 0


@dataclass(frozen=True)
class Kit:
    """Everything the laws cannot find out by themselves."""

    tables: SearchStrategy[Table]
    """Small matches of every kind: both few and many seats, every variant."""

    scramble: Callable[[Any, Seat | None, Random], Any]
    """The same state with everything that `seat` may not know changed at random (itself, where nothing is hidden);
    None stands for somebody who only watches."""

    disguise: Callable[[Any, Seat | None, Random], Any]
    """Another action that looks the same to `seat`, whose own it is not (itself, where everybody sees what is done)."""

    hides: bool
    """Is there anything to scramble?"""

    illegal: Callable[[Any], Iterable[tuple[str, Any]]]
    """For a view whose owner is to move: one action for each class of illegal ones, with the name of its class."""

    invariant: Callable[[Any], None]
    """Asserts what every state that can be reached must satisfy."""

    perft: Sequence[Perft]

    longest: int
    """No match of `tables` has more turns than this."""

    alike: Sequence[tuple[Any, Any]] = ()
    """Pairs of setups that differ only in what no player may know."""


def kit(name: str) -> Kit:
    """The kit of a game; a game without one fails here, by name."""
    place = TESTS / "games" / name / "kit.py"
    hint = f"write tests/games/{name}/kit.py (see docs/guides/adding-a-game.md)"
    assert place.exists(), f"the game {name} has no kit: {hint}"
    spec = spec_from_file_location(f"kit_of_{name}", place)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Kit = module.KIT
    return found


class Walk(NamedTuple):
    """A match played at random up to some point."""

    game: AnyGame
    states: list[Any]
    events: list[Turn[Any, Any] | Removed[Any]]

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def seats(self) -> Iterator[Seat]:
        """The seats that were never removed."""
        return iter(self.game.rules.scores(self.state))


def walk(name: str, table: Table, seed: int, turns: int, *, faults: bool = False) -> Walk:
    """Up to `turns` random turns from the deal; with `faults`, seats are thrown out now and then."""
    game, rules = GAMES[name], GAMES[name].rules
    state = rules.start(table.setup, table.seats, derived(seed, "deal"))
    rng = derived(seed, "walk")
    found = Walk(game, [state], [])
    for _ in range(turns):
        mover = rules.to_move(state)
        if mover is None:
            break
        if faults and below(rng, 8) == 0:
            seat = choice(rng, sorted(rules.scores(state)))
            event: Any = Removed(state, seat, FAULT, rules.remove(state, seat))
        else:
            action = choice(rng, rules.legal_actions(rules.view(state, mover)))
            event = Turn(state, mover, action, rules.apply(state, action))
        state = event.after
        found.states.append(state)
        found.events.append(event)
    return found


FAULT = Fault(FaultKind.CRASHED, "thrown out by the walk")


class Transcript(NamedTuple):
    """A whole match with everything that was said."""

    outcome: Outcome
    orders: list[Any]
    replies: list[Any]


def transcript(name: str, table: Table, seed: int, answers: Mapping[int, Any] | None = None) -> Transcript:
    """Play at random to the end; `answers` replaces the reply to the n-th order that is a question or news."""
    game = GAMES[name]
    orders = start_match(game, table.setup, seed, table.seats)
    rng = derived(seed, "transcript")
    said = Transcript(Outcome((), (), (), ""), [], [])
    reply: Any = None
    while True:
        try:
            order = orders.send(reply)
        except StopIteration as done:
            return said._replace(outcome=done.value)
        reply = None
        if isinstance(order, Report):
            continue
        if hasattr(order, "view"):
            reply = choice(rng, game.rules.legal_actions(order.view))
        reply = (answers or {}).get(len(said.orders), reply)
        said.orders.append(order)
        said.replies.append(reply)
