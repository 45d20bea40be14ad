"""`fairplay tournament`: many players, many matches, one table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairplay.catalog import find_game
from fairplay.cli.contest_plan import (
    build_contest,
    check_players,
    parse_stop,
    plan_contest,
    read_plan,
    settle_isolation,
)
from fairplay.cli.keys import choose_signer
from fairplay.cli.options import (
    EngineOptions,
    FormatOptions,
    IsolationOptions,
    ReportOptions,
    SetupOptions,
    StoreOptions,
    db_option,
    engine_options,
    format_options,
    isolation_options,
    json_option,
    key_option,
    report_options,
    setup_options,
    store_options,
    trust_option,
)
from fairplay.cli.output import Pace, echo, print_json, warn_of_seed
from fairplay.cli.server_options import ServerOptions, server_options
from fairplay.cli.storage import (
    RecordFolder,
    StoredContest,
    explain_stop,
    open_contest_store,
    open_existing_store,
)
from fairplay.cli.tournament_files import export_command, import_command
from fairplay.cli.tournament_output import LiveTable, show_tournament
from fairplay.cli.tournament_serve import command as serve_command
from fairplay.cli.tournament_serve import resume_serving
from fairplay.core import AnyGame, UsageError

if TYPE_CHECKING:
    from fairplay.contest.contest import Contest
    from fairplay.run.engines.pool import Engine

__all__ = ["command"]


@click.group(
    "tournament",
    epilog="""\b
Examples:
  fairplay tournament run fish random greedy minimax --games 20 --report fish.html
  fairplay tournament run contest.toml --jobs 4
  fairplay tournament serve fish greedy minimax --port 45678 --format swiss
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
@click.option(
    "--stop-when", metavar="TEXT", help="Stop as soon as this is decided: 'A > B', 'A > B by 0.05' or 'A > all'."
)
@click.option("--indifference", default=0.0, help="How much above the bar the test may miss.")
@click.option("--alpha", default=0.05, show_default=True, help="Chance of a wrong 'better'.")
@click.option("--beta", default=0.05, show_default=True, help="Chance of a wrong 'not better'.")
@isolation_options
@setup_options
@store_options
@engine_options
@report_options
def run(
    game: str,
    players: tuple[str, ...],
    pairing: FormatOptions,
    stop_when: str | None,
    indifference: float,
    alpha: float,
    beta: float,
    dealing: SetupOptions,
    keeping: StoreOptions,
    playing: EngineOptions,
    showing: ReportOptions,
    isolation: IsolationOptions,
) -> None:
    """Play a tournament, keep every match, and print the tables."""
    if game.endswith(".toml"):
        if players:
            raise UsageError("a TOML file names its players itself")
        plan = read_plan(Path(game))
    else:
        stop = parse_stop(stop_when, pairing.matches, indifference, alpha, beta)
        plan = plan_contest(game, players, pairing, dealing, stop)
    chosen, contest = build_contest(settle_isolation(plan, isolation))
    warn_of_seed(contest)
    engine = playing.choose_engine()
    with open_contest_store(keeping) as store:
        stored = store.create(contest)
        play_missing(stored, chosen, engine, store.files, quiet=showing.as_json)
        show_tournament(stored, chosen, showing)


command.add_command(serve_command)


@command.command(
    "resume",
    epilog="""\b
A tournament with players who signed up over a network needs --port: they come back there.

\b
Examples:
  fairplay tournament resume 3
  fairplay tournament resume 3 --jobs 1
  fairplay tournament resume 4 --port 45678
""",
)
@click.argument("id", type=int)
@click.option("--port", type=click.IntRange(0, 65_535), help="Port where players from a network come back.")
@trust_option
@db_option
@key_option
@server_options
@engine_options
@report_options
def resume(
    id: int,
    port: int | None,
    db: str | None,
    key: Path | None,
    server: ServerOptions,
    playing: EngineOptions,
    showing: ReportOptions,
    *,
    trust: bool,
) -> None:
    """Resume a tournament that was stopped.  It ends with the same tables as if it had not been stopped."""
    from fairplay.run.entrants import connection_numbers

    with open_existing_store(db) as (store, place):
        contest, finished = store.contest(id), store.summary(id).finished is not None
        stored = StoredContest(store, id, place, signer=None if finished else choose_signer(key, place))
        game = find_game(contest.game)
        if not finished:
            check_resumption(id, game, contest, trust=trust)
        if not finished and connection_numbers(contest):
            resume_serving(stored, game, port, server, playing.choose_engine(apart=True), quiet=showing.as_json)
        elif not finished:
            play_missing(stored, game, playing.choose_engine(), RecordFolder(None), quiet=showing.as_json)
        show_tournament(stored, game, showing)


def check_resumption(id: int, game: AnyGame, contest: Contest, *, trust: bool) -> None:
    """Refuse to go on with players that cannot be started, or that nobody trusts here; raises UsageError."""
    from fairplay.run.entrants import is_trusted

    if not trust and any(is_trusted(entrant.spec) for entrant in contest.entrants):
        raise UsageError(f"tournament {id} has bots that run in Fairplay's own process; to resume it, add --trust")
    check_players(game, contest)


@command.command(
    "show", epilog="\b\nExamples:\n  fairplay tournament show 3\n  fairplay tournament show 3 --report page.html"
)
@click.argument("id", type=int)
@db_option
@report_options
def show_command(id: int, db: str | None, showing: ReportOptions) -> None:
    """Print the tables of a tournament, finished or not."""
    with open_existing_store(db) as (store, place):
        game = find_game(store.contest(id).game)
        show_tournament(StoredContest(store, id, place), game, showing)


@command.command(
    "list", epilog="\b\nExamples:\n  fairplay tournament list\n  fairplay tournament list --db postgresql:///games"
)
@db_option
@json_option
def list_command(db: str | None, *, as_json: bool) -> None:
    """List the tournaments of a store, and the series that `fairplay play` played."""
    with open_existing_store(db) as (store, _):
        contests = store.contests()
    if as_json:
        print_json(contests)
        return
    for each in contests:
        state = "finished" if each.finished is not None else "unfinished"
        names = ", ".join(each.players[:6]) + (" ..." if len(each.players) > 6 else "")
        echo(f"{each.id:4}  {each.game:10} {each.format:12} {each.matches:7} matches  {state:10} {names}")


command.add_command(export_command)
command.add_command(import_command)


def play_missing(stored: StoredContest, game: AnyGame, engine: Engine, files: RecordFolder, *, quiet: bool) -> None:
    """Play what is missing of a tournament, with a live table on a terminal."""
    from fairplay.contest.schedule import count_matches
    from fairplay.run.competition import Competition

    contest = stored.store.contest(stored.id)
    competition = Competition(game, contest, stored.keeper)
    total, before = count_matches(contest, game.seats), stored.store.summary(stored.id).matches
    missing = None if total is None else total - before
    pace = Pace(missing, [entrant.spec for entrant in contest.entrants], quiet=quiet)
    with explain_stop(lambda: stored), LiveTable(game, quiet=quiet) as table:
        for result in competition.results(engine):
            files.write(result)
            table.show(competition)
            pace.note_match()
