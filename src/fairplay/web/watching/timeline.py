"""A match as something to look at: moment after moment, as each viewer may see it."""

from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from fairplay.core import (
    AnyEvent,
    AnyGame,
    AnyTurn,
    Befell,
    Fault,
    FaultKind,
    Outcome,
    Picture,
    Removed,
    RuleBookError,
    Seat,
    Turn,
)
from fairplay.core.game import find_mover, is_over
from fairplay.core.shown import CardGroup, ClickTree
from fairplay.match.driver import describe_chance
from fairplay.match.record import Record
from fairplay.match.replay import first_state, replay_record
from fairplay.web.http.limits import BoundedDict

Viewer: TypeAlias = Seat | Literal["all"] | None
"""Who looks: a seat, the public (None), or someone who may see everything."""

EVERYTHING: Final = "all"  # of this type, not any text

Status: TypeAlias = Literal["waiting", "playing", "over", "cut off"]
"""Waiting for people to come, under way, finished, or broken off and never to be resumed."""

RESIGNED = Fault(FaultKind.GONE, "resigned")
"""How a person who gives up leaves the game: as all who are gone, and everyone is told why."""

CACHED_MOMENTS = 8
"""Moments of a match that are kept drawn: the newest for every kind of viewer.  One takes up to 43 KB."""


class SeatMoment(Struct, frozen=True):
    """A seat at one moment."""

    name: str  # of the player
    seat_name: str  # what the game calls the seat
    facts: tuple[tuple[str, str], ...]  # labels and values
    removed: str  # why the player is out of the game: `resigned`, or a kind of fault; empty: still in


class Moment(Struct, frozen=True):
    """The table after `number` events, as one viewer may see it.  It never changes, but for `clicks`."""

    number: int
    words: str  # what happened last
    mover: int | None  # the seat that did it; null: chance, or the match begins
    seats: tuple[SeatMoment, ...]
    to_move: int | None  # null: chance decides next, or the match is over
    picture: str  # the body of the SVG, which goes behind the head that the whole match shares
    label: str  # what the picture shows, in words
    cards: tuple[CardGroup, ...] = ()  # what lies beside the board
    clicks: ClickTree | None = None  # for the person who is to move, at the newest moment: all that can be clicked


class Offers(Struct, frozen=True):
    """What people at the table want, by seat."""

    stop: tuple[int, ...] = ()
    rematch: tuple[int, ...] = ()


class Emote(Struct, frozen=True):
    """A sign that somebody at the table gives."""

    seat: int
    name: str
    number: int  # counted from 1 in each match, so that none is shown twice


class Presence(Struct, frozen=True):
    """What changes without a move: the clock, who is here, how the match stands.  The same for every viewer."""

    status: Status
    clock: float | None  # seconds left to the person who is being asked to move; null if none is
    seats: tuple[str, ...]  # where a person is who is not here, in words; empty for all others
    winners: tuple[int, ...]  # seats, once the match is over
    ending: str  # how it ended, in words
    remark: str = ""  # what else people should know, such as why the match is slow
    watchers: int = 0  # people who look on
    offers: Offers = Offers()
    next: str = ""  # the id of the rematch
    emote: Emote | None = None  # the newest one, for a moment


