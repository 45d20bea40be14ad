"""What a terminal shows of a tournament below its tables: the bracket of a knock-out, faults with their reasons."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from fairplay.contest.fault_groups import FaultGroup, describe_group
from fairplay.contest.schedule import Bracket, Pairing

__all__ = ["describe_bracket", "describe_faults", "format_match_count", "wrap_lines"]

MAX_GROUPS: Final = 8
"""Groups of faults that are shown below a table."""

MAX_PAIRINGS: Final = 16
"""Matches of a round of a bracket that are shown."""


def format_match_count(count: int) -> str:
    """A number of matches, as people write it."""
    return f"{count:,} match{'' if count == 1 else 'es'}"


# -- faults ------------------------------------------------------------------------------------


def describe_faults(groups: Sequence[FaultGroup], width: int) -> list[str]:
    """A paragraph for each of the most frequent faults; nothing if there are none."""
    if not groups:
        return []
    lines = ["Thrown out:"]
    for group in groups[:MAX_GROUPS]:
        lines += wrap_lines(f"{group.player}: {describe_group(group)}", width, "  ", "      ")
    if (left := len(groups) - MAX_GROUPS) > 0:
        lines.append(f"  and {left} more kind{'' if left == 1 else 's'} of fault")
    return lines


def wrap_lines(text: str, width: int, first: str, others: str) -> list[str]:
    """`text` in lines that fit; at most three of them."""
    return textwrap.wrap(
        text, max(width, 40), initial_indent=first, subsequent_indent=others, max_lines=3, placeholder=" ..."
    )


# -- the bracket -------------------------------------------------------------------------------


def describe_bracket(bracket: Bracket, width: int) -> list[str]:
    """A knock-out round by round, who met whom and who went on; then who won it."""
    lines = ["knock-out"]
    last = len(bracket.rounds)
    for number, pairings in enumerate(bracket.rounds, 1):
        title = "final" if number == last and len(pairings) == 1 else f"round {number}"
        lines += describe_round(title, pairings, width)
    if bracket.winners:
        verb = "Winner" if len(bracket.winners) == 1 else "Winners"
        lines += wrap_lines(f"{verb}: {', '.join(bracket.winners)}", width, "", "  ")
    return lines


def describe_round(title: str, pairings: Sequence[Pairing], width: int) -> Iterator[str]:
    """The matches of a round, its title before the first."""
    indent = " " * 11
    for index, pairing in enumerate(pairings[:MAX_PAIRINGS]):
        first = f"  {title:9}" if index == 0 else indent
        yield from wrap_lines(describe_pairing(pairing), width, first, indent + "  ")
    if (left := len(pairings) - MAX_PAIRINGS) > 0:
        yield f"{indent}and {format_match_count(left)} more"


def describe_pairing(pairing: Pairing) -> str:
    """A match of a bracket: who met, with their scores, and who went on."""
    if not pairing.played:
        return ", ".join(pairing.names)
    scores = ("out" if score is None else str(score) for score in pairing.scores)
    met = ", ".join(f"{name} {score}" for name, score in zip(pairing.names, scores, strict=True))
    return f"{met} -> {', '.join(pairing.winners) or 'nobody'}"
