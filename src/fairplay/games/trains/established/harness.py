"""The test programs of Trains (Trains 12): JSON values in, one JSON value out."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from fairplay.core import ContestBegan, ContestEnded, Ended, Fault, FaultKind, Json, Misbehaved, Player, WireError
from fairplay.core.convert import as_type, text
from fairplay.core.established import Call, Client, FaultyClient, RemotePrograms, TestBench, TestClient, TestProgram
from fairplay.games.trains.deal import NotEnoughDestinations, destinations_needed
from fairplay.games.trains.drawing.picture import draw_map
from fairplay.games.trains.established.client import TrainsClient
from fairplay.games.trains.established.forms import player_state_from_json
from fairplay.games.trains.established.signup import TOO_FEW
from fairplay.games.trains.map import CityName, Color, Connection, Map, build_network
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.players.strategies import TrainsStrategy, buy_now, cheat, hold_10
from fairplay.games.trains.rules import start, why_illegal
from fairplay.games.trains.state import Acquire, Action, Dealt, More, Setup, State, View

_SIZES = range(2, 9)  # Trains 1.10
SIGN_UPS = 50  # Trains 11.4
_PLAYER_NAME = re.compile(r"[A-Za-z]{1,50}")  # Trains 10.1

_Name = Annotated[str, Meta(min_length=1)]
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
_Instance = tuple[_Name, StrategyName]
BrokenKind = Literal[
    "rm-ill-formed-start",
    "rm-ill-formed-pick",
    "rm-ill-formed-action",
    "rm-invalid-game-map",
    "rm-invalid-pick",
    "rm-non-json-action",
]

_NEWS: Mapping[type[object], str] = {
    ContestBegan: "start",
    Dealt: "setup",
    More: "more",
    Ended: "win",
    ContestEnded: "end",
}
"""The name of the call that tells each kind of news."""

_BROKEN_CALLS: Mapping[str, str] = {
    "rm-ill-formed-start": "start",
    "rm-invalid-game-map": "start",
    "rm-ill-formed-pick": "pick",
    "rm-invalid-pick": "pick",
    "rm-ill-formed-action": "play",
    "rm-non-json-action": "play",
}
"""The call in which a broken JSON layer fails (Trains 12.7)."""


class FaultyPlayer:
    """Plays well, but stops answering the named call after `answers` answers (Trains 8.9)."""

    def __init__(self, strategy: TrainsStrategy, call: str | None, answers: int = 0) -> None:
        self.strategy, self.call, self.answers = strategy, call, answers

    def choose(self, view: View) -> Action:
        self.check_call("pick" if view.picking else "play")
        return self.strategy(view)

    def hear(self, news: object) -> None:
        self.check_call(_NEWS[type(news)])

    def check_call(self, call: str) -> None:
        """Time out if this is the call that gets no answer."""
        if call != self.call:
            return
        if not self.answers:
            raise Misbehaved(Fault(FaultKind.TIMED_OUT, f"no answer to {call}"))
        self.answers -= 1


_PLAY_ANSWERS = 3  # Trains 8.9


def build_player(strategy: str) -> FaultyPlayer:
    """Build a player with the strategy of this name (Trains 8, 10.1)."""
    honest: dict[str, Callable[[Random], TrainsStrategy]] = {"Hold-10": hold_10, "Buy-Now": buy_now, "Cheat": cheat}
    if strategy in honest:
        return FaultyPlayer(honest[strategy](Random(0)), None)
    call = strategy.removeprefix("player-bad-")
    return FaultyPlayer(buy_now(Random(0)), call, _PLAY_ANSWERS if call == "play" else 0)


# -- reading the input -------------------------------------------------------------------------


def read_values(values: Sequence[Json], kinds: Sequence[object]) -> list[Any]:
    """Read the first values, each as its kind; surplus ones are ignored (Trains 12.1); raises WireError."""
    if len(values) < len(kinds):
        raise WireError(f"expected {len(kinds)} JSON values, got {len(values)}")
    return [
        _read_lenient_map(value) if kind is Map else as_type(value, kind)
        for value, kind in zip(values, kinds, strict=False)
    ]


def _read_lenient_map(value: Json) -> Map:
    """Read a map; a reversed pair is put in order (Trains 12.2); raises WireError."""
    return map_from_json(value, ordered=False)


def _ordered_setup(map: Map, deck: Sequence[Color]) -> Setup:
    """A setup with this deck and all destinations in order (Trains 12.3)."""
    return Setup(map=map, deck=tuple(deck), destinations="ordered")


# -- the programs ------------------------------------------------------------------------------


def xmap(values: Sequence[Json], bench: TestBench) -> Json:
    """Are two cities joined by some path?"""
    first, second, map = read_values(values, [CityName, CityName, Map])
    return build_network(map).is_destination(sorted((first, second)))


def xvisualize(values: Sequence[Json], bench: TestBench) -> Json:
    """Draw the map; the caller shows the picture."""
    (map,) = read_values(values, [Map])
    return draw_map(map)


def xlegal(values: Sequence[Json], bench: TestBench) -> Json:
    """May a player take a connection?"""
    map, shown, connection = read_values(values, [Map, Any, Connection])
    view = player_state_from_json(shown, build_network(map))
    return why_illegal(view, Acquire(connection)) is None


def xstrategy(values: Sequence[Json], bench: TestBench) -> Json:
    """What does Hold-10 do?"""
    map, shown = read_values(values, [Map, Any])
    action = hold_10(Random(0))(player_state_from_json(shown, build_network(map)))
    if isinstance(action, Acquire):
        one = action.connection
        return [one.first, one.second, one.color, one.length]
    return "more cards"


def xref(values: Sequence[Json], bench: TestBench) -> Json:
    """Play one match: the ranking, and the players that misbehaved."""
    instances = Annotated[tuple[_Instance, ...], Meta(min_length=_SIZES[0], max_length=_SIZES[-1])]
    map, players, deck = read_values(values, [Map, instances, tuple[Color, ...]])
    try:
        state = start(_ordered_setup(map, deck), len(players), Random(0))
    except NotEnoughDestinations:
        return TOO_FEW
    names = [name for name, _ in players]
    outcome = bench.play_match(state, [build_player(strategy) for _, strategy in players])
    ranking = [sorted(names[seat] for seat in tier) for tier in outcome.ranking]
    return [ranking, sorted(names[seat] for seat, fault in enumerate(outcome.faults) if fault)]


def xmanager(values: Sequence[Json], bench: TestBench) -> Json:
    """Play a knock-out: the winners, and the players that misbehaved."""
    instances = Annotated[tuple[_Instance, ...], Meta(min_length=_SIZES[0])]
    map, players, deck = read_values(values, [Map, instances, tuple[Color, ...]])
    return run_tournament(map, [(name, build_player(strategy)) for name, strategy in players], deck, bench)


def xserver(values: Sequence[Json], bench: TestBench) -> Json:
    """Play the tournament of a server without sockets: the listed players sign up in order (Trains 11)."""
    instances = Annotated[tuple[_Instance, ...], Meta(min_length=_SIZES[0])]
    map, players, deck = read_values(values, [Map, instances, tuple[Color, ...]])
    broken = as_type(values[3], BrokenKind) if len(values) > 3 else None
    signed_up = list(_list_sign_ups(players, broken))
    if len(signed_up) < _SIZES[0]:
        return [[], []]  # Trains 11.4
    return run_tournament(map, signed_up, deck, bench)


def _list_sign_ups(players: Sequence[_Instance], broken: str | None) -> Iterator[tuple[str, FaultyPlayer]]:
    """List who takes part: invalid names do not count (Trains 11.2), nor does anyone after the fiftieth (11.4)."""
    listed = [(name, build_player(strategy)) for name, strategy in players]
    if broken:  # Trains 12.7
        for name, strategy in players:
            again = build_player(strategy)
            again.call, again.answers = _BROKEN_CALLS[broken], 0
            listed.append((f"r{name}", again))
    valid = (player for player in listed if _PLAYER_NAME.fullmatch(player[0]))
    yield from (player for player, _ in zip(valid, range(SIGN_UPS), strict=False))


def run_tournament(
    map: Map, players: Sequence[tuple[str, FaultyPlayer]], deck: Sequence[Color], bench: TestBench
) -> Json:
    """Play a knock-out in which everyone proposes `map` (Trains 9)."""
    setup = _ordered_setup(map, deck)
    names = [name for name, _ in players]
    signed_up = [_SignedUpPlayer(player) for _, player in players]

    def deal(seats: int) -> State:
        left = sum(player.started for player in signed_up)
        if build_network(map).destination_count < destinations_needed(setup, min(left, _SIZES[-1])):  # Trains 9.4
            raise NotEnoughDestinations(TOO_FEW)
        return start(setup, seats, Random(0))

    try:
        result = bench.play_knockout(signed_up, deal, _SIZES)
    except NotEnoughDestinations:
        for player in signed_up:
            if player.started:
                with suppress(Misbehaved):
                    player.hear(ContestEnded(won=False))  # Trains 9.4, 14.13
        return TOO_FEW
    misbehaved = sorted(names[number] for number, fault in enumerate(result.faults) if fault)
    return [sorted(names[number] for number in result.winners), misbehaved]


class _SignedUpPlayer:
    """A player of a tournament, and whether it answered `start`."""

    def __init__(self, player: Player) -> None:
        self.player, self.started = player, False

    def choose(self, view: View) -> Action:
        action: Action = self.player.choose(view)
        return action

    def hear(self, news: object) -> None:
        self.player.hear(news)
        if isinstance(news, ContestBegan):
            self.started = True


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


class _BrokenClient:
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
        return _BREAKS[self.kind](answer) if call.method == _BROKEN_CALLS[self.kind] else answer


def cut_off(answer: Json) -> Json:
    """Send 4,090 spaces and the answer without its last character; nothing complete can follow."""
    return msgspec.Raw(f"{' ' * 4090}{text(answer)[:-1]}".encode())


_BREAKS: Mapping[str, Callable[[Json], Json]] = {
    "rm-ill-formed-start": cut_off,
    "rm-ill-formed-pick": cut_off,
    "rm-ill-formed-action": cut_off,
    "rm-invalid-game-map": lambda answer: {**answer, "cities": answer["cities"][1:]},
    "rm-invalid-pick": lambda answer: [answer],
    "rm-non-json-action": lambda answer: msgspec.Raw(b"MORE"),
}


def _build_clients(values: Sequence[Json], depth: int) -> list[TestClient]:
    """Build the listed players, who all propose the map; with a fourth value each once more behind a broken layer."""
    instances = Annotated[tuple[_Instance, ...], Meta(min_length=_SIZES[0])]
    map, players = read_values(values, [Map, instances])
    broken = as_type(values[3], BrokenKind) if len(values) > 3 else None
    listed = [TestClient(name, _build_client(map, strategy)) for name, strategy in players]
    if broken:
        listed += [
            TestClient(f"r{name}", _BrokenClient(_build_client(map, strategy), broken)) for name, strategy in players
        ]
    return listed


def _build_client(map: Map, strategy: str) -> Client:
    """Build a client with the strategy of this name, which never answers the call it is bad at (Trains 8.9)."""
    player = build_player(strategy)
    honest = TrainsClient(player.strategy, Setup(map=map))
    if player.call is None:
        return honest
    return FaultyClient(honest, player.call, player.answers, Fault(FaultKind.TIMED_OUT, f"no answer to {player.call}"))


def _read_setup(values: Sequence[Json]) -> Setup:
    """Read the deck; the players propose the map (Trains 12.3, 12.4)."""
    _, _, deck = read_values(values, [Map, Any, tuple[Color, ...]])
    return Setup(deck=tuple(deck), destinations="ordered")


REMOTE = RemotePrograms(setup=_read_setup, clients=_build_clients)
