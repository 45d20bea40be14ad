"""What must be true after a soak, and what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

from msgspec import Struct

from fairplay.core import Fault, FaultKind
from fairplay.store import open_store

from .conducts import CONDUCTS, PLAYERS
from .programs import BOTS
from .strangers import STRANGERS

MIB = 1 << 20
TOLERANCE, LEAST = 0.05, 8 * MIB
"""Memory may be more at the end by this share of it, or by so many bytes."""

SHOWN = 10
"""Of what is wrong, so many are shown."""


class Sample(Struct, frozen=True):
    """The server at one moment, seen from outside."""

    seconds: float
    resident: int  # bytes
    cpu: float  # seconds so far, its own and of children that have ended
    files: int
    threads: int
    children: int


class Check(Struct, frozen=True):
    """One thing that must be true."""

    what: str
    found: str
    wrong: Sequence[str] = ()

    def __str__(self) -> str:
        lines = [f"{'FAILED' if self.wrong else 'ok':7} {self.what}: {self.found}", *self.wrong[:SHOWN]]
        return "\n        ".join(lines)


def steady(samples: Sequence[Sample], seconds: float) -> Check:
    """Compare the memory after the first sixth of the time with the last sixth, by their medians."""
    early = median(sample.resident for sample in samples if seconds / 6 < sample.seconds <= seconds / 3) / MIB
    late = median(sample.resident for sample in samples if sample.seconds > seconds * 5 / 6) / MIB
    growth, allowed = late - early, max(early * TOLERANCE, LEAST / MIB)
    found = f"{early:.1f} MiB after a sixth of the time, {late:.1f} MiB in the last sixth"
    wrong = [f"it grew by {growth:.1f} MiB; {allowed:.1f} are allowed"] if growth > allowed else []
    return Check("the server's memory does not grow", found, wrong)


def nothing_left(before: Sample, after: Sample, tasks: tuple[int, int], strays: Sequence[str]) -> Iterator[Check]:
    """Before and after, with the tasks of the event loop and the processes that should have ended."""
    files = f"{before.files} files and sockets before, {after.files} after"
    yield Check("nothing is left open", files, [f"{after.files - before.files} more"] * (after.files > before.files))
    more = [f"{tasks[1] - tasks[0]} more"] * (tasks[1] > tasks[0])
    yield Check("no task goes on", f"{tasks[0]} before, {tasks[1]} after", more)
    children = [f"{after.children} children of the server"] * (after.children > 0)
    yield Check("no process is left", f"{after.children + len(strays)}", [*children, *strays])


def kept(file: Path, contests: dict[str, int], begun: Iterable[tuple[int, int]]) -> Iterator[Check]:
    """What the store says, opened anew."""
    stored: Counter[tuple[int, int]] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    good, others = list[str](), list[str]()
    with open_store(file) as store:
        for title, id in contests.items():
            names = store.contest(id).names
            for result in store.results(id):
                stored[id, result.number] += 1
                for player, fault in zip(result.line_up, result.outcome.faults, strict=True):
                    name = names[player]
                    expected = fitting(title, name)
                    met[title, name] += 1
                    if (fault and fault.kind) not in (expected or ALWAYS):
                        (others if expected else good).append(f"{title} {result.number}, {name}: {told(fault)}")
    yield all_stored(stored, Counter(begun))
    faulty = sum(many for (title, name), many in met.items() if fitting(title, name))
    yield Check("no good player is thrown out", f"{len(good)} of {met.total() - faulty:,}", good)
    yield Check("every other player ends as it must", f"{faulty - len(others):,} of {faulty:,}", others)
    seen = {name for _, name in met}
    missing = [name for name in (*PLAYERS, *BOTS) if name not in seen]
    yield Check("every kind of player came", f"{len(PLAYERS)} over a network, {len(BOTS)} programs", missing)


ALWAYS: frozenset[FaultKind | None] = frozenset({None})


def fitting(title: str, name: str) -> frozenset[FaultKind | None] | None:
    """How a player that is not simply good may end."""
    if title == "programs":
        return BOTS[name].faults if name in BOTS else None
    return CONDUCTS[PLAYERS[name][0]].faults if name in PLAYERS else None


def told(fault: Fault | None) -> str:
    return "no fault" if fault is None else f"{fault.kind}: {fault.detail}"


def all_stored(stored: Counter[tuple[int, int]], begun: Counter[tuple[int, int]]) -> Check:
    wrong = [f"match {number} of contest {id} was lost" for id, number in begun - stored]
    wrong += [f"match {number} of contest {id} is there twice, or never began" for id, number in stored - begun]
    found = f"{stored.total():,} of {begun.total():,}"
    return Check("every match is stored, once", found, wrong if begun else ["there were none"])


def received(seen: Counter[str], complaints: Sequence[str]) -> Iterator[Check]:
    """What the clients say."""
    came = f"{sum(seen[name] for name in STRANGERS):,} of {len(STRANGERS)} kinds"
    yield Check("every kind of stranger came", came, [name for name in STRANGERS if not seen[name]])
    yield Check("no client complains", f"{len(complaints)} of {seen.total():,}", complaints)
