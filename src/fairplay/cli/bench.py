"""`fairplay bench`: the measurements of the source tree."""

import sys
from pathlib import Path

import click

import fairplay
from fairplay.cli.options import choose_game, json_option
from fairplay.core import UsageError


@click.command(
    "bench",
    epilog="""\b
Examples:
  fairplay bench
  fairplay bench fish --json
""",
)
@click.argument("game", required=False)
@json_option
def command(game: str | None, *, as_json: bool) -> None:
    """Measure how fast one game or all games are, beside OpenSpiel in the same run."""
    tree = Path(fairplay.__file__).parents[2]
    if not (tree / "bench" / "__main__.py").is_file():
        raise UsageError("the benchmarks are part of the source tree: run this from a clone of the project")
    sys.path.insert(0, str(tree))
    from bench.__main__ import OTHERS, main

    if game is not None and game not in OTHERS:
        game = choose_game(game).name

    main(game, as_json=as_json)
