"""What a sandbox refuses, tried from inside: whatever could be shared with another program, or hide memory."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairplay.run.isolation import sandbox
from fairplay.run.isolation.command import Command, parse_command
from fairplay.run.isolation.program import start_child
from fairplay.run.isolation.sandbox import ProgramLimits, find_level
from run.programs import Bots, confine, need


@pytest.fixture(autouse=True)
def _in_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)


TRY = """
import ctypes, errno, fcntl, mmap, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

def call(number, *arguments):
    done = libc.syscall(number, *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if done == -1: raise OSError(ctypes.get_errno(), "")
    return done

shared = os.open(sys.executable, os.O_RDONLY)  # a file that other programs have as well
try:
    {deed}
    print("done", flush=True)
except OSError as error:
    print(errno.errorcode[error.errno], flush=True)
input()
"""


def attempt(bots: Bots, deed: str) -> str:
    """What becomes of a deed in a sandbox: "done", or the name of the error."""
    return listen(bots(text=TRY.format(deed=deed.replace("\n", "\n    "))))


def listen(program: Command) -> str:
    """The first line that a program says."""
    child = start_child(program, ProgramLimits())
    try:
        return child.listen(60, "late").decode().strip()
    finally:
        child.end()


SYSTEM_CALLS = {
    "io_uring_setup": (425, 4, 0),
    "ptrace": (101, 0, 0, 0, 0),
    "bpf": (321, 0, 0, 0),
    "userfaultfd": (323, 1),
    "process_vm_readv": (310, 1, 0, 0, 0, 0, 0),
    "perf_event_open": (298, 0, 0, -1, -1, 0),
    "clone3": (435, 0, 0),
    "unshare": (272, 0x10000000),
    "clone with namespaces": (56, 0x10000000 | 17, 0, 0, 0, 0),
    "personality": (135, 0xFFFFFFFF),
    "pidfd_open": (434, 1, 0),
    "kcmp": (312, 1, 1, 0, 0, 0),
    "vmsplice": (278, 1, 0, 0, 0),
    "sync": (162,),
    "setns": (308, 0, 0),
    "fanotify_init": (300, 0, 0),
    "memfd_secret": (447, 0),
}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86_64")
@pytest.mark.parametrize("name", SYSTEM_CALLS)
def test_78_calls_that_no_player_needs_are_refused_and_nobody_is_killed(bots: Bots, name: str) -> None:
    assert attempt(bots, f"call{SYSTEM_CALLS[name]}") in ("ENOSYS", "EPERM")


@pytest.mark.parametrize(
    "deed",
    [
        "call(248, b'user', b'fairplay', b'secret', 6, -3)",  # add_key to the session's keyring
        "call(248, b'user', b'fairplay', b'secret', 6, -2)",
        "call(249, b'user', b'fairplay', 0, 0)",  # request_key
        "call(250, 0, -3, 1)",  # keyctl: the session's keyring
        "call(250, 1, 0)",
    ],
)
def test_71_no_keyring_is_reachable(bots: Bots, deed: str) -> None:
    assert attempt(bots, deed) == "EPERM"


@pytest.mark.parametrize("deed", ["os.memfd_create('hidden')", "call(447, 0)"])
def test_72_no_memory_without_a_name(bots: Bots, deed: str) -> None:
    assert attempt(bots, deed) == "ENOSYS"


@pytest.mark.parametrize(
    "deed",
    [
        "call(29, 0, 4096, 0o1600)",  # shmget
        "call(64, 0, 1, 0o1600)",  # semget
        "call(68, 0, 0o1600)",  # msgget
        "call(240, b'fairplay', 0o102, 0o600, None)",  # mq_open
        "mmap.mmap(-1, 4096)",  # shared, without a file
        "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)",
        "open('/dev/shm/x', 'w')",
    ],
)
def test_73_no_shared_memory(bots: Bots, deed: str) -> None:
    assert attempt(bots, deed) in ("ENOSYS", "EPERM", "ENOENT")


@pytest.mark.parametrize(
    "deed",
    [
        "fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB)",
        "fcntl.lockf(shared, fcntl.LOCK_SH | fcntl.LOCK_NB)",
        "fcntl.fcntl(shared, 37, bytes(32))",  # a lock of the open file
        "fcntl.fcntl(shared, fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    ],
)
def test_74_no_locks_on_shared_files(bots: Bots, deed: str) -> None:
    assert attempt(bots, deed) in ("ENOSYS", "EPERM")


@pytest.mark.parametrize(
    "deed",
    ["libc.inotify_init1(0) == -1 and call(294, 0)", "call(254, 0, b'/usr', 1)", "fcntl.fcntl(0, fcntl.F_NOTIFY, 1)"],
)
def test_75_nobody_watches_what_others_open(bots: Bots, deed: str) -> None:
    assert attempt(bots, deed) in ("ENOSYS", "EPERM")


@pytest.mark.parametrize(
    "deed",
    [
        "os.posix_fadvise(shared, 0, 4096, os.POSIX_FADV_DONTNEED)",
        "os.posix_fadvise(shared, 0, 4096, os.POSIX_FADV_WILLNEED)",
        "os.preadv(shared, [bytearray(1)], 0, os.RWF_NOWAIT)",
        "call(187, shared, 0, 4096)",  # readahead
        "call(27, 0, 4096, 0)",  # mincore
        "call(451, shared, 0, 0, 0)",  # cachestat
        "call(277, shared, 0, 4096, 1)",  # sync_file_range
        "mmap.mmap(shared, 4096, prot=mmap.PROT_READ).madvise(mmap.MADV_WILLNEED)",
        "mmap.mmap(shared, 4096, prot=mmap.PROT_READ).madvise(21)",  # MADV_PAGEOUT
    ],
)
def test_76_the_page_cache_can_be_neither_emptied_nor_asked(bots: Bots, deed: str) -> None:
    assert attempt(bots, deed) in ("ENOSYS", "EPERM", "ENOTSUP")  # the C library may say it in other words


@pytest.mark.parametrize("family", ["UNIX", "INET", "INET6", "NETLINK", "PACKET", "VSOCK", "ALG", "QIPCRTR"])
def test_77_there_are_no_sockets(bots: Bots, family: str) -> None:
    assert attempt(bots, f"socket.socket(socket.AF_{family}, socket.SOCK_DGRAM)") == "EAFNOSUPPORT"


def test_77_but_a_pair_that_leads_nowhere_else(bots: Bots) -> None:
    assert attempt(bots, "a, b = socket.socketpair(); a.send(b'x'); b.recv(1); a.close()") == "done"
    assert attempt(bots, "socket.socketpair(type=socket.SOCK_DGRAM)") == "ENOSYS"
    assert attempt(bots, "socket.socketpair()[0].connect('/tmp/x')") == "EPERM"
    assert attempt(bots, "socket.socketpair()[0].bind('/tmp/x')") == "EPERM"


FOREIGN = """
#include <stdio.h>
#include <unistd.h>
#include <errno.h>
#include <sys/syscall.h>
int main(void) {
    long foreign = 20;  /* getpid on i386 */
    __asm__ volatile("int $0x80" : "+a"(foreign) :: "memory");
    errno = 0;
    long x32 = syscall(0x40000000 | SYS_getpid);
    printf("%ld %ld %d\\n", foreign, x32, errno);
    fflush(stdout);
    return getchar() < 0;
}
"""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="these calls are those of x86")
def test_78_calls_of_other_architectures_are_unknown(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    need(compiler, "a C compiler")
    (tmp_path / "bot").mkdir()
    source, built = tmp_path / "foreign.c", tmp_path / "bot" / "foreign"
    source.write_text(FOREIGN)
    subprocess.run([str(compiler), "-o", str(built), str(source)], check=True, timeout=300)
    assert listen(parse_command(str(built))) == f"{-errno.ENOSYS} -1 {errno.ENOSYS}"


def test_the_filter_is_built_once() -> None:
    assert sandbox.find_filter() is sandbox.find_filter()
    assert find_level().level == "sandboxed"
    assert sys.platform == "linux"
