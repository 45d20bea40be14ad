"""`fairplay harness`: the test programs of a game's established protocol."""

import os
import sys
import tempfile
import webbrowser
from functools import partial
from pathlib import Path

import click

from fairplay.cli.options import choose_game, json_option
from fairplay.cli.output import echo, print_json
from fairplay.core import Picture, SetupError, UsageError, WireError
from fairplay.core.convert import text
from fairplay.report.json_output.catalog import CasesDocument, DifferingCase


@click.command(
    "harness",
    epilog="""\b
Examples:
  echo '{"position": [1, 0], "board": [[1, 2], [3, 4]]}' | fairplay harness fish xboard
  fairplay harness fish xstrategy --cases cases/fish/xstrategy
  fairplay harness fish xserver 45678
  fairplay harness fish xclients 5 45678 127.0.0.1 --depth 1
""",
)
@click.argument("game")
@click.argument("program")
@click.argument("arguments", nargs=-1, metavar="[N] [PORT] [IP]")
@click.option(
    "--gap", type=click.FloatRange(0), help="xclients: seconds between sign-ups. [default: depends on the game]"
)
@click.option(
    "--depth", type=click.IntRange(0), default=2, show_default=True, help="xclients of Fish: moves to look ahead."
)
@click.option(
    "--line-feeds/--no-line-feeds",
    default=False,
    show_default=True,
    help="xclients: send a line feed after each value.",
)
@click.option(
    "--cases", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Run all cases in this folder."
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the picture here, if the program draws one."
)
@json_option
def command(
    game: str,
    program: str,
    arguments: tuple[str, ...],
    gap: float | None,
    depth: int,
    cases: Path | None,
    out: Path | None,
    *,
    line_feeds: bool,
    as_json: bool,
) -> None:
    """Read JSON values from standard input, or run a folder of cases, each *-in.json with its *-out.json.

    xserver and xclients take a port: they play over TCP.
    """
    from fairplay.course import programs

    chosen = choose_game(game)
    game = chosen.name
    if arguments or (program in programs.REMOTE and program not in programs.list_programs(game)):
        _run_remote(game, program, arguments, gap, depth, line_feeds=line_feeds)
        return
    chosen_program = programs.find_program(game, program)
    if cases is not None:
        run_cases(game, program, cases, as_json=as_json)
        return
    try:
        given = programs.read_values(sys.stdin.buffer.read().decode("utf-8"))
        result = chosen_program(given, programs.InlineStage(chosen, partial(click.echo, err=True)))
    except (WireError, UnicodeDecodeError) as error:
        echo(f"Error: {error}", err=True)
        sys.exit(1)
    if isinstance(result, Picture):
        _show_picture(result, out)
    else:
        click.echo(text(result))


def _run_remote(
    game: str, program: str, arguments: tuple[str, ...], gap: float | None, depth: int, *, line_feeds: bool
) -> None:
    """Run a program that plays over TCP; its input is read before it listens or connects."""
    from fairplay.course import programs

    if program not in programs.REMOTE:
        programs.find_program(game, program)
        raise UsageError(f"{program} takes no arguments")
    reads = programs.remote_programs(game).reads_input
    where = programs.parse_place(program, arguments, counted=program == "xclients" and not reads)
    try:
        given = programs.read_values(sys.stdin.buffer.read().decode("utf-8")) if reads else []
        if program == "xserver":
            click.echo(text(programs.run_server(game, given, where, partial(click.echo, err=True))))
        else:
            report = partial(click.echo, err=True)
            programs.run_clients(game, given, where, report, gap=gap, depth=depth, line_feeds=line_feeds)
    except (WireError, SetupError, UnicodeDecodeError) as error:
        echo(f"Error: {error}", err=True)
        sys.exit(1)


def _show_picture(picture: Picture, out: Path | None) -> None:
    """Write the picture to a file; without one, open it in a window if there is a screen, or print it."""
    if out is not None:
        out.write_text(picture, "utf-8")
    elif os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        with tempfile.NamedTemporaryFile("w", suffix=".svg", delete=False, encoding="utf-8") as file:
            file.write(picture)
        webbrowser.open(Path(file.name).as_uri())
    else:
        click.echo(picture)


def run_cases(game: str, program: str, folder: Path, *, as_json: bool) -> None:
    """Run every case of a folder and say which differ; exit code 1 if any does."""
    from fairplay.course import programs

    ran = list(programs.run_cases(game, program, folder))
    failed = [case for case in ran if not case.passed]
    if as_json:
        cases = tuple(DifferingCase(str(case.path), case.expected, case.actual) for case in failed)
        print_json(CasesDocument(len(ran) - len(failed), len(failed), cases))
    else:
        for case in failed:
            click.echo(f"{case.path}\n  expected {text(case.expected)}\n  got      {text(case.actual)}")
        click.echo(f"{len(ran) - len(failed)} passed, {len(failed)} failed")
    if failed:
        sys.exit(1)
