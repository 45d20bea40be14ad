"""Knock-outs among players that are awaited, for the tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from fairplay.contest.contest import Entrant, Match, number_names
from fairplay.core import AnyGame
from fairplay.core.established import KnockoutResult
from fairplay.run.awaited import Contender
from fairplay.run.engines.pool import Inline
from fairplay.run.hosting import Hosting, agree_on_setup, hold_contest, knock_out_of


class Guest(NamedTuple):
    """An entrant whose player is awaited."""

    name: str
    player: Contender


async def hold_knock_out(
    game: AnyGame,
    setup: Any,
    seed: int,
    guests: Sequence[Guest],
    watch: Callable[[Match, bytes], object] | None = None,
) -> KnockoutResult | None:
    """The knock-out of the established protocols with these players, in age order; nothing is kept."""
    assert game.parts.established is not None
    contest = knock_out_of(game, setup, seed, game.parts.established.sign_up.sign_up_terms(setup))
    names = number_names([guest.name for guest in guests])
    contest = replace(contest, entrants=tuple(Entrant(name, "connection:test") for name in names))
    hosting = Hosting(engine=Inline(), agree=partial(agree_on_setup, game, contest), watch=watch)
    return await hold_contest(game, contest, dict(enumerate(guest.player for guest in guests)), hosting)