class Timeline:
    """The moments of one match, from the deal on; moment n is the table after n events."""

    def __init__(self, game: AnyGame, names: tuple[str, ...], state: Any) -> None:
        self.game, self.names = game, names
        self.states = [state]
        self.events: list[AnyEvent] = []
        self.last = 0  # the number of the newest moment
        self.outcome: Outcome | None = None
        self.proof = ""  # what shows that it was played so, in words; empty before its end
        self.cut_off = ""  # why it was broken off, in words
        self._removed: dict[Seat, tuple[int, str]] = {}  # at which moment, and why
        self._moments: BoundedDict[tuple[int, Viewer, Seat | None], Moment] = BoundedDict(CACHED_MOMENTS)

    def add(self, event: AnyEvent) -> None:
        self.events.append(event)
        self.last += 1
        self.states.append(event.after)
        if isinstance(event, Removed):
            kind = event.fault.detail if event.fault == RESIGNED else event.fault.kind
            self._removed[event.seat] = (self.last, kind)

    def last_turn(self, number: int) -> AnyTurn | None:
        """The turn that led to moment `number`, if a turn did."""
        event = self.events[number - 1] if number else None
        return event if isinstance(event, Turn) else None

    def rename(self, names: tuple[str, ...]) -> None:
        """Give the players other names; ASSUME that nothing has happened yet."""
        self.names = names
        self._moments.clear()

    # -- as a viewer may see it ----------------------------------------------------------------

    @cached_property
    def head(self) -> str:
        """How every picture of the match begins, for all viewers; empty if pictures are not made of two parts."""
        return self.draw(0, None).head

    def draw(self, number: int, viewer: Viewer) -> Picture:
        """The whole picture of a moment."""
        return self.game.shown.picture(
            self._shown_to(number, viewer), self.last_turn(number), open=viewer == EVERYTHING, seats=False
        )

    def _shown_to(self, number: int, viewer: Viewer) -> Any:
        """The state or the view that a viewer is shown."""
        state = self.states[number]
        return state if viewer is None or viewer == EVERYTHING else self.game.rules.view(state, viewer)

    def moment(self, number: int, viewer: Viewer, me: Seat | None = None) -> Moment:
        """A moment, drawn once for all viewers of the same kind.

        me: whom the words call "You", by default the seat that looks.
        """
        if viewer is not None and viewer != EVERYTHING:
            me = viewer
        found = self._moments.get((number, viewer, me))
        if found is None:
            found = self._moments[number, viewer, me] = self._draw_moment(number, viewer, me)
        return found

    def _draw_moment(self, number: int, viewer: Viewer, me: Seat | None) -> Moment:
        picture = self.draw(number, viewer)
        return Moment(
            number=number,
            words=self.describe_event(number, viewer, me),
            mover=_find_actor(self.events[number - 1]) if number else None,
            seats=self._describe_seats(number, viewer),
            to_move=find_mover(self.game, self.states[number]),
            picture=picture.body,
            label=picture.label,
            cards=self._list_cards(number, viewer),
        )

    def _list_cards(self, number: int, viewer: Viewer) -> tuple[CardGroup, ...]:
        cards = self.game.shown.cards
        return () if cards is None else cards(self._shown_to(number, viewer), open=viewer == EVERYTHING)

    def describe_event(self, number: int, viewer: Viewer, me: Seat | None = None) -> str:
        """What led to moment `number`, as a sentence."""
        if not number:
            return "The match begins."
        if viewer is not None and viewer != EVERYTHING:
            me = viewer
        event, words = self.events[number - 1], self.game.words
        if isinstance(event, Befell):
            return describe_chance(self.game, event, open=viewer == EVERYTHING)
        subject = "You" if event.seat == me else self.names[event.seat]
        if isinstance(event, Removed):
            return describe_removal(subject, event.fault, tell_detail=viewer in (EVERYTHING, event.seat))
        if viewer == EVERYTHING:
            return words.describe_open_turn(event, subject=subject)
        return words.describe_turn(event, viewer, subject=subject)

    def _describe_seats(self, number: int, viewer: Viewer) -> tuple[SeatMoment, ...]:
        words, state = self.game.words, self.states[number]
        # Once it is over, everyone may know the points.
        facts = words.facts(state if is_over(self.game, state) else self._shown_to(number, viewer))
        seats = [*map(Seat, range(len(self.names)))]
        called = [*map(words.seat_name, seats)]
        return tuple(
            SeatMoment(self.names[seat], called[seat], facts.get(seat, ()), self._fault_before(number, seat))
            for seat in seats
        )

    def _fault_before(self, number: int, seat: Seat) -> str:
        """The fault for which a seat is out of the game at moment `number`; empty if it is not."""
        since, kind = self._removed.get(seat, (number + 1, ""))
        return kind if since <= number else ""

    def presence(self) -> Presence:
        """The presence in a match that is not being played any more."""
        seats = ("",) * len(self.names)
        if self.outcome is None:
            return Presence("cut off", None, seats, (), self.cut_off)
        return Presence("over", None, seats, self.outcome.winners, self.outcome.ending)


def _find_actor(event: AnyEvent) -> Seat | None:
    """Who took a turn or was removed; None: chance."""
    return None if isinstance(event, Befell) else event.seat


def describe_removal(subject: str, fault: Fault, *, tell_detail: bool) -> str:
    """Why somebody is out of the game, as a sentence."""
    if fault == RESIGNED:
        return f"{subject} resigned"
    detail = f": {fault.detail}" if tell_detail and fault.detail else ""
    return f"{subject} {'were' if subject == 'You' else 'was'} removed, {fault.kind}{detail}"


def build_timeline(game: AnyGame, record: Record) -> Timeline:
    """The timeline of a recorded match; raises RecordError if the record does not follow the rules.

    One that was broken off, because the rule book failed, has what happened until then.
    """
    timeline = Timeline(game, record.header.players, first_state(game, record))
    try:
        for event in replay_record(game, record):
            timeline.add(event)
    except RuleBookError:
        if record.outcome is not None:
            raise
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
