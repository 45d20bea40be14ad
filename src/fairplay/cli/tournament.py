"""`fairplay tournament`: many players, many matches, one table."""

from __future__ import annotations

from math import comb
from pathlib import Path

import click

from fairplay.cli.common import (
    chosen_game,
    chosen_seed,
    chosen_setup,
    fresh_folder,
    json_option,
    match_options,
    play_match,
    print_json,
    program,
    progress,
    read_fields,
    seated,
)
from fairplay.core import Outcome, UsageError
from fairplay.core.chance import derived_seed
from fairplay.play.record import deal

__all__ = ["command"]


@click.group("tournament")
def command() -> None:
    """Let many players meet, and print who is better."""


@command.command(
    "run",
    epilog="""\b
Every line-up plays so many deals, each deal once in every rotation of the seats, so that
neither the luck of the deal nor the seat decides.

\b
Examples:
  fairplay tournament run fish random greedy minimax --games 10
  fairplay tournament run fish my_bot.py greedy minimax:depth=1 --seats 3 --seed 4 --json
""",
)
@click.argument("game")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--games", type=click.IntRange(1), default=10, show_default=True, help="Deals that every line-up plays.")
@click.option("--seats", type=int, help="Players of one match. [default: the fewest the game allows]")
@match_options
@json_option
def run(
    game: str,
    players: tuple[str, ...],
    games: int,
    seats: int | None,
    seed: int | None,
    variant: str | None,
    map: str | None,
    setup: str | None,
    patience: float | None,
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    """A round robin: all line-ups of so many players, in all rotations of their seats."""
    from fairplay.cli.tables import standings_table
    from fairplay.play.contest import Fixture
    from fairplay.play.formats import round_robin
    from fairplay.play.rounds import play_out
    from fairplay.play.standings import Standings

    chosen = chosen_game(game)
    seats = chosen.seats[0] if seats is None else seats
    if len(set(players)) < len(players):
        raise UsageError("every player can be named only once")
    if seats not in chosen.seats or seats > len(players):
        allowed = f"{chosen.seats[0]} to {min(chosen.seats[-1], len(players))}"
        raise UsageError(f"{len(players)} players of {chosen.name} can play in matches of {allowed} seats, not {seats}")
    parameters = chosen_setup(chosen, variant, read_fields(setup), map)
    seatings = seated(chosen, players, patience)
    first = chosen_seed(seed)
    deal(chosen, parameters, first, seats)  # so that an impossible setup leaves no folder behind
    folder = fresh_folder(out, chosen)
    standings = Standings(players)
    total = comb(len(players), seats) * seats * games
    with progress(range(1, total + 1), total, f"playing {chosen.name}", quiet=as_json) as numbers:
        numbered = iter(numbers)

        def play(fixture: Fixture) -> Outcome:
            match = play_match(
                chosen,
                parameters,
                derived_seed(first, "deal", fixture.deal),
                [players[player] for player in fixture.line_up],
                [seatings[player] for player in fixture.line_up],
                folder / f"match-{next(numbered):04}.jsonl",
            )
            standings.add(fixture.deal, fixture.line_up, match.outcome)
            return match.outcome

        play_out(round_robin(len(players), chosen.seats, size=seats, games=games), play)
    if as_json:
        report = {"game": chosen.name, "seed": first, "matches": total, "records": str(folder)}
        print_json({**report, "standings": standings.table()})
        return
    standings_table(chosen, standings.table())
    click.echo(f"{total} matches of {seats} seats: {games} deals in every rotation, seed {first}.")
    click.echo(f"Records: {folder}/ ({total} files)")
    example = folder / f"match-{total:04}.jsonl"
    click.echo(f"  {program()} replay {example}                  # step through a match")
    click.echo(f"  {program()} replay {example} --svg last.svg   # draw how it ended")
