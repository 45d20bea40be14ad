"""The report of a tournament as one HTML file, without scripts and without anything from another host."""

from __future__ import annotations

from collections import deque
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from fairplay.contest.contest import Contest
from fairplay.contest.planning import describe_conditions, describe_thinking
from fairplay.contest.schedule import Bracket, draw_bracket
from fairplay.contest.scoreboard import FIT, FaultGroup, Tables, group_faults, read_tables, tables_of
from fairplay.contest.sequential import StatedVerdict, candidate_test, until_decided, verdict_of
from fairplay.contest.specs import are_house_players
from fairplay.core import AnyEvent, AnyGame, Befell, Picture, Turn
from fairplay.game_files import explain_difference
from fairplay.match.driver import describe_chance
from fairplay.match.packing import describe_proof
from fairplay.match.record import read_record
from fairplay.match.replay import first_state, replay_record
from fairplay.report.charts import rating_chart
from fairplay.report.terminal import format_match_count

if TYPE_CHECKING:
    from jinja2 import Environment

    from fairplay.store.store import Store


_MAX_MATCHES = 8

_PAGE = 1_000
"""Matches that are read from the store at once."""


class KeptTournament(Struct, frozen=True, kw_only=True):
    """A tournament as it is kept: what is played, and what came of it so far.  Times are seconds since 1970."""

    id: int
    contest: Contest
    created: float
    finished: float | None
    tables: Tables
    verdict: StatedVerdict | None
    unproven: int  # matches without a record
    faults: tuple[FaultGroup, ...]
    bracket: Bracket  # of a knock-out


class ReportedMatch(Struct, frozen=True):
    """A match that is told: who played and who won, its turns in words, its last picture."""

    number: int
    title: str
    proof: str  # what shows that it was played so
    turns: tuple[str, ...]
    picture: Picture


class TournamentReport(Struct, frozen=True):
    """Everything that the report shows."""

    title: str
    summary: str
    unit: str  # what the scores count
    tables: Tables
    bracket: Bracket
    faults: tuple[FaultGroup, ...]
    matches: tuple[ReportedMatch, ...]  # of each line-up the first that has a record
    replay_command: str
    unproven: str  # how many matches have no record, in a sentence; empty: all have one


def load_tables(store: Store, id: int, game: AnyGame) -> tuple[Tables, StatedVerdict | None]:
    """The tables of a tournament and the verdict of its test: as kept if it is finished, else counted now.

    What an earlier version kept is counted again: its ratings were fitted in another way.
    """
    contest, kept = store.contest(id), store.standings(id)
    tables = None if kept is None else read_tables(kept)
    if tables is None or tables.fit != FIT:
        tables, trial = tables_of(contest, store.results(id), game.seats)
    elif (trial := candidate_test(contest, game.seats)) is not None:
        deque(until_decided(trial, store.results(id)), maxlen=0)
    return tables, verdict_of(contest, trial)


def load_tournament(store: Store, id: int, game: AnyGame) -> KeptTournament:
    """A tournament of `store`, finished or not; raises AbsentError if there is none of this number."""
    contest, summary = store.contest(id), store.summary(id)
    tables, verdict = load_tables(store, id, game)
    return KeptTournament(
        id=id,
        contest=contest,
        created=summary.created,
        finished=summary.finished,
        tables=tables,
        verdict=verdict,
        unproven=store.history.count_unproven(id),
        faults=group_faults(contest.names, store.history.contest_faults(id)),
        bracket=draw_bracket(contest, game.seats, lambda numbers: store.outcomes(id, numbers))
        if contest.format == "knock-out"
        else Bracket((), ()),
    )


def collect_report(store: Store, tournament: KeptTournament, game: AnyGame, replay_command: str) -> TournamentReport:
    """The report of a tournament of `store`."""
    contest, tables, id = tournament.contest, tournament.tables, tournament.id
    seed = f"seed {contest.seed}" if tournament.finished is not None else "seed shown when it is over"
    about = f"{format_match_count(tables.matches)}, {len(contest.entrants)} players, {contest.format}, {seed}."
    return TournamentReport(
        title=f"{game.name.title()}: tournament {id}",
        summary=" ".join(
            [
                about,
                *describe_conditions(contest, all_house=are_house_players(contest.entrants)),
                *describe_thinking(game, contest.entrants),
            ]
        ),
        unit=game.unit,
        tables=tables,
        bracket=tournament.bracket,
        faults=tournament.faults,
        matches=tuple(_describe_match(store, id, game, number) for number in _choose_matches(store, id)),
        replay_command=replay_command,
        unproven=describe_unproven(tournament.unproven, tables.matches),
    )


def describe_unproven(unproven: int, matches: int) -> str:
    """How much of a tournament nothing shows, in a sentence; empty if there is a record of every match."""
    if not unproven:
        return ""
    verb = "is" if unproven == 1 else "are"
    return (
        f"{unproven} of {format_match_count(matches)} {verb} unproven: without a record, nothing shows what was played."
    )


def _choose_matches(store: Store, id: int) -> list[int]:
    """The first match with a record of each line-up, up to some."""
    chosen: dict[frozenset[str], int] = {}
    last = -1
    while len(chosen) < _MAX_MATCHES and (page := store.history.matches(id, after=last, limit=_PAGE)):
        for match in page:
            if match.recorded:
                chosen.setdefault(frozenset(match.names), match.number)
        last = page[-1].number
    return list(chosen.values())[:_MAX_MATCHES]


def _describe_match(store: Store, id: int, game: AnyGame, number: int) -> ReportedMatch:
    """A match in words, with its last picture."""
    lines = store.record(id, number).splitlines(keepends=True)
    record = read_record(lines)
    events = list(replay_record(game, record))
    turns = tuple(_describe_event(game, event) for event in events)
    last = next((event for event in reversed(events) if isinstance(event, Turn)), None)
    players, outcome = record.header.players, record.outcome
    winners = ", ".join(players[seat] for seat in outcome.winners) if outcome else ""
    title = f"{', '.join(players)}: {winners or 'nobody'} won"
    picture = game.shown.picture(events[-1].after if events else first_state(game, record), last)
    other = bool(explain_difference(game.name, record.header.rule_book))
    return ReportedMatch(number, title, describe_proof(lines, other_rules=other), turns, picture)


def _describe_event(game: AnyGame, event: AnyEvent) -> str:
    """What happened, with all that was hidden."""
    if isinstance(event, Turn):
        return game.words.describe_open_turn(event)
    if isinstance(event, Befell):
        return describe_chance(game, event, open=True)
    return f"{game.words.seat_name(event.seat)} is removed: {event.fault.kind}"


def render_page(report: TournamentReport) -> str:
    """The HTML of a report.  Every text in it is escaped, except for our own drawings."""
    template = load_templates().get_template("report.html")
    return template.render(report=report, chart=rating_chart(report.tables.standings))


@cache
def load_templates() -> Environment:
    """The templates of this package, read once."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # here: most commands make no page

    return Environment(
        loader=PackageLoader("fairplay.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def render_tables(tables: Tables, unit: str) -> str:
    """The tables alone, for a notebook."""
    template = load_templates().get_template("tables.html")
    return template.render(tables=tables, unit=unit)
