"""`python -m tests.soak.clients TERMS`: a process of players, each coming to the table that it is told of."""

from __future__ import annotations

import asyncio
import resource
import sys

import msgspec

from fairplay.catalog import GAMES
from fairplay.core import Fault, House, Misbehaved
from fairplay.core.chance import below, derived
from fairplay.match.players import house_strategy
from fairplay.net.connection import PeerConnection
from fairplay.net.native import ClientConversation

from .conducts import CONDUCTS, GOOD, PLAYERS, Scene, connected
from .strangers import LONGEST, STRANGERS, Knock
from .words import Invitation, Seen, Terms, heard, say

STRATEGY = {"fish": "random", "trains": "buy-now", "labyrinth": "euclid"}

SURE = {"fish": 2, "trains": 3, "labyrinth": 1}
"""Questions that everybody is asked, however the match goes: in Fish who has placed its penguins may be stuck."""

PARTING = 60.0
"""Seconds for everybody to leave after the last invitation."""


class Guest:
    """One player: thinks, replies, and once does what its conduct demands."""

    def __init__(self, invitation: Invitation, terms: Terms) -> None:
        game, name = GAMES[invitation.game], invitation.name
        self.thinking, self.rng = terms.thinking, derived(invitation.seed)
        self.conduct = CONDUCTS[PLAYERS[name][0]] if name in PLAYERS else None
        # Good replies before the deed: so many questions come for sure, and one more where the deed shows later.
        later = self.conduct is not None and self.conduct.shows_later
        self.replies = below(self.rng, SURE[game.name] - later) if SURE[game.name] > later else 0
        visitor = ClientConversation(
            game, lambda chance, info: House(house_strategy(game, STRATEGY[game.name], derived(chance))), name
        )
        self.scene = Scene(visitor, invitation.port, invitation.way, terms, self.rng)

    async def play(self) -> Fault | None:
        """To the end; else why it ended before that."""
        scene = self.scene
        scene.connection = await connected(scene.port, scene.way)
        scene.connection.send(scene.visitor.hello())
        try:
            return await self.converse()
        finally:
            scene.connection.finish()

    async def converse(self) -> Fault | None:
        scene = self.scene
        while not scene.visitor.over:
            line = await scene.connection.line(None)
            if isinstance(line, Fault):
                return line
            scene.line, scene.reply = line, scene.visitor.reply(line)
            if not scene.reply:
                continue
            kind = msgspec.json.decode(line)["type"]
            if kind == "ask":
                await asyncio.sleep(2 * self.thinking * self.rng.getrandbits(16) / 65_536)
            if not self.due(kind):
                scene.connection.send(scene.reply)
            elif not await self.misbehaved():
                await ended(scene.connection)
                return None
        return None

    def due(self, kind: str) -> bool:
        """Is it time for the deed?"""
        if self.conduct is None or kind != self.conduct.at:
            return False
        self.replies -= kind == "ask"
        return kind == "tell" or self.replies < 0

    async def misbehaved(self) -> bool | None:
        """Do the deed; does it play on?"""
        assert self.conduct is not None
        deed, self.conduct = self.conduct.deed, None
        return await deed(self.scene)


async def ended(connection: PeerConnection) -> None:
    """Wait until the server hangs up; whatever it says before that does not matter."""
    while not isinstance(await connection.line(None), Fault):
        pass
    connection.close()


async def take_part(invitation: Invitation, terms: Terms) -> str:
    """Play; what a good player has to complain about."""
    good = invitation.name in GOOD
    try:
        fault = await Guest(invitation, terms).play()
        return f"{fault.kind}: {fault.detail}" if good and fault is not None else ""
    except (Misbehaved, OSError) as error:  # others are thrown out, or find that the match is over
        return repr(error) if good else ""


async def knock(invitation: Invitation) -> str:
    """Be a stranger; what is wrong with how it was received."""
    try:
        async with asyncio.timeout(LONGEST):
            said = await STRANGERS[invitation.stranger](Knock(invitation.port, invitation.game, invitation.name))
        return "was let in" if b'"joined"' in said else ""
    except TimeoutError:
        return f"was left waiting for {LONGEST:g} s"
    except OSError:
        return ""  # the match was over before


async def invited(invitation: Invitation, terms: Terms) -> None:
    try:
        complaint = await (knock(invitation) if invitation.stranger else take_part(invitation, terms))
    except Exception as error:
        complaint = f"the client failed: {error!r}"
    say(Seen(invitation.stranger or invitation.name, complaint))


async def serve(terms: Terms) -> None:
    there: set[asyncio.Task[None]] = set()
    async for invitation in heard(Invitation):
        task = asyncio.create_task(invited(invitation, terms))
        there.add(task)
        task.add_done_callback(there.discard)
    if there:
        _, left = await asyncio.wait(there, timeout=PARTING)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


def main() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(serve(msgspec.json.decode(sys.argv[1], type=Terms)))


if __name__ == "__main__":
    main()
