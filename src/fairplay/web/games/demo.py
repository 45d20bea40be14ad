"""A demonstration of each game: a match of house players, the same every time, to be looked at move by move."""

import asyncio
from contextlib import suppress
from functools import cache

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, AnyTurn, Picture, RuleBookError, Turn
from fairplay.core.chance import derived
from fairplay.match.calls import rules_at_work
from fairplay.match.players import house_strategy
from fairplay.match.replay import deal_state
from fairplay.web.games.listing import default_player, find_game
from fairplay.web.http.endpoints import Endpoint, RequestError, Services, json_response

_SEED = 5
_MAX_TURNS = 90
"""Nobody looks longer."""

_HIGHLIGHT = 0.6
"""How far into the match it looks best in a still picture."""

_CACHE = "public, max-age=3600"


class DemoMoment(Struct, frozen=True):
    """A moment of a demonstration, as everybody may see it."""

    game: str
    number: int
    last: int  # the number of the last moment
    words: str  # what happened last
    label: str  # what the picture shows, for those who cannot see it
    head: str  # how the drawing begins, the same at every moment; empty if `picture` is all of it
    picture: str  # SVG


class Demo:
    """A match of house players, from the deal on."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.states, self.turns = _play_demo(game)

    @property
    def last(self) -> int:
        """The number of the last moment."""
        return len(self.turns)

    @property
    def highlight(self) -> int:
        """The number of the moment that looks best in a still picture."""
        return round(self.last * _HIGHLIGHT)

    def draw(self, number: int) -> Picture:
        """The board at a moment; raises RequestError if there is no such moment."""
        if not 0 <= number <= self.last:
            raise RequestError(404, f"There is no such moment; the last one is {self.last}.")
        drawn = self.game.shown.picture(self.states[number], self.turns[number - 1] if number else None, seats=False)
        return drawn if isinstance(drawn, Picture) else Picture(drawn)

    def moment(self, number: int) -> DemoMoment:
        """A moment in pictures and words; raises RequestError if there is no such moment."""
        picture = self.draw(number)
        words = self.game.words.describe_turn(self.turns[number - 1], None) if number else ""
        return DemoMoment(self.game.name, number, self.last, words, picture.label, picture.head, picture.body)


def _play_demo(game: AnyGame) -> tuple[list[object], list[AnyTurn]]:
    """The states and the turns of a match between house players, as far as the rule book gets; raises RuleBookError."""
    seats = game.seats[0]
    strategies = [house_strategy(game, default_player(game), derived(_SEED, "player", seat)) for seat in range(seats)]
    states = [deal_state(game, next(iter(game.variants.values())), _SEED, seats)]
    turns: list[AnyTurn] = []
    with suppress(RuleBookError), rules_at_work(game):
        while (seat := game.rules.to_move(states[-1])) is not None and len(turns) < _MAX_TURNS:
            action = strategies[seat](game.rules.view(states[-1], seat))
            after = game.rules.apply(states[-1], action)
            turns.append(Turn(states[-1], seat, action, after))
            states.append(after)
    return states, turns


@cache
def build_demo(game: str) -> Demo:
    """The demonstration of a game, played once; raises RequestError if its rule book cannot deal one."""
    try:
        return Demo(GAMES[game])
    except RuleBookError as error:
        raise RequestError(404, f"{game.capitalize()} has no demonstration: {error}.") from error


def show_board(head: str, body: str) -> str:
    """A drawing for a page whose script replaces what changes: all that may change is in one group."""
    return f"{head}<g data-body>{body}</g></svg>" if head else body


# -- handlers ----------------------------------------------------------------------------------


async def _get_demo_moment(services: Services, request: Request) -> Response:
    """GET /api/games/{game}/demo/{number}"""
    demo = await asyncio.to_thread(build_demo, find_game(request.path_params["game"]).name)
    response = json_response(await asyncio.to_thread(demo.moment, request.path_params["number"]))
    response.headers["Cache-Control"] = _CACHE
    return response


async def _get_demo_picture(services: Services, request: Request) -> Response:
    """GET /api/games/{game}/demo/{number}/picture.svg"""
    demo = await asyncio.to_thread(build_demo, find_game(request.path_params["game"]).name)
    picture = await asyncio.to_thread(demo.draw, request.path_params["number"])
    return Response(str(picture), media_type="image/svg+xml", headers={"Cache-Control": _CACHE})


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/games/{game}/demo/{number:number}",
        "Show a moment of a demonstration match between house players.",
        _get_demo_moment,
        DemoMoment,
        errors=(404,),
    ),
    Endpoint(
        "GET",
        "/api/games/{game}/demo/{number:number}/picture.svg",
        "Draw a moment of a demonstration match.",
        _get_demo_picture,
        media_type="image/svg+xml",
        errors=(404,),
    ),
)
