"""What is shown of a tournament, taken out of its store: tables, verdict, faults, some matches turn by turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from fairplay.contest.contest import Contest, Result
from fairplay.contest.deals import describe_deals
from fairplay.contest.scoreboard import FIT, Tables, read_tables, tables_of
from fairplay.contest.sequential import StatedVerdict, candidate_test, until_decided, verdict_of
from fairplay.core import AnyGame, Picture, Turn
from fairplay.play.record import first_state, read_record, replay_record
from fairplay.play.signing import describe_proof
from fairplay.run.entrants import are_house_players

if TYPE_CHECKING:
    from fairplay.store.store import Store

__all__ = ["ReportedFault", "ReportedMatch", "TournamentReport", "collect_report", "describe_unproven", "load_tables"]

MAX_FAULTS: Final = 50
MAX_MATCHES: Final = 8

PAGE: Final = 1_000
"""Matches that are read from the store at once."""


class ReportedFault(Struct, frozen=True):
    """A fault of a player in a match."""

    match: int
    player: str
    kind: str
    detail: str


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
    faults: tuple[ReportedFault, ...]  # the first ones
    fault_count: int  # of all
    matches: tuple[ReportedMatch, ...]  # of each line-up the first that has a record
    replay_command: str
    unproven: str  # how many matches have no record, in a sentence; empty: all have one


def load_tables(store: Store, id: int, game: AnyGame) -> tuple[Tables, StatedVerdict | None]:
    """The tables of a tournament and the verdict of its test: as kept where it is finished, else counted now.

    What an earlier version kept is counted again: its ratings were fitted in another way.
    """
    contest, kept = store.contest(id), store.standings(id)
    tables = None if kept is None else read_tables(kept)
    if tables is None or tables.fit != FIT:
        tables, trial = tables_of(contest, store.results(id), game.seats)
    elif (trial := candidate_test(contest, game.seats)) is not None:
        deque(until_decided(trial, store.results(id)), maxlen=0)
    return tables, verdict_of(contest, trial)


def collect_report(store: Store, id: int, game: AnyGame, tables: Tables, replay_command: str) -> TournamentReport:
    """The report of a tournament of `store`, with these tables."""
    contest, over = store.contest(id), store.summary(id).finished is not None
    seed = f"seed {contest.seed}" if over else "seed shown when it is over"
    about = f"{tables.matches} matches, {len(contest.entrants)} players, {contest.format}, {seed}."
    faults, fault_count = collect_faults(contest, store.results(id))
    return TournamentReport(
        title=f"{game.name.title()}: tournament {id}",
        summary=" ".join([about, *describe_deals(contest, all_house=are_house_players(contest.entrants))]),
        unit=game.unit,
        tables=tables,
        faults=tuple(faults),
        fault_count=fault_count,
        matches=tuple(describe_match(store, id, game, number) for number in choose_matches(store, id)),
        replay_command=replay_command,
        unproven=describe_unproven(store.history.count_unproven(id), tables.matches),
    )


def describe_unproven(unproven: int, matches: int) -> str:
    """How much of a tournament nothing shows, in a sentence; empty where there is a record of every match."""
    if not unproven:
        return ""
    verb = "is" if unproven == 1 else "are"
    return f"{unproven} of {matches} matches {verb} unproven: without a record, nothing shows what was played."


def collect_faults(contest: Contest, results: Iterable[Result]) -> tuple[list[ReportedFault], int]:
    """The first faults, and how many there are in all."""
    faults: list[ReportedFault] = []
    count = 0
    for result in results:
        for player, fault in zip(result.line_up, result.outcome.faults, strict=True):
            if fault is not None:
                count += 1
                if len(faults) < MAX_FAULTS:
                    faults.append(ReportedFault(result.number, contest.names[player], fault.kind, fault.detail))
    return faults, count


def choose_matches(store: Store, id: int) -> list[int]:
    """The first match with a record of each line-up, up to some."""
    chosen: dict[frozenset[str], int] = {}
    last = -1
    while len(chosen) < MAX_MATCHES and (page := store.history.matches(id, after=last, limit=PAGE)):
        for match in page:
            if match.recorded:
                chosen.setdefault(frozenset(match.names), match.number)
        last = page[-1].number
    return list(chosen.values())[:MAX_MATCHES]


def describe_match(store: Store, id: int, game: AnyGame, number: int) -> ReportedMatch:
    """A match in words, with its last picture."""
    lines = store.record(id, number).splitlines(keepends=True)
    record = read_record(lines)
    events = list(replay_record(game, record))
    turns = tuple(
        game.words.describe_open_turn(event)
        if isinstance(event, Turn)
        else f"{game.words.seat_name(event.seat)} is removed: {event.fault.kind}"
        for event in events
    )
    last = next((event for event in reversed(events) if isinstance(event, Turn)), None)
    players, outcome = record.header.players, record.outcome
    winners = ", ".join(players[seat] for seat in outcome.winners) if outcome else ""
    title = f"{', '.join(players)}: {winners or 'nobody'} won"
    picture = game.picture(events[-1].after if events else first_state(game, record), last)
    return ReportedMatch(number, title, describe_proof(lines), turns, picture)
