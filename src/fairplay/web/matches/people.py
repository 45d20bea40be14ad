"""A table at which a match is played: who sits there, who is here, who leaves, and what they tell each other."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from time import monotonic
from typing import Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import AnyGame, Player, Seat, SeatInfo, UsageError
from fairplay.core.chance import derived_seed
from fairplay.core.immutable import with_item
from fairplay.match.calls import require_legal_action
from fairplay.match.driver import describe_seat
from fairplay.match.players import parse_house
from fairplay.match.record import Isolation
from fairplay.web.house.worker import HouseQuestion, HouseReply
from fairplay.web.http.endpoints import RequestError
from fairplay.web.http.limits import RateLimiter
from fairplay.web.matches.seats import DelayedBot, HumanSeat, OwnerBot, describe_absences
from fairplay.web.matches.tables import TableDefinition, TableSeat, key_matches, number_name, rename_seat
from fairplay.web.watching.feed import Situation
from fairplay.web.watching.timeline import Emote, Offers, Presence, Status, Timeline

MAX_WAIT = 600.0
"""Seconds that a table waits for everyone to arrive; then house players stand in for those who have not."""

OFFER_HOUSE_AFTER = 45.0
"""Seconds without another player after which people are told that they can play against the house."""

ABANDON_AFTER = 300.0
"""Seconds without any of its people after which a match is broken off."""

CHECK_INTERVAL = 1.0
"""Seconds between two looks at who is here."""

LEFT_PACE = 0.05
"""Seconds for a house player's turn once people have nothing to decide any more."""

SLOWED = "The house players here have used up their computing time, so they are slow for a while."
NOBODY_CAME = "Nobody has joined yet. You can go on waiting, or start now: house players take the open seats."


class Backing(Protocol):
    """What a match needs from its server."""

    async def begin(self, definition: TableDefinition, /) -> None:
        """The line-up is known: the table is a fixture now."""
        ...

    async def keep(self, definition: TableDefinition, /) -> None:
        """Replace what the store has of the table."""
        ...

    def start_bot(self, game: AnyGame, spec: str, chance: int, info: SeatInfo, /) -> tuple[Player, Isolation]:
        """Start a bot file that the owner has seated, and say how far it is isolated; raises FairplayError."""
        ...

    async def think(self, question: HouseQuestion, on_slow: Callable[[bool], object], /) -> HouseReply:
        """What a house player does."""
        ...


