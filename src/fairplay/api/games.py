"""Positions that play and draw themselves, and games that are ready to be dealt: the rules together with a setup."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar, cast, overload

import msgspec

from fairplay.catalog import open_game
from fairplay.core import (
    Chance,
    Fault,
    Game,
    IllegalActionError,
    Json,
    Picture,
    Score,
    Seat,
    SetupError,
    Turn,
    UsageError,
)
from fairplay.core.game import find_mover, is_over
from fairplay.match.referee import decode_action, judge
from fairplay.match.replay import deal_state
from fairplay.setups import build_setup, choose_setup

if TYPE_CHECKING:
    from fairplay.games.fish import state as fish
    from fairplay.games.labyrinth import state as labyrinth
    from fairplay.games.trains import state as trains

    Fish: TypeAlias = "LoadedGame[fish.State, fish.View, fish.Action, fish.Setup]"
    Labyrinth: TypeAlias = "LoadedGame[labyrinth.State, labyrinth.View, labyrinth.Action, labyrinth.Setup]"
    Trains: TypeAlias = "LoadedGame[trains.State, trains.View, trains.Action, trains.Setup]"


S = TypeVar("S")  # state
V = TypeVar("V")  # view
A = TypeVar("A")  # action
C = TypeVar("C")  # setup


class Position(Generic[S, V, A]):
    """A moment of a match.  It never changes: `apply` gives the position after an action, `befall` after chance.

    A notebook draws it, with everything in it; `print` shows it in words.

    >>> import fairplay
    >>> position = fairplay.load("fish", rows=3, columns=3, fish=1).start(seed=1)
    >>> position.to_move
    0
    >>> position.apply("1,1").to_move
    1
    >>> position.apply("9,9")
    Traceback (most recent call last):
    ...
    fairplay.core.faults.IllegalActionError: red may not do 9,9: (9,9) is not on the board
    """

    def __init__(self, game: LoadedGame[S, V, A, Any], state: S, last: Turn[S, A] | None = None) -> None:
        self.game = game
        self.state = state
        self.last = last  # the turn that led here, if one did

    @property
    def notation(self) -> str:
        """The position in one line, with what is hidden in it; `LoadedGame.position` reads it."""
        return self.game.game.notation.format_position(self.state)

    @property
    def to_move(self) -> Seat | None:
        """Whose turn it is; None when the match is over, or if chance decides first."""
        return find_mover(self.game.game, self.state)

    @property
    def chance(self) -> Chance | None:
        """What chance decides before anybody's turn: outcomes and their weights; None if nothing."""
        luck = self.game.game.chance_rules
        return None if luck is None else luck.chance(self.state)

    @property
    def is_over(self) -> bool:
        """Is the match over?"""
        return is_over(self.game.game, self.state)

    @property
    def scores(self) -> Mapping[Seat, Score]:
        """The scores as they stand, by seat: points first, then what breaks ties; without seats that were removed."""
        return self.game.game.rules.scores(self.state)

    def legal_actions(self) -> list[A]:
        """List what the player whose turn it is may do, in a fixed order; empty if it is nobody's."""
        return self.game.legal_actions(self)

    def view(self, seat: int | None = None) -> V:
        """What `seat` may know; by default the seat whose turn it is, which is what a bot is asked with.

        Raises UsageError if nobody sits there, or when the match is over and no seat is given.
        """
        chosen = self.to_move if seat is None else Seat(seat)
        if chosen is None:
            raise UsageError(f"{self._explain_nobody()}, so it is nobody's turn; say which seat: view(0)")
        if chosen not in (seats := self.game.game.words.facts(self.state)):
            raise UsageError(f"nobody sits on seat {chosen}; there are {', '.join(map(str, seats)) or 'none'}")
        return self.game.game.rules.view(self.state, chosen)

    def apply(self, action: A | str) -> Position[S, V, A]:
        """Return the position after an action of the player whose turn it is; the action may be a text.

        Raises NotationError if the text is not an action, IllegalActionError with the reason if the rules forbid it.
        """
        seat, game = self.to_move, self.game.game
        if seat is None:
            raise IllegalActionError(self._explain_nobody())
        wanted: Any = self.game.parse(action, self) if isinstance(action, str) else action
        checked = decode_action(game, wanted)
        if isinstance(checked, Fault):
            raise IllegalActionError(f"this is not an action of {game.name}: {checked.detail}")
        judged = judge(game, game.rules.view(self.state, seat), checked)
        if isinstance(judged, Fault):
            raise IllegalActionError(f"{game.words.seat_name(seat)} may not do {judged.detail}")
        after = game.rules.apply(self.state, judged)
        return Position(self.game, after, Turn(self.state, seat, judged, after))

    def befall(self, outcome: object) -> Position[S, V, A]:
        """Return the position after chance has brought one of its outcomes, such as `chance.draw(Random(1))` draws.

        Raises UsageError if chance has nothing to decide, or not this.
        """
        chance, luck = self.chance, self.game.game.chance_rules
        if chance is None or luck is None:
            raise UsageError("chance has nothing to decide here")
        if outcome not in chance.outcomes:
            raise UsageError(f"chance cannot bring {outcome!r:.80}; position.chance lists what it can")
        return Position(self.game, luck.befall(self.state, outcome))

    def _explain_nobody(self) -> str:
        """Why it is nobody's turn."""
        return "the match is over" if self.chance is None else "chance decides first (position.chance)"

    def draw(self, seat: int | None = None) -> Picture:
        """Draw the position as SVG, which a notebook shows: everything, or what `seat` may know."""
        if seat is not None:
            return self.game.game.shown.picture(self.view(seat), self.last)
        return self.game.game.shown.picture(self.state, self.last, open=True)

    def __str__(self) -> str:
        return self.game.game.words.board(self.state)

    def __repr__(self) -> str:
        seat = self.to_move
        nobody = "over" if self.is_over else "chance to decide"
        turn = nobody if seat is None else f"{self.game.game.words.seat_name(seat)} to move"
        return f"<Position {self.game.name}, {turn}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.game.name, self.state) == (other.game.name, other.state)

    def __hash__(self) -> int:
        return hash((self.game.name, self.state))

    def _repr_svg_(self) -> str:
        return str(self.draw())


