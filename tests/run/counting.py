"""Run a contest of a store on a cluster, and print the number of every match when it is counted.

Usage: counting.py STORE CONTEST SCHEDULER; every result waits at a gate (see gate.py) before it is taken.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from fairplay.contest.contest import Contest, Match, Result
from fairplay.games.fish import GAME
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Cluster
from fairplay.run.keeping import StoreKeeper
from fairplay.store import open_store
from run import gate


class Held(Cluster):
    """A cluster whose results are taken no faster than the gate allows."""

    def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
        for count, result in enumerate(super().results(contest, matches), 1):
            gate.note("came", result.number)
            gate.wait(count)
            yield result


if __name__ == "__main__":
    url, id, address = sys.argv[1:]
    with open_store(url) as store:
        competition = Competition(GAME, store.contest(int(id)), StoreKeeper(store, int(id)))
        for result in competition.results(Held(address, 1)):
            gate.note("counted", result.number)
