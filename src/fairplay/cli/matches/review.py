"""`fairplay analyse` and `hint`: what a house player that thinks says of a match, or would do in somebody's place."""

import json
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TextIO

import click

from fairplay.catalog import GAMES
from fairplay.cli.matches.replay import ReplayedMatch, load_match
from fairplay.cli.options import choose_game, game_option, json_option, think_option
from fairplay.cli.output import echo, print_json, track_progress
from fairplay.core import AnyGame, Seat, Turn, UsageError
from fairplay.core.game import find_mover, is_over
from fairplay.core.thinking import Thinker
from fairplay.match.replay import setup_of
from fairplay.match.review.analysis import Analysis, analyse_record, number_chance, sum_up
from fairplay.match.review.hints import Hint, give_hint, give_hint_in
from fairplay.match.review.walk import default_reviewer, make_thinker, seat_thinkers
from fairplay.report.json_output.matches import describe_analysis, describe_hint_document
from fairplay.report.match_page import render_match
from fairplay.report.reviews import describe_hint, describe_summary, list_turns
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
What chance changes during a match is nobody's mistake: such lines say "luck".

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
@game_option
@think_option("Time a turn, such as 100ms or 2s, instead of its usual search; a review cannot be repeated then.")
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the match as one HTML page with the review graph.",
)
@json_option
def analyse_command(name: str, by: str | None, think: float | None, html: Path | None, *, as_json: bool) -> None:
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
        return sum_up(record, by, list(turns), len(events), number_chance(events))


def _show_analysis(match: ReplayedMatch, analysis: Analysis, *, with_turns: bool) -> None:
    """Print the turns if `with_turns`, then how well each player played."""
    if with_turns:
        for line in list_turns(match.game, analysis.turns, analysis.luck):
            echo(line)
        click.echo()
    echo(describe_summary(match.game, analysis, match.record.header.players, find_width()))


# -- a hint ------------------------------------------------------------------------------------


@click.command(
    "hint",
    epilog="""\b
A match is named as in `fairplay replay`: 3/17, other.db#3/17, or a file with a record. The house
player looks at what the seat whose turn it is may know, and at nothing else.

\b
Examples:
  fairplay hint 1/0 --turn 12
  fairplay hint match.jsonl --think 2s
  fairplay hint fish --view view.json
  fairplay hint fish --position "$(cat position.txt)"
""",
)
@click.argument("name", metavar="ID/NUMBER|DB#ID/NUMBER|FILE|GAME")
@click.option("--turn", type=click.IntRange(1), help="Before this turn of the match. [default: the last]")
@click.option("--position", metavar="TEXT", help="In this position of the game, as its notation writes it.")
@click.option("--view", metavar="FILE|-", type=click.File("rb"), help="In this view of the game, as JSON.")
@click.option("--by", metavar="SPEC", help="The house player that is asked. [default: the game's own]")
@game_option
@think_option("Time for each of up to three thoughts, such as 100ms or 2s, instead of its usual search.")
@json_option
def hint_command(
    name: str,
    turn: int | None,
    position: str | None,
    view: TextIO | None,
    by: str | None,
    think: float | None,
    *,
    as_json: bool,
) -> None:
    """Say what a house player would do, what else it thought of, and what it expects."""
    if position is not None or view is not None:
        if turn is not None or (position is not None and view is not None):
            raise UsageError("--turn, --position, --view: use one of them")
        game = choose_game(name)
        shown = _read_view(game, view) if view is not None else _view_position(game, position or "")
        spec = resolve_player(game, shown, by or default_reviewer(game), think)  # a view says its variant
        hint = give_hint(game, shown, _thinker_maker(game, spec))
    elif (name in GAMES and not Path(name).is_file()) or name.endswith(".py"):
        raise UsageError(f"'{name}' is a game: say where in it, with --position or --view, or name a match")
    else:
        match = load_match(name)
        game = match.game
        spec = resolve_player(game, setup_of(game, match.record.header), by or default_reviewer(game), think)
        hint = give_hint_in(game, match.record, turn, _thinker_maker(game, spec))
    _show_hint(game, hint, spec, as_json=as_json)


def _thinker_maker(game: AnyGame, by: str) -> Callable[[Seat], Thinker]:
    """Makes the house player `by` for a seat; raises UsageError if it cannot say what it thinks."""
    return lambda seat: make_thinker(game, by, seat, monotonic)


def _view_position(game: AnyGame, text: str) -> object:
    """What the seat whose turn it is may know of a position; raises NotationError, or UsageError if it is nobody's."""
    state = game.notation.parse_position(text)
    seat = find_mover(game, state)
    if seat is None:
        raise UsageError(f"--position: {'the match is over' if is_over(game, state) else 'chance decides first'}")
    return game.rules.view(state, seat)


def _read_view(game: AnyGame, file: TextIO) -> object:
    """The view in a file; raises UsageError, or WireError with the path to what is wrong."""
    try:
        value = json.load(file)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--view: malformed JSON: {error}") from None
    return game.codec.view_from_json(value)


def _show_hint(game: AnyGame, hint: Hint, by: str, *, as_json: bool) -> None:
    if as_json:
        print_json(describe_hint_document(game, by, hint))
        return
    where = "" if hint.turn is None else f"turn {hint.turn}, "
    echo(f"{where}{game.words.seat_name(hint.seat)} to move; {by} would do:")
    for line in describe_hint(game, hint):
        echo(line)
