"""`fairplay games`: the games, with their variants, boards and house players.

Loading every game to ask it takes longer than all else that this command does.  What Fairplay's own games say lies
beside this module in games.json, which a test compares with them.  What all games say is kept in a file, as Python
keeps its bytecode, and read from there until one of their modules or the installed packages change.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import click

from fairplay.catalog import GAMES, built_in_games

if TYPE_CHECKING:
    from fairplay.core import AnyGame

__all__ = ["command", "describe_game", "read_descriptions", "write_descriptions"]

SCHEMA = "fairplay.games/1"
"""Of a GamesDocument, which takes longer to load than all that is printed here."""


@click.command(
    "games",
    epilog="""\b
Examples:
  fairplay games
  fairplay games --json
""",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def command(*, as_json: bool) -> None:
    """List the games with their variants, numbers of seats, boards and house strategies."""
    games = recall_games()
    if games is None:
        known = read_descriptions()
        games = [
            known.get(name) or describe_game(GAMES[name]) for name in tuple(GAMES) if name in known or name in GAMES
        ]
        if not GAMES.warnings:  # a game that cannot be loaded is named every time
            remember_games(games)
    if as_json:
        document = {"schema": SCHEMA, "games": games}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False, default=str))
    else:
        for game in games:
            show_game(game)


def show_game(game: dict[str, Any]) -> None:
    """The description for people."""
    click.secho(game["name"], bold=True)
    click.echo(f"  {game['about']}")
    click.echo(f"  seats       {game['seats'][0]} to {game['seats'][-1]}")
    click.echo(f"  variants    {', '.join(game['variants'])}")
    if game["boards"]:
        click.echo(f"  boards      {', '.join(game['boards'])}")
    click.echo(f"  strategies  {', '.join(write_spec(strategy) for strategy in game['strategies'])}")


def write_spec(strategy: dict[str, Any]) -> str:
    """How the strategy is named, with its options and their defaults."""
    chosen = ",".join(f"{key}={value}" for key, value in strategy["options"].items())
    return f"{strategy['name']}[:{chosen}]" if chosen else str(strategy["name"])


def read_descriptions() -> dict[str, dict[str, Any]]:
    """What Fairplay's own games say, by name."""
    games: list[dict[str, Any]] = json.loads(DESCRIPTIONS.read_text("utf-8"))
    return {game["name"]: game for game in games}


def write_descriptions() -> None:
    """EFFECT: writes anew what Fairplay's own games say; for those who change one."""
    games = [describe_game(GAMES[name]) for name in built_in_games()]
    DESCRIPTIONS.write_text(f"{json.dumps(games, indent=2, ensure_ascii=False)}\n", "utf-8")


DESCRIPTIONS = Path(__file__).with_name("games.json")

# -- what a game says about itself -------------------------------------------------------------


def describe_game(game: AnyGame) -> dict[str, Any]:
    """Everything that is listed of a game."""
    import inspect

    return {
        "name": game.name,
        "about": game.about,
        "seats": list(game.seats),
        "variants": list(game.variants),
        "boards": [] if game.editor is None else list(game.editor.BOARDS),
        "strategies": [
            {"name": name, "about": inspect.getdoc(maker), "options": strategy_options(maker)}
            for name, maker in game.strategies.items()
        ],
    }


def strategy_options(maker: Any) -> dict[str, Any]:
    """The options of a house player, with their defaults."""
    import inspect

    parameters = inspect.signature(maker).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}


# -- what is kept of it ------------------------------------------------------------------------


def recall_games() -> list[dict[str, Any]] | None:
    """The descriptions of all games as they were the last time; None where anything changed since."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(cache_file().read_bytes())
        if kept["path"] == sys.path and kept["changed"] == modification_times(kept["changed"]):
            games: list[dict[str, Any]] = kept["games"]
            return games
    return None


def remember_games(games: list[dict[str, Any]]) -> None:
    """EFFECT: keeps the descriptions for the next time, where that can be written."""
    watched = [*sys.path, __file__, *(path for game in games for path in module_paths(GAMES.folders(game["name"])))]
    kept = {"path": sys.path, "changed": modification_times(watched), "games": games}
    with suppress(OSError):
        cache_file().parent.mkdir(parents=True, exist_ok=True)
        cache_file().write_text(json.dumps(kept, default=str), "utf-8")


def cache_file() -> Path:
    """One for each environment: what is installed depends on where Python looks."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - it never fails
    return Path(folder, "fairplay", f"games-{crc32(repr(sys.path).encode()):08x}.json")


def module_paths(folders: Iterable[str]) -> Iterator[str]:
    """Everything in `folders`, and the folders that hold it, also the outermost: a module may be added anywhere."""
    for folder in folders:
        yield from (str(Path(folder).parent), folder)
        for place, inner, files in os.walk(folder):
            inner[:] = [name for name in inner if name != "__pycache__"]
            yield from (f"{place}/{name}" for name in [*inner, *files])


def modification_times(paths: Iterable[str]) -> dict[str, int]:
    """When each of `paths` last changed; 0 for what is not there."""
    times = {}
    for path in paths:
        try:
            times[path] = os.stat(path).st_mtime_ns  # noqa: PTH116 - many paths, and time matters
        except OSError:
            times[path] = 0
    return times
