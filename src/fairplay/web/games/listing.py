"""The games that the server offers, and the levels of their house players, each with a face."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from starlette.requests import Request

from fairplay.catalog import GAMES
from fairplay.core import AnyGame
from fairplay.core.game import Rung
from fairplay.run.house_players import levels_of_variant, missing_packages, name_level
from fairplay.web.http.endpoints import Endpoint, Services
from fairplay.web.http.errors import RequestError

CHARACTERS = {
    "Beginner": "Pip the chick",
    "Easy": "Clover the rabbit",
    "Medium": "Rusty the fox",
    "Hard": "Sage the owl",
    "Master": "Ember the dragon",
}
"""Who plays at the levels that have a title; static/faces has a picture of each."""

ROBOT_FACE = "/static/faces/robot.svg"
"""The face of a house player that is not a level."""


class LevelInfo(Struct, frozen=True):
    """A house player whose strength was measured."""

    level: int
    name: str  # what a seat is given
    title: str  # for people
    rating: float | None  # comparable within a variant
    missing: str = ""  # packages that the server lacks
    spec: str = ""  # the strategy that plays, with its options
    character: str = ""  # who plays, on the five levels that have a title
    face: str = ROBOT_FACE  # the path of a picture


def describe_levels(game: AnyGame, setup: Any) -> tuple[LevelInfo, ...]:
    """The levels for matches with this setup, weakest first."""
    rungs = levels_of_variant(game, setup)
    return tuple(describe_level(game, rungs, number) for number in range(len(rungs)))


def describe_level(game: AnyGame, rungs: Sequence[Rung], number: int) -> LevelInfo:
    """One level out of all of its variant; a level without a title has the face of the one below that has one."""
    rung = rungs[number]
    titles = [each.name for each in rungs[: number + 1] if each.name in CHARACTERS]
    return LevelInfo(
        level=rung.level,
        name=name_level(rung),
        title=rung.name or f"Level {rung.level}",
        rating=rung.rating,
        missing=" ".join(missing_packages(game, rungs, rung.spec)),
        spec=rung.spec,
        character=CHARACTERS.get(rung.name, ""),
        face=f"/static/faces/{titles[-1].lower()}.svg" if titles else ROBOT_FACE,
    )


def find_level(game: AnyGame, setup: Any, spec: str) -> LevelInfo | None:
    """The level that a house player stands for; None if it is not a level of this variant."""
    rungs = levels_of_variant(game, setup)
    return next((describe_level(game, rungs, number) for number, rung in enumerate(rungs) if rung.spec == spec), None)


def name_house_player(game: AnyGame, setup: Any, named: str, spec: str) -> str:
    """What a house player is called at a table: a level by its character, such as Clover; a strategy by its name.

    named: what was asked for, a level or a strategy.
    spec: what plays.
    """
    level = None if named in game.players.strategies else find_level(game, setup, spec)
    return named if level is None else level.character.partition(" the ")[0] or level.title


def quick_levels(game: AnyGame) -> tuple[LevelInfo, ...]:
    """The levels that one can choose with one click: those with a title, for the quick game."""
    setup = next(iter(game.variants.values())) if game.quick is None else game.quick
    return tuple(level for level in describe_levels(game, setup) if level.character)


def default_player(game: AnyGame) -> str:
    """The house player if none is named: the second, if there are several, because the first plays at random."""
    return [*game.players.strategies][:2][-1]


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
