"""The test programs of an established protocol: what they are given, and what plays matches for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from fairplay.core.convert import Json
from fairplay.core.faults import Fault, Misbehaved
from fairplay.core.game import Outcome
from fairplay.core.player import Player
from fairplay.parts.established import Call, Client

__all__ = ["Applicant", "Faltering", "Harness", "Program", "RemotePrograms", "Stage", "Standing"]


class Standing(NamedTuple):
    """How a knock-out ended: winners by their number in age order, and everybody's fault."""

    winners: tuple[int, ...]
    faults: tuple[Fault | None, ...]


class Stage(Protocol):
    """Plays matches for a harness program, so that no game has to know the referee."""

    def match(self, state: Any, players: Sequence[Player]) -> Outcome:
        """Play one match from `state`."""
        ...

    def knock_out(self, players: Sequence[Player], deal: Callable[[int], Any], sizes: range) -> Standing:
        """Play a knock-out; `deal` makes the state of each match for so many seats, `sizes` are the seats of a match.

        Every player hears `ContestBegan` first of all and, if it never faulted, `ContestEnded` last of all.
        """
        ...


Program: TypeAlias = Callable[[Sequence[Json], Stage], Json]
"""A harness program: JSON values in, one JSON value out; raises WireError where the input is not of its form."""


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


class Harness(Protocol):
    """The test programs of one game; a *module* satisfies it."""

    @property
    def PROGRAMS(self) -> Mapping[str, Program]:  # noqa: N802 - a constant of the module
        """Those that read standard input, by name."""
        ...

    @property
    def REMOTE(self) -> RemotePrograms:  # noqa: N802 - a constant of the module
        """Those that play over TCP."""
        ...
