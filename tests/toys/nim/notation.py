"""Nim as short texts: `2x3` takes three matches from heap 2; `3,0,2 1,0 1 5` is a position."""

from typing import Any

import msgspec

from fairplay.core import NotationError, Seat
from nim.rules import Heaps, Take


def format_action(action: Take) -> str:
    return f"{action.heap}x{action.matches}"


def parse_action(text: str, shown: Any = None) -> Take:
    heap, _, matches = text.partition("x")
    try:
        return msgspec.convert({"do": "take", "heap": int(heap), "matches": int(matches)}, Take)
    except ValueError:
        raise NotationError(text, "HEAPxMATCHES, such as 2x3") from None


def format_position(state: Heaps) -> str:
    heaps, seats = (",".join(map(str, numbers)) or "-" for numbers in (state.heaps, state.seats))
    return f"{heaps} {seats} {'-' if state.last is None else state.last} {state.turn_number}"


def parse_position(text: str) -> Heaps:
    try:
        heaps, seats, last, number = text.split()
        in_order = () if seats == "-" else tuple(Seat(int(seat)) for seat in seats.split(","))
        taken = None if last == "-" else Seat(int(last))
        return Heaps(tuple(int(heap) for heap in heaps.split(",")), in_order, taken, int(number))
    except ValueError:
        raise NotationError(text, "HEAPS SEATS LAST NUMBER, such as '3,0,2 1,0 1 5'", "a position of Nim") from None
