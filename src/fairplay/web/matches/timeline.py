"""A match as something to look at: moment after moment, drawn and told as each looker may see it."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from fairplay.core import AnyGame, Event, Outcome, Picture, Removed, Seat, Turn
from fairplay.play.record import Record, dealt, replay

__all__ = ["EVERYTHING", "Film", "Frame", "Looker", "SeatNow", "filmed", "looker_named", "name_of"]

Looker: TypeAlias = Seat | Literal["all"] | None
"""Who looks: a seat, nobody in particular (None), or somebody who may see everything."""

EVERYTHING: Final = "all"

DRAWINGS: Final = 8
"""Drawings of a match that are kept: the newest for everybody who looks.  One takes up to 43 KB."""


class SeatNow(Struct, frozen=True):
    """A seat at one moment, as the page shows it."""

    name: str
    called: str  # what the game calls the seat
    facts: tuple[tuple[str, str], ...]
    state: str


class Frame(Struct, frozen=True):
    """A moment of a match as a page shows it."""

    number: int
    last: int  # the newest moment there is
    words: str
    seats: tuple[SeatNow, ...]
    to_move: int | None
    clock: float | None  # seconds left to the person who is to move
    status: Literal["waiting", "playing", "over", "cut off"]
    ending: str
    picture: str


class Film:
    """The moments of one match, from the deal on; moment n is what the table looked like after n events."""

    def __init__(self, game: AnyGame, names: tuple[str, ...], state: Any) -> None:
        self.game, self.names = game, names
        self.states = [state]
        self.events: list[Event[Any, Any]] = []
        self.outcome: Outcome | None = None
        self._removed: dict[Seat, tuple[int, str]] = {}  # at which moment, and why
        self._drawn: dict[tuple[int, Looker], Picture] = {}

    @property
    def last(self) -> int:
        """The number of the newest moment."""
        return len(self.events)

    def add(self, event: Event[Any, Any]) -> None:
        self.events.append(event)
        self.states.append(event.after)
        if isinstance(event, Removed):
            self._removed[event.seat] = (self.last, event.fault.kind)

    def to_move(self, number: int) -> Seat | None:
        return self.game.rules.to_move(self.states[number])

    def turn(self, number: int) -> Turn[Any, Any] | None:
        """The turn that led to moment `number`, if a turn did."""
        event = self.events[number - 1] if number else None
        return event if isinstance(event, Turn) else None

    # -- as somebody may see it ----------------------------------------------------------------

    def shown(self, number: int, looker: Looker) -> Any:
        """The state, or the view of a seat."""
        state = self.states[number]
        return state if looker is None or looker == EVERYTHING else self.game.rules.view(state, looker)

    def picture(self, number: int, looker: Looker) -> Picture:
        """The drawing of a moment, made once for all who look the same way."""
        drawn = self._drawn.get((number, looker))
        if drawn is None:
            shown, last = self.shown(number, looker), self.turn(number)
            drawn = self.game.picture(shown, last, open=looker == EVERYTHING, seats=False)
            while len(self._drawn) >= DRAWINGS:
                del self._drawn[next(iter(self._drawn))]
            self._drawn[number, looker] = drawn
        return drawn

    def words(self, number: int, looker: Looker) -> str:
        """What happened last, as a sentence."""
        if not number:
            return "The match begins."
        event, words = self.events[number - 1], self.game.words
        if isinstance(event, Removed):
            detail = f": {event.fault.detail}" if looker in (EVERYTHING, event.seat) and event.fault.detail else ""
            return f"{words.seat_name(event.seat)} is removed, {event.fault.kind}{detail}"
        return words.turn(event) if looker == EVERYTHING else words.told(event, looker)

    def seats(self, number: int, looker: Looker) -> tuple[SeatNow, ...]:
        """Everybody at the table."""
        facts = self.game.words.facts(self.shown(number, looker))
        words, count = self.game.words, len(self.names)
        return tuple(
            SeatNow(self.names[seat], words.seat_name(seat), facts.get(seat, ()), self.standing(number, seat))
            for seat in map(Seat, range(count))
        )

    def frame(self, number: int, looker: Looker) -> Frame:
        """All that a page shows of a moment."""
        over = self.outcome is not None
        return Frame(
            number,
            self.last,
            self.words(number, looker),
            self.seats(number, looker),
            self.to_move(number),
            None,
            "over" if over else "cut off",
            self.outcome.ending if self.outcome is not None and number == self.last else "",
            str(self.picture(number, looker)),
        )

    def standing(self, number: int, seat: Seat) -> str:
        """Whether a seat is to move, out, or has won."""
        since, kind = self._removed.get(seat, (number + 1, ""))
        if since <= number:
            return f"removed, {kind}"
        if self.outcome is not None and number == self.last:
            return "won" if seat in self.outcome.winners else ""
        return "to move" if self.to_move(number) == seat else ""


def filmed(game: AnyGame, record: Record) -> Film:
    """The film of a recorded match; raises RecordError where the record does not fit the rules."""
    film = Film(game, record.header.players, dealt(game, record))
    for event in replay(game, record):
        film.add(event)
    film.outcome = record.outcome
    return film


def looker_named(name: str, seats: int) -> Looker:
    """Who looks, as a page names it: ``public``, ``all`` or the number of a seat; raises ValueError."""
    if name == "public":
        return None
    if name == EVERYTHING:
        return EVERYTHING
    if not (name.isascii() and name.isdigit() and len(name) < 4 and int(name) < seats):
        raise ValueError(f"expected public, all or a seat from 0 to {seats - 1}")
    return Seat(int(name))


def name_of(looker: Looker) -> str:
    """The other way round."""
    return "public" if looker is None else str(looker)
