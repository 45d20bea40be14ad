"""`fairplay tournament run`: a tournament of the players of this machine."""

from pathlib import Path

import click
from msgspec.structs import replace

from fairplay.cli import contest_plan, options, output, storage
from fairplay.cli.tournament.playing import play_missing, show_tournament, tables_after_failure
from fairplay.core import UsageError


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
@options.format_options
@click.option(
    "--stop-when", metavar="TEXT", help="Stop as soon as this is decided: 'A > B', 'A > B by 0.05' or 'A > all'."
)
@click.option("--indifference", default=0.0, help="How much above the bar the test may miss.")
@click.option("--alpha", default=0.05, show_default=True, help="Chance of a wrong 'better'.")
@click.option("--beta", default=0.05, show_default=True, help="Chance of a wrong 'not better'.")
@options.isolation_options
@options.setup_options
@options.store_options
@options.engine_options
@options.report_options
@options.logs_option
@options.strict_option
def command(
    game: str,
    players: tuple[str, ...],
    pairing: options.FormatOptions,
    stop_when: str | None,
    indifference: float,
    alpha: float,
    beta: float,
    dealing: options.SetupOptions,
    keeping: options.StoreOptions,
    playing: options.EngineOptions,
    showing: options.ReportOptions,
    isolation: options.IsolationOptions,
    logs: Path | None,
    *,
    strict: bool,
) -> None:
    """Play a tournament, keep every match, and print the tables."""
    if game.endswith(".toml"):
        if players:
            raise UsageError("a TOML file names its players itself")
        plan = contest_plan.read_plan(Path(game))
        plan = replace(plan, ponder=plan.ponder or dealing.ponder)
    else:
        stop = contest_plan.parse_stop(stop_when, pairing.matches, indifference, alpha, beta)
        plan = contest_plan.plan_contest(game, players, pairing, dealing, stop)
    written = (showing.report, showing.csv, game if game.endswith(".toml") else None)
    hidden = storage.hide_files(keeping.db, keeping.key, folders=(logs, keeping.out), files=written)
    chosen, contest = contest_plan.build_contest(contest_plan.settle_isolation(plan, isolation), hidden)
    output.warn_of_seed(contest)
    engine = playing.choose_engine(hidden, logs=storage.prepare_logs(logs))
    with storage.open_contest_store(keeping) as store:
        stored = store.create(contest)
        with tables_after_failure(lambda: stored, chosen, showing):
            efforts = play_missing(stored, chosen, engine, store.files, quiet=showing.as_json)
        kept = show_tournament(stored, chosen, showing, efforts)
    if strict:
        output.fail_where_thrown_out([row.player for row in kept.tables.standings if row.faults])
