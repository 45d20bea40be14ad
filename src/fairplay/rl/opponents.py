"""A match of one seat against opponents: carries the referee's orders out until that seat is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import CoroutineType
from typing import Any, TypeAlias, Union

from fairplay.core import AnyGame, Event, Fault, Outcome, Player, Seat, Turn, UsageError
from fairplay.core.chance import derived
from fairplay.match.calls import call_player
from fairplay.match.driver import drive
from fairplay.match.referee import Ask, referee
from fairplay.match.replay import deal_state
from fairplay.match.secrecy import Witnesses, describe_seat
from fairplay.run.bots import find_flaw, make_bot
from fairplay.run.entrants import Seating, seat_entrant
from fairplay.run.house_players import resolve_player
from fairplay.run.isolation.program import end_programs

__all__ = ["Opponent", "OpposedMatch", "seat_opponents"]

Opponent: TypeAlias = Union[str, Path, Callable[..., Any]]
"""A house player by name (``"greedy"``, ``"minimax:depth=3"``) or level (``"easy"``), the path of a bot file,
``"cmd:..."`` for a program, or a function or class of your own, which is called as it is."""


def seat_opponents(game: AnyGame, setup: Any, opponents: Opponent | Sequence[Opponent], others: int) -> list[Seating]:
    """How to seat each opponent; raises UsageError if one cannot play, or there are too few or too many.

    A single one plays on all other seats.  Levels are those of the variant of `setup`.
    """
    alone = isinstance(opponents, str | Path) or callable(opponents)
    given: Sequence[Any] = [opponents] * others if alone else opponents  # type: ignore[assignment]  # several
    if len(given) != others:
        raise UsageError(f"opponents: expected {others}, one for each other seat in turn order, not {len(given)}")
    return [seat_opponent(game, setup, opponent) for opponent in given]


def seat_opponent(game: AnyGame, setup: Any, opponent: object) -> Seating:
    """How to seat one; raises UsageError."""
    if isinstance(opponent, str | Path):
        return seat_entrant(game, resolve_player(game, setup, str(opponent)))
    if not callable(opponent):
        raise UsageError(f"opponents: expected a name, a path, a function or a class, not {type(opponent).__name__}")
    if (flaw := find_flaw(opponent)) is not None:
        raise UsageError(f"opponents: {flaw}")
    bot = opponent
    return lambda rng, info=None: make_bot(bot, rng, None, info or describe_seat(game))


class OpposedMatch:
    """A match with one seat that is ours: the opponents play by themselves until it is asked, or the match is over."""

    def __init__(self, game: AnyGame, setup: Any, seed: int, seat: Seat, seatings: Sequence[Seating]) -> None:
        """`seatings` are those of the other seats, in turn order from the one after ours."""
        seats = len(seatings) + 1
        self.seat, self.state = seat, deal_state(game, setup, seed, seats)
        self.last: Turn[Any, Any] | None = None
        self.fault: Fault | None = None  # of our seat, which is then removed
        self.outcome: Outcome | None = None  # once the match is over
        self._players: list[Player | None] = [None] * seats
        for step, seating in enumerate(seatings, 1):
            other = (seat + step) % seats
            info = describe_seat(game, setup, other, seats)
            self._players[other] = seating(derived(seed, "player", other), info)
        self._steps = drive(referee(game, self.state, seats), self._answer, Witnesses(self._players).witness)
        self.reply(None)

    @property
    def is_over(self) -> bool:
        """Is there nothing left for our seat to decide?"""
        return self.fault is not None or self.outcome is not None

    def reply(self, reply: Any) -> None:
        """Answer what our seat was asked with an action or a fault, and go on until it is asked again."""
        while self.fault is None:
            try:
                step = self._steps.send(reply)
            except StopIteration as done:
                self.outcome = done.value
                break
            if type(step) is CoroutineType:
                step.close()
                return
            self._note(step)
            reply = None
        self.close()

    def close(self) -> None:
        """End the programs among the opponents; nothing can be replied after that."""
        self._steps.close()
        end_programs(self._players, self.outcome)
        self._players.clear()

    def _answer(self, order: Any) -> Any:
        player = self._players[order.seat]
        if player is not None:
            is_question = type(order) is Ask
            return call_player(player.choose, order.view) if is_question else call_player(player.hear, order.news)
        return _wait_for_us() if type(order) is Ask else None  # our views say all there is to know

    def _note(self, event: Event[Any, Any]) -> None:
        if isinstance(event, Turn):
            self.last = event
        elif event.seat == self.seat:
            self.fault = event.fault
            return  # the state stays the one that it was asked with
        self.state = event.after


async def _wait_for_us() -> None:
    """What the driver yields in place of our answer: nobody awaits it, since the answer is sent when it is there."""
