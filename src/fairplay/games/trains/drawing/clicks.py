"""Trains by clicks: destinations to keep, the deck, or a connection."""

from collections.abc import Sequence
from typing import TypeAlias

from fairplay.core import Seat, Turn, UsageError, WireError
from fairplay.core.shown import Choice, CompleteMove, PartialMove, follow_clicks
from fairplay.games.trains.drawing.canvas import DECK_KEY, connection_key, offer_key
from fairplay.games.trains.drawing.cards import card_key
from fairplay.games.trains.map import COLORS, Connection, Destination, bits
from fairplay.games.trains.rules import DRAW, acquirable_connections
from fairplay.games.trains.state import Acquire, Action, Pick, State, View
from fairplay.games.trains.words import seat_name

_KEEP = "keep=these"
_TAKE = "take=it"

_Destinations: TypeAlias = tuple[Destination, ...]


def interpret_clicks(
    view: View, clicked: Sequence[str], last: Turn[State, Action] | None = None
) -> PartialMove | Action:
    """Return what a person has clicked so far, or the action it makes; raises UsageError or WireError."""
    if view.turn != view.me:
        raise UsageError("it is not your turn")
    return _read_pick(view, clicked) if view.picking else _read_turn(view, clicked)


# -- destinations ------------------------------------------------------------------------------


def _read_pick(view: View, clicked: Sequence[str]) -> PartialMove | Action:
    """Read the clicks of a seat that picks its destinations."""
    offered, kept = {offer_key(pair): pair for pair in view.offer}, view.terms.kept

    def step(picked: _Destinations, name: str, value: str) -> _Destinations | CompleteMove[Action]:
        click = f"{name}={value}"
        if click == _KEEP:
            if len(picked) != kept:
                raise UsageError(f"pick {_count_destinations(kept)}: you have picked {len(picked)}")
            return CompleteMove(Pick(picked))
        if click not in offered:
            raise _explain_pick(name, kept)
        pair = offered[click]
        if pair in picked:
            return tuple(one for one in picked if one != pair)
        if len(picked) == kept:
            raise UsageError(f"you keep {_count_destinations(kept)}: click one again to put it back first")
        return tuple(sorted((*picked, pair)))

    nothing: _Destinations = ()
    after = follow_clicks(clicked, nothing, step)
    return after.action if isinstance(after, CompleteMove) else _show_offer(view, after)


def _explain_pick(name: str, kept: int) -> UsageError | WireError:
    """Say why something else cannot be clicked while destinations are picked."""
    if name in ("deck", "connection", "city"):
        return UsageError(f"pick {_count_destinations(kept)} first")
    return WireError("expected a click on an offered destination")


def _count_destinations(count: int) -> str:
    return f"{count} destination{'' if count == 1 else 's'}"


def _show_offer(view: View, picked: _Destinations) -> PartialMove:
    """Offer all destinations until enough are picked; those that are picked can be put back."""
    enough = len(picked) >= view.terms.kept
    choices = [
        Choice(offer_key(pair), f"{pair[0]} to {pair[1]}{', picked: put it back' if pair in picked else ''}")
        for pair in view.offer
        if pair in picked or not enough
    ]
    if enough:
        choices.append(Choice(_KEEP, f"Keep {'these' if len(picked) > 1 else 'this'}"))
    prompt = f"Pick {view.terms.kept} of these {len(view.offer)} destinations: {len(picked)} picked."
    return PartialMove(prompt, tuple(choices), tuple(map(offer_key, picked)))


# -- a turn ------------------------------------------------------------------------------------


def _read_turn(view: View, clicked: Sequence[str]) -> PartialMove | Action:
    """Read the clicks of a turn.  Taking a connection needs a second click: they lie close together."""
    known = {connection_key(one): one for one in view.network.connections}

    def step(chosen: Connection | None, name: str, value: str) -> Connection | CompleteMove[Action] | None:
        click = f"{name}={value}"
        if click == DECK_KEY:
            return CompleteMove(DRAW)
        if click == _TAKE:
            if chosen is None:
                raise UsageError("choose a connection first")
            return CompleteMove(Acquire(chosen))
        if click not in known:
            raise WireError("expected a click on the deck or on a connection")
        one = known[click]
        if reason := _explain_refusal(view, one):
            raise UsageError(reason)
        return CompleteMove(Acquire(one)) if one == chosen else one

    nothing: Connection | None = None
    after = follow_clicks(clicked, nothing, step)
    return after.action if isinstance(after, CompleteMove) else _show_turn(view, after)


def _explain_refusal(view: View, one: Connection) -> str:
    """Say why the viewer cannot take a connection of this map, as people speak of the board; empty: it can."""
    bit, route = view.network.bit(one), f"{one.first} to {one.second}"
    for seat, mask in enumerate(view.owned):
        if mask & bit:
            return f"{route} already belongs to {'you' if seat == view.me else seat_name(Seat(seat))}"
    if (have := view.cards[COLORS.index(one.color)]) < one.length:
        return f"{route} needs {one.length} {one.color} cards: you have {have or 'none'}"
    if (rails := view.rails[view.me]) < one.length:
        return f"{route} needs {one.length} rails: you have {rails or 'none'} left"
    return ""


def _show_turn(view: View, chosen: Connection | None) -> PartialMove:
    """Offer the deck and the connections that can be taken, or to take the one that was chosen.

    Then others can still be chosen instead, but are not offered: there may be very many.
    """
    last = "This is your last turn. " if view.closer is not None else ""
    if chosen is None:
        payable = [view.network.connections[index] for index in bits(acquirable_connections(view))]
        choices = [Choice(connection_key(one), _describe_cost(view, one), _list_costs(one)) for one in payable]
        return PartialMove(
            f"{last}Draw cards, or choose a connection.", (Choice(DECK_KEY, _draw_label(view)), *choices)
        )
    label = f"Take {chosen.first} to {chosen.second} for {chosen.length} {chosen.color}"
    again, take = (Choice(key, label, _list_costs(chosen)) for key in (connection_key(chosen), _TAKE))
    return PartialMove(f"{last}{_describe_cost(view, chosen)}. Take it?", (again, take), (again.key,))


def _list_costs(one: Connection) -> tuple[str, ...]:
    """The keys of the cards that a connection costs and of the cities that it joins."""
    return f"key={card_key(one.color)}", f"city={one.first}", f"city={one.second}"


def _draw_label(view: View) -> str:
    """Say how many cards a draw brings."""
    count = min(view.terms.per_draw, view.left)
    return f"Draw {count} card{'' if count == 1 else 's'}" if count else "Ask for cards (the deck is empty)"


def _describe_cost(view: View, one: Connection) -> str:
    """Say what a connection costs, and what the viewer has."""
    have = view.cards[COLORS.index(one.color)]
    return f"{one.first} to {one.second} costs {one.length} {one.color}: you have {have}"
