"""Bots: files named on a command line; classes with memory in this process, in their own, and over a network."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import FaultKind, House, Outcome, Seat, UsageError
from fairplay.core.chance import derived
from fairplay.match.driver import describe_seat
from fairplay.match.players import house_strategy
from fairplay.match.record import read_record
from fairplay.match.replay import record_match, replay_record
from fairplay.run.bots import load_module, seed_generators
from fairplay.run.entrants import seat_entrant
from fairplay.run.inline import TrustedSeating, play_inline, seat_bot_file
from fairplay.run.isolation.program import Program, end_programs

TRAINS = GAMES["trains"]
SETUP = TRAINS.setup(map="tiny", rails=9, deck=("red", "blue", "green", "white") * 6)

DIARY = """
from fairplay.games.trains.rules import legal_actions

class Base: ...

class Diary(Base):
    def __init__(self, rng, *, seat, setup):
        self.rng = rng
        self.words = [f"seat {seat}, deck {setup.deck_size} {setup.deck}"]

    def choose(self, view):
        import sys
        print(*self.words, sep="; ", file=sys.stderr)
        return self.rng.choice(legal_actions(view))

    def hear(self, news):
        self.words.append(type(news).__name__)

    def saw(self, turn):
        self.words.append(f"{turn.number}: {turn.seat} {type(turn.action).__name__}")
