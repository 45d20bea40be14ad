"""`fairplay map`: make, check and draw maps of Trains."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from fairplay.cli.common import chosen_seed, json_option, print_json
from fairplay.core import UsageError

__all__ = ["command", "map_group"]


@click.group(
    "map",
    epilog="""\b
A MAP is a file holding the JSON form of a map, or the name of one that comes with Fairplay.

\b
Examples:
  fairplay map list
  fairplay map new --cities 20 --seed 7 --out mine.json
  fairplay map check mine.json
  fairplay map draw mine.json --svg mine.svg
  fairplay play trains planner buy-now --map mine.json
""",
)
def map_group() -> None:
    """Make, check and draw maps of Trains."""


command = map_group


@map_group.command("list")
@json_option
def list_maps(*, as_json: bool) -> None:
    """List the maps that come with Fairplay."""
    from fairplay.games.trains.map_files import MAPS

    if as_json:
        print_json([{"name": name, "about": sheet.about, "seats": sheet.seats} for name, sheet in MAPS.items()])
        return
    for name, sheet in MAPS.items():
        size = f"{len(sheet.map.cities)} cities, {len(sheet.map.connections)} connections"
        click.echo(f"{name:10} {size:28} up to {sheet.seats} seats  {sheet.about}")


@map_group.command("new")
@click.option("--cities", type=int, default=20, show_default=True, help="How many cities.")
@click.option("--seed", type=int, help="Fixes the map. [default: a new one]")
@click.option("--width", type=int, help="Pixels, 10 to 800. [default: by the number of cities]")
@click.option("--height", type=int, help="Pixels, 10 to 800. [default: by the number of cities]")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write here. [default: standard output]")
def new(cities: int, seed: int | None, width: int | None, height: int | None, out: Path | None) -> None:
    """Survey a map at random that looks like one and can seat eight."""
    from fairplay.core.chance import derived
    from fairplay.games.trains.map_files import map_to_text
    from fairplay.games.trains.map_generator import surveyed

    made = map_to_text(surveyed(derived(chosen_seed(seed), "map"), cities, width, height))
    if out is None:
        click.echo(made, nl=False)
    else:
        out.write_text(made, "utf-8")


@map_group.command("check")
@click.argument("map", metavar="MAP")
@json_option
def check(map: str, *, as_json: bool) -> None:
    """Say what is wrong with a map and where, or that nothing is and how many can play on it."""
    from fairplay.games.trains.map import build_network
    from fairplay.games.trains.map_files import map_flaws, map_from_json

    value = map_value(map)
    found = map_flaws(value)
    if as_json:
        print_json({"map": map, "valid": not found, "flaws": [{"at": where, "what": what} for where, what in found]})
        sys.exit(1 if found else 0)
    if found:
        for where, what in found:
            click.echo(f"{where}: {what}", err=True)
        click.echo(f"{map}: {len(found)} flaw{'' if len(found) == 1 else 's'}", err=True)
        sys.exit(1)
    count = build_network(map_from_json(value)).destination_count
    seats = min(8, (count - 3) // 2)  # Trains 2.2
    room = f"seats up to {seats}" if seats >= 2 else "too few destinations for a game"
    size = f"{len(value['cities'])} cities, {count} destinations"
    click.echo(f"{map}: a valid map, {size}, {room}")


@map_group.command("draw")
@click.argument("map", metavar="MAP")
@click.option(
    "--svg", "out", type=click.Path(path_type=Path, dir_okay=False), help="Write here. [default: standard output]"
)
def draw(map: str, out: Path | None) -> None:
    """Draw a map as SVG."""
    from fairplay.games.trains.drawing.picture import draw_map
    from fairplay.games.trains.map_files import map_from_json

    picture = draw_map(map_from_json(map_value(map)))
    if out is None:
        click.echo(picture)
    else:
        out.write_text(picture, "utf-8")


def map_value(given: str) -> Any:
    """The JSON form of the map that `given` names: a packaged one or a file; raises UsageError."""
    from fairplay.games.trains.map_files import MAPS, map_to_json

    if given in MAPS and not Path(given).exists():
        return map_to_json(MAPS[given].map)
    try:
        return json.loads(Path(given).read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{given}: malformed JSON: {error}") from None
    except FileNotFoundError:
        raise UsageError(f"there is no file {given}, nor a map of that name; there are: {', '.join(MAPS)}") from None
