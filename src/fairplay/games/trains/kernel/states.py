"""States written into rows, and rows read as states."""

from __future__ import annotations

import numpy as np

from fairplay.core import KernelSizeError, Seat
from fairplay.core.kernel import OVER, RANDOM, Row
from fairplay.games.trains.kernel import cards, layout, tables
from fairplay.games.trains.map import Destination, RailNetwork, bits
from fairplay.games.trains.state import Hand, State

__all__ = ["pack", "unpack"]

NOBODY = 255


def pack(state: State, row: Row) -> None:
    """Write `state` into `row`, all but its random numbers; raises KernelSizeError."""
    constants, network = layout.constants_for(state), state.network
    check_owned(state)
    row[RANDOM + 1 :] = 0
    turn = OVER if state.turn is None else state.turn
    closer = NOBODY if state.closer is None else state.closer
    out = sum(1 << seat for seat in state.out)
    row[layout.STATUS] = turn | state.picking << 8 | closer << 16 | out << 24 | state.idle << 32
    row[layout.COUNTS] = state.drawn | len(state.deck) << 16 | state.turn_number << 32
    words, kept_words = constants["LINK_WORDS"], constants["KEPT_WORDS"]
    taken = 0
    for seat, (hand, rails) in enumerate(zip(state.hands, state.rails, strict=True)):
        row[constants["HANDS"] + seat] = rails << 48 | sum(count << 12 * color for color, count in enumerate(hand))
        at = constants["OWNED"] + seat * words
        row[at : at + words] = tables.split_words(state.owned[seat], words)
        kept = [tables.encode_pair(network, pair) for pair in state.destinations[seat]]
        tables.write_codes(kept, row, constants["KEPT_AT"] + seat * kept_words)
        taken |= state.owned[seat]
    row[layout.FREE : layout.FREE + words] = tables.split_words(network.every & ~taken, words)
    sequence = [tables.encode_pair(network, pair) for pair in state.sequence]
    tables.write_codes(sequence, row, constants["SEQUENCE"])
    tables.write_cards(state.deck, row, constants["DECK"])


def check_owned(state: State) -> None:
    """Refuse positions that no match leads to, with longer paths than a row has room for."""
    most = layout.count_segments(state.network, state.terms)
    for mask in state.owned:
        if (segments := sum(state.network.lengths[index] for index in bits(mask))) > most:
            raise KernelSizeError(f"a seat owns {segments} segments; in a match like this it can own at most {most}")


def unpack(row: Row, like: State) -> State:
    """The state in `row`; `like` is any state of the same setup and seats."""
    constants, seats = layout.constants_for(like), len(like.rails)
    words = [int(word) for word in row]
    status, counts = words[layout.STATUS], words[layout.COUNTS]
    turn, closer, out = status & 255, status >> 16 & 255, status >> 24 & 255
    hands = [words[constants["HANDS"] + seat] for seat in range(seats)]
    kept, links = constants["KEPT_WORDS"], constants["LINK_WORDS"]
    destinations = [words[constants["KEPT_AT"] + seat * kept :][:kept] for seat in range(seats)]
    owned = [words[constants["OWNED"] + seat * links :][:links] for seat in range(seats)]
    return State(
        network=like.network,
        terms=like.terms,
        deck=read_deck(row, constants["DECK"], like.terms.deck_size),
        drawn=counts & 0xFFFF,
        sequence=read_codes(like.network, words[constants["SEQUENCE"] : constants["EDGES"]]),
        hands=tuple(read_hand(hand) for hand in hands),
        rails=tuple(hand >> 48 for hand in hands),
        owned=tuple(sum(word << 64 * nth for nth, word in enumerate(mask)) for mask in owned),
        destinations=tuple(read_codes(like.network, codes) for codes in destinations),
        out=frozenset(map(Seat, bits(out))),
        turn=None if turn == OVER else Seat(turn),
        picking=bool(status >> 8 & 1),
        idle=status >> 32 & 255,
        closer=None if closer == NOBODY else Seat(closer),
        turn_number=counts >> 32,
    )


def read_hand(word: int) -> Hand:
    """The number of cards of each colour."""
    return word & 4095, word >> 12 & 4095, word >> 24 & 4095, word >> 36 & 4095


def read_codes(network: RailNetwork, words: list[int]) -> tuple[Destination, ...]:
    """The destinations in these words."""
    codes = [word >> 16 * nth & 0xFFFF for word in words for nth in range(4)]
    return tuple((network.names[code >> 8], network.names[code & 255]) for code in codes if code)


def read_deck(row: Row, at: int, size: int) -> bytes:
    """All cards of the deck: those that are written down, and those that its random numbers will bring."""
    fixed = int(row[layout.COUNTS]) >> 16 & 0xFFFF
    deck = [int(row[at + nth // 32]) >> 2 * (nth % 32) & 3 for nth in range(fixed)]
    left, seed = row[layout.DECK_FIRST], row[layout.DECK_SEED]
    with np.errstate(over="ignore"):
        for nth in range(fixed, size):
            color = cards.color_of(left, cards.random_at(seed, nth))
            left -= cards.card_of(color)
            deck.append(int(color))
    return bytes(deck)
