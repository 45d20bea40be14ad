"""The games that the server offers."""

from __future__ import annotations

from msgspec import Struct
from starlette.requests import Request

from fairplay.catalog import GAMES
from fairplay.core import AnyGame
from fairplay.web.http.endpoints import Endpoint, Services
from fairplay.web.http.errors import RequestError
from fairplay.web.levels import LevelInfo, describe_levels

__all__ = ["ENDPOINTS", "GameInfo", "describe_games", "find_game"]


class GameInfo(Struct, frozen=True):
    """A game that can be played."""

    name: str
    about: str
    seats: tuple[int, int]  # fewest and most
    variants: tuple[str, ...]
    boards: tuple[str, ...]  # that come with the game
    minutes: str  # how long a match takes, such as "5 to 10"; empty if nobody says
    players: tuple[str, ...]  # house players by strategy
    levels: dict[str, tuple[LevelInfo, ...]]  # house players by level, weakest first, for each variant
    editor: bool  # whether boards can be drawn


def describe_games() -> list[GameInfo]:
    return [
        GameInfo(
            name=game.name,
            about=game.about,
            seats=(game.seats[0], game.seats[-1]),
            variants=(*game.variants,),
            boards=() if game.parts.editor is None else (*game.parts.editor.BOARDS,),
            minutes="" if game.shown.teaching is None else game.shown.teaching.minutes,
            players=(*game.players.strategies,),
            levels={variant: describe_levels(game, game.variants[variant]) for variant in game.players.ladder},
            editor=game.parts.editor is not None,
        )
        for game in GAMES.values()
    ]


def find_game(name: str, status: int = 404) -> AnyGame:
    """The game of this name; raises RequestError with `status` if there is none."""
    if name not in GAMES:
        raise RequestError(status, f"There is no game '{name[:40]}'; there are {', '.join(GAMES)}.")
    return GAMES[name]


async def list_games(services: Services, request: Request) -> list[GameInfo]:
    """GET /api/games"""
    return describe_games()


ENDPOINTS = (Endpoint("GET", "/api/games", "List the games.", list_games, list[GameInfo]),)