# -- a game with a setup -----------------------------------------------------------------------


class LoadedGame(Generic[S, V, A, C]):
    """A game with a setup, as `fairplay.load` gives it.

    >>> game = load("fish", rows=3, columns=3)
    >>> game
    <LoadedGame fish, 2 to 4 seats>
    >>> game.format(game.legal_actions(game.start(seed=1))[0])
    '0,0'
    """

    def __init__(self, game: Game[S, V, A, C], setup: C) -> None:
        self.game = game
        self.setup = setup

    @property
    def name(self) -> str:
        """The name of the game, such as ``"fish"``."""
        return self.game.name

    @property
    def players(self) -> tuple[str, ...]:
        """The house players of the game, by name."""
        return tuple(self.game.players.strategies)

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """How many can play with this setup, such as ``(2, 3, 4)``."""
        return tuple(count for count in self.game.seats if self._can_be_dealt(count))

    def start(self, seed: int | None = None, seats: int | None = None) -> Position[S, V, A]:
        """Deal a match, and return the position before the first turn.

        seed: the same seed gives the same deal on every machine.  None draws one.
        seats: how many play.  Default: the fewest that can.

        Raises SetupError if the game cannot be dealt so.
        """
        chosen = secrets.randbits(53) if seed is None else seed
        count = (self.seats or self.game.seats)[0] if seats is None else seats
        return Position(self, deal_state(self.game, self.setup, chosen, count))

    def position(self, notation: str) -> Position[S, V, A]:
        """Read a position of one line, as `Position.notation` writes it.

        Raises NotationError if the text is not a position of this game.

        >>> game = load("fish", rows=3, columns=3, fish=1)
        >>> game.position(game.start(seed=1).apply("1,1").notation).to_move
        1
        """
        return Position(self, self.game.notation.parse_position(notation))

    def legal_actions(self, shown: Position[S, V, A] | S | V) -> list[A]:
        """List what the player whose turn it is may do, in a fixed order; empty when the match is over.

        shown: a position, its state, or a view, such as a bot is asked with.
        """
        view = self._view_of(shown)
        return [] if view is None else list(self.game.rules.legal_actions(view))

    def parse(self, text: str, shown: Position[S, V, A] | S | V | None = None) -> A:
        """Read an action, such as ``"draw"`` or ``"Ash-Birch red"``.

        shown: where the action is to be done.  It completes what the text leaves out; without it, the setup does as far
            as it can.

        Raises NotationError if the text is not an action of this game.
        """
        if shown is None:
            shown = self._example.state
        state = shown.state if isinstance(shown, Position) else shown
        return self.game.notation.parse_action(text, state)

    def format(self, action: A) -> str:
        """Write an action as a short text; the inverse of `parse`."""
        return self.game.notation.format_action(action)

    def __repr__(self) -> str:
        first, last = self.seats[:1], self.seats[1:][-1:]
        seats = f"{' to '.join(str(count) for count in (*first, *last))} seats" if first else "cannot be dealt"
        return f"<LoadedGame {self.name}, {seats}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LoadedGame) and (self.name, self.setup) == (other.name, other.setup)

    @cached_property
    def _example(self) -> Position[S, V, A]:
        """Some deal: it knows the board, and of which types states and views are."""
        return self.start(seed=0)

    def _view_of(self, shown: Position[S, V, A] | S | V) -> V | None:
        """The view of the player whose turn it is; None if it is nobody's."""
        state = shown.state if isinstance(shown, Position) else shown
        if not isinstance(state, type(self._example.state)):
            return cast("V", state)
        seat = find_mover(self.game, state)
        return None if seat is None else self.game.rules.view(state, seat)

    def _can_be_dealt(self, seats: int) -> bool:
        try:
            deal_state(self.game, self.setup, 0, seats)
        except SetupError:
            return False
        return True


