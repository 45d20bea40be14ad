"""Tournaments to look at, in the store of a web server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import msgspec

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Entrant
from fairplay.contest.scoreboard import tables_of
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Inline
from fairplay.run.keeping import StoreKeeper
from fairplay.store.store import Store
from fairplay.web.http.limits import Settings
from web.servers import PATIENT, TOKEN, inside

OWNER = {"Authorization": f"Bearer {TOKEN}"}
FISH = GAMES["fish"]
SMALL = msgspec.structs.replace(next(iter(FISH.variants.values())), rows=4, columns=4)


@contextmanager
def served(path: Path, settings: Settings = PATIENT) -> Iterator[tuple[httpx.Client, Store]]:
    """A visitor of the server over the store in the file `path`, until the block ends; the owner if it has no token."""
    headers = {} if settings.token else OWNER
    owned = msgspec.structs.replace(settings, token=TOKEN)
    with inside(path, owned) as site, site.client(headers=headers) as client:
        yield client, site.services[Store]


def contest(
    *players: str | tuple[str, str], game: str = "fish", format: str = "round-robin", seed: int = 1, **options: Any
) -> Contest:
    entrants = tuple(Entrant(each, each) if isinstance(each, str) else Entrant(*each) for each in players)
    setup = SMALL if game == "fish" else GAMES[game].quick
    encoded = msgspec.Raw(msgspec.json.encode(setup))
    return Contest(game, entrants, format, options, encoded, seed, 3.0, matched=True)


def played(store: Store, contest: Contest) -> int:
    """The number of the contest, played to its end in this process."""
    id = store.create(contest)
    for _ in Competition(GAMES[contest.game], contest, StoreKeeper(store, id)).results(Inline()):
        pass
    return id


def table_of(store: Store, id: int) -> Any:
    """The tables that the matches of a contest give, as JSON has them."""
    tables, _ = tables_of(store.contest(id), store.results(id), FISH.seats)
    return msgspec.json.decode(msgspec.json.encode(tables))


def until(client: httpx.Client, id: int, *statuses: str, matches: int = 0, seconds: float = 120) -> Any:
    """What the API says about a tournament once it has such a status, and so many matches."""
    deadline = monotonic() + seconds
    while monotonic() < deadline:
        now = client.get(f"/api/tournaments/{id}").json()
        if now["status"] in statuses and now["matches"] >= matches:
            return now
        sleep(0.1)
    raise AssertionError(f"it is still {now['status']} with {now['matches']} matches")
