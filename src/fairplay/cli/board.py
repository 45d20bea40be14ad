"""`fairplay board`: list, make, check and draw the boards of a game."""

import inspect
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from fairplay.cli.contest_plan import parse_options
from fairplay.cli.options import choose_game, choose_seed, json_option
from fairplay.cli.output import echo, print_json
from fairplay.core import AnyGame, Json, UsageError, WireError
from fairplay.core.chance import derived
from fairplay.core.convert import text
from fairplay.report.json_output.catalog import BoardDocument, BoardFlaw, BoardsDocument, ListedBoard
from fairplay.setups import read_board, require_editor


@click.group(
    "board",
    epilog="""\b
A BOARD is the name of a board that comes with the game, or a JSON file: one made by `new`,
or one drawn and saved on the web page.

\b
Examples:
  fairplay board trains list
  fairplay board trains new --option cities=20 --seed 7 --out mine.json
  fairplay board trains check mine.json
  fairplay board trains draw mine.json --svg mine.svg
  fairplay play trains planner buy-now --board mine.json
""",
)
@click.argument("game")
@click.pass_context
def command(context: click.Context, game: str) -> None:
    """List, make, check and draw the boards of a game."""
    context.obj = choose_game(game)
    require_editor(context.obj)


@command.command("list")
@json_option
@click.pass_obj
def list_boards(game: AnyGame, *, as_json: bool) -> None:
    """List the boards that come with the game."""
    editor = require_editor(game)
    boards = [(name, label, editor.preview_board(editor.start_drawing(name))) for name, label in editor.BOARDS.items()]
    if as_json:
        listed = (ListedBoard(name, label, tuple(shown.seats)) for name, label, shown in boards)
        print_json(BoardsDocument(game.name, tuple(listed)))
        return
    width = max((len(name) for name, _, _ in boards), default=0)
    for name, label, shown in boards:
        click.echo(f"{name:{width}}  {label} ({shown.about}, {_describe_seats(shown.seats)})")


@command.command("new")
@click.option("--option", "options", multiple=True, metavar="NAME=NUMBER", help="Option of the board; repeatable.")
@click.option("--seed", type=int, help="Fixes the board. [default: a new one]")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write here. [default: standard output]")
@click.pass_obj
def new(game: AnyGame, options: tuple[str, ...], seed: int | None, out: Path | None) -> None:
    """Make a board at random.  An unknown option is answered with a list of those that the game has."""
    maker = require_editor(game).random_board
    if maker is None:
        raise UsageError(f"{game.name} has no random boards; `fairplay board {game.name} list` names those it has")
    board = maker(derived(choose_seed(seed), "board"), **_maker_options(game, maker, options))
    _write_out(_lay_out(board), out)


@command.command("check")
@click.argument("board")
@json_option
@click.pass_obj
def check(game: AnyGame, board: str, *, as_json: bool) -> None:
    """Say what is wrong with a board and where, or that nothing is and how many can play on it."""
    value = _board_value(game, board)
    flaws = require_editor(game).find_flaws(value)
    shown = None if flaws else require_editor(game).preview_board(value)
    problems, seats = (shown.problems, shown.seats) if shown else ((), ())
    if as_json:
        found = tuple(BoardFlaw(where, what) for where, what in flaws)
        print_json(BoardDocument(board, not flaws, found, tuple(problems), tuple(seats)))
    elif shown is None:
        for where, what in flaws:
            echo(f"{where}: {what}", err=True)
        click.echo(f"{board}: {len(flaws)} flaw{'' if len(flaws) == 1 else 's'}", err=True)
    else:
        echo(f"{board}: {shown.about}, {_describe_seats(seats)}")
        for problem in problems:
            echo(f"{board}: {problem}", err=True)
    sys.exit(0 if seats else 1)


@command.command("draw")
@click.argument("board")
@click.option(
    "--svg", "out", type=click.Path(path_type=Path, dir_okay=False), help="Write here. [default: standard output]"
)
@click.pass_obj
def draw(game: AnyGame, board: str, out: Path | None) -> None:
    """Draw a board as SVG."""
    try:
        picture = require_editor(game).preview_board(_board_value(game, board)).picture
    except WireError as error:
        raise UsageError(f"{board}: {error}") from None
    _write_out(f"{picture}\n", out)


def _board_value(game: AnyGame, given: str) -> Json:
    """The JSON of the board that `given` names, or that is in that file; raises UsageError."""
    board = read_board(game, given)
    return require_editor(game).start_drawing(board) if isinstance(board, str) else board


def _describe_seats(seats: Sequence[int]) -> str:
    """How many can play on a board, in words."""
    return f"for {seats[0]} to {seats[-1]} players" if seats else "which nobody can play on yet"


def _maker_options(game: AnyGame, maker: Callable[..., Json], words: Sequence[str]) -> dict[str, int]:
    """The options of a random board; raises UsageError with those that there are."""
    parameters = inspect.signature(maker).parameters.values()
    known = {one.name: one.default for one in parameters if one.kind is one.KEYWORD_ONLY}
    chosen = {}
    for name, value in parse_options(words).items():
        if name not in known:
            has = ", ".join(f"{key}={default}" for key, default in known.items()) or "none"
            raise UsageError(f"--option: a board of {game.name} has no option '{name}'; it has {has}")
        try:
            chosen[name] = int(value)
        except ValueError:
            raise UsageError(f"--option: {name} must be a whole number, not '{value}'") from None
    return chosen


def _write_out(content: str, out: Path | None) -> None:
    """EFFECT: writes a file, or to standard output."""
    if out is None:
        click.echo(content, nl=False)
    else:
        out.write_text(content, "utf-8")


def _lay_out(board: dict[str, Any]) -> str:
    """A board as JSON that people can read: what it consists of line by line, each part on a line of its own."""
    parts = ",\n".join(f"  {text(key)}: {_lay_out_part(value)}" for key, value in board.items())
    return f"{{\n{parts}\n}}\n"


def _lay_out_part(value: Json) -> str:
    """A part of a board as JSON, one item a line."""
    if isinstance(value, dict):
        lines, brackets = [f"{text(key)}: {text(inner)}" for key, inner in value.items()], "{}"
    elif isinstance(value, list | tuple):
        lines, brackets = [text(inner) for inner in value], "[]"
    else:
        return text(value)
    body = ",\n".join(f"    {line}" for line in lines)
    return f"{brackets[0]}\n{body}\n  {brackets[1]}" if body else brackets
