"""Trains in words: the state for a terminal, a turn as a sentence."""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import assert_never

import msgspec

from fairplay.core import Facts, Seat, Turn
from fairplay.core.game import choose_tense
from fairplay.games.trains.deal import remaining_seats
from fairplay.games.trains.map import COLORS, bits
from fairplay.games.trains.paths import are_joined
from fairplay.games.trains.rules import scores
from fairplay.games.trains.scoring import add_up_points, count_own_points
from fairplay.games.trains.state import Acquire, Action, DrawCards, Hand, Pick, State, View

_NAMES = ("amber", "teal", "violet", "rose", "olive", "brown", "navy", "grey")


def seat_name(seat: Seat) -> str:
    """The colour that the seat has in pictures; a number if there are more seats than colours."""
    return _NAMES[seat] if seat < len(_NAMES) else f"seat {seat}"


def board(shown: State | View) -> str:
    """Show the deck, then for each seat what it holds, wants and owns; to the owner of a view also what is free."""
    if isinstance(shown, View):
        return "\n".join(_view_lines(shown))
    state = shown
    owned = sum(mask.bit_count() for mask in state.owned)
    count = len(state.network.connections)
    lines = [f"{state.left} cards in the deck, {count - owned} of {count} connections free"]
    for seat in map(Seat, range(len(state.rails))):
        lines += _seat_lines(state, seat)
    return "\n".join(lines)


def _seat_lines(state: State, seat: Seat) -> Iterator[str]:
    """One seat, in up to three lines."""
    mark = ">" if state.turn == seat else " "
    if seat in state.out:
        yield f"{mark} {seat_name(seat):7} removed"
        return
    points = scores(state)[seat][0]
    yield f"{mark} {seat_name(seat):7} {points:4} points, {state.rails[seat]} rails, {hand_in_words(state.hands[seat])}"
    if state.destinations[seat]:
        yield f"    wants {', '.join(' - '.join(pair) for pair in state.destinations[seat])}"
    if state.owned[seat]:
        yield f"    owns {', '.join(str(state.network.connections[index]) for index in bits(state.owned[seat]))}"


def _view_lines(view: View) -> Iterator[str]:
    """The table as one seat sees it: what is free, city by city, then the seats, then what is its own secret."""
    yield from _free_lines(view)
    yield f"{view.left} cards in the deck, {view.free.bit_count()} of {len(view.network.connections)} connections free"
    for seat in map(Seat, range(len(view.rails))):
        mark = ">" if view.turn == seat else " "
        cards = hand_in_words(view.cards) if seat == view.me else f"{view.hand_sizes[seat]} cards"
        yield f"{mark} {seat_name(seat):7} {'removed' if seat in view.out else f'{view.rails[seat]} rails, {cards}'}"
        yield from _wrap_line("    owns", map(str, view.connections(seat)))
    joined = [are_joined(view.network, view.owned[view.me], pair) for pair in view.destinations]
    wanted, missed = zip(view.destinations, joined, strict=True), " (missed)" if view.turn is None else ""
    yield from _wrap_line("you want", (f"{' - '.join(pair)}{' (joined)' if done else missed}" for pair, done in wanted))
    yield from _wrap_line("you may keep", map(" - ".join, view.offer))


def _free_lines(view: View) -> Iterator[str]:
    """The free connections, one line for each city that comes first in some of them."""
    lines: dict[str, dict[str, str]] = {}
    for first, second, color, length in (
        msgspec.structs.astuple(view.network.connections[at]) for at in bits(view.free)
    ):
        known = lines.setdefault(first, {}).get(second, second)
        lines[first][second] = f"{known} {color} {length}"
    for first, others in lines.items():
        yield from _wrap_line(f"{first} -", others.values())


