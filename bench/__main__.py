"""`python -m bench [GAME] [--json]`: measure every game there is, or one."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

import msgspec

from bench.measure import Figure, show
from fairplay.catalog import GAMES

OTHERS = ("kernels", "environments", "store", "tournament", "programs", "remote", "web")
"""What is measured besides the games."""


def main(game: str | None = None, *, as_json: bool = False) -> None:
    """Measure and print; says so in one line where OpenSpiel is missing."""
    if find_spec("pyspiel") is None:
        sys.exit("Error: the yardstick is missing: run `make bench`")
    figures: list[Figure] = []
    for name in [game] if game else [*GAMES, *OTHERS]:
        if find_spec(f"bench.{name}"):
            figures += import_module(f"bench.{name}").figures()
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(figures), indent=2).decode())
    else:
        show(figures)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--json"]
    main(arguments[0] if arguments else None, as_json="--json" in sys.argv)
