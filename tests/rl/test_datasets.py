"""Data sets hold every decision of recorded matches as its seat saw it, and nothing that was no decision."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Entrant, Result
from fairplay.core import House, StoreError, Turn
from fairplay.core.chance import derived
from fairplay.match.packing import packed, unpacked
from fairplay.match.players import house_strategy
from fairplay.match.record import read_record
from fairplay.match.replay import record_match, replay_record
from fairplay.rl import datasets as turns
from fairplay.rl.datasets import export_turns
from fairplay.run.inline import play_inline

QUICK = {"fish": {"rows": 4, "columns": 4}, "trains": {"map": "tiny"}, "labyrinth": {}}


def contest_of(name: str, *entrants: str) -> Contest:
    """A contest of a small setup of a game."""
    setup = msgspec.json.encode(msgspec.convert(QUICK[name], GAMES[name].setup))
    listed = tuple(Entrant(f"{number}", entrant) for number, entrant in enumerate(entrants))
    return Contest(name, listed, "series", {}, msgspec.Raw(setup), 7, 3.0)


def play_match(contest: Contest, number: int, *line_up: int) -> Result:
    """A match of `contest`; the strategy `wrong` answers with something illegal when it is asked for the third time."""
    game, lines = GAMES[contest.game], list[bytes]()
    specs = tuple(contest.entrants[player][1] for player in line_up)
    players = [House(strategy(game, spec, derived(number, "player", seat))) for seat, spec in enumerate(specs)]
    setup = msgspec.json.decode(contest.setup, type=game.setup)
    outcome = play_inline(record_match(game, setup, number, specs, lines.append), players)
    return Result(number, line_up, number, outcome, packed(lines), 0.0)


def strategy(game: Any, spec: str, rng: Any) -> Any:
    if spec != "wrong":
        return house_strategy(game, spec, rng)
    first: list[Any] = []

    def choose(view: Any) -> Any:
        first.append(game.rules.legal_actions(view)[0])
        return first[0] if len(first) == 3 else first[-1]  # a tile on which a penguin stands

    return choose


def read(path: Path) -> tuple[dict[str, np.ndarray[Any, Any]], dict[str, Any]]:
    with np.load(path) as file:
        arrays = {name: file[name] for name in file}
    return arrays, json.loads(str(arrays.pop("fairplay")))


@pytest.mark.parametrize("name", QUICK)
def test_rows_are_the_decisions_of_the_records(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "CHUNK_BYTES", 100_000)  # so that matches go over the end of a chunk
    game, contest = GAMES[name], contest_of(name, "random", "random")
    results = [play_match(contest, number, 1, 0) for number in (3, 4)]
    done = export_turns(game, contest, results, 2, tmp_path / "turns.npz")
    arrays, about = read(tmp_path / "turns.npz")
    assert game.parts.numbers is not None
    assert (done.matches, done.unproven, about["version"]) == (2, 0, game.parts.numbers.VERSION)
    assert sum(channel["size"] for channel in about["channels"]) == about["observation"][-1]
    played = [
        (result.number, number, turn)
        for result in results
        for number, turn in enumerate(replay_record(game, read_record(unpacked(result.record))))
    ]
    assert {array.shape[0] for array in arrays.values()} == {done.turns} == {len(played)}
    assert [*zip(arrays["match"], arrays["turn"], strict=True)] == [(match, turn) for match, turn, _ in played]
    for row, (match, _, event) in enumerate(played):
        assert isinstance(event, Turn)
        view, encoding = game.rules.view(event.before, event.seat), game.parts.numbers.encoding_of(event.before)
        seen, mask = np.empty(encoding.shape, np.float32), np.empty(encoding.actions, np.int8)
        encoding.observe(view, seen)
        encoding.fill_mask(view, mask)
        assert (arrays["observation"][row] == seen).all() and (arrays["action_mask"][row] == mask).all()
        assert mask[arrays["action"][row]]
        assert encoding.action(int(arrays["action"][row]), view) == event.action
        outcome = results[match - 3].outcome
        assert (arrays["seat"][row], arrays["player"][row]) == (event.seat, 1 - event.seat)
        assert arrays["reward"][row] == (0 if len(outcome.winners) == 2 else 1 if event.seat in outcome.winners else -1)
        score = outcome.scores[event.seat]
        assert score is not None and arrays["score"][row] == score[0]


def test_an_illegal_answer_is_no_decision_but_costs_the_match(tmp_path: Path) -> None:
    contest = contest_of("fish", "random", "wrong", "random")
    result = play_match(contest, 1, 0, 1, 2)
    assert [fault is not None for fault in result.outcome.faults] == [False, True, False]
    export_turns(GAMES["fish"], contest, [result], 3, tmp_path / "turns.npz")
    arrays, _ = read(tmp_path / "turns.npz")
    wrong = arrays["seat"] == 1
    assert wrong.sum() == 2, "its two placements; the third answer was illegal"
    assert (arrays["reward"][wrong] == -1).all() and np.isnan(arrays["score"][wrong]).all()
    assert not np.isnan(arrays["score"][~wrong]).any()
    removed = arrays["observation"][..., -4:-1]  # own seat first
    assert removed[-1].any() and not removed[0].any()


def test_matches_without_records_and_of_other_sizes_are_left_out(tmp_path: Path) -> None:
    contest = contest_of("fish", "random", "random", "random")
    kept, bare, large = play_match(contest, 0, 0, 1), play_match(contest, 1, 1, 0), play_match(contest, 2, 0, 1, 2)
    bare = msgspec.structs.replace(bare, record=b"")
    done = export_turns(GAMES["fish"], contest, [kept, bare, large], 2, tmp_path / "turns.npz")
    assert (done.matches, done.unproven) == (1, 1)
    with pytest.raises(StoreError, match="none of these matches has a record"):
        export_turns(GAMES["fish"], contest, [bare], 2, tmp_path / "none.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["turns.npz"], "nothing half-written is left"


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    from pyarrow import parquet

    contest = contest_of("fish", "random", "greedy")
    results = [play_match(contest, 0, 0, 1)]
    export_turns(GAMES["fish"], contest, results, 2, tmp_path / "turns.npz")
    export_turns(GAMES["fish"], contest, results, 2, tmp_path / "turns.parquet")
    arrays, about = read(tmp_path / "turns.npz")
    table = parquet.read_table(tmp_path / "turns.parquet")
    assert json.loads(table.schema.metadata[b"fairplay"]) == about
    assert table.column_names == list(arrays)
    for name, array in arrays.items():
        column = table[name].combine_chunks()
        values = column.values if array.ndim > 1 else column
        assert (values.to_numpy() == array.reshape(-1)).all()
        assert values.to_numpy().dtype == array.dtype
