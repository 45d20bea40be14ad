"""A player at the far end of the established protocol, with every value written and read as JSON on its way."""

from __future__ import annotations

from typing import Any

import msgspec

from fairplay.core import AnyGame, House, Strategy
from fairplay.core.chance import derived
from fairplay.core.established import Call, Client
from fairplay.core.game import established_of
from fairplay.match.players import house_strategy
from fairplay.match.replay import record_match
from fairplay.run.inline import play_inline
from kit import Table


def as_read(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


class OverWire:
    """Orders become calls, calls become JSON, the client answers, and all the way back."""

    def __init__(self, game: AnyGame, client: Client) -> None:
        self.game, self.client = game, client

    def said(self, call: Call) -> Any:
        return as_read(self.client.answer(Call(*as_read(call))))

    def choose(self, view: Any) -> Any:
        return established_of(self.game).wire.read_action(
            view, self.said(established_of(self.game).wire.spell_question(view))
        )

    def hear(self, news: object) -> None:
        call = established_of(self.game).wire.spell_news(news)
        if call is not None:
            established_of(self.game).wire.check_reply(news, self.said(call))


def record_inline(game: AnyGame, table: Table, seed: int, specs: list[str]) -> list[bytes]:
    """The lines of the record of a match in this process."""
    lines: list[bytes] = []
    players = [House(strategy(game, spec, seed, seat)) for seat, spec in enumerate(specs)]
    play_inline(record_match(game, table.setup, seed, tuple(specs), lines.append), players)
    return lines


def record_over_wire(game: AnyGame, table: Table, seed: int, specs: list[str]) -> list[bytes]:
    """The lines of the record of the same match with every player behind its protocol."""
    lines: list[bytes] = []
    players = [
        OverWire(game, established_of(game).client(strategy(game, spec, seed, seat), table.setup))
        for seat, spec in enumerate(specs)
    ]
    play_inline(record_match(game, table.setup, seed, tuple(specs), lines.append), players)
    return lines


def strategy(game: AnyGame, spec: str, seed: int, seat: int) -> Strategy[Any, Any]:
    return house_strategy(game, spec, derived(seed, "player", seat))
