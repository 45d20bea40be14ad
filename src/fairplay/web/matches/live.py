"""A match that is being played on the web server: its referee, its seats, its timeline and its watchers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any, Final, Literal

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import AnyGame, Event, House, Outcome, Seat, UsageError
from fairplay.core.chance import derived_seed
from fairplay.core.tuples import with_item
from fairplay.parts.clicks import Choice, PartialMove
from fairplay.play.levels import Level
from fairplay.play.players import describe_house, house_strategy
from fairplay.play.record import HousePlayer, Script, deal_state, read_record, record_match
from fairplay.run.awaited import play_awaited
from fairplay.web.bounded import BoundedDict
from fairplay.web.http.sockets import SocketMessage, encode_message
from fairplay.web.matches.feed import Feed, Watcher
from fairplay.web.matches.seats import DelayedBot, HumanSeat
from fairplay.web.matches.tables import TableDefinition, hash_key, key_matches, new_key
from fairplay.web.matches.timeline import CACHED_MOMENTS, Moment, Presence, Timeline, Viewer

__all__ = ["ClickResult", "LiveMatch"]

LOG = structlog.get_logger("fairplay.web")

MAX_WAIT: Final = 600.0
"""Seconds that a table waits for everyone to arrive; then house players stand in for those who have not."""

CATCH_UP_LIMIT: Final = 8
"""A watcher who comes back is sent this many missed moments one by one; after more of them, only the newest."""

TOO_LATE: Final = "It is not your turn any more."


class MomentMessage(Struct, frozen=True):
    """What a watcher is sent when there is a new moment.  It also means that the clock is not running."""

    id: str
    moment: Moment


class PresenceMessage(Struct, frozen=True):
    """What a watcher is sent when anything else has changed."""

    id: str
    presence: Presence


class ClickResult(Struct, frozen=True, omit_defaults=True):
    """The result of some clicks: what may be clicked next, or that the move is made, or why it is not allowed."""

    done: bool = False
    refusal: str = ""
    prompt: str = ""
    choices: tuple[Choice, ...] = ()
    picture: str = ""


class LiveMatch:
    """A match from the moment its table is opened until its record is kept."""

    def __init__(
        self,
        id: str,
        game: AnyGame,
        definition: TableDefinition,
        write: Callable[[bytes], object],
        lines: Sequence[bytes] = (),
        *,
        patience: float,
    ) -> None:
        """`write` takes the lines of the record; `lines` are those of a match that is resumed."""
        self.id, self.game, self.definition = id, game, definition
        self.feed = Feed()
        names = tuple(seat.name for seat in definition.seats)
        setup = msgspec.json.decode(definition.setup, type=game.setup)
        self.timeline = Timeline(game, names, deal_state(game, setup, definition.seed, len(names)))
        self.seats = [self._build_seat(Seat(number), patience) for number in range(len(names))]
        self.people = {person.seat: person for person in self.seats if isinstance(person, HumanSeat)}
        self.started = asyncio.Event()
        self._messages: BoundedDict[Moment, SocketMessage] = BoundedDict(CACHED_MOMENTS)
        self._published: tuple[object, ...] = ()  # what watchers know besides the moments
        begun = read_record(lines) if lines else None
        self._past = None if begun is None else Script(game, begun)
        levels: tuple[Level, ...] = tuple("person" if seat.person else "house" for seat in definition.seats)
        self._orders = record_match(
            game,
            setup,
            definition.seed,
            names,
            write,
            levels=levels,
            house=self._name_house_players(),
            begun=begun.header if begun else None,
        )
        if lines or not self._missing_people():
            self.started.set()

    def _build_seat(self, seat: Seat, patience: float) -> DelayedBot | HumanSeat:
        taken = self.definition.seats[seat]
        strategy = house_strategy(self.game, taken.player, Random(self._chance_of(seat)))
        bot = DelayedBot(House(strategy), self.definition.pace)
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
        self.publish_presence()
        self.timeline.outcome = await play_awaited(self._orders, self.seats, [self._on_event], self._past)
        self.publish_presence()
        return self.timeline.outcome

    def _on_event(self, event: Event[Any, Any]) -> None:
        self.timeline.add(event)
        self.publish_moment()

    def publish_moment(self) -> None:
        """Send everyone the newest moment."""
        self._published = (*self._published[:2], None)  # a new moment stops the clock
        self._publish(lambda viewer: self._moment_message(self.timeline.last, viewer))

    def publish_presence(self) -> None:
        """Send everyone the presence, if it has changed."""
        situation = self._situation()
        if situation != self._published:
            self._published = situation
            message = self._presence_message()
            self._publish(lambda _: message)

    def _publish(self, build_message: Callable[[Viewer], SocketMessage]) -> None:
        """Whatever goes wrong with showing a match does not stop it."""
        try:
            self.feed.publish(build_message)
        except Exception:
            LOG.exception("a match cannot be shown", table=self.id)

    # -- people --------------------------------------------------------------------------------

    def _missing_people(self) -> list[HumanSeat]:
        """People who have not arrived yet; nobody waits for a person who plays against house players only."""
        absent = [person for person in self.people.values() if not person.is_present]
        return absent if len(self.people) > 1 else []

    def find_seat(self, key: str) -> Seat | None:
        """The seat that `key` is for; every seat is compared, so that the time reveals nothing."""
        found = [Seat(number) for number, seat in enumerate(self.definition.seats) if key_matches(key, seat.key)]
        return found[0] if found else None

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
        """Join the watchers, as the person on `seat` if it is given.

        A watcher who comes back and has seen the moments up to `known` gets those after it, if they are not too many.
        """
        if seat is not None:
            self.people[seat].arrive()
            if not self._missing_people():
                self.started.set()
        last = self.timeline.last
        missed = last - known if known is not None else -1
        for number in range(last - missed + 1 if 0 <= missed <= CATCH_UP_LIMIT else last, last + 1):
            watcher.offer(self._moment_message(number, watcher.viewer))
        watcher.offer(self._presence_message())
        self.feed.join(watcher)

    def remove_watcher(self, watcher: Watcher, seat: Seat | None = None) -> None:
        """Leave the watchers."""
        self.feed.leave(watcher)
        if seat is not None:
            self.people[seat].leave()

    def _moment_message(self, number: int, viewer: Viewer) -> SocketMessage:
        moment = self.timeline.moment(number, viewer)
        message = self._messages.get(moment)
        if message is None:
            message = self._messages[moment] = encode_message(MomentMessage(self.id, moment))
        return message

    def _presence_message(self) -> SocketMessage:
        return encode_message(PresenceMessage(self.id, self.presence()))

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
        status, seats, due = self._situation()
        clock = None if due is None else round(max(0.0, due - monotonic()), 1)
        return Presence(status, clock, seats, (), "")

    def _situation(self) -> tuple[Literal["waiting", "playing", "over"], tuple[str, ...], float | None]:
        """All that the presence consists of, except the passing of time."""
        due = next((person.due for person in self.people.values() if person.due is not None), None)
        return self.status, tuple(self._where(Seat(seat)) for seat in range(len(self.seats))), due

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
