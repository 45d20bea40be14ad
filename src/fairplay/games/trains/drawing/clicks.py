"""Trains by clicks: destinations to keep, the deck, or a connection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from fairplay.core import Turn, UsageError, WireError
from fairplay.games.trains.drawing.canvas import DECK_KEY, connection_key, offer_key
from fairplay.games.trains.drawing.picture import draw_picture
from fairplay.games.trains.map import COLORS, Connection, Destination, bits
from fairplay.games.trains.rules import DRAW, acquirable_connections, why_not_acquired
from fairplay.games.trains.state import Acquire, Action, Pick, State, View
from fairplay.parts.clicks import Choice, CompleteMove, PartialMove, follow_clicks

__all__ = ["interpret_clicks"]

KEEP = "keep=these"
TAKE = "take=it"

Destinations: TypeAlias = tuple[Destination, ...]


def interpret_clicks(
    view: View, clicked: Sequence[str], last: Turn[State, Action] | None = None
) -> PartialMove | Action:
    """Return what a person has clicked so far, or the action it makes; raises UsageError or WireError."""
    if view.turn != view.me:
        raise UsageError("it is not your turn")
    return read_pick(view, clicked, last) if view.picking else read_turn(view, clicked, last)


# -- destinations ------------------------------------------------------------------------------


def read_pick(view: View, clicked: Sequence[str], last: Turn[State, Action] | None) -> PartialMove | Action:
    """Read the clicks of a seat that picks its destinations."""
    offered = {offer_key(pair): pair for pair in view.offer}

    def step(picked: Destinations, name: str, value: str) -> Destinations | CompleteMove[Action]:
        click = f"{name}={value}"
        if click == KEEP:
            return CompleteMove(Pick(picked))
        if click not in offered:
            raise WireError("expected a click on an offered destination")
        pair = offered[click]
        return tuple(one for one in picked if one != pair) if pair in picked else (*picked, pair)

    nothing: Destinations = ()
    after = follow_clicks(clicked, nothing, step)
    return after.action if isinstance(after, CompleteMove) else show_offer(view, after, last)


def show_offer(view: View, picked: Destinations, last: Turn[State, Action] | None) -> PartialMove:
    """Offer all destinations until enough are picked; those that are picked can be taken back."""
    enough = len(picked) >= view.terms.kept
    choices = [
        Choice(offer_key(pair), f"{pair[0]} to {pair[1]}{', picked: take it back' if pair in picked else ''}")
        for pair in view.offer
        if pair in picked or not enough
    ]
    if len(picked) == view.terms.kept:
        choices.append(Choice(KEEP, f"Keep {'these' if len(picked) > 1 else 'this'}"))
    prompt = f"Pick {view.terms.kept} of these {len(view.offer)} destinations: {len(picked)} picked."
    lit = [choice.key for choice in choices]
    drawing = draw_picture(view, last, seats=False, lit=lit, chosen=[offer_key(pair) for pair in picked])
    return PartialMove(prompt, tuple(choices), drawing)


# -- a turn ------------------------------------------------------------------------------------


def read_turn(view: View, clicked: Sequence[str], last: Turn[State, Action] | None) -> PartialMove | Action:
    """Read the clicks of a turn.  Taking a connection needs a second click: they lie close together."""
    known = {connection_key(one): one for one in view.network.connections}

    def step(chosen: Connection | None, name: str, value: str) -> Connection | CompleteMove[Action] | None:
        click = f"{name}={value}"
        if click == DECK_KEY:
            return CompleteMove(DRAW)
        if click == TAKE:
            if chosen is None:
                raise UsageError("choose a connection first")
            return CompleteMove(Acquire(chosen))
        if click not in known:
            raise WireError("expected a click on the deck or on a connection")
        one = known[click]
        return CompleteMove(Acquire(one)) if one == chosen or why_not_acquired(view, one) else one

    nothing: Connection | None = None
    after = follow_clicks(clicked, nothing, step)
    return after.action if isinstance(after, CompleteMove) else show_turn(view, after, last)


def show_turn(view: View, chosen: Connection | None, last: Turn[State, Action] | None) -> PartialMove:
    """Offer the deck and the connections that can be taken."""
    connections = [view.network.connections[index] for index in bits(acquirable_connections(view))]
    choices = [
        Choice(DECK_KEY, draw_label(view)),
        *(Choice(connection_key(one), describe_cost(view, one)) for one in connections),
    ]
    if chosen is not None:
        choices.append(Choice(TAKE, f"Take {chosen.first} to {chosen.second} for {chosen.length} {chosen.color}"))
    prompt = "Draw cards, or choose a connection." if chosen is None else f"{describe_cost(view, chosen)}. Take it?"
    marked = () if chosen is None else (connection_key(chosen),)
    drawing = draw_picture(view, last, seats=False, lit=[choice.key for choice in choices], chosen=marked)
    return PartialMove(prompt, tuple(choices), drawing)


def draw_label(view: View) -> str:
    """Say how many cards a draw brings."""
    count = min(view.terms.per_draw, view.left)
    return f"Draw {count} card{'' if count == 1 else 's'}" if count else "Ask for cards (the deck is empty)"


def describe_cost(view: View, one: Connection) -> str:
    """Say what a connection costs, and what the viewer has."""
    have = view.cards[COLORS.index(one.color)]
    return f"{one.first} to {one.second} costs {one.length} {one.color}: you have {have}"
