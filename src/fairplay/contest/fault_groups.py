"""The faults of a contest, grouped: what each player did wrong, how often, and a match that shows it."""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from fairplay.core import Fault, FaultKind

VARYING = re.compile(r"\w*\d\w*")
"""What differs between faults that are alike: numbers, places on a board, addresses in memory."""

MAX_REASONS = 20
"""Groups of one player; further faults are counted together.  A player can invent a new reason for every match."""

OTHER = "other reasons"


class FaultGroup(Struct, frozen=True):
    """Faults of one player that are alike: of one kind, and with the same reason but for numbers.

    Who cannot come back after a fault is absent from the matches that follow: these are no faults of their own.
    """

    player: str
    kind: FaultKind
    reason: str  # of the first of them: text of strangers, maybe of several lines
    count: int
    match: int  # the number of the first match with one
    absent: Annotated[int, Meta(description="matches that followed, without it: it could not come back")] = 0


def group_faults(
    names: Sequence[str], faults: Iterable[tuple[int, Sequence[int], Sequence[Fault | None]]]
) -> tuple[FaultGroup, ...]:
    """The groups, the greatest first; `faults` gives for each match its number, its line-up and the faults by seat.

    An absence counts for the last fault before it.  ASSUME matches with absences come in order of number.
    """
    groups: dict[tuple[int, FaultKind, str], FaultGroup] = {}
    reasons = [0] * len(names)
    causes: dict[int, tuple[int, FaultKind, str]] = {}  # the last fault of each player
    for number, line_up, by_seat in faults:
        for player, fault in zip(line_up, by_seat, strict=True):
            if fault is None:
                continue
            if fault.is_absence and player in causes:
                cause = groups[causes[player]]
                groups[causes[player]] = replace(cause, absent=cause.absent + 1)
                continue
            key, reason = (player, fault.kind, VARYING.sub("#", fault.detail)), fault.detail
            if key not in groups and reasons[player] >= MAX_REASONS:
                key, reason = (player, fault.kind, OTHER), OTHER
            if (group := groups.get(key)) is None:
                reasons[player] += 1
                group = FaultGroup(names[player], fault.kind, reason, 0, number)
            groups[key] = replace(group, count=group.count + 1, match=min(group.match, number))
            causes[player] = key
    return tuple(sorted(groups.values(), key=lambda group: (-group.count, group.player, group.match)))


def describe_group(group: FaultGroup) -> str:
    """What went wrong and how often, in one line, without the player."""
    reason = summarize_reason(group.reason)
    return f"{group.count} x {group.kind}{describe_absence(group)}" + (f": {reason}" if reason else "")


def describe_absence(group: FaultGroup) -> str:
    """How many matches a player missed after a fault, to follow on it; empty if none."""
    return f", then absent from {group.absent} match{'' if group.absent == 1 else 'es'}" if group.absent else ""


def summarize_reason(reason: str) -> str:
    """A reason in one line: its first line, with the next if it announces one; dots stand for the rest."""
    first, *rest = [line.strip() for line in reason.splitlines() if line.strip()] or [""]
    if first.endswith(":") and rest:
        first = f"{first} {rest.pop(0)}"
    return f"{first} ..." if rest else first
