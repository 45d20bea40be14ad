"""What a tournament's page shows: taken out of its store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairplay.cli.common import program
from fairplay.cli.report import Misdeed, Replay, Report, page
from fairplay.contest.contest import Contest, Result
from fairplay.contest.scoreboard import Tables
from fairplay.core import AnyGame, Turn
from fairplay.play.record import dealt, read, replay

if TYPE_CHECKING:
    from fairplay.store.store import Store

__all__ = ["reported"]

MOST_FAULTS = 50
MOST_REPLAYS = 8


def reported(store: Store, id: int, game: AnyGame, db: str, tables: Tables) -> str:
    """The page of a tournament."""
    contest = store.contest(id)
    faults, in_all, shown = misdeeds(contest, store.results(id))
    return page(
        Report(
            title=f"{game.name.title()}: tournament {id}",
            summary=f"{tables.matches} matches, {len(contest.entrants)} players, {contest.format}, seed {contest.seed}.",
            unit=game.unit,
            ratings=tables.ratings,
            standings=tables.standings,
            cross=tables.cross,
            order=tables.order,
            faults=faults,
            faults_in_all=in_all,
            replays=[told(store, id, game, number) for number in shown],
            how_to_replay=f"{program()} replay {db}#{id}/NUMBER",
        )
    )


def misdeeds(contest: Contest, results: Iterator[Result]) -> tuple[list[Misdeed], int, list[int]]:
    """The first faults, how many there are in all, and a match of each line-up, up to some, to be told."""
    faults: list[Misdeed] = []
    in_all, met = 0, dict[frozenset[int], int]()
    for result in results:
        line_up = frozenset(result.line_up)
        if len(met) < MOST_REPLAYS and line_up not in met and result.record is not None:
            met[line_up] = result.number
        for player, fault in zip(result.line_up, result.outcome.faults, strict=True):
            if fault is not None:
                in_all += 1
                if len(faults) < MOST_FAULTS:
                    faults.append(Misdeed(result.number, contest.names[player], fault.kind, fault.detail))
    return faults, in_all, list(met.values())


def told(store: Store, id: int, game: AnyGame, number: int) -> Replay:
    """A match in words with its last picture."""
    record = read(store.record(id, number).splitlines(keepends=True))
    events = list(replay(game, record))
    turns = [
        game.words.turn(event)
        if isinstance(event, Turn)
        else f"{game.words.seat_name(event.seat)} is removed: {event.fault.kind}"
        for event in events
    ]
    last = next((event for event in reversed(events) if isinstance(event, Turn)), None)
    players, outcome = record.header.players, record.outcome
    won = ", ".join(players[seat] for seat in outcome.winners) if outcome else ""
    title = f"{', '.join(players)}: {won or 'nobody'} won"
    return Replay(number, title, turns, game.picture(events[-1].after if events else dealt(game, record), last))
