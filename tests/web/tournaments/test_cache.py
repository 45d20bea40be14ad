"""What strangers are told about a tournament."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.web.tournaments.cache import name_played, public_spec
from web.contest_server import FISH, SMALL, contest, played, served


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("minimax:depth=2", "minimax:depth=2"),
        ("/home/ann/bot.py", "bot.py"),
        ("isolated:/home/ann/bot.py:choose", "bot.py"),
        ("trusted:/home/ann/bot.py:choose", "bot.py"),
        ("bot.py:choose", "bot.py"),
        ("cmd:/home/ann/run --key 5", "a program"),
    ],
)
def test_where_files_are_and_how_programs_are_called_is_not_told(spec: str, shown: str) -> None:
    assert public_spec(spec) == shown


@pytest.mark.parametrize(
    ("setup", "named"),
    [
        (SMALL, "standard (rows 4, columns 4)"),
        (FISH.quick, "quick (rows 5, columns 5)"),
        (FISH.variants["original"], "original"),
    ],
)
def test_what_was_played_is_named_truly(tmp_path: Path, setup: Any, named: str) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = store.create(replace(contest("random", "greedy"), setup=msgspec.Raw(msgspec.json.encode(setup))))
        told = client.get(f"/api/tournaments/{id}").json()
        assert (told["played"], told["variant"]) == (named, named.partition(" ")[0])
        assert f"of 2 players, {named}, started" in client.get(f"/tournaments/{id}").text


@pytest.mark.parametrize("game", ["chess", "fish"])
def test_setups_that_nobody_understands_differ(game: str) -> None:
    """Of a game that is not installed, or of another version."""
    names = [
        name_played(game, msgspec.Raw(setup)) for setup in (b'{"variant":"odd","x":1}', b'{"variant":"odd","x":2}')
    ]
    assert names[0].startswith("odd (#") and names[1].startswith("odd (#") and names[0] != names[1]


def test_matches_without_a_record_are_called_unproven(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = played(store, contest("random", "greedy", games=1))
        there = list(store.results(id, records=True))
        other = store.create(store.contest(id))
        store.add(other, [replace(there[0], record=b""), there[1]])
        store.finish(other, store.standings(id) or b"")
        assert [client.get(f"/api/tournaments/{each}").json()["unproven"] for each in (id, other)] == [0, 1]
        page = client.get(f"/tournaments/{other}").text
        assert "1 of 2 matches is unproven: without a record, nothing shows what was played." in page
        assert page.count("(unproven)") == 1
        assert "unproven" not in client.get(f"/tournaments/{id}").text
