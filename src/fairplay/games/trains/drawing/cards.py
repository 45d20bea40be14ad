"""What lies beside the map of Trains, as cards: the deck, and the hand and destinations that the viewer may know."""

from collections.abc import Iterator
from functools import cache

from fairplay.core import Seat
from fairplay.core.shown import CardGroup, SideCard
from fairplay.games.trains.deal import remaining_seats
from fairplay.games.trains.drawing.canvas import DECK_KEY, connection_key, offer_key
from fairplay.games.trains.drawing.paint import CARD_PAINTS, INK
from fairplay.games.trains.map import COLORS, Color, Destination, RailNetwork, bits
from fairplay.games.trains.paths import are_joined, shortest_way
from fairplay.games.trains.rules import acquirable_connections
from fairplay.games.trains.state import Hand, State, View
from fairplay.games.trains.words import seat_name


def card_key(color: Color) -> str:
    """The ``data-key`` of the viewer's cards of a colour."""
    return f"card-{color}"


def list_cards(shown: State | View, *, open: bool = False) -> tuple[CardGroup, ...]:
    """Of a view what belongs to its owner, of a state the deck alone, or `open` everything."""
    if isinstance(shown, View):
        return tuple(_list_own(shown))
    deck = _show_deck(shown.left)
    return (deck, *(group for seat in remaining_seats(shown) for group in _list_open(shown, seat))) if open else (deck,)


def _list_own(view: View) -> Iterator[CardGroup]:
    """What the owner of a view has, and what it may draw or pick from."""
    if view.offer:
        pairs = enumerate(view.offer, 1)
        offered = tuple(_show_offered(view, number, pair) for number, pair in pairs)
        yield CardGroup("Pick your destinations", offered, f"keep {view.terms.kept} of these {len(offered)}")
    if view.destinations:
        pairs = enumerate(view.destinations, 1)
        own = tuple(_show_destination(view.network, view, view.me, number, pair) for number, pair in pairs)
        yield CardGroup("Your destinations", own, "each one joined: 10 points; missed: 10 points off")
    yield CardGroup("Your cards", _show_hand(view.cards, view), f"{view.rails[view.me]} rails left")
    yield _show_deck(view.left)


def _list_open(state: State, seat: Seat) -> Iterator[CardGroup]:
    """What a seat keeps to itself, for those who may see everything."""
    whose, network = f"{seat_name(seat).capitalize()}'s", state.network
    pairs = enumerate(state.destinations[seat], 1)
    if own := tuple(_show_destination(network, state, seat, number, pair) for number, pair in pairs):
        yield CardGroup(f"{whose} destinations", own)
    yield CardGroup(f"{whose} cards", _show_hand(state.hands[seat], seat=seat), f"{state.rails[seat]} rails left")


# -- cards -------------------------------------------------------------------------------------


def _show_deck(left: int) -> CardGroup:
    """The deck, face down."""
    words = f"card{'' if left == 1 else 's'} left"
    return CardGroup("Deck", (SideCard("Deck", words, left, "deck", DECK_KEY, picture=_draw_back(), kind="deck"),))


def _show_hand(hand: Hand, view: View | None = None, seat: Seat | None = None) -> tuple[SideCard, ...]:
    """A pile for each colour; pointing at one's own shows what it could pay for now."""
    mask = acquirable_connections(view) if view is not None and view.turn == view.me and not view.picking else 0
    payable = [view.network.connections[index] for index in bits(mask)] if view is not None else []
    return tuple(
        SideCard(
            title=color,
            count=count,
            key=card_key(color) if seat is None else f"card-{seat}-{color}",
            highlights=tuple(connection_key(one) for one in payable if one.color == color),
            picture=_draw_card(color),
            kind=color,
            enter="from deck",
        )
        for color, count in zip(COLORS, hand, strict=True)
    )


def _show_offered(view: View, number: int, pair: Destination) -> SideCard:
    """A destination that the viewer may keep, with the length of the shortest way."""
    rails, highlights = _find_way(view.network, 0, view.network.every, pair)
    return SideCard(
        title=f"{pair[0]} to {pair[1]}",
        detail=f"{rails} rails by the shortest way",
        key=f"offer-{number}",
        click=offer_key(pair),
        highlights=highlights,
        picture=_draw_number(number, done=False),
        kind="offer",
    )


