"""Contests out of Python: checked before the first match, then played by the one thing that runs contests."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from fairplay.api.games import LoadedGame
from fairplay.api.players import PYTHON_KINDS
from fairplay.contest.contest import Contest, Entrant, Hidden, Stop
from fairplay.contest.deals import choose_deals
from fairplay.contest.formats.formats import check_options
from fairplay.contest.schedule import check_contest
from fairplay.contest.specs import are_house_players
from fairplay.core import UsageError
from fairplay.run.bot_check import try_players
from fairplay.run.house_players import MAX_SECONDS, resolve_entrants
from fairplay.run.isolation.mounts import hide_paths
from fairplay.run.keeping import Keeper, MemoryKeeper, StoreKeeper
from fairplay.store import default_url, open_store, store_file

__all__ = ["build_contest", "hide_store", "open_keeper"]


def build_contest(
    game: LoadedGame[Any, Any, Any, Any],
    entrants: tuple[Entrant, ...],
    format: str,
    options: Mapping[str, Any],
    seed: int | None,
    patience: float | None,
    matches: int | None = None,
    think: float | None = None,
    *,
    ponder: bool = False,
    hidden: Hidden = Hidden(),
) -> Contest:
    """The contest, checked before its first match; raises UsageError, or SetupError if it cannot be dealt.

    With a seed that is given, everything follows from it, the players' own chance too.  `hidden` is not shown to them.
    """
    if seed is not None and not -(2**63) <= seed < 2**63:
        raise UsageError("seed: expected a whole number of at most 64 bits")
    if matches is not None and matches < 1:
        raise UsageError("matches: expected at least 1")
    if patience is not None and not patience > 0:
        raise UsageError("patience: expected more than 0 seconds")
    if think is not None and not 0 < think <= MAX_SECONDS:
        raise UsageError(f"think: expected more than 0 and at most {MAX_SECONDS} seconds")
    entrants = resolve_entrants(game.game, game.setup, entrants, think, patience, "think")
    contest = Contest(
        game=game.name,
        entrants=entrants,
        format=format,
        options=check_options(format, options),
        setup=msgspec.Raw(msgspec.json.encode(game.setup)),
        seed=secrets.randbits(53) if seed is None else seed,
        patience=game.game.patience if patience is None else patience,
        stop=Stop(matches),
        ponder=ponder,
    )
    try_players(game.game, contest, hidden, PYTHON_KINDS)
    all_house = are_house_players(entrants)
    secret = None if all_house or seed is None else derive_secret(seed)
    contest = choose_deals(contest, all_house=all_house, seed_chosen=seed is not None, secret=secret)
    check_contest(game.game, contest, game.setup)
    return contest


def derive_secret(seed: int) -> str:
    """The secret of a contest whose seed was chosen: anyone who guesses the seed knows every deal anyway."""
    return blake2b(f"secret/{seed}".encode(), digest_size=16).hexdigest()


def hide_store(db: str | Path | None, *written: str | Path | None) -> Hidden:
    """What players are not shown: the store, or the one that commands use here, its key, and what is `written`."""
    file = store_file(str(db or default_url()))
    return hide_paths([file, file and f"{file}.key", *written])


@contextmanager
def open_keeper(contest: Contest, db: str | Path | None) -> Iterator[Keeper]:
    """Where the contest is kept: in the store `db`, or in memory alone."""
    if db is None:
        yield MemoryKeeper()
        return
    with open_store(db) as store:
        yield StoreKeeper(store, store.create(contest))
