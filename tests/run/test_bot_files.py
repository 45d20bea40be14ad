"""Players named on a command line."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Seat, UsageError
from fairplay.run.bot_files import load_module, seat_bot_file, seed_generators

NIM = GAMES["nim"]


def written(folder: Path, text: str, name: str = "bot.py") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


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
