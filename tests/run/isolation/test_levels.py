"""Which level a machine has for programs, and why not a better one."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from fairplay.run.isolation.sandbox import FoundLevel, find_bubblewrap, find_filter, find_level, try_bubblewrap
from run.programs import need


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """What was found out about this machine is forgotten before and after each test."""
    for found in (find_level, find_bubblewrap, find_filter):
        found.cache_clear()
    yield
    for found in (find_level, find_bubblewrap, find_filter):
        found.cache_clear()
    find_level()  # for all other tests, as this machine is


def test_a_machine_with_bubblewrap_has_sandboxes() -> None:
    need(find_level() == FoundLevel("sandboxed"), "a working bubblewrap")


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (None, "bubblewrap is not installed"),
        ("/bin/false", "bubblewrap does not work here (exit code 1)"),
        ("/no/such/bwrap", "bubblewrap does not work here ([Errno 2]"),
    ],
)
def test_without_bubblewrap_there_is_one_clear_warning(
    found: str | None, reason: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("shutil.which", lambda name, path=None: found if name == "bwrap" else None)
    with caplog.at_level(logging.WARNING, "fairplay"):
        levels = [find_level(), find_level()]
    assert [level.level for level in levels] == ["process", "process"]
    assert levels[0].reason.startswith(reason)
    assert len(caplog.records) == 1
    assert f"Warning: {levels[0].reason}: programs run without a sandbox" in caplog.text


def test_a_bubblewrap_that_hangs_is_ended_with_what_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need(find_filter(), "libseccomp")
    hanging, log = tmp_path / "bwrap", tmp_path / "log"
    hanging.write_text(f"#!/bin/sh\nsleep 600 &\necho $! >> {log}\nwait\n")
    hanging.chmod(0o755)
    monkeypatch.setattr("fairplay.run.isolation.sandbox.TRIAL_SECONDS", 1.0)
    assert "timed out" in try_bubblewrap([str(hanging)])
    (inner,) = map(int, log.read_text().split())
    until = monotonic() + 60
    while is_running(inner) and monotonic() < until:
        sleep(0.01)
    assert not is_running(inner)


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_without_libseccomp_there_is_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    need(shutil.which("bwrap"), "bubblewrap")
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    assert find_level() == FoundLevel("process", "libseccomp is not installed")


def test_with_pyseccomp_but_without_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    need(shutil.which("bwrap"), "bubblewrap")
    monkeypatch.delitem(sys.modules, "pyseccomp", raising=False)
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)
    assert find_level() == FoundLevel("process", "libseccomp is not installed")


def test_other_systems_have_processes_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    assert find_level() == FoundLevel("process", "sandboxes need Linux")


def test_a_path_without_bubblewrap(tmp_path: Path) -> None:
    """In a process of its own, whose PATH really has no bwrap."""
    code = "from fairplay.run.isolation.sandbox import find_level; print(*find_level(), sep=': ')"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.stdout == "process: bubblewrap is not installed\n"
