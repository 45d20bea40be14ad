"""`fairplay games`: what can be played, by how many, and by whom."""

from __future__ import annotations

import inspect
from typing import Any

import click

from fairplay.cli.common import json_option, print_json
from fairplay.core import AnyGame

__all__ = ["command"]


@click.command(
    "games",
    epilog="""\b
Examples:
  fairplay games
  fairplay games --json
""",
)
@json_option
def command(*, as_json: bool) -> None:
    """List the games with their variants, numbers of seats and house strategies."""
    from fairplay.catalog import GAMES

    listed = [described(game) for game in GAMES.values()]
    if as_json:
        print_json(listed)
        return
    for game in listed:
        click.secho(game["name"], bold=True)
        click.echo(f"  {game['about']}")
        click.echo(f"  seats       {game['seats'][0]} to {game['seats'][-1]}")
        click.echo(f"  variants    {', '.join(game['variants'])}")
        click.echo("  strategies  " + ", ".join(spec(strategy) for strategy in game["strategies"]))


def described(game: AnyGame) -> dict[str, Any]:
    return {
        "name": game.name,
        "about": game.about,
        "seats": list(game.seats),
        "variants": list(game.variants),
        "strategies": [
            {"name": name, "about": inspect.getdoc(maker), "options": options(maker)}
            for name, maker in game.strategies.items()
        ],
    }


def options(maker: Any) -> dict[str, Any]:
    parameters = inspect.signature(maker).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}


def spec(strategy: dict[str, Any]) -> str:
    """How the strategy is named, with its options and their defaults."""
    chosen = ",".join(f"{key}={value}" for key, value in strategy["options"].items())
    return f"{strategy['name']}[:{chosen}]" if chosen else str(strategy["name"])
