"""One match at work on the web server: its referee, its seats, its film and everybody who watches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Final, Literal

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import AnyGame, Event, House, Outcome, Seat, UsageError
from fairplay.core.chance import derived
from fairplay.core.tuples import with_item
from fairplay.parts.clicks import Choice, Wish
from fairplay.play.players import house
from fairplay.play.record import deal, read, recorded, resumed
from fairplay.run.remote import run
from fairplay.web.matches.feed import Feed, Watcher
from fairplay.web.matches.seats import Paced, Person
from fairplay.web.matches.tables import Definition, hidden, new_key, opens
from fairplay.web.matches.timeline import Film, Frame, Looker, SeatNow

__all__ = ["PATIENCE", "LiveMatch", "Wished"]

LOG = structlog.get_logger("fairplay.web")

PATIENCE: Final = 60.0
"""Seconds that a person may be away before the house plays on for them."""

WAITING: Final = 600.0
"""Seconds that a table waits for everybody to come; then the house plays for those who have not."""

CAUGHT_UP: Final = 8
"""Moments that somebody who comes back is sent one by one; after more of them only the newest."""

LATE: Final = "it is not your turn any more"


class Message(Struct, frozen=True):
    """What a watcher is sent."""

    id: str
    frame: Frame


class Wished(Struct, frozen=True, omit_defaults=True):
    """The reply to clicks: what may be clicked next, or that it is done, or why it cannot be."""

    done: bool = False
    refused: str = ""
    prompt: str = ""
    choices: tuple[Choice, ...] = ()
    picture: str = ""


class LiveMatch:
    """A match from the moment its table is laid until its record is kept."""

    def __init__(
        self,
        id: str,
        game: AnyGame,
        definition: Definition,
        write: Callable[[bytes], object],
        lines: Sequence[bytes] = (),
        patience: float = PATIENCE,
    ) -> None:
        self.id, self.game, self.definition = id, game, definition
        self.feed = Feed()
        names = tuple(chair.name for chair in definition.chairs)
        setup = msgspec.json.decode(definition.setup, type=game.setup)
        self.film = Film(game, names, deal(game, setup, definition.seed, len(names)))
        self.seats = [self._seat(Seat(number), patience) for number in range(len(names))]
        self.people = {person.seat: person for person in self.seats if isinstance(person, Person)}
        self.started = asyncio.Event()
        self._orders = (
            resumed(game, read(lines), write) if lines else recorded(game, setup, definition.seed, names, write)
        )
        if lines or not self._awaited():
            self.started.set()

    def _seat(self, seat: Seat, patience: float) -> Paced | Person:
        chair = self.definition.chairs[seat]
        rng = derived(self.definition.seed, "player", seat)
        paced = Paced(House(house(self.game, chair.player, rng)), self.definition.pace)
        return Person(seat, paced, self.definition.clock, patience, self.refresh) if chair.person else paced

    # -- playing -------------------------------------------------------------------------------

    async def play(self) -> Outcome:
        """Wait until everybody sits, but not for ever, and play to the end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(WAITING):
                await self.started.wait()
        self.started.set()
        self.refresh()
        self.film.outcome = await run(self._orders, self.seats, [self._happened])
        self.refresh()
        return self.film.outcome

    def _happened(self, event: Event[Any, Any]) -> None:
        self.film.add(event)
        self.refresh()

    def refresh(self) -> None:
        """Show everybody how things stand.  Whatever goes wrong with that does not stop the match."""
        try:
            self.feed.publish(self.message)
        except Exception:
            LOG.exception("a moment cannot be shown", table=self.id)

    # -- people --------------------------------------------------------------------------------

    def _awaited(self) -> list[Person]:
        """People who have not come to the table yet; the game waits for two of them at least."""
        absent = [person for person in self.people.values() if not person.there]
        return absent if len(self.people) > 1 else []

    def seat_of(self, key: str) -> Seat | None:
        """The seat that `key` is for; every seat is compared, so that the time tells nothing."""
        found = [Seat(number) for number, chair in enumerate(self.definition.chairs) if opens(key, chair.key)]
        return found[0] if found else None

    def claim(self, invitation: str) -> tuple[Seat, str] | None:
        """The seat that `invitation` is for, with a new key of its own; the invitation is used up."""
        chairs = self.definition.chairs
        found = [Seat(number) for number, chair in enumerate(chairs) if opens(invitation, chair.invitation)]
        if not found:
            return None
        seat, key = found[0], new_key()
        taken = replace(chairs[seat], key=hidden(key), invitation="")
        self.definition = replace(self.definition, chairs=with_item(chairs, seat, taken))
        return seat, key

    def watch(self, watcher: Watcher, seat: Seat | None = None, known: int | None = None) -> None:
        """Join the watchers; whoever watches from a seat of its own is there.

        Who comes back and knows all up to moment `known` gets what came after it, if that is not too much.
        """
        self.feed.join(watcher)
        if seat is not None:
            self.people[seat].arrive()
            if not self._awaited():
                self.started.set()
        last = self.film.last
        for number in range(last if known is None or last - known > CAUGHT_UP else min(known + 1, last), last + 1):
            watcher.offer(self.message(watcher.looker, number))

    def leave(self, watcher: Watcher, seat: Seat | None = None) -> None:
        self.feed.leave(watcher)
        if seat is not None:
            self.people[seat].leave()

    def begin(self) -> None:
        """Wait for nobody any longer."""
        self.started.set()

    def wish(self, seat: Seat, number: int, clicks: Sequence[str]) -> Wished:
        """What a person's clicks at moment `number` lead to; raises UsageError or WireError."""
        person = self.people[seat]
        if self.game.clicks is None:
            raise UsageError(f"{self.game.name} cannot be played by clicks")
        if number != self.film.last or person.view is None:
            raise UsageError(LATE)
        last = self.film.turn(number)
        wished = self.game.clicks(person.view, clicks, last)
        if isinstance(wished, Wish):
            return Wished(prompt=wished.prompt, choices=wished.choices, picture=str(wished.picture))
        reason = self.game.rules.why_illegal(person.view, wished)
        if reason is None:
            if not person.decide(wished):
                raise UsageError(LATE)
            return Wished(done=True)
        again = self.game.clicks(person.view, (), last)
        return Wished(refused=reason, prompt=again.prompt, choices=again.choices, picture=str(again.picture))

    # -- looking -------------------------------------------------------------------------------

    @property
    def status(self) -> Literal["waiting", "playing", "over"]:
        if self.film.outcome is not None:
            return "over"
        return "playing" if self.started.is_set() else "waiting"

    def message(self, looker: Looker, number: int | None = None) -> str:
        """A moment, or else the newest one, for this kind of looker, ready to be sent."""
        at = self.film.last if number is None else number
        return msgspec.json.encode(Message(self.id, self.frame(at, looker))).decode()

    def frame(self, number: int, looker: Looker) -> Frame:
        """A moment; the newest one with who is there and how long the one who is to move has left."""
        frame = self.film.frame(number, looker)
        if number != self.film.last:
            return replace(frame, status=self.status)
        person = None if frame.to_move is None else self.people.get(Seat(frame.to_move))
        clock = None if person is None or person.due is None else round(max(0.0, person.due - monotonic()), 1)
        seats = tuple(self._present(Seat(at), now) for at, now in enumerate(frame.seats))
        return replace(frame, status=self.status, clock=clock, seats=seats)

    def _present(self, seat: Seat, now: SeatNow) -> SeatNow:
        """A seat with what is known about its person."""
        person = self.people.get(seat)
        if person is None or person.there or self.film.outcome is not None:
            return now
        where = f"away, {self.definition.chairs[seat].player} plays on" if person.away else "away"
        if not self.started.is_set():
            where = "not here yet"
        return replace(now, state=f"{now.state}, {where}" if now.state else where)
