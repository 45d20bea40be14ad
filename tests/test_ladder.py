"""`python -m bench.ladder`, and docs/reference/house-players.md, which holds what the files of the games say."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import bench.ladder
import pytest
from bench.interpreted import drop_slip, time_moves
from bench.ladder import LadderPool, list_ladders, measure_ladder, read_document, read_meetings, weigh_time
from bench.ladder_document import DOCUMENT, build_document, ladder_file, read_ladders, write_ladders

from fairplay.catalog import GAMES
from fairplay.core.game import Rung
from fairplay.match.players import describe_house
from fairplay.run.engines.pool import Inline

RUNGS = (
    Rung(1, "random", "Beginner", 1400.0, 1300.0, 1500.0, 0.01, 0.01),
    Rung(2, "greedy", "Master", 1600.0, None, None, 120.0, 12_000.0),
)


def test_the_document_holds_what_the_files_say() -> None:
    """After a measurement: ``python -m bench.ladder --write``; it writes both."""
    assert DOCUMENT.read_text("utf-8") == read_document()


@pytest.mark.parametrize("game", ["fish", "labyrinth", "trains"])
def test_ladders_are_in_order_and_can_be_played(game: str) -> None:
    for variant, rungs in read_ladders(ladder_file(game)).items():
        assert variant in GAMES[game].variants
        assert [rung.level for rung in rungs] == [*range(1, len(rungs) + 1)]
        for rung in rungs:
            describe_house(GAMES[game], rung.spec, 1)


@pytest.mark.parametrize("game", ["fish", "labyrinth", "trains"])
def test_levels_are_150_to_300_points_apart_and_five_have_names(game: str) -> None:
    for rungs in read_ladders(ladder_file(game)).values():
        ratings = [rung.rating for rung in rungs if rung.rating is not None]
        assert len(ratings) == len(rungs) >= 5
        assert all(150 <= above - below <= 300 for below, above in pairwise(ratings))
        assert [rung.name for rung in rungs if rung.name] == ["Beginner", "Easy", "Medium", "Hard", "Master"]


def test_files_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "ladder.json"
    assert read_ladders(file) == {}
    write_ladders(file, {"standard": RUNGS, "original": RUNGS[:1]})
    assert read_ladders(file) == {"standard": RUNGS, "original": RUNGS[:1]}
    assert len(file.read_text("utf-8").splitlines()) == 9


def test_the_page_of_two_rungs() -> None:
    page = build_document({"fish": {"standard": RUNGS}}, {"fish": {"standard": [Rung(0, "minimax")]}})
    assert "| 2 | Master | `greedy` | 1600 | 200 | 120 | over 10000 |" in page
    assert "| 1 | Beginner | `random` | 1400 [1300, 1500] |  | 0.01 | 0.01 |" in page
    assert "| `minimax` | not measured |  |" in page


def test_two_rungs_and_a_player_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.ladder, "measure_interpreted", lambda *given: 7.0)
    rungs, others = measure_ladder(Inline(), "fish", "standard", RUNGS, ["random", "minimax:depth=1"], matches=16)
    assert [(rung.level, rung.spec, rung.name) for rung in rungs] == [
        (1, "random", "Beginner"),
        (2, "greedy", "Master"),
    ]
    weak, strong = (rung.rating or 0 for rung in rungs)
    assert weak + 100 < strong
    assert [(other.level, other.spec) for other in others] == [(0, "minimax:depth=1")]
    assert sum(player.rating or 0 for player in (*rungs, *others)) == pytest.approx(4500, abs=2)
    assert all(rung.interpreted == 7.0 and rung.milliseconds for rung in rungs)


def test_matches_that_were_kept_are_not_played_again(tmp_path: Path) -> None:
    keep = tmp_path / "matches"
    pool = LadderPool(Inline(), "fish", "standard", ["random", "greedy"], keep=keep)
    pool.meet(0, 1, 2)
    pool.meet(0, 1, 3)
    kept = keep.read_bytes()
    again = LadderPool(Inline(), "fish", "standard", ["greedy", "minimax", "random"], keep=keep)
    again.meet(2, 0, 5)
    assert keep.read_bytes() == kept and len(kept.splitlines()) == 5
    assert [row.matches for row in again.table()] == [5, 0, 5]


def test_another_seed_deals_other_matches(tmp_path: Path) -> None:
    keep = tmp_path / "matches"
    for seed in (1, 2, 1):
        LadderPool(Inline(), "fish", "standard", ["random", "greedy"], seed=seed, keep=keep).meet(0, 1, 3)
    first, second = read_meetings(keep)[:3], read_meetings(keep)[3:]
    assert [each.seed for each in (*first, *second)] == [1, 1, 1, 2, 2, 2]
    assert [each.outcome for each in first] != [each.outcome for each in second]


def test_players_who_are_quick_meet_more_often() -> None:
    assert [weigh_time(milliseconds) for milliseconds in (0.1, 9.0)] == [4.0, 1.0]


@pytest.mark.parametrize(
    ("spec", "attentive"),
    [("random", "random"), ("s:slip=0.1", "s"), ("s:slip=0.1,n=2", "s:n=2"), ("s:n=2,slip=0.1,m=3", "s:n=2,m=3")],
)
def test_only_moves_that_were_thought_about_count(spec: str, attentive: str) -> None:
    assert drop_slip(spec) == attentive


def test_thinking_is_measured_in_some_moves() -> None:
    milliseconds = time_moves("fish", "standard", "minimax")
    assert milliseconds is not None and milliseconds > 0


def test_ladders_have_names() -> None:
    assert [*list_ladders(["fish/original", "trains"])] == [("fish", "original"), ("trains", "standard")]
    with pytest.raises(SystemExit, match="has no variant 'small'"):
        bench.ladder.main(["fish/small"])
