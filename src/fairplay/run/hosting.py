"""Hold a contest with players that are awaited: tell them that it begins, play it, tell them how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairplay.contest.contest import Contest, Match, Result
from fairplay.contest.schedule import schedule_of
from fairplay.core import AnyGame, ContestBegan, ContestEnded, EngineError, Fault, Json, SetupError, UsageError
from fairplay.parts.established import SignUp, established_of
from fairplay.parts.harness import KnockoutResult
from fairplay.run.competition import Competition
from fairplay.run.engines.mixed import Contender, MixedEngine
from fairplay.run.engines.pool import Engine
from fairplay.run.keeping import Keeper, MemoryKeeper

__all__ = ["Agree", "Hosting", "agree_on_setup", "hold_contest", "knock_out_of", "play_contest", "resume_contest"]

Agree: TypeAlias = Callable[[list[Json | None]], Any]
"""Takes what everyone answered to the beginning, in the order of entry; the setup as JSON.  Raises SetupError."""


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

    Those who fail to answer when it begins take no part.  None where the answers leave nothing to play (Trains 9.4).
    """
    event = Event(contenders, len(contest.entrants))
    answers = await event.begin()
    entered = event.left
    begun = replace(contest, entrants=tuple(contest.entrants[number] for number in entered))
    try:
        if hosting.agree is not None:
            begun = replace(begun, setup=hosting.agree([answers[number] for number in entered]))
    except SetupError:
        await event.end(())  # Trains 14.13
        return None
    try:
        schedule_of(begun, game.seats).next_round()
    except UsageError:  # too few are left for the format
        return await event.close([])
    players = {index: contenders[number] for index, number in enumerate(entered) if number in contenders}
    keeper = await asyncio.to_thread(hosting.keep, begun, tuple(entered))
    competition = await play_contest(game, begun, players, keeper, hosting)
    event.count(keeper, entered)
    return await event.close([entered[index] for index in competition.winners])


async def resume_contest(
    game: AnyGame, contest: Contest, contenders: Mapping[int, Contender], keeper: Keeper, hosting: Hosting
) -> KnockoutResult:
    """Go on with a contest that was begun before; ASSUME `contenders` are those of its players who may come back."""
    event = Event(contenders, len(contest.entrants))
    competition = await play_contest(game, contest, contenders, keeper, hosting)
    event.count(keeper, range(len(contest.entrants)))
    return await event.close(competition.winners)


def knock_out_of(game: AnyGame, setup: Any, seed: int, sign_up: SignUp, patience: float | None = None) -> Contest:
    """The knock-out of the established protocols (section 9 of each rule book), without its players."""
    options = {"fewest": sign_up.sizes[0], "most": sign_up.sizes[-1]}
    encoded = msgspec.Raw(msgspec.json.encode(setup))
    return Contest(game.name, (), "knock-out", options, encoded, seed, patience or game.patience)


def agree_on_setup(game: AnyGame, contest: Contest, answers: list[Json | None]) -> msgspec.Raw:
    """The setup that the established protocol makes of what the players answered; raises SetupError (Trains 9.4)."""
    setup = msgspec.json.decode(contest.setup, type=game.setup)
    return msgspec.Raw(msgspec.json.encode(established_of(game).sign_up.agree_on_setup(setup, answers)))


class Event:
    """What becomes of everyone in a contest, and the two calls that frame it."""

    def __init__(self, contenders: Mapping[int, Contender], entrants: int) -> None:
        self.contenders = contenders
        self.faults: list[Fault | None] = [None] * entrants

    @property
    def left(self) -> list[int]:
        """Those who never misbehaved."""
        return [number for number, fault in enumerate(self.faults) if fault is None]

    async def begin(self) -> list[Json | None]:
        """Tell everyone that it begins; what each of them answers.  Calls to different players overlap."""
        return await asyncio.gather(*(self._tell(number, ContestBegan()) for number in range(len(self.faults))))

    async def end(self, winners: Sequence[int]) -> None:
        """Tell everyone who is still there whether they won."""
        await asyncio.gather(*(self._tell(number, ContestEnded(number in winners)) for number in self.left))

    async def close(self, winners: Sequence[int]) -> KnockoutResult:
        """The same, and what became of everyone."""
        await self.end(winners)
        return KnockoutResult(tuple(number for number in winners if self.faults[number] is None), tuple(self.faults))

    def count(self, keeper: Keeper, entered: Sequence[int]) -> None:
        """Take the faults of all matches; `entered` says which numbers those of the line-ups stand for."""
        for result in keeper.results():
            for index, fault in zip(result.line_up, result.outcome.faults, strict=True):
                self.faults[entered[index]] = fault or self.faults[entered[index]]

    async def _tell(self, number: int, news: object) -> Json | None:
        if number not in self.contenders:
            return None
        player = self.contenders[number]
        said = await player.hear(news)
        if not isinstance(said, Fault):
            return said
        self.faults[number] = said
        player.throw_out(said)
        player.close()
        return None


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

    with ThreadPoolExecutor(1, "competition") as thread:
        playing = loop.run_in_executor(thread, conduct)
        try:
            await asyncio.shield(playing)
        except asyncio.CancelledError:
            engine.stop(EngineError("the contest was stopped"))
            with suppress(EngineError):
                await playing
            raise
    return competition
