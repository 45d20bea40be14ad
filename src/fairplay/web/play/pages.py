"""The page of a match, and who plays it, as the page introduces them: names, pawns, levels."""

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fairplay.core import AnyGame, Seat
from fairplay.report.reviews import LineStyle, style_lines
from fairplay.run.house_players import levels_of_variant, name_level
from fairplay.web.games import QUICK, ROBOT_FACE, find_game, find_level, find_setup
from fairplay.web.http.endpoints import parse_number, services_of
from fairplay.web.matches.access import MatchAccess, find_access
from fairplay.web.matches.api import open_table
from fairplay.web.matches.people import ABANDON_AFTER, EMOTES, EmoteInfo
from fairplay.web.matches.tables import MAX_NAME, SeatRequest, TableDefinition, TableRequest, TableSeat
from fairplay.web.play.hints import may_hint
from fairplay.web.rendering.pages import render_page
from fairplay.web.watching.timeline import EVERYTHING, Moment, Presence, Timeline, Viewer, format_viewer


class PlayerInfo(Struct, frozen=True):
    """A player of a match."""

    name: str
    seat_name: str  # what the game calls the seat
    line: LineStyle  # in graphs
    token: str = ""  # the pawn: SVG
    person: bool = False
    title: str = ""  # the level of a house player, for people
    spec: str = ""  # what the house player is called in programs
    face: str = ""  # the path of a picture


class MatchPage(Struct, frozen=True):
    """What the script of a match's page needs to know."""

    id: str
    game: str
    viewer: str
    me: int | None
    last: int
    following: bool  # show new moments as they come
    head: str  # how every picture of the match begins; empty: a picture is sent as a whole each time
    presence: Presence
    moment: Moment  # without its picture, which the page shows
    players: tuple[PlayerInfo, ...]
    emotes: tuple[EmoteInfo, ...]
    may_hint: bool
    guided: bool
    abandon_after: float  # seconds without any of its people after which a match is broken off


async def show_match(request: Request) -> Response:
    """/matches/{id}"""
    id = request.path_params["id"]
    access = await find_access(services_of(request), request, id)
    viewer, timeline = access.choose_viewer(request.query_params.get("as")), access.timeline
    turn = parse_number(request, "turn")
    moment = access.moment(timeline.last if turn is None else min(turn, timeline.last), viewer)
    definition = access.definition
    players = describe_players(timeline, definition)
    data = MatchPage(
        id=id,
        game=timeline.game.name,
        viewer=format_viewer(viewer),
        me=access.me,
        last=timeline.last,
        following=turn is None and access.live is not None,
        head=timeline.head,
        presence=access.presence(),
        moment=replace(moment, picture=""),
        players=players,
        emotes=EMOTES,
        may_hint=access.me is not None and definition is not None and may_hint(timeline.game, definition),
        guided=definition is not None and definition.guided,
        abandon_after=ABANDON_AFTER,
    )
    return render_page(
        request,
        "match.html",
        id=id,
        timeline=timeline,
        moment=moment,
        players=players,
        viewers=[(each, format_viewer(each), describe_viewer(access, each)) for each in access.viewers],
        viewer=viewer,
        access=access,
        turns=access.list_turns(viewer),
        has_record=access.live is None and access.may_view_as(EVERYTHING),
        data=msgspec.json.encode(data).decode(),
    )


def describe_players(timeline: Timeline, definition: TableDefinition | None) -> tuple[PlayerInfo, ...]:
    """The players by seat; `definition`: of the table, if the match was played at one."""
    game = timeline.game
    setup = None if definition is None else msgspec.json.decode(definition.setup, type=game.setup)
    return tuple(
        describe_player(game, Seat(seat), name, line, setup, None if definition is None else definition.seats[seat])
        for seat, (name, line) in enumerate(zip(timeline.names, style_lines(game, len(timeline.names)), strict=True))
    )


def describe_player(
    game: AnyGame, seat: Seat, name: str, line: LineStyle, setup: Any, taken: TableSeat | None
) -> PlayerInfo:
    """One player; `taken` is None if nothing is known but the name."""
    token = "" if game.shown.token is None else str(game.shown.token(seat))
    seat_name = game.words.seat_name(seat)
    if taken is None or taken.person:
        return PlayerInfo(name, seat_name, line, token, person=taken is not None)
    if taken.is_bot:
        return PlayerInfo(name, seat_name, line, token, title="bot", face=ROBOT_FACE)
    level = find_level(game, setup, taken.player)
    title, face = ("", ROBOT_FACE) if level is None else (level.title, level.face)
    return PlayerInfo(name, seat_name, line, token, title=title, spec=taken.player, face=face)


def describe_viewer(access: MatchAccess, viewer: Viewer) -> str:
    """A viewer, as the page calls it."""
    if viewer is None:
        return "what everyone sees"
    if viewer == EVERYTHING:
        return "everything"
    if viewer == access.me:
        return "what you see"
    timeline = access.timeline
    return f"what {timeline.names[viewer]} ({timeline.game.words.seat_name(viewer)}) sees"


async def play_now(request: Request) -> Response:
    """/play/{game}: a quick game against house players, in one click.

    `name` and `level` say who plays against whom; `guided` makes it a first game, with advice, against the easiest.
    """
    game = find_game(request.path_params["game"])
    asked = {**request.query_params, **await request.form(max_files=0, max_fields=8)}
    guided = "guided" in asked and game.shown.teaching is not None
    level = find_easiest(game) if guided else str(asked.get("level", "")) or None
    rivals = (SeatRequest("house", level),) * (game.seats[0] - 1)
    me = SeatRequest("me", name=str(asked.get("name", ""))[:MAX_NAME].strip() or "guest")
    wanted = TableRequest(game=game.name, seats=(me, *rivals), quick=True)
    opened = await open_table(services_of(request), request, wanted, guided=guided)
    response = RedirectResponse(f"/matches/{opened.match.id}", 303)
    opened.keep_secrets(response, request)
    return response


def find_easiest(game: AnyGame) -> str | None:
    """The weakest house player for the quick game; None: the usual one, if none was measured."""
    rungs = levels_of_variant(game, find_setup(game, QUICK))
    return name_level(rungs[0]) if rungs else None


ROUTES = [
    Route("/matches/{id}", show_match),
    Route("/play/{game}", play_now, methods=["POST"]),
]
