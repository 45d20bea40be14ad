"""What an established protocol fixes besides its calls: signing up, who is told what, how the result is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from fairplay.core.faults import Fault, Misbehaved
from fairplay.core.wire import Call, Json

if TYPE_CHECKING:
    from fairplay.core.player import Standing  # which stands on games, which stand on this

__all__ = ["Applicant", "Client", "Faltering", "Period", "RemotePrograms", "SignUp", "SignUpDesk"]


class Period(Struct, frozen=True):
    """One wait for players: so long, then a start if at least so many have signed up."""

    seconds: float
    least: int


class SignUp(Struct, frozen=True):
    """How players sign up over TCP (section 11 of each rule book)."""

    name: str  # what a name looks like: a regular expression
    name_patience: float  # seconds from the connection to the whole name
    periods: tuple[Period, ...]
    most: int  # with so many a period ends at once
    sizes: range  # seats of one match
    last_is_first: bool = False  # whoever connected last sits first (Labyrinth 11.3)


class SignUpDesk(Protocol):
    """What a game says about tournaments over its protocol; a *module* satisfies it."""

    SETUP: Any
    """What a server plays unless it is told otherwise."""

    def sign_up(self, setup: Any) -> SignUp:
        """Who may sign up for matches of `setup`."""
        ...

    def agreed(self, setup: Any, answers: Sequence[Json | None]) -> Any:
        """The setup of all matches, given what the players answered to the first call, in age order.

        None stands for a player of the house.  Raises SetupError where no match can be played.
        """
        ...

    def result(self, names: Sequence[str], standing: Standing | None) -> Json:
        """What the server prints; `standing` is None where no match could be played."""
        ...


class Client(Protocol):
    """The player's side of a conversation: calls in, answers out."""

    @property
    def over(self) -> bool:
        """Has the last call been answered?"""
        ...

    @property
    def won(self) -> bool | None:
        """What the last call said about the end."""
        ...

    def answer(self, call: Call) -> Json:
        """What the client says to `call`; raises WireError where that is no valid call."""
        ...


class Faltering:
    """A client that answers the named call so many times, and then misbehaves instead."""

    def __init__(self, client: Client, method: str, answers: int, fault: Fault) -> None:
        self.client, self.method, self.answers, self.fault = client, method, answers, fault

    @property
    def over(self) -> bool:
        return self.client.over

    @property
    def won(self) -> bool | None:
        return self.client.won

    def answer(self, call: Call) -> Json:
        if call.method == self.method:
            if not self.answers:
                raise Misbehaved(self.fault)
            self.answers -= 1
        return self.client.answer(call)


class Applicant(Struct, frozen=True):
    """One client of the test program xclients: the name it signs up with, and what it answers."""

    name: str
    client: Client


class RemotePrograms(Struct, frozen=True):
    """The test programs xserver and xclients of a game (section 12 of each rule book)."""

    setup: Callable[[Sequence[Json]], Any]  # what xserver plays, by its input; raises WireError
    applicants: Callable[[Sequence[Json], int], list[Applicant]]  # by the input and the look-ahead; raises WireError
    reads: bool = True  # from standard input; otherwise xclients is told how many clients there are
    gap: float = 0.05  # seconds between two sign-ups
