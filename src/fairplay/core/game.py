"""What a game is: a rule book of pure functions over immutable states.

A rule book is a *module*: ``games/fish/rules.py`` satisfies :class:`Rules` by
defining functions with these names.  Nothing inherits from anything.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pkgutil import get_data
from random import Random
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, Union

import msgspec
from msgspec import Struct

from fairplay.core.chance import Chance
from fairplay.core.convert import Json
from fairplay.core.editor import Editor
from fairplay.core.established import Established
from fairplay.core.faults import UsageError
from fairplay.core.immutable import DeferredMapping
from fairplay.core.kernel import Kernel
from fairplay.core.match import Event, Score, ScoreLines, Seat, Tiers
from fairplay.core.numbers import Numbers
from fairplay.core.shown import CardGroup, PartialMove, Picture, Teaching

S = TypeVar("S")  # state: everything, known only to the referee
V = TypeVar("V")  # view: what one seat may know
A = TypeVar("A")  # action: what a seat may ask to do
C = TypeVar("C")  # setup: the chosen parameters of a match

Facts: TypeAlias = tuple[tuple[str, str], ...]
"""What can be said about one seat: labels and values, the points first if they are known."""

Strategy: TypeAlias = Callable[[V], A]
"""A function from view to action."""


class Rules(Protocol[S, V, A, C]):
    """The laws of one game; ``testing/laws`` holds every rule book to the laws that bind these together."""

    def start(self, setup: C, seats: int, rng: Random) -> S:
        """Deal a match by `rng`; raises SetupError if it cannot be dealt."""
        ...

    def public_setup(self, setup: C) -> C:
        """`setup` without what players may not know, such as the order of a given deck."""
        ...

    def to_move(self, state: S) -> Seat | None:
        """Whose decision is awaited; None when the match is over."""
        ...

    def view(self, state: S, seat: Seat) -> V:
        """All that `seat` may know, built up from what is allowed (never cut down).

        A view has fields `variant`, as the setup, and `turn_number`: how many decisions there were.
        """
        ...

    def imagine(self, view: V, rng: Random) -> S:
        """Some full state that its owner could be looking at."""
        ...

    def legal_actions(self, view: V) -> Sequence[A]:
        """What the owner of `view` may do now, in a fixed order.  Legality never depends on hidden facts."""
        ...

    def why_illegal(self, view: V, action: A) -> str | None:
        """The reason the rules forbid `action`, or None.  Must not enumerate."""
        ...

    def apply(self, state: S, action: A) -> S:
        """The state after the awaited seat does `action`.  ASSUME it is legal."""
        ...

    def public_action(self, action: A) -> A:
        """`action` as the other seats may know it; of the same type, with secret fields empty."""
        ...

    def remove(self, state: S, seat: Seat) -> S:
        """The state after `seat` is thrown out."""
        ...

    def opening(self, state: S, wave: int) -> Iterable[tuple[Seat, object]]:
        """What seats are told before the first decision, wave by wave; a wave without news ends it.

        A wave names a seat at most once.  It is made from the state after the wave before, and made again when a seat
        fails in it, so that it never speaks of a seat that has been removed.
        """
        ...

    def notices(self, event: Event[S, A]) -> Iterable[tuple[Seat, object]]:
        """Private news that `event` brings to some seats."""
        ...

    def closing(self, state: S, ranking: Tiers) -> Iterable[tuple[Seat, object]]:
        """What seats are told once the match is over; who faults here leaves its tier."""
        ...

    def scores(self, state: S) -> Mapping[Seat, Score]:
        """What the ranking is made from, for every seat that was never removed."""
        ...

    def ending(self, state: S) -> str:
        """The name of the way the match ended.  ASSUME it is over."""
        ...


class ChanceRules(Protocol[S]):
    """What a rule book also has if chance decides something after the deal; without these, all chance is in the deal.

    The referee asks `chance` before `to_move`, draws from the seed of the match, and asks again.  So no state holds
    what is still to come, and nobody who gets hold of one can read the future from it.

    A rule book may have one more function, ``public_outcome(outcome)``: what all seats may know of an outcome.  Without
    it, they may know everything that chance brings.  Words may have ``describe_outcome(outcome)``: the outcome, or what
    is public of it, as a sentence in the past tense.
    """

    def chance(self, state: S) -> Chance | None:
        """What chance is to decide now, before anybody is asked; None if nothing."""
        ...

    def befall(self, state: S, outcome: Any) -> S:
        """The state after chance has brought `outcome`.  ASSUME it is one of those that `chance` names."""
        ...


class Codec(Protocol[S, V]):
    """States and views as JSON that people can read and other programs can load; a *module* satisfies it."""

    ViewJson: type[Any]
    """The type of a view's JSON: the schema that authors of programs are given is made from it."""

    def state_to_json(self, state: S) -> Json:
        """Write a whole state, what is hidden in it too: never show it to a player."""
        ...

    def state_from_json(self, value: Json) -> S:
        """Read a state; raises WireError with the path to what is wrong."""
        ...

    def view_to_json(self, view: V) -> Json:
        """Write a view: what programs are sent."""
        ...

    def view_from_json(self, value: Json) -> V:
        """Read a view; raises WireError with the path to what is wrong."""
        ...


