"""Nim for the laws."""

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from fairplay.core import Seat
from kit import Kit, Perft, Table
from nim.rules import Heaps, Setup, Take, View


def scramble(state: Heaps, seat: Seat | None, rng: Random) -> Heaps:
    return state


def disguise(action: Take, seat: Seat | None, rng: Random) -> Take:
    return action


def illegal(view: View) -> Iterator[tuple[str, Take]]:
    yield "no such heap", Take(9, 1)
    yield "too many matches", Take(0, 9)


def invariant(state: Heaps) -> None:
    assert all(size >= 0 for size in state.heaps)


KIT = Kit(
    tables=st.builds(Table, st.builds(Setup, heaps=st.integers(1, 4)), st.integers(2, 3)),
    scramble=scramble,
    disguise=disguise,
    hides=False,
    illegal=illegal,
    invariant=invariant,
    perft=[Perft(Table(Setup(), 2), 1, (11, 94)), Perft(Table(Setup(heaps=2), 3), 2, (10, 70))],
    longest=60,
)