class SeatedTable:
    """A table with its people and house players; what the referee does is not its concern."""

    def __init__(
        self,
        game: AnyGame,
        definition: TableDefinition,
        timeline: Timeline,
        backing: Backing,
        patience: float,
        on_change: Callable[[], object],
    ) -> None:
        """`timeline`: of the match that is played at it.  `on_change` is called when watchers should be told."""
        self.game, self.definition = game, definition
        self.started = asyncio.Event()
        self.is_discarded = False  # nobody has played: nothing is left of it
        self.stop_reason = ""  # why the match is broken off, in words
        self.talk = TableTalk()
        self.turn_began = monotonic()
        self._timeline, self._backing, self._patience, self._on_change = timeline, backing, patience, on_change
        self._stopping = asyncio.Event()
        self._removed: set[Seat] = set()
        self._remark = ""
        self.seats = [self._build_seat(Seat(number)) for number in range(len(definition.seats))]
        self.people = {person.seat: person for person in self.seats if isinstance(person, HumanSeat)}
        self.bots = {Seat(at): bot for at, bot in enumerate(self.seats) if isinstance(bot, OwnerBot)}

    def _build_seat(self, seat: Seat) -> DelayedBot | HumanSeat | OwnerBot:
        taken = self.definition.seats[seat]
        if taken.is_bot:
            return OwnerBot(partial(self._start_bot, seat), self.definition.pace, lambda: self.turn_began)
        rng, took = Random(self.chance_of(seat)), tuple[float, ...]()

        async def think(view: Any, past: tuple[Any, ...], again: bool) -> HouseReply:
            nonlocal rng, took
            question = HouseQuestion(self.game.name, taken.player, rng, view, past, again, took)
            reply = await self._backing.think(question, self._show_slow)
            rng, took = reply.rng or rng, (*took[-1:], reply.cpu)
            return reply

        bot = DelayedBot(think, self.definition.pace, lambda: self.turn_began, self._on_change)
        if not taken.person:
            return bot
        person = HumanSeat(seat, bot, self.definition.clock, self._patience, self._on_change, self._check_choice)
        person.gone = taken.gone
        return person

    def _start_bot(self, seat: Seat) -> tuple[Player, Isolation]:
        setup = msgspec.json.decode(self.definition.setup, type=self.game.setup)
        info = describe_seat(self.game, setup, seat, len(self.definition.seats))
        return self._backing.start_bot(self.game, self.definition.seats[seat].player, self.chance_of(seat), info)

    def _check_choice(self, view: Any) -> None:
        """Raises RuleBookError if a person would wait in vain for something to click."""
        require_legal_action(self.game, view, self._timeline.last)

    def chance_of(self, seat: Seat) -> int:
        """What a house player on this seat draws from."""
        return derived_seed(self.definition.seed, "player", seat)

    def _show_slow(self, slowed: bool) -> None:
        self._remark = SLOWED if slowed else ""
        self._on_change()

    # -- arriving ------------------------------------------------------------------------------

    async def wait_for_people(self) -> None:
        """Wait until everyone has arrived; if nobody is here after a while, the match never was.

        At a table with a bot of the owner, that may take as long as it takes.
        """
        if self.bots:
            await self.started.wait()
        for seconds, remark in ((OFFER_HOUSE_AFTER, NOBODY_CAME), (MAX_WAIT - OFFER_HOUSE_AFTER, "")):
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, seconds)):
                    await self.started.wait()
            if self.started.is_set():
                break
            self._remark = remark if any(seat.open for seat in self.definition.seats) else ""
            self._on_change()
        self.is_discarded = self.is_discarded or not (self.started.is_set() or self._present_people())
        self._remark = ""
        self.started.set()

    async def seat_house_players(self) -> None:
        """Let house players have the seats that nobody took."""
        before = self.definition
        for seat, taken in enumerate(before.seats):
            if taken.open or taken.gone == "left":
                self._give_to_house(Seat(seat), taken)
        if self.definition is not before:
            self._timeline.rename(self.definition.names)
            await self._backing.keep(self.definition)
        await self._backing.begin(self.definition)

    def _give_to_house(self, seat: Seat, taken: TableSeat) -> None:
        name = number_name(parse_house(taken.player)[0], self.definition.names)
        self._change_seat(seat, TableSeat(name, taken.player))
        self.people.pop(seat, None)
        self.seats[seat] = self._build_seat(seat)

    def missing_people(self) -> list[HumanSeat]:
        """People who have not arrived yet; nobody waits for a person who plays against house players only."""
        absent = [person for person in self.people.values() if not person.is_present and person.is_playing]
        return absent if len(self.people) > 1 or self.bots else []

    def _present_people(self) -> set[Seat]:
        """The seats of those who play and are here."""
        return {seat for seat, person in self.people.items() if person.is_present and person.is_playing}

    def _asked_people(self) -> set[Seat]:
        """The seats of those who have to agree: who plays and is here, or was until just now.

        A page that reloads is not consent.  Before the match, nobody is asked who never came.
        """
        asked = {seat for seat, person in self.people.items() if person.is_playing and not person.is_away}
        if self.started.is_set():
            return asked
        return self._present_people() | {seat for seat in asked if self.definition.seats[seat].account}

    @property
    def is_attended(self) -> bool:
        """Is anybody here who plays?"""
        return bool(self._present_people())

    def _change_seat(self, seat: Seat, taken: TableSeat) -> None:
        self.definition = replace(self.definition, seats=with_item(self.definition.seats, seat, taken))

    def find_invited(self, invitation: str) -> Seat | None:
        """The seat that an invitation is for; None if it is not valid, or was used already."""
        seats = self.definition.seats
        found = [Seat(number) for number, seat in enumerate(seats) if key_matches(invitation, seat.invitation)]
        return found[0] if found else None

    def find_open_seat(self) -> Seat | None:
        """The first seat that anyone may take; None once the match has begun."""
        seats = (Seat(number) for number, seat in enumerate(self.definition.seats) if seat.open)
        return None if self.started.is_set() else next(seats, None)

    def hand_over(self, seat: Seat, account: str) -> None:
        """Let a person's seat belong to an account, and to no other from now on."""
        self._change_seat(seat, replace(self.definition.seats[seat], account=account, invitation="", open=False))

    def rename(self, seat: Seat, name: str) -> None:
        """Give a person another name before the match begins; raises UsageError if it cannot be used."""
        if self.started.is_set():
            raise UsageError("The match has begun, so names stay as they are.")
        self.definition = rename_seat(self.definition, seat, name)
        self._timeline.rename(self.definition.names)

    def stop_waiting(self) -> None:
        """Start without those who have not arrived."""
        self.started.set()

    # -- leaving -------------------------------------------------------------------------------

    def take_leave(self, seat: Seat, *, resign: bool) -> None:
        """Let a person resign, or leave for good, so that a house player plays on."""
        person = self.people[seat]
        self.talk.stop.discard(seat)
        self._change_seat(seat, replace(self.definition.seats[seat], gone="resigned" if resign else "left"))
        person.go("resigned" if resign else "left")
        if any(other.is_playing for other in self.people.values()):
            if not resign:  # who resigns loses, even if the others would have stopped
                self._stop_if_agreed()
        elif not resign or not self.started.is_set():
            self.stop(f"{self._timeline.names[seat]} left.")
        else:
            self._hurry()

    def note_removal(self, seat: Seat) -> None:
        """Somebody is out of the game.  Who is left alone has won, and need not play the rest."""
        self._removed.add(seat)
        if len(self._removed) == len(self.seats) - 1:
            for person in self.people.values():
                person.has_won = True
            self._hurry()

    def _hurry(self) -> None:
        """Nothing is left for people to decide: the house finishes the match quickly."""
        for seat in self.seats:
            bot = seat.stand_in if isinstance(seat, HumanSeat) else seat
            bot.pace = min(bot.pace, LEFT_PACE)

    def offer_stop(self, seat: Seat, *, withdraw: bool = False) -> None:
        """Offer or agree to break the match off; it is, once all people want it who are not away; raises UsageError.

        withdraw: take one's own offer back, or refuse those of others; either way none is left.
        """
        if not self.people[seat].is_playing:
            raise UsageError("You have left this match.")
        if withdraw:
            self.talk.stop.clear()
        else:
            self.talk.stop.add(seat)
            self._stop_if_agreed()
        self._on_change()

    def _stop_if_agreed(self) -> None:
        """Break the match off if everyone wants it whose consent it takes."""
        offers = self.talk.stop
        if offers and self._asked_people() <= offers:
            names = " and ".join(self._timeline.names[seat] for seat in sorted(offers))
            self.stop(f"{names} agreed to stop." if len(offers) > 1 else f"{names} stopped the match.")

    def stop(self, reason: str) -> None:
        """Break the match off; if it has not begun, nothing is left of it."""
        self.stop_reason = reason
        self.is_discarded = not self.started.is_set()
        self.started.set()
        self._stopping.set()

    async def wait_for_stop(self) -> None:
        """Wait until somebody stops the match, or all people have abandoned it."""
        while not self._stopping.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_INTERVAL if self.people else None):
                    await self._stopping.wait()
            self._stop_if_agreed()  # somebody who was asked may have gone away
            absent = [person.seconds_absent for person in self.people.values()]
            if absent and min(absent) >= ABANDON_AFTER and not self._stopping.is_set():
                minutes = f"{ABANDON_AFTER / 60:g} minutes"
                self.stop(f"Abandoned: nobody who plays was here for {minutes}.")

    # -- coming and going ----------------------------------------------------------------------

    def arrive(self, seat: Seat) -> None:
        """The person on this seat has opened a page."""
        if seat in self.people:
            self.people[seat].arrive()
            if not self.missing_people():
                self.started.set()

    def depart(self, seat: Seat) -> None:
        """The person on this seat has closed a page."""
        if seat in self.people:
            self.people[seat].leave()

    # -- presence ------------------------------------------------------------------------------

    @property
    def status(self) -> Status:
        if self._timeline.outcome is not None:
            return "over"
        if self._timeline.cut_off:
            return "cut off"
        return "playing" if self.started.is_set() else "waiting"

    def situation(self, onlookers: int) -> Situation:
        """How the match stands and who is here, with so many people who look on."""
        offers = Offers(tuple(sorted(self.talk.stop)), self.definition.rematch)
        if self.status in ("over", "cut off"):
            presence = self._timeline.presence()
            return self._complete(presence, replace(offers, stop=()), onlookers), None
        due = next((person.due for person in self.people.values() if person.due is not None), None)
        is_open = [taken.open for taken in self.definition.seats]
        seats = tuple(describe_absences(self.people, is_open, has_begun=self.started.is_set()))
        return self._complete(Presence(self.status, None, seats, (), "", self._remark), offers, onlookers), due

    def _complete(self, presence: Presence, offers: Offers, onlookers: int) -> Presence:
        """The presence with what is the same before and after the end."""
        next, emote = self.definition.next, self.talk.emote
        return replace(presence, watchers=onlookers, offers=offers, next=next, emote=emote)


