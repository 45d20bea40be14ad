"""Memory that is not in any process: whoever hides more of it than it may have is removed, or fails to."""

from __future__ import annotations

import re
from typing import NoReturn

import pytest
from msgspec.structs import replace

from fairplay.core import FaultKind
from fairplay.run.isolation.sandbox import ProgramLimits
from run.programs import Bots, confine, played

MIB = 1 << 20
LIMITS = ProgramLimits(memory=96 * MIB, disk=80 * MIB)
AIM = 160 * MIB

HIDE = """
import array, ctypes, mmap
AIM, held, kept = {aim}, 0, []
libc = ctypes.CDLL(None, use_errno=True)

def call(number, *arguments):
    done = libc.syscall(number, *[ctypes.c_long(each) for each in arguments])
    if done == -1: raise OSError(ctypes.get_errno(), "refused")
    return done

{hide}

def misbehave(message):
    if asked != 1 or held: return
    try: hide()
    except OSError as error: print("REFUSED", error, file=sys.stderr)
    print("HELD", held, file=sys.stderr)
    time.sleep(1)  # long enough to be looked at
"""

PLACES = {
    "memfd": """
def hide():
    global held
    while held < AIM:
        kept.append(os.memfd_create("z")); os.posix_fallocate(kept[-1], 0, MIB); held += MIB
""",
    "detached shared memory": """
def hide():
    global held
    while held < AIM:
        segment = call(29, 0, MIB, 0o1600)
        libc.shmat.restype = ctypes.c_void_p
        place = libc.shmat(segment, None, 0)
        ctypes.memset(place, 1, MIB); libc.shmdt(ctypes.c_void_p(place)); held += MIB
""",
    "shared memory without a file": """
def hide():
    global held
    while held < AIM:
        kept.append(mmap.mmap(-1, MIB)); kept[-1].write(bytes(MIB)); kept[-1].madvise(mmap.MADV_DONTNEED); held += MIB
""",
    "shared memory of a device": """
def hide():
    global held
    zero = os.open("/dev/zero", os.O_RDWR)
    while held < AIM:
        kept.append(mmap.mmap(zero, MIB)); kept[-1].write(bytes(MIB)); kept[-1].madvise(mmap.MADV_DONTNEED); held += MIB
""",
    "files, and the rest in itself": """
def hide():
    global held
    with open("/tmp/large", "wb") as file:
        while held < 70 * MIB: held += file.write(bytes(MIB))
    kept.append(b"x" * (60 * MIB)); held += 60 * MIB
""",
    "deleted files, and the rest in itself": """
def hide():
    global held
    file = open("/tmp/large", "wb"); kept.append(file); os.unlink("/tmp/large")
    while held < 70 * MIB: held += file.write(bytes(MIB))
    kept.append(b"x" * (60 * MIB)); held += 60 * MIB
""",
    "empty files": """
def hide():
    global held
    for number in range(200_000):
        os.close(os.open("/tmp/%d" % number, os.O_CREAT | os.O_WRONLY)); held += 1024
""",
    "pipes": """
def hide():
    global held
    while held < 15 * MIB:
        reading, writing = os.pipe(); kept.append(reading); held += os.write(writing, bytes(65536)); os.close(writing)
""",
    "large pipes": """
def hide():
    global held
    import fcntl
    while held < AIM:
        kept.append(os.pipe()); held += fcntl.fcntl(kept[-1][1], 1031, MIB); os.write(kept[-1][1], bytes(MIB))
""",
    "sockets": """
def hide():
    global held
    kept.extend(end for _ in range(110) for end in socket.socketpair())
    for end in kept:
        end.setblocking(False)
        try:
            while True: held += end.send(bytes(4096))
        except BlockingIOError: pass
""",
    "sockets in flight": """
def hide():
    global held
    while held < AIM:
        ours, theirs = socket.socketpair(); inner, outer = socket.socketpair()
        inner.setblocking(False)
        try:
            while True: held += inner.send(bytes(4096))
        except BlockingIOError: pass
        ours.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [outer.fileno()]))])
        inner.close(); outer.close(); kept.append((ours, theirs))
""",
    "threads with files of their own": """
def hide():
    global held
    while held < AIM:
        call(56, 0x100 | 0x200 | 0x800 | 0x10000, 0, 0, 0, 0); held += MIB
""",
}
"""How a program tries to hold more than it may, by where it hides it."""

SMALLER = {"pipes": 24 * MIB, "sockets": 36 * MIB}
"""Limits for what cannot hold much in one process, such as one that has little else."""


@pytest.mark.parametrize("place", PLACES)
def test_79_memory_is_counted_wherever_it_hides(bots: Bots, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    confine("sandbox", monkeypatch)
    bot = bots(HIDE.format(aim=AIM, hide=PLACES[place].replace("MIB", str(MIB))).replace("MIB", str(MIB)))
    limits = replace(LIMITS, memory=SMALLER.get(place, LIMITS.memory))
    result = played(bot, limits, patience=60)
    fault = result.outcome.faults[0]
    if fault is None:
        held = re.search(r"HELD (\d+)", result.usage.stderr)
        assert held and int(held[1]) < limits.memory, f"it held {held and int(held[1])} bytes in {place}"
        assert "REFUSED" in result.usage.stderr, "it was not kept from it"
    else:
        assert fault.kind is FaultKind.EXCEEDED, fault.detail
        assert "bytes of memory" in fault.detail


def test_79_what_a_program_shows_nobody_counts_as_full(bots: Bots, monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)

    def refuse(*_: object) -> NoReturn:
        raise PermissionError

    monkeypatch.setattr("fairplay.run.isolation.process_tree.os.statvfs", refuse)
    result = played(bots("def misbehave(message):\n    time.sleep(0.5)\n"), replace(LIMITS, disk=LIMITS.memory))
    fault = result.outcome.faults[0]
    assert fault is not None and fault.kind is FaultKind.EXCEEDED


def test_an_honest_program_is_charged_for_little(bots: Bots, monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)
    bot = bots("def misbehave(message):\n    if asked == 1: time.sleep(0.5)\n")
    assert played(bot, replace(LIMITS, memory=24 * MIB)).outcome.faults == (None, None)
