"""The protocol that existing implementations of a game speak: calls, signing up, clients, test programs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from fairplay.core.convert import Json
from fairplay.core.faults import Fault, Misbehaved, WireError
from fairplay.core.match import Outcome, Player

VOID = "void"
"""The answer to a call that asks for nothing."""

V = TypeVar("V")
A = TypeVar("A")
V_contra = TypeVar("V_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)


class Call(NamedTuple):
    """One call of a protocol: a method name with its arguments."""

    method: str
    arguments: list[Json]


class Wire(Protocol[V_contra, A_co]):
    """How a game's established protocol spells the referee's orders; a *module* satisfies it."""

    CONVERSATION: str
    """What one seat is called with over one match: a regular expression, a blank after each method name."""

    def spell_question(self, view: V_contra) -> Call:
        """The call that asks for the decision that `view` awaits."""
        ...

    def spell_news(self, news: object) -> Call | None:
        """The call that tells `news`; None if the protocol has no word for it."""
        ...

    def read_action(self, view: V_contra, answer: Json) -> A_co:
        """The action that `answer` spells; raises WireError."""
        ...

    def check_reply(self, news: object, answer: Json) -> None:
        """Accept the answer to a call that told something; raises WireError."""
        ...


def expect_void(answer: Json) -> None:
    """Accept "void" and nothing else; raises WireError."""
    if answer != VOID or not isinstance(answer, str):
        raise WireError(f'expected "{VOID}"')


class Period(Struct, frozen=True):
    """One wait for players: this long, then a start if at least `least` have signed up."""

    seconds: float
    least: int


class SignUp(Struct, frozen=True):
    """How players sign up over TCP (section 11 of each rule book)."""

    name: str  # what a name looks like: a regular expression
    name_patience: float  # seconds from the connection to the whole name
    periods: tuple[Period, ...]
    most: int  # with this many a period ends at once
    sizes: range  # seats of one match
    last_is_first: bool = False  # the player who connected last sits first (Labyrinth 11.3)


class KnockoutResult(NamedTuple):
    """How a knock-out ended: the winners by their number in age order, and the fault of each player."""

    winners: tuple[int, ...]
    faults: tuple[Fault | None, ...]


class SignUpRules(Protocol):
    """What a game says about tournaments over its protocol; a *module* satisfies it."""

    SETUP: Any
    """What a server plays unless it is told otherwise."""

    CLIENT_SETUP: Any
    """What a client goes by unless it is told otherwise; it proposes the map of it, if it is asked for one."""

    def sign_up_terms(self, setup: Any) -> SignUp:
        """Who may sign up for matches of `setup`."""
        ...

    def agree_on_setup(self, setup: Any, answers: Sequence[Json | None]) -> Any:
        """The setup of all matches, given what the players answered to the first call, in age order.

        None stands for a player of the house.  Raises SetupError if no match can be played.
        """
        ...

    def format_result(self, names: Sequence[str], standing: KnockoutResult | None) -> Json:
        """What the server prints; `standing` is None if no match could be played."""
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
        """What the client says to `call`; raises WireError if that is not a valid call."""
        ...


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


@dataclass(frozen=True)
class Established(Generic[V, A]):
    """All of a game's established protocol, in one part that a game may do without."""

    wire: Wire[V, A]
    sign_up: SignUpRules
    client: Callable[..., Client]  # takes a strategy and a setup
    harness: Callable[[], Harness]  # its test programs, loaded when they are asked for
