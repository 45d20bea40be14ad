"""Carry a referee's orders out with players at the far end of a wire: one match, or a whole tournament."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec import Struct

from fairplay.contest.contest import Fixture
from fairplay.contest.formats.formats import knock_out
from fairplay.core import (
    AnyGame,
    ContestBegan,
    ContestEnded,
    Event,
    Fault,
    FaultKind,
    Json,
    Outcome,
    Player,
    Removed,
    SetupError,
    WireError,
)
from fairplay.core.chance import derived, derived_seed
from fairplay.parts.established import Call, established_of
from fairplay.parts.harness import KnockoutResult
from fairplay.play.record import recorded
from fairplay.play.referee import Ask, Orders, Tell
from fairplay.run.inline import Observer, guarded

__all__ = ["Contender", "Entrant", "Keep", "Local", "Peer", "Remote", "RemotePlayer", "run", "tournament"]

Keep = Callable[[int], Callable[[bytes], object]]
"""Opens the record of the match with this number, from 0; what it returns takes the lines."""


class Peer(Protocol):
    """The far end: is called, and answers or faults."""

    async def exchange(self, call: Call, patience: float) -> Json | Fault:
        """The answer to `call`, complete within `patience` seconds from its first byte written, or the fault."""
        ...

    def close(self) -> None:
        """Hang up, whatever is still on its way."""
        ...


class RemotePlayer(Protocol):
    """A player that may take its time."""

    async def choose(self, view: Any) -> Any: ...
    async def hear(self, news: object) -> Json | Fault: ...
    def close(self) -> None: ...


class Contender(RemotePlayer, Protocol):
    """One that plays match after match, and may be told of each."""

    def begin(self, chance: int) -> None:
        """A match begins; `chance` is a seed of the player's own for it."""
        ...

    def throw_out(self, fault: Fault) -> None:
        """It did this, and will be hung up on."""
        ...

    def end(self, outcome: Outcome) -> None:
        """The match is over, and the player was not thrown out of it."""
        ...


class Remote:
    """A player behind a game's established protocol; what it says is understood here or is its fault."""

    def __init__(self, game: AnyGame, peer: Peer, patience: float) -> None:
        self.wire, self.peer, self.patience = established_of(game).wire, peer, patience

    async def choose(self, view: Any) -> Any:
        answer = await self.peer.exchange(self.wire.asked(view), self.patience)
        if isinstance(answer, Fault):
            return answer
        try:
            return self.wire.action(view, answer)
        except WireError as error:
            return Fault.of(FaultKind.MALFORMED, str(error))

    async def hear(self, news: object) -> Json | Fault:
        """The acknowledgement, which may say something (Trains 9.2), or the fault."""
        call = self.wire.told(news)
        if call is None:
            return None
        answer = await self.peer.exchange(call, self.patience)
        if isinstance(answer, Fault):
            return answer
        try:
            self.wire.acknowledge(news, answer)
        except WireError as error:
            return Fault.of(FaultKind.MALFORMED, str(error))
        return answer

    def begin(self, chance: int) -> None:
        """The protocol has no word for it."""

    def throw_out(self, fault: Fault) -> None:
        """The protocol has no word for it."""

    def end(self, outcome: Outcome) -> None:
        """The protocol has no word for it."""

    def close(self) -> None:
        self.peer.close()


class Local:
    """A player of the house at a table with remote ones; it thinks in a thread, so that nobody waits for it."""

    def __init__(self, player: Player) -> None:
        self.player = player

    async def choose(self, view: Any) -> Any:
        return await asyncio.to_thread(guarded, self.player.choose, view)

    async def hear(self, news: object) -> Fault | None:
        reply = guarded(self.player.hear, news)
        return reply if isinstance(reply, Fault) else None

    def begin(self, chance: int) -> None:
        """It has its chance already."""

    def throw_out(self, fault: Fault) -> None:
        """Whoever runs the match learns of it."""

    def end(self, outcome: Outcome) -> None:
        """Views say all there is to know."""

    def close(self) -> None:
        """It has nothing to hang up."""


