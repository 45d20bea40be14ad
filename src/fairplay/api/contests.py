"""Contests out of Python: checked before the first match, then played by the one thing that runs contests."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from fairplay.api.games import LoadedGame
from fairplay.api.players import PYTHON_KINDS
from fairplay.contest.contest import Contest, Entrant, Hidden, Stop
from fairplay.contest.planning import ContestTerms, Draw, Machine, plan
from fairplay.core import UsageError
from fairplay.run.bot_check import try_players
from fairplay.run.house_players import MAX_SECONDS, resolve_player
from fairplay.run.isolation.mounts import hide_paths
from fairplay.run.keeping import Keeper, MemoryKeeper, StoreKeeper
from fairplay.setups import draw_chance
from fairplay.store import default_url, open_store, store_file


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
    if matches is not None and matches < 1:
        raise UsageError("matches: expected at least 1")
    if think is not None and not 0 < think <= MAX_SECONDS:
        raise UsageError(f"think: expected more than 0 and at most {MAX_SECONDS} seconds")
    terms = ContestTerms(
        format=format,
        options=options,
        stop=Stop(matches),
        seed=seed,
        patience=patience,
        think=think,
        ponder=ponder,
        mark="",
    )
    draw = draw_chance()
    if seed is not None:
        draw = Draw(seed, derive_secret(seed))
    check = partial(try_players, hidden=hidden, kinds=PYTHON_KINDS)
    return plan(game.game, game.setup, entrants, terms, draw, Machine(resolve_player, check))


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
