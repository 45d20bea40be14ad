"""`fairplay tournament`: many players, many matches, one table."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
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
from fairplay.core import AnyGame, EngineError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairplay.cli.plan import Plan
    from fairplay.contest.contest import Contest, Result
    from fairplay.run.engines.pool import Engine
    from fairplay.store.running import Running
    from fairplay.store.store import Store

__all__ = ["command"]

F = TypeVar("F", bound=Callable[..., Any])

database = click.option("--db", default="fairplay.db", show_default=True, help="A file, or postgresql://...")


def report_options(command: F) -> F:
    """The options of every command that prints tables."""
    for option in (
        json_option,
        click.option("--csv", type=click.Path(path_type=Path, dir_okay=False), help="Write the table here as CSV."),
        click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="Write a page of HTML here."),
    ):
        command = option(command)
    return command


def engine_options(command: F) -> F:
    """The options of every command that plays many matches."""
    for option in (
        click.option("--on", metavar="dask|ADDRESS", help="Play on a Dask cluster: here, or at its scheduler."),
        click.option("--jobs", type=click.IntRange(1), help="Worker processes. [default: all cores]"),
    ):
        command = option(command)
    return command


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
@click.option(
    "--format", default="round-robin", show_default=True, help="knock-out, round-robin, swiss, gauntlet, ladder."
)
@click.option("--games", type=int, help="Deals that every line-up plays. [default: by the format]")
@click.option("--seats", type=int, help="Players of one match. [default: the fewest the game allows]")
@click.option("--option", "more", multiple=True, metavar="NAME=VALUE", help="Another option of the format.")
@click.option("--stop-when", metavar="TEXT", help="Stop when this is decided: 'A > B', 'A > B by 0.05', 'A > all'.")
@click.option("--indifference", default=0.0, help="How much above the bar may be missed by the test.")
@click.option("--alpha", default=0.05, show_default=True, help="Chance of a wrong 'better'.")
@click.option("--beta", default=0.05, show_default=True, help="Chance of a wrong 'not better'.")
@isolate_option
@click.option("--matches", type=click.IntRange(1), help="Stop after so many matches; a ladder needs it, or Ctrl-C.")
@setup_options
@database
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
    db: str,
    jobs: int | None,
    on: str | None,
    report: Path | None,
    csv: Path | None,
    *,
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
    begin(plan, db, chosen_engine(jobs, on), report, csv, as_json=as_json)


def begin(plan: Plan, db: str, engine: Engine, report: Path | None, csv: Path | None, *, as_json: bool) -> None:
    from fairplay.cli.plan import planned
    from fairplay.store import open_store

    game, contest = planned(plan)
    with open_store(db) as store:
        id = store.create(contest)
        play(store, id, game, engine, db, quiet=as_json)
        show(store, id, game, db, report, csv, as_json=as_json)


@command.command(
    "resume", epilog="\b\nExamples:\n  fairplay tournament resume 3\n  fairplay tournament resume 3 --jobs 1"
)
@click.argument("id", type=int)
@database
@engine_options
@report_options
def resume(
    id: int, db: str, jobs: int | None, on: str | None, report: Path | None, csv: Path | None, *, as_json: bool
) -> None:
    """Go on with a tournament that was stopped; ends with the same tables as if it had not been."""
    with opened(db) as store:
        game = chosen_game(store.contest(id).game)
        play(store, id, game, chosen_engine(jobs, on), db, quiet=as_json)
        show(store, id, game, db, report, csv, as_json=as_json)


@command.command(
    "show", epilog="\b\nExamples:\n  fairplay tournament show 3\n  fairplay tournament show 3 --report page.html"
)
@click.argument("id", type=int)
@database
@report_options
def show_command(id: int, db: str, report: Path | None, csv: Path | None, *, as_json: bool) -> None:
    """Print the tables of a tournament, finished or not."""
    with opened(db) as store:
        show(store, id, chosen_game(store.contest(id).game), db, report, csv, as_json=as_json)


@command.command(
    "list", epilog="\b\nExamples:\n  fairplay tournament list\n  fairplay tournament list --db postgresql:///games"
)
@database
@json_option
def list_command(db: str, *, as_json: bool) -> None:
    """List the tournaments of a store."""
    with opened(db) as store:
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
@database
def export(id: int, file: Path, db: str) -> None:
    """Write a tournament with all its records to a file."""
    from fairplay.store.transfer import export_contest

    with opened(db) as store:
        export_contest(store, id, file)
        click.echo(f"tournament {id}, {store.summary(id).matches} matches, written to {file}")


@command.command("import", epilog="\b\nExamples:\n  fairplay tournament import third.fairplay --db other.db")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@database
def import_(file: Path, db: str) -> None:
    """Take a tournament from a file, once every record in it has been played again and found genuine."""
    from fairplay.catalog import GAMES
    from fairplay.contest.conduct import tables_of
    from fairplay.store import open_store
    from fairplay.store.transfer import import_contest

    def table(contest: Contest, results: Iterable[Result]) -> bytes:
        return msgspec.json.encode(tables_of(contest, results, GAMES[contest.game].seats)[0])

    with open_store(db) as store:
        taken = import_contest(store, file, GAMES, table=table)
        click.echo(f"tournament {taken.id}: {taken.matches} matches verified, {taken.new} of them new here")


# -- playing -----------------------------------------------------------------------------------


def chosen_engine(jobs: int | None, on: str | None) -> Engine:
    import os

    from fairplay.run.engines.pool import Inline, Pool

    jobs = jobs or len(os.sched_getaffinity(0))
    if on is not None:
        from fairplay.run.engines.cluster import Cluster

        return Cluster(None if on == "dask" else on, jobs)
    return Inline() if jobs == 1 else Pool(jobs)


@contextmanager
def opened(db: str) -> Iterator[Store]:
    """A store that is there already."""
    from fairplay.store import open_store

    if "://" not in db and not Path(db).exists():
        raise UsageError(f"--db: there is no file {db}")
    with open_store(db) as store:
        yield store


def play(store: Store, id: int, game: AnyGame, engine: Engine, db: str, *, quiet: bool) -> None:
    """Play what is missing; when somebody interrupts, or it cannot be played on, say how to go on."""
    from fairplay.store.running import Running

    running = Running(store, id, game)
    try:
        watch(running, game, engine, quiet=quiet)
    except (KeyboardInterrupt, EngineError) as stop:
        again = f"{program()} tournament resume {id}" + ("" if db == "fairplay.db" else f" --db {db}")
        click.echo(f"\nStopped; what was finished is kept.  To go on: {again}", err=True)
        if isinstance(stop, EngineError):
            raise
        sys.exit(128 + (stop.args[0] if stop.args else signal.SIGINT))


def watch(running: Running, game: AnyGame, engine: Engine, *, quiet: bool) -> None:
    """Play with a bar and live standings on a terminal, silently elsewhere."""
    results = running.results(engine)
    if quiet or not sys.stderr.isatty():
        for _ in results:
            pass
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from fairplay.cli.tables import standings_table
    from fairplay.contest.conduct import total_of

    bar = Progress(TextColumn(f"playing {game.name}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    task = bar.add_task("", total=total_of(running.contest, game.seats))

    def shown() -> Group:
        bar.update(task, completed=running.board.matches)
        return Group(standings_table(game, running.board.standings()[:20]), bar)

    # Refreshed from here, not by a thread: the board must not change while it is being read.
    with Live(shown(), console=Console(stderr=True), auto_refresh=False, transient=True) as live:
        due = monotonic()
        for _ in results:
            if monotonic() >= due:
                live.update(shown(), refresh=True)
                due = monotonic() + 0.5


# -- showing -----------------------------------------------------------------------------------


def show(
    store: Store, id: int, game: AnyGame, db: str, report: Path | None, csv: Path | None, *, as_json: bool
) -> None:
    """Print the tables of a tournament, and write them where they are wanted."""
    from fairplay.cli.tables import print_tables
    from fairplay.contest.conduct import tables_of, verdict_of
    from fairplay.contest.scoreboard import written_csv

    contest = store.contest(id)
    tables, trial = tables_of(contest, store.results(id), game.seats)
    verdict = verdict_of(contest, trial)
    if csv is not None:
        csv.write_text(written_csv(tables), "utf-8")
    if report is not None:
        from fairplay.cli.reporting import reported

        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(reported(store, id, game, db, tables), "utf-8")
    if as_json:
        print_json({"id": id, "db": db, "game": game.name, "seed": contest.seed, "verdict": verdict, "tables": tables})
        return
    print_tables(game, tables)
    if verdict is not None:
        click.echo(verdict["sentence"])
    example = f"{program()} replay {db}#{id}/{max(0, tables.matches - 1)}"
    click.echo(f"Tournament {id} in {db}: {tables.matches} matches, seed {contest.seed}.")
    click.echo(f"  {example}                  # step through a match")
    click.echo(f"  {example} --svg last.svg   # draw how it ended")
    if report is not None:
        click.echo(f"Report: {report}")
