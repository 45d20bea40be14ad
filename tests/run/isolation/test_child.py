"""A child process that is asked and replies."""

from __future__ import annotations

import os
import warnings
from time import sleep

import pytest

from fairplay.core import FaultKind, Misbehaved
from fairplay.run.isolation.program import start_child
from fairplay.run.isolation.sandbox import ProgramLimits
from run.programs import Bots, alive

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
