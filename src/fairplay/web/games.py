"""The games that the server offers."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from starlette.requests import Request

from fairplay.catalog import GAMES
from fairplay.core import AnyGame
from fairplay.house_players import levels_of_variant, missing_packages, name_level
from fairplay.web.context import Services
from fairplay.web.http.endpoints import Endpoint
from fairplay.web.http.errors import RequestError

__all__ = ["ENDPOINTS", "GameInfo", "LevelInfo", "describe_games", "describe_levels", "find_game"]


class LevelInfo(Struct, frozen=True):
    """A house player whose strength was measured."""

    level: int
    name: str  # what a seat is given
    title: str  # for people
    rating: float | None  # comparable within a variant
    missing: str = ""  # packages that the server lacks


class GameInfo(Struct, frozen=True):
    """A game that can be played."""

    name: str
    about: str
    seats: tuple[int, int]  # fewest and most
    variants: tuple[str, ...]
    boards: tuple[str, ...]  # that come with the game
    players: tuple[str, ...]  # house players by strategy
    levels: dict[str, tuple[LevelInfo, ...]]  # house players by level, weakest first, for each variant
    editor: bool  # whether boards can be drawn


def describe_games() -> list[GameInfo]:
    """All games."""
    return [
        GameInfo(
            name=game.name,
            about=game.about,
            seats=(game.seats[0], game.seats[-1]),
            variants=(*game.variants,),
            boards=() if game.editor is None else (*game.editor.BOARDS,),
            players=(*game.strategies,),
            levels={variant: describe_levels(game, game.variants[variant]) for variant in game.ladder},
            editor=game.editor is not None,
        )
        for game in GAMES.values()
    ]


def describe_levels(game: AnyGame, setup: Any) -> tuple[LevelInfo, ...]:
    """The levels for matches with this setup."""
    rungs = levels_of_variant(game, setup)
    return tuple(
        LevelInfo(
            level=rung.level,
            name=name_level(rung),
            title=rung.name or f"Level {rung.level}",
            rating=rung.rating,
            missing=" ".join(missing_packages(game, rungs, rung.spec)),
        )
        for rung in rungs
    )


def find_game(name: str, status: int = 404) -> AnyGame:
    """The game of this name; raises RequestError with `status` if there is none."""
    if name not in GAMES:
        raise RequestError(status, f"There is no game '{name[:40]}'; there are {', '.join(GAMES)}.")
    return GAMES[name]


async def list_games(services: Services, request: Request) -> list[GameInfo]:
    """GET /api/games"""
    return describe_games()


ENDPOINTS = (Endpoint("GET", "/api/games", "List the games.", list_games, list[GameInfo]),)
