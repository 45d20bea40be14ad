"""Matches out of Python: who may play, what comes back, and what is written."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import fairplay as fp
from fairplay.api.contests import OBJECTS
from fairplay.cli import root
from toy_thinker import TOYS, record_toys

FISH = fp.load("fish", rows=4, columns=5)

BOT = "from fairplay.games.fish import rules\n\n\ndef choose(view):\n    return rules.legal_actions(view)[0]\n"


def first(view: Any) -> Any:
    return FISH.legal_actions(view)[0]


def by_chance(view: Any, rng: Random) -> Any:
    actions = FISH.legal_actions(view)
    return actions[rng.getrandbits(16) % len(actions)]


def crash(view: Any) -> Any:
    raise ValueError("no idea")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder that is the current one, and stays empty unless a test asks for more."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    yield tmp_path


def test_house_players_functions_files_and_programs_play(folder: Path) -> None:
    bot = folder / "bot.py"
    bot.write_text(BOT, "utf-8")
    match = fp.play(FISH, ["greedy", first, bot, "bot.py:choose"], seed=7, patience=60)
    assert match.players == ("greedy", "first", str(bot), "bot.py:choose")
    assert match.levels[:2] == ("house", "trusted") and {*match.levels[2:]} <= {"sandboxed", "process"}
    assert match.outcome.faults == (None,) * 4 and match.winners and not OBJECTS
    trusting = fp.play(FISH, {"one": bot, "two": "minimax:depth=1"}, seed=7, trust=True)
    assert (trusting.players, trusting.levels) == (("one", "two"), ("trusted", "house"))
    assert [*folder.iterdir()] == [bot]


def test_the_same_seed_gives_the_same_match() -> None:
    one, other = (fp.play(FISH, [by_chance, "random"], seed=5) for _ in range(2))
    assert one == other and one.lines == other.lines and one != fp.play(FISH, [by_chance, "random"], seed=6)
    assert fp.play(FISH, [by_chance, "random"]).seed != fp.play(FISH, [by_chance, "random"]).seed
    assert one.record.header.seed_chosen


def test_a_text_is_as_good_as_an_action() -> None:
    def in_words(view: Any) -> str:
        return FISH.format(first(view))

    assert fp.play(FISH, [in_words, "random"], seed=5).turns == fp.play(FISH, [first, "random"], seed=5).turns


def test_a_match_is_the_one_of_the_command_line(folder: Path) -> None:
    match = fp.play("fish", ["greedy", "random"], seed=7)
    played = CliRunner().invoke(
        root, ["play", "fish", "greedy", "random", "--seed", "7", "--out", "kept", "--no-store"]
    )
    assert played.exit_code == 0, played.output
    assert fp.replay("kept/match-0001.jsonl") == match


def test_a_broken_player_is_removed_and_the_others_play_on() -> None:
    match = fp.play(FISH, ["greedy", crash, first], seed=1)
    fault = match.outcome.faults[1]
    assert fault is not None and fault.kind == "crashed" and "no idea" in fault.detail
    assert match.winners[0] in ("greedy", "first")
    assert len(match.events) == len(match.turns) + 1 == len(match.positions) - 1
    assert "crashed: ValueError: no idea" in str(match) and "\n" not in repr(match)


def test_a_match_is_saved_replayed_and_kept(folder: Path) -> None:
    match = fp.play(FISH, [first, "random"], seed=2, save="m.jsonl", db="mine.db")
    assert fp.replay("m.jsonl") == fp.replay(folder / "m.jsonl") == fp.replay("1/0", db="mine.db") == match
    assert fp.replay("mine.db#1/0").turns[3].action == match.turns[3].action
    assert fp.replay("m.jsonl").game == FISH and hash(match) == hash(fp.replay("m.jsonl"))
    lines = (folder / "m.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "cut.jsonl").write_bytes(b"".join(lines[:4]))
    cut = fp.replay("cut.jsonl")
    assert not cut.is_over and len(cut.turns) == 3 and "cut off after 3 turns" in str(cut) + repr(cut)
    with pytest.raises(fp.RecordError, match="the match was cut off"):
        _ = cut.outcome
    (folder / "bad.jsonl").write_bytes(b"".join([lines[0], lines[2]]))
    with pytest.raises(fp.RecordError, match=r"bad\.jsonl: line 2: changed"):
        fp.replay("bad.jsonl")


def test_an_endless_function_is_interrupted_on_the_main_thread_and_late_elsewhere() -> None:
    def endless(view: Any) -> Any:
        while True:
            pass

    late: list[fp.PlayedMatch[Any, Any, Any]] = []
    fault = fp.play(FISH, [endless, first], patience=0.2).outcome.faults[0]
    assert fault is not None and fault.kind == "timed-out"
    thread = threading.Thread(target=lambda: late.append(fp.play(FISH, [first, by_chance], seed=1, patience=60)))
    thread.start()
    thread.join(60)
    assert late[0] == fp.play(FISH, [first, by_chance], seed=1, patience=60)


class Remembering:
    """Counts what it is told; made afresh for each match."""

    made: list[Remembering] = []

    def __init__(self, seat: int, setup: Any, rng: Random) -> None:
        self.seat, self.setup, self.rng = seat, setup, rng
        self.seen: list[Any] = []
        self.made.append(self)

    def choose(self, view: Any) -> Any:
        return first(view)

    def saw(self, turn: Any) -> None:
        self.seen.append(turn)


def test_a_class_is_made_for_each_match_and_sees_every_turn() -> None:
    Remembering.made.clear()
    match = fp.play(FISH, ["random", Remembering], seed=1)
    fp.play(FISH, [Remembering, "random"], seed=1)
    one, other = Remembering.made
    assert (match.players, match.levels) == (("random", "Remembering"), ("house", "trusted"))
    assert (one.seat, other.seat, one.setup) == (1, 0, FISH.setup)
    assert [turn.action for turn in one.seen] == [turn.action for turn in match.turns]
    with pytest.raises(fp.UsageError, match=r"has no method choose\(self, view\)"):
        fp.play(FISH, ["greedy", Random])


def test_what_a_function_prints_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    def talk(view: Any) -> Any:
        print("here")  # noqa: T201 - it is what a person would do to look into a bot
        return first(view)

    match = fp.play(FISH, [talk, "random"], seed=1)
    assert capsys.readouterr() == ("here\n" * sum(turn.seat == 0 for turn in match.turns), "")


def test_nothing_is_kept_of_a_function_that_has_played() -> None:
    class Big:
        def __call__(self, view: Any) -> Any:
            return first(view)

    player = Big()
    known = weakref.ref(player)
    assert fp.play(FISH, [player, "random"], seed=1).players == ("Big", "random")
    del player
    gc.collect()
    assert known() is None


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            lambda: fp.play("fish", ["greedi", "random"]),
            "fish has no strategy 'greedi'; it has random, greedy, minimax",
        ),
        (lambda: fp.play("fish", ["nofile.py", "random"]), "there is no file nofile.py"),
        (lambda: fp.play("fish", ["trusted:nofile.py", "random"]), "only with trust=True"),
        (lambda: fp.play("fish", ["object:1", "random"]), "give the function or the class itself"),
        (lambda: fp.play("fish", ["greedy"]), "a match needs at least 2 players, not 1"),
        (lambda: fp.play("fish", ["greedy"] * 5), "2 to 4"),
        (lambda: fp.play("fish", "greedy"), "expected a list of players"),
        (lambda: fp.play("fish", [3, 4]), "expected a name, a path, a function or a class, not int"),  # type: ignore[list-item]  # wrong
        (lambda: fp.play("fish", ["random"] * 2, seed=2**63), "seed: expected a whole number of at most 64 bits"),
        (lambda: fp.play("fish", ["random"] * 2, patience=0), "patience: expected more than 0 seconds"),
        (lambda: fp.replay("nowhere"), "there is no file nowhere; match 0 of tournament 1 in the store is named 1/0"),
        (lambda: fp.replay("1/0", db="nowhere.db"), r"there is no store nowhere\.db"),
    ],
)
def test_mistakes_are_named_before_anything_is_played(wrong: Callable[[], object], said: str, folder: Path) -> None:
    with pytest.raises((fp.UsageError, fp.SetupError), match=said):
        wrong()
    assert not OBJECTS and not [*folder.iterdir()]


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> fp.PlayedMatch[Any, Any, Any]:
    game = TOYS["fish"]
    monkeypatch.setattr("fairplay.games.fish.GAME", game)
    return fp.PlayedMatch(fp.LoadedGame(game, game.quick), record_toys(game, "search", "random"))


def test_a_match_is_reviewed(match: fp.PlayedMatch[Any, Any, Any], tmp_path: Path) -> None:
    review = fp.analyse(match)
    assert [turn.action for turn in review.turns] == [turn.action for turn in match.turns]
    assert review.players["search (red)"].average_loss == 0.0
    assert review.turning_point is not None and review.turning_point.seat == 1
    assert str(review).startswith("turn  seat") and "Turning point" in str(review)
    assert repr(review).startswith("<MatchReview fish by search: ")
    assert review._repr_svg_() == review.draw()
    assert "Reviewed by search" in review.to_html(tmp_path / "review.html").read_text()
    assert fp.analyse(match.save(tmp_path / "match.jsonl"), by="search:steps=2").by == "search:steps=2"


def test_a_position_and_a_match_give_the_same_hint(match: fp.PlayedMatch[Any, Any, Any]) -> None:
    advice = fp.hint(match.positions[2])
    assert advice.action == fp.hint(match, turn=3).action == advice.candidates[0].action
    assert advice.seat == 0 and advice.value == 0.75
    assert advice.words.startswith("red ") and str(advice).splitlines()[0].endswith(advice.words)
    assert repr(advice).endswith(", 75%>")
    with pytest.raises(fp.UsageError, match="turn: works with a match"):
        fp.hint(match.positions[2], turn=1)
    with pytest.raises(fp.UsageError, match="'random' cannot say what it thinks"):
        fp.hint(match, by="random")
