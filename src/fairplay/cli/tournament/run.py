"""`fairplay tournament run`: a tournament of the players of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from fairplay.cli.contest_plan import build_contest, parse_stop, plan_contest, read_plan, settle_isolation
from fairplay.cli.options import (
    EngineOptions,
    FormatOptions,
    IsolationOptions,
    ReportOptions,
    SetupOptions,
    StoreOptions,
    engine_options,
    format_options,
    isolation_options,
    logs_option,
    report_options,
    setup_options,
    store_options,
    strict_option,
)
from fairplay.cli.output import LiveTable, Pace, announce_endless, fail_where_thrown_out, warn_of_seed
from fairplay.cli.storage import RecordFolder, StoredContest, explain_stop, hide_files, open_contest_store, prepare_logs
from fairplay.cli.tournament.output import show_tournament, tables_after_failure
from fairplay.contest.contest import Effort
from fairplay.core import AnyGame, UsageError
from fairplay.report.terminal import add_efforts

if TYPE_CHECKING:
    from fairplay.run.engines.pool import Engine


@click.command(
    "run",
    epilog="""\b
A PLAYER is a house player, a Python file or a program, as in `fairplay play`, or NAME=PLAYER.
The word levels stands for all levels of the variant that can be played here.
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
  fairplay tournament run fish mine=my_bot.py levels --format gauntlet
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
@logs_option
@strict_option
def run_command(
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
    logs: Path | None,
    *,
    strict: bool,
) -> None:
    """Play a tournament, keep every match, and print the tables."""
    if game.endswith(".toml"):
        if players:
            raise UsageError("a TOML file names its players itself")
        plan = read_plan(Path(game))
        plan = replace(plan, ponder=plan.ponder or dealing.ponder)
    else:
        stop = parse_stop(stop_when, pairing.matches, indifference, alpha, beta)
        plan = plan_contest(game, players, pairing, dealing, stop)
    written = (showing.report, showing.csv, game if game.endswith(".toml") else None)
    hidden = hide_files(keeping.db, keeping.key, folders=(logs, keeping.out), files=written)
    chosen, contest = build_contest(settle_isolation(plan, isolation), hidden)
    warn_of_seed(contest)
    engine = playing.choose_engine(hidden, logs=prepare_logs(logs))
    with open_contest_store(keeping) as store:
        stored = store.create(contest)
        with tables_after_failure(lambda: stored, chosen, showing):
            efforts = play_missing(stored, chosen, engine, store.files, quiet=showing.as_json)
        kept = show_tournament(stored, chosen, showing, efforts)
    if strict:
        fail_where_thrown_out([row.player for row in kept.tables.standings if row.faults])


def play_missing(
    stored: StoredContest, game: AnyGame, engine: Engine, files: RecordFolder, *, quiet: bool
) -> dict[str, Effort]:
    """Play what is missing of a tournament, with a live table on a terminal; returns what the answers took."""
    from fairplay.contest.schedule import count_matches
    from fairplay.run.competition import Competition

    contest = stored.store.contest(stored.id)
    competition = Competition(game, contest, stored.keeper)
    total, before = count_matches(contest, game.seats), stored.store.summary(stored.id).matches
    missing = None if total is None else total - before
    pace = Pace(missing, [entrant.spec for entrant in contest.entrants], quiet=quiet)
    efforts: dict[str, Effort] = {}
    announce_endless(contest, quiet=quiet)
    with explain_stop(lambda: stored), LiveTable(game, quiet=quiet) as table:
        for result in competition.results(engine):
            files.write(result)
            table.show(competition, result)
            pace.note_match()
            add_efforts(efforts, contest, result)
    return efforts
