"""Matches and knock-outs in this process, for the harness programs of every game."""

from collections.abc import Callable, Sequence
from typing import Any

from fairplay.contest.contest import Fixture
from fairplay.contest.formats.formats import knock_out
from fairplay.contest.schedule import Schedule
from fairplay.core import AnyGame, ContestBegan, ContestEnded, Fault, Outcome, Player
from fairplay.core.established import KnockoutResult
from fairplay.core.names import escape_controls
from fairplay.match.calls import call_player
from fairplay.match.referee import referee
from fairplay.run.inline import play_inline


def describe_fault(who: str, fault: Fault) -> str:
    """A fault with its reason, as one line."""
    words = f"{who} is removed: {fault.kind}: {fault.detail}".split()
    return escape_controls(" ".join(words).removesuffix(":"))


class InlineStage:
    """A test bench for one game; satisfies `TestBench`."""

    def __init__(self, game: AnyGame, report: Callable[[str], object] | None = None) -> None:
        """`report` is told the reason of every fault, in words."""
        self.game = game
        self.report = report or (lambda reason: None)

    def play_match(self, state: Any, players: Sequence[Player]) -> Outcome:
        outcome = play_inline(referee(self.game, state, len(players)), players)
        for seat, fault in enumerate(outcome.faults):
            if fault is not None:
                self.report(describe_fault(f"the player in seat {seat + 1} of {len(players)}", fault))
        return outcome

    def play_knockout(self, players: Sequence[Player], deal: Callable[[int], Any], sizes: range) -> KnockoutResult:
        faults: list[Fault | None] = [None] * len(players)

        def tell(number: int, news: object) -> None:
            if isinstance(fault := call_player(players[number].hear, news), Fault):
                faults[number] = fault
                self.report(describe_fault(f"player {number + 1} of {len(players)}", fault))

        for number in range(len(players)):
            tell(number, ContestBegan())
        entered = [number for number, fault in enumerate(faults) if fault is None]

        def play(fixture: Fixture) -> Outcome:
            numbers = [entered[index] for index in fixture.line_up]
            outcome = self.play_match(deal(len(numbers)), [players[number] for number in numbers])
            for number, fault in zip(numbers, outcome.faults, strict=True):
                faults[number] = fault or faults[number]
            return outcome

        schedule = Schedule(knock_out(len(entered), sizes))
        while fixtures := schedule.next_round():
            schedule.report([play(fixture) for fixture in fixtures])
        winners = [entered[index] for index in schedule.winners]
        for number in range(len(players)):
            if faults[number] is None:
                tell(number, ContestEnded(number in winners))
        return KnockoutResult(tuple(number for number in winners if faults[number] is None), tuple(faults))
