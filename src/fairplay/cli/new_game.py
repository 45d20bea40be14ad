"""`fairplay new-game`: what a game of one's own begins as, in a folder of its own."""

import re
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

import click

from fairplay.catalog import GAMES
from fairplay.cli.output import echo, program_name
from fairplay.core import UsageError


@click.command(
    "new-game",
    epilog="""\b
The folder NAME holds the game in one file, which is played at once, a test, and what makes it a package.

\b
Examples:
  fairplay new-game mygame
  fairplay play mygame/mygame.py random random
""",
)
@click.argument("name")
def command(name: str) -> None:
    """Begin a game of your own: write a small one, to be changed into yours."""
    _check_name(name)
    folder = Path(name)
    if folder.exists() or folder.is_symlink():
        raise UsageError(f"{folder} is there already, and nothing is written over; choose another name")
    folder.mkdir()
    for file, text in _FILES.items():
        (folder / file.replace("NAME", name)).write_text(text.replace("NAME", name), "utf-8")
    _show_rows(name, _WRITTEN)
    echo("\nNext:")
    _show_rows(name, _NEXT, "  ")


def _show_rows(name: str, rows: Sequence[tuple[str, str]], indent: str = "") -> None:
    """EFFECT: prints files or commands, and what each is for."""
    named = [(first.replace("NAME", name).replace("FAIRPLAY", program_name()), about) for first, about in rows]
    width = max(len(first) for first, _ in named)
    for first, about in named:
        echo(f"{indent}{first:{width}}  {about}")


def _check_name(name: str) -> None:
    """Refuse what cannot be both a game and a module of Python; raises UsageError."""
    if not re.fullmatch("[a-z][a-z0-9_]{0,39}", name) or iskeyword(name):
        raise UsageError(f"'{name}' cannot be a module: expected lower-case letters, digits and _, a letter first")
    if name in GAMES:
        raise UsageError(f"there is a game '{name}' already; choose another name")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise UsageError(f"there is a module '{name}' already, which Python would mix up with the game")


# -- what is written ---------------------------------------------------------------------------

_WRITTEN = (
    ("NAME/NAME.py", "the game: change it into yours"),
    ("NAME/test_NAME.py", "its tests"),
    ("NAME/pyproject.toml", "what makes it a package"),
)

_NEXT = (
    ("FAIRPLAY play NAME/NAME.py random random", "# or human, for you"),
    ("FAIRPLAY serve NAME/NAME.py", "# play it on the page"),
    ("python -m pytest NAME", "# run its tests"),
    ("pip install --editable NAME", "# from then on its name is enough"),
)

_GAME = '''\
"""take one to three matches; whoever takes the last one wins"""

from collections.abc import Sequence
from random import Random
from typing import Annotated, Any

from fairplay.defaults import Action
from msgspec import Meta, Struct

SEATS = range(2, 3)  # how many can play


class State(Struct, frozen=True):
    """All that there is to know at one moment.  It never changes: `apply` makes a new one."""

    matches: Annotated[int, Meta(ge=0, le=15)] = 15
    turn: int = 0  # the seat whose turn it is; seats are counted from 0


class Take(Action):
    """What a player may do.  A game with several kinds of actions has a class for each."""

    matches: Annotated[int, Meta(ge=1, le=3)]


def start(setup: Any, seats: int, rng: Random) -> State:
    """What a match begins with.  All chance comes from `rng`."""
    return State()


def to_move(state: State) -> int | None:
    """The seat whose turn it is; None when the match is over."""
    return state.turn if state.matches else None


def legal_actions(view: Any) -> Sequence[Take]:
    """All that the seat on turn may do.  Its view has those fields of the state that it may know."""
    return [Take(count) for count in (1, 2, 3) if count <= view.matches]


def apply(state: State, action: Take) -> State:
    """The state after the seat on turn has done `action`, which is legal."""
    return State(state.matches - action.matches, 1 - state.turn)


def scores(state: State) -> Sequence[int]:
    """The points of each seat; more is better."""
    return [int(not state.matches and seat != state.turn) for seat in (0, 1)]
'''

_TEST = '''\
"""Tests of NAME."""

from pathlib import Path

import fairplay

NAME = fairplay.load(str(Path(__file__).with_name("NAME.py")))


def test_matches_of_random_players_end_and_nobody_is_thrown_out() -> None:
    for seed in range(20):
        match = fairplay.play(NAME, ["random", "random"], seed=seed)
        assert match.outcome.faults == (None, None)


def test_one_of_the_two_wins() -> None:
    position = NAME.start(seed=1)
    while not position.is_over:
        position = position.apply(position.legal_actions()[-1])
    assert sorted(position.scores.values()) == [(0,), (1,)]
'''

_PROJECT = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "fairplay-NAME"
version = "0.1"
description = "NAME for Fairplay."
dependencies = ["fairplay"]

[project.entry-points."fairplay.games"]
NAME = "NAME"

[tool.hatch.build.targets.wheel]
only-include = ["NAME.py"]
"""

_FILES = {"NAME.py": _GAME, "test_NAME.py": _TEST, "pyproject.toml": _PROJECT}
"""What is in the folder; NAME stands for the name of the game."""
