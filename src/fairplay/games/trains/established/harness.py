"""The test programs of Trains (Trains 12): JSON values in, one JSON value out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from fairplay.core import ContestBegan, ContestEnded, Ended, Fault, FaultKind, Json, Misbehaved, Player, WireError
from fairplay.core.convert import as_type, text
from fairplay.games.trains.codec import player_state_from_json
from fairplay.games.trains.drawing.picture import picture_of_map
from fairplay.games.trains.established.client import TrainsClient
from fairplay.games.trains.map import CityName, Colour, Connection, Map, chart
from fairplay.games.trains.map_files import map_from_json
from fairplay.games.trains.players.strategies import TrainsStrategy, buy_now, cheat, hold_10
from fairplay.games.trains.rules import NotEnoughDestinations, needed, start, why_illegal
from fairplay.games.trains.state import Acquire, Action, Dealt, More, Setup, State, View
from fairplay.parts.established import Call, Client
from fairplay.parts.harness import FaultyClient, RemotePrograms, TestBench, TestClient, TestProgram

__all__ = ["PROGRAMS", "REMOTE", "SIGN_UPS", "Faulty"]

SIZES: Final = range(2, 9)  # Trains 1.10
SIGN_UPS: Final = 50  # Trains 11.4
PLAYER_NAME: Final = re.compile(r"[A-Za-z]{1,50}")  # Trains 10.1
TOO_FEW: Final = "error: not enough destinations"  # Trains 2.2

Name = Annotated[str, Meta(min_length=1)]
StrategyName = Literal[
    "Hold-10",
    "Buy-Now",
    "Cheat",
    "player-bad-start",
    "player-bad-setup",
    "player-bad-pick",
    "player-bad-play",
    "player-bad-more",
    "player-bad-win",
    "player-bad-end",
]
Instance = tuple[Name, StrategyName]
Broken = Literal[
    "rm-ill-formed-start",
    "rm-ill-formed-pick",
    "rm-ill-formed-action",
    "rm-invalid-game-map",
    "rm-invalid-pick",
    "rm-non-json-action",
]

NEWS: Final[Mapping[type[Any], str]] = {
    ContestBegan: "start",
    Dealt: "setup",
    More: "more",
    Ended: "win",
    ContestEnded: "end",
}
"""What is told, by the name of its call."""

BROKEN_CALLS: Final[Mapping[str, str]] = {
    "rm-ill-formed-start": "start",
    "rm-invalid-game-map": "start",
    "rm-ill-formed-pick": "pick",
    "rm-invalid-pick": "pick",
    "rm-ill-formed-action": "play",
    "rm-non-json-action": "play",
}
"""Trains 12.7: the call in which a broken JSON layer fails."""


class Faulty:
    """Plays well but never answers the named call, after having answered it so many times (Trains 8.9)."""

    def __init__(self, strategy: TrainsStrategy, call: str | None, answers: int = 0) -> None:
        self.strategy, self.call, self.answers = strategy, call, answers

    def choose(self, view: View) -> Action:
        self.reach("pick" if view.picking else "play")
        return self.strategy(view)

    def hear(self, news: object) -> None:
        self.reach(NEWS[type(news)])

    def reach(self, call: str) -> None:
        if call != self.call:
            return
        if not self.answers:
            raise Misbehaved(Fault(FaultKind.TIMED_OUT, f"no answer to {call}"))
        self.answers -= 1


PLAY_ANSWERS: Final = 3  # Trains 8.9


def seated(strategy: str) -> Faulty:
    """A player with the strategy of this name (Trains 8, 10.1)."""
    honest: dict[str, Callable[[Random], TrainsStrategy]] = {"Hold-10": hold_10, "Buy-Now": buy_now, "Cheat": cheat}
    if strategy in honest:
        return Faulty(honest[strategy](Random(0)), None)
    call = strategy.removeprefix("player-bad-")
    return Faulty(buy_now(Random(0)), call, PLAY_ANSWERS if call == "play" else 0)


# -- reading the input -------------------------------------------------------------------------


def read(values: Sequence[Json], kinds: Sequence[Any]) -> list[Any]:
    """The first values, each as its kind; surplus ones are ignored (Trains 12.1); raises WireError."""
    if len(values) < len(kinds):
        raise WireError(f"expected {len(kinds)} JSON values, got {len(values)}")
    return [
        lenient_map(value) if kind is Map else as_type(value, kind) for value, kind in zip(values, kinds, strict=False)
    ]


def lenient_map(value: Json) -> Map:
    """Trains 12.2: a reversed pair is put in order."""
    return map_from_json(value, ordered=False)


def dealing(map: Map, deck: Sequence[Colour]) -> Setup:
    """Trains 12.3."""
    return Setup(map=map, deck=tuple(deck), destinations="ordered")


# -- the programs ------------------------------------------------------------------------------


def xmap(values: Sequence[Json], bench: TestBench) -> Json:
    first, second, map = read(values, [CityName, CityName, Map])
    return chart(map).is_destination(sorted((first, second)))


def xvisualize(values: Sequence[Json], bench: TestBench) -> Json:
    """The picture itself; whoever runs the program shows it."""
    (map,) = read(values, [Map])
    return picture_of_map(map)


def xlegal(values: Sequence[Json], bench: TestBench) -> Json:
    map, shown, connection = read(values, [Map, Any, Connection])
    view = player_state_from_json(shown, chart(map))
    return why_illegal(view, Acquire(connection)) is None


def xstrategy(values: Sequence[Json], bench: TestBench) -> Json:
    map, shown = read(values, [Map, Any])
    action = hold_10(Random(0))(player_state_from_json(shown, chart(map)))
    if isinstance(action, Acquire):
        one = action.connection
        return [one.first, one.second, one.colour, one.length]
    return "more cards"


def xref(values: Sequence[Json], bench: TestBench) -> Json:
    instances = Annotated[tuple[Instance, ...], Meta(min_length=SIZES[0], max_length=SIZES[-1])]
    map, players, deck = read(values, [Map, instances, tuple[Colour, ...]])
    try:
        state = start(dealing(map, deck), len(players), Random(0))
    except NotEnoughDestinations:
        return TOO_FEW
    names = [name for name, _ in players]
    outcome = bench.play_match(state, [seated(strategy) for _, strategy in players])
    ranking = [sorted(names[seat] for seat in tier) for tier in outcome.ranking]
    return [ranking, sorted(names[seat] for seat, fault in enumerate(outcome.faults) if fault)]


def xmanager(values: Sequence[Json], bench: TestBench) -> Json:
    instances = Annotated[tuple[Instance, ...], Meta(min_length=SIZES[0])]
    map, players, deck = read(values, [Map, instances, tuple[Colour, ...]])
    return tournament(map, [(name, seated(strategy)) for name, strategy in players], deck, bench)


def xserver(values: Sequence[Json], bench: TestBench) -> Json:
    """The sign-up and the tournament of a server, without sockets: the listed players sign up in order (Trains 11)."""
    instances = Annotated[tuple[Instance, ...], Meta(min_length=SIZES[0])]
    map, players, deck = read(values, [Map, instances, tuple[Colour, ...]])
    broken = as_type(values[3], Broken) if len(values) > 3 else None
    signed_up = list(sign_ups(players, broken))
    if len(signed_up) < SIZES[0]:
        return [[], []]  # Trains 11.4
    return tournament(map, signed_up, deck, bench)


def sign_ups(players: Sequence[Instance], broken: str | None) -> Iterator[tuple[str, Faulty]]:
    """Who takes part: invalid names do not count (Trains 11.2), nor does anybody after the fiftieth (11.4)."""
    listed = [(name, seated(strategy)) for name, strategy in players]
    if broken:  # Trains 12.7
        for name, strategy in players:
            again = seated(strategy)
            again.call, again.answers = BROKEN_CALLS[broken], 0
            listed.append((f"r{name}", again))
    valid = (player for player in listed if PLAYER_NAME.fullmatch(player[0]))
    yield from (player for player, _ in zip(valid, range(SIGN_UPS), strict=False))


def tournament(map: Map, players: Sequence[tuple[str, Faulty]], deck: Sequence[Colour], bench: TestBench) -> Json:
    """Trains 9: everybody proposes `map`."""
    setup = dealing(map, deck)
    names = [name for name, _ in players]
    began = [Signed(player) for _, player in players]

    def deal(seats: int) -> State:
        left = sum(player.in_it for player in began)
        if chart(map).destination_count < needed(setup, min(left, SIZES[-1])):  # Trains 9.4
            raise NotEnoughDestinations(TOO_FEW)
        return start(setup, seats, Random(0))

    try:
        standing = bench.play_knockout(began, deal, SIZES)
    except NotEnoughDestinations:
        for player in began:
            if player.in_it:
                with suppress(Misbehaved):
                    player.hear(ContestEnded(won=False))  # Trains 9.4, 14.13
        return TOO_FEW
    misbehaved = sorted(names[number] for number, fault in enumerate(standing.faults) if fault)
    return [sorted(names[number] for number in standing.winners), misbehaved]


class Signed:
    """A player of a tournament, and whether it answered `start`."""

    def __init__(self, player: Player) -> None:
        self.player, self.in_it = player, False

    def choose(self, view: View) -> Action:
        action: Action = self.player.choose(view)
        return action

    def hear(self, news: object) -> None:
        self.player.hear(news)
        if isinstance(news, ContestBegan):
            self.in_it = True


PROGRAMS: Mapping[str, TestProgram] = {
    "xmap": xmap,
    "xvisualize": xvisualize,
    "xlegal": xlegal,
    "xstrategy": xstrategy,
    "xref": xref,
    "xmanager": xmanager,
    "xserver": xserver,
}


# -- over TCP ----------------------------------------------------------------------------------


class Torn:
    """A client behind a broken JSON layer of the named kind (Trains 12.7)."""

    def __init__(self, client: Client, kind: str) -> None:
        self.client, self.kind = client, kind

    @property
    def over(self) -> bool:
        return self.client.over

    @property
    def won(self) -> bool | None:
        return self.client.won

    def answer(self, call: Call) -> Json:
        answer = self.client.answer(call)
        return BREAKS[self.kind](answer) if call.method == BROKEN_CALLS[self.kind] else answer


def torn(answer: Json) -> Json:
    """4,090 blanks and the answer without its last character; nothing whole can come after that."""
    return msgspec.Raw(f"{' ' * 4090}{text(answer)[:-1]}".encode())


BREAKS: Final[Mapping[str, Callable[[Json], Json]]] = {
    "rm-ill-formed-start": torn,
    "rm-ill-formed-pick": torn,
    "rm-ill-formed-action": torn,
    "rm-invalid-game-map": lambda answer: {**answer, "cities": answer["cities"][1:]},
    "rm-invalid-pick": lambda answer: [answer],
    "rm-non-json-action": lambda answer: msgspec.Raw(b"MORE"),
}


def build_clients(values: Sequence[Json], depth: int) -> list[TestClient]:
    """The listed players, all proposing the map; with a fourth value each once more behind a broken layer."""
    instances = Annotated[tuple[Instance, ...], Meta(min_length=SIZES[0])]
    map, players = read(values, [Map, instances])
    broken = as_type(values[3], Broken) if len(values) > 3 else None
    listed = [TestClient(name, client(map, strategy)) for name, strategy in players]
    if broken:
        listed += [TestClient(f"r{name}", Torn(client(map, strategy), broken)) for name, strategy in players]
    return listed


def client(map: Map, strategy: str) -> Client:
    """A client with the strategy of this name, which never answers the call it is bad at (Trains 8.9)."""
    player = seated(strategy)
    honest = TrainsClient(player.strategy, Setup(map=map))
    if player.call is None:
        return honest
    return FaultyClient(honest, player.call, player.answers, Fault(FaultKind.TIMED_OUT, f"no answer to {player.call}"))


def setup(values: Sequence[Json]) -> Setup:
    """Trains 12.3, 12.4: only the colours are used; the players propose the map."""
    _, _, deck = read(values, [Map, Any, tuple[Colour, ...]])
    return Setup(deck=tuple(deck), destinations="ordered")


REMOTE = RemotePrograms(setup=setup, clients=build_clients)
