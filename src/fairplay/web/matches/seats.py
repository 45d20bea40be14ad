"""Who answers at a table: house players at a pace that people can follow, and people, by clicks."""

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import Fault, Outcome, Player, Seat, Seen, UsageError, WireError
from fairplay.core.shown import Choice, PartialMove, Placement
from fairplay.match.record import Isolation
from fairplay.match.referee import Ask
from fairplay.run.awaited import LocalPlayer
from fairplay.web.house.worker import HouseReply
from fairplay.web.http.endpoints import as_sentence
from fairplay.web.watching.timeline import RESIGNED

Gone: TypeAlias = Literal["", "left", "resigned"]
"""How a person has stopped to play; empty: not at all."""

STAND_IN = object()
"""Instead of an action: the house player that stands in is to choose it."""


class DelayedBot:
    """A house player that takes its time, so that people can follow."""

    def __init__(
        self,
        think: Callable[[Any, tuple[Any, ...], bool], Awaitable[HouseReply]],
        pace: float,
        turn_began: Callable[[], float] | None = None,
        on_asked: Callable[[], object] | None = None,
    ) -> None:
        """`think` works the action out, elsewhere: of the view, of what the player saw and was asked before, and of
        whether it must answer that again because the match was resumed.

        `turn_began`: when the turn before was made; keeping and showing it are part of the time that this one takes.
        `on_asked` is called when it is to choose.
        """
        self.think, self.pace, self.turn_began = think, pace, turn_began or (lambda: monotonic())
        self._on_asked = on_asked or (lambda: None)
        self._past: list[Any] = []
        self._again = False
        self.saw: Callable[[Seen], None] | None = self._past.append  # None once it is known to have no memory

    async def choose(self, view: Any) -> Any:
        """The player's action, not before `pace` seconds have passed."""
        self._on_asked()
        due = self.turn_began() + self.pace
        reply = await self.think(view, tuple(self._past), self._again)
        self._again = False
        if reply.remembers:
            self._past.append(view)
        else:
            self._past.clear()
            self.saw = None
        await asyncio.sleep(due - monotonic())
        return reply.action

    async def hear(self, news: object) -> Fault | None:
        """A house player needs no news: views say all there is to know."""
        return None

    async def recall(self, order: object, reply: object) -> None:
        """Remember what it was asked: before its next answer it lives through that again, for its generator's sake."""
        if type(order) is Ask:
            self._past.append(order.view)
            self._again = True

    def close(self) -> None:
        """Nothing to close."""


class OwnerBot:
    """A bot file that the owner of the server has seated; it thinks in a process of its own."""

    def __init__(
        self, start: Callable[[], tuple[Player, Isolation]], pace: float, turn_began: Callable[[], float]
    ) -> None:
        """`start` starts it, and says how far it is isolated."""
        self._start_player, self.pace, self._turn_began = start, pace, turn_began
        self._threads = ThreadPoolExecutor(1, "bot")
        self._local: LocalPlayer | None = None
        self.level: Isolation = "process"

    async def start(self) -> None:
        """Start it; raises UsageError or EngineError if that cannot be done."""
        player, self.level = await asyncio.get_running_loop().run_in_executor(self._threads, self._start_player)
        self._local = LocalPlayer(player, self._threads)

    @property
    def player(self) -> LocalPlayer:
        """The player; ASSUME it was started."""
        assert self._local is not None
        return self._local

    @property
    def saw(self) -> Callable[[Seen], object] | None:
        """The player's own."""
        return self.player.saw

    async def choose(self, view: Any) -> Any:
        """Its action, not before its pace allows."""
        due = self._turn_began() + self.pace
        action = await self.player.choose(view)
        await asyncio.sleep(due - monotonic())
        return action

    async def hear(self, news: object) -> Fault | None:
        """Tell it the news."""
        return await self.player.hear(news)

    async def recall(self, order: Any, reply: Any) -> None:
        """Let it live through this again."""
        await self.player.recall(order, reply)

    def close(self) -> None:
        """It is ended with the match."""

    async def end(self, outcome: Outcome | None) -> None:
        """Let it go, with the outcome if there is one."""
        if self._local is not None:
            if outcome is None:
                self._local.interrupt()
            await asyncio.get_running_loop().run_in_executor(self._threads, self._local.end, outcome)
        self._threads.shutdown(wait=False)


