"""`fairplay tournament run`: a tournament of the players of this machine.

Also how every tournament is played, and shown at the end: tables, faults and bracket for people, JSON for programs.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
from msgspec.structs import replace

from fairplay.cli import contest_plan, options, output, storage
from fairplay.contest.contest import Effort, add_efforts
from fairplay.contest.planning import describe_conditions, describe_thinking
from fairplay.contest.schedule import count_matches
from fairplay.contest.specs import are_house_players
from fairplay.core import AnyGame, RuleBookError, UsageError
from fairplay.report import terminal, tournament_report
from fairplay.report.json_output.tournaments import describe_tournament
from fairplay.report.text_table import find_width, format_csv
from fairplay.report.tournament_report import KeptTournament
from fairplay.run.competition import Competition
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


# -- every tournament --------------------------------------------------------------------------


def play_missing(
    stored: storage.StoredContest, game: AnyGame, engine: Engine, files: storage.RecordFolder, *, quiet: bool
) -> dict[str, Effort]:
    """Play what is missing of a tournament, with a live table on a terminal; returns what the answers took."""
    contest = stored.store.contest(stored.id)
    competition = Competition(game, contest, stored.keeper)
    total, before = count_matches(contest, game.seats), stored.store.summary(stored.id).matches
    missing = None if total is None else total - before
    pace = output.Pace(missing, [entrant.spec for entrant in contest.entrants], quiet=quiet)
    efforts: dict[str, Effort] = {}
    output.announce_endless(contest, quiet=quiet)
    with storage.explain_stop(lambda: stored), output.LiveTable(game, quiet=quiet) as table:
        for result in competition.results(engine):
            files.write(result)
            table.show(competition, result)
            pace.note_match()
            add_efforts(efforts, contest, result)
    return efforts


def show_tournament(
    stored: storage.StoredContest,
    game: AnyGame,
    showing: options.ReportOptions,
    efforts: Mapping[str, Effort] | None = None,
    failed: RuleBookError | None = None,
) -> KeptTournament:
    """Print a tournament, and write its tables if they are wanted; the tournament.

    `efforts` are those of this run, by player, and `failed` tells of matches that it broke off: nobody keeps them.
    """
    kept = tournament_report.load_tournament(stored.store, stored.id, game)
    _write_files(stored, game, kept, showing)
    if showing.as_json:
        output.print_json(describe_tournament(game, kept, stored.place if stored.lasting else None, efforts))
        return kept
    _print_results(game, kept, terminal.describe_efforts(efforts or {}), wide=showing.wide)
    if failed is not None:
        output.echo(f"\n{failed}")
    _print_place(stored, kept)
    if showing.report is not None:
        click.echo(f"Report: {showing.report}")
    return kept


@contextmanager
def tables_after_failure(
    find: Callable[[], storage.StoredContest | None], game: AnyGame, showing: options.ReportOptions
) -> Iterator[None]:
    """If a rule book fails in the block: print the tables of what was played all the same, and end with exit code 1.

    The contest is the one that `find` finds.
    """
    try:
        yield
    except RuleBookError as failed:
        if (stored := find()) is None:
            raise
        show_tournament(stored, game, showing, failed=failed)
        if showing.as_json:
            raise
        sys.exit(1)


def _write_files(
    stored: storage.StoredContest, game: AnyGame, kept: KeptTournament, showing: options.ReportOptions
) -> None:
    """EFFECT: writes the files that are asked for."""
    if showing.csv is not None:
        showing.csv.write_text(format_csv(kept.tables, kept.faults), "utf-8")
    if showing.report is not None:
        hint = f"{output.program_name()} replay {stored.short_reference('NUMBER')}{stored.file_words}"
        showing.report.parent.mkdir(parents=True, exist_ok=True)
        report = tournament_report.collect_report(stored.store, kept, game, hint)
        showing.report.write_text(tournament_report.render_page(report), "utf-8")


def _print_results(game: AnyGame, kept: KeptTournament, efforts: list[str], *, wide: bool) -> None:
    """EFFECT: prints tables, bracket, faults, and what must be known to judge them."""
    terminal.print_tables(game, kept.tables, wide=wide)
    bracket = terminal.describe_bracket(kept.bracket, find_width()) if kept.bracket.rounds else []
    faults = terminal.describe_faults(kept.faults, find_width())
    for lines in (bracket, faults, [*_describe_remarks(game, kept), *efforts]):
        if lines:
            output.echo("\n" + "\n".join(lines))


def _describe_remarks(game: AnyGame, kept: KeptTournament) -> list[str]:
    """What must be known to judge the tables, in sentences; then the verdict of a test."""
    contest, tables = kept.contest, kept.tables
    remarks = terminal.describe_notes(tables.standings)
    if kept.unproven:
        remarks.append(tournament_report.describe_unproven(kept.unproven, tables.matches))
    remarks += describe_conditions(contest, all_house=are_house_players(contest.entrants))
    remarks += describe_thinking(game, contest.entrants)
    if kept.verdict is not None:
        remarks.append(kept.verdict.sentence)
    return remarks


def _print_place(stored: storage.StoredContest, kept: KeptTournament) -> None:
    """EFFECT: prints where the matches are, and how to look at them."""
    contest, count = kept.contest, terminal.format_match_count(kept.tables.matches)
    over = kept.finished is not None
    seed = f"seed {contest.seed}" if over else "the seed is shown when it is over"  # it gives away every deal
    if not stored.lasting:
        click.echo(f"\n{count}, {seed}; nothing was kept.")
        return
    click.echo(f"\nTournament {stored.id} in {stored.place}: {count}, {seed}.")
    hints = []
    if kept.tables.matches:
        replay = f"replay {stored.short_reference(kept.tables.matches - 1)}{stored.file_words}"
        hints = [(replay, "step through a match"), (f"{replay} --svg last.svg", "draw how it ended")]
    if kept.faults:
        hints.append((f"tournament faults {stored.short_id}", "why players were thrown out"))
    width = max((len(command) for command, _ in hints), default=0)
    for command, about in hints:
        click.echo(f"  {output.program_name()} {command:{width}}   # {about}")
