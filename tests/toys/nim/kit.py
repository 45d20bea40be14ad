"""What the laws cannot find out about Nim by themselves."""

from collections.abc import Iterator

from fairplay.testing import Kit, Perft, Table
from nim.rules import Heaps, Setup, Take, View


def illegal(view: View) -> Iterator[tuple[str, Take]]:
    yield "no such heap", Take(9, 1)
    yield "too many matches", Take(0, 9)


def invariant(state: Heaps) -> None:
    assert all(size >= 0 for size in state.heaps)


KIT = Kit(
    tables=[Table(Setup(heaps=heaps), seats) for heaps in range(1, 5) for seats in (2, 3)],
    illegal=illegal,
    invariant=invariant,
    perft=[Perft(Table(Setup(), 2), 1, (11, 94)), Perft(Table(Setup(heaps=2), 3), 2, (10, 70))],
    longest=60,
    plays_on_alone=True,
)
