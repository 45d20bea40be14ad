"""What a bot file can do to the referee from its own process: nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Entrant, Requirement, Result
from fairplay.contest.schedule import schedule_of
from fairplay.core import EngineError
from fairplay.match.packing import unpacked
from fairplay.match.record import read_record
from fairplay.run.engines.pool import Inline
from fairplay.run.isolation.sandbox import FoundLevel

FISH = GAMES["fish"]

STEAL = """
import gc, sys
from fairplay.core import House
from fairplay.games.fish.rules import legal_actions

def break_rivals(view):
    raise RuntimeError

def choose(view):
    frame = sys._getframe()
    while frame is not None:
        for value in [*frame.f_locals.values(), *gc.get_objects()]:
            if type(value) is House and choose not in getattr(value.choose, "args", ()):  # it is not my own
                value.choose = break_rivals
            if type(value).__name__ == "generator" and value.gi_frame and "state" in value.gi_frame.f_locals:
                raise RuntimeError("SAW THE STATE")
        frame = frame.f_back
    return legal_actions(view)[0]
"""
"""Looks for other players to break, and for the referee's generator."""


def play(spec: str, require: Requirement = "") -> list[Result]:
    contest = Contest(
        game="fish",
        entrants=(Entrant("thief", spec), Entrant("house", "random")),
        format="series",
        options={"games": 2},
        setup=msgspec.Raw(b'{"rows":3,"columns":3}'),
        seed=5,
        patience=60.0,
        deals="fresh",
        secret="0" * 32,
        require=require,
    )
    with Inline() as engine:
        return list(engine.results(contest, schedule_of(contest, FISH.seats).next_matches(contest)))


@pytest.fixture
def thief(tmp_path: Path) -> str:
    (tmp_path / "thief.py").write_text(STEAL)
    return str(tmp_path / "thief.py")


def test_82_a_bot_that_reaches_for_the_referee_finds_nobody(thief: str) -> None:
    for result in play(thief):
        assert result.outcome.faults == (None, None)
        assert read_record(unpacked(result.record)).header.levels[1] == "house"


def test_a_trusted_one_does(thief: str) -> None:
    """What the level says: this protects against mistakes, not against malice."""
    for result in play(f"trusted:{thief}"):
        assert any(result.outcome.faults)
        assert read_record(unpacked(result.record)).header.levels == ("trusted", "house")


def test_87_a_worker_without_a_sandbox_refuses_what_requires_one(thief: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: Any = FoundLevel("process", "bubblewrap is not installed")
    for module in ("isolation.sandbox", "isolation.program", "entrants"):
        monkeypatch.setattr(f"fairplay.run.{module}.find_level", lambda: found)
    with pytest.raises(EngineError, match=r"requires players to be sandboxed, .* bubblewrap is not installed"):
        play(thief, "sandboxed")
