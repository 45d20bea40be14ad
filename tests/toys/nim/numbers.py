"""Nim as numbers: five for each heap, one for every number of matches that can be taken from it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fairplay.core import NumberError
from fairplay.core.numbers import Channels
from nim.rules import Heaps, Take, View, legal_actions

if TYPE_CHECKING:
    from fairplay.core.numbers import Floats, Mask

VERSION = "nim_v0"
LARGEST = 5  # matches of a heap
MOST_SEATS = 3


class Encoding:
    """The numbers of all matches with the same number of heaps."""

    def __init__(self, heaps: int) -> None:
        self.actions = heaps * LARGEST
        self.shape: tuple[int, ...] = (heaps + MOST_SEATS + 1,)
        self.channels: tuple[Channels, ...] = (
            Channels("heaps", heaps, "matches of each heap / 5"),
            Channels("turns to wait", MOST_SEATS, "one-hot; all zero for a removed seat"),
            Channels("last", 1, "1 where I took last"),
        )

    def number(self, action: Take, view: View) -> int:
        if action.heap * LARGEST >= self.actions or action.matches > LARGEST:
            raise NumberError(f"this match has no action '{action.heap}x{action.matches}'")
        return action.heap * LARGEST + action.matches - 1

    def action(self, number: int, view: View) -> Take:
        if not 0 <= number < self.actions:
            raise NumberError(f"expected a number from 0 to {self.actions - 1}, got {number}")
        return Take(number // LARGEST, number % LARGEST + 1)

    def legal_numbers(self, view: View) -> list[int]:
        return [self.number(action, view) for action in legal_actions(view)]

    def fill_mask(self, view: View, out: Mask) -> None:
        out[:] = 0
        out[self.legal_numbers(view)] = 1

    def observe(self, view: View, out: Floats) -> None:
        out[:] = 0
        heaps, seats = view.state.heaps, view.state.seats
        out[: len(heaps)] = [size / LARGEST for size in heaps]
        if view.me in seats:
            out[len(heaps) + seats.index(view.me)] = 1
        out[-1] = view.state.last == view.me


encoding_of_size = cache(Encoding)


def encoding_of(shown: Heaps | View) -> Encoding:
    state = shown.state if isinstance(shown, View) else shown
    return encoding_of_size(len(state.heaps))
