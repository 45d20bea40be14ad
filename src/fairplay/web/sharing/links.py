"""How pages appear elsewhere: what a link to one looks like, and matches inside pages of other sites."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.web.games import default_game
from fairplay.web.http.endpoints import as_sentence, parse_number, services_of, site_origin
from fairplay.web.http.middleware import allow_framing
from fairplay.web.matches.access import find_access
from fairplay.web.rendering.pages import DrawQueue, render_template
from fairplay.web.sharing.pictures import CARD_HEIGHT, CARD_WIDTH, can_make_pictures, describe_players, draw_moment
from fairplay.web.watching.timeline import EVERYTHING, Viewer, format_viewer

_ABOUT = "Board games in the browser: play {} against people and house players, or watch."
_ICON = "/static/icons/icon-512.png"
_ERROR_PAGE = "error.html"
MAX_NAMES = 6


Values: TypeAlias = Mapping[str, Any]
"""What a template is given."""


class PageMeta(Struct, frozen=True):
    """Title, description and picture of a page; the path of the picture is on this site."""

    title: str
    description: str
    image: str = _ICON
    origin: str = ""  # scheme and host; empty if they are not known
    path: str = ""  # with the query, if that says what the page is about

    @property
    def card_size(self) -> tuple[int, int] | None:
        """Width and height of the picture, if it is one made for links."""
        return None if self.image == _ICON else (CARD_WIDTH, CARD_HEIGHT)


def describe_page(request: Request, template: str, values: Values) -> PageMeta:
    """What to say of a page that is made of this template and these values: only what everyone may know."""
    title, description, card = _DESCRIPTIONS.get(template, _describe_site)(values)
    image = card if card and can_make_pictures() else _ICON
    origin = "" if template == _ERROR_PAGE else site_origin(request)  # what is not there is not shared
    path = request.url.path
    if template == "table.html" and "game" in request.query_params:
        path = f"{path}?game={values['game'].name}"
    return PageMeta(title, description, image, origin, path)


def _describe_site(values: Values) -> tuple[str, str, str]:
    """A page that is about nothing in particular."""
    return "Fairplay", _ABOUT.format(list_games()), _game_card(default_game())


def _describe_match(values: Values) -> tuple[str, str, str]:
    """The page of a match."""
    timeline, id = values["timeline"], values["id"]
    title = f"{timeline.game.name.capitalize()}: {list_names(timeline.names)}"
    if timeline.outcome is None:
        text = f"A match of {timeline.game.name.capitalize()}, turn {timeline.last}. Watch it on Fairplay."
    elif timeline.outcome.winners:
        winners = list_names([timeline.names[seat] for seat in timeline.outcome.winners])
        text = f"{winners} won after {timeline.last} turns. See how, move by move, on Fairplay."
    else:
        text = f"Nobody won after {timeline.last} turns. See how, move by move, on Fairplay."
    return title, text, f"/api/matches/{id}/card.png"


def _describe_tournament(values: Values) -> tuple[str, str, str]:
    """The page of a tournament."""
    tournament = values["tournament"]
    title = f"{tournament.game.capitalize()}: tournament {tournament.id}"
    text = f"{tournament.format.capitalize()} of {len(tournament.players)} players, {tournament.matches} matches"
    so_far = "" if tournament.status == "finished" else " so far"
    return title, f"{text}{so_far}: {list_names(tournament.players)}.", f"/api/tournaments/{tournament.id}/card.png"


def _describe_game(values: Values, title: str = "Play {}") -> tuple[str, str, str]:
    """A page about one game, such as its rules or a new table."""
    game = values["game"]
    return title.format(game.name.capitalize()), as_sentence(game.about), _game_card(game.name)


def _game_card(game: str) -> str:
    """Where the picture of a game is."""
    return f"/api/games/{game}/card.png"


def list_names(names: Sequence[str]) -> str:
    """Names with an "and" before the last one; of many, the first."""
    shown = [*names[:MAX_NAMES], *([f"{len(names) - MAX_NAMES} more"] if len(names) > MAX_NAMES else [])]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def list_games() -> str:
    """The games that can be played here."""
    return list_names([name.capitalize() for name in GAMES])


_DESCRIPTIONS: Mapping[str, Callable[[Values], tuple[str, str, str]]] = {
    "match.html": _describe_match,
    "tournament.html": _describe_tournament,
    "table.html": _describe_game,
    "editor.html": partial(_describe_game, title="Draw a board of {}"),
    "rules.html": partial(_describe_game, title="The rules of {}"),
    "how_to_play.html": partial(_describe_game, title="How to play {}"),
}
"""By template; pages of other templates are described by the site."""


class EmbedPage(Struct, frozen=True):
    """What the script of the frame needs to know."""

    id: str
    viewer: str  # the public, or everything once there are no secrets: never a seat
    number: int  # the moment that is shown
    last: int
    live: bool


async def _show_embed(request: Request) -> Response:
    """/embed/{id}"""
    allow_framing(request)
    id = request.path_params["id"]
    services = services_of(request)
    access = await find_access(services, request, id)
    timeline, turn = access.timeline, parse_number(request, "turn")
    number = timeline.last if turn is None else min(turn, timeline.last)
    viewer: Viewer = EVERYTHING if access.is_revealed else None
    picture = await services[DrawQueue].draw(draw_moment, timeline, number, open=access.is_revealed)
    live = access.live is not None
    data = EmbedPage(id, format_viewer(viewer), number, timeline.last, live)
    text = render_template(
        "embed.html",
        id=id,
        title=f"{timeline.game.name.capitalize()}: {list_names(timeline.names)}",
        label=describe_players(timeline),
        picture=picture,
        words=timeline.describe_event(number, viewer),
        page=data,
        data=msgspec.json.encode(data).decode(),
    )
    return HTMLResponse(text, headers={"Cross-Origin-Resource-Policy": "cross-origin"})


ROUTES = [Route("/embed/{id}", _show_embed)]
