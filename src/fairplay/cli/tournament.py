"""`fairplay tournament`: many players, many matches, one table."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from fairplay.cli.common import (
    chosen_game,
    isolate_option,
    json_option,
    print_json,
    program,
    read_fields,
    setup_options,
)
from fairplay.cli.competing import (
    LiveTable,
    choose_engine,
    engine_options,
    format_options,
    report_options,
    show_tournament,
)
from fairplay.cli.keeping import MatchFiles, db_option, hint_db, open_keeping, store_options
from fairplay.cli.serving import ServerChoices, server_options
from fairplay.cli.tournament_serve import command as serve
from fairplay.cli.tournament_serve import resume_serving
from fairplay.core import AnyGame, EngineError, UsageError
from fairplay.store import default_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairplay.contest.contest import Contest, Result
    from fairplay.run.engines.pool import Engine
    from fairplay.store.store import Store

__all__ = ["command"]

F = TypeVar("F", bound=Callable[..., Any])


@click.group(
    "tournament",
    epilog="""\b
Examples:
  fairplay tournament run fish random greedy minimax --games 20 --report fish.html
  fairplay tournament run contest.toml --jobs 4
  fairplay tournament list
  fairplay tournament resume 3
""",
)
def command() -> None:
    """Let many players meet, and print who is better."""


@command.command(
    "run",
    epilog="""\b
A PLAYER is a house strategy, a Python file or a program, as in `fairplay play`, or NAME=PLAYER.
Instead of GAME and PLAYERs, a TOML file can say what to play:
  game = "fish"
  players = ["greedy", { player = "my_bot.py", name = "mine" }]
  format = "round-robin"
  options = { games = 20 }
  setup = { rows = 5, columns = 5 }
Every line-up plays each of its deals once in every rotation of the seats, so that
neither the luck of the deal nor the seat decides.

\b
Examples:
  fairplay tournament run fish random greedy minimax --games 10
  fairplay tournament run fish mine=my_bot.py greedy --stop-when 'mine > greedy by 0.05' --games 1000
  fairplay tournament run trains planner buy-now hold-10 --format swiss --option rounds=5 --seats 3
  fairplay tournament run contest.toml --json
""",
)
@click.argument("game", metavar="GAME|FILE.toml")
@click.argument("players", nargs=-1, metavar="PLAYER...")
@format_options
@click.option("--stop-when", metavar="TEXT", help="Stop when this is decided: 'A > B', 'A > B by 0.05', 'A > all'.")
@click.option("--indifference", default=0.0, help="How much above the bar may be missed by the test.")
@click.option("--alpha", default=0.05, show_default=True, help="Chance of a wrong 'better'.")
@click.option("--beta", default=0.05, show_default=True, help="Chance of a wrong 'not better'.")
@isolate_option
@setup_options
@store_options
@engine_options
@report_options
def run(
    game: str,
    players: tuple[str, ...],
    format: str,
    games: int | None,
    seats: int | None,
    more: tuple[str, ...],
    stop_when: str | None,
    indifference: float,
    alpha: float,
    beta: float,
    matches: int | None,
    seed: int | None,
    variant: str | None,
    board: str | None,
    setup: str | None,
    patience: float | None,
    db: str | None,
    out: Path | None,
    jobs: int | None,
    on: str | None,
    report: Path | None,
    csv: Path | None,
    *,
    no_store: bool,
    isolate: bool,
    as_json: bool,
) -> None:
    """Play a tournament, keep every match, and print the tables."""
    from fairplay.cli import plan as plans

    if game.endswith(".toml"):
        if players:
            raise UsageError("a TOML file names its players itself")
        plan = plans.from_file(Path(game))
    else:
        words = [plans.entrant(word) for word in players]
        options = {**plans.options_of(more), "games": games, "size": seats}
        plan = plans.Plan(
            game=game,
            players=tuple(plans.apart(each) if isolate else each for each in words),
            format=format,
            options={key: value for key, value in options.items() if value is not None},
            stop=plans.stop_when(stop_when, matches, indifference, alpha, beta),
            variant=variant,
            board=board,
            setup=read_fields(setup),
            seed=seed,
            patience=patience,
        )
    chosen, contest = plans.planned(plan)
    engine, files = choose_engine(jobs, on), MatchFiles(out)
    with open_keeping(db, no_store=no_store) as keeping:
        id = keeping.store.create(contest)
        with explain_stop(id, db, kept=keeping.lasting):
            play_missing(keeping.store, id, chosen, engine, files, quiet=as_json)
        name = db or default_url()
        show_tournament(keeping.store, id, chosen, name, report, csv, as_json=as_json, kept=keeping.lasting)


command.add_command(serve)


@command.command(
    "resume",
    epilog="""\b
A tournament with players that signed up over a network needs --port: there they come back.

\b
Examples:
  fairplay tournament resume 3
  fairplay tournament resume 3 --jobs 1
  fairplay tournament resume 4 --port 45678
