"""The games that the server offers: the levels of their house players, each with a face, and what can be dealt.

A demonstration of each game is a match of house players, the same every time, to be looked at move by move.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from fairplay.catalog import GAMES, built_in_games
from fairplay.core import AnyEvent, AnyGame, Befell, Json, Picture, RuleBookError, SetupError, Turn, UsageError
from fairplay.core.chance import derived
from fairplay.core.editor import setup_for_board
from fairplay.core.game import Rung
from fairplay.match.calls import rules_at_work
from fairplay.match.driver import describe_chance, drive
from fairplay.match.players import house_strategy
from fairplay.match.referee import AnyOrder, Ask
from fairplay.match.replay import deal_state, start_match
from fairplay.run.house_players import levels_of_variant, missing_packages, name_level
from fairplay.store.store import Store
from fairplay.web.http.endpoints import Endpoint, RequestError, Services, json_response

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


def describe_levels(game: AnyGame, setup: object) -> tuple[LevelInfo, ...]:
    """The levels for matches with this setup, weakest first."""
    rungs = levels_of_variant(game, setup)
    return tuple(_describe_level(game, rungs, number) for number in range(len(rungs)))


def _describe_level(game: AnyGame, rungs: Sequence[Rung], number: int) -> LevelInfo:
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


def find_level(game: AnyGame, setup: object, spec: str) -> LevelInfo | None:
    """The level that a house player stands for; None if it is not a level of this variant."""
    rungs = levels_of_variant(game, setup)
    return next((_describe_level(game, rungs, number) for number, rung in enumerate(rungs) if rung.spec == spec), None)


def name_house_player(game: AnyGame, setup: object, named: str, spec: str) -> str:
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


def default_game() -> str:
    """The name of the game if none is named: the first of Fairplay's own, whatever is installed."""
    return built_in_games()[0]


def find_game(name: str, status: int = 404) -> AnyGame:
    """The game of this name; raises RequestError with `status` if there is none."""
    if name not in GAMES:
        raise RequestError(status, f"There is no game '{name[:40]}'; there are {', '.join(GAMES)}.")
    return GAMES[name]


async def list_games(services: Services, request: Request) -> list[GameInfo]:
    """GET /api/games"""
    return describe_games()


# -- what is played -----------------------------------------------------------------------------


QUICK = "quick"
"""The name of the quick game among the variants."""