def _wrap_line(label: str, items: Iterable[str]) -> list[str]:
    """A list in lines that a terminal has room for; nothing if there are no items."""
    text = ", ".join(item.replace(" ", "\N{NO-BREAK SPACE}") for item in items)
    indent = " " * (len(label) - len(label.lstrip()))
    lines = textwrap.wrap(f"{label} {text}", 78, subsequent_indent=f"{indent}  ") if text else []
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def hand_in_words(hand: Hand) -> str:
    return f"cards: {_cards_in_words(hand)}" if any(hand) else "no cards"


def _cards_in_words(hand: Hand) -> str:
    """List how many cards there are of each colour."""
    return ", ".join(f"{count} {color}" for color, count in zip(COLORS, hand, strict=True) if count)


def describe_open_turn(turn: Turn[State, Action], *, subject: str = "") -> str:
    """Describe a turn in full."""
    return describe_turn(turn, turn.seat, subject=subject)  # the player who took the turn knows all about it


def describe_turn(turn: Turn[State, Action], to: Seat | None, *, subject: str = "", would: bool = False) -> str:
    """Describe a turn as `to` may know it: destinations and card colours only to their owner (Trains 3.8)."""
    mine = to == turn.seat
    name, verb = choose_tense(subject or seat_name(turn.seat), would=would)
    match turn.action:
        case Pick(keep):
            kept = ", ".join(" - ".join(pair) for pair in keep) if mine else f"{len(keep)} destinations"
            return f"{name} {verb('keep')} {kept}"
        case DrawCards():
            return f"{name} {_draw_in_words(turn, verb, mine=mine)}{_closing_words(turn, verb)}"
        case Acquire(connection):
            return f"{name} {verb('take')} {connection}{_closing_words(turn, verb)}"
        case _:
            assert_never(turn.action)


def _draw_in_words(turn: Turn[State, Action], verb: Callable[[str], str], *, mine: bool) -> str:
    """Describe a draw; `mine`: with the colours of the cards."""
    red, blue, green, white = (
        after - before for before, after in zip(turn.before.hands[turn.seat], turn.after.hands[turn.seat], strict=True)
    )
    count = red + blue + green + white
    if not count:
        return f"{verb('ask')} for cards, but the deck was empty"
    cards = f": {_cards_in_words((red, blue, green, white))}" if mine else ""
    return f"{verb('draw')} {count} card{'' if count == 1 else 's'}{cards}"


def _closing_words(turn: Turn[State, Action], verb: Callable[[str], str]) -> str:
    """Say so if the turn begins the last round."""
    if turn.after.closer is not None and turn.before.closer is None and len(remaining_seats(turn.after)) > 1:
        return f" and {verb('begin')} the last round"
    return ""


def facts(shown: State | View) -> dict[Seat, Facts]:
    """Points appear only when a match is over: before that they would give destinations away.

    The owner of a view then knows its own, but not those of others, whose destinations it has not seen.
    """
    points = _known_points(shown)
    sizes = shown.hand_sizes if isinstance(shown, View) else tuple(map(sum, shown.hands))
    facts = {}
    for seat in map(Seat, range(len(shown.rails))):
        first = (("points", str(points[seat])),) if seat in points else ()
        public = (
            ("rails", str(shown.rails[seat])),
            ("cards", str(sizes[seat])),
            ("connections", str(shown.owned[seat].bit_count())),
        )
        if seat not in shown.out:
            facts[seat] = (*first, *public, *_own_facts(shown, seat))
    return facts


def _known_points(shown: State | View) -> Mapping[Seat, int]:
    """The points that a viewer may know."""
    if shown.turn is not None:
        return {}
    return add_up_points(shown) if isinstance(shown, State) else {shown.me: count_own_points(shown)}


def _own_facts(shown: State | View, seat: Seat) -> Facts:
    """What only the owner of a view knows, about itself."""
    if not isinstance(shown, View) or shown.me != seat or not shown.destinations:
        return ()
    done = sum(are_joined(shown.network, shown.owned[seat], pair) for pair in shown.destinations)
    return (("destinations", f"{done} of {len(shown.destinations)}"),)