""",
)
@click.argument("id", type=int)
@click.option("--port", type=click.IntRange(0, 65_535), help="Where players that signed up over a network come back.")
@db_option
@server_options
@engine_options
@report_options
def resume(
    id: int,
    port: int | None,
    db: str | None,
    server: ServerChoices,
    jobs: int | None,
    on: str | None,
    report: Path | None,
    csv: Path | None,
    *,
    as_json: bool,
) -> None:
    """Resume a tournament that was stopped; it ends with the same tables as if it had not been."""
    from fairplay.run.entrants import connection_numbers

    with open_existing(db) as store:
        contest = store.contest(id)
        game = chosen_game(contest.game)
        if connection_numbers(contest):
            engine = choose_engine(jobs, on, apart=True)
            with explain_stop(id, db, f" --port {port}", kept=True), LiveTable(game, quiet=as_json) as table:
                resume_serving(store, id, game, port, server, engine, table)
        else:
            with explain_stop(id, db, kept=True):
                play_missing(store, id, game, choose_engine(jobs, on), MatchFiles(None), quiet=as_json)
        show_tournament(store, id, game, db or default_url(), report, csv, as_json=as_json, kept=True)


@command.command(
    "show", epilog="\b\nExamples:\n  fairplay tournament show 3\n  fairplay tournament show 3 --report page.html"
)
@click.argument("id", type=int)
@db_option
@report_options
def show_command(id: int, db: str | None, report: Path | None, csv: Path | None, *, as_json: bool) -> None:
    """Print the tables of a tournament, finished or not."""
    with open_existing(db) as store:
        game = chosen_game(store.contest(id).game)
        show_tournament(store, id, game, db or default_url(), report, csv, as_json=as_json, kept=True)


@command.command(
    "list", epilog="\b\nExamples:\n  fairplay tournament list\n  fairplay tournament list --db postgresql:///games"
)
@db_option
@json_option
def list_command(db: str | None, *, as_json: bool) -> None:
    """List the tournaments of a store."""
    with open_existing(db) as store:
        found = store.contests()
    if as_json:
        print_json(found)
        return
    for each in found:
        state = "finished" if each.finished is not None else "unfinished"
        names = ", ".join(each.players[:6]) + (" ..." if len(each.players) > 6 else "")
        click.echo(f"{each.id:4}  {each.game:10} {each.format:12} {each.matches:7} matches  {state:10} {names}")


@command.command("export", epilog="\b\nExamples:\n  fairplay tournament export 3 third.fairplay")
@click.argument("id", type=int)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@db_option
def export(id: int, file: Path, db: str | None) -> None:
    """Write a tournament with all its records to a file."""
    from fairplay.store.transfer import export_contest

    with open_existing(db) as store:
        export_contest(store, id, file)
        click.echo(f"tournament {id}, {store.summary(id).matches} matches, written to {file}")


@command.command("import", epilog="\b\nExamples:\n  fairplay tournament import third.fairplay --db other.db")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@db_option
def import_(file: Path, db: str | None) -> None:
    """Take a tournament from a file, once every record in it has been played again and found genuine."""
    from fairplay.catalog import GAMES
    from fairplay.contest.scoreboard import tables_of
    from fairplay.store import open_store
    from fairplay.store.transfer import import_contest

    def table(contest: Contest, results: Iterable[Result]) -> bytes:
        return msgspec.json.encode(tables_of(contest, results, GAMES[contest.game].seats)[0])

    with open_store(db or default_url()) as store:
        taken = import_contest(store, file, GAMES, table=table)
        click.echo(f"tournament {taken.id}: {taken.matches} matches verified, {taken.new} of them new here")


# -- playing -----------------------------------------------------------------------------------


@contextmanager
def open_existing(db: str | None) -> Iterator[Store]:
    """A store that is there already; raises UsageError where it is not."""
    from fairplay.store import default_url, open_store

    name = db or default_url()
    if "://" not in name and not Path(name).exists():
        raise UsageError(f"--db: there is no file {name}")
    with open_store(name) as store:
        yield store


def play_missing(store: Store, id: int, game: AnyGame, engine: Engine, files: MatchFiles, *, quiet: bool) -> None:
    """Play what is missing of a tournament, with a live table on a terminal."""
    from fairplay.run.competition import Competition
    from fairplay.run.keeping import StoreKeeper

    competition = Competition(game, store.contest(id), StoreKeeper(store, id))
    with LiveTable(game, quiet=quiet) as table:
        for result in competition.results(engine):
            files.write(result)
            table.show(competition)


@contextmanager
def explain_stop(id: int, db: str | None, more: str = "", *, kept: bool) -> Iterator[None]:
    """Where someone interrupts the block, or it cannot be played on: say how to go on, and end the program."""
    try:
        yield
    except (KeyboardInterrupt, EngineError) as stop:
        if kept:
            again = f"{program()} tournament resume {id}{more}{hint_db(db)}"
            click.echo(f"\nStopped; what was finished is kept.  To go on: {again}", err=True)
        if isinstance(stop, EngineError):
            raise
        sys.exit(128 + (stop.args[0] if stop.args else signal.SIGINT))
