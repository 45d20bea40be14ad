"""Faults and brackets as lines of text."""

from __future__ import annotations

from fairplay.contest.schedule import Bracket, Pairing
from fairplay.contest.scoreboard import FaultGroup
from fairplay.core import FaultKind
from fairplay.report.terminal import describe_bracket, describe_faults, format_match_count


def test_one_match_is_not_several() -> None:
    assert [format_match_count(count) for count in (0, 1, 1_200)] == ["0 matches", "1 match", "1,200 matches"]


def test_faults_are_folded_and_the_rest_is_counted() -> None:
    assert describe_faults((), 80) == []
    long = FaultGroup("bot.py", FaultKind.CRASHED, "its last lines:\n" + "word " * 80 + "\nmore", 20, 3)
    short = FaultGroup("eve", FaultKind.GONE, "", 1, 5)
    lines = describe_faults((long, *[short] * 9), 80)
    assert lines[:2] == ["Thrown out:", "  bot.py: 20 x crashed: its last lines: " + "word " * 7 + "word"]
    assert lines[3].startswith("      word word") and lines[3].endswith(" ...")
    assert lines[4:] == ["  eve: 1 x gone"] * 7 + ["  and 2 more kinds of fault"]
    assert max(map(len, lines)) <= 80


def test_the_matches_that_a_player_missed_are_no_faults() -> None:
    lines = describe_faults((FaultGroup("eve", FaultKind.ILLEGAL, "not your turn", 1, 2, absent=7),), 80)
    assert lines == ["Thrown out:", "  eve: 1 x illegal, then absent from 7 matches: not your turn"]


def test_a_bracket_says_who_met_whom_and_who_won() -> None:
    first = (
        Pairing(0, ("ann", "bob"), ("bob",), (7, 9), played=True),
        Pairing(1, ("cid", "eve"), ("cid",), (3, None), played=True),
    )
    assert describe_bracket(Bracket((first, (Pairing(2, ("bob", "cid")),)), ()), 80) == [
        "knock-out",
        "  round 1  ann 7, bob 9 -> bob",
        "           cid 3, eve out -> cid",
        "  final    bob, cid",
    ]
    final = Pairing(2, ("bob", "cid"), ("bob", "cid"), (5, 5), played=True)
    whole = describe_bracket(Bracket((first, (final,)), ("bob", "cid")), 80)
    assert whole[-2:] == ["  final    bob 5, cid 5 -> bob, cid", "Winners: bob, cid"]
    wide = describe_bracket(Bracket((first * 10,), ()), 80)
    assert wide[-1] == "           and 4 matches more"
