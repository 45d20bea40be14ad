"""Where learners play: a game with a setup and a number of seats, its decisions as numbers and arrays."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, Union, cast

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from fairplay.catalog import open_game
from fairplay.core import AnyGame, Fault, FaultKind, NumberError, Seat, SetupError, UsageError
from fairplay.core.kernel import AnyArray
from fairplay.core.numbers import AnyEncoding, FactoredEncoding
from fairplay.match.referee import judge
from fairplay.match.replay import deal_state
from fairplay.setups import choose_setup

if TYPE_CHECKING:
    from gymnasium import spaces


Observation: TypeAlias = dict[str, AnyArray]
"""``"observation"``: 32-bit floats; ``"action_mask"``: 1 for each action that is legal now.

In factored mode also ``"first_decision"``: 1 for the first decision, when the second one is awaited.
"""


Info: TypeAlias = dict[str, Any]
"""What an environment says besides, by name."""


class MatchTable(NamedTuple):
    """What the decisions of one match share."""

    game: AnyGame
    encoding: AnyEncoding
    factored: FactoredEncoding | None  # the encoding once more, if actions are made in two decisions

    def show(self, state: object, seat: Seat) -> Decision:
        """The decision of `seat`, which has no legal answers unless it is its turn."""
        return Decision(self, self.game.rules.view(state, seat))


class Decision:
    """What one seat is asked, or would be asked if it were its turn.

    In factored mode an action takes two decisions.  Both have the same numbers of choices, the larger of the two; the
    mask says which there are.
    """

    __slots__ = ("first", "legal", "table", "view")

    def __init__(self, table: MatchTable, view: object, first: int = 0) -> None:
        self.table, self.view = table, view
        self.first = first  # the first decision, when the second one is awaited
        self.legal: bytes | None = None  # one for each action, once somebody has asked which are

    def observe(self) -> Observation:
        """What the seat sees, in new arrays."""
        encoding = self.table.encoding
        seen: NDArray[np.float32] = np.empty(encoding.shape, np.float32)
        encoding.observe(self.view, seen)
        if self.table.factored is None:
            return {"observation": seen, "action_mask": self.mask_actions()}
        first = np.zeros(self.table.factored.firsts, np.int8)
        first[self.first] = self.first > 0
        mask = self.mask_decisions(self.table.factored)
        return {"observation": seen, "action_mask": mask, "first_decision": first}

    def mask_actions(self) -> NDArray[np.int8]:
        encoding = self.table.encoding
        mask: NDArray[np.int8] = np.empty(encoding.actions, np.int8)
        encoding.fill_mask(self.view, mask)
        self.legal = mask.tobytes()  # a copy: learners may write into theirs
        return mask

    def mask_decisions(self, factored: FactoredEncoding) -> NDArray[np.int8]:
        """Which answers to this decision lead to a legal action."""
        mask = np.zeros(max(factored.firsts, factored.cells), np.int8)
        legal = self.mask_actions() if self.legal is None else np.frombuffer(self.legal, np.int8)
        if self.first:
            factored.fill_second_mask(legal, self.first, mask[: factored.cells])
        else:
            factored.fill_first_mask(legal, mask[: factored.firsts])
        return mask

    def answer(self, number: int) -> Any:
        """What a number comes to: an action that is legal, the fault of one that is not, or the second decision."""
        factored = self.table.factored
        if factored is not None:
            mask = self.mask_decisions(factored)
            if not 0 <= number < len(mask) or not mask[number]:
                return Fault.of(FaultKind.ILLEGAL, f"{number} is not among the legal decisions")
            if number and not self.first:
                second = Decision(self.table, self.view, number)
                second.legal = self.legal
                return second
            number = factored.join(self.first, number)
        try:
            action = self.table.encoding.action(number, self.view)
        except NumberError as error:
            return Fault.of(FaultKind.ILLEGAL, str(error))
        if self.legal is not None and self.legal[number]:
            return action
        return judge(self.table.game, self.view, action)


def read_number(action: object, seat: str) -> int:
    """The number that a learner gave; raises UsageError if it is not a whole number."""
    try:
        return index(action)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        given = "None" if action is None else type(action).__name__
        raise UsageError(f"it is the turn of {seat}: expected the number of an action, not {given}") from None


SetupChoice: TypeAlias = Union[str, Mapping[str, object], Struct, None]
"""The fields of a setup by name, a variant by name, a whole setup, or None for the standard game."""

HIGHEST = 1e6
"""No element of an observation is above this; nearly all are at most 1."""


class LearningTable:
    """A game with a setup and a number of seats: deals matches, and says what seats see of them.

    It is pickled and copied by the name of the game, which itself holds modules.  Raises UsageError or SetupError if
    there is no such game or setup, or it has no numbers.
    """

    def __init__(self, game: str, setup: SetupChoice = None, seats: int | None = None, factored: bool = False) -> None:
        self.game: AnyGame = open_game(game)
        self.setup = _read_setup(self.game, setup)
        self.seats = _fewest_seats(self.game, self.setup) if seats is None else seats
        self.encoding = self._encoding_of(self.deal(self.setup, 0))
        self.factored = _find_factors(self.game, self.encoding) if factored else None

    def __reduce__(self) -> tuple[object, ...]:
        return LearningTable, (self.game.name, self.setup, self.seats, self.factored is not None)

    def __deepcopy__(self, known: dict[int, object]) -> Self:
        return self  # nothing in it ever changes

    @property
    def version(self) -> str:
        """What numbers and arrays mean, such as ``"fish_v0"``."""
        assert self.game.parts.numbers is not None
        return self.game.parts.numbers.VERSION

    @property
    def choices(self) -> int:
        """How many numbers there are to answer with."""
        return max(self.factored.firsts, self.factored.cells) if self.factored else self.encoding.actions

    def make_observation_space(self) -> spaces.Dict:
        """A new space of the observations of a seat; spaces remember what they have sampled."""
        from gymnasium import spaces  # here: many matches at once can do without it

        parts: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0.0, HIGHEST, self.encoding.shape, np.float32),
            "action_mask": spaces.Box(0, 1, (self.choices,), np.int8),
        }
        if self.factored:
            parts["first_decision"] = spaces.Box(0, 1, (self.factored.firsts,), np.int8)
        return spaces.Dict(parts)

    def make_action_space(self) -> spaces.Discrete:
        """A new space of the numbers of actions."""
        from gymnasium import spaces

        return spaces.Discrete(self.choices)

    def choose_setup(self, options: Mapping[str, object] | None) -> Any:
        """The setup of the next match: that of the table, or the one in the options of `reset`.

        Raises UsageError if it would change the spaces.  Other options are ignored, as other environments do.
        """
        given = options or {}
        if given.get("seats", self.seats) != self.seats:
            raise UsageError(f"seats: this environment has {self.seats}; make another one for {given['seats']}")
        if given.get("setup") is None:
            return self.setup
        setup = _read_setup(self.game, given["setup"])
        encoding = self._encoding_of(self.deal(setup, 0))
        if (encoding.actions, encoding.shape) != (self.encoding.actions, self.encoding.shape):
            raise UsageError(
                f"setup: it has {encoding.actions} actions and observations of {encoding.shape}, and this environment"
                f" {self.encoding.actions} and {self.encoding.shape}; make another environment for it"
            )
        return setup

    def deal(self, setup: object, seed: int) -> Any:
        """The state that ``fairplay play --seed`` deals too."""
        return deal_state(self.game, setup, seed, self.seats)

    def prepare(self, state: object) -> MatchTable:
        """What the decisions of a match that begins with `state` share."""
        encoding = self._encoding_of(state)
        return MatchTable(self.game, encoding, _find_factors(self.game, encoding) if self.factored else None)

    def observe_all(self, state: object) -> NDArray[np.float32]:
        """What all seats see, one after the other: together more than any of them may know."""
        shown = np.empty((self.seats, *self.encoding.shape), np.float32)
        for seat in range(self.seats):
            self.encoding.observe(self.game.rules.view(state, Seat(seat)), shown[seat])
        return shown

    def _encoding_of(self, state: object) -> AnyEncoding:
        if self.game.parts.numbers is None:
            raise UsageError(f"{self.game.name} does not number its actions, which learning needs")
        try:
            return self.game.parts.numbers.encoding_of(state)
        except NumberError as error:
            raise UsageError(f"{self.game.name}: {error}") from None


def _read_setup(game: AnyGame, given: object) -> Any:
    """The setup that was chosen; raises UsageError or SetupError."""
    if isinstance(given, game.setup):
        return given
    if given is None or isinstance(given, str):
        return choose_setup(game, given, {})
    if not isinstance(given, Mapping):
        raise UsageError(f"setup: expected fields by name, a variant or a setup of {game.name}, not {given!r:.80}")
    return choose_setup(game, None, given)


def _fewest_seats(game: AnyGame, setup: object) -> int:
    """How many seats the smallest match has; raises SetupError if it cannot be dealt."""
    for seats in game.seats:
        try:
            deal_state(game, setup, 0, seats)
        except SetupError:
            continue
        return seats
    deal_state(game, setup, 0, game.seats[0])  # to say why not
    raise AssertionError("it was refused a moment ago")


def _find_factors(game: AnyGame, encoding: AnyEncoding) -> FactoredEncoding:
    """The encoding as one of two decisions; raises UsageError if it is not."""
    if not hasattr(encoding, "firsts"):
        raise UsageError(f"factored: {game.name} has no actions that are made in two decisions")
    return cast("FactoredEncoding", encoding)
