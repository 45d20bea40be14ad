"""`fairplay play`: matches between house players and bots of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from fairplay.cli.common import (
    Played,
    chosen_game,
    chosen_seed,
    chosen_setup,
    fresh_folder,
    isolate_option,
    json_option,
    play_match,
    print_json,
    program,
    progress,
    read_fields,
    seated,
    setup_options,
)
from fairplay.core import AnyGame, Seat
from fairplay.play.record import deal

__all__ = ["command"]


@click.command(
    "play",
    epilog="""\b
A PLAYER is a house strategy, such as minimax or minimax:depth=3, or a Python file
holding a function from view to action: my_bot.py, or my_bot.py:name; or a program
in any language that speaks the native protocol: 'cmd:./my_bot --flag'.
They sit in the order given; game i of several is dealt from SEED + i.

\b
Examples:
  fairplay play fish minimax greedy
  fairplay play fish minimax:depth=3 random random --seed 7 --variant original
  fairplay play fish my_bot.py minimax --setup '{"rows": 5, "columns": 5, "fish": 2}'
  fairplay play fish my_bot.py greedy --games 100 --json
  fairplay play fish my_bot.py 'cmd:node my_bot.js' --isolate
  fairplay play trains planner buy-now hold-10 --board small
""",
)
@click.argument("game")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="How many matches to play.")
@setup_options
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the records. [default: a new one in records/]")
@isolate_option
@json_option
def command(
    game: str,
    players: tuple[str, ...],
    games: int,
    seed: int | None,
    variant: str | None,
    board: str | None,
    setup: str | None,
    patience: float | None,
    out: Path | None,
    *,
    isolate: bool,
    as_json: bool,
) -> None:
    """Play matches and say who won.  The same seed gives the same match on every machine."""
    chosen = chosen_game(game)
    parameters = chosen_setup(chosen, variant, read_fields(setup), board)
    seatings = seated(chosen, players, patience, isolate=isolate)
    first = chosen_seed(seed)
    deal(chosen, parameters, first, len(players))  # so that an impossible setup leaves no folder behind
    folder = fresh_folder(out, chosen)
    played = []
    with progress(range(games), games, "playing", quiet=as_json) as numbers:
        for number in numbers:
            path = folder / f"match-{number + 1:04}.jsonl"
            played.append(play_match(chosen, parameters, first + number, players, seatings, path))
    if as_json:
        print_json({"game": chosen.name, "setup": parameters, "matches": [match.as_json() for match in played]})
    elif games == 1:
        show_match(chosen, played[0])
    else:
        show_matches(chosen, played)


def show_match(game: AnyGame, match: Played) -> None:
    """Who sat where, what they scored, who won, and how to see more."""
    outcome = match.outcome
    width = max(map(len, match.players))
    for number, player in enumerate(match.players):
        score, fault = outcome.scores[number], outcome.faults[number]
        place = next((str(tier + 1) for tier, seats in enumerate(outcome.ranking) if number in seats), "-")
        result = f"{score[0]} {game.unit}" if score else f"{fault.kind}: {fault.detail}" if fault else "eliminated"
        line = f"{place:>2}. {player:{width}}  {game.words.seat_name(Seat(number)):8} {result}"
        click.secho(line, bold=number in outcome.winners)
    names = ", ".join(match.players[seat] for seat in outcome.winners) or "nobody"
    click.echo(f"\n{names} won ({outcome.ending}; seed {match.seed}).")
    show_usage(match)
    show_hints(match.record)


def show_usage(match: Played) -> None:
    """What each program took, and the file with what it wrote to its standard error."""
    for seat, usage in enumerate(match.usage):
        if usage is None:
            continue
        took = f"{usage.replies} replies in {usage.seconds:.2f} s, {usage.cpu:.2f} s of CPU time"
        click.echo(f"{match.players[seat]} (seat {seat}): {took}{'' if usage.sandboxed else ', no sandbox'}")
        if usage.stderr:
            kept = match.record.with_suffix(f".stderr-{seat}.txt")
            kept.write_text(usage.stderr, "utf-8")
            click.echo(f"  its standard error: {kept}")


def show_matches(game: AnyGame, played: list[Played]) -> None:
    from fairplay.cli.tables import print_standings
    from fairplay.contest.standings import Standings

    players = played[0].players
    labels = [f"{player} ({game.words.seat_name(Seat(seat))})" for seat, player in enumerate(players)]
    standings = Standings(labels, rotated=False)
    for number, match in enumerate(played):
        standings.add(number, range(len(players)), match.outcome)
    print_standings(game, standings.table())
    click.echo(f"{len(played)} matches, seeds {played[0].seed} to {played[-1].seed}.")
    show_hints(played[0].record)


def show_hints(record: Path) -> None:
    click.echo(f"Record: {record}")
    click.echo(f"  {program()} replay {record}                  # step through it")
    click.echo(f"  {program()} replay {record} --svg last.svg   # draw how it ended")
