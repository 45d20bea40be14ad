"""The rule book of Trains."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import assert_never, overload

from msgspec.structs import replace

from fairplay.core import Ended, Event, Score, Seat, Tiers, Turn
from fairplay.core.immutable import with_item
from fairplay.games.trains import deal
from fairplay.games.trains.deal import imagine as imagine, public_setup as public_setup, start as start
from fairplay.games.trains.map import COLORS, Color, Connection, Destination, RailNetwork, bits
from fairplay.games.trains.scoring import add_up_points
from fairplay.games.trains.state import Acquire, Action, Dealt, DrawCards, Hand, More, Pick, State, View

DRAW = DrawCards()


def to_move(state: State) -> Seat | None:
    """Whose decision is awaited."""
    return state.turn


# -- what a seat may know and do ---------------------------------------------------------------


def view(state: State, seat: Seat) -> View:
    """What `seat` may know (Trains 3.8 and memo 000)."""
    offered = state.picking and seat == state.turn
    return View(  # by position: keywords here and in `finish_turn` would slow matches down by 2 to 3 %
        seat,
        state.network,
        state.terms,
        state.hands[seat],
        state.destinations[seat],
        tuple(sorted(state.sequence[: state.terms.offered])) if offered else (),  # Trains 2.5: a set, so sorted
        state.rails,
        tuple(map(sum, state.hands)),
        state.owned,
        len(state.deck) - state.drawn,
        state.out,
        state.turn,
        state.picking,
        state.idle,
        state.closer,
        state.turn_number,
    )


def legal_actions(view: View) -> Sequence[Action]:
    """List the picks, or a draw and all connections that can be taken, in the order of Trains 8.2."""
    if view.turn != view.me:
        return ()
    if view.picking:
        return Picks(view.offer, view.terms.kept)
    every = acquire_actions(view.network)
    return [DRAW, *[every[index] for index in bits(acquirable_connections(view))]]


def acquirable_connections(view: View) -> int:
    """The mask of connections that the owner of `view` can take (Trains 3.5)."""
    return view.free & view.network.affordable(view.cards, view.rails[view.me])


@lru_cache(maxsize=256)
def acquire_actions(network: RailNetwork) -> Sequence[Acquire]:
    """For each connection the action that takes it; each is made once."""
    return [Acquire(connection) for connection in network.connections]


class Picks(Sequence[Pick]):
    """Every way to keep `kept` of `offer`, made on request: there may be very many."""

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
        rank = range(len(self))[index]  # counts negative indexes from the end, and checks the range
        keep: list[Destination] = []
        for at, destination in enumerate(self.offer):
            with_this = comb(len(self.offer) - at - 1, self.kept - len(keep) - 1) if len(keep) < self.kept else 0
            if rank < with_this:
                keep.append(destination)
            else:
                rank -= with_this
        return Pick(tuple(keep))


def why_illegal(view: View, action: Action) -> str | None:
    """Say why an action is illegal, or None."""
    if view.turn != view.me:
        return "it is not your turn"
    if isinstance(action, Pick):
        return _why_no_pick(view, action)
    if view.picking:
        return "destinations are still to be picked; a pick is expected"
    if isinstance(action, Acquire):
        return _why_not_acquired(view, action.connection)
    return None  # Trains 3.3, 3.4: more cards can always be asked for


def _why_no_pick(view: View, action: Pick) -> str | None:
    """Say why a pick is illegal, or None (Trains 2.6)."""
    if not view.picking:
        return "destinations have been picked; a turn is expected"
    if strange := [pair for pair in action.keep if pair not in view.offer]:
        return f"{' - '.join(strange[0])} was not offered"
    if len(set(action.keep)) != len(action.keep):
        return "a destination cannot be kept twice"
    if len(action.keep) != view.terms.kept:
        return f"{view.terms.kept} destinations must be kept, not {len(action.keep)}"
    return None


def _why_not_acquired(view: View, connection: Connection) -> str | None:
    """Say why a connection cannot be taken, or None (Trains 3.5)."""
    bit = view.network.bit(connection)
    if not bit:
        if connection.first > connection.second:
            return f"the pair {connection.first}, {connection.second} is reversed: the smaller name comes first"
        return f"the map has no connection {connection}"
    if not view.free & bit:
        return f"{connection} already has an owner"
    if (cards := view.cards[COLORS.index(connection.color)]) < connection.length:
        return f"{connection} costs {connection.length} {connection.color} cards; you have {cards}"
    if (rails := view.rails[view.me]) < connection.length:
        return f"{connection} costs {connection.length} rails; you have {rails}"
    return None


# -- what happens ------------------------------------------------------------------------------


def apply(state: State, action: Action) -> State:
    """The state after the awaited seat does `action`.  ASSUME it is legal."""
    match action:
        case DrawCards():
            return _apply_draw(state)
        case Acquire():
            return _apply_acquire(state, action.connection)
        case Pick():
            return _apply_pick(state, action)
        case _:
            assert_never(action)


def public_action(action: Action) -> Action:
    """The action as the other seats may know it: which destinations a seat keeps is its secret (Trains 3.8)."""
    return Pick(()) if isinstance(action, Pick) else action


def _apply_pick(state: State, action: Pick) -> State:
    """Keep the picked destinations, and go on to the next seat (Trains 2.7)."""
    seat = _current_seat(state)
    sequence = tuple(pair for pair in state.sequence if pair not in action.keep)
    destinations = with_item(state.destinations, seat, action.keep)
    picked = replace(state, sequence=sequence, destinations=destinations, turn_number=state.turn_number + 1)
    return deal.next_pick(picked, seat)


def _apply_draw(state: State) -> State:
    """Draw cards, as many as the deck still has (Trains 3.3, 3.4)."""
    seat = _current_seat(state)
    cards = state.deck[state.drawn : state.drawn + state.terms.per_draw]
    hands = with_item(state.hands, seat, deal.with_cards(state.hands[seat], cards)) if cards else state.hands
    return finish_turn(
        state, seat, state.drawn + len(cards), hands, state.rails, state.owned, 0 if cards else state.idle + 1
    )


def _apply_acquire(state: State, connection: Connection) -> State:
    """Pay for a connection and own it (Trains 3.6)."""
    seat = _current_seat(state)
    length, color = connection.length, COLORS.index(connection.color)
    before = state.hands[seat]
    hand: Hand = with_item(before, color, before[color] - length)  # type: ignore[assignment]  # still four
    hands = with_item(state.hands, seat, hand)
    rails = with_item(state.rails, seat, state.rails[seat] - length)
    owned = with_item(state.owned, seat, state.owned[seat] | 1 << state.network.index[connection])
    return finish_turn(state, seat, state.drawn, hands, rails, owned, 0)


def finish_turn(
    state: State,
    seat: Seat,
    drawn: int,
    hands: tuple[Hand, ...],
    rails: tuple[int, ...],
    owned: tuple[int, ...],
    idle: int,
) -> State:
    """Complete a turn of `seat` that led to these numbers: pass the turn on, or end the match."""
    closer = state.closer
    if closer is None and rails[seat] <= deal.FEW_RAILS:
        closer = seat  # Trains 4.1
    standstill = closer is None and idle >= len(rails) - len(state.out)  # Trains 4.3, and 4.2: not in the last round
    turn = None if standstill else _next_seat(seat, len(rails), state.out, closer)
    return State(  # by position, as in `view`
        state.network,
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
        state.turn_number + 1,
    )


def _next_seat(seat: Seat, seats: int, out: frozenset[Seat], closer: Seat | None) -> Seat | None:
    """Find whose turn follows that of `seat`, which itself comes last; None if the last round is over."""
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
        hands=with_item(state.hands, seat, deal.NO_CARDS),
        rails=with_item(state.rails, seat, 0),
        owned=with_item(state.owned, seat, 0),
        destinations=with_item(state.destinations, seat, ()),
        out=state.out | {seat},
        idle=0,  # Trains 4.3
    )
    if state.turn != seat:
        return after
    if state.picking:
        return deal.next_pick(after, seat)
    return replace(after, turn=_next_seat(seat, len(state.rails), after.out, state.closer))


def _current_seat(state: State) -> Seat:
    """The seat whose decision is awaited.  ASSUME there is one."""
    assert state.turn is not None
    return state.turn


# -- what seats are told, and how it ends ------------------------------------------------------


def opening(state: State, wave: int) -> Iterable[tuple[Seat, object]]:
    """Tell only the first seat; each other one gets its cards when the one before has picked (Trains 2.3)."""
    return [(_current_seat(state), _deal_notice(state))] if wave == 0 and state.picking else ()


def notices(event: Event[State, Action]) -> Iterable[tuple[Seat, object]]:
    """Tell the next seat to pick its first cards, and a seat that drew the cards it got (Trains 2.4, 3.3)."""
    before, after = event.before, event.after
    if before.picking:
        passed_on = after.picking and after.turn != before.turn
        return [(_current_seat(after), _deal_notice(after))] if passed_on else ()
    if isinstance(event, Turn) and after.drawn > before.drawn:
        return [(event.seat, More(_card_colors(after.deck[before.drawn : after.drawn])))]  # Trains 3.3
    return ()


def _deal_notice(state: State) -> Dealt:
    """What the seat that picks next is told; its cards are the last that left the deck."""
    seat = _current_seat(state)
    count = sum(state.hands[seat])
    return Dealt(state.network.map, state.rails[seat], _card_colors(state.deck[state.drawn - count : state.drawn]))


def _card_colors(cards: bytes) -> tuple[Color, ...]:
    """The colours of cards that are given as numbers."""
    return tuple([COLORS[card] for card in cards])


def closing(state: State, ranking: Tiers) -> Iterator[tuple[Seat, object]]:
    """Tell the seats group by group, in age order within a group (Trains 5.6)."""
    for place, tier in enumerate(ranking):
        for seat in tier:
            yield seat, Ended(won=place == 0)


def scores(state: State) -> Mapping[Seat, Score]:
    """Add up segments, the longest path and destinations (Trains 5.1 to 5.4)."""
    return {seat: (points,) for seat, points in add_up_points(state).items()}


def ending(state: State) -> str:
    """The name of the way the match ended."""
    if not deal.remaining_seats(state):
        return "nobody is left"  # Trains 4.4
    return "standstill" if state.closer is None else "the rails ran out"  # Trains 4.3, 4.1
