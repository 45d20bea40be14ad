"""A match that is being played on the web server: its referee and its seats."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any, Final, Literal, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import AnyGame, Event, Outcome, Seat, UsageError
from fairplay.core.chance import derived_seed
from fairplay.core.tuples import with_item
from fairplay.match.levels import Level
from fairplay.match.players import describe_house
from fairplay.match.record import HousePlayer, Script, deal_state, read_record, record_match
from fairplay.parts.clicks import Choice, PartialMove
from fairplay.run.awaited import play_awaited
from fairplay.web.house.worker import HouseQuestion, HouseReply
from fairplay.web.matches.feed import Watcher
from fairplay.web.matches.seats import DelayedBot, HumanSeat
from fairplay.web.matches.shown import ShownMatch
from fairplay.web.matches.tables import TableDefinition, hash_key, key_matches, new_key
from fairplay.web.matches.timeline import Presence, Timeline

__all__ = ["Backing", "ClickResult", "LiveMatch"]

MAX_WAIT: Final = 600.0
"""Seconds that a table waits for everyone to arrive; then house players stand in for those who have not."""

TOO_LATE: Final = "It is not your turn any more."

SLOWED: Final = "The house players here have used up their computing time, so they are slow for a while."


class Backing(Protocol):
    """What a match needs from its server."""

    def write(self, line: bytes, /) -> None:
        """Take the next line of the record."""
        ...

    async def settle(self) -> None:
        """Wait until all lines so far are in the store."""
        ...

    async def think(self, question: HouseQuestion, on_slow: Callable[[bool], object], /) -> HouseReply:
        """What a house player does."""
        ...


class ClickResult(Struct, frozen=True, omit_defaults=True):
    """The result of some clicks: what may be clicked next, or that the move is made, or why it is not allowed."""

    done: bool = False
    refusal: str = ""
    prompt: str = ""
    choices: tuple[Choice, ...] = ()
    picture: str = ""


class LiveMatch(ShownMatch):
    """A match from the moment its table is opened until its record is kept."""

    def __init__(
        self,
        id: str,
        game: AnyGame,
        definition: TableDefinition,
        backing: Backing,
        lines: Sequence[bytes] = (),
        *,
        patience: float,
    ) -> None:
        """`lines` are those of a match that is resumed."""
        names = tuple(seat.name for seat in definition.seats)
        setup = msgspec.json.decode(definition.setup, type=game.setup)
        super().__init__(
            id, game, definition, Timeline(game, names, deal_state(game, setup, definition.seed, len(names)))
        )
        self._backing = backing
        self.seats = [self._build_seat(Seat(number), patience) for number in range(len(names))]
        self.people = {person.seat: person for person in self.seats if isinstance(person, HumanSeat)}
        self.started = asyncio.Event()
        self._slowed = False
        self._moved = asyncio.Event()  # replaced when something has happened
        self._unshown: list[Event[Any, Any]] = []  # not yet in the store
        self._turn_began = monotonic()
        self._published: tuple[object, ...] = ()  # what watchers know besides the moments
        begun = read_record(lines) if lines else None
        self._past = None if begun is None else Script(game, begun)
        levels: tuple[Level, ...] = tuple("person" if seat.person else "house" for seat in definition.seats)
        self._orders = record_match(
            game,
            setup,
            definition.seed,
            names,
            backing.write,
            levels=levels,
            house=self._name_house_players(),
            begun=begun.header if begun else None,
        )
        if lines or not self._missing_people():
            self.started.set()

    def _build_seat(self, seat: Seat, patience: float) -> DelayedBot | HumanSeat:
        taken = self.definition.seats[seat]
        rng = Random(self._chance_of(seat))

        async def think(view: Any, past: tuple[Any, ...], again: bool) -> HouseReply:
            nonlocal rng
            question = HouseQuestion(self.game.name, taken.player, rng, view, past, again)
            reply = await self._backing.think(question, self._show_slow)
            rng = reply.rng or rng
            return reply

        bot = DelayedBot(think, self.definition.pace, lambda: self._turn_began)
        if not taken.person:
            return bot
        return HumanSeat(seat, bot, self.definition.clock, patience, self.publish_presence)

    def _name_house_players(self) -> tuple[HousePlayer | None, ...]:
        """The house players by seat, without those who stand in for people."""
        seats = self.definition.seats
        if all(taken.person for taken in seats):
            return ()
        return tuple(
            None if taken.person else describe_house(self.game, taken.player, self._chance_of(Seat(seat)))
            for seat, taken in enumerate(seats)
        )

    def _chance_of(self, seat: Seat) -> int:
        return derived_seed(self.definition.seed, "player", seat)

    # -- playing -------------------------------------------------------------------------------

    async def play(self) -> Outcome:
        """Wait for everyone to arrive, but not for ever, and play to the end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(MAX_WAIT):
                await self.started.wait()
        self.started.set()
        self._turn_began = monotonic()
        self.publish_presence()
        outcome = await play_awaited(self._orders, self.seats, [self._note_event], self._past, self._show_events)
        await self._show_events()
        self.timeline.outcome = outcome
        self.publish_presence()
        return outcome

    def _note_event(self, event: Event[Any, Any]) -> None:
        self._unshown.append(event)
        self._turn_began = monotonic()

    async def _show_events(self) -> None:
        """Show what has happened, once it is in the store: nothing that anybody has seen can be lost."""
        await self._backing.settle()
        events, self._unshown[:] = tuple(self._unshown), ()
        for event in events:
            self.timeline.add(event)
            self.publish_moment()
        if events:
            self._moved.set()
            self._moved = asyncio.Event()

    async def wait_for_moment(self, number: int) -> None:
        """Wait until this moment is there to be seen."""
        while self.timeline.last < number:
            await self._moved.wait()

    def _show_slow(self, slowed: bool) -> None:
        self._slowed = slowed
        self.publish_presence()

    def publish_moment(self) -> None:
        """Send everyone the newest moment."""
        self._published = (*self._published[:2], None, *self._published[3:])  # a new moment stops the clock
        super().publish_moment()

    def publish_presence(self) -> None:
        """Send everyone the presence, if it has changed."""
        situation = self._situation()
        if situation != self._published:
            self._published = situation
            super().publish_presence()

    # -- people --------------------------------------------------------------------------------

    def _missing_people(self) -> list[HumanSeat]:
        """People who have not arrived yet; nobody waits for a person who plays against house players only."""
        absent = [person for person in self.people.values() if not person.is_present]
        return absent if len(self.people) > 1 else []

    def claim_seat(self, invitation: str) -> tuple[Seat, str] | None:
        """The seat that `invitation` is for, and a new key to it; the invitation cannot be used again."""
        seats = self.definition.seats
        found = [Seat(number) for number, seat in enumerate(seats) if key_matches(invitation, seat.invitation)]
        if not found:
            return None
        seat, key = found[0], new_key()
        taken = replace(seats[seat], key=hash_key(key), invitation="")
        self.definition = replace(self.definition, seats=with_item(seats, seat, taken))
        return seat, key

    def stop_waiting(self) -> None:
        """Start without those who have not arrived."""
        self.started.set()

    async def wait_for_question(self, seat: Seat, number: int) -> None:
        """Wait until a person is asked whose turn it is at moment `number`; a turn counts once it is in the store."""
        person = self.people[seat]
        while number == self.timeline.last and not person.asked.is_set() and self._is_about_to_ask(person):
            waits = [asyncio.ensure_future(event.wait()) for event in (person.asked, self._moved)]
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()

    def _is_about_to_ask(self, person: HumanSeat) -> bool:
        mover = self.game.rules.to_move(self.timeline.states[-1])
        return self.status == "playing" and mover == person.seat and not person.is_away

    def click(self, seat: Seat, number: int, clicks: Sequence[str]) -> ClickResult:
        """The result of a person's clicks at moment `number`; raises UsageError or WireError.

        An illegal move is found here, so that the person may choose again.  The referee, who judges every action, would
        remove the player.
        """
        person = self.people[seat]
        if self.game.clicks is None:
            raise UsageError(f"{self.game.name} cannot be played by clicks.")
        if number != self.timeline.last or person.view is None:
            raise UsageError(TOO_LATE)
        turn = self.timeline.last_turn(number)
        result = self.game.clicks(person.view, clicks, turn)
        if isinstance(result, PartialMove):
            return show_choices(result)
        refusal = self.game.rules.why_illegal(person.view, result)
        if refusal is not None:
            return show_choices(self.game.clicks(person.view, (), turn), refusal)
        if not person.answer(result):
            raise UsageError(TOO_LATE)
        return ClickResult(done=True)

    # -- watchers ------------------------------------------------------------------------------

    def add_watcher(self, watcher: Watcher, seat: Seat | None = None, known: int | None = None) -> None:
        """Join the watchers, as the person on `seat` if it is given."""
        if seat is not None:
            self.people[seat].arrive()
            if not self._missing_people():
                self.started.set()
        super().add_watcher(watcher, seat, known)

    def remove_watcher(self, watcher: Watcher, seat: Seat | None = None) -> None:
        """Leave the watchers."""
        super().remove_watcher(watcher, seat)
        if seat is not None:
            self.people[seat].leave()

    # -- presence ------------------------------------------------------------------------------

    @property
    def status(self) -> Literal["waiting", "playing", "over"]:
        """How the match stands."""
        if self.timeline.outcome is not None:
            return "over"
        return "playing" if self.started.is_set() else "waiting"

    def presence(self) -> Presence:
        """The clock, who is here, how the match stands."""
        if self.timeline.outcome is not None:
            return self.timeline.presence()
        status, seats, due, slowed = self._situation()
        clock = None if due is None else round(max(0.0, due - monotonic()), 1)
        return Presence(status, clock, seats, (), "", SLOWED if slowed else "")

    def _situation(self) -> tuple[Literal["waiting", "playing", "over"], tuple[str, ...], float | None, bool]:
        """All that the presence consists of, except the passing of time."""
        due = next((person.due for person in self.people.values() if person.due is not None), None)
        return self.status, tuple(self._where(Seat(seat)) for seat in range(len(self.seats))), due, self._slowed

    def _where(self, seat: Seat) -> str:
        """Where a person is who is not here, in words."""
        person = self.people.get(seat)
        if person is None or person.is_present or self.timeline.outcome is not None:
            return ""
        if not self.started.is_set():
            return "not here yet"
        return f"away, {self.definition.seats[seat].player} plays" if person.is_away else "away"


def show_choices(wish: PartialMove, refusal: str = "") -> ClickResult:
    """What may be clicked next."""
    return ClickResult(refusal=refusal, prompt=wish.prompt, choices=wish.choices, picture=str(wish.picture))
