"""Signing up with its waiting periods, whole tournaments over sockets, the house in empty seats, TLS."""

from __future__ import annotations

import asyncio
import re
import ssl
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random
from shutil import which
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.contest.contest import Entrant
from fairplay.core import FaultKind, House
from fairplay.core.chance import derived, derived_seed
from fairplay.core.established import Period
from fairplay.core.game import established_of
from fairplay.course.programs import InlineStage
from fairplay.match.players import house_strategy
from fairplay.match.record import read_record
from fairplay.match.replay import deal_state, record_match
from fairplay.net.admission import NativeTerms
from fairplay.net.established import answer_calls, sign_up_client
from fairplay.net.native import Address, ClientConversation, join_server
from fairplay.net.server import HostedResult, host_knock_out
from fairplay.net.sign_up import SignUpLimits, SignUpServer, open_listener
from fairplay.run import inline
from skipping_loop import run_skipping, settle

from .native import WAYS, Native, hello, played, reached
from .tables import FISH, LABYRINTH, LOCAL, STRATEGY, TRAINS, Server, kinds


def names(count: int) -> list[str]:
    return [chr(ord("a") + number // 26) + chr(ord("a") + number % 26) for number in range(count)]


@pytest.mark.parametrize("players", [2, 5, 10, 23])
def test_a_tournament_of_fish_over_sockets_is_the_knock_out_inline(players: int) -> None:
    lines: dict[int, list[bytes]] = {}

    async def over_sockets() -> HostedResult:
        server = Server(
            FISH, players, seed=11, watch=lambda match, line: lines.setdefault(match.number, []).append(line)
        )
        return await server.ended(*[await server.honest(name) for name in names(players)])

    hosted = asyncio.run(over_sockets())
    seeds = [derived_seed(11, "deal", number) for number in range(len(lines))]
    deals = iter(seeds)
    setup = established_of(FISH).sign_up.SETUP
    standing = InlineStage(FISH).play_knockout(
        [House(house_strategy(FISH, STRATEGY["fish"], derived(1, 0))) for _ in range(players)],
        lambda seats: deal_state(FISH, setup, next(deals), seats),
        range(2, 5),
    )
    assert hosted.standing == standing
    assert hosted.result == [len(standing.winners), 0]
    for number, seed in enumerate(seeds):
        again: list[bytes] = []
        header = read_record(lines[number]).header
        seated = header.players
        here = [House(house_strategy(FISH, STRATEGY["fish"], derived(1, 0))) for _ in seated]
        inline.play_inline(record_match(FISH, setup, seed, seated, again.append, levels=header.levels), here)
        assert lines[number] == again


@pytest.mark.parametrize("way", ["established", *WAYS])
@pytest.mark.parametrize(
    ("game", "variant", "spec"),
    [
        (FISH, "standard", "minimax:depth=2"),
        (FISH, "original", "greedy"),
        (TRAINS, "standard", "hold-10"),
        (LABYRINTH, "plain", "riemann"),
        (LABYRINTH, "multi-goal", "euclid"),
        (LABYRINTH, "original", "euclid"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_match_over_sockets_is_the_match_inline(game: Any, variant: str, spec: str, way: str) -> None:
    """The same setup, seed and strategies give the same record, byte for byte."""
    lines: list[bytes] = []
    options = {"seed": 5, "setup": game.variants[variant], "watch": lambda match, line: lines.append(line)}

    async def over_sockets() -> HostedResult:
        if way == "established":
            server = Server(game, 3, **options)
            return await server.ended(*[await server.honest(name, spec) for name in names(3)])
        native = Native(game, 3, **options)
        return await played(native, *[await native.visitor(name, spec, way) for name in names(3)])

    hosted = asyncio.run(over_sockets())
    assert kinds(hosted) == [None] * 3
    header = read_record(lines).header
    setup = msgspec.json.decode(header.setup, type=game.setup)
    here: list[bytes] = []
    players = [House(house_strategy(game, spec, derived(1, 0))) for _ in header.players]
    orders = record_match(game, setup, header.seed, header.players, here.append, levels=header.levels)
    inline.play_inline(orders, players)
    assert here == lines
    assert len(lines) > 10


@pytest.mark.parametrize("game", [FISH, TRAINS, LABYRINTH], ids=lambda game: game.name)
def test_programs_and_native_players_over_sockets_play_the_same_match(game: Any) -> None:
    """Also where they use chance: each seat of a match is given the same one."""
    ours, theirs = list[bytes](), list[bytes]()

    async def over_sockets() -> HostedResult:
        server = Native(game, 2, seed=5, watch=lambda match, line: ours.append(line))
        seats = [lambda chance, info: House(house_strategy(game, "random", Random(chance)))] * 2
        visitors = [ClientConversation(game, seat, name) for seat, name in zip(seats, names(2), strict=True)]
        tasks = []
        for visitor in visitors:
            tasks.append(asyncio.create_task(join_server(Address(LOCAL, server.port), visitor)))
            while visitor.session is msgspec.UNSET:
                await asyncio.sleep(0.005)
        return await played(server, *tasks)

    assert kinds(asyncio.run(over_sockets())) == [None, None]
    header = read_record(ours).header
    players = []
    for seat in range(2):
        chance = derived(header.seed, "player", seat).getrandbits(53)  # as programs get theirs
        players.append(House(house_strategy(game, "random", Random(chance))))
    setup = msgspec.json.decode(header.setup, type=game.setup)
    orders = record_match(game, setup, header.seed, header.players, theirs.append, levels=header.levels)
    inline.play_inline(orders, players)
    assert ours == theirs


@pytest.mark.parametrize("players", [2, 5, 10])
def test_a_native_tournament_is_the_established_one(players: int) -> None:
    """One connection carries all matches; some come over TCP, some in a WebSocket."""
    found: list[Any] = []

    async def over_sockets(*, native: bool) -> HostedResult:
        lines: dict[int, list[bytes]] = {}
        found.append(lines)
        options: dict[str, Any] = {
            "seed": 11,
            "watch": lambda match, line: lines.setdefault(match.number, []).append(line),
        }
        if not native:
            server = Server(FISH, players, **options)
            return await server.ended(*[await server.honest(name) for name in names(players)])
        other = Native(FISH, players, **options)
        tasks = [await other.visitor(name, way=WAYS[number % 2]) for number, name in enumerate(names(players))]
        return await played(other, *tasks)

    assert asyncio.run(over_sockets(native=True)) == asyncio.run(over_sockets(native=False))
    assert found[0] == found[1]


def test_a_native_player_hears_each_match_from_welcome_to_bye_and_then_that_it_is_over() -> None:
    async def heard() -> list[dict[str, Any]]:
        server = Native(FISH, 5)
        peer, said = await server.joined("zz")
        others = [await server.visitor(name) for name in names(4)]
        speaker, messages = server.speaker("zz"), [said]
        while line := await peer.hear():
            messages.append(msgspec.json.decode(line))
            if reply := speaker.reply(line).rstrip(b"\n"):
                await peer.send(reply)
        await peer.hang_up()
        hosted = await played(server, *others)
        assert hosted.standing is not None
        assert messages[-1] == {"type": "over", "won": 0 in hosted.standing.winners}
        return messages

    messages = asyncio.run(heard())
    spelled = "".join(message["type"][0] if message["type"] != "over" else "." for message in messages)
    assert re.fullmatch(r"j(wtta+b)+\.", spelled), spelled
    for match in re.finditer(r"w(tta+)b", spelled):
        told = messages[match.start(1) : match.end(1)]
        assert [message["id"] for message in told] == list(range(1, len(told) + 1))
    welcomes = [message for message in messages if message["type"] == "welcome"]
    assert len({message["chance"] for message in welcomes}) == len(welcomes)


@pytest.mark.parametrize("game", [FISH, TRAINS, LABYRINTH], ids=lambda game: game.name)
def test_the_house_sits_among_native_players(game: Any) -> None:
    async def filled() -> HostedResult:
        server = Native(game, 5, waiting=0.3, fill=(Entrant("house", STRATEGY[game.name]),))
        return await played(server, await server.visitor("ann"))

    hosted = asyncio.run(filled())
    assert hosted.names == ("ann", "house")
    assert kinds(hosted) == [None, None]


@pytest.mark.parametrize("game", [FISH, TRAINS, LABYRINTH], ids=lambda game: game.name)
def test_with_too_few_native_players_everybody_is_hung_up_on(game: Any) -> None:
    async def alone() -> tuple[HostedResult, bytes]:
        server = Native(game, 2, waiting=0.2)
        peer, _ = await server.joined("ann")
        hosted = await server.ended()
        last = await peer.hear()
        await peer.hang_up()
        return hosted, last

    hosted, last = asyncio.run(alone())
    assert hosted.names == ()
    assert b"too few players: 1 of 2" in last


def test_11_3_the_order_of_connecting_is_the_age_order() -> None:
    """Not that of the names arriving; in Labyrinth the last one is the youngest and sits first."""

    async def order(game: Any) -> Sequence[str]:
        server = Server(game, 2)
        _, writer = await asyncio.open_connection(LOCAL, server.port)
        await settle()
        second = await server.honest("second")
        await settle()
        writer.write(b'"first"')
        writer.write_eof()
        hosted = await server.ended(second)
        writer.close()
        return hosted.names

    for game in (FISH, TRAINS):
        assert run_skipping(order(game)) == ("first", "second")
    assert run_skipping(order(LABYRINTH)) == ("second", "first")


def test_11_5_whoever_signed_up_and_went_away_still_counts() -> None:
    async def gone() -> HostedResult:
        server = Server(FISH, 2)
        connection = await sign_up_client(LOCAL, server.port, "gone")
        connection.finish()
        await settle()
        return await server.ended(await server.honest("there"))

    hosted = run_skipping(gone())
    assert hosted.names == ("gone", "there")
    assert kinds(hosted) == [FaultKind.GONE, None]
    assert hosted.result == [1, 1]


async def waited(periods: tuple[Period, ...], players: int, most: int = 9, *, game: Any = FISH) -> HostedResult:
    sock = open_listener(LOCAL, 0)
    rules = replace(
        established_of(game).sign_up.sign_up_terms(established_of(game).sign_up.SETUP), periods=periods, most=most
    )
    serving = asyncio.create_task(host_knock_out(game, established_of(game).sign_up.SETUP, 1, sock, sign_up=rules))
    port = sock.getsockname()[1]
    clients = []
    for name in names(players):
        connection = await sign_up_client(LOCAL, port, name)
        client = established_of(game).client(
            house_strategy(game, STRATEGY[game.name], derived(1)), established_of(game).sign_up.SETUP
        )
        clients.append(asyncio.create_task(answer_calls(connection, client)))
    hosted = await serving
    for fault in await asyncio.gather(*clients):
        assert fault is None or fault.kind is FaultKind.GONE
    return hosted


@pytest.mark.parametrize(
    ("periods", "players", "starts"),
    [
        ((Period(0.3, 5), Period(30.0, 5)), 5, True),  # enough in the first period
        ((Period(0.3, 5), Period(0.3, 2)), 3, True),  # enough for the second (Trains 11.4)
        ((Period(0.3, 5), Period(0.3, 5)), 3, False),  # never enough (Fish 11.4)
        ((Period(0.3, 2), Period(0.3, 2)), 0, False),
        ((Period(30.0, 5), Period(30.0, 5)), 9, True),  # as many as there can be: at once
    ],
)
def test_11_4_waiting_periods(periods: tuple[Period, ...], players: int, *, starts: bool) -> None:
    hosted = asyncio.run(asyncio.wait_for(waited(periods, players), 120))
    assert (hosted.names != ()) == starts
    if not starts:
        assert hosted.result == [0, 0]
    assert (hosted.too_few is None) == starts


@pytest.mark.parametrize("game", [TRAINS, LABYRINTH], ids=["trains", "labyrinth"])
def test_11_4_with_too_few_players_the_result_is_empty(game: Any) -> None:
    assert asyncio.run(waited((Period(0.2, 2), Period(0.2, 2)), 1, game=game)).result == [[], []]


def test_the_rule_books_times_and_numbers() -> None:
    desks = {
        game.name: established_of(game).sign_up.sign_up_terms(established_of(game).sign_up.SETUP)
        for game in (FISH, TRAINS, LABYRINTH)
    }
    assert {name: (desk.name_patience, desk.most) for name, desk in desks.items()} == {
        "fish": (10.0, 10),
        "trains": (3.0, 50),
        "labyrinth": (2.0, 6),
    }
    assert {name: [(one.seconds, one.least) for one in desk.periods] for name, desk in desks.items()} == {
        "fish": [(30.0, 5), (30.0, 5)],
        "trains": [(20.0, 5), (20.0, 2)],
        "labyrinth": [(20.0, 2), (20.0, 2)],
    }
    assert (FISH.patience, TRAINS.patience, LABYRINTH.patience) == (3.0, 2.0, 4.0)
    for name, good, bad in [("fish", "Ann", "Ann1"), ("trains", "x" * 50, "x" * 51), ("labyrinth", "B2", "B 2")]:
        assert re.fullmatch(desks[name].name, good)
        assert not re.fullmatch(desks[name].name, bad)


def test_there_are_no_late_joiners() -> None:
    async def late() -> None:
        server = Server(FISH, 2)
        silent = await asyncio.open_connection(LOCAL, server.port)
        players = [await server.honest("good"), await server.honest("fair")]
        await server.ended(*players)
        assert await asyncio.wait_for(silent[0].read(), 120) == b""
        silent[1].close()
        with pytest.raises(ConnectionRefusedError):
            await sign_up_client(LOCAL, server.port, "late", retry_for=0)

    asyncio.run(late())


def test_the_house_fills_empty_seats() -> None:
    async def filled(players: int) -> HostedResult:
        fill = tuple(Entrant(f"house{number}", "random") for number in range(3))
        server = Server(FISH, 5, waiting=0.3, fill=fill)
        return await server.ended(*[await server.honest(name) for name in names(players)])

    assert asyncio.run(filled(1)).names == ("aa", "house0", "house1", "house2")
    assert asyncio.run(filled(3)).names == ("aa", "ab", "ac", "house0")
    assert asyncio.run(filled(5)).names == tuple(names(5))
    assert asyncio.run(filled(0)).names == ()


def test_the_house_proposes_a_map_like_anybody_else() -> None:
    """Trains 9.4."""

    async def filled() -> HostedResult:
        fill = (Entrant("house", "buy-now"),)
        tiny = msgspec.structs.replace(TRAINS.variants["standard"], map="tiny")
        server = Server(TRAINS, 2, waiting=0.3, fill=fill, setup=tiny)
        return await server.ended(await server.honest("ann"))

    hosted = asyncio.run(filled())
    assert hosted.names == ("ann", "house")
    assert kinds(hosted) == [None, None]


def test_no_address_can_have_more_than_its_share() -> None:
    """Those of the address that say nothing must go first; once all have names, newcomers are turned away."""

    async def shared() -> None:
        sock = open_listener(LOCAL, 0)
        rules = replace(established_of(FISH).sign_up.sign_up_terms(None), most=20, periods=(Period(0.8, 2),))
        desk = SignUpServer(sock, rules, SignUpLimits(unnamed=50, players=12))
        signing = asyncio.create_task(desk.collect_players())
        port = sock.getsockname()[1]
        silent = [await asyncio.open_connection(LOCAL, port) for _ in range(10)]
        named = [await sign_up_client(LOCAL, port, name) for name in names(15)]
        guests = await signing
        assert [guest.name for guest in guests] == names(12)
        for reader, writer in silent:
            assert await reader.read() == b""
            writer.close()
        for connection in [*named, *(guest.connection for guest in guests)]:
            connection.close()
        await asyncio.sleep(0)

    asyncio.run(shared())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    if which("openssl") is None:
        pytest.skip("openssl is not there to make a certificate")
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    make = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*make, *names, "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
    return cert, key


def test_tls_carries_the_same_conversation(certificate: tuple[Path, Path]) -> None:
    cert, key = certificate
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(cert, key)
    trusting = ssl.create_default_context(cafile=cert)

    async def secured() -> HostedResult:
        server = Server(FISH, 2, tls=server_side, name_patience=1.0)
        plain = await asyncio.open_connection(LOCAL, server.port)
        plain[1].write(b'"plain"')  # no TLS: does not count
        with pytest.raises(ssl.SSLError):
            await sign_up_client(LOCAL, server.port, "eve", tls=ssl.create_default_context())
        players = []
        for name in ("ann", "bob"):
            connection = await sign_up_client(LOCAL, server.port, name, tls=trusting)
            players.append(asyncio.create_task(answer_calls(connection, server.client())))
        hosted = await server.ended(*players)
        plain[1].close()
        return hosted

    hosted = asyncio.run(secured())
    assert hosted.names == ("ann", "bob")
    assert kinds(hosted) == [None, None]


@pytest.mark.parametrize("way", WAYS)
def test_tls_carries_the_native_protocol_too(certificate: tuple[Path, Path], way: str) -> None:
    cert, key = certificate
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(cert, key)
    trusting = ssl.create_default_context(cafile=cert)

    async def secured() -> HostedResult:
        server = Native(FISH, 2, tls=server_side, name_patience=2.0, terms=NativeTerms(token="t"))
        plain = await reached(server.port, "tcp")
        await plain.send(hello("plain", token="t"))  # no TLS: does not count
        assert await plain.hear() == b""
        await plain.hang_up()
        players = [await server.visitor(name, way=way, tls=trusting, token="t") for name in ("ann", "bob")]
        return await played(server, *players)

    hosted = asyncio.run(secured())
    assert hosted.names == ("ann", "bob")
    assert kinds(hosted) == [None, None]


# -- the peer's manner -------------------------------------------------------------------------


async def everything_sent(*names: bytes) -> list[bytes]:
    """All that clients of Fish are sent who send these bytes, answer the first call beforehand, and say no more."""
    server = Server(FISH, len(names), waiting=60.0)
    peers = [await asyncio.open_connection(LOCAL, server.port) for _ in names]
    for (_, writer), name in zip(peers, names, strict=True):
        writer.write(name + b'"void"')
        writer.write_eof()
    sent = [await asyncio.wait_for(reader.read(), 120) for reader, _ in peers]
    for _, writer in peers:
        writer.close()
    await server.ended()
    return sent


def test_a_line_feed_follows_each_value_only_where_the_peer_sent_one_with_its_name() -> None:
    sent = asyncio.run(everything_sent(b'"ann"', b'"bob"\n', b' "cid" ', b'"dan"\r\n'))
    assert all(each.startswith(b'["start",[true]]') for each in sent)
    assert [each.count(b"\n") > 0 for each in sent] == [False, True, False, True]
    assert [each.endswith(b"]\n") for each in sent] == [False, True, False, True]


def test_a_port_that_is_taken_is_named() -> None:
    with open_listener(LOCAL, 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=rf"cannot listen on {re.escape(LOCAL)} port {port}: "):
            open_listener(LOCAL, port)
