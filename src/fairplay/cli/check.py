"""`fairplay check`: is a bot ready to play, and if not, what must be fixed?"""

from __future__ import annotations

import sys

import click

from fairplay.catalog import find_game
from fairplay.cli.options import check_seconds, json_option
from fairplay.cli.output import echo, print_json
from fairplay.cli.setups import choose_seed
from fairplay.core import AnyGame, UsageError

__all__ = ["command"]


@click.command(
    "check",
    epilog="""\b
A PLAYER is a program that speaks the native protocol, or a Python file with a function
from view to action. For a file, say which game it plays.

\b
Examples:
  fairplay check 'cmd:./my_bot --fast'
  fairplay check 'cmd:node my_bot.js' --game trains --positions 200
  fairplay check my_bot.py --game fish --json
""",
)
@click.argument("player")
@click.option("--game", help="Check this game only. [default: every game that the program says it plays]")
@click.option(
    "--positions", type=click.IntRange(1), default=50, show_default=True, help="Minimum number of answers in each game."
)
@click.option(
    "--patience", type=float, callback=check_seconds, help="Seconds for an answer. [default: set by the rule book]"
)
@click.option("--seed", type=int, help="Fixes the matches. [default: a new one]")
@json_option
def command(
    player: str, game: str | None, positions: int, patience: float | None, seed: int | None, *, as_json: bool
) -> None:
    """Let a bot play whole matches against house players, and print a checklist.  Exit code 1: not ready."""
    from fairplay.catalog import GAMES
    from fairplay.run.bot_check import check_bot
    from fairplay.run.entrants import start_program

    if not player.startswith("cmd:") and game is None:
        raise UsageError(f"{player}: say which game it plays: --game {'|'.join(GAMES)}")
    games: dict[str, AnyGame] = {**GAMES} if game is None else {game: find_game(game)}
    spec = player if player.startswith("cmd:") else f"isolated:{player}"
    verdict = check_bot(
        player,
        lambda game, rng, info: start_program(game, spec, patience)(rng, info),
        games,
        positions,
        choose_seed(seed),
    )
    if as_json:
        from fairplay.report.json_output.catalog import CheckDocument

        print_json(
            CheckDocument(verdict.ready, verdict.player, verdict.name, verdict.games, verdict.items, verdict.stderr)
        )
    else:
        for item in verdict.items:
            mark = click.style("ok  ", fg="green") if item.passed else click.style("FAIL", fg="red", bold=True)
            seen, *_ = item.seen.splitlines() or [""]
            click.echo(mark, nl=False)
            echo(f" {item.check:28} {seen}")
            if not item.passed:
                echo(f"     Fix: {item.fix}")
        if not verdict.ready and verdict.stderr:
            click.echo("     the last lines of its standard error:")
            echo("\n".join(f"       {line}" for line in verdict.stderr.splitlines()[-10:]))
        click.echo(f"\n{player} is {'ready to play' if verdict.ready else 'not ready'}.")
    if not verdict.ready:
        sys.exit(1)