# -- what people tell each other without words of their own -------------------------------------


class EmoteInfo(Struct, frozen=True):
    """A sign that people can give."""

    name: str
    label: str


EMOTES = (
    EmoteInfo("hello", "Hello!"),
    EmoteInfo("luck", "Good luck!"),
    EmoteInfo("nice", "Nice move!"),
    EmoteInfo("wow", "Wow!"),
    EmoteInfo("oops", "Oops!"),
    EmoteInfo("thinking", "Let me think"),
    EmoteInfo("thanks", "Thank you!"),
    EmoteInfo("well-played", "Well played!"),
)

EMOTE_SECONDS = 6.0
"""How long a sign is shown to those who come."""

EMOTE_RATE = 0.5
EMOTE_BURST = 3.0
"""Signs a second from one seat, in the long run and at once."""

CHANGE_RATE = 0.2
CHANGE_BURST = 6.0
"""Offers and new names a second from one seat, in the long run and at once: everyone who looks on is sent each."""


class TableTalk:
    """The offers and signs at one table; nothing of it is kept."""

    def __init__(self) -> None:
        self.stop: set[Seat] = set()  # who offers to stop
        self._emote: Emote | None = None
        self._shown_until = 0.0
        self._limiter = RateLimiter(EMOTE_RATE, EMOTE_BURST)
        self._changes = RateLimiter(CHANGE_RATE, CHANGE_BURST)

    @property
    def emote(self) -> Emote | None:
        """The newest sign, as long as it is new."""
        return self._emote if monotonic() < self._shown_until else None

    def give_sign(self, seat: Seat, name: str) -> None:
        """Show a sign; raises RequestError if there is no such sign, or too many are given."""
        if name not in {emote.name for emote in EMOTES}:
            raise RequestError(422, f"There is no such sign; there are {', '.join(emote.name for emote in EMOTES)}.")
        if not self._limiter.allow(str(seat)):
            raise RequestError(429, "Wait a moment before the next sign.")
        number = 1 if self._emote is None else self._emote.number + 1
        self._emote, self._shown_until = Emote(seat, name, number), monotonic() + EMOTE_SECONDS

    def count_change(self, seat: Seat) -> None:
        """Count an offer or a new name; raises RequestError if it is one too many."""
        if not self._changes.allow(str(seat)):
            raise RequestError(429, "Wait a moment before you change that again.")
