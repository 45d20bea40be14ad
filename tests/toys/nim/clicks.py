"""Nim by clicks: a match of a heap takes it and all matches to its right."""

from collections.abc import Sequence

from fairplay.core import Turn, UsageError, WireError
from fairplay.core.shown import Choice, CompleteMove, PartialMove, follow_clicks
from nim.rules import Heaps, Take, View, legal_actions


def clicks(view: View, clicked: Sequence[str], last: Turn[Heaps, Take] | None = None) -> PartialMove | Take:
    takes = {f"match={take.heap},{view.state.heaps[take.heap] - take.matches}": take for take in legal_actions(view)}
    if not takes:
        raise UsageError("it is not your turn")

    def step(before: tuple[()], name: str, value: str) -> tuple[()] | CompleteMove[Take]:
        if f"{name}={value}" not in takes:
            raise WireError("expected a click on a match")
        return CompleteMove(takes[f"{name}={value}"])

    after = follow_clicks(clicked, (), step)
    if isinstance(after, CompleteMove):
        return after.action
    choices = tuple(Choice(key, f"take {take.matches} from heap {take.heap}") for key, take in takes.items())
    return PartialMove("Click a match to take it and all to its right.", choices)
