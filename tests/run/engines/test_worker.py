"""What a worker keeps from one match to the next."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from fairplay.contest.contest import Batch, Entrant, Match
from fairplay.core import Outcome
from fairplay.run.engines.worker import play_batch

BOT = "def choose(view): return {answer}\n"


def play_once(spec: str) -> Outcome:
    match = Match(0, 7, 0, (0, 1), (Entrant("bot", spec), Entrant("random", "random")), (1, 2))
    (result,) = play_batch(Batch("fish", msgspec.Raw(b'{"rows":4,"columns":4}'), 3.0, (match,)))
    return result.outcome


def detail(outcome: Outcome) -> str:
    assert outcome.faults[0] is not None
    return outcome.faults[0].detail


def test_a_bot_file_that_has_changed_is_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker of a cluster outlives the contest, and people edit their bots in between."""
    monkeypatch.chdir(tmp_path)
    for number, (answer, kind) in enumerate([("'hello'", "str"), ("None", "NoneType")]):
        Path("bot.py").write_text(BOT.format(answer=answer))
        os.utime("bot.py", (number, number))
        assert detail(play_once("bot.py")) == f"expected Place or Move, got {kind}"


@pytest.mark.parametrize("spec", ["bot.py", "isolated:bot.py"])
def test_a_bot_file_of_another_folder_is_another_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    for answer in ("nonsense", "rubbish"):
        folder = tmp_path / answer
        folder.mkdir()
        monkeypatch.chdir(folder)
        Path("bot.py").write_text(f"def choose(view): return {answer}\n")
        os.utime("bot.py", (1, 1))
        assert answer in detail(play_once(spec))
