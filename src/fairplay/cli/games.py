"""`fairplay games`: the games, with their variants, boards, levels and house players.

Loading every game to ask it takes longer than all else that this command does.  What Fairplay's own games say lies
beside this module in games.json, which a test compares with them.  What all games say is kept in a file, as Python
keeps its bytecode, and read from there until one of their modules or the installed packages change.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

import click

from fairplay.catalog import GAMES, built_in_games

if TYPE_CHECKING:
    from fairplay.core import AnyGame

_SCHEMA = "fairplay.games/1"
"""Of a GamesDocument, which takes longer to load than all that is printed here."""


Described: TypeAlias = dict[str, Any]
"""What is said of a game, a level or a strategy, as JSON has it."""


@click.command(
    "games",
    epilog="""\b
A level is a house player whose strength was measured: `fairplay play fish human easy`, or level-2.
Ratings of one variant are comparable with each other, and with nothing else.

\b
Examples:
  fairplay games
  fairplay games fish
  fairplay games ./mygame.py
  fairplay games --json
""",
)
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def command(game: str | None, *, as_json: bool) -> None:
    """List the games with their variants, numbers of seats, boards, levels and house players."""
    games = _list_games()
    if game is not None:
        games = [each for each in games if each["name"] == game] or [_describe_chosen(game)]
    note_missing(games)
    if as_json:
        document = {"schema": _SCHEMA, "games": games}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False, default=str))
    else:
        for each in games:
            show_game(each)


def _list_games() -> list[Described]:
    """What is said of all games, kept for the next time."""
    if (games := _recall_games()) is not None:
        return games
    known = read_descriptions()
    games = [known.get(name) or describe_game(GAMES[name]) for name in tuple(GAMES) if name in known or name in GAMES]
    if not GAMES.warnings:  # a game that cannot be loaded is named every time
        _remember_games(games)
    return games


def _describe_chosen(game: str) -> Described:
    """What is said of the game that a command line names; raises UsageError."""
    from fairplay.cli.options import choose_game

    return describe_game(choose_game(game))


def note_missing(games: list[Described]) -> None:
    """EFFECT: adds to each level what must be installed to play it here; empty if nothing is missing."""
    complete = find_spec("numba") is not None and find_spec("numpy") is not None
    for game in games:
        for rung in (rung for rungs in game["levels"].values() for rung in rungs):
            rung["missing"] = "" if complete else find_missing(game["name"], rung)


def find_missing(game: str, rung: Described) -> str:
    """What must be installed to play a level."""
    from fairplay.core.game import Rung
    from fairplay.run.house_players import missing_packages

    measured = {name: rung[name] for name in Rung.__struct_fields__}
    return " ".join(missing_packages(GAMES[game], [Rung(**measured)], rung["spec"]))


# -- for people --------------------------------------------------------------------------------


def show_game(game: Described) -> None:
    """The description for people."""
    click.secho(game["name"], bold=True)
    click.echo(f"  {game['about']}")
    click.echo(f"  seats     {game['seats'][0]} to {game['seats'][-1]}")
    click.echo(f"  variants  {', '.join(game['variants'])}")
    if game["boards"]:
        click.echo(f"  boards    {', '.join(game['boards'])}")
    for variant, rungs in game["levels"].items():
        click.echo(f"  levels{f' of {variant}' if len(game['levels']) > 1 else ''}")
        _show_levels(rungs)
    searching = [each for each in game["strategies"] if "seconds" in each["options"]]
    _show_strategies("search, with a budget or --think TIME", searching)
    reference = [each for each in game["strategies"] if each not in searching]
    _show_strategies("reference strategies" if searching else "strategies", reference)


def _show_levels(rungs: list[Described]) -> None:
    """A table of levels, weakest first; those that cannot be played here are grey."""
    rows = [("level", "name", "rating", "ms a move", "house player"), *map(_describe_level, rungs)]
    level, name, rating, cost, _ = (max(map(len, column)) for column in zip(*rows, strict=True))
    for row, missing in zip(rows, ["", *(rung["missing"] for rung in rungs)], strict=True):
        text = f"    {row[0]:>{level}}  {row[1]:{name}}  {row[2]:{rating}}  {row[3]:>{cost}}  {row[4]}"
        advice = f"  needs {missing.replace(' ', ' and ')}: pip install {missing}" if missing else ""
        click.secho(text + advice, dim=row is rows[0] or bool(advice))


def _describe_level(rung: Described) -> tuple[str, str, str, str, str]:
    """A row of the table; what was not measured is left empty."""
    rating = "" if rung["rating"] is None else f"{rung['rating']:4.0f}"
    if rung["low"] is not None and rung["high"] is not None:
        rating += f" [{rung['low']:.0f}, {rung['high']:.0f}]"
    taken = rung["milliseconds"]
    cost = "" if taken is None else f"{taken:.2g}" if taken < 10 else f"{taken:.0f}"
    return str(rung["level"]), rung["name"], rating, cost, rung["spec"]


def _show_strategies(title: str, strategies: list[Described]) -> None:
    """House players by name, each with a sentence."""
    if not strategies:
        return
    click.echo(f"  {title}")
    width = shutil.get_terminal_size().columns
    column = 6 + max((len(spec) for each in strategies if len(spec := _write_spec(each)) <= _MAX_SPEC), default=2)
    for each in strategies:
        head, about = f"    {_write_spec(each)}  ", " ".join((each["about"] or "").split("\n\n")[0].split())
        if len(head) > column:
            click.echo(head.rstrip())
            head = ""
        lines = textwrap.wrap(about, width, initial_indent=head.ljust(column), subsequent_indent=" " * column)
        click.echo("\n".join(lines) or head.rstrip())


_MAX_SPEC = 24
"""Letters of a name that leave room for a sentence beside it."""


def _write_spec(strategy: Described) -> str:
    """How the strategy is named, with its options and their defaults."""
    chosen = ",".join(f"{key}={value}" for key, value in strategy["options"].items())
    return f"{strategy['name']}[:{chosen}]" if chosen else str(strategy["name"])


# -- Fairplay's own games ----------------------------------------------------------------------


def read_descriptions() -> dict[str, Described]:
    """What Fairplay's own games say, by name; their levels lie in a file of each game, which changes more often."""
    games: list[Described] = json.loads(_DESCRIPTIONS.read_text("utf-8"))
    return {game["name"]: game | {"levels": _read_levels(game)} for game in games}