class Words(Protocol):
    """The game in words, for terminals, pages and lists of turns; a *module* satisfies it."""

    def seat_name(self, seat: Seat) -> str:
        """What the seat is called in sentences and tables, such as its colour."""
        ...

    def board(self, shown: Any) -> str:
        """The table for a terminal: of a state everything, of a view what its owner may know."""
        ...

    def describe_open_turn(self, turn: Any, *, subject: str = "") -> str:
        """The turn as a sentence that tells everything; see describe_turn."""
        ...

    def describe_turn(self, turn: Any, to: Seat | None, *, subject: str = "", would: bool = False) -> str:
        """The turn as a sentence in the past tense that tells what `to` may know; None: what everybody may know.

        subject: who took it, such as a name or "You"; empty: the name of the seat.
        would: it has not been taken, and the sentence says what it would be (see choose_tense).
        """
        ...

    def facts(self, shown: Any) -> Mapping[Seat, Facts]:
        """Of a state what everybody may know, of a view what its owner may; for every seat that is still in."""
        ...


class Notation(Protocol[S, A]):
    """Actions and positions as texts of one line, for people; a *module* satisfies it.

    LAW: parsing what was formatted gives it back.
    """

    def format_action(self, action: A) -> str:
        """Write an action."""
        ...

    def parse_action(self, text: str, shown: Any = None) -> A:
        """Read an action; a state or view that is `shown` may complete what the text leaves out.

        Raises NotationError.
        """
        ...

    def format_position(self, state: S) -> str:
        """Write a whole state, what is hidden in it too: never show it to a player."""
        ...

    def parse_position(self, text: str) -> S:
        """Read a state; raises NotationError."""
        ...


# -- files in the package of a game: its rules for people, its ladder ---------------------------


def packaged_text(package: str, file: str) -> Callable[[], str]:
    """What reads a text file that lies in a package, whenever it is called; it raises OSError if there is none."""
    return partial(_load_text, package, file)


def _load_text(package: str, file: str) -> str:
    content = get_data(package, file)
    assert content is not None, "the package can be read"
    return content.decode("utf-8")


class Rung(Struct, frozen=True):
    """A house player at one level of strength; what is measured of it is written by ``python -m bench.ladder``."""

    level: int  # counted from 1, the weakest
    spec: str  # the house player, with its options
    name: str = ""  # Beginner, Easy, Medium, Hard or Master, on five of them
    rating: float | None = None  # None: it was not measured yet
    low: float | None = None  # the 95 % interval of the rating
    high: float | None = None
    milliseconds: float | None = None  # of CPU time a move
    interpreted: float | None = None  # milliseconds of CPU time a move without numba


def read_ladder(package: str) -> Mapping[str, tuple[Rung, ...]]:
    """The rungs by variant, as they are in `ladder.json` in a package; none if there is no such file."""
    return DeferredMapping(partial(_load_ladder, package))


def _load_ladder(package: str) -> dict[str, tuple[Rung, ...]]:
    try:
        content = _load_text(package, "ladder.json")
    except FileNotFoundError:
        return {}
    return msgspec.json.decode(content, type=dict[str, tuple[Rung, ...]])


# -- all of it ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class HousePlayers(Generic[V, A]):
    """Who plays the game for the house."""

    strategies: Mapping[str, Callable[..., Strategy[V, A]]]  # each takes a generator and options by name
    at_sight: frozenset[str] = frozenset()  # strategies that never search: as quick as a list of the legal actions
    versions: Mapping[str, int] = field(default_factory=dict)  # of strategies whose choices have changed; the rest: 1
    ladder: Mapping[str, tuple[Rung, ...]] = field(default_factory=dict)  # by variant, weakest first
    reviewer: str = ""  # the strategy that says what it thinks, in reviews and hints (core/thinking.py); empty: none
    rogues: frozenset[str] = frozenset()  # strategies that break the rules on purpose


@dataclass(frozen=True)
class Shown(Generic[S, V, A]):
    """How people see the game and play it on the page."""

    picture: Callable[..., Picture]  # of a state or a view, with the last turn if there is one; see core/shown.py
    token: Callable[[Seat], Picture] | None = None  # the pawn of a seat as a small picture
    seat_color: Callable[[Seat], str] | None = None  # of the pawn and the pieces of a seat, such as "#9a4fd0"
    cards: Callable[..., tuple[CardGroup, ...]] | None = None  # of a state or view, `open` or not: see core/shown.py
    clicks: Callable[..., PartialMove | A] | None = None  # of a view and the clicks so far, with the last turn, if any
    rules_text: Callable[[], str] | None = None  # the rules for people, in Markdown; see packaged_text
    teaching: Teaching | None = None  # for those who have never played it
    score_lines: Callable[[S], Mapping[Seat, ScoreLines]] | None = None  # of a finished state: where points come from
    progress: Callable[[S], Mapping[Seat, int]] | None = None  # of any state: the points so far, hidden ones included