class HumanSeat:
    """A person's seat: answers come by clicks.

    A house player stands in when the person is away or out of time.  Nobody is removed for that: the seat stays the
    person's, who may come back to it.
    """

    def __init__(
        self,
        seat: Seat,
        stand_in: DelayedBot,
        clock: float,
        patience: float,
        on_change: Callable[[], object],
        check: Callable[[Any], object] = lambda view: None,
    ) -> None:
        """`check` is shown every view before the person is asked, and may raise."""
        self.seat, self.stand_in, self.clock, self.patience = seat, stand_in, clock, patience
        self.view: Any = None  # of the question that waits for an answer
        self.due: float | None = None  # when the time for it is up, on the monotonic clock
        self.asked = asyncio.Event()  # set while it waits
        self._answer: asyncio.Future[Any] | None = None
        self._on_change, self._check = on_change, check
        self.is_present = False  # with the page open
        self._open_pages = 0
        self._seen_at = monotonic()  # when the last of the person's pages was closed, or the person last did something
        self.gone: Gone = ""
        self.has_won = False  # nobody else is left: who stands in plays the rest

    @property
    def saw(self) -> Callable[[Seen], None] | None:
        """Who stands in may have to know what happened."""
        return self.stand_in.saw

    # -- what the page says --------------------------------------------------------------------

    @property
    def is_away(self) -> bool:
        """Has the person been absent for longer than the patience?"""
        return self.gone == "left" or self.has_won or self.seconds_absent >= self.patience

    @property
    def seconds_absent(self) -> float:
        """How long the person has not been here; before any time has passed, nobody is absent."""
        return -1.0 if self.is_present else monotonic() - self._seen_at

    @property
    def is_playing(self) -> bool:
        """Does the person still play, here or not?"""
        return not self.gone

    def arrive(self) -> None:
        """The person has opened a page."""
        self._open_pages += 1
        self.is_present = True
        self._on_change()

    def leave(self) -> None:
        """The person has closed a page."""
        self._open_pages -= 1
        self.is_present = bool(self._open_pages)
        self._seen_at = monotonic()
        self._on_change()

    def note_sign_of_life(self) -> None:
        """The person has done something, with or without a page."""
        self._seen_at = monotonic()

    def go(self, how: Gone) -> None:
        """The person plays no longer: has resigned, or left for good, and then who stands in plays on."""
        self.gone = how
        self.answer(RESIGNED if how == "resigned" else STAND_IN)
        self._on_change()

    def answer(self, action: Any) -> bool:
        """Answer the question that waits; False if none does."""
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(action)
        return True

    # -- what the referee says -----------------------------------------------------------------

    async def choose(self, view: Any) -> Any:
        """The person's action, or the stand-in's."""
        if self.gone == "resigned":
            return RESIGNED
        if not self.is_away:
            self._check(view)
            self.view, self.due = view, monotonic() + self.clock
            self._answer = asyncio.get_running_loop().create_future()
            self.asked.set()
            self._on_change()
            try:
                if await self._is_answered(self._answer, self.due) and self._answer.result() is not STAND_IN:
                    return self._answer.result()
            finally:
                self.view = self.due = self._answer = None
                self.asked.clear()
        self._on_change()
        return await self.stand_in.choose(view)

    async def _is_answered(self, answer: asyncio.Future[Any], due: float) -> bool:
        """Wait for an answer; False once the time is up or the person has been away for too long."""
        while not self.is_away and (left := due - monotonic()) > 0:
            done, _ = await asyncio.wait([answer], timeout=min(left, 1.0))
            if done:
                return True
        return False

    async def hear(self, news: object) -> Fault | None:
        """The page shows the news; who has resigned goes at the first opportunity."""
        return RESIGNED if self.gone == "resigned" else None

    async def recall(self, order: object, reply: object) -> None:
        """Nothing to recall: the page shows what happened."""

    def close(self) -> None:
        """Nothing to close: the person may watch the rest."""


