"""Processes below a process."""

from __future__ import annotations

import os
import subprocess
import sys
from time import sleep

from fairplay.run.isolation import process_tree as tree

PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'x = bytearray(50 << 20); input()'])"


def test_a_tree_is_counted_weighed_and_felled() -> None:
    mark = f"FAIRPLAY_TEST_MARK={os.getpid()}"
    name, _, value = mark.partition("=")
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, env={name: value}, start_new_session=True
    )
    for _ in range(500):
        if tree.weight(tree.members(parent.pid)).resident > 50 << 20:
            break
        sleep(0.01)
    members = tree.members(parent.pid)
    weight = tree.weight(members)
    assert len(members) == weight.processes == 2
    assert weight.resident > 50 << 20
    assert weight.cpu >= 0
    assert sorted(tree.marked(mark)) == sorted(members)
    tree.fell(parent.pid)
    assert parent.wait(10) < 0
    assert parent.stdin is not None
    parent.stdin.close()
    for _ in range(500):
        if not [*tree.marked(mark)]:
            break
        sleep(0.01)
    assert not [*tree.marked(mark)]


def test_what_has_ended_weighs_nothing_and_can_be_ended_again() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert tree.members(child.pid) == [child.pid]
    assert tree.weight([child.pid]) == tree.Weight(0, 0, 0.0)
    tree.end([child.pid])
