"""`fairplay check`: is a bot ready to play, and if not, what is to mend."""

from __future__ import annotations

import sys

import click

from fairplay.cli.common import chosen_game, chosen_seed, json_option, print_json
from fairplay.core import AnyGame, UsageError

__all__ = ["command"]

LINE = "\n"


@click.command(
    "check",
    epilog="""\b
A PLAYER is a program that speaks the native protocol, or a Python file with a function
from view to action; for a file, say which game it plays.

\b
Examples:
  fairplay check 'cmd:./my_bot --fast'
  fairplay check 'cmd:node my_bot.js' --game trains --positions 200
  fairplay check my_bot.py --game fish --json
""",
)
@click.argument("player")
@click.option("--game", help="Only this game. [default: every game that the program claims]")
@click.option(
    "--positions", type=click.IntRange(1), default=50, show_default=True, help="Answers to see in each game, at least."
)
@click.option("--patience", type=float, help="Seconds for an answer. [default: by the rule book]")
@click.option("--seed", type=int, help="Fixes the matches. [default: a new one]")
@json_option
def command(
    player: str, game: str | None, positions: int, patience: float | None, seed: int | None, *, as_json: bool
) -> None:
    """Let a bot play whole matches against house players, and print a checklist.  Exit code 1: something to mend."""
    from fairplay.catalog import GAMES
    from fairplay.run.compliance import examine
    from fairplay.run.entrants import start_program

    if patience is not None and not patience > 0:
        raise UsageError("--patience must be more than 0 seconds")
    if not player.startswith("cmd:") and game is None:
        raise UsageError(f"{player}: say which game it plays: --game {'|'.join(GAMES)}")
    games: dict[str, AnyGame] = {**GAMES} if game is None else {game: chosen_game(game)}
    spec = player if player.startswith("cmd:") else f"isolated:{player}"
    verdict = examine(
        player, lambda game, rng: start_program(game, spec, patience)(rng), games, positions, chosen_seed(seed)
    )
    if as_json:
        print_json({"ready": verdict.ready, **{name: getattr(verdict, name) for name in verdict.__struct_fields__}})
    else:
        for item in verdict.items:
            mark = click.style("ok  ", fg="green") if item.passed else click.style("MEND", fg="red", bold=True)
            click.echo(f"{mark} {item.check:28} {item.seen.partition(LINE)[0]}")
            if not item.passed:
                click.echo(f"     to mend: {item.mend}")
        if not verdict.ready and verdict.stderr:
            click.echo("     the last lines of its standard error:")
            click.echo("\n".join(f"       {line}" for line in verdict.stderr.splitlines()[-10:]))
        click.echo(f"\n{player} is {'ready to play' if verdict.ready else 'not ready'}.")
    if not verdict.ready:
        sys.exit(1)
