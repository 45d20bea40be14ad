"""Matches and knock-outs in this process, for the harness programs of every game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairplay.core import AnyGame, ContestBegan, ContestEnded, Fault, Outcome, Player, Standing
from fairplay.play.formats import knock_out
from fairplay.play.referee import referee
from fairplay.run.inline import guarded, run

__all__ = ["InlineStage"]


class InlineStage:
    """A stage for one game; satisfies `fairplay.core.Stage`."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def match(self, state: Any, players: Sequence[Player]) -> Outcome:
        return run(referee(self.game, state, len(players)), players)

    def knock_out(self, players: Sequence[Player], deal: Callable[[int], Any], sizes: range) -> Standing:
        faults: list[Fault | None] = [None] * len(players)

        def tell(number: int, news: object) -> None:
            if isinstance(fault := guarded(players[number].hear, news), Fault):
                faults[number] = fault

        for number in range(len(players)):
            tell(number, ContestBegan())
        rounds = knock_out([number for number, fault in enumerate(faults) if fault is None], sizes)
        outcomes: list[Outcome] | None = None
        while True:
            try:
                line_ups = rounds.send(outcomes)  # type: ignore[arg-type]  # the first one is None
            except StopIteration as done:
                winners: list[int] = done.value
                break
            outcomes = [self.match(deal(len(line_up)), [players[number] for number in line_up]) for line_up in line_ups]
            for line_up, outcome in zip(line_ups, outcomes, strict=True):
                for number, fault in zip(line_up, outcome.faults, strict=True):
                    faults[number] = fault or faults[number]
        for number in range(len(players)):
            if faults[number] is None:
                tell(number, ContestEnded(number in winners))
        return Standing(tuple(number for number in winners if faults[number] is None), tuple(faults))