# -- clicks: what may be clicked next, which move they make up, and why they do not -------------

Interpret: TypeAlias = Callable[[tuple[str, ...]], Any]
"""What a game makes of some clicks in a position: a PartialMove or an action; raises UsageError or WireError."""

MAX_EXPLORED = 5_000
"""Partial moves that are looked through for the clicks that lead to an action."""


class ClickResult(Struct, frozen=True, omit_defaults=True):
    """The result of some clicks: what may be clicked next, or that the move is made, or why it is not allowed."""

    done: bool = False
    refusal: str = ""
    prompt: str = ""
    choices: tuple[Choice, ...] = ()
    chosen: tuple[str, ...] = ()
    places: tuple[Placement, ...] = ()


def interpret_clicks(interpret: Interpret, clicks: Sequence[str]) -> Any:
    """The action that clicks make up, or a ClickResult; raises UsageError or WireError if nothing can be clicked."""
    try:
        result = interpret(tuple(clicks))
    except (UsageError, WireError) as error:
        if not clicks:
            raise
        return refuse_clicks(interpret, clicks, explain_error(error))
    if not isinstance(result, PartialMove):
        return result
    return ClickResult(prompt=result.prompt, choices=result.choices, chosen=result.chosen, places=result.places)


def refuse_clicks(interpret: Interpret, clicks: Sequence[str], refusal: str) -> ClickResult:
    """What may be clicked instead of the last click: those before it stay."""
    before = interpret_clicks(interpret, clicks[:-1])
    if not isinstance(before, ClickResult):
        raise UsageError("The turn is complete; there is nothing left to click.")
    return replace(before, refusal=before.refusal or form_sentence(refusal))


def explain_error(error: UsageError | WireError) -> str:
    """What is wrong with a click, without where in the request it stands."""
    return str(error).removesuffix(f" at {error.path}") if isinstance(error, WireError) else str(error)


def form_sentence(words: str) -> str:
    """A reason as people read it: with places as the board names them, such as (2,3), and a full stop."""
    return as_sentence(re.sub(r"\[(-?\d+), ?(-?\d+)\]", r"(\1,\2)", words))


def find_clicks(interpret: Interpret, action: Any) -> tuple[str, ...]:
    """The shortest clicks that make up an action; none if it cannot be clicked."""
    first = interpret(())
    seen: set[Any] = {first}
    waiting: deque[tuple[tuple[str, ...], Any]] = deque([((), first)])
    while waiting and len(seen) < MAX_EXPLORED:
        clicks, move = waiting.popleft()
        for choice in move.choices:
            further = (*clicks, choice.key)
            made = interpret(further)
            if made == action:
                return further
            if isinstance(made, PartialMove) and made not in seen:
                seen.add(made)
                waiting.append((further, made))
    return ()


def describe_absences(people: Mapping[Seat, HumanSeat], open_seats: Sequence[bool], *, has_begun: bool) -> list[str]:
    """Where the person of each seat is who is not here, in words; empty for everyone else."""
    return [_where(people.get(Seat(at)), is_open, has_begun) for at, is_open in enumerate(open_seats)]


def _where(person: HumanSeat | None, is_open: bool, has_begun: bool) -> str:
    if person is None or (person.is_present and person.is_playing):
        return ""
    if person.gone == "resigned":
        return "resigns"
    if is_open:
        return "open seat"
    if not has_begun:
        return "not here yet"
    if person.has_won:
        return ""
    house = "a house player plays"
    return f"left, {house}" if person.gone else f"away, {house}" if person.is_away else "away"
