"""Moments of a match: numbered, immutable, drawn once, and told as each viewer may know them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, Outcome, Removed, Seat
from fairplay.web.watching.timeline import CACHED_MOMENTS, Presence, Timeline, Viewer, format_viewer, parse_viewer
from kit import Table, kit, spy, walk
from web.disguise import disguised

TRAINS = GAMES["trains"]
OUTCOME = Outcome(((Seat(1),), (Seat(0),)), ((3,), (5,)), (None, None), "nobody can move")


def timeline_of(game: str, turns: int, *, seats: int = 2, faults: bool = False) -> Timeline:
    """Some random turns."""
    found = walk(game, Table(GAMES[game].quick, seats), 5, turns, faults=faults)
    made = Timeline(found.game, ("ann", "bob", "cy")[:seats], found.states[0])
    for event in found.events:
        made.add(event)
    return made


def test_moment_n_is_the_table_after_n_events() -> None:
    timeline = timeline_of("fish", 4)
    assert timeline.last == 4
    assert [timeline.moment(number, None).number for number in range(5)] == [0, 1, 2, 3, 4]
    assert timeline.moment(0, None).words == "The match begins."
    assert [timeline.moment(number, None).to_move for number in range(3)] == [0, 1, 0]
    assert timeline.last_turn(0) is None and timeline.last_turn(1) is timeline.events[0]
    assert [seat.name for seat in timeline.moment(2, None).seats] == ["ann", "bob"]


def test_a_moment_does_not_change_when_others_follow_and_the_match_ends() -> None:
    timeline = timeline_of("fish", 3)
    before = timeline.moment(3, None)
    timeline._moments.clear()
    timeline.outcome = OUTCOME
    assert timeline.moment(3, None) == before
    longer = timeline_of("fish", 8)
    assert longer.moment(3, None) == before


def test_a_moment_is_drawn_once_for_each_kind_of_viewer() -> None:
    timeline, drawn = timeline_of("fish", 2), list[Any]()
    picture = timeline.game.shown.picture
    spied = replace(timeline.game.shown, picture=spy(picture, lambda *_, **more: drawn.append(more["open"])))
    timeline.game = replace(timeline.game, shown=spied)
    for viewer in (None, Seat(0), "all", None, Seat(0), "all"):
        timeline.moment(1, viewer)
    assert drawn == [False, False, True]


def test_only_the_newest_moments_are_kept_drawn() -> None:
    timeline = timeline_of("fish", CACHED_MOMENTS + 3)
    for number in range(timeline.last + 1):
        timeline.moment(number, None)
    assert len(timeline._moments) == CACHED_MOMENTS and (0, None, None) not in timeline._moments


@pytest.mark.parametrize("viewer", [None, Seat(0), Seat(1)])
def test_a_moment_holds_nothing_that_its_viewer_may_not_know(viewer: Seat | None) -> None:
    timeline = timeline_of("trains", 6)
    assert kit("trains").hides
    other = disguised(timeline, viewer, Random(1))
    for number in range(timeline.last + 1):
        assert timeline.moment(number, viewer) == other.moment(number, viewer)
    assert any(timeline.moment(number, "all") != other.moment(number, "all") for number in range(timeline.last + 1))


def test_who_is_removed_stays_removed_and_only_some_are_told_why() -> None:
    timeline = timeline_of("fish", 3, seats=3)
    state, rules = timeline.states[-1], timeline.game.rules
    seat = rules.to_move(state)
    assert seat is not None
    timeline.add(Removed(state, seat, Fault(FaultKind.CRASHED, "my cards are red"), rules.remove(state, seat)))
    assert timeline.moment(3, None).seats[seat].removed == ""
    assert timeline.moment(4, None).seats[seat].removed == "crashed"
    other = Seat((seat + 1) % 3)
    viewers: list[tuple[Viewer, bool]] = [(None, False), (other, False), (seat, True), ("all", True)]
    for viewer, knows in viewers:
        words = timeline.moment(4, viewer).words
        assert "was removed, crashed" in words.replace("were", "was") and ("my cards are red" in words) == knows


def test_what_is_left_when_nobody_plays_any_more() -> None:
    timeline = timeline_of("fish", 2)
    assert timeline.presence() == Presence("cut off", None, ("", ""), (), "")
    timeline.outcome = OUTCOME
    assert timeline.presence() == Presence("over", None, ("", ""), (Seat(1),), "nobody can move")


def test_viewers_have_names() -> None:
    for viewer in (None, "all", Seat(0), Seat(2)):
        assert parse_viewer(format_viewer(viewer), 3) == viewer
    for wrong in ("3", "-1", "", "PUBLIC", "²", "0x1", "1000"):
        with pytest.raises(ValueError, match="public, all or a seat from 0 to 2"):
            parse_viewer(wrong, 3)
