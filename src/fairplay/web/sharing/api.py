"""Sharing: pictures and animations of matches, pictures for links, addresses as QR codes.

No matter who asks, a shared picture shows what everyone may see, and all that was hidden once there are no secrets any
more: never what one seat sees.
"""

import asyncio
import io
from collections.abc import Callable
from typing import Annotated
from urllib.parse import urlsplit

import segno
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from fairplay.web.games import build_demo, find_game
from fairplay.web.http.endpoints import Endpoint, RequestError, Services, client_address, site_origin
from fairplay.web.http.limits import TableLimiter
from fairplay.web.http.owner import OwnerAuth
from fairplay.web.matches.access import MatchAccess, find_access
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.rendering.pages import DrawQueue
from fairplay.web.sharing import pictures
from fairplay.web.sharing.links import list_names
from fairplay.web.sharing.maker import PictureMaker
from fairplay.web.tournaments.cache import TournamentCache

_MAX_TEXT = 500
"""Characters of an address; more would not be read by a phone."""


def _check_own_address(text: str, origin: str) -> None:
    """Raises RequestError unless `text` is an address on the site at `origin`: nobody's advertisement is drawn here."""
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    is_plain = text.isascii() and text.isprintable() and " " not in text
    if not origin or not is_plain or f"{parts.scheme}://{parts.netloc}" != origin:
        raise RequestError(422, "A QR code can be made of an address on this site only.")


def _draw_qr(text: str) -> str:
    """A QR code as SVG, dark on white with the margin that readers need."""
    file = io.BytesIO()
    code = segno.make_qr(text, error="m")
    code.save(file, kind="svg", scale=4, border=4, light="#fff", xmldecl=False, svgclass=None, lineclass=None, nl=False)
    return file.getvalue().decode()


_SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""Of an animation that is opened by itself: it has a style of its own, and nothing in it may do anything."""

_KEEP_FINISHED = "public, max-age=86400"
_KEEP_RUNNING = "public, max-age=30"


class ShareInfo(Struct, frozen=True):
    """What can be shared of a match."""

    title: str
    url: str  # of its page
    embed: str  # of the frame for other pages
    last: int  # the number of the newest moment
    over: bool  # whether there are animations
    pictures: bool  # whether this server can make PNG and GIF


class AddressQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """An address on this site, without a key in it."""

    text: Annotated[str, Meta(min_length=1, max_length=_MAX_TEXT)]


class AddressRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """An address on this site, which may be an invitation."""

    text: Annotated[str, Meta(min_length=1, max_length=_MAX_TEXT)]


# -- matches -----------------------------------------------------------------------------------


async def _get_share_info(services: Services, request: Request) -> ShareInfo:
    """GET /api/matches/{id}/share"""
    id, origin = request.path_params["id"], site_origin(request)
    access = await find_access(services, request, id)
    return ShareInfo(
        title=f"{access.timeline.game.name.capitalize()}: {list_names(access.timeline.names)}",
        url=f"{origin}/matches/{id}",
        embed=f"{origin}/embed/{id}",
        last=access.timeline.last,
        over=access.live is None,
        pictures=pictures.can_make_pictures(),
    )


async def _get_png(services: Services, request: Request) -> Response:
    """GET /api/matches/{id}/moments/{number}/picture.png"""
    pictures.require_pictures()
    id, number = request.path_params["id"], request.path_params["number"]
    access = await find_access(services, request, id)
    _check_moment(access, number)
    key = ("png", id, number, access.is_revealed)
    png = await _make_still(services, request, key, lambda: draw_shared(access, number))
    return _picture_response(png, "image/png", access)


async def _get_match_card(services: Services, request: Request) -> Response:
    """GET /api/matches/{id}/card.png"""
    pictures.require_pictures()
    id = request.path_params["id"]
    access = await find_access(services, request, id)
    number = access.timeline.last
    title, line = list_names(access.timeline.names), _describe_standing(access)

    def draw() -> str:
        return pictures.draw_card(draw_shared(access, number), title, line)

    png = await _make_still(services, request, ("card", id, number, access.is_revealed), draw)
    return _picture_response(png, "image/png", access)


def draw_shared(access: MatchAccess, number: int) -> str:
    """A moment for strangers."""
    return pictures.draw_moment(access.timeline, number, open=access.is_revealed)


def _check_moment(access: MatchAccess, number: int) -> None:
    """Raises RequestError if the match has no such moment."""
    if number > access.timeline.last:
        raise RequestError(404, f"There is no such moment; the last one is {access.timeline.last}.")


def _describe_standing(access: MatchAccess) -> str:
    """The game, and how the match stands."""
    timeline = access.timeline
    game, outcome = timeline.game.name.capitalize(), timeline.outcome
    if access.live is not None or outcome is None:
        return f"{game}, turn {timeline.last}"
    winners = [timeline.names[seat] for seat in outcome.winners]
    return f"{game}: {list_names(winners)} won" if winners else f"{game}: nobody won"


async def _get_animation(services: Services, request: Request) -> Response:
    """GET /api/matches/{id}/animation.svg"""
    response = await _make_animation(services, request, "image/svg+xml", pictures.animate_record)
    response.headers["Content-Security-Policy"] = _SVG_POLICY
    return response


async def _get_gif(services: Services, request: Request) -> Response:
    """GET /api/matches/{id}/animation.gif"""
    pictures.require_pictures()
    return await _make_animation(services, request, "image/gif", pictures.animate_gif)


async def _make_animation(
    services: Services, request: Request, media_type: str, work: Callable[[bytes, bool], bytes]
) -> Response:
    """A finished match as something that moves; raises RequestError while it is not over."""
    id = request.path_params["id"]
    access = await find_access(services, request, id)
    if access.live is not None:
        raise RequestError(409, "The animation is available once the match is over.")
    key = (media_type, id, access.is_revealed)
    if services[PictureMaker].find(key) is None and not services[TableLimiter].allow(client_address(request)):
        raise RequestError(429, "You have asked for many animations. Wait a moment before the next one.")
    record = await asyncio.to_thread(services[MatchRegistry].read_record, id)
    made = await services[PictureMaker].make(
        key, work, record, access.is_revealed, address=_find_payer(services, request)
    )
    return _picture_response(made, media_type, access)


# -- pictures for links ------------------------------------------------------------------------


def _draw_demo(game: str) -> str:
    """The board of a game in the middle of a match."""
    demo = build_demo(game)
    return str(demo.draw(demo.highlight))


async def _get_game_card(services: Services, request: Request) -> Response:
    """GET /api/games/{game}/card.png"""
    pictures.require_pictures()
    game = find_game(request.path_params["game"])

    def draw() -> str:
        return pictures.draw_card(_draw_demo(game.name), game.name.capitalize(), "Play it in your browser, on Fairplay")

    return _picture_response(await _make_still(services, request, ("game", game.name), draw), "image/png")


async def _get_tournament_card(services: Services, request: Request) -> Response:
    """GET /api/tournaments/{id}/card.png"""
    pictures.require_pictures()
    tournament = (await services[TournamentCache].get(request.path_params["id"])).details
    title = f"{tournament.game.capitalize()}: tournament {tournament.id}"
    line = f"{tournament.matches} matches: {list_names(tournament.players)}"

    def draw() -> str:
        return pictures.draw_card(_draw_demo(tournament.game), title, line)

    png = await _make_still(services, request, ("tournament", tournament.id, tournament.matches), draw)
    return _picture_response(png, "image/png")


async def _make_still(services: Services, request: Request, key: tuple[object, ...], draw: Callable[[], str]) -> bytes:
    """What `draw` draws, as PNG; raises RequestError if somebody asks for very many."""
    found = services[PictureMaker].find(key)
    if found is not None:
        return found
    if not services[DrawQueue].limiter.allow(client_address(request)):
        raise RequestError(429, "Too many pictures at once. Try again in a moment.")
    drawing = await services[DrawQueue].draw(draw)
    return await services[PictureMaker].make(
        key, pictures.render_png, str(drawing), address=_find_payer(services, request)
    )


def _find_payer(services: Services, request: Request) -> str | None:
    """The address whose CPU time is used; None for the owner, who has no limits."""
    return None if services[OwnerAuth].is_owner(request) else client_address(request)


def _picture_response(content: bytes, media_type: str, access: MatchAccess | None = None) -> Response:
    """A picture that pages elsewhere may show; what it shows is public."""
    keep = _KEEP_RUNNING if access is not None and not access.is_revealed else _KEEP_FINISHED
    headers = {"Cache-Control": keep, "Cross-Origin-Resource-Policy": "cross-origin"}
    return Response(content, media_type=media_type, headers=headers)


# -- QR codes ----------------------------------------------------------------------------------


async def _get_qr(services: Services, request: Request, query: AddressQuery) -> Response:
    """GET /api/qr.svg"""
    if "#" in query.text:
        raise RequestError(422, "An invitation must not be part of an address. Send it with POST.")
    return _qr_response(request, query.text)


async def _post_qr(services: Services, request: Request, body: AddressRequest) -> Response:
    """POST /api/qr.svg: here an invitation stays out of the address, which proxies may log."""
    return _qr_response(request, body.text)


def _qr_response(request: Request, text: str) -> Response:
    """The QR code of an address on this site; raises RequestError if it is on another one."""
    _check_own_address(text, site_origin(request))
    return Response(_draw_qr(text), media_type="image/svg+xml")


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/matches/{id}/share",
        "Show what can be shared of a match: links, and which pictures there are.",
        _get_share_info,
        ShareInfo,
        errors=(404,),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/moments/{number:number}/picture.png",
        "Show the picture of a moment as PNG: what everyone may see, and everything once the match is over.",
        _get_png,
        media_type="image/png",
        errors=(404, 501, 503),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/card.png",
        "Show the newest moment with a title, for links.",
        _get_match_card,
        media_type="image/png",
        errors=(404, 501, 503),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/animation.svg",
        "Show a finished match as an SVG that moves.",
        _get_animation,
        media_type="image/svg+xml",
        errors=(404, 409, 503),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/animation.gif",
        "Show a finished match as an animated GIF.",
        _get_gif,
        media_type="image/gif",
        errors=(404, 409, 501, 503),
    ),
    Endpoint(
        "GET",
        "/api/games/{game}/card.png",
        "Show a game with a title, for links.",
        _get_game_card,
        media_type="image/png",
        errors=(404, 501, 503),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}/card.png",
        "Show a tournament with a title, for links.",
        _get_tournament_card,
        media_type="image/png",
        errors=(404, 501, 503),
    ),
    Endpoint(
        "GET",
        "/api/qr.svg",
        "Draw the QR code of an address on this site.",
        _get_qr,
        query=AddressQuery,
        media_type="image/svg+xml",
        errors=(422,),
    ),
    Endpoint(
        "POST",
        "/api/qr.svg",
        "Draw the QR code of an address on this site that holds an invitation.",
        _post_qr,
        body=AddressRequest,
        media_type="image/svg+xml",
    ),
)
