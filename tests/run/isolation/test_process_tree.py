"""Processes below a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from fairplay.run.isolation import process_tree as tree

CHILD = "x = bytearray(50 << 20); print('ready', flush=True); input()"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {CHILD!r}])"


def test_a_tree_is_measured_found_by_its_environment_and_killed() -> None:
    mark = f"FAIRPLAY_TEST_MARK={os.getpid()}"
    name, _, value = mark.partition("=")
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={name: value},
        start_new_session=True,
    )
    assert parent.stdin is not None and parent.stdout is not None
    with parent.stdin, parent.stdout:
        assert parent.stdout.readline() == b"ready\n"
        members = tree.list_tree(parent.pid)
        usage = tree.measure_usage(members)
        assert len(members) == usage.threads == 2
        assert usage.resident > 50 << 20
        assert usage.cpu >= 0
        assert sorted(tree.find_by_environment(mark)) == sorted(members)
        tree.kill_tree(parent.pid)
        assert parent.stdout.read() == b""  # the pipe ends when both are dead
        assert parent.wait() < 0
    assert not [*tree.find_by_environment(mark)]


def test_what_has_ended_uses_nothing_and_can_be_killed_again() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert tree.list_tree(child.pid) == [child.pid]
    assert tree.measure_usage([child.pid]) == tree.TreeUsage(0, 0, 0.0)
    tree.signal_all([child.pid], signal.SIGKILL)
