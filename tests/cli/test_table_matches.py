"""Matches of the page are matches like all others: replayed, analysed, exported, imported, signed, in histories."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from msgspec import Raw

from fairplay.match.packing import match_name, unpacked
from fairplay.match.record import read_record
from fairplay.store import open_store
from fairplay.store.keys import open_keys
from fairplay.store.web.tables import Seated, plan_tables
from store.samples import CONTEST, sample_results

Fairplay = Callable[..., Result]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a signed match of a table, between a person and a house player, in a store."""
    monkeypatch.chdir(tmp_path)
    lines = unpacked(sample_results()[0].record)
    header = read_record(lines).header
    with open_store("fairplay.db") as store:
        account = store.accounts.admit("random")
        store.tables.open("abc", "fish", b"{}", contest=plan_tables("fish", Raw(CONTEST.setup), {"clock": 60.0}))
        store.tables.begin("abc", [Seated("random", "human", account), Seated("greedy", "greedy")], header.seed)
        contest = store.tables.get("abc").contest
        name = match_name(store.summary(contest).fingerprint, 0)
        signed = open_keys(Path("fairplay.db.key")).signer.sign_lines(lines, name)
        store.tables.add_lines([("abc", number, line) for number, line in enumerate([*lines, signed])])
        store.tables.close("abc", b"{}")
    return f"{contest}/0"


def test_it_is_replayed_verified_and_analysed(fairplay: Fairplay, kept: str) -> None:
    verified = fairplay("replay", kept, "--verify")
    assert verified.exit_code == 0 and "signed by" in verified.output
    assert fairplay("analyse", kept).exit_code == 0


def test_it_is_listed_shown_and_not_resumed(fairplay: Fairplay, kept: str) -> None:
    contest = kept.partition("/")[0]
    (listed,) = json.loads(fairplay("tournament", "list", "--json").output)["tournaments"]
    assert (listed["format"], listed["matches"]) == ("table", 1)
    shown = json.loads(fairplay("tournament", "show", contest, "--json").output)
    assert shown["tables"]["matches"] == 1
    assert kept in fairplay("tournament", "matches", contest).output
    refused = fairplay("tournament", "resume", contest)
    assert refused.exit_code == 2 and "`fairplay serve` goes on with it" in refused.output


def test_it_is_exported_and_believed_elsewhere(fairplay: Fairplay, kept: str) -> None:
    contest = kept.partition("/")[0]
    assert "1 match (1 signed)" in fairplay("tournament", "export", contest, "page.fairplay").output
    for new in (1, 0):
        taken = fairplay("tournament", "import", "page.fairplay", "--db", "other.db")
        assert taken.exit_code == 0 and f"{new} of 1 new here" in taken.output
    assert "0 of 1 new here" in fairplay("tournament", "import", "page.fairplay").output
    assert fairplay("replay", "other.db#1/0", "--verify").exit_code == 0


def test_its_turns_are_a_data_set(fairplay: Fairplay, kept: str) -> None:
    pytest.importorskip("numpy")
    written = fairplay("tournament", "export", kept.partition("/")[0], "turns.npz", "--turns")
    assert written.exit_code == 0 and "turns of 1 match" in written.output


def test_it_counts_for_an_account_and_a_house_player(kept: str) -> None:
    with open_store("fairplay.db") as store:
        assert {(player.player, player.spec, player.matches) for player in store.history.players("fish")} == {
            ("random", "human", 1),
            ("greedy", "greedy", 1),
        }
