"""One match at which some players are awaited: from its beginning, or from where it was cut off."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from random import Random
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

from fairplay.contest.contest import Contest, Effort, Hidden, Kinds, Match, Result, broken_result
from fairplay.core import AnyGame, Event, Outcome, RecordError, Removed, RuleBookError, Seat, SeatInfo
from fairplay.match.driver import describe_seat
from fairplay.match.packing import packed
from fairplay.match.record import Isolation, read_record, worth_telling
from fairplay.match.replay import Script, record_match
from fairplay.run.awaited import AbsentPlayer, AwaitedPlayer, Contender, LocalPlayer, play_awaited
from fairplay.run.engines.turn_log import TurnLog
from fairplay.run.engines.worker import Meter, measure_effort, meter_players
from fairplay.run.entrants import describe_house_players, hide_entrants, levels_of, seat_entrant


class MatchContext(Struct, frozen=True):
    """What all matches of a contest share."""

    game: AnyGame
    contest: Contest
    contenders: Mapping[int, Contender]  # entrants by number
    threads: Executor  # where local players think
    log: TurnLog
    watch: Callable[[Match, bytes], object] | None = None
    hidden: Hidden = Hidden()  # from local players
    kinds: Kinds = Kinds()


def lets_stay(contest: Contest) -> bool:
    """May a player that was thrown out of a match play the next one?"""
    return contest.format != "knock-out" and contest.options.get("removed", "stay") == "stay"


class MixedMatch:
    """A match of a contest; local players think in threads."""

    def __init__(self, context: MatchContext, match: Match, begun: list[bytes]) -> None:
        """`begun` are the lines of its record so far; raises RecordError."""
        self.context, self.match, self.lines = context, match, begun
        self.begun = read_record(begun) if begun else None
        self.past = Script(context.game, self.begun) if self.begun else None
        numbers = enumerate(match.line_up)
        awaited = {seat: context.contenders[number] for seat, number in numbers if number in context.contenders}
        self.contenders = {seat: player for seat, player in awaited.items() if not player.is_out}
        self._absent = awaited.keys() - self.contenders.keys()
        self._written = 0  # lines, those of the past among them
        self._logged = 0  # how far the log must be before anything else is said
        self._all_ready = False
        self._removed: set[int] = set()
        self._watch = context.watch
        self._waits: dict[int, Effort] = {}  # how long remote players took
        self._meters: dict[int, Meter | None] = {}  # of local ones

    async def play(self) -> Result:
        """Play it to its end, unless the rule book fails.  EFFECT: when it returns, all of its lines are safe."""
        try:
            return await self._play_to_end()
        except RuleBookError as error:
            await self.context.log.settle(self._logged)
            broken = broken_result(self.match, error)
            self._dismiss(broken.outcome)
            return broken

    def _dismiss(self, outcome: Outcome) -> None:
        """Tell the contenders that were not thrown out how it ended."""
        for seat, contender in self.contenders.items():
            if seat not in self._removed:
                contender.end(outcome)

    async def _play_to_end(self) -> Result:
        started, match, game = perf_counter(), self.match, self.context.game
        loop, threads = asyncio.get_running_loop(), self.context.threads
        setup = msgspec.json.decode(self.context.contest.setup, type=game.setup)
        for seat, contender in self.contenders.items():
            contender.begin(Random(match.chances[seat]).getrandbits(53), self._info(setup, seat), self.lines)
        local = await loop.run_in_executor(threads, self._seat_local_players, setup)
        seated: dict[int, AwaitedPlayer] = {**dict.fromkeys(self._absent, AbsentPlayer()), **self.contenders, **local}
        players = [seated[seat] for seat in range(len(match.line_up))]
        names, chosen = tuple(name for name, _ in match.entrants), self.context.contest.seed_chosen
        outcome = None
        try:
            levels = self._levels(local)
            orders = record_match(
                game,
                setup,
                match.seed,
                names,
                self._write,
                seed_chosen=chosen,
                levels=levels,
                house=describe_house_players(game, match),
                ponder=self.context.contest.ponder,
                begun=self.begun.header if self.begun else None,
            )
            observers = [self._throw_out]
            ponder = self.context.contest.ponder
            outcome = await play_awaited(
                orders, players, observers, self.past, self._settle, self._note_wait, ponder=ponder
            )
        finally:
            if outcome is None:
                for player in local.values():
                    player.interrupt()
            await asyncio.gather(*(loop.run_in_executor(threads, player.end, outcome) for player in local.values()))
        await self.context.log.settle(self._logged)
        self._dismiss(outcome)
        seconds = perf_counter() - started
        told = worth_telling(levels)
        efforts = tuple(self._effort(seat, local) for seat in range(len(match.line_up)))
        return Result(match.number, match.line_up, match.deal, outcome, packed(self.lines), seconds, told, efforts)

    def _note_wait(self, seat: Seat, seconds: float) -> None:
        if seat in self.contenders:
            self._waits[seat] = self._waits.get(seat, Effort(0, 0.0, "wall")) + Effort(1, seconds)

    def _effort(self, seat: int, local: Mapping[int, LocalPlayer]) -> Effort | None:
        """By the clock for a remote player: nobody sees how much it works."""
        if seat not in local:
            return self._waits.get(seat)
        return measure_effort(local[seat].player, self._meters.get(seat))

    def _info(self, setup: Any, seat: int) -> SeatInfo:
        return describe_seat(self.context.game, setup, seat, len(self.match.line_up))

    def _levels(self, local: Mapping[int, LocalPlayer]) -> tuple[Isolation, ...]:
        """By seat; a match that goes on has those that it began with."""
        players = [local[seat].player if seat in local else None for seat in range(len(self.match.line_up))]
        return levels_of(self.match.entrants, players, self.context.contest.require)

    def _seat_local_players(self, setup: Any) -> dict[int, LocalPlayer]:
        """Those that need no connection, made for this match, by seat.  EFFECT: may start programs."""
        game, match, contest = self.context.game, self.match, self.context.contest
        hidden = hide_entrants(contest, self.context.hidden)
        seated: dict[int, LocalPlayer] = {}
        for seat, entrant in enumerate(match.entrants):
            if seat not in self.contenders and seat not in self._absent:
                seating = seat_entrant(game, entrant.spec, contest.patience, hidden, self.context.kinds)
                player = seating(Random(match.chances[seat]), self._info(setup, seat))
                seated[seat] = LocalPlayer(player, self.context.threads)
                (self._meters[seat],) = meter_players([player])
        return seated

    async def _settle(self) -> None:
        """Nobody is asked before everyone who is still in the match is there, and what happened is safe."""
        if not self._all_ready:
            self._all_ready = True
            present = [player for seat, player in self.contenders.items() if seat not in self._removed]
            await asyncio.gather(*(player.ready() for player in present))
        await self.context.log.settle(self._logged)

    def _write(self, line: bytes) -> None:
        """Take a line of the record.  Those of the past come again, and must be as they were; raises RecordError."""
        number, self._written = self._written, self._written + 1
        if number < len(self.lines):
            if self.lines[number] != line:
                raise RecordError(f"match {self.match.number} does not go on from line {number + 1} of what was kept")
            return
        self.lines.append(line)
        self._logged = self.context.log.add(self.match.number, number, line)
        self._show(line)

    def _show(self, line: bytes) -> None:
        if self._watch is not None:
            try:
                self._watch(self.match, line)
            except Exception:  # somebody who watches cannot change a match
                self._watch = None

    def _throw_out(self, event: Event[Any, Any]) -> None:
        if isinstance(event, Removed) and event.seat in self.contenders:
            self._removed.add(event.seat)
            self.contenders[event.seat].throw_out(event.fault, stays=lets_stay(self.context.contest))
