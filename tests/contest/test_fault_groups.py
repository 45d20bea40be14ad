"""Faults are grouped by what went wrong, whatever numbers are in the words."""

from __future__ import annotations

from fairplay.contest.fault_groups import FaultGroup, describe_group, group_faults, summarize_reason
from fairplay.core import ABSENCE, Fault, FaultKind

ILLEGAL, CRASHED = FaultKind.ILLEGAL, FaultKind.CRASHED


def test_faults_that_differ_in_numbers_alone_are_one_group() -> None:
    found = group_faults(
        ["ann", "bob", "eve"],
        [
            (7, (1, 0), (Fault(ILLEGAL, "b3 cannot be reached from [0, 1]"), None)),
            (4, (0, 1), (None, Fault(ILLEGAL, "d12 cannot be reached from [1, 5]"))),
            (5, (1, 2), (Fault(ILLEGAL, "it is not your turn"), Fault(CRASHED, "at 0x7f3a"))),
        ],
    )
    assert found == (
        FaultGroup("bob", ILLEGAL, "b3 cannot be reached from [0, 1]", 2, 4),
        FaultGroup("bob", ILLEGAL, "it is not your turn", 1, 5),
        FaultGroup("eve", CRASHED, "at 0x7f3a", 1, 5),
    )


def test_who_cannot_come_back_after_a_fault_is_absent_and_has_one_fault() -> None:
    illegal = Fault(ILLEGAL, "it is not your turn")
    faults = [(2, (0, 1), (illegal, None)), *((number, (1, 0), (None, ABSENCE)) for number in range(3, 10))]
    (group,) = group_faults(["ann", "bob"], faults)
    assert group == FaultGroup("ann", ILLEGAL, "it is not your turn", 1, 2, 7)
    assert describe_group(group) == "1 x illegal, then absent from 7 matches: it is not your turn"


def test_an_absence_without_a_cause_is_told_as_it_is() -> None:
    """As in a part of a tournament."""
    (group,) = group_faults(["ann"], [(4, (0,), (ABSENCE,)), (5, (0,), (ABSENCE,))])
    assert (group.kind, group.count, group.absent) == (FaultKind.GONE, 1, 1)


def test_a_player_that_invents_reasons_fills_no_memory() -> None:
    words = ["".join(chr(97 + int(digit)) for digit in str(number)) for number in range(1_000)]
    found = group_faults(["eve"], [(number, (0,), (Fault(CRASHED, word),)) for number, word in enumerate(words)])
    assert len(found) == 21
    assert found[0] == FaultGroup("eve", CRASHED, "other reasons", 980, 20)


def test_a_reason_of_several_lines_is_told_in_one() -> None:
    assert summarize_reason("") == ""
    assert summarize_reason("one line") == "one line"
    assert summarize_reason("its last lines:\nValueError: no\n") == "its last lines: ValueError: no"
    assert summarize_reason("its last lines:\n  ValueError: no\n  at all\n") == "its last lines: ValueError: no ..."
