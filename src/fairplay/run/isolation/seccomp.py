"""Which system calls a program in a sandbox may make: a filter for bubblewrap, built once by libseccomp.

What is not listed is answered with an error, so that runtimes fall back on something else; nothing is ever killed.
The list holds what interpreters, virtual machines and compiled programs need to compute, to read their own files, to
write into their scratch folder and to have threads and children.  It leaves out whatever outlives a process or can be
shared with a stranger (keyrings, shared memory, locks, watches on files, the page cache), whatever holds memory that
nobody counts, every socket but a pair, and whatever changes the machine.
"""

import errno
from collections.abc import Mapping
from functools import cache
from tempfile import TemporaryFile
from typing import Any, NamedTuple

CALLS = """
    read write readv writev pread64 pwrite64 preadv pwritev lseek close close_range
    open openat creat access faccessat faccessat2 stat fstat lstat newfstatat statx readlink readlinkat
    getdents getdents64 getcwd chdir fchdir umask
    rename renameat renameat2 mkdir mkdirat rmdir link linkat unlink unlinkat symlink symlinkat
    chmod fchmod fchmodat truncate ftruncate fallocate utime utimes utimensat futimesat
    dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 copy_file_range sendfile
    epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
    signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime
    sendto recvfrom recvmsg shutdown getsockname getpeername getsockopt

    brk munmap mremap mprotect
    futex set_robust_list get_robust_list set_tid_address rseq membarrier arch_prctl
    fork vfork execve exit exit_group wait4 waitid
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack restart_syscall
    pause alarm setitimer getitimer

    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage
    getrandom uname getcpu
    getpid gettid getppid getpgrp getpgid getsid
    getuid geteuid getgid getegid getresuid getresgid getgroups capget
    getrlimit setrlimit prlimit64 getpriority setpriority
    sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min
"""
"""What a program may call with any arguments."""


class Condition(NamedTuple):
    """A call of which one argument, under a mask, must have one of some values."""

    call: str
    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFF_FFFF
    first: int | None = None  # what its first argument must be besides


NAMESPACES = 0x7E02_0080  # all CLONE_NEW*
CLONE_FILES, CLONE_THREAD = 0x400, 0x1_0000
MAP_SHARED, MAP_ANONYMOUS = 0x1, 0x20
AF_UNIX, SOCK_STREAM, SOCK_TYPES = 1, 1, 0xF
SIGCONT, SIGNAL_BITS = 18, (1, 2, 4, 8, 16, 32, 64)

CONDITIONS = (
    # Children and threads, but no namespaces, and no thread with open files that nobody would count.
    Condition("clone", 0, (0, CLONE_FILES, CLONE_FILES | CLONE_THREAD), NAMESPACES | CLONE_FILES | CLONE_THREAD),
    # Shared memory without a file can be let go of and kept: no process is charged for it.
    Condition("mmap", 3, (0, MAP_SHARED, MAP_ANONYMOUS), MAP_SHARED | MAP_ANONYMOUS),
    # To copy a descriptor, to see and set its flags: no locks, leases and watches, no larger pipes.
    Condition("fcntl", 1, (0, 1, 2, 3, 4, 1030, 1032)),
    # To ask whether it is a terminal, its size, how much there is to read; blocking or not; to be closed on exec.
    Condition("ioctl", 1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C_542A)),
    # Advice on its own memory, but nothing that moves pages of files in and out of memory, or merges pages.
    Condition("madvise", 2, (0, 1, 2, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 24, 25)),
    # Names of threads, signals when the parent ends, no new privileges, huge pages, names of memory.
    Condition("prctl", 0, (1, 2, 3, 15, 16, 21, 23, 29, 30, 38, 39, 41, 42, 0x5356_4D41)),
    # A stream can neither be connected to anything else nor be sent to an address.
    Condition("socketpair", 1, (SOCK_STREAM,), SOCK_TYPES, first=AF_UNIX),
    # Any signal but SIGCONT, from which one bit at least differs: who is stopped is not woken by an accomplice.
    *(
        Condition(call, argument, (bit & ~SIGCONT,), bit)
        for call, argument in (("kill", 1), ("tkill", 1), ("tgkill", 2))
        for bit in SIGNAL_BITS
    ),
)
"""What a program may call with some arguments only."""

ANSWERS: Mapping[int, tuple[str, ...]] = {
    0: ("fsync", "fdatasync", "msync"),  # the scratch folder is memory; other people's files are not to be flushed
    errno.EAFNOSUPPORT: ("socket",),
    errno.EOPNOTSUPP: ("getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr", "setxattr"),
    errno.EPERM: (
        *("ptrace", "process_vm_readv", "process_vm_writev", "bpf", "perf_event_open", "userfaultfd", "unshare"),
        *("setns", "mount", "umount2", "pivot_root", "chroot", "chown", "fchown", "lchown", "fchownat", "setuid"),
        *("setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "capset", "add_key", "keyctl"),
        *("request_key", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "setsockopt", "sendmsg"),
        *("connect", "bind", "listen", "accept", "accept4", "shmget", "semget", "msgget", "mknod", "mknodat"),
        *("personality", "flock"),
        *("setsid", "setpgid"),  # it is stopped as one process group
    ),
}
"""What is refused with another error than ENOSYS: calls that every kernel has, so that nobody is prepared for that."""


@cache
def find_filter() -> bytes | None:
    """The filter as bubblewrap reads it, built once; None if libseccomp is missing."""
    try:
        return build_filter()
    except (ImportError, OSError, RuntimeError):  # pyseccomp raises the last one if there is no library
        return None


def build_filter() -> bytes:
    """The filter as a program for the kernel; raises ImportError or RuntimeError if libseccomp is missing."""
    import pyseccomp  # here: importing it loads the library

    made = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.ENOSYS))
    made.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.ERRNO(errno.ENOSYS))  # calls of 32-bit programs, and of x32
    for call in CALLS.split():
        add_rule(made, pyseccomp.ALLOW, call)
    for answer, calls in ANSWERS.items():
        for call in calls:
            add_rule(made, pyseccomp.ERRNO(answer), call)
    for condition in CONDITIONS:
        first = [] if condition.first is None else [pyseccomp.Arg(0, pyseccomp.EQ, condition.first)]
        for value in condition.values:
            wanted = pyseccomp.Arg(condition.argument, pyseccomp.MASKED_EQ, condition.mask, value)
            add_rule(made, pyseccomp.ALLOW, condition.call, *first, wanted)
    with TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()


def add_rule(made: Any, action: int, call: str, *arguments: Any) -> None:
    """Add a rule, unless libseccomp has never heard of the call: then it is refused like everything unknown."""
    import pyseccomp

    number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, call)
    if number != UNKNOWN:
        made.add_rule(action, number, *arguments)


UNKNOWN = -1
"""The number of a call that libseccomp does not know."""
