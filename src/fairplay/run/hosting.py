"""Hold a contest with players that are awaited: tell them that it begins, play it, tell them how it ended."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairplay.contest.contest import Contest, Match, Result
from fairplay.contest.schedule import schedule_of
from fairplay.core import AnyGame, ContestBegan, ContestEnded, EngineError, Fault, Json, SetupError, UsageError
from fairplay.core.established import KnockoutResult, SignUp
from fairplay.core.game import established_of
from fairplay.run.awaited import Contender
from fairplay.run.competition import Competition
from fairplay.run.engines.mixed import MixedEngine, lets_stay
from fairplay.run.engines.pool import Engine
from fairplay.run.keeping import Keeper, MemoryKeeper

Agree: TypeAlias = Callable[[list[Json | None]], Any]
"""Takes what everyone answered to the beginning, in the order of entry; the setup as JSON.  Raises SetupError."""


LAST_CALL = 3.0
"""Seconds that a player whose connection broke has in the end to come back and hear who won."""


class Hosting(Struct, frozen=True):
    """How a contest is held."""

    engine: Engine  # for matches that need no connection
    keep: Callable[[Contest, tuple[int, ...]], Keeper] = lambda contest, entered: MemoryKeeper()
    """Makes a keeper for the contest that begins with these of its entrants."""
    agree: Agree | None = None
    watch: Callable[[Match, bytes], object] | None = None  # is shown every line of a match with awaited players
    report: Callable[[Competition, Result], object] | None = None  # is shown every result once it is kept


async def hold_contest(
    game: AnyGame, contest: Contest, contenders: Mapping[int, Contender], hosting: Hosting
) -> KnockoutResult | None:
    """Hold `contest`, whose entrants in `contenders` are awaited; winners and faults are by number of entrant.

    Those who fail to answer when it begins take no part.  None if the answers leave nothing to play (Trains 9.4).
    """
    attendance = Attendance(contest, contenders)
    answers = await attendance.begin()
    entered = [number for number in range(len(answers)) if number not in attendance.out]
    begun = replace(contest, entrants=tuple(contest.entrants[number] for number in entered))
    try:
        if hosting.agree is not None:
            begun = replace(begun, setup=hosting.agree([answers[number] for number in entered]))
    except SetupError:
        await attendance.end(())  # Trains 14.13
        return None
    try:
        schedule_of(begun, game.seats).next_round()
    except UsageError:  # too few are left for the format
        return await attendance.end(())
    players = {index: contenders[number] for index, number in enumerate(entered) if number in contenders}
    keeper = await asyncio.to_thread(hosting.keep, begun, tuple(entered))
    competition = await play_contest(game, begun, players, keeper, hosting)
    await asyncio.to_thread(attendance.count, keeper.results(), entered)
    return await attendance.end([entered[index] for index in competition.winners])


async def resume_contest(
    game: AnyGame, contest: Contest, contenders: Mapping[int, Contender], keeper: Keeper, hosting: Hosting
) -> KnockoutResult:
    """Go on with a contest that was begun before; ASSUME `contenders` are those of its players who may come back."""
    attendance = Attendance(contest, contenders)
    competition = await play_contest(game, contest, contenders, keeper, hosting)
    await asyncio.to_thread(attendance.count, keeper.results(), range(len(contest.entrants)))
    return await attendance.end(competition.winners)


def knock_out_of(game: AnyGame, setup: Any, seed: int, sign_up: SignUp, patience: float | None = None) -> Contest:
    """The knock-out of the established protocols (section 9 of each rule book), without its players."""
    encoded = msgspec.Raw(msgspec.json.encode(setup))
    return Contest(game.name, (), "knock-out", knock_out_options(sign_up), encoded, seed, patience or game.patience)


def knock_out_options(sign_up: SignUp) -> dict[str, Any]:
    """The options of a knock-out for those who sign up."""
    return {"fewest": sign_up.sizes[0], "most": sign_up.sizes[-1]}


def agree_on_setup(game: AnyGame, contest: Contest, answers: list[Json | None]) -> msgspec.Raw:
    """The setup that the established protocol makes of what the players answered; raises SetupError (Trains 9.4)."""
    setup = msgspec.json.decode(contest.setup, type=game.setup)
    return msgspec.Raw(msgspec.json.encode(established_of(game).sign_up.agree_on_setup(setup, answers)))


class Attendance:
    """Who takes part in a contest and what became of them, and the two calls that frame it."""

    def __init__(self, contest: Contest, contenders: Mapping[int, Contender]) -> None:
        self.contenders = contenders
        self.faults: list[Fault | None] = [None] * len(contest.entrants)
        self.out: set[int] = set()  # those who were thrown out for good
        self._lets_stay = lets_stay(contest)

    async def begin(self) -> list[Json | None]:
        """Tell everyone that it begins; what each of them answers.  Calls to different players overlap."""
        return await asyncio.gather(*(self._tell(number, ContestBegan()) for number in range(len(self.faults))))

    async def end(self, winners: Sequence[int]) -> KnockoutResult:
        """Tell everyone who was not thrown out for good whether they won; what became of everyone."""
        self.out.update(number for number, player in self.contenders.items() if player.is_out)
        staying = [number for number in range(len(self.faults)) if number not in self.out]
        await self._call_back(staying)
        first = [number for number in winners if number in staying]
        lost, won = ContestEnded(won=False), ContestEnded(won=True, shared=len(first) - 1)
        await asyncio.gather(*(self._tell(number, won if number in first else lost) for number in staying))
        return KnockoutResult(tuple(number for number in winners if number not in self.out), tuple(self.faults))

    def count(self, results: Iterable[Result], entered: Sequence[int]) -> None:
        """Take the faults of all matches; `entered` says which numbers those of the line-ups stand for."""
        for result in results:
            for index, fault in zip(result.line_up, result.outcome.faults, strict=True):
                if fault is not None and not fault.is_absence:
                    self._note(entered[index], fault, stays=self._lets_stay)

    async def _call_back(self, numbers: Sequence[int]) -> None:
        """Give those who are away a moment to come back: they would not hear how it ended."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_CALL):
                there = (self.contenders[number].ready() for number in numbers if number in self.contenders)
                await asyncio.gather(*there)

    async def _tell(self, number: int, news: object) -> Json | None:
        if number not in self.contenders:
            return None
        player = self.contenders[number]
        said = await player.hear(news)
        if not isinstance(said, Fault):
            return said
        self._note(number, said, stays=False)
        player.throw_out(said)
        player.close()
        return None

    def _note(self, number: int, fault: Fault, *, stays: bool) -> None:
        self.faults[number] = fault
        if not stays:
            self.out.add(number)


async def play_contest(
    game: AnyGame, contest: Contest, contenders: Mapping[int, Contender], keeper: Keeper, hosting: Hosting
) -> Competition:
    """Play what is missing of a contest in a thread, the matches of `contenders` in this loop; the competition."""
    loop = asyncio.get_running_loop()
    competition = Competition(game, contest, keeper)
    engine = MixedEngine(game, contenders, hosting.engine, keeper, loop, hosting.watch)

    def conduct() -> None:
        for result in competition.results(engine):
            if hosting.report is not None:
                hosting.report(competition, result)

    thread = ThreadPoolExecutor(1, "competition")
    playing = loop.run_in_executor(thread, conduct)
    try:
        await asyncio.shield(playing)
    except asyncio.CancelledError:
        engine.stop(EngineError("the contest was stopped"))
        while not playing.done():  # it needs this loop to end its matches
            with suppress(asyncio.CancelledError):
                await asyncio.wait([playing])
        with suppress(EngineError):
            playing.result()
        raise
    finally:
        thread.shutdown(wait=False)
    return competition