@dataclass(frozen=True)
class Parts(Generic[S, V, A, C]):
    """What a game may bring besides, and works without."""

    established: Established[V, A] | None = None  # the protocol that existing implementations speak
    editor: Editor[C] | None = None  # its boards, and how people draw their own
    numbers: Numbers[S, V, A] | None = None  # actions as numbers, views as arrays
    kernel: Callable[[], Kernel[S]] | None = None  # loads the rules over arrays, which need numpy


@dataclass(frozen=True)
class Game(Generic[S, V, A, C]):
    """A game as the rest of the platform sees it: data, no behaviour of its own."""

    name: str
    about: str
    seats: range
    variants: Mapping[str, C]  # the standard one first; a setup names its variant in a field `variant`
    actions: tuple[type[Any], ...]
    news: tuple[type[Any], ...]  # everything a seat may be told during a match
    unit: str  # what the first number of a score counts
    patience: float  # seconds for one answer, by the rule book
    rules: Rules[S, V, A, C]
    codec: Codec[S, V]
    words: Words
    notation: Notation[S, A]
    players: HousePlayers[V, A]
    shown: Shown[S, V, A]
    parts: Parts[S, V, A, C] = field(default_factory=Parts)
    quick: C | None = None  # a small game, which people can finish in two minutes

    @cached_property
    def setup(self) -> type[C]:
        """The type of this game's setups."""
        return type(next(iter(self.variants.values())))

    @cached_property
    def chance_rules(self) -> ChanceRules[S] | None:
        """The functions of the rule book for chance after the deal; None if it has none."""
        rules: Any = self.rules
        return rules if callable(getattr(rules, "chance", None)) else None

    @cached_property
    def public_outcome(self) -> Callable[[Any], Any]:
        """What chance brought as all seats may know it."""
        return getattr(self.rules, "public_outcome", _keep_outcome)

    @cached_property
    def action_decoder(self) -> msgspec.json.Decoder[A]:
        """Reads an action from its JSON bytes, checking every field."""
        return msgspec.json.Decoder(Union[self.actions])


def _keep_outcome(outcome: Any) -> Any:
    return outcome


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
AnyCodec: TypeAlias = Codec[Any, Any]
AnyStrategy: TypeAlias = Strategy[Any, Any]
"""Of whatever game."""


def find_mover(game: AnyGame, state: Any) -> Seat | None:
    """Whose decision is awaited; None if chance decides first, or the match is over."""
    luck = game.chance_rules
    return game.rules.to_move(state) if luck is None or luck.chance(state) is None else None


def is_over(game: AnyGame, state: Any) -> bool:
    """Does the match end with this state?"""
    luck = game.chance_rules
    return (luck is None or luck.chance(state) is None) and game.rules.to_move(state) is None


def let_chance_fall(game: AnyGame, state: Any, rng: Random) -> Any:
    """`state` after all that chance decides before somebody is asked or the match is over, drawn by `rng`.

    For players that search: what they draw says nothing about what the match is going to bring.
    """
    luck = game.chance_rules
    while luck is not None and (chance := luck.chance(state)) is not None:
        state = luck.befall(state, chance.draw(rng))
    return state


def established_of(game: AnyGame) -> Established[Any, Any]:
    """The established protocol of `game`; raises UsageError if it has none."""
    if game.parts.established is None:
        raise UsageError(f"{game.name} has no established protocol; use --protocol native")
    return game.parts.established


def read_short_form(game: AnyGame, short: str | int, view: object) -> Any:
    """The action that a text or a number stands for; raises NotationError or NumberError.

    The view completes what a text leaves out.  ASSUME the game has numbers if `short` is one.
    """
    if isinstance(short, str):
        return game.notation.parse_action(short, view)
    assert game.parts.numbers is not None
    return game.parts.numbers.encoding_of(view).action(short, view)


# -- sentences about turns ---------------------------------------------------------------------

_IRREGULAR = {
    "begin": "began",
    "come": "came",
    "draw": "drew",
    "find": "found",
    "keep": "kept",
    "slide": "slid",
    "take": "took",
}


def choose_tense(
    subject: str, *, would: bool, verbs: Mapping[str, str] | None = None
) -> tuple[str, Callable[[str], str]]:
    """The beginning of a sentence about `subject`, and the form of each verb in it.

    verbs: past tenses that are neither regular nor known here, such as ``{"steal": "stole"}``.

    >>> begin, verb = choose_tense("red", would=False)
    >>> f"{begin} {verb('move')} and {verb('take')} 2 fish"
    'red moved and took 2 fish'
    >>> begin, verb = choose_tense("You", would=True)
    >>> f"{begin} {verb('move')} and {verb('take')} 2 fish"
    'You would move and take 2 fish'
    >>> begin, verb = choose_tense("red", would=False, verbs={"bid": "bid"})
    >>> f"{begin} {verb('bid')} 3"
    'red bid 3'
    """
    return (f"{subject} would", str) if would else (subject, partial(_past_tense, verbs or {}))


def _past_tense(own: Mapping[str, str], verb: str) -> str:
    known = own.get(verb) or _IRREGULAR.get(verb)
    return known or (f"{verb}d" if verb.endswith("e") else f"{verb}ed")
