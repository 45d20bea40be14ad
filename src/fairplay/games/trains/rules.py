"""The rule book of Trains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import assert_never, overload

from msgspec.structs import replace

from fairplay.core import Ended, Event, Score, Seat, Tiers, Turn
from fairplay.core.tuples import with_item
from fairplay.games.trains.deal import (
    FEW_RAILS,
    NO_CARDS,
    NotEnoughDestinations,
    imagine,
    needed,
    next_pick,
    remaining,
    start,
    with_cards,
)
from fairplay.games.trains.map import COLOURS, Chart, Colour, Connection, Destination, bits
from fairplay.games.trains.paths import joined, longest_path
from fairplay.games.trains.state import Acquire, Action, Dealt, DrawCards, Hand, More, Pick, State, View

__all__ = [
    "DESTINATION_BONUS",
    "DRAW",
    "PATH_BONUS",
    "NotEnoughDestinations",
    "acquirable",
    "acquisitions",
    "apply",
    "closing",
    "ending",
    "imagine",
    "legal_actions",
    "needed",
    "notices",
    "opening",
    "remaining",
    "remove",
    "scores",
    "start",
    "to_move",
    "turned",
    "view",
    "why_illegal",
]

DRAW = DrawCards()


def to_move(state: State) -> Seat | None:
    return state.turn


# -- what a seat may know and do ---------------------------------------------------------------


def view(state: State, seat: Seat) -> View:
    """Trains 3.8 and memo 000."""
    offered = state.picking and seat == state.turn
    return View(
        seat,
        state.chart,
        state.terms,
        state.hands[seat],
        state.destinations[seat],
        tuple(sorted(state.sequence[: state.terms.offered])) if offered else (),  # Trains 2.5: a set, so in order
        state.rails,
        tuple(map(sum, state.hands)),
        state.owned,
        len(state.deck) - state.drawn,
        state.out,
        state.turn,
        state.picking,
    )


def legal_actions(view: View) -> Sequence[Action]:
    if view.turn != view.me:
        return ()
    if view.picking:
        return Picks(view.offer, view.terms.kept)
    every = acquisitions(view.chart)
    return [DRAW, *[every[index] for index in bits(acquirable(view))]]


def acquirable(view: View) -> int:
    """The mask of connections that the owner of `view` can take (Trains 3.5)."""
    return view.free & view.chart.affordable(view.cards, view.rails[view.me])


@lru_cache(maxsize=256)
def acquisitions(chart: Chart) -> Sequence[Acquire]:
    """For each connection the action that takes it, made once."""
    return [Acquire(connection) for connection in chart.connections]


class Picks(Sequence[Pick]):
    """Every way to keep `kept` of `offer`, made when asked for: there may be very many."""

    def __init__(self, offer: tuple[Destination, ...], kept: int) -> None:
        self.offer, self.kept = offer, kept

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picks) and (self.offer, self.kept) == (other.offer, other.kept)

    def __hash__(self) -> int:
        return hash((self.offer, self.kept))

    def __len__(self) -> int:
        return comb(len(self.offer), self.kept)

    @overload
    def __getitem__(self, index: int) -> Pick: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Pick]: ...
    def __getitem__(self, index: int | slice) -> Pick | Sequence[Pick]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        rank = range(len(self))[index]  # counts negative ones from the end, and checks
        keep: list[Destination] = []
        for at, destination in enumerate(self.offer):
            with_this = comb(len(self.offer) - at - 1, self.kept - len(keep) - 1) if len(keep) < self.kept else 0
            if rank < with_this:
                keep.append(destination)
            else:
                rank -= with_this
        return Pick(tuple(keep))


def why_illegal(view: View, action: Action) -> str | None:
    if view.turn != view.me:
        return "it is not your turn"
    if isinstance(action, Pick):
        return why_no_pick(view, action)
    if view.picking:
        return "destinations are still to be picked"
    if isinstance(action, Acquire):
        return why_not_acquired(view, action.connection)
    return None  # Trains 3.3, 3.4: more cards can always be asked for


def why_no_pick(view: View, action: Pick) -> str | None:
    """Trains 2.6."""
    if not view.picking:
        return "destinations have been picked; a turn is due"
    if strange := [pair for pair in action.keep if pair not in view.offer]:
        return f"{' - '.join(strange[0])} was not offered"
    if len(set(action.keep)) != len(action.keep):
        return "a destination cannot be kept twice"
    if len(action.keep) != view.terms.kept:
        return f"{view.terms.kept} destinations must be kept, not {len(action.keep)}"
    return None


def why_not_acquired(view: View, connection: Connection) -> str | None:
    """Trains 3.5."""
    bit = view.chart.bit(connection)
    if not bit:
        if connection.first > connection.second:
            return f"the pair {connection.first}, {connection.second} is reversed: the smaller name comes first"
        return f"the map has no connection {connection}"
    if not view.free & bit:
        return f"{connection} is owned"
    if (cards := view.cards[COLOURS.index(connection.colour)]) < connection.length:
        return f"{connection} costs {connection.length} {connection.colour} cards, you have {cards}"
    if (rails := view.rails[view.me]) < connection.length:
        return f"{connection} costs {connection.length} rails, you have {rails}"
    return None


# -- what happens ------------------------------------------------------------------------------


def apply(state: State, action: Action) -> State:
    match action:
        case DrawCards():
            return drawn(state)
        case Acquire():
            return acquired(state, action.connection)
        case Pick():
            return picked(state, action)
        case _:
            assert_never(action)


def picked(state: State, action: Pick) -> State:
    """Trains 2.7."""
    seat = mover(state)
    sequence = tuple(pair for pair in state.sequence if pair not in action.keep)
    destinations = with_item(state.destinations, seat, action.keep)
    return next_pick(replace(state, sequence=sequence, destinations=destinations), seat)


def drawn(state: State) -> State:
    """Trains 3.3, 3.4."""
    seat = mover(state)
    cards = state.deck[state.drawn : state.drawn + state.terms.per_draw]
    hands = with_item(state.hands, seat, with_cards(state.hands[seat], cards)) if cards else state.hands
    return turned(
        state, seat, state.drawn + len(cards), hands, state.rails, state.owned, 0 if cards else state.idle + 1
    )


def acquired(state: State, connection: Connection) -> State:
    """Trains 3.6."""
    seat = mover(state)
    length, colour = connection.length, COLOURS.index(connection.colour)
    before = state.hands[seat]
    hand: Hand = with_item(before, colour, before[colour] - length)  # type: ignore[assignment]  # still four
    hands = with_item(state.hands, seat, hand)
    rails = with_item(state.rails, seat, state.rails[seat] - length)
    owned = with_item(state.owned, seat, state.owned[seat] | 1 << state.chart.index[connection])
    return turned(state, seat, state.drawn, hands, rails, owned, 0)


def turned(
    state: State,
    seat: Seat,
    drawn: int,
    hands: tuple[Hand, ...],
    rails: tuple[int, ...],
    owned: tuple[int, ...],
    idle: int,
) -> State:
    """The state after a completed turn of `seat` that left these behind; passes the turn on or ends the match."""
    closer = state.closer
    if closer is None and rails[seat] <= FEW_RAILS:
        closer = seat  # Trains 4.1
    standstill = closer is None and idle >= len(rails) - len(state.out)  # Trains 4.3, and 4.2: not in the last round
    turn = None if standstill else following(seat, len(rails), state.out, closer)
    return State(
        state.chart,
        state.terms,
        state.deck,
        drawn,
        state.sequence,
        hands,
        rails,
        owned,
        state.destinations,
        state.out,
        turn,
        False,
        idle,
        closer,
    )


def following(seat: Seat, seats: int, out: frozenset[Seat], closer: Seat | None) -> Seat | None:
    """Whose turn comes after the one of `seat`, itself the last to be tried; None where the last round is over."""
    for step in range(1, seats + 1):
        other = Seat((seat + step) % seats)
        if other == closer:
            return None
        if other not in out:
            return other
    return None  # Trains 4.4


def remove(state: State, seat: Seat) -> State:
    """Trains 2.8, 6.4: connections are free at once; cards, rails and destinations are gone."""
    after = replace(
        state,
        hands=with_item(state.hands, seat, NO_CARDS),
        rails=with_item(state.rails, seat, 0),
        owned=with_item(state.owned, seat, 0),
        destinations=with_item(state.destinations, seat, ()),
        out=state.out | {seat},
        idle=0,  # Trains 4.3
    )
    if state.turn != seat:
        return after
    if state.picking:
        return next_pick(after, seat)
    return replace(after, turn=following(seat, len(state.rails), after.out, state.closer))


def mover(state: State) -> Seat:
    assert state.turn is not None
    return state.turn


# -- what seats are told, and how it ends ------------------------------------------------------


def opening(state: State, wave: int) -> Iterable[tuple[Seat, object]]:
    """Trains 2.3: only the first seat; each other one is dealt to when the one before it has finished."""
    return [(mover(state), dealt(state))] if wave == 0 and state.picking else ()


def notices(event: Event[State, Action]) -> Iterable[tuple[Seat, object]]:
    before, after = event.before, event.after
    if before.picking:
        passed_on = after.picking and after.turn != before.turn
        return [(mover(after), dealt(after))] if passed_on else ()
    if isinstance(event, Turn) and after.drawn > before.drawn:
        return [(event.seat, More(colours(after.deck[before.drawn : after.drawn])))]  # Trains 3.3
    return ()


def dealt(state: State) -> Dealt:
    """What the seat that picks next is told first; its cards are the last that left the deck."""
    seat = mover(state)
    count = sum(state.hands[seat])
    return Dealt(state.chart.map, state.rails[seat], colours(state.deck[state.drawn - count : state.drawn]))


def colours(cards: bytes) -> tuple[Colour, ...]:
    return tuple([COLOURS[card] for card in cards])


def closing(state: State, ranking: Tiers) -> Iterator[tuple[Seat, object]]:
    """Trains 5.6: group by group, in age order inside a group."""
    for place, tier in enumerate(ranking):
        for seat in tier:
            yield seat, Ended(won=place == 0)


PATH_BONUS = 20
DESTINATION_BONUS = 10


def scores(state: State) -> Mapping[Seat, Score]:
    """Trains 5.1 to 5.4."""
    seats = remaining(state)
    paths = {seat: longest_path(state.chart, state.owned[seat]) for seat in seats}
    longest = max(paths.values(), default=0)
    bonus = {seat: PATH_BONUS if paths[seat] == longest > 0 else 0 for seat in seats}
    return {seat: (segments(state, seat) + bonus[seat] + fulfilment(state, seat),) for seat in seats}


def segments(state: State, seat: Seat) -> int:
    """Trains 5.2."""
    return sum([state.chart.lengths[index] for index in bits(state.owned[seat])])


def fulfilment(state: State, seat: Seat) -> int:
    """Trains 5.4."""
    number, points = state.chart.number, 0
    for first, second in state.destinations[seat]:
        reached = joined(state.chart, state.owned[seat], number[first], number[second])
        points += DESTINATION_BONUS if reached else -DESTINATION_BONUS
    return points


def ending(state: State) -> str:
    if not remaining(state):
        return "nobody is left"  # Trains 4.4
    return "standstill" if state.closer is None else "the rails ran out"  # Trains 4.3, 4.1
