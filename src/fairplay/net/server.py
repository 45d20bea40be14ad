"""A server: players sign up over TCP or a WebSocket, play one contest beside local ones, and hear how it ended."""

import asyncio
import socket
import ssl
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairplay.contest.contest import Contest, Entrant, Match, number_names
from fairplay.core import AnyGame, Json
from fairplay.core.established import KnockoutResult, Period, SignUp
from fairplay.match.protocol import Hello
from fairplay.net.admission import Admission, EstablishedAdmission, NativeAdmission, NativeTerms, SignedUp
from fairplay.net.sign_up import SignUpLimits, SignUpProgress, SignUpServer, WrongProtocol
from fairplay.net.transcript import Transcript
from fairplay.run.engines.pool import Engine, Pool
from fairplay.run.hosting import Hosting, agree_on_setup, hold_contest, knock_out_of, resume_contest
from fairplay.run.keeping import Keeper, MemoryKeeper
from fairplay.store import SessionRow

_Create = Callable[[Contest, Sequence[SessionRow]], Keeper]
"""Keeps a contest that begins, with the sessions of its remote players."""

_NATIVE_SIGN_UP = SignUp("", 10.0, (Period(30.0, 2), Period(30.0, 2)), 50, range(0))
"""How players sign up for a game that has no established protocol to say so."""


class HostedResult(Struct, frozen=True):
    """What a server has to say in the end."""

    names: tuple[str, ...]  # in the order of entry, as they were given
    standing: KnockoutResult | None  # None: no match could be played
    result: Json  # as the established protocol prints it, if the game has one
    too_few: str | None = None  # why nothing was played, if too few signed up


class Service(Struct, frozen=True, kw_only=True):
    """What is served: a contest without those who will sign up, and the terms on which they do."""

    contest: Contest  # with its local entrants
    sign_up: SignUp
    native: NativeTerms | None = None  # None: the game's established protocol
    fill: tuple[Entrant, ...] = ()  # local players for empty seats: up to one more than there are of them
    limits: SignUpLimits = SignUpLimits()
    tls: ssl.SSLContext | None = None
    transcript: Transcript | None = None
    watch: Callable[[Match, bytes], object] | None = None  # is shown every line of a match with remote players
    report: Callable[..., object] | None = None  # is shown every result once it is kept
    watch_sign_up: Callable[[SignUpProgress | WrongProtocol], object] | None = None  # is told how far sign-up has come


def sign_up_for(game: AnyGame, setup: object) -> SignUp:
    """The terms of sign-up: those of the established protocol, if the game has one."""
    if game.parts.established is not None:
        return game.parts.established.sign_up.sign_up_terms(setup)
    return replace(_NATIVE_SIGN_UP, sizes=game.seats)


async def host_knock_out(
    game: AnyGame,
    setup: object,
    seed: int,
    sock: socket.socket,
    *,
    sign_up: SignUp | None = None,
    patience: float | None = None,
    **more: Any,
) -> HostedResult:
    """Sign players up, play one knock-out, hang up on everyone; nothing is kept.  `more` is of a Service."""
    rules = sign_up or sign_up_for(game, setup)
    service = Service(contest=knock_out_of(game, setup, seed, rules, patience), sign_up=rules, **more)
    return await serve_contest(game, service, sock, Pool(1))


async def serve_contest(
    game: AnyGame, service: Service, sock: socket.socket, engine: Engine, create: _Create | None = None
) -> HostedResult:
    """Sign players up, hold the contest with them and the local entrants, hang up on everyone."""
    rules = service.sign_up
    if service.fill:
        rules = replace(rules, periods=tuple(Period(period.seconds, 1) for period in rules.periods))
    admission = _choose_admission(game, service)
    sign_ups = SignUpServer(
        sock, rules, service.limits, service.tls, admission, service.transcript, service.watch_sign_up
    )
    guests = await sign_ups.collect_players()
    filled = service.fill[: max(0, len(service.fill) + 1 - len(guests))] if guests else ()
    local = (*service.contest.entrants, *filled)
    names = (*(guest.name for guest in guests), *(entrant.name for entrant in local))
    standing: KnockoutResult | None = KnockoutResult((), ())
    try:
        if sign_ups.too_few is None and (guests or len(local) > 1):
            contest = replace(service.contest, entrants=_entrants_of(service, guests, local))
            contenders = {n: admission.player(game, guest, contest.patience) for n, guest in enumerate(guests)}
            hosting = _hosting_of(game, service, engine, guests, create)
            standing = await hold_contest(game, contest, contenders, hosting)
    finally:
        sign_ups.shut()
        await asyncio.gather(*(admission.hang_up(guest) for guest in guests))
    return HostedResult(names, standing, result_of(game, names, standing), sign_ups.too_few)


