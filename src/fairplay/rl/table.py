"""Where learners play: a game with a setup and a number of seats, whose spaces never change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeAlias, Union, cast

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from fairplay.catalog import find_game
from fairplay.core import AnyGame, NumberError, Seat, SetupError, UsageError
from fairplay.core.numbers import Encoding, FactoredEncoding
from fairplay.match.replay import deal_state
from fairplay.rl.decision import MatchTable
from fairplay.setups import choose_setup

if TYPE_CHECKING:
    from gymnasium import spaces

__all__ = ["LearningTable", "SetupChoice"]

SetupChoice: TypeAlias = Union[str, Mapping[str, Any], Struct, None]
"""The fields of a setup by name, a variant by name, a whole setup, or None for the standard game."""

HIGHEST = 1e6
"""No element of an observation is above this; nearly all are at most 1."""


class LearningTable:
    """A game with a setup and a number of seats: deals matches, and says what seats see of them.

    It is pickled and copied by the name of the game, which itself holds modules.  Raises UsageError or SetupError if
    there is no such game or setup, or it has no numbers.
    """

    def __init__(self, game: str, setup: SetupChoice = None, seats: int | None = None, factored: bool = False) -> None:
        self.game: AnyGame = find_game(game)
        self.setup = read_setup(self.game, setup)
        self.seats = fewest_seats(self.game, self.setup) if seats is None else seats
        self.encoding = self._encoding_of(self.deal(self.setup, 0))
        self.factored = find_factors(self.game, self.encoding) if factored else None

    def __reduce__(self) -> tuple[Any, ...]:
        return LearningTable, (self.game.name, self.setup, self.seats, self.factored is not None)

    def __deepcopy__(self, known: dict[int, Any]) -> Self:
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

    def choose_setup(self, options: Mapping[str, Any] | None) -> Any:
        """The setup of the next match: that of the table, or the one in the options of `reset`.

        Raises UsageError if it would change the spaces.  Other options are ignored, as other environments do.
        """
        given = options or {}
        if given.get("seats", self.seats) != self.seats:
            raise UsageError(f"seats: this environment has {self.seats}; make another one for {given['seats']}")
        if given.get("setup") is None:
            return self.setup
        setup = read_setup(self.game, given["setup"])
        encoding = self._encoding_of(self.deal(setup, 0))
        if (encoding.actions, encoding.shape) != (self.encoding.actions, self.encoding.shape):
            raise UsageError(
                f"setup: it has {encoding.actions} actions and observations of {encoding.shape}, and this environment"
                f" {self.encoding.actions} and {self.encoding.shape}; make another environment for it"
            )
        return setup

    def deal(self, setup: Any, seed: int) -> Any:
        """The state that ``fairplay play --seed`` deals too."""
        return deal_state(self.game, setup, seed, self.seats)

    def prepare(self, state: Any) -> MatchTable:
        """What the decisions of a match that begins with `state` share."""
        encoding = self._encoding_of(state)
        return MatchTable(self.game, encoding, find_factors(self.game, encoding) if self.factored else None)

    def observe_all(self, state: Any) -> NDArray[np.float32]:
        """What all seats see, one after the other: together more than any of them may know."""
        shown = np.empty((self.seats, *self.encoding.shape), np.float32)
        for seat in range(self.seats):
            self.encoding.observe(self.game.rules.view(state, Seat(seat)), shown[seat])
        return shown

    def _encoding_of(self, state: Any) -> Encoding[Any, Any]:
        if self.game.parts.numbers is None:
            raise UsageError(f"{self.game.name} does not number its actions, which learning needs")
        try:
            return self.game.parts.numbers.encoding_of(state)
        except NumberError as error:
            raise UsageError(f"{self.game.name}: {error}") from None


def read_setup(game: AnyGame, given: SetupChoice) -> Any:
    """The setup that was chosen; raises UsageError or SetupError."""
    if isinstance(given, game.setup):
        return given
    if given is None or isinstance(given, str):
        return choose_setup(game, given, {})
    if not isinstance(given, Mapping):
        raise UsageError(f"setup: expected fields by name, a variant or a setup of {game.name}, not {given!r:.80}")
    return choose_setup(game, None, given)


def fewest_seats(game: AnyGame, setup: Any) -> int:
    """How many seats the smallest match has; raises SetupError if it cannot be dealt."""
    for seats in game.seats:
        try:
            deal_state(game, setup, 0, seats)
        except SetupError:
            continue
        return seats
    deal_state(game, setup, 0, game.seats[0])  # to say why not
    raise AssertionError("it was refused a moment ago")


def find_factors(game: AnyGame, encoding: Encoding[Any, Any]) -> FactoredEncoding:
    """The encoding as one of two decisions; raises UsageError if it is not."""
    if not hasattr(encoding, "firsts"):
        raise UsageError(f"factored: {game.name} has no actions that are made in two decisions")
    return cast("FactoredEncoding", encoding)
