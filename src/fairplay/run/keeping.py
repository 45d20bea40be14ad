"""Where the matches of one contest are kept while it is played: in a store, or in memory alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from fairplay.contest.contest import Result
from fairplay.core import Outcome
from fairplay.match.packing import Signer, match_name

if TYPE_CHECKING:
    from fairplay.store.store import Store

Turns = Iterable[tuple[int, int, bytes]]
"""Lines of records: the number of the match, the number of the line from 0, and the line."""


class Keeper(Protocol):
    """Keeps what was played of one contest; what it was given is safe when a call returns."""

    @property
    def durable(self) -> bool:
        """Does it outlive this process?"""
        ...

    def lease(self) -> AbstractContextManager[None]:
        """The right to play the contest; raises StoreError while another process has it."""
        ...

    def results(self) -> Iterator[Result]:
        """Everything that was played, in order of number."""
        ...

    def outcomes(self, numbers: Sequence[int]) -> dict[int, Outcome]:
        """The outcomes of those of these matches that were played."""
        ...

    def add(self, results: Sequence[Result]) -> Sequence[Result]:
        """Keep results, signed if there is a key, and return them so; a match that is there already stays."""
        ...

    def turns(self) -> dict[int, list[bytes]]:
        """The lines of matches that were begun and not finished, by number."""
        ...

    def start(self, number: int) -> None:
        """Say that this process plays a match from now on."""
        ...

    def add_turns(self, turns: Turns) -> None:
        """Keep lines of matches that are being played."""
        ...

    def finish(self, tables: bytes) -> None:
        """Say that the contest is over, and keep its tables, which are JSON."""
        ...


class StoreKeeper:
    """A contest of a store, by its number; with a signer, every match is signed before it is kept."""

    durable = True

    def __init__(self, store: Store, id: int, signer: Signer | None = None) -> None:
        self.store, self.id, self.signer = store, id, signer

    def lease(self) -> AbstractContextManager[None]:
        return self.store.lease(self.id)

    def results(self) -> Iterator[Result]:
        return self.store.results(self.id)

    def outcomes(self, numbers: Sequence[int]) -> dict[int, Outcome]:
        return self.store.outcomes(self.id, numbers)

    def add(self, results: Sequence[Result]) -> Sequence[Result]:
        if self.signer is not None:
            results = [sign_result(self.signer, self._fingerprint, result) for result in results]
        self.store.add(self.id, results)
        return results

    @cached_property
    def _fingerprint(self) -> str:
        return self.store.summary(self.id).fingerprint

    def turns(self) -> dict[int, list[bytes]]:
        return self.store.unfinished_turns(self.id)

    def start(self, number: int) -> None:
        self.store.start(self.id, number)

    def add_turns(self, turns: Turns) -> None:
        self.store.add_turns(self.id, turns)

    def finish(self, tables: bytes) -> None:
        self.store.finish(self.id, tables)


def sign_result(signer: Signer, contest: str, result: Result) -> Result:
    """`result` with its record signed as a match of the contest with this fingerprint; one without a record stays."""
    if not result.record:
        return result
    return replace(result, record=signer.sign(result.record, match_name(contest, result.number)))


class MemoryKeeper:
    """Nothing outlives this process."""

    durable = False

    def __init__(self) -> None:
        self._results: dict[int, Result] = {}
        self.tables = b""

    def lease(self) -> AbstractContextManager[None]:
        return nullcontext()

    def results(self) -> Iterator[Result]:
        return iter([self._results[number] for number in sorted(self._results)])

    def outcomes(self, numbers: Sequence[int]) -> dict[int, Outcome]:
        return {number: self._results[number].outcome for number in numbers if number in self._results}

    def add(self, results: Sequence[Result]) -> Sequence[Result]:
        for result in results:
            self._results.setdefault(result.number, result)
        return results

    def turns(self) -> dict[int, list[bytes]]:
        return {}

    def start(self, number: int) -> None:
        """Nobody else can play it."""

    def add_turns(self, turns: Turns) -> None:
        """A match that is cut off here cannot go on."""

    def finish(self, tables: bytes) -> None:
        self.tables = tables
