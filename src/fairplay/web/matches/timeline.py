"""A match as something to look at: moment after moment, as each viewer may see it."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from fairplay.core import AnyGame, Event, Outcome, Removed, Seat, Turn
from fairplay.match.record import Record, first_state, replay_record
from fairplay.web.bounded import BoundedDict

__all__ = [
    "EVERYTHING",
    "Moment",
    "Presence",
    "SeatMoment",
    "Status",
    "Timeline",
    "Viewer",
    "build_timeline",
    "format_viewer",
    "parse_viewer",
]

Viewer: TypeAlias = Seat | Literal["all"] | None
"""Who looks: a seat, the public (None), or someone who may see everything."""

EVERYTHING: Final = "all"

Status: TypeAlias = Literal["waiting", "playing", "over", "cut off"]
"""Waiting for people to come, under way, finished, or broken off and never to be resumed."""

CACHED_MOMENTS: Final = 8
"""Moments of a match that are kept drawn: the newest for every kind of viewer.  One takes up to 43 KB."""


class SeatMoment(Struct, frozen=True):
    """A seat at one moment."""

    name: str  # of the player
    seat_name: str  # what the game calls the seat
    facts: tuple[tuple[str, str], ...]  # labels and values
    removed: str  # the kind of fault for which the player was removed; empty: still in the game


class Moment(Struct, frozen=True):
    """The table after `number` events, as one viewer may see it.  It never changes."""

    number: int
    words: str  # what happened last
    seats: tuple[SeatMoment, ...]
    to_move: int | None
    picture: str  # SVG


class Presence(Struct, frozen=True):
    """What changes without a move: the clock, who is here, how the match stands.  The same for every viewer."""

    status: Status
    clock: float | None  # seconds left to the person who is being asked to move; null where none is
    seats: tuple[str, ...]  # where a person is who is not here, in words; empty for all others
    winners: tuple[int, ...]  # seats, once the match is over
    ending: str  # how it ended, in words
    remark: str = ""  # what else people should know, such as why the match is slow


class Timeline:
    """The moments of one match, from the deal on; moment n is the table after n events."""

    def __init__(self, game: AnyGame, names: tuple[str, ...], state: Any) -> None:
        self.game, self.names = game, names
        self.states = [state]
        self.events: list[Event[Any, Any]] = []
        self.outcome: Outcome | None = None
        self.proof = ""  # what shows that it was played so, in words; empty before its end
        self._removed: dict[Seat, tuple[int, str]] = {}  # at which moment, and why
        self._moments: BoundedDict[tuple[int, Viewer], Moment] = BoundedDict(CACHED_MOMENTS)

    @property
    def last(self) -> int:
        """The number of the newest moment."""
        return len(self.events)

    def add(self, event: Event[Any, Any]) -> None:
        """Append an event."""
        self.events.append(event)
        self.states.append(event.after)
        if isinstance(event, Removed):
            self._removed[event.seat] = (self.last, event.fault.kind)

    def last_turn(self, number: int) -> Turn[Any, Any] | None:
        """The turn that led to moment `number`, if a turn did."""
        event = self.events[number - 1] if number else None
        return event if isinstance(event, Turn) else None

    # -- as a viewer may see it ----------------------------------------------------------------

    def moment(self, number: int, viewer: Viewer) -> Moment:
        """A moment, drawn once for all viewers of the same kind."""
        found = self._moments.get((number, viewer))
        if found is None:
            found = self._moments[number, viewer] = self._draw_moment(number, viewer)
        return found

    def _draw_moment(self, number: int, viewer: Viewer) -> Moment:
        state = self.states[number]
        shown = state if viewer is None or viewer == EVERYTHING else self.game.rules.view(state, viewer)
        picture = self.game.picture(shown, self.last_turn(number), open=viewer == EVERYTHING, seats=False)
        return Moment(
            number,
            self.describe_event(number, viewer),
            self._describe_seats(number, shown),
            self.game.rules.to_move(state),
            str(picture),
        )

    def describe_event(self, number: int, viewer: Viewer) -> str:
        """What led to moment `number`, as a sentence."""
        if not number:
            return "The match begins."
        event, words = self.events[number - 1], self.game.words
        if isinstance(event, Removed):
            detail = f": {event.fault.detail}" if viewer in (EVERYTHING, event.seat) and event.fault.detail else ""
            return f"{words.seat_name(event.seat)} is removed, {event.fault.kind}{detail}"
        return words.describe_open_turn(event) if viewer == EVERYTHING else words.describe_turn(event, viewer)

    def _describe_seats(self, number: int, shown: Any) -> tuple[SeatMoment, ...]:
        facts, words = self.game.words.facts(shown), self.game.words
        return tuple(
            SeatMoment(name, words.seat_name(seat), facts.get(seat, ()), self._fault_before(number, seat))
            for seat, name in zip(map(Seat, range(len(self.names))), self.names, strict=True)
        )

    def _fault_before(self, number: int, seat: Seat) -> str:
        """The fault for which a seat is out of the game at moment `number`; empty if it is not."""
        since, kind = self._removed.get(seat, (number + 1, ""))
        return kind if since <= number else ""

    def presence(self) -> Presence:
        """The presence in a match that is not being played any more."""
        seats = ("",) * len(self.names)
        if self.outcome is None:
            return Presence("cut off", None, seats, (), "")
        return Presence("over", None, seats, self.outcome.winners, self.outcome.ending)


def build_timeline(game: AnyGame, record: Record) -> Timeline:
    """The timeline of a recorded match; raises RecordError if the record does not follow the rules."""
    timeline = Timeline(game, record.header.players, first_state(game, record))
    for event in replay_record(game, record):
        timeline.add(event)
    timeline.outcome = record.outcome
    return timeline


def parse_viewer(name: str, seats: int) -> Viewer:
    """The viewer called ``public``, ``all`` or by the number of a seat; raises ValueError."""
    if name == "public":
        return None
    if name == EVERYTHING:
        return EVERYTHING
    if not (name.isascii() and name.isdigit() and len(name) < 4 and int(name) < seats):
        raise ValueError(f"Expected public, all or a seat from 0 to {seats - 1}.")
    return Seat(int(name))


def format_viewer(viewer: Viewer) -> str:
    """The name of a viewer: the inverse of parse_viewer."""
    return "public" if viewer is None else str(viewer)
