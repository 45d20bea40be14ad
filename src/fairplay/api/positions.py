"""A position: a game and a state of it, which draws, prints and plays itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from fairplay.core import Fault, IllegalActionError, Picture, Score, Seat, Turn, UsageError
from fairplay.match.referee import decode_action, judge

if TYPE_CHECKING:
    from fairplay.api.games import LoadedGame

S = TypeVar("S")  # state
V = TypeVar("V")  # view
A = TypeVar("A")  # action


class Position(Generic[S, V, A]):
    """A moment of a match.  It never changes: `apply` gives the position after an action.

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
        """Whose turn it is; None when the match is over."""
        return self.game.game.rules.to_move(self.state)

    @property
    def is_over(self) -> bool:
        """Is the match over?"""
        return self.to_move is None

    @property
    def scores(self) -> Mapping[Seat, Score]:
        """The scores as they stand, by seat: points first, then what breaks ties; without seats that were removed."""
        return self.game.game.rules.scores(self.state)

    def legal_actions(self) -> list[A]:
        """List what the player whose turn it is may do, in a fixed order; empty when the match is over."""
        return self.game.legal_actions(self)

    def view(self, seat: int | None = None) -> V:
        """What `seat` may know; by default the seat whose turn it is, which is what a bot is asked with.

        Raises UsageError if nobody sits there, or when the match is over and no seat is given.
        """
        chosen = self.to_move if seat is None else Seat(seat)
        if chosen is None:
            raise UsageError("the match is over, so it is nobody's turn; say which seat: view(0)")
        if chosen not in (seats := self.game.game.words.facts(self.state)):
            raise UsageError(f"nobody sits on seat {chosen}; there are {', '.join(map(str, seats)) or 'none'}")
        return self.game.game.rules.view(self.state, chosen)

    def apply(self, action: A | str) -> Position[S, V, A]:
        """Return the position after an action of the player whose turn it is; the action may be a text.

        Raises NotationError if the text is not an action, IllegalActionError with the reason if the rules forbid it.
        """
        seat, game = self.to_move, self.game.game
        if seat is None:
            raise IllegalActionError("the match is over")
        wanted: Any = self.game.parse(action, self) if isinstance(action, str) else action
        checked = decode_action(game, wanted)
        if isinstance(checked, Fault):
            raise IllegalActionError(f"this is not an action of {game.name}: {checked.detail}")
        judged = judge(game, game.rules.view(self.state, seat), checked)
        if isinstance(judged, Fault):
            raise IllegalActionError(f"{game.words.seat_name(seat)} may not do {judged.detail}")
        after = game.rules.apply(self.state, judged)
        return Position(self.game, after, Turn(self.state, seat, judged, after))

    def draw(self, seat: int | None = None) -> Picture:
        """Draw the position as SVG, which a notebook shows: everything, or what `seat` may know."""
        if seat is not None:
            return self.game.game.shown.picture(self.view(seat), self.last)
        return self.game.game.shown.picture(self.state, self.last, open=True)

    def __str__(self) -> str:
        return self.game.game.words.board(self.state)

    def __repr__(self) -> str:
        seat = self.to_move
        turn = "over" if seat is None else f"{self.game.game.words.seat_name(seat)} to move"
        return f"<Position {self.game.name}, {turn}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.game.name, self.state) == (other.game.name, other.state)

    def __hash__(self) -> int:
        return hash((self.game.name, self.state))

    def _repr_svg_(self) -> str:
        return str(self.draw())