def _read_levels(game: Described) -> dict[str, list[Described]]:
    """The levels of one of Fairplay's own games by variant, as `describe_game` has them."""
    file = Path(GAMES.folders(game["name"])[0], "players", "ladder.json")
    ladder = json.loads(file.read_bytes()) if file.exists() else {}
    return {
        variant: [{"level": 0, "spec": ""} | _UNMEASURED | rung for rung in ladder[variant]]
        for variant in game["variants"]
        if variant in ladder
    }


_UNMEASURED = {"name": ""} | dict.fromkeys(("rating", "low", "high", "milliseconds", "interpreted"))
"""What a level is like of which nobody knows more; see `Rung`, which takes longer to load."""


def write_descriptions() -> None:
    """EFFECT: writes again what Fairplay's own games say; for those who change one."""
    games = [describe_game(GAMES[name]) for name in built_in_games()]
    for game in games:
        del game["levels"]
    _DESCRIPTIONS.write_text(f"{json.dumps(games, indent=2, ensure_ascii=False)}\n", "utf-8")


_DESCRIPTIONS = Path(__file__).with_name("games.json")

# -- what a game says about itself -------------------------------------------------------------


def describe_game(game: AnyGame) -> Described:
    """Everything that is listed of a game."""
    import inspect

    import msgspec

    return {
        "name": game.name,
        "about": game.about,
        "seats": list(game.seats),
        "variants": list(game.variants),
        "boards": [] if game.parts.editor is None else list(game.parts.editor.BOARDS),
        "levels": {
            variant: [msgspec.structs.asdict(rung) for rung in game.players.ladder[variant]]
            for variant in game.variants
            if variant in game.players.ladder
        },
        "strategies": [
            {"name": name, "about": inspect.getdoc(maker), "options": _strategy_options(maker)}
            for name, maker in game.players.strategies.items()
        ],
    }


def _strategy_options(maker: Callable[..., object]) -> dict[str, object]:
    """The options of a house player, with their defaults."""
    import inspect

    parameters = inspect.signature(maker).parameters.values()
    return {
        parameter.name: parameter.default
        for parameter in parameters
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.name != "clock"
    }


# -- what is kept of it ------------------------------------------------------------------------


def _recall_games() -> list[Described] | None:
    """The descriptions of all games as they were the last time; None if anything changed since."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(_cache_file().read_bytes())
        if kept["path"] == sys.path and kept["changed"] == _modification_times(kept["changed"]):
            games: list[Described] = kept["games"]
            return games
    return None


def _remember_games(games: list[Described]) -> None:
    """EFFECT: keeps the descriptions for the next time, if that can be written."""
    watched = [
        *sys.path,
        __file__,
        str(_DESCRIPTIONS),
        *(path for game in games for path in _module_paths(GAMES.folders(game["name"]))),
    ]
    kept = {"path": sys.path, "changed": _modification_times(watched), "games": games}
    with suppress(OSError):
        _cache_file().parent.mkdir(parents=True, exist_ok=True)
        _cache_file().write_text(json.dumps(kept, default=str), "utf-8")


def _cache_file() -> Path:
    """One for each environment: what is installed depends on where Python looks."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - it never fails
    return Path(folder, "fairplay", f"games-{crc32(repr(sys.path).encode()):08x}.json")


def _module_paths(folders: Iterable[str]) -> Iterator[str]:
    """Everything in `folders`, and the folders that hold it, also the outermost: a module may be added anywhere."""
    for folder in folders:
        yield from (str(Path(folder).parent), folder)
        for place, inner, files in os.walk(folder):
            inner[:] = [name for name in inner if name != "__pycache__"]
            yield from (f"{place}/{name}" for name in [*inner, *files])


def _modification_times(paths: Iterable[str]) -> dict[str, int]:
    """When each of `paths` last changed; 0 for what is not there."""
    times = {}
    for path in paths:
        try:
            times[path] = os.stat(path).st_mtime_ns  # noqa: PTH116 - many paths, and time matters
        except OSError:
            times[path] = 0
    return times
