"""What a worker keeps from one match to the next, and what answers take, measured beside the match."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.contest.contest import Batch, Effort, Entrant, Match
from fairplay.core import House, Outcome, SeatInfo, UsageError
from fairplay.run.engines.worker import (
    ALL_MEASURED,
    ONE_OF,
    Meter,
    Sample,
    measure_effort,
    meter_players,
    play_batch,
    play_matches,
)
from fairplay.run.entrants import BotSeating
from fairplay.run.isolation.program import Program
from run.programs import command_line, without_sandbox

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
    for number, (answer, kind) in enumerate([("5.5", "float"), ("None", "None; did you forget `return`?")]):
        Path("bot.py").write_text(BOT.format(answer=answer))
        os.utime("bot.py", (number, number))
        assert detail(play_once("trusted:bot.py")) == f"expected Place or Move, got {kind}"


@pytest.mark.parametrize("spec", ["bot.py", "trusted:bot.py"])
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


LOADED = """
import os
from fairplay.games.fish.rules import legal_actions
with open({log!r}, "a") as file: print(os.getpid(), file=file)
def choose(view): return legal_actions(view)[0]
"""


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot that tells when it is loaded, which it cannot do in a sandbox."""
    without_sandbox(monkeypatch)
    (tmp_path / "bot").mkdir()
    path = tmp_path / "bot" / "bot.py"
    path.write_text(LOADED.format(log=str(tmp_path / "log")))
    return path


def batch_of(count: int, *specs: str) -> Batch:
    entrants = tuple(Entrant(spec, spec) for spec in specs)
    matches = (Match(number, 7 + number, number, (0, 1), entrants, (1, number)) for number in range(count))
    return Batch("fish", msgspec.Raw(b'{"rows":4,"columns":4}'), 60.0, tuple(matches))


def test_81_interpreters_for_the_next_match_start_while_one_is_played_but_no_bot_is_loaded(
    bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Program] = []
    begin = BotSeating.__call__

    def remember(self: BotSeating, rng: Random, info: SeatInfo) -> Program:
        started.append(begin(self, rng, info))
        return started[-1]

    monkeypatch.setattr(BotSeating, "__call__", remember)
    batch, seen = batch_of(3, str(bot), str(bot)), list[tuple[int, int]]()

    def notice(*_: object) -> None:
        seen.append((len(started), len((tmp_path / "log").read_text().split())))

    results = [*play_matches([(batch, match) for match in batch.matches], notice)]
    assert seen == [(4, 2), (6, 4), (6, 6)], "processes that were started, and bots that were loaded, by match"
    assert len({program.child.pid for program in started}) == 6, "each match has processes of its own"  # type: ignore[union-attr]  # they were started
    alone = [play_batch(replace(batch, matches=(match,)))[0] for match in batch.matches]
    assert [(each.number, each.outcome, each.record) for each in results] == [
        (each.number, each.outcome, each.record) for each in alone
    ]


def test_81_what_was_started_early_is_ended_when_nobody_wants_the_next_match(bot: Path) -> None:
    batch = batch_of(5, str(bot), "greedy")
    results = play_matches((batch, match) for match in batch.matches)
    assert next(results).number == 0
    assert find_processes(str(bot))
    results.close()  # type: ignore[attr-defined]  # it is a generator
    assert not find_processes(str(bot))


def test_what_cannot_be_started_early_is_told_when_its_match_begins(bot: Path) -> None:
    first, second = batch_of(1, str(bot), "greedy"), batch_of(1, "missing.py", "greedy")
    results = play_matches([(first, first.matches[0]), (second, second.matches[0])])
    assert next(results).outcome.faults == (None, None)
    with pytest.raises(UsageError, match=r"there is no file missing.py"):
        next(results)


def find_processes(argument: str) -> list[bytes]:
    """The processes that have `argument` in their command line."""
    return [line for line in map(command_line, Path("/proc").iterdir()) if argument.encode() in line]


def test_every_answer_counts_also_one_that_fails() -> None:
    ticks = count(0, 1_000_000)

    def choose(view: int) -> int:
        return 10 // view

    meter = Meter(choose, lambda: next(ticks))
    assert [meter.choose(view) for view in (1, 2)] == [10, 5]
    with suppress(ZeroDivisionError):
        meter.choose(0)
    assert measure_effort(None, meter) == Effort(3, 0.003)


def test_players_of_this_process_are_measured_and_play_the_same() -> None:
    player = House(lambda view: view + 1)
    (meter, none) = meter_players([player, object()])
    assert none is None and meter is not None
    assert (player.choose(1), meter.answers) == (2, 1)
    assert measure_effort(object(), None) is None


def test_the_first_matches_and_then_a_sample_are_measured() -> None:
    sample = Sample()
    measured = [number for number in range(10 * ONE_OF) if sample.takes(number, ["ann", "bob"])]
    assert measured == [*range(ALL_MEASURED), *range(ONE_OF, 10 * ONE_OF, ONE_OF)]


def test_a_player_who_comes_late_is_measured_all_the_same() -> None:
    sample = Sample()
    assert sample.takes(0, ["ann", "bob"]) and not sample.takes(17, ["ann", "bob"])
    assert sample.takes(18, ["ann", "carl"]) and not sample.takes(19, ["carl", "bob"])


def test_efforts_of_matches_add_up() -> None:
    assert Effort(2, 1.0, start=0.5) + Effort(3, 2.0, start=0.25) == Effort(5, 3.0, start=0.75)
    assert (Effort(0, 0.0, "wall") + Effort(1, 2.0)).clock == "wall"