async def run(orders: Orders, players: Sequence[RemotePlayer], observers: Sequence[Observer] = ()) -> Outcome:
    """Run one match to its end; whoever is removed is hung up on at once (section 6.3 of each rule book)."""
    watching = list(observers)
    reply: Any = None
    while True:
        try:
            order = orders.send(reply)
        except StopIteration as done:
            outcome: Outcome = done.value
            return outcome
        if type(order) is Ask:
            reply = await players[order.seat].choose(order.view)
        elif type(order) is Tell:
            said = await players[order.seat].hear(order.news)
            reply = said if isinstance(said, Fault) else None
        else:
            reply = None
            for observer in tuple(watching):
                if isinstance(guarded(observer, order.event), Fault):
                    watching.remove(observer)
            if isinstance(order.event, Removed):
                players[order.event.seat].close()


class Entrant(Struct, frozen=True):
    """Somebody who signed up: under which name, and who answers."""

    name: str
    player: Contender


def unrecorded(number: int) -> Callable[[bytes], object]:
    """Keeps nothing."""
    return len


class Tournament:
    """One knock-out at work: who is in it, and what became of everybody."""

    def __init__(self, game: AnyGame, setup: Any, seed: int, entrants: Sequence[Entrant], keep: Keep) -> None:
        self.game, self.setup, self.seed, self.keep = game, setup, seed, keep
        self.entrants = entrants
        self.faults: list[Fault | None] = [None] * len(entrants)
        self.shown = distinct([entrant.name for entrant in entrants])

    @property
    def left(self) -> list[int]:
        return [number for number, fault in enumerate(self.faults) if fault is None]

    async def tell(self, number: int, news: object) -> Json | None:
        said = await self.entrants[number].player.hear(news)
        if isinstance(said, Fault):
            self.faults[number] = said
            self.entrants[number].player.throw_out(said)
            self.entrants[number].player.close()
            return None
        return said

    async def opened(self) -> list[Json | None]:
        """What everybody still in answers to the beginning, in age order; calls to different players overlap."""
        answers = await asyncio.gather(*(self.tell(number, ContestBegan()) for number in range(len(self.entrants))))
        return [answers[number] for number in self.left]

    async def closed(self, winners: Sequence[int]) -> None:
        await asyncio.gather(*(self.tell(number, ContestEnded(number in winners)) for number in self.left))

    async def played(self, sizes: range) -> list[int]:
        """Play all rounds, the matches of each at once; the winners."""
        entered = self.left
        rounds = knock_out(len(entered), sizes)
        outcomes: list[Outcome] | None = None
        while True:
            try:
                fixtures = rounds.send(outcomes)  # type: ignore[arg-type]  # the first one is None
            except StopIteration as done:
                return [entered[index] for index in done.value]
            outcomes = await asyncio.gather(*(self.match(entered, fixture) for fixture in fixtures))

    async def match(self, entered: Sequence[int], fixture: Fixture) -> Outcome:
        numbers = [entered[index] for index in fixture.line_up]
        names = tuple(self.shown[number] for number in numbers)
        seed = derived_seed(self.seed, "deal", fixture.deal)
        orders = recorded(self.game, self.setup, seed, names, self.keep(fixture.deal))
        players = [self.entrants[number].player for number in numbers]
        for seat, player in enumerate(players):
            player.begin(derived(seed, "player", seat).getrandbits(53))

        def happened(event: Event[Any, Any]) -> None:
            if isinstance(event, Removed):
                players[event.seat].throw_out(event.fault)

        outcome = await run(orders, players, [happened])
        for number, player, fault in zip(numbers, players, outcome.faults, strict=True):
            self.faults[number] = fault or self.faults[number]
            if fault is None:
                player.end(outcome)
        return outcome


async def tournament(
    game: AnyGame, setup: Any, seed: int, entrants: Sequence[Entrant], keep: Keep = unrecorded
) -> KnockoutResult | None:
    """Play the knock-out of the rule books (section 9 of each) with `entrants` in age order.

    None where what the players answered leaves nothing to play (Trains 9.4).
    """
    desk = established_of(game).desk
    event = Tournament(game, setup, seed, entrants, keep)
    answers = await event.opened()
    try:
        event.setup = desk.agreed(setup, answers)
    except SetupError:
        await event.closed(())  # Trains 14.13
        return None
    winners = await event.played(desk.sign_up(setup).sizes)
    await event.closed(winners)
    return KnockoutResult(tuple(number for number in winners if event.faults[number] is None), tuple(event.faults))


def distinct(names: Sequence[str]) -> list[str]:
    """For those who watch: the k-th bearer of a name is shown as name-k (Trains 11.2)."""
    bearers: Counter[str] = Counter()
    shown = []
    for name in names:
        bearers[name] += 1
        shown.append(name if bearers[name] == 1 else f"{name}-{bearers[name]}")
    return shown
