"""Tables are found by player, game and time, and never by reading all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.dialects import sqlite

from fairplay.store import open_store
from fairplay.store.schema import table_players, tables
from fairplay.store.store import Store
from fairplay.store.web.table_players import TableFilter, select_newest
from fairplay.store.web.tables import COLUMNS


def find(store: Store, beginning: str, **more: object) -> list[str]:
    """The tables of all whose names begin so."""
    keys = tuple(store.tables.player_keys(beginning, 20))
    return [table.id for table in store.tables.newest(TableFilter(players=keys, **more))]  # type: ignore[arg-type]  # as given


def add(store: Store, id: str, game: str, *names: str) -> None:
    store.tables.open(id, game, b"{}", players=names)


def test_tables_are_found_by_how_a_name_begins_whatever_its_case(store: Store) -> None:
    add(store, "a", "fish", "Robin", "easy")
    add(store, "b", "trains", "ROBERTA", "easy 2")
    add(store, "c", "fish", "Straße", "Kim")
    assert find(store, "rob") == ["b", "a"]
    assert find(store, "ｒｏｂｉｎ ") == ["a"]
    assert find(store, "STRASSE") == ["c"]
    assert find(store, "obin") == find(store, "robins") == []
    assert find(store, "easy") == ["b", "a"], "each once, in the order of their time"


def test_names_begin_alike_by_their_characters_and_by_no_other_order(store: Store) -> None:
    """Some databases would put 'e b' behind 'ea', and ignore the hyphen."""
    for number, name in enumerate(("e", "e-b", "e b", "ea", "é", "f", "𝛼e")):
        add(store, str(number), "fish", name)
    assert store.tables.player_keys("e", 9) == ["e", "e b", "e-b", "ea"]
    assert store.tables.player_keys("e", 2) == ["e", "e b"]
    assert store.tables.player_keys("e-", 9) == ["e-b"]
    assert store.tables.player_keys("é", 9) == ["é"]


@pytest.mark.parametrize("beginning", ["%", "_", "'", "\\", "\0x", "\U0010ffff", "x" * 60])
def test_a_beginning_is_no_pattern(store: Store, beginning: str) -> None:
    add(store, "a", "fish", "Robin")
    assert find(store, beginning) == []


def test_tables_of_a_player_are_found_by_game_and_time_and_whether_they_run(store: Store) -> None:
    for id, game in (("a", "fish"), ("b", "trains"), ("c", "fish"), ("d", "fish")):
        add(store, id, game, "Robin", "Kim")
    add(store, "e", "fish", "Kim")
    store.tables.close("c", b"{}")
    assert find(store, "robin") == ["d", "c", "b", "a"]
    assert find(store, "robin", game="fish") == ["d", "c", "a"]
    assert find(store, "robin", running=True) == ["d", "b", "a"]
    assert find(store, "robin", running=True, game="trains") == ["b"]
    assert find(store, "robin", running=False) == ["c"]
    assert find(store, "robin", limit=2) == ["d", "c"]
    created = {id: store.tables.get(id).created for id in "abcd"}
    assert find(store, "robin", before=created["c"], limit=1) == ["b"]
    assert find(store, "robin", since=created["b"], before=created["d"]) == ["c", "b"]


def test_a_player_is_found_by_the_newest_name(store: Store) -> None:
    add(store, "a", "fish", "guest 1", "Kim")
    store.tables.change("a", b"{}", players=["Robin", "Kim"])
    assert (find(store, "guest"), find(store, "robin"), find(store, "kim")) == ([], ["a"], ["a"])
    store.tables.change("a", b"[]")
    assert find(store, "robin") == ["a"]


def test_nothing_is_left_of_the_players_of_a_table_that_never_was(store: Store) -> None:
    add(store, "a", "fish", "Robin")
    store.tables.discard("a")
    assert store.tables.player_keys("", 9) == []
    with store.database.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(table_players)).scalar_one() == 0


@pytest.mark.parametrize("running", [None, True, False])
@pytest.mark.parametrize("game", [None, "fish"])
@pytest.mark.parametrize("players", [None, ("kim",), ("kim", "robin")])
@pytest.mark.parametrize("before", [None, 5.0])
def test_no_search_reads_all_tables(
    tmp_path: Path, running: bool | None, game: str | None, players: tuple[str, ...] | None, before: float | None
) -> None:
    """SQLite says how it would search: each time it begins at the right place of an index, and ends with the limit.

    PostgreSQL plans by what its tables hold.
    """
    query = select_newest(COLUMNS, TableFilter(running=running, game=game, players=players, before=before))
    words = str(query.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
    with open_store(tmp_path / "store.db") as store, store.database.engine.connect() as connection:
        plan = [row.detail for row in connection.execute(text(f"EXPLAIN QUERY PLAN {words}"))]
    steps = [step for step in plan if f" {tables.name}" in step or f" {table_players.name}" in step]
    first = steps[0]
    if running:
        assert "tables_running" in first, plan
    elif players:
        assert f"{table_players.name}_{'of_game' if game else 'newest'} (key=?" in first, plan
    else:
        assert ("tables_of_game (game=?" if game else "tables_newest") in first, plan
    assert all("SCAN" not in step for step in steps[1:]), plan