def _show_destination(
    network: RailNetwork, shown: State | View, seat: Seat, number: int, pair: Destination
) -> SideCard:
    """A destination of a seat, and how it stands with it."""
    owned, taken = shown.owned[seat], 0
    for mask in shown.owned:
        taken |= mask
    rails, highlights = _find_way(network, owned, network.every & ~taken, pair)
    done, over = are_joined(network, owned, pair), shown.turn is None
    to_go = "no way left" if rails is None else f"{rails} rails to go"
    return SideCard(
        title=f"{pair[0]} to {pair[1]}",
        detail="joined" if done else "missed" if over else f"not joined yet: {to_go}",
        key=f"destination-{seat}-{number}",
        highlights=highlights[:2] if over else highlights,
        picture=_draw_number(number, done=done),
        kind="done" if done else "missed" if over else "",
    )


def _find_way(network: RailNetwork, owned: int, free: int, pair: Destination) -> tuple[int | None, tuple[str, ...]]:
    """How many rails it still takes to join a destination, and the keys of its cities and of the way between them."""
    route, cities = shortest_way(network, owned, free, pair), tuple(f"city={name}" for name in pair)
    if route is None:
        return None, cities
    keys = (connection_key(network.connections[index]) for index in route)
    return sum(network.lengths[index] for index in route), (*cities, *keys)


# -- their pictures ----------------------------------------------------------------------------

_FRAME = f'x="1" y="1" width="62" height="42" rx="6" stroke="{INK}" stroke-width="1.5"'
_FONT = 'font-family="system-ui,sans-serif" font-weight="700"'


def _frame_card(width: int, height: int, parts: str) -> str:
    """A small drawing that says nothing which its card does not say in words."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} aria-hidden="true">{parts}</svg>'


@cache
def _draw_card(color: Color) -> str:
    """Draw a card of one colour: a wagon with the sign of the colour, and its first letter."""
    ink = "#fff" if color in ("red", "blue") else INK
    body = CARD_PAINTS[color] if color != "white" else "#e9e6dc"
    sign = {
        "red": '<path d="M23 16h25v8H23z"/>',
        "blue": '<path fill-rule="evenodd" d="M27 16h17c5 0 5 8 0 8H27c-5 0-5-8 0-8zM27 19h17v2H27z"/>',
        "green": f'<path d="M22 20l4-4h19l4 4-4 4H26z"/><path d="M35.5 16v8" stroke="{INK}"/>',
        "white": f'<path d="M23 16h25v8H23z" stroke="{INK}"/>',
    }[color]
    return _frame_card(
        64,
        44,
        f'<rect {_FRAME} fill="{body}"/><text x="10" y="15" font-size="12" text-anchor="middle" {_FONT} fill="{ink}">'
        f'{color[0].upper()}</text><rect x="18" y="11" width="35" height="18" rx="3" fill="#fffdf6" stroke="{INK}"/>'
        f'<g fill="{CARD_PAINTS[color]}">{sign}</g><path d="M14 34.5h43" stroke="{ink}" stroke-width="1.5"/>'
        f'<circle cx="26" cy="31" r="3.5" fill="{INK}" stroke="#fffdf6"/>'
        f'<circle cx="45" cy="31" r="3.5" fill="{INK}" stroke="#fffdf6"/>',
    )


@cache
def _draw_back() -> str:
    """Draw a card face down: rails on a dark ground."""
    return _frame_card(
        64,
        44,
        f'<rect {_FRAME} fill="#37454c"/><path d="M9 17h46M9 27h46M16 12v20M26 12v20M38 12v20M48 12v20"'
        ' stroke="#c7ab63" stroke-width="2.5" stroke-linecap="round" fill="none"/>',
    )


@cache
def _draw_number(number: int, *, done: bool) -> str:
    """Draw the mark that the cities of a destination have on the map."""
    fill, edge = ("#1f7a3d", "#d9ffd0") if done else (INK, "#ffd34d")
    return _frame_card(
        26,
        26,
        f'<circle cx="13" cy="13" r="10.5" fill="{fill}" stroke="{edge}" stroke-width="2.5"/>'
        f'<text x="13" y="17.7" font-size="13" text-anchor="middle" {_FONT} fill="#fff">{number}</text>',
    )
