"""`fairplay tournament export` and `import`: what of a tournament is consistent, signed or unproven."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from msgspec.structs import replace

from fairplay.cli.tournament.files import choose_seats
from fairplay.contest.contest import Stop
from fairplay.core import StoreError, UsageError
from fairplay.match.packing import compress_lines, decompress_lines
from fairplay.store import open_store

Fairplay = Callable[..., Result]

SMALL = ("--setup", '{"rows": 4, "columns": 4}')
RUN = ("tournament", "run", "fish", "random", "greedy", *SMALL, "--games", "2", "--jobs", "1")
TURNS = ("1", "turns.npz", "--turns")


@pytest.fixture(autouse=True)
def _no_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FAIRPLAY_DB", "FAIRPLAY_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_a_tournament_moves_with_its_signatures(fairplay: Fairplay) -> None:
    fairplay(*RUN)
    key = fairplay("keys", "show").output.strip()
    assert fairplay("tournament", "export", "1", "first.fairplay").output == (
        "tournament 1, 4 matches (4 signed), written to first.fairplay\n"
    )
    Path("published.txt").write_text(f"{key}\n")
    taken = fairplay("tournament", "import", "first.fairplay", "--db", "other.db", "--public-key", "published.txt")
    assert taken.output == (
        f"tournament 1: 4 matches consistent; 4 of 4 new here\n  4 signed by {key} (the key that you named)\n"
    )
    assert f"signed by {key} (unknown" in fairplay("replay", "other.db#1/0", "--verify").output
    report = json.loads(fairplay("tournament", "import", "first.fairplay", "--db", "third.db", "--json").output)
    assert report == {
        "schema": "fairplay.import/1",
        "db": "third.db",
        "id": 1,
        "matches": 4,
        "new": 4,
        "unproven": 0,
        "signed": {key: 4},
        "exposed": 0,
        "consistent": 4,
        "own_keys": [],
    }
    refused = fairplay("tournament", "import", "first.fairplay", "--db", "fourth.db", "--public-key", "0a" * 32)
    assert refused.exit_code == 1
    assert f"match 0 is signed by {key}; expected a signature of a key that was named" in refused.output


def invent(fairplay: Fairplay, change: Callable[[bytes, int], bytes]) -> None:
    """Export a tournament of which the records were changed; `change` takes a record and the number of its match."""
    fairplay(*RUN)
    with open_store("fairplay.db") as true, open_store("invented.db") as invented:
        results = list(true.results(1, records=True))
        id = invented.create(replace(true.contest(1), stop=Stop(4)))
        invented.add(id, [replace(each, record=change(each.record, each.number)) for each in results])
    fairplay("tournament", "export", "1", "invented.fairplay", "--db", "invented.db")


def without_signature(record: bytes) -> bytes:
    return compress_lines(decompress_lines(record).rpartition(b"\n")[0] + b"\n")


def test_invented_results_are_unproven_and_stay_so(fairplay: Fairplay) -> None:
    invent(fairplay, lambda record, number: without_signature(record) if number == 0 else b"")
    taken = fairplay("tournament", "import", "invented.fairplay", "--db", "other.db")
    assert taken.exit_code == 0
    assert taken.output == (
        "tournament 1: 1 match consistent, 3 without a record (unproven); 4 of 4 new here\n"
        "  1 not signed: they follow from the rules, but nothing shows who played them\n"
    )
    sentence = "3 of 4 matches are unproven: without a record, nothing shows what was played."
    shown = fairplay("tournament", "show", "1", "--db", "other.db", "--report", "page.html")
    assert sentence in shown.output
    assert sentence in Path("page.html").read_text() and "Consistent, not signed." in Path("page.html").read_text()
    assert json.loads(fairplay("tournament", "show", "1", "--db", "other.db", "--json").output)["unproven"] == 3
    assert (
        "(0 signed, 3 unproven (no record))"
        in fairplay("tournament", "export", "1", "again.fairplay", "--db", "other.db").output
    )
    refused = fairplay("tournament", "import", "invented.fairplay", "--db", "strict.db", "--public-key", "0a" * 32)
    assert refused.exit_code == 1
    assert "match 0 is not signed; expected a signature of a key that was named" in refused.output


def test_a_signed_record_cannot_stand_for_a_match_of_another_tournament(fairplay: Fairplay) -> None:
    invent(fairplay, lambda record, number: record)
    result = fairplay("tournament", "import", "invented.fairplay", "--db", "other.db")
    assert result.exit_code == 1
    assert "match 0: its signature is of another match" in result.output


def test_turns_are_written_as_a_data_set(fairplay: Fairplay) -> None:
    fairplay(*RUN)
    done = fairplay("tournament", "export", "1", "turns.npz", "--turns")
    with np.load("turns.npz") as turns:
        count = len(turns["action"])
        assert turns["observation"].shape == (count, 4, 4, 12)
    assert done.output == f"{count} turns of 4 matches (fish_v0), written to turns.npz\n"
    report = json.loads(fairplay("tournament", "export", "1", "turns.parquet", "--turns", "--json").output)
    assert (report["schema"], report["seats"], report["turns"]) == ("fairplay.turns/1", 2, count)


def test_what_cannot_be_a_data_set_is_refused(fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch) -> None:
    fairplay(*RUN)

    def refuse(code: int, message: str, *arguments: str) -> None:
        result = fairplay("tournament", "export", *arguments)
        assert (result.exit_code, message in result.output) == (code, True), result.output

    refuse(2, "turns.csv: expected a name that ends in .npz or .parquet", "1", "turns.csv", "--turns")
    refuse(2, "--seats works with --turns only", "1", "turns.fairplay", "--seats", "2")
    refuse(2, "no match of this tournament has 3 seats; there are matches with 2", *TURNS, "--seats", "3")
    refuse(1, "cannot be written", "1", "missing/turns.npz", "--turns")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    refuse(2, "install pyarrow: pip install pyarrow", "1", "turns.parquet", "--turns")
    assert not list(Path().glob("turns*"))
    with pytest.raises(UsageError, match=r"these matches have 2 and 4 seats, .* add --seats"):
        choose_seats([2, 4, 2], None)
    assert choose_seats([2, 4, 2], 4) == 4
    with pytest.raises(StoreError, match="no matches yet"):
        choose_seats([], None)
