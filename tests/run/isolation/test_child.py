"""A child process that is asked and replies, and one as other systems than Linux have it.

The system is hidden, the processes are real.
"""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from random import Random
from time import monotonic, sleep

import pytest

from fairplay.core import FaultKind, House, Misbehaved
from fairplay.match.players import house_strategy
from fairplay.match.replay import start_match
from fairplay.run.entrants import start_program
from fairplay.run.inline import play_inline
from fairplay.run.isolation.child import PlainChild
from fairplay.run.isolation.program import Program, end_programs, start_child
from fairplay.run.isolation.sandbox import ProgramLimits
from run.programs import ESCAPE, FISH, SMALL, Bots, alive, played

ECHO = "import sys\nfor line in sys.stdin:\n    print(line, end='', flush=True)\n"


def test_one_line_in_one_line_out(bots: Bots, confined: str) -> None:
    child = start_child(bots(text=ECHO), ProgramLimits())
    for number in range(20):
        line = b"x" * number + b"\n"
        assert child.exchange(line, 10, "late") == line
    child.end()
    child.end()


def test_a_line_that_lay_there_in_time_counts_though_we_look_late(bots: Bots) -> None:
    child = start_child(bots(text="print('early', flush=True)\ninput()\n"), ProgramLimits())
    sleep(1.0)
    assert child.listen(-0.5, "late") == b"early\n"
    with pytest.raises(Misbehaved) as caught:
        child.listen(-0.5, "late")
    assert caught.value.fault.kind is FaultKind.TIMED_OUT
    child.end()


@pytest.mark.parametrize(("size", "fits"), [(65_536, True), (65_537, False)])
def test_a_line_may_be_so_long_and_no_longer(bots: Bots, size: int, fits: bool) -> None:
    """Abuse 11, the line feed not counted."""
    child = start_child(bots(text=f"print('x' * {size}, flush=True)\ninput()\n"), ProgramLimits())
    if fits:
        assert len(child.listen(10, "late")) == size + 1
    else:
        with pytest.raises(Misbehaved) as caught:
            child.listen(10, "late")
        assert caught.value.fault.kind is FaultKind.EXCEEDED
    child.end()


@pytest.mark.parametrize(("code", "words"), [(3, "exit code 3"), (255, "exit code 255"), (0, "exit code 0")])
def test_an_exit_code_is_told_as_it_is(bots: Bots, confined: str, code: int, words: str) -> None:
    child = start_child(bots(text=f"raise SystemExit({code})\n"), ProgramLimits())
    with pytest.raises(Misbehaved, match=words):
        child.listen(10, "late")
    child.end()


def test_words_before_the_end_are_read_first(bots: Bots, confined: str) -> None:
    child = start_child(bots(text="print('last words', flush=True)\n"), ProgramLimits())
    sleep(0.5)
    assert child.listen(10, "late") == b"last words\n"
    with pytest.raises(Misbehaved, match="exit code 0"):
        child.exchange(b"and now?\n", 10, "late")
    child.end()


def test_a_forked_copy_ends_nobody(bots: Bots) -> None:
    """A worker process that was forked holds a copy of the player; its end is not the program's end."""
    bot = bots(text=ECHO)
    child = start_child(bot, ProgramLimits())
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # it has no threads of ours
        copy = os.fork()
    if not copy:
        child.end()
        os._exit(0)
    os.waitpid(copy, 0)
    assert child.exchange(b"still there\n", 10, "late") == b"still there\n"
    child.end()
    assert not alive(bot)


ECHO = "import sys\nfor line in sys.stdin:\n    print(line, end='', flush=True)\n"


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairplay.run.isolation.program.platform.system", lambda: "Darwin")


