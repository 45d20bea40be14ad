"""Trains by clicks: destinations to keep, the deck, or a connection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from fairplay.core import Turn, UsageError, WireError
from fairplay.games.trains.drawing.picture import DECK, connection_key, offer_key, picture
from fairplay.games.trains.map import COLOURS, Connection, Destination, bits
from fairplay.games.trains.rules import DRAW, acquirable, why_not_acquired
from fairplay.games.trains.state import Acquire, Action, Pick, State, View
from fairplay.parts.clicks import Choice, CompleteMove, PartialMove, follow_clicks

__all__ = ["clicks"]

KEEP = "keep=these"
TAKE = "take=it"

Picked: TypeAlias = tuple[Destination, ...]


def clicks(view: View, clicked: Sequence[str], last: Turn[State, Action] | None = None) -> PartialMove | Action:
    """What a person has clicked so far, or the action it comes to; raises UsageError or WireError."""
    if view.turn != view.me:
        raise UsageError("it is not your turn")
    return picking(view, clicked, last) if view.picking else turn(view, clicked, last)


# -- destinations ------------------------------------------------------------------------------


def picking(view: View, clicked: Sequence[str], last: Turn[State, Action] | None) -> PartialMove | Action:
    offered = {offer_key(pair): pair for pair in view.offer}

    def step(picked: Picked, name: str, value: str) -> Picked | CompleteMove[Action]:
        click = f"{name}={value}"
        if click == KEEP:
            return CompleteMove(Pick(picked))
        if click not in offered:
            raise WireError("expected a click on an offered destination")
        pair = offered[click]
        return tuple(one for one in picked if one != pair) if pair in picked else (*picked, pair)

    nothing: Picked = ()
    after = follow_clicks(clicked, nothing, step)
    return after.action if isinstance(after, CompleteMove) else offer(view, after, last)


def offer(view: View, picked: Picked, last: Turn[State, Action] | None) -> PartialMove:
    """All may be picked until there are enough; what is picked may be taken back."""
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
    drawing = picture(view, last, seats=False, lit=lit, chosen=[offer_key(pair) for pair in picked])
    return PartialMove(prompt, tuple(choices), drawing)


# -- a turn ------------------------------------------------------------------------------------


def turn(view: View, clicked: Sequence[str], last: Turn[State, Action] | None) -> PartialMove | Action:
    """A connection is taken by a second click: they lie close together, and what is taken stays taken."""
    known = {connection_key(one): one for one in view.chart.connections}

    def step(chosen: Connection | None, name: str, value: str) -> Connection | CompleteMove[Action] | None:
        click = f"{name}={value}"
        if click == DECK:
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
    return after.action if isinstance(after, CompleteMove) else table(view, after, last)


def table(view: View, chosen: Connection | None, last: Turn[State, Action] | None) -> PartialMove:
    connections = [view.chart.connections[index] for index in bits(acquirable(view))]
    choices = [Choice(DECK, draw_label(view)), *(Choice(connection_key(one), cost(view, one)) for one in connections)]
    if chosen is not None:
        choices.append(Choice(TAKE, f"Take {chosen.first} to {chosen.second} for {chosen.length} {chosen.colour}"))
    prompt = "Draw cards, or choose a connection." if chosen is None else f"{cost(view, chosen)}. Take it?"
    marked = () if chosen is None else (connection_key(chosen),)
    drawing = picture(view, last, seats=False, lit=[choice.key for choice in choices], chosen=marked)
    return PartialMove(prompt, tuple(choices), drawing)


def draw_label(view: View) -> str:
    count = min(view.terms.per_draw, view.left)
    return f"Draw {count} card{'' if count == 1 else 's'}" if count else "Ask for cards, though the deck is empty"


def cost(view: View, one: Connection) -> str:
    have = view.cards[COLOURS.index(one.colour)]
    return f"{one.first} to {one.second} costs {one.length} {one.colour}: you have {have}"
