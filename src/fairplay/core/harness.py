"""The test programs of an established protocol: what they are given, and what plays matches for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from fairplay.core import Outcome
from fairplay.core.convert import Json
from fairplay.core.established import Call, Client
from fairplay.core.faults import Fault, Misbehaved
from fairplay.core.player import Player

__all__ = ["FaultyClient", "Harness", "KnockoutResult", "RemotePrograms", "TestBench", "TestClient", "TestProgram"]


class KnockoutResult(NamedTuple):
    """How a knock-out ended: the winners by their number in age order, and the fault of each player."""

    winners: tuple[int, ...]
    faults: tuple[Fault | None, ...]


class TestBench(Protocol):
    """Plays matches for a test program, so that no game needs to know the referee."""

    def play_match(self, state: Any, players: Sequence[Player]) -> Outcome:
        """Play one match from `state`."""
        ...

    def play_knockout(self, players: Sequence[Player], deal: Callable[[int], Any], sizes: range) -> KnockoutResult:
        """Play a knock-out; `deal` makes the state of a match for a number of seats, `sizes` are the seats of a match.

        Every player hears `ContestBegan` first and, if it never faulted, `ContestEnded` last.
        """
        ...


TestProgram: TypeAlias = Callable[[Sequence[Json], TestBench], Json]
"""JSON values in, one JSON value out; raises WireError if the input does not have the expected form."""


class FaultyClient:
    """A client that answers the named call `answers` times and then misbehaves instead."""

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


class TestClient(Struct, frozen=True):
    """One client of the test program xclients: the name it signs up with, and what it answers."""

    name: str
    client: Client


class RemotePrograms(Struct, frozen=True):
    """The test programs xserver and xclients of a game (section 12 of each rule book)."""

    setup: Callable[[Sequence[Json]], Any]  # what xserver plays, by its input; raises WireError
    clients: Callable[[Sequence[Json], int], list[TestClient]]  # by the input and the search depth; raises WireError
    reads_input: bool = True  # from standard input; otherwise xclients is told how many clients there are
    sign_up_gap: float = 0.05  # seconds between two sign-ups


class Harness(Protocol):
    """The test programs of one game; a *module* satisfies it."""

    @property
    def PROGRAMS(self) -> Mapping[str, TestProgram]:  # noqa: N802 - a constant of the module
        """Those that read standard input, by name."""
        ...

    @property
    def REMOTE(self) -> RemotePrograms:  # noqa: N802 - a constant of the module
        """Those that play over TCP."""
        ...
