"""While a tournament runs, strangers see of its finished matches what the public saw, and nothing of their deals.

The same deal is played again with the seats changed: a player who could look would know hidden cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from fairplay.catalog import GAMES
from fairplay.contest.contest import Result
from fairplay.core import Fault, FaultKind
from fairplay.core.chance import derived_seed
from fairplay.match.packing import unpacked
from fairplay.match.record import read_record
from fairplay.store.store import Store
from fairplay.web.sharing.maker import CACHE_BYTES, ByteCache, PictureMaker
from kit import kit
from web.contest_server import OWNER, contest, played, served
from web.disguise import bytes_of, disguised
from web.servers import PATIENT, TOKEN, Inside, inside, wait_until

SEED = 7_193_847_561_023
WORDS = "I hold nothing but red cards"
GUARDED = replace(PATIENT, token=TOKEN)
RESULT = re.compile(rb"(?:points|treasures) <b>-?[0-9]+</b>|\"(?:points|treasures)\",\"-?[0-9]+\"")
"""How a match ended is told to everybody, and the disguise changes it."""


PICTURES = ("picture.svg", "card.png", "moments/1/picture.png")
"""Animations are made from the record, which cannot be disguised: `sharing/test_api.py` looks at them."""


@dataclass
class Unfinished:
    """A tournament of which the first rotation of the first deal was played, and the same one to its end."""

    site: Inside
    game: str
    id: int
    first: Result
    after: int

    @property
    def match(self) -> str:
        return f"{self.id}-{self.first.number}"

    @property
    def secrets(self) -> list[bytes]:
        numbers = (SEED, derived_seed(SEED, "deal", self.first.deal))
        return [form.encode() for number in numbers for form in (str(number), f"{number:x}")]


@pytest.fixture(params=["trains", "labyrinth", "fish"])
def unfinished(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Unfinished]:
    game = request.param
    with inside(tmp_path / "store.db", GUARDED) as site:
        store = site.services[Store]
        plan = contest(*[*GAMES[game].players.strategies][:2], game=game, seed=SEED, games=1)
        first = next(iter(store.results(whole := played(store, plan), records=True)))
        id = store.create(plan)
        store.add(id, [first])
        yield Unfinished(site, game, id, first, whole)


def paths(now: Unfinished) -> list[str]:
    """Every page, picture and answer about the match and its tournament, whether it is given or refused."""
    ways = ("", "as=public", "as=all", "as=0", "as=1")
    names = (now.match, f"0{now.id}-{now.first.number}", f"{now.id}-00{now.first.number}")
    about = [f"{start}/{name}?{way}" for start in ("/matches", "/api/matches") for name in names for way in ways]
    for number in (0, 1, 3, 9_999):
        about += [f"/matches/{name}?turn={number}" for name in names]
        about += [
            f"/api/matches/{name}/moments/{number}{rest}?{way}"
            for name in names
            for rest in ("", "/picture.svg")
            for way in ways
        ]
    about += [f"/api/matches/{name}/{each}" for name in names for each in ("record", "result", "review", "share")]
    about += [f"/api/matches/{name}/{each}" for name in names for each in PICTURES]
    about += [f"/embed/{name}{turn}" for name in names for turn in ("", "?turn=0", "?turn=9999")]
    of_it = ("", "/matches", "/table.csv", "/export")
    about += [f"{start}/{now.id}{rest}" for start in ("/tournaments", "/api/tournaments") for rest in of_it]
    players = [
        f"{start}/{now.game}/{name}"
        for start in ("/players", "/api/players")
        for name in GAMES[now.game].players.strategies
    ]
    return [*about, *players, "/", "/matches", "/tournaments", "/api/tournaments", "/players", "/api/players"]


def everything(now: Unfinished, headers: dict[str, str]) -> dict[str, bytes]:
    """All bytes that reach somebody with these headers, by where they come from."""
    with now.site.client(headers=headers) as client:
        found = {path: RESULT.sub(b"", bytes_of(client.get(path))) for path in paths(now)}
    for path in (f"/api/matches/{now.match}/live", f"/api/tournaments/{now.id}/live"):
        with now.site.socket(path, headers=headers, max_size=None) as feed:
            try:
                found[path] = str(feed.recv(20)).encode()
            except ConnectionClosed as closed:
                found[path] = repr(closed).encode()
    return found


def look_twice(now: Unfinished, headers: dict[str, str]) -> list[str]:
    """Where it shows that everything was changed that the public may not know."""
    registry, pictures = now.site.registry, now.site.services[PictureMaker]
    real = everything(now, headers)
    timelines = {id: disguised(timeline, None, Random(9)) for id, timeline in registry._timelines.items()}
    assert len(timelines) == 3, "one for each way to write the name"
    now.site.call(lambda: registry._timelines.update(timelines))
    pictures.cache = ByteCache(CACHE_BYTES)  # or both looks would be at the same pictures
    changed = everything(now, headers)
    return [where for where in real if real[where] != changed[where]]


def test_nothing_that_is_hidden_changes_a_byte(unfinished: Unfinished) -> None:
    assert look_twice(unfinished, {}) == []
    everywhere = everything(unfinished, {})
    given = [where for where, body in everywhere.items() if body.startswith(b"200") and unfinished.match in where]
    assert len(given) > 15 and any("picture.svg" in where for where in given)
    assert not [where for where in given if "as=all" in where or "as=0" in where or "record" in where]
    for where, body in everywhere.items():
        assert not [secret for secret in unfinished.secrets if secret in body], where


def test_the_owner_sees_everything(unfinished: Unfinished) -> None:
    changed = look_twice(unfinished, OWNER)
    hides = kit(unfinished.game).hides
    assert any("as=all" in where for where in changed) == any("as=0" in where for where in changed) == hides
    with unfinished.site.client(headers=OWNER) as owner:
        lines = owner.get(f"/api/matches/{unfinished.match}/record").raise_for_status().content
        assert lines == b"".join(unpacked(unfinished.first.record))
        assert 'id="record" href' in (page := owner.get(f"/matches/{unfinished.match}").text)
        assert "download hidden" not in page and "disabled" not in page.split('id="viewer"')[1].split("</select>")[0]


def test_it_is_refused_in_words(unfinished: Unfinished) -> None:
    with unfinished.site.client() as client:
        path = f"/api/matches/{unfinished.match}"
        answers = {"/record": 409, "?as=all": 403, "?as=0": 403, "/moments/0?as=1": 403}
        for rest, status in answers.items():
            answer = client.get(path + rest)
            assert (answer.status_code, "tournament is finished" in answer.json()["error"]) == (status, True), rest
        now = client.get(path).raise_for_status().json()
        assert (now["viewers"], now["viewer"], now["presence"]["status"]) == (["public"], "public", "over")
        page = client.get(f"/matches/{unfinished.match}").raise_for_status().text
        assert "download hidden" in page and "tournament is finished" in page
        assert page.split('id="viewer"')[1].split("</select>")[0].count("disabled") == 3


def test_when_the_tournament_is_over_there_are_no_secrets(unfinished: Unfinished) -> None:
    store = unfinished.site.services[Store]
    with unfinished.site.client() as client:
        path = f"/api/matches/{unfinished.match}"
        assert client.get(f"{path}/moments/0?as=all").status_code == 403
        store.add(unfinished.id, store.results(unfinished.after, records=True))
        assert client.get(f"{path}/record").status_code == 409, "all are played, but nobody has said so"
        store.finish(unfinished.id, store.standings(unfinished.after) or b"")
        for rest in ("?as=all", "?as=0", "/moments/0?as=all", "/moments/1/picture.svg?as=1"):
            assert client.get(path + rest).status_code == 200
        record = read_record(client.get(f"{path}/record").raise_for_status().content.splitlines(keepends=True))
        assert record.header.seed == derived_seed(SEED, "deal", 0)
        assert "download hidden" not in client.get(f"/matches/{unfinished.match}").text
        wait_until(lambda: client.get(f"/api/tournaments/{unfinished.id}").json()["seed"] == SEED)


def with_last_words(store: Store) -> int:
    """An unfinished tournament in which a player was thrown out, saying what it held."""
    plan = contest("random", "greedy", games=1)
    first = next(iter(store.results(played(store, plan))))
    faults = (None, Fault(FaultKind.CRASHED, WORDS))
    id = store.create(plan)
    store.add(id, [replace(first, outcome=replace(first.outcome, faults=faults))])
    return id


def test_last_words_are_told_to_strangers_when_all_is_over(tmp_path: Path) -> None:
    with served(tmp_path / "store.db", GUARDED) as (client, store):
        id = with_last_words(store)
        for path in ("/players/fish/greedy", "/api/players/fish/greedy"):
            answer = client.get(path).raise_for_status().text
            assert WORDS not in answer and "crashed" in answer
            assert WORDS in client.get(path, headers=OWNER).text
        store.finish(id, msgspec.json.encode({}))
        for path in ("/players/fish/greedy", "/api/players/fish/greedy"):
            assert WORDS in client.get(path).text