async def resume_served(
    game: AnyGame,
    service: Service,
    sessions: Sequence[SessionRow],
    sock: socket.socket,
    engine: Engine,
    keeper: Keeper,
) -> HostedResult:
    """Go on with a contest whose server was stopped; those who signed up come back with their sessions.

    Raises EngineError if somebody has none, as in the established protocols (`find_stranded`).
    """
    admission = NativeAdmission(game, service.native or NativeTerms())
    guests = [admission.expect(row.player, row.secret, _decode_hello(row)) for row in sessions]
    sign_ups = SignUpServer(sock, service.sign_up, service.limits, service.tls, admission, service.transcript)
    sign_ups.reopen(guests)
    contest = service.contest
    contenders = {guest.number: admission.player(game, guest, contest.patience) for guest in guests}
    hosting = Hosting(engine=engine, watch=service.watch, report=service.report)
    try:
        standing = await resume_contest(game, contest, contenders, keeper, hosting)
    finally:
        sign_ups.shut()
        await asyncio.gather(*(admission.hang_up(guest) for guest in guests))
    return HostedResult(contest.names, standing, result_of(game, contest.names, standing))


def _decode_hello(row: SessionRow) -> Hello:
    """How a player of a kept session signed up."""
    return msgspec.json.decode(row.hello, type=Hello)


def _choose_admission(game: AnyGame, service: Service) -> Admission:
    if service.native is None:
        return EstablishedAdmission(service.sign_up.name)
    return NativeAdmission(game, service.native, msgspec.json.decode(service.contest.setup, type=game.setup))


def _entrants_of(service: Service, guests: Sequence[SignedUp], local: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Everyone in the order of entry: those who signed up, then the local players.

    No two have one name, and nobody who signs up can take that of a local player.
    """
    kind = "established" if service.native is None else "native"
    names = number_names([*(entrant.name for entrant in local), *(guest.name for guest in guests)])
    remote = [Entrant(name, f"connection:{kind}") for name in names[len(local) :]]
    return (*remote, *(Entrant(name, entrant.spec) for name, entrant in zip(names, local, strict=False)))


def _hosting_of(
    game: AnyGame, service: Service, engine: Engine, guests: Sequence[SignedUp], create: _Create | None
) -> Hosting:
    """How the contest is held: what is kept, and what the players agree on."""

    def keep(contest: Contest, entered: tuple[int, ...]) -> Keeper:
        if create is None:
            return MemoryKeeper()
        rows = [(index, guests[number]) for index, number in enumerate(entered) if number < len(guests)]
        return create(contest, [_session_row(index, guest) for index, guest in rows if guest.hello is not None])

    agreed = None if game.parts.established is None else partial(agree_on_setup, game, service.contest)
    return Hosting(engine=engine, keep=keep, agree=agreed, watch=service.watch, report=service.report)


def _session_row(player: int, guest: SignedUp) -> SessionRow:
    """What is kept of a session; no token, and no key."""
    assert guest.hello is not None
    hello = replace(guest.hello, token=msgspec.UNSET, session=msgspec.UNSET)
    return SessionRow(player, guest.connection.secret, msgspec.json.encode(hello))


def result_of(game: AnyGame, names: Sequence[str], standing: KnockoutResult | None) -> Json:
    """What the established protocol prints; names of winners and of misbehaving players if there is none."""
    if game.parts.established is not None:
        return game.parts.established.sign_up.format_result(names, standing)
    if standing is None:
        return [[], []]
    misbehaved = [name for name, fault in zip(names, standing.faults, strict=True) if fault is not None]
    return [sorted(names[number] for number in standing.winners), sorted(misbehaved)]
