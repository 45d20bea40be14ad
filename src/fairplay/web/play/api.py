"""The API of people at a table: take a seat, click, ask for help, leave, play again."""

import asyncio
from contextlib import suppress
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from fairplay.core import AbsentError, Seat
from fairplay.web.house.pool import HousePool, Payer
from fairplay.web.http import endpoints
from fairplay.web.http.endpoints import BusyError, Empty, Endpoint, RequestError, Services
from fairplay.web.http.owner import OwnerAuth, SeatProof
from fairplay.web.matches.access import find_access, find_own_seat, find_running, require_seat
from fairplay.web.matches.api import hand_over_seat, payer_address
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.matches.seats import ClickResult
from fairplay.web.matches.tables import PlayerName, TableDefinition, rotate_table
from fairplay.web.play.hints import ShownAdvice, ShownHint, find_advice, find_hint

QUESTION_PATIENCE = 2.0
"""Seconds that a click waits for the question that it answers."""

STORE_PATIENCE = 20.0
"""Seconds that a person waits for a move to be kept."""


# -- schemas -----------------------------------------------------------------------------------


class SeatKey(Struct, frozen=True, forbid_unknown_fields=True):
    """The key of a seat, or an invitation to one, and the name of who takes it."""

    key: Annotated[str, Meta(min_length=1, max_length=64)]
    name: PlayerName = ""


class SeatTaken(Struct, frozen=True):
    """Your seat, and its key from now on; an empty one: you have it already."""

    seat: int
    key: str


class NameRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person wants to be called."""

    name: PlayerName


class ClickRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What was clicked at a moment, in order."""

    number: Annotated[int, Meta(ge=0, le=10_000_000)]
    clicks: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=50)]


class StopRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """An offer to break the match off, or the end of such an offer."""

    withdraw: bool = False


class EmoteRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A sign to everyone who is here."""

    name: Annotated[str, Meta(max_length=40)]


class RematchJoined(Struct, frozen=True):
    """The next match."""

    id: str


# -- coming ------------------------------------------------------------------------------------


async def take_seat(services: Services, request: Request, body: SeatKey) -> Response:
    """POST /api/matches/{id}/sit

    A visitor who has a seat already keeps it, and no invitation is used up.
    """
    live = await find_running(services, request.path_params["id"])
    shown = await services[OwnerAuth].find_secret(body.key)
    is_key = shown is not None and shown.scope == f"seat {live.id}"
    seat = live.definition.find_seat({shown.account}) if shown is not None and is_key else None
    if shown is not None and seat is not None:
        response = endpoints.json_response(SeatTaken(seat, body.key))
        SeatProof(shown.account, body.key).keep(response, request, live.id)
        return response
    own = find_own_seat(request, live.id, live.definition)
    if own is not None:
        return endpoints.json_response(SeatTaken(own, ""))
    invited = live.table.find_invited(body.key)
    if invited is None:
        raise RequestError(403, "This link is not valid, or it has already been used.")
    admission = await hand_over_seat(services, request, live, invited, body.name)
    response = endpoints.json_response(SeatTaken(invited, admission.key))
    admission.keep(response, request, live.id)
    return response


async def change_name(services: Services, request: Request, body: NameRequest) -> Empty:
    """POST /api/matches/{id}/name"""
    live = await find_running(services, request.path_params["id"])
    seat = require_seat(request, live)
    live.table.talk.count_change(seat)
    live.rename(seat, body.name)
    await services[MatchRegistry].keep_table(live)
    live.feed.publish()
    return Empty()


async def start_match(services: Services, request: Request) -> Empty:
    """POST /api/matches/{id}/begin"""
    live = await find_running(services, request.path_params["id"])
    if not services[OwnerAuth].is_owner(request):
        require_seat(request, live)
    live.table.stop_waiting()
    return Empty()


# -- playing -----------------------------------------------------------------------------------


async def post_clicks(services: Services, request: Request, body: ClickRequest) -> ClickResult:
    """POST /api/matches/{id}/wish"""
    live = await find_running(services, request.path_params["id"])
    seat = require_seat(request, live)
    with suppress(TimeoutError):
        async with asyncio.timeout(QUESTION_PATIENCE):
            await live.wait_for_question(seat, body.number)
    result = live.click(seat, body.number, body.clicks)
    if result.done:
        await wait_for_turn(live, body.number)
    return result


async def wait_for_turn(live: LiveMatch, number: int) -> None:
    """Wait until the move that was made at a moment is in the store, and shown; raises BusyError if that takes long."""
    try:
        async with asyncio.timeout(STORE_PATIENCE):
            await live.wait_for_moment(number + 1)
    except TimeoutError:
        raise BusyError("The database is not available at the moment. Your move is made when it is back.") from None


async def give_hint(services: Services, request: Request) -> ShownHint:
    """POST /api/matches/{id}/hint"""
    live = await find_running(services, request.path_params["id"])
    seat = require_seat(request, live)
    payer = Payer() if services[OwnerAuth].is_owner(request) else Payer(endpoints.client_address(request), live.id)
    if services[HousePool].budgets.seconds_to_wait(payer):
        raise RequestError(429, "You have used up your computing time. Wait a moment before the next hint.")
    return await find_hint(services[HousePool], payer, live, seat)


async def get_advice(services: Services, request: Request) -> Response:
    """GET /api/matches/{id}/advice"""
    live = await find_running(services, request.path_params["id"])
    seat = require_seat(request, live)
    return endpoints.json_response(find_advice(live, seat) if live.definition.guided else None)


async def give_sign(services: Services, request: Request, body: EmoteRequest) -> Empty:
    """POST /api/matches/{id}/emote"""
    id = request.path_params["id"]
    live = services[MatchRegistry].find_ended(id) or await find_running(services, id)
    live.table.talk.give_sign(require_seat(request, live), body.name)
    live.feed.publish()
    return Empty()


# -- leaving -----------------------------------------------------------------------------------


async def resign(services: Services, request: Request) -> Empty:
    """POST /api/matches/{id}/resign"""
    return await take_leave(services, request, resign=True)


async def leave(services: Services, request: Request) -> Empty:
    """POST /api/matches/{id}/leave"""
    return await take_leave(services, request, resign=False)


async def take_leave(services: Services, request: Request, *, resign: bool) -> Empty:
    """Let a person resign, or leave for good."""
    live = await find_running(services, request.path_params["id"])
    live.table.take_leave(require_seat(request, live), resign=resign)
    if not live.table.is_discarded:
        await services[MatchRegistry].keep_table(live)
    return Empty()


async def offer_stop(services: Services, request: Request, body: StopRequest) -> Empty:
    """POST /api/matches/{id}/stop"""
    live = await find_running(services, request.path_params["id"])
    seat = require_seat(request, live)
    live.table.talk.count_change(seat)
    live.table.offer_stop(seat, withdraw=body.withdraw)
    return Empty()


# -- playing again -------------------------------------------------------------------------------


class Rematches:
    """Opens the next match once somebody asks for it, and hands everyone of the last one their seat."""

    def __init__(self, registry: MatchRegistry) -> None:
        self._registry = registry
        self._lock = asyncio.Lock()  # two who ask at the same time want the same match

    async def join(self, id: str, game: str, me: Seat, address: str | None) -> tuple[str, str]:
        """The id of the match after `id` and the account that has one's seat there, empty if that is not to be had.

        me: the seat that one had.
        address: who asks, and pays for the house players of a new match; None: somebody without limits.
        Raises FairplayError.
        """
        async with self._lock:
            definition = await self._registry.find_definition(id)
            assert definition is not None, "somebody has a seat"
            match = self._registry.running.get(definition.next)
            if match is None and definition.next and await self._is_there(definition.next):
                return definition.next, ""  # it is over, or another server plays it
            if match is None:
                match = await self._registry.open_table(game, rotate_table(definition), address)
            asked = tuple(sorted({*definition.rematch, int(me)}))
            await self._keep(id, replace(definition, next=match.id, rematch=asked))
            account, seat = definition.seats[me].account, Seat((me + 1) % len(definition.seats))
            return match.id, await self._hand_over(match, seat, account)

    async def _is_there(self, id: str) -> bool:
        """Is anything left of a match?  Nothing is if nobody came."""
        try:
            return await self._registry.find_definition(id) is not None
        except AbsentError:
            return False

    async def _keep(self, id: str, definition: TableDefinition) -> None:
        """Keep in the store which match comes next, and tell those who are still there."""
        await self._registry.keep_definition(id, definition)
        ended = self._registry.find_ended(id)
        if ended is not None:
            ended.table.definition = definition
            ended.feed.publish()

    async def _hand_over(self, match: LiveMatch, seat: Seat, account: str) -> str:
        if not match.definition.seats[seat].person:
            return ""  # a house player has it
        match.table.hand_over(seat, account)
        await self._registry.keep_table(match)
        return account


async def join_rematch(services: Services, request: Request) -> Response:
    """POST /api/matches/{id}/rematch"""
    id = request.path_params["id"]
    access = await find_access(services, request, id)
    if access.live is not None:
        raise RequestError(409, "A rematch is possible once the match is over.")
    if access.me is None:
        raise RequestError(403, "You had no seat at this table.")
    address = payer_address(services, request)
    next, account = await services[Rematches].join(id, access.timeline.game.name, access.me, address)
    response = endpoints.json_response(RematchJoined(next))
    if account:
        (await services[OwnerAuth].hand_key(account, next)).keep(response, request, next)
    return response


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/matches/{id}/sit",
        "Take the seat that a key or an invitation is for. A visitor who has a seat keeps it.",
        take_seat,
        SeatTaken,
        SeatKey,
        errors=(403, 404),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/name",
        "Change your name, before the match begins.",
        change_name,
        body=NameRequest,
        errors=(403, 404),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/begin",
        "Start without those who have not arrived. House players take the open seats.",
        start_match,
        errors=(403, 404),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/wish",
        "Play by clicks.",
        post_clicks,
        ClickResult,
        ClickRequest,
        compress=True,
        errors=(403, 404),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/hint",
        "Ask what a house player would do in your place. Only when one person plays.",
        give_hint,
        ShownHint,
        errors=(403, 404, 409, 503),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/advice",
        "Get advice for your turn in a guided game; null if there is none.",
        get_advice,
        ShownAdvice,
        errors=(403, 404),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/emote",
        "Give everyone who is here a sign, such as hello.",
        give_sign,
        body=EmoteRequest,
        errors=(403, 404),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/resign",
        "Resign. It counts as soon as it is your turn, or you would be told something.",
        resign,
        errors=(403, 404),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/leave",
        "Leave for good. A house player plays on, unless no other person plays.",
        leave,
        errors=(403, 404),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/stop",
        "Offer to break the match off, or agree to it. It ends once everyone who is here agrees.",
        offer_stop,
        body=StopRequest,
        errors=(403, 404),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/rematch",
        "Take your seat in another match of the same players, everyone one seat further.",
        join_rematch,
        RematchJoined,
        errors=(403, 404, 409, 503),
    ),
)
