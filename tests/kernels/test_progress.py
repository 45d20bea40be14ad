"""A line for people who wait for a compilation, and none for others."""

from __future__ import annotations

import threading
from time import sleep

import pytest

from fairplay.kernels import progress
from fairplay.kernels.progress import announce_compilation, seconds_compiling, silence


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "announced", set())
    monkeypatch.setattr(progress, "silenced", threading.Event())


def wait_for_timers() -> None:
    while any(isinstance(thread, threading.Timer) for thread in threading.enumerate()):
        sleep(0.01)


def compile_twice() -> None:
    for _ in range(2):
        with announce_compilation("nim", 0.0):
            wait_for_timers()


def test_long_work_is_announced_once(capsys: pytest.CaptureFixture[str]) -> None:
    compile_twice()
    assert capsys.readouterr().err == "Compiling the kernel of nim, once: this takes some seconds.\n"


def test_nothing_is_said_where_a_program_reads(capsys: pytest.CaptureFixture[str]) -> None:
    silence()
    compile_twice()
    assert capsys.readouterr() == ("", "")


def test_short_work_is_not_announced(capsys: pytest.CaptureFixture[str]) -> None:
    with announce_compilation("nim", 600.0):
        pass
    wait_for_timers()
    assert capsys.readouterr().err == ""


def test_what_compiling_took_can_be_told() -> None:
    before = seconds_compiling()
    with announce_compilation("nim"):
        sum(range(100_000))
    assert seconds_compiling() > before
