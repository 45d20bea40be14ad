"""`fairplay analyse`: review a match with a house player that thinks."""

from pathlib import Path
from time import monotonic

import click

from fairplay.cli.matches.loading import ReplayedMatch, load_match
from fairplay.cli.options import json_option, think_option
from fairplay.cli.output import echo, print_json, track_progress
from fairplay.core import Turn, UsageError
from fairplay.match.replay import setup_of
from fairplay.match.review.analysis import Analysis, analyse_record, sum_up
from fairplay.match.review.walk import default_reviewer, seat_thinkers
from fairplay.report.json_output.matches import describe_analysis
from fairplay.report.match_page import render_match
from fairplay.report.reviews import describe_summary, list_turns
from fairplay.report.text_table import find_width
from fairplay.run.house_players import resolve_player


@click.command(
    "analyse",
    epilog="""\b
A match is named as in `fairplay replay`: 3/17, other.db#3/17, or a file with a record.

\b
Before each turn, a house player thinks about it from the same seat, knowing what that seat
could know. A value is the share of the win that the player can expect. What a turn loses
against the best one that was found is marked: from 5 points of a hundred an inaccuracy (?!),
from 10 a mistake (?), from 20 a blunder (??), unless a second or third thought says less.

\b
Examples:
  fairplay analyse 1/0
  fairplay analyse 1/0 --html review.html
  fairplay analyse match.jsonl --think 500ms
  fairplay analyse other.db#3/17 --json
""",
)
@click.argument("name", metavar="ID/NUMBER|DB#ID/NUMBER|FILE")
@click.option("--by", metavar="SPEC", help="The house player that reviews it. [default: the game's own]")
@think_option("Time a turn, such as 100ms or 2s, instead of its usual search; a review cannot be repeated then.")
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the match as one HTML page with the review graph.",
)
@json_option
def command(name: str, by: str | None, think: float | None, html: Path | None, *, as_json: bool) -> None:
    """Review a match: what each turn was worth, what it cost, and what was better."""
    if html is not None and not html.parent.is_dir():
        raise UsageError(f"--html: there is no folder {html.parent}")
    match = load_match(name)
    spec = resolve_player(
        match.game, setup_of(match.game, match.record.header), by or default_reviewer(match.game), think
    )
    analysis = _analyse_match(match, spec, quiet=as_json)
    if html is not None:
        html.write_text(render_match(match.game, match.record, match.events, analysis), "utf-8")
    if as_json:
        print_json(describe_analysis(match.game, match.record, analysis))
        return
    _show_analysis(match, analysis, with_turns=html is None)
    if html is not None:
        echo(f"{len(analysis.turns)} turns reviewed into {html}")


def _analyse_match(match: ReplayedMatch, by: str, *, quiet: bool) -> Analysis:
    """Review all turns of a match, with a bar; raises UsageError if `by` cannot."""
    game, record, events = match.game, match.record, match.events
    thinkers = seat_thinkers(game, by, len(record.header.players), monotonic)
    total = sum(isinstance(event, Turn) for event in events)
    with track_progress(analyse_record(game, record, thinkers), total, "reviewing", quiet=quiet) as turns:
        return sum_up(record, by, list(turns), len(events))


def _show_analysis(match: ReplayedMatch, analysis: Analysis, *, with_turns: bool) -> None:
    """Print the turns if `with_turns`, then how well each player played."""
    if with_turns:
        for line in list_turns(match.game, analysis.turns):
            echo(line)
        click.echo()
    echo(describe_summary(match.game, analysis, match.record.header.players, find_width()))