def test_a_match_is_the_same_as_on_linux(bots: Bots, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = bots()
    result = played(bot)
    assert result.outcome.faults == (None, None)
    assert not result.usage.sandboxed
    assert not alive(bot)
    monkeypatch.undo()
    assert played(bots()).outcome == result.outcome


def test_a_bot_file_plays_there_too(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from fairplay.games.fish.rules import legal_actions\ndef choose(view): return legal_actions(view)[0]\n"
    )
    player = start_program(FISH, str(bot))(Random(1))
    rival = House(house_strategy(FISH, "random", Random(2)))
    outcome = play_inline(start_match(FISH, SMALL, 1, 2), [player, rival])
    (usage,) = end_programs([player], outcome)
    assert outcome.faults == (None, None)
    assert usage is not None and not usage.sandboxed


def test_long_lines_go_both_ways(bots: Bots) -> None:
    child = PlainChild(bots(text=ECHO), ProgramLimits(message=1 << 20))
    for number in (0, 1, 5_000, 200_000):
        line = b"x" * number + b"\n"
        assert child.exchange(line, 60, "late") == line
    child.say_last(b"")
    assert child.wait(60)
    assert child.status == 0
    child.end()
    child.end()


@pytest.mark.parametrize(
    ("changed", "kind", "words"),
    [
        ("def misbehave(message):\n    time.sleep(600)\n", FaultKind.TIMED_OUT, "no answer within 1 s"),
        ("def misbehave(message):\n    sys.exit('last words')\n", FaultKind.CRASHED, "exit code 1.*last words"),
        ("def misbehave(message):\n    os.kill(os.getpid(), 9)\n", FaultKind.CRASHED, "by SIGKILL"),
        ("def misbehave(message):\n    os.close(1); time.sleep(600)\n", FaultKind.GONE, "closed its standard"),
        ("def misbehave(message):\n    print('x' * 99999, flush=True)\n", FaultKind.EXCEEDED, "a line of more than"),
        ("def misbehave(message):\n    while True: os.write(2, bytes(65536))\n", FaultKind.EXCEEDED, "of output"),
        ("def choose(message):\n    return [7]\n", FaultKind.MALFORMED, ""),
    ],
)
def test_misbehaviour_has_its_fault(bots: Bots, changed: str, kind: FaultKind, words: str) -> None:
    bot = bots(changed)
    result = played(bot, ProgramLimits(output=4 << 20), patience=1 if kind is FaultKind.TIMED_OUT else 60)
    fault = result.outcome.faults[0]
    assert fault is not None and fault.kind is kind
    assert re.search(words, fault.detail, re.DOTALL), fault.detail
    assert not alive(bot)


def test_what_is_said_unasked_is_a_fault(bots: Bots) -> None:
    child = PlainChild(bots(text="print(1, flush=True)\nprint(2, flush=True)\ninput()\n"), ProgramLimits())
    with pytest.raises(Misbehaved):
        for _ in range(2):
            child.listen(60, "late")
            child.exchange(b"?\n", 60, "late")
    child.end()


def test_what_it_started_ends_with_it(bots: Bots) -> None:
    bot = bots("def misbehave(message):\n    if asked == 1 and not os.fork(): time.sleep(600)\n")
    played(bot)
    assert not alive(bot)


def test_nobody_waits_for_a_grandchild_that_keeps_the_pipes(bots: Bots) -> None:
    """It has left the group; without /proc there is no finding it."""
    bot = bots(ESCAPE + "def misbehave(message):\n    if asked == 1: escape()\n")
    result = played(bot)
    assert result.outcome.faults[0] is None
    for line in subprocess.run(["pgrep", "-f", bot.arguments[-1]], capture_output=True, text=True).stdout.split():
        os.kill(int(line), 9)
    assert not alive(bot)


def test_a_forgotten_program_is_ended_with_its_threads(bots: Bots) -> None:
    before = threading.active_count()
    bot = bots("def misbehave(message):\n    while True: print('x' * 1000, file=sys.stderr)\n")
    program = Program(FISH, bot, 60.0)
    program.greet()
    del program
    gc.collect()
    assert not alive(bot)
    until = monotonic() + 60
    while threading.active_count() > before and monotonic() < until:
        threading.Event().wait(0.01)
    assert threading.active_count() == before


BARE = """
import os, platform, select, sys
platform.system = lambda: "Windows"
sys.modules["resource"] = sys.modules["fcntl"] = sys.modules["pyseccomp"] = None
for module, name in ((os, "pidfd_open"), (select, "poll"), (os, "sysconf"), (os, "wait4"), (os, "set_blocking")):
    delattr(module, name)
from fairplay.catalog import GAMES
from fairplay.run.isolation.sandbox import find_level
from fairplay.run.isolation.program import Program
from fairplay.run.isolation.command import parse_command
player = Program(GAMES["fish"], parse_command({line!r}), 60.0)
player.greet()
player.close()
print(*find_level(), sep=": ")
"""


def test_nothing_is_needed_that_only_linux_has(bots: Bots, tmp_path: Path) -> None:
    """In a process of its own, without the modules and functions that other systems lack."""
    code = BARE.format(line=" ".join(bots().arguments))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert ran.stdout == "process: sandboxes need Linux\n", ran.stderr
