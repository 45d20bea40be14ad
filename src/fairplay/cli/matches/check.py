"""`fairplay check`: is a bot ready to play, and if not, what must be fixed?"""

import sys

import click

from fairplay.catalog import GAMES
from fairplay.cli.options import DealOptions, choose_game, choose_seed, deal_options, json_option, read_fields
from fairplay.cli.output import echo, print_json
from fairplay.cli.storage import hide_files
from fairplay.contest.specs import ProgramSpec, parse_spec
from fairplay.core import AnyGame, UsageError
from fairplay.report.json_output.catalog import CheckDocument
from fairplay.run.bot_check import Check, CheckReport, check_bot
from fairplay.run.entrants import start_program
from fairplay.setups import choose_setup

_SHOWN_LINES = 12
"""Lines of what was seen that are printed."""


@click.command(
    "check",
    epilog="""\b
A PLAYER is a Python file with a function from view to action, or with a class; or a
program that speaks the native protocol. For a file, say which game it plays.

\b
Examples:
  fairplay check my_bot.py --game fish
  fairplay check my_bot.py:Careful --game trains --board small --positions 200
  fairplay check my_bot.py --game fish --variant original --json
  fairplay check 'cmd:./my_bot --fast'
  fairplay check 'cmd:node my_bot.js' --game labyrinth --setup '{"rows": 5, "columns": 5}'
""",
)
@click.argument("player")
@click.option("--game", help="Check this game only. [default: every game that the program says it plays]")
@click.option(
    "--positions", type=click.IntRange(1), default=50, show_default=True, help="Minimum number of answers in each game."
)
@deal_options
@json_option
def command(player: str, game: str | None, positions: int, dealing: DealOptions, *, as_json: bool) -> None:
    """Let a bot play whole matches against house players, and print a checklist.  Exit code 1: not ready."""
    if game is None and not isinstance(parse_spec(player), ProgramSpec):
        raise UsageError(f"{player}: say which game it plays: --game {'|'.join(GAMES)}")
    games: dict[str, AnyGame] = {**GAMES}
    if game is not None:
        chosen = choose_game(game)
        games = {chosen.name: chosen}
    hidden = hide_files(None, None)
    verdict = check_bot(
        player,
        lambda game, rng, info: start_program(game, player, dealing.patience, hidden)(rng, info),
        games,
        positions,
        choose_seed(dealing.seed),
        _find_setup(games, dealing),
    )
    if as_json:
        print_json(
            CheckDocument(verdict.ready, verdict.player, verdict.name, verdict.games, verdict.items, verdict.stderr)
        )
    else:
        _show_report(verdict)
    if not verdict.ready:
        sys.exit(1)


def _find_setup(games: dict[str, AnyGame], dealing: DealOptions) -> object:
    """The setup that was asked for, None if none was; raises UsageError."""
    if dealing.variant is None and dealing.board is None and dealing.setup is None:
        return None
    if len(games) > 1:
        raise UsageError("--variant, --board, --setup: say of which game: --game NAME")
    (game,) = games.values()
    return choose_setup(game, dealing.variant, read_fields(dealing.setup), dealing.board)


def _show_report(report: CheckReport) -> None:
    """Print the checklist, and what the bot printed if that helps."""
    for item in report.items:
        _show_item(item)
    last = report.stderr.splitlines()[-_SHOWN_LINES:]
    if not report.ready and last and last[-1].removeprefix("Error: ") not in report.items[-1].seen:
        click.echo("     the last lines of its standard error:")
        echo("\n".join(f"       {line}" for line in last))
    click.echo(f"\n{report.player} is {'ready to play' if report.ready else 'not ready'}.")


def _show_item(item: Check) -> None:
    """Print one line of the checklist, and what to do about it."""
    passed = click.style("warn", fg="yellow") if item.warning else click.style("ok  ", fg="green")
    click.echo(passed if item.passed else click.style("FAIL", fg="red", bold=True), nl=False)
    seen, *more = item.seen.splitlines() or [""]
    echo(f" {item.check:28} {seen}")
    for line in more[:_SHOWN_LINES]:
        echo(f"       {line}")
    if advice := item.warning or ("" if item.passed else f"Fix: {item.fix}"):
        echo(f"     {advice}")