"""


def written(folder: Path, text: str, name: str = "bot.py") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def play(player: Any) -> tuple[Outcome, list[bytes]]:
    """A match of Trains against a random player, with its record."""
    lines: list[bytes] = []
    rival = House(house_strategy(TRAINS, "random", derived(1)))
    orders = record_match(TRAINS, SETUP, 3, ("me", "rival"), lines.append)
    outcome = play_inline(orders, [player, rival])
    end_programs([player], outcome)
    return outcome, lines


def test_a_class_plays_the_same_in_this_process_and_in_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec, info = written(tmp_path, DIARY), describe_seat(TRAINS, SETUP, 0, 2)
    here = play(seat_entrant(TRAINS, f"trusted:{spec}")(Random(5), info))
    program = seat_entrant(TRAINS, spec, 60.0)(Random(5), info)
    assert play(program) == here
    assert here[0].faults == (None, None)
    said = capsys.readouterr().err.splitlines()
    assert isinstance(program, Program) and program.usage is not None
    assert said == program.usage.stderr.splitlines()
    assert said[0] == "seat 0, deck 24 None; Dealt"
    assert said[1].startswith("seat 0, deck 24 None; Dealt; 0: 0 Pick; 1: 1 Pick")


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ("def __init__(self): 1 / 0", "ZeroDivisionError"),
        ("def saw(self, turn): 1 / 0", "ZeroDivisionError"),
        ("def hear(self, news): 1 / 0", "ZeroDivisionError"),
        ("def saw(self, turn): raise SystemExit", "SystemExit"),
    ],
)
def test_what_crashes_besides_an_answer_is_a_fault_of_the_next_order(bad: str, kind: str) -> None:
    """And the record, which holds replies alone, replays to it."""
    space: dict[str, Any] = {}
    exec(f"class Bot:\n    def choose(self, view): return LEGAL(view)[0]\n    {bad}\n", space)
    space["LEGAL"] = TRAINS.rules.legal_actions
    outcome, lines = play(TrustedSeating(TRAINS, space["Bot"], 60.0)(Random(1), describe_seat(TRAINS, SETUP)))
    fault = outcome.faults[0]
    assert fault is not None and fault.kind is FaultKind.CRASHED
    assert kind in fault.detail
    assert [*replay_record(TRAINS, read_record(lines))]


def test_a_crash_in_the_process_of_a_bot_is_its_fault_too(tmp_path: Path) -> None:
    spec = written(tmp_path, DIARY.replace('self.words.append(f"{turn', 'raise KeyError(f"{turn'))
    outcome, _ = play(seat_entrant(TRAINS, spec, 60.0)(Random(5), describe_seat(TRAINS, SETUP, 0, 2)))
    fault = outcome.faults[0]
    assert fault is not None and fault.kind is FaultKind.CRASHED
    assert "KeyError: '0: 0 Pick'" in fault.detail


def test_what_is_slow_besides_an_answer_is_late(tmp_path: Path) -> None:
    class Slow:
        def choose(self, view: Any) -> Any:
            return TRAINS.rules.legal_actions(view)[0]

        def saw(self, turn: object) -> None:
            while True:
                pass

    outcome, _ = play(TrustedSeating(TRAINS, Slow, 0.2)(Random(1), describe_seat(TRAINS, SETUP)))
    assert outcome.faults[0] is not None and outcome.faults[0].kind is FaultKind.TIMED_OUT


LONE = "class Bot:\n    def choose(self, view): return 'class'\n"


@pytest.mark.parametrize(
    ("text", "suffix", "answer"),
    [
        (LONE, "", "class"),
        (LONE + "def helper(view): return 'helper'\n", "", "class"),
        (LONE + "def choose(view): return 'function'\n", "", "function"),
        (LONE + "def choose(view): return 'function'\n", ":Bot", "class"),
        (LONE + LONE.replace("Bot", "_Hidden") + "class Data: ...\n", "", "class"),
        (LONE + LONE.replace("Bot", "Other"), ":Other", "class"),
    ],
)
def test_the_class_is_found(tmp_path: Path, text: str, suffix: str, answer: str) -> None:
    assert seat_bot_file(TRAINS, written(tmp_path, text), suffix.removeprefix(":"))(Random(1)).choose(None) == answer


@pytest.mark.parametrize(
    ("text", "suffix", "reason"),
    [
        (LONE + LONE.replace("Bot", "Other"), "", "it has Bot, Other; say which one: FILE.py:NAME"),
        ("class Bot: ...\n", ":Bot", r"the class 'Bot' has no method choose\(self, view\)"),
        (LONE + "    def __init__(self, depth): ...\n", "", "may ask for seat, setup, rng, not for depth"),
        (LONE.replace("self, view", "view"), "", "'Bot.choose' must take self and one argument"),
        (LONE + "    def saw(self): ...\n", "", "'Bot.saw' must take self and one argument"),
    ],
)
def test_a_wrong_class_is_explained(tmp_path: Path, text: str, suffix: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        seat_bot_file(TRAINS, written(tmp_path, text), suffix.removeprefix(":"))


def test_each_match_has_a_bot_of_its_own() -> None:
    made: list[Seat] = []

    class Bot:
        def __init__(self, seat: Seat) -> None:
            made.append(seat)

        def choose(self, view: Any) -> Any:
            return TRAINS.rules.legal_actions(view)[0]

    seating = TrustedSeating(TRAINS, Bot)
    assert [play(seating(Random(1), describe_seat(TRAINS, SETUP)))[0].faults for _ in range(2)] == [(None, None)] * 2
    assert made == [0, 0]


NIM = GAMES["nim"]


def view(seed: int = 1) -> Any:
    state = NIM.rules.start(NIM.variants["standard"], 2, Random(seed))
    return NIM.rules.view(state, Seat(0))


FIRST = "from nim import GAME\ndef {name}(view):\n    return GAME.rules.legal_actions(view)[0]\n"


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        (FIRST.format(name="choose"), ""),
        (FIRST.format(name="only_one"), ""),
        (FIRST.format(name="choose") + "def other(view): return None\n", ""),
        (FIRST.format(name="mine") + "def other(view): return None\n", ":mine"),
        (FIRST.format(name="choose") + "def _hidden(view): return None\nfrom os.path import join\n", ""),
    ],
)
def test_the_function_is_found(tmp_path: Path, text: str, suffix: str) -> None:
    player = seat_bot_file(NIM, written(tmp_path, text), suffix.removeprefix(":"))(Random(1))
    assert NIM.rules.why_illegal(view(), player.choose(view())) is None


def test_a_bot_that_wants_chance_gets_its_own(tmp_path: Path) -> None:
    spec = written(tmp_path, "def choose(view, rng):\n    return rng.getrandbits(30)\n")
    one, same, other = (seat_bot_file(NIM, spec)(Random(seed)).choose(view()) for seed in (1, 1, 2))
    assert one == same != other


def test_a_bot_may_have_modules_of_its_own(tmp_path: Path) -> None:
    written(tmp_path, "ANSWER = 42\n", "my_private_part.py")
    spec = written(tmp_path, "from my_private_part import ANSWER\ndef choose(view): return ANSWER\n")
    assert seat_bot_file(NIM, spec)(Random(1)).choose(view()) == 42


@pytest.mark.parametrize(
    ("text", "suffix", "reason"),
    [
        ("", "", "no function 'choose' in the file; it has no functions; say which one"),
        (
            "def a(view): ...\ndef b(view): ...\n",
            "",
            "no function 'choose' in the file; it has a, b; say which one: FILE.py:NAME",
        ),
        ("def a(view): ...\n", ":b", "no function 'b' in the file; it has a$"),
        ("def choose(): ...\n", "", "must take one argument, the view"),
        ("def choose(view, depth): ...\n", "", "must take one argument, the view"),
        ("def choose(rng): ...\n", "", "must take one argument, the view"),
        ("def choose(view)\n", "", "the file cannot be loaded: SyntaxError"),
        (
            "import no_such_module\n",
            "",
            "the file cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("raise SystemExit(3)\n", "", "the file cannot be loaded: SystemExit: 3"),
    ],
)
def test_a_wrong_file_is_explained(tmp_path: Path, text: str, suffix: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        seat_bot_file(NIM, written(tmp_path, text), suffix.removeprefix(":"))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no file"):
        seat_bot_file(NIM, str(tmp_path / "nobody.py"))
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(UsageError, match="there is no file"):
        seat_bot_file(NIM, str(tmp_path / "folder.py"))


def test_loading_can_be_interrupted(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        seat_bot_file(NIM, written(tmp_path, "raise KeyboardInterrupt\n"))


def test_two_bots_do_not_share_modules_of_the_same_name(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        written(tmp_path / name, f"NAME = {name!r}\n", "brain.py")
        written(tmp_path / name, "import brain\ndef choose(view): return brain.NAME\n")
    specs = [str(tmp_path / name / "bot.py") for name in ("one", "two")]
    assert [seat_bot_file(NIM, spec)(Random(1)).choose(view()) for spec in specs] == ["one", "two"]


def test_a_callable_object_will_do(tmp_path: Path) -> None:
    text = "class Bot:\n    def __call__(self, view): return 42\nchoose = Bot()\n"
    assert seat_bot_file(NIM, written(tmp_path, text))(Random(1)).choose(view()) == 42


def test_a_bot_cannot_change_what_the_referee_sees(tmp_path: Path) -> None:
    """Frozen values can be forced; the bot holds a copy."""
    text = "import msgspec\ndef choose(view):\n    msgspec.structs.force_setattr(view.state, 'heaps', (9,))\n"
    mine = view()
    before = mine.state.heaps
    seat_bot_file(NIM, written(tmp_path, text))(Random(1)).choose(mine)
    assert mine.state.heaps == before


def test_what_a_bot_draws_elsewhere_follows_from_its_generator(tmp_path: Path) -> None:
    spec = written(tmp_path, "import random\ndef choose(view): return random.random()\n")
    one, same, other = (seat_bot_file(NIM, spec)(Random(seed)).choose(view()) for seed in (1, 1, 2))
    assert one == same != other


def test_the_generator_of_a_bot_is_not_touched() -> None:
    rng = Random(5)
    seed_generators(rng)
    assert rng.getstate() == Random(5).getstate()


def test_the_depth_of_recursion_is_as_it_was_after_each_call(tmp_path: Path) -> None:
    limit = sys.getrecursionlimit()
    spec = written(tmp_path, "import sys\ndef choose(view):\n    sys.setrecursionlimit(10**7)\n")
    seat_bot_file(NIM, spec)(Random(1)).choose(view())
    assert sys.getrecursionlimit() == limit


def test_a_copy_of_the_process_ends_with_the_call_that_made_it(tmp_path: Path) -> None:
    spec = written(tmp_path, "import os\ndef choose(view): return os.fork()\n")
    copy = seat_bot_file(NIM, spec)(Random(1)).choose(view())
    assert os.waitpid(copy, 0) == (copy, 0)


def test_nothing_is_written_beside_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "own.py").write_text("ANSWER = 7\n")
    (tmp_path / "bot.py").write_text("from own import ANSWER\ndef choose(view): return ANSWER\n")
    load_module("bot.py", str(tmp_path / "bot.py"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bot.py", "own.py"]
    assert not sys.dont_write_bytecode
