"""What strangers are told about a tournament."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from fairplay.web.tournaments.results import public_spec, variant_name
from web.contest_server import contest, played, served


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


def test_the_variant_of_a_tournament() -> None:
    assert variant_name(contest("random", "greedy")) == "standard"


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
