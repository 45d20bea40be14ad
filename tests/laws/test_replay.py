"""`fairplay replay --seat N` shows what seat N may know: of two records that it cannot tell apart, the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from itertools import chain, repeat
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import Phase, given, settings, strategies as st
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.cli.matches import replay
from fairplay.cli.matches.replay import ReplayedMatch
from fairplay.core import Event, Fault, FaultKind, House, Outcome, Removed, Seat, Turn
from fairplay.core.chance import derived
from fairplay.match.players import MisbehavingPlayer, house_strategy
from fairplay.match.record import Record, read_record
from fairplay.match.replay import first_state, record_match, replay_record
from fairplay.report import match_page
from fairplay.run.inline import play_inline
from kit import Table, kit

QUITTER = Seat(0)
"""Is thrown out in the course of the match, with a reason of its own."""


def played(name: str, table: Table, seed: int) -> ReplayedMatch:
    """A match of random players."""
    lines: list[bytes] = []
    players: list[Any] = [House(house_strategy(GAMES[name], "random", derived(seed, n))) for n in range(table.seats)]
    players[QUITTER] = MisbehavingPlayer(players[QUITTER], FaultKind.CRASHED, question=1)
    names = tuple(f"player {seat}" for seat in range(table.seats))
    play_inline(record_match(GAMES[name], table.setup, seed, names, lines.append), players)
    record = read_record(lines)
    return ReplayedMatch(
        GAMES[name], record, first_state(GAMES[name], record), [*replay_record(GAMES[name], record)], None
    )


def disguised(match: ReplayedMatch, viewer: Seat, rng: Random) -> ReplayedMatch:
    """The same course of play, with everything changed that `viewer` may not know."""
    game = match.game
    mine = kit(game.name)
    states = [mine.scramble(state, viewer, rng) for state in (match.start, *(event.after for event in match.events))]
    events: list[Event[Any, Any]] = []
    for event, before, after in zip(match.events, states, states[1:], strict=False):
        if isinstance(event, Removed):
            events.append(Removed(before, event.seat, disguised_fault(event.fault), after))
        else:
            assert isinstance(event, Turn), "no game here has chance after the deal"
            action = event.action if event.seat == viewer else mine.disguise(event.action, viewer, rng)
            events.append(Turn(before, event.seat, action, after))
    return match._replace(record=disguised_record(match), start=states[0], events=events)


def disguised_record(match: ReplayedMatch) -> Record:
    record, game = match.record, match.game
    setup = game.rules.public_setup(msgspec.json.decode(record.header.setup, type=game.setup))
    header = replace(record.header, seed=record.header.seed + 1, setup=msgspec.Raw(msgspec.json.encode(setup)))
    outcome = record.outcome
    assert isinstance(outcome, Outcome)
    faults = tuple(fault and disguised_fault(fault) for fault in outcome.faults)
    return replace(record, header=header, outcome=replace(outcome, faults=faults), fingerprint=record.fingerprint[::-1])


def disguised_fault(fault: Fault) -> Fault:
    return replace(fault, detail="other last words")


def everything_shown(match: ReplayedMatch, seat: Seat, patch: pytest.MonkeyPatch) -> Iterator[str | bytes]:
    """What each form of output holds, at the end and in mid-match."""
    patch.setattr(replay, "load_match", lambda name, *, strict: match)
    patch.setattr(match_page, "first_state", lambda game, record: match.start)
    file, middle = Path("out"), ["--at", str(len(match.events) // 2)]
    for form in ([], middle, ["--text"], ["--json"], ["--svg", "out"], [*middle, "--svg", "out"], ["--html", "out"]):
        result = CliRunner().invoke(replay.command, ["it", "--seat", str(seat), *form])
        assert result.exit_code == 0, (form, result.output, result.exception)
        yield result.output
        yield file.read_text("utf-8") if file.exists() else ""
        file.unlink(missing_ok=True)
    keys = chain("g", repeat("n", len(match.events)), "q")
    patch.setattr(click, "getchar", lambda: next(keys))
    with redirect_stdout(StringIO()) as steps:
        replay.step_through(match._replace(viewer=seat), {})
    yield steps.getvalue()


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=8, phases=[Phase.generate])  # a failing match takes minutes to shrink
def test_what_a_seat_may_not_know_is_not_in_its_replay(name: str, data: st.DataObject, seed: int) -> None:
    match = played(name, data.draw(kit(name).tables), seed)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for seat in GAMES[name].rules.scores(match.state(len(match.events))):
            other = disguised(match, seat, derived(seed, "scramble"))
            assert list(everything_shown(other, seat, patch)) == list(everything_shown(match, seat, patch))


def test_the_disguise_is_one(name: str) -> None:
    """A disguise that changed nothing would keep the law above."""
    match = played(name, kit(name).first_table, 1)
    assert any(isinstance(event, Removed) for event in match.events)
    other = disguised(match, Seat(1), derived(1, "scramble"))
    moments = range(len(match.events) + 1)
    assert any(other.state(moment) != match.state(moment) for moment in moments) == kit(name).hides
    assert other.record.outcome != match.record.outcome
