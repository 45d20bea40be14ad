"""How a tournament is played, and shown at the end: tables, faults and bracket for people, a document for programs."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import click

from fairplay.cli.options import ReportOptions
from fairplay.cli.output import LiveTable, Pace, announce_endless, echo, print_json, program_name
from fairplay.cli.storage import RecordFolder, StoredContest, explain_stop
from fairplay.contest.contest import Effort, add_efforts
from fairplay.contest.planning import describe_conditions, describe_thinking
from fairplay.contest.schedule import count_matches
from fairplay.contest.specs import are_house_players
from fairplay.core import AnyGame, RuleBookError
from fairplay.report import terminal, tournament_report
from fairplay.report.json_output.tournaments import describe_tournament
from fairplay.report.text_table import find_width, format_csv
from fairplay.report.tournament_report import KeptTournament
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Engine


def play_missing(
    stored: StoredContest, game: AnyGame, engine: Engine, files: RecordFolder, *, quiet: bool
) -> dict[str, Effort]:
    """Play what is missing of a tournament, with a live table on a terminal; returns what the answers took."""
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


def show_tournament(
    stored: StoredContest,
    game: AnyGame,
    showing: ReportOptions,
    efforts: Mapping[str, Effort] | None = None,
    failed: RuleBookError | None = None,
) -> KeptTournament:
    """Print a tournament, and write its tables if they are wanted; the tournament.

    `efforts` are those of this run, by player, and `failed` tells of matches that it broke off: nobody keeps them.
    """
    kept = tournament_report.load_tournament(stored.store, stored.id, game)
    _write_files(stored, game, kept, showing)
    if showing.as_json:
        print_json(describe_tournament(game, kept, stored.place if stored.lasting else None, efforts))
        return kept
    _print_results(game, kept, terminal.describe_efforts(efforts or {}), wide=showing.wide)
    if failed is not None:
        echo(f"\n{failed}")
    _print_place(stored, kept)
    if showing.report is not None:
        click.echo(f"Report: {showing.report}")
    return kept


@contextmanager
def tables_after_failure(
    find: Callable[[], StoredContest | None], game: AnyGame, showing: ReportOptions
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


def _write_files(stored: StoredContest, game: AnyGame, kept: KeptTournament, showing: ReportOptions) -> None:
    """EFFECT: writes the files that are asked for."""
    if showing.csv is not None:
        showing.csv.write_text(format_csv(kept.tables, kept.faults), "utf-8")
    if showing.report is not None:
        hint = f"{program_name()} replay {stored.short_reference('NUMBER')}"
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
            echo("\n" + "\n".join(lines))


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


def _print_place(stored: StoredContest, kept: KeptTournament) -> None:
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
        replay = f"replay {stored.short_reference(kept.tables.matches - 1)}"
        hints = [(replay, "step through a match"), (f"{replay} --svg last.svg", "draw how it ended")]
    if kept.faults:
        hints.append((f"tournament faults {stored.short_id}", "why players were thrown out"))
    width = max((len(command) for command, _ in hints), default=0)
    for command, about in hints:
        click.echo(f"  {program_name()} {command:{width}}   # {about}")
