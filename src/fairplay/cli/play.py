"""`fairplay play`: matches between house players, bots of one's own and programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from fairplay.cli.common import (
    chosen_game,
    chosen_seed,
    chosen_setup,
    isolate_option,
    isolated,
    json_option,
    print_json,
    program,
    progress,
    read_fields,
    seated,
    setup_options,
)
from fairplay.cli.keeping import Kept, MatchFiles, open_keeping, store_options
from fairplay.contest.contest import Contest, Entrant, Match, Result, number_names
from fairplay.core import AnyGame, Seat
from fairplay.play.record import deal

if TYPE_CHECKING:
    from fairplay.run.isolation.program import Usage

__all__ = ["command"]


@click.command(
    "play",
    epilog="""\b
A PLAYER is a house strategy, such as minimax or minimax:depth=3, or a Python file
holding a function from view to action: my_bot.py, or my_bot.py:name; or a program
in any language that speaks the native protocol: 'cmd:./my_bot --flag'.
They sit in the order given; game i of several is dealt from SEED + i.
Every match is kept in the store (--db), where `fairplay replay` and the web page find it.

\b
Examples:
  fairplay play fish minimax greedy
  fairplay play fish minimax:depth=3 random random --seed 7 --variant original
  fairplay play fish my_bot.py minimax --setup '{"rows": 5, "columns": 5, "fish": 2}'
  fairplay play fish my_bot.py greedy --games 100 --json
  fairplay play fish my_bot.py 'cmd:node my_bot.js' --isolate
  fairplay play trains planner buy-now hold-10 --board small --out records
""",
)
@click.argument("game")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="How many matches to play.")
@setup_options
@store_options
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
    db: str | None,
    out: Path | None,
    *,
    no_store: bool,
    isolate: bool,
    as_json: bool,
) -> None:
    """Play matches and say who won.  The same seed gives the same match on every machine."""
    chosen = chosen_game(game)
    parameters = chosen_setup(chosen, variant, read_fields(setup), board)
    seated(chosen, players, patience, isolate=isolate)  # so that a wrong player is found before the first match
    first = chosen_seed(seed)
    deal(chosen, parameters, first, len(players))
    specs = [isolated(spec) if isolate else spec for spec in players]
    contest = Contest(
        game=chosen.name,
        entrants=tuple(Entrant(*pair) for pair in zip(number_names(players), specs, strict=True)),
        format="series",
        options={"games": games},
        setup=msgspec.Raw(msgspec.json.encode(parameters)),
        seed=first,
        patience=patience or chosen.patience,
    )
    files = MatchFiles(out)
    with open_keeping(db, no_store=no_store) as keeping:
        kept = keeping.create(contest)
        played = PlayedMatches(chosen, contest, kept, files)
        with progress(played.results(), games, "playing", quiet=as_json) as results:
            played.all = list(results)
    if as_json:
        matches = [played.as_json(result) for result in played.all]
        print_json({"game": chosen.name, "setup": parameters, "matches": matches})
    elif games == 1:
        show_match(played)
    else:
        show_matches(played)


class PlayedMatches:
    """The matches of one command: what came of each, and where it lies."""

    def __init__(self, game: AnyGame, contest: Contest, kept: Kept, files: MatchFiles) -> None:
        self.game, self.contest, self.kept, self.files = game, contest, kept, files
        self.usage: dict[int, list[Usage | None]] = {}  # of the programs, by seat
        self.all: list[Result] = []

    def results(self) -> Iterator[Result]:
        """Play; every match once it is kept."""
        from fairplay.run.competition import Competition
        from fairplay.run.engines.pool import Inline

        competition = Competition(self.game, self.contest, self.kept.keeper)
        for result in competition.results(Inline(self._note_usage)):
            self.files.write(result)
            yield result

    def _note_usage(self, match: Match, usage: list[Usage | None]) -> None:
        self.usage[match.number] = usage

    def seed(self, result: Result) -> int:
        return self.contest.seed + result.deal

    def record(self, result: Result) -> str | None:
        """Where the record lies: in the store, else in a file."""
        path = self.files.path(result.number)
        return self.kept.reference(result.number) or (None if path is None else str(path))

    def as_json(self, result: Result) -> dict[str, Any]:
        """What `--json` reports of a match."""
        names, usage = self.contest.names, self.usage.get(result.number, [])
        return {
            "seed": self.seed(result),
            "players": names,
            "winners": [names[seat] for seat in result.outcome.winners],
            **msgspec.to_builtins(result.outcome),
            "record": self.record(result),
            **({"programs": msgspec.to_builtins(usage)} if any(usage) else {}),
        }


def show_match(played: PlayedMatches) -> None:
    """Who sat where, what they scored, who won, and how to see more."""
    (result,) = played.all
    game, names, outcome = played.game, played.contest.names, result.outcome
    width = max(map(len, names))
    for number, player in enumerate(names):
        score, fault = outcome.scores[number], outcome.faults[number]
        place = next((str(tier + 1) for tier, seats in enumerate(outcome.ranking) if number in seats), "-")
        line = f"{score[0]} {game.unit}" if score else f"{fault.kind}: {fault.detail}" if fault else "eliminated"
        text = f"{place:>2}. {player:{width}}  {game.words.seat_name(Seat(number)):8} {line}"
        click.secho(text, bold=number in outcome.winners)
    winners = ", ".join(names[seat] for seat in outcome.winners) or "nobody"
    click.echo(f"\n{winners} won ({outcome.ending}; seed {played.seed(result)}).")
    show_usage(played, result)
    show_hints(played.record(result))


def show_usage(played: PlayedMatches, result: Result) -> None:
    """What each program took, and what it wrote to its standard error: in a file beside the record, or its end here."""
    path = played.files.path(result.number)
    for seat, usage in enumerate(played.usage.get(result.number, [])):
        if usage is None:
            continue
        took = f"{usage.replies} replies in {usage.seconds:.2f} s, {usage.cpu:.2f} s of CPU time"
        name = played.contest.names[seat]
        click.echo(f"{name} (seat {seat}): {took}{'' if usage.sandboxed else ', no sandbox'}")
        if usage.stderr and path is not None:
            kept = path.with_suffix(f".stderr-{seat}.txt")
            kept.write_text(usage.stderr, "utf-8")
            click.echo(f"  its standard error: {kept}")
        elif usage.stderr:
            click.echo("  the end of its standard error (--out FOLDER keeps all of it):")
            for line in usage.stderr.splitlines()[-LAST_LINES:]:
                click.echo(f"    {line}")


LAST_LINES = 5


def show_matches(played: PlayedMatches) -> None:
    """A table of all matches."""
    from fairplay.contest.standings import Standings
    from fairplay.report.terminal import print_standings

    names, game = played.contest.names, played.game
    labels = [f"{player} ({game.words.seat_name(Seat(seat))})" for seat, player in enumerate(names)]
    standings = Standings(labels, rotated=False)
    for result in played.all:
        standings.add(result.number, range(len(names)), result.outcome)
    print_standings(game, standings.table())
    first, last = (played.seed(played.all[index]) for index in (0, -1))
    click.echo(f"{len(played.all)} matches, seeds {first} to {last}.")
    show_hints(played.record(played.all[0]))


def show_hints(record: str | None) -> None:
    if record is None:
        return
    click.echo(f"Record: {record}")
    click.echo(f"  {program()} replay {record}                  # step through it")
    click.echo(f"  {program()} replay {record} --svg last.svg   # draw how it ended")
