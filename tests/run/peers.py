"""Players behind the established protocol in this process, for the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fairplay.catalog import GAMES
from fairplay.core import Fault, Json
from fairplay.core.chance import derived
from fairplay.core.established import Call
from fairplay.core.game import established_of
from fairplay.games.fish.state import Setup
from fairplay.match.players import house_strategy
from fairplay.net.established import EstablishedPlayer

FISH = GAMES["fish"]
SETUP = Setup(rows=5, columns=5)  # the fish at random, so that every deal is another
SPEC = "minimax:depth=1"


class Near:
    """A peer in this process: a client of the protocol, whose answers can be spoilt."""

    def __init__(self, spoil: Callable[[Call, Json], Json] = lambda call, answer: answer) -> None:
        self.client, self.spoil = established_of(FISH).client(house_strategy(FISH, SPEC, derived(1)), SETUP), spoil
        self.calls: list[str] = []
        self.closed = 0

    async def exchange(self, call: Call, patience: float) -> Json | Fault:
        assert patience == 3.0
        assert not self.closed, "nobody is called after being hung up on"
        self.calls.append(call.method)
        await asyncio.sleep(0)
        return self.spoil(call, self.client.answer(call))

    def close(self) -> None:
        self.closed += 1


def remote(peer: Near) -> EstablishedPlayer:
    return EstablishedPlayer(FISH, peer, 3.0)


def spoiling(method: str, answer: Json) -> Near:
    return Near(lambda call, right: answer if call.method == method else right)
