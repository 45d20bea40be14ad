"""Kinds of entrant: by their spec, here and in every worker."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.contest.contest import Entrant, Kinds
from fairplay.contest.specs import connection_numbers
from fairplay.core import EngineError, House, UsageError
from fairplay.match.packing import unpacked
from fairplay.match.record import read_record
from fairplay.run.engines.pool import Cluster, Inline, Pool
from fairplay.run.entrants import seat_entrant
from fairplay.run.inline import WithDeadline
from fairplay.run.isolation.program import Program

from .contests import by_number, contest, wanted

NIM = GAMES["nim"]


UPPER = Kinds({"upper": "run.upper_layer:seat_upper"})
"""A kind of an upper layer, `upper:SPEC`, whose maker is in a module that workers can import."""


def test_a_spec_says_how_an_entrant_is_seated(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(view): return 42\n")
    assert isinstance(seat_entrant(NIM, "random")(Random(1)), House)
    assert seat_entrant(NIM, f"trusted:{bot}")(Random(1)).choose(None) == 42
    assert isinstance(seat_entrant(NIM, f"trusted:{bot}", 1.0)(Random(1)), WithDeadline)
    for spec in (str(bot), f"isolated:{bot}", "isolated:random", f"cmd:{sys.executable} {bot}"):
        player = seat_entrant(NIM, spec)(Random(1))
        assert isinstance(player, Program)
        player.close()


def test_a_wrong_spec_is_found_before_the_first_match() -> None:
    with pytest.raises(UsageError, match="nim has no strategy 'nobody'"):
        seat_entrant(NIM, "nobody")
    with pytest.raises(UsageError, match="there is no file"):
        seat_entrant(NIM, "isolated:nobody.py")


def test_a_connection_is_seated_by_the_server_alone() -> None:
    with pytest.raises(EngineError, match="resume it with --port"):
        seat_entrant(NIM, "connection:native")
    entrants = (Entrant("a", "random"), Entrant("b", "connection:native"), Entrant("c", "connection:established"))
    assert connection_numbers(replace(contest(), entrants=entrants)) == [1, 2]


def test_a_version_waits_for_a_league() -> None:
    with pytest.raises(UsageError, match="version:0f3a: versions are seated by a league"):
        seat_entrant(NIM, "version:0f3a")


def test_an_added_kind_is_seated_by_name() -> None:
    player = seat_entrant(NIM, "upper:random", 2.5, kinds=UPPER)(Random(1))
    assert isinstance(player, House)
    with pytest.raises(UsageError, match="nim has no strategy 'nobody'"):
        seat_entrant(NIM, "upper:nobody", kinds=UPPER)
    with pytest.raises(UsageError, match="no strategy 'upper'"):
        seat_entrant(NIM, "upper:random")
    with pytest.raises(UsageError, match="no strategy 'lower'"):
        seat_entrant(NIM, "lower:random")


@pytest.mark.parametrize("engine", [Inline(kinds=UPPER), Pool(2, kinds=UPPER)], ids=["inline", "pool"])
def test_workers_seat_an_added_kind_too(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))  # where spawned workers find the upper layer
    check_engine(engine)


@pytest.mark.filterwarnings("ignore")
def test_workers_of_a_cluster_seat_an_added_kind_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    check_engine(Cluster(None, 1, kinds=UPPER))


def check_engine(engine: Any) -> None:
    upper, plain = contest("upper:random", "greedy"), contest("random", "greedy")
    with engine:
        found = by_number(list(engine.results(upper, wanted(upper, 20))))
    expected = by_number(list(Inline().results(plain, wanted(plain, 20))))
    assert [outcome for _, outcome, _ in found] == [outcome for _, outcome, _ in expected]
    assert read_record(unpacked(found[0][2])).header.players == ("player 0", "player 1")