AnyLoadedGame: TypeAlias = LoadedGame[Any, Any, Any, Any]
AnyPosition: TypeAlias = Position[Any, Any, Any]


@overload
def load(
    name: Literal["fish"],
    *,
    variant: str | None = ...,
    board: Json | Path = ...,
    setup: Mapping[str, object] | fish.Setup | None = ...,
    **fields: object,
) -> Fish: ...
@overload
def load(
    name: Literal["labyrinth"],
    *,
    variant: str | None = ...,
    board: Json | Path = ...,
    setup: Mapping[str, object] | labyrinth.Setup | None = ...,
    **fields: object,
) -> Labyrinth: ...
@overload
def load(
    name: Literal["trains"],
    *,
    variant: str | None = ...,
    board: Json | Path = ...,
    setup: Mapping[str, object] | trains.Setup | None = ...,
    **fields: object,
) -> Trains: ...
@overload
def load(
    name: str, *, variant: str | None = ..., board: Json | Path = ..., setup: object = ..., **fields: object
) -> AnyLoadedGame: ...
def load(
    name: str, *, variant: str | None = None, board: Json | Path = None, setup: Any = None, **fields: object
) -> AnyLoadedGame:
    """Load a game by name: ``"fish"``, ``"labyrinth"``, ``"trains"``, or one of an installed package.

    A name that ends in ``.py`` is the path of a file that holds a game.  The file is run, in this process and in all
    others that play it.

    variant: one of the game's variants, such as ``"original"``.  Default: the standard one.
    board: the name of a board that comes with the game, the path of a JSON file, or the board itself as JSON.
    setup: fields of the setup as a dictionary, or a whole setup.
    fields: more fields of the setup, such as ``rows=5`` for Fish or ``map="small"`` for Trains.  A map may also be JSON
        in the form of map files, which is that of the established protocol.

    Raises UsageError if there is no such game, variant or board, SetupError if the fields do not make a setup.

    >>> load("trains", map="small").setup.map
    'small'
    """
    game = open_game(name)
    changed = msgspec.to_builtins(fields)
    if isinstance(setup, game.setup):
        if variant is not None or board is not None:
            raise SetupError("setup: a whole setup already says which variant and board; leave variant and board out")
        return LoadedGame(game, build_setup(game, setup, changed))
    given = {} if setup is None else dict(setup)
    return LoadedGame(game, choose_setup(game, variant, {**given, **changed}, board))
