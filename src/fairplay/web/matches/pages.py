"""The pages of matches and tables: home, a match, a new table, signing in.  Tournaments and drawings have their own."""

from __future__ import annotations

from functools import cache

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.web.context import server_of
from fairplay.web.editor import api as editor
from fairplay.web.http.endpoints import RequestError
from fairplay.web.http.owner import OWNER_COOKIE
from fairplay.web.http.styles import sample
from fairplay.web.matches.api import Listing, Sight, games, listed, opened, remember_seat, sight
from fairplay.web.matches.sockets import featured
from fairplay.web.matches.tables import CLOCKS, PACES, SeatWish, TableWish, usual
from fairplay.web.matches.timeline import Looker, name_of
from fairplay.web.rendering import rendered
from fairplay.web.tournaments import api as tournaments

__all__ = ["ROUTES"]


async def home(request: Request) -> Response:
    server = server_of(request)
    ids = featured(server.hall)
    live = [match for match in server.hall.live.values() if match.id in ids]
    boards = [(match, match.frame(match.film.last, None)) for match in reversed(live)]
    recent = await listed(server, Listing(running=False, limit=8))
    contests = await tournaments.listed(server, tournaments.Newest(4))
    return rendered(
        request, "home.html", games=games(), sample=shown, boards=boards, recent=recent, tournaments=contests
    )


@cache
def shown(name: str) -> str:
    return sample(GAMES[name])


async def matches(request: Request) -> Response:
    found = await listed(server_of(request), Listing(limit=100))
    return rendered(request, "matches.html", matches=found)


async def match(request: Request) -> Response:
    id = request.path_params["id"]
    seen = await sight(server_of(request), request, id)
    looker = seen.looker(request.query_params.get("as"))
    film = seen.film
    frame = seen.frame(turn_asked(request, film.last), looker)
    facts = {
        "id": id,
        "looker": name_of(looker),
        "me": seen.me,
        "number": frame.number,
        "last": film.last,
        "status": seen.status,
        "following": "turn" not in request.query_params and seen.live is not None,
    }
    return rendered(
        request,
        "match.html",
        id=id,
        game=film.game,
        film=film,
        frame=frame,
        looker=looker,
        lookers=[(one, name_of(one), looker_words(seen, one), seen.may(one)) for one in seen.lookers],
        turns=[film.words(number, looker) for number in range(film.last + 1)],
        recorded=seen.live is None and seen.may("all"),
        contested=seen.contested and not seen.owner,
        me=seen.me,
        facts=msgspec.json.encode(facts).decode(),
    )


def turn_asked(request: Request, last: int) -> int:
    """The moment that a link leads to, the newest where it names none."""
    asked = request.query_params.get("turn", "")
    if not asked:
        return last
    if not (asked.isascii() and asked.isdigit() and len(asked) < 9):
        raise RequestError(400, f"turn must be a number from 0 to {last}")
    return min(int(asked), last)


def looker_words(seen: Sight, looker: Looker) -> str:
    """A way of looking, as people call it."""
    if looker is None:
        return "what everybody sees"
    if looker == "all":
        return "everything"
    if looker == seen.me:
        return "what you see"
    film = seen.film
    return f"what {film.names[looker]} ({film.game.words.seat_name(looker)}) sees"


async def new_table(request: Request) -> Response:
    asked = request.query_params
    name = asked.get("game", next(iter(GAMES)))
    if name not in GAMES:
        raise RequestError(404, f"there is no game '{name[:40]}'")
    server = server_of(request)
    board = await editor.found(server, asked["board"]) if "board" in asked else None
    game = GAMES[name if board is None else board.game]
    return rendered(
        request,
        "table.html",
        games=games(),
        game=game,
        sample=shown,
        board=board,
        seats=game.seats if board is None or not board.board.seats else board.board.seats,
        usual=usual(game),
        clocks=CLOCKS,
        paces=PACES,
        patience=server.settings.patience,
    )


async def play_now(request: Request) -> Response:
    """One click: a small game against the house."""
    name = request.path_params["game"]
    if name not in GAMES:
        raise RequestError(404, f"there is no game '{name[:40]}'")
    fewest = GAMES[name].seats[0]
    wish = TableWish(name, (SeatWish("me", name="guest"), *(SeatWish("house") for _ in range(fewest - 1))), quick=True)
    match, keys = await opened(server_of(request), request, wish)
    response = RedirectResponse(f"/matches/{match.id}", 303)
    remember_seat(response, request, match.id, keys[0])
    return response


async def sign_in(request: Request) -> Response:
    server = server_of(request)
    if request.method == "GET":
        return rendered(request, "sign_in.html", wrong=False)
    form = await request.form(max_files=0, max_fields=4)
    if not server.owners.is_token(str(form.get("token", ""))):
        return rendered(request, "sign_in.html", status=401, wrong=True)
    response = RedirectResponse("/", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(OWNER_COOKIE, server.owners.opened(), httponly=True, samesite="strict", secure=secure)
    return response


async def sign_out(request: Request) -> Response:
    server_of(request).owners.closed(request)
    response = RedirectResponse("/", 303)
    response.delete_cookie(OWNER_COOKIE)
    return response


ROUTES = [
    Route("/", home),
    Route("/matches", matches),
    Route("/matches/{id}", match),
    Route("/new", new_table),
    Route("/play/{game}", play_now, methods=["POST"]),
    Route("/sign-in", sign_in, methods=["GET", "POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
]