class SetupRequest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What should be played."""

    game: Annotated[str, Meta(max_length=40)]
    variant: Annotated[str, Meta(max_length=40)] | None = None
    board: Annotated[str, Meta(max_length=40)] | None = None  # a board of the game by name, or a saved one by id
    quick: bool = False  # a small game, over in two minutes


async def choose_setup(store: Store, game: AnyGame, request: SetupRequest) -> object:
    """The setup that is asked for; raises FairplayError if there is no such thing."""
    variant = QUICK if request.quick else request.variant
    if request.board is None:
        return find_setup(game, variant)
    if game.parts.editor is not None and request.board in game.parts.editor.BOARDS:
        return setup_on_board(game, request.board, variant)
    board = await asyncio.to_thread(store.boards.get, request.board)
    if board.game != game.name or game.parts.editor is None:
        raise UsageError(f"'{board.name}' is a board of {board.game}, not of {game.name}")
    return setup_on_board(game, msgspec.json.decode(board.drawing), variant)


def find_setup(game: AnyGame, variant: str | None) -> object:
    """The setup of a variant, by default the first one; raises SetupError.

    ``quick`` is the quick game, or the first variant if there is none.
    """
    if variant == QUICK and game.quick is not None:
        return game.quick
    if variant is None or variant == QUICK:
        return next(iter(game.variants.values()))
    if variant not in game.variants:
        raise SetupError(f"{game.name} has no variant '{variant}'; it has {', '.join(game.variants)}")
    return game.variants[variant]


def setup_on_board(game: AnyGame, board: Json, variant: str | None = None) -> Any:
    """A variant on a board, by default the first variant that fits it; raises FairplayError.

    `board` is a drawing, or the name of a board that comes with the game.
    """
    assert game.parts.editor is not None, f"{game.name} has no boards"
    if variant is None:
        return setup_for_board(game.parts.editor, board, game.variants.values())
    return game.parts.editor.setup_on(board, find_setup(game, variant))


def playable_variants(game: AnyGame, drawing: Json, seats: tuple[int, ...]) -> tuple[str, ...]:
    """The variants that fit a drawn board with any number of players out of `seats`; the default one first."""
    names = (*game.variants, *(() if game.quick is None else (QUICK,)))
    return tuple(name for name in names if _can_be_dealt(game, drawing, name, seats))


def _can_be_dealt(game: AnyGame, drawing: Json, variant: str, seats: tuple[int, ...]) -> bool:
    """Does a variant fit a drawn board with the fewest and with the most players?"""
    try:
        setup = setup_on_board(game, drawing, variant)
        for count in {seats[0], seats[-1]} if seats else ():
            deal_state(game, setup, 0, count)
    except SetupError:
        return False
    return True


# -- a demonstration ---------------------------------------------------------------------------


def order_demos(games: Iterable[str]) -> tuple[str, ...]:
    """Games in the order in which a page shows their demonstrations: Fairplay's own first, then those of packages."""
    return tuple(sorted(games, key=lambda game: (game not in built_in_games(), game)))


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
        self.states, self.events = _play_demo(game)

    @property
    def last(self) -> int:
        """The number of the last moment."""
        return len(self.events)

    @property
    def highlight(self) -> int:
        """The number of the moment that looks best in a still picture."""
        return round(self.last * _HIGHLIGHT)

    def draw(self, number: int) -> Picture:
        """The board at a moment; raises RequestError if there is no such moment."""
        if not 0 <= number <= self.last:
            raise RequestError(404, f"There is no such moment; the last one is {self.last}.")
        event = self.events[number - 1] if number else None
        drawn = self.game.shown.picture(self.states[number], event if isinstance(event, Turn) else None, seats=False)
        return drawn if isinstance(drawn, Picture) else Picture(drawn)

    def moment(self, number: int) -> DemoMoment:
        """A moment in pictures and words; raises RequestError if there is no such moment."""
        picture = self.draw(number)
        words = _describe_event(self.game, self.events[number - 1]) if number else ""
        return DemoMoment(self.game.name, number, self.last, words, picture.label, picture.head, picture.body)


def _describe_event(game: AnyGame, event: AnyEvent) -> str:
    """What happened, as everybody may know it."""
    if isinstance(event, Befell):
        return describe_chance(game, event)
    return game.words.describe_turn(event, None) if isinstance(event, Turn) else ""


def _demo_player(game: AnyGame) -> str:
    """Who plays a demonstration: the second player at sight, or the first player: nobody waits for a search."""
    players = game.players
    at_sight = [name for name in players.strategies if name in players.at_sight and name not in players.rogues]
    return at_sight[:2][-1] if at_sight else next(iter(players.strategies))


def _play_demo(game: AnyGame) -> tuple[list[object], list[AnyEvent]]:
    """The states and events of a match between house players, as far as the rule book gets; raises RuleBookError."""
    seats = game.seats[0]
    strategies = [house_strategy(game, _demo_player(game), derived(_SEED, "player", seat)) for seat in range(seats)]
    setup = next(iter(game.variants.values()))
    states, events = [deal_state(game, setup, _SEED, seats)], list[AnyEvent]()

    def reply(order: AnyOrder) -> object:
        return strategies[order.seat](order.view) if isinstance(order, Ask) else None

    with suppress(RuleBookError), rules_at_work(game):
        for event in islice(drive(start_match(game, setup, _SEED, seats), reply), _MAX_TURNS):
            events.append(event)
            states.append(event.after)
    return states, events


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
    Endpoint("GET", "/api/games", "List the games.", list_games, list[GameInfo]),
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
