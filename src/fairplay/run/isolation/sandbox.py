"""Where a program runs: limits on what it may take, and bubblewrap around it if that works.

Inside bubblewrap a program has namespaces of its own: it sees its own processes only, no network, a read-only file
system that holds the system's programs and what belongs to the program itself, and a scratch folder of bounded size.
When its first process ends, the kernel ends all the others.  Without bubblewrap only the limits are left.
"""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from math import ceil
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from fairplay.contest.contest import Hidden
from fairplay.core import UsageError
from fairplay.kernels.cache import FOLDER, shown_cache
from fairplay.match.protocol import LONGEST
from fairplay.run.isolation.mounts import (
    SCRATCH,
    Cover,
    HiddenFiles,
    cover_folders,
    own_paths,
    show_covers,
    show_paths,
    system_folders,
)
from fairplay.run.isolation.seccomp import find_filter

MIB = 1 << 20


class ProgramLimits(Struct, frozen=True):
    """What one program may take in one match; seconds and bytes."""

    start: float = 30.0  # until it has said hello, on a machine that may be busy
    bank: float = 1_200.0  # for all its replies together
    parting: float = 1.0  # to end by itself after the last line
    cpu: float = 600.0  # of each process
    memory: int = 512 * MIB  # resident in all; each process may allocate twice as much
    message: int = LONGEST  # one line
    output: int = 64 * MIB  # everything it writes to its standard output and error
    disk: int = 64 * MIB  # one file, and the scratch folder of a sandbox
    files: int = 256  # open at once
    processes: int = 64  # and threads


class Command(Struct, frozen=True):
    """A program with its arguments, the folder it is started in, and what of the file system belongs to it."""

    arguments: tuple[str, ...]
    folder: str
    shown: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()  # of its environment, besides those that every program has
    covers: tuple[Cover, ...] = ()  # what is hidden again of it
    proc: bool = True  # whether it needs /proc, as virtual machines do to find themselves


def parse_command(text: str, hidden: Hidden = Hidden()) -> Command:
    """The program that a command line names; raises UsageError if there is none that can be started."""
    try:
        words = split_words(text)
    except ValueError as error:
        raise UsageError(f"cmd:{text}: {str(error).lower()}") from None
    if not words:
        raise UsageError("cmd: needs a program, such as cmd:./my_bot")
    folder = Path.cwd()
    words[0] = find_executable(text, words[0])
    files = HiddenFiles(hidden, folder, [folder / word for word in words])
    shown = tuple(own_paths(words, files))
    return show_kernels(Command(tuple(words), str(folder), shown, covers=tuple(cover_folders(shown, files))))


def show_kernels(program: Command) -> Command:
    """The same program, which finds the compiled kernels that there are; a sandbox shows them read-only."""
    found = shown_cache()
    variables = (*program.variables, *((FOLDER, path) for path in found))
    return replace(program, shown=(*program.shown, *found), variables=variables)


def split_words(text: str) -> list[str]:
    """The words of a command line, as the system's own shell would have them; raises ValueError."""
    if os.name == "posix":
        return shlex.split(text)
    return [word.strip('"') for word in shlex.split(text, posix=False)]  # a backslash is part of a path


def find_executable(text: str, name: str) -> str:
    """The full path of a program; raises UsageError with the reason in one line."""
    if os.sep not in name:
        if found := shutil.which(name):
            return str(resolve_shim(text, Path(found).absolute()))
        hint = f"; for the file in this folder write cmd:./{text}" if Path(name).is_file() else ""
        raise UsageError(f"cmd:{text}: there is no program '{name}' on the PATH{hint}")
    path = Path(name).absolute()
    if not path.is_file():
        raise UsageError(f"cmd:{text}: there is no file {name}")
    if not os.access(path, os.X_OK):
        raise UsageError(f"cmd:{text}: the file {name} is not executable; chmod +x {name}")
    return str(path)


MANAGERS = ("pyenv", "rbenv", "nodenv", "asdf", "mise")
"""Version managers, whose folder `shims` holds scripts that find out which version of a program is meant."""


def resolve_shim(text: str, path: Path) -> Path:
    """The program that `path` starts here: a sandbox has no version manager to ask.  Raises UsageError."""
    root = path.parent.parent
    manager = next((name for name in MANAGERS if name in root.name), None)
    if path.parent.name != "shims" or manager is None:
        return path
    tool = shutil.which(manager, path=f"{root / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}")
    if tool is None:
        raise UsageError(f"cmd:{text}: {path} needs {manager}, which is not there; give the full path of the program")
    asked = subprocess.run([tool, "which", path.name], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if asked.returncode != 0:
        reason = (asked.stderr.strip() or f"no {path.name}").splitlines()[0]
        raise UsageError(f"cmd:{text}: {manager} does not know which program is meant: {reason}")
    return Path(asked.stdout.strip())


OPTIONS = (
    *("--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"),
    *("--uid", "1000", "--gid", "1000", "--hostname", "sandbox"),
)


# -- the sandbox -------------------------------------------------------------------------------


class Bubblewrap(NamedTuple):
    """How to call bubblewrap; an empty command, and the reason in one line, if that does not work."""

    command: tuple[str, ...]
    reason: str = ""


@cache
def find_bubblewrap() -> Bubblewrap:
    """How to call bubblewrap on this machine, tried once: in many containers it is installed and does not work."""
    found = shutil.which("bwrap")
    if found is None:
        return Bubblewrap((), "bubblewrap is not installed")
    if find_filter() is None:
        return Bubblewrap((), "libseccomp is not installed")
    reason = ""
    for extra in (("--disable-userns",), ()):  # older ones do not know that option
        command = (found, *OPTIONS, *extra)
        reason = try_bubblewrap(command)
        if not reason:
            return Bubblewrap(command)
    return Bubblewrap((), f"bubblewrap does not work here ({reason})")


TRIAL_SECONDS = 20.0


def try_bubblewrap(command: Sequence[str]) -> str:
    """Why bubblewrap cannot be called so, in one line; empty if it can."""
    try:
        with prepare_sandbox(Command(("true",), "/"), ProgramLimits(), command) as (arguments, given):
            trial = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={"PATH": PATH},
                pass_fds=given,
                start_new_session=True,
            )
    except OSError as error:
        return str(error)
    with trial:
        try:
            said = trial.communicate(timeout=TRIAL_SECONDS)[1]
        except subprocess.TimeoutExpired as error:
            os.killpg(trial.pid, signal.SIGKILL)  # all of it: the part inside would wait for the one outside for ever
            return str(error)
    lines = said.decode("utf-8", "replace").splitlines()
    return "" if trial.returncode == 0 else lines[-1] if lines else f"exit code {trial.returncode}"


def launch_arguments(
    program: Command, limits: ProgramLimits, *, scratch: str, mark: str
) -> tuple[list[str], dict[str, str]]:
    """The arguments and the environment that start `program` as a plain process, with limits alone.

    ASSUME `scratch` is a folder of this program's own.
    """
    environment = {"PATH": PATH, "LANG": "C.UTF-8", "HOME": scratch, "TMPDIR": scratch, MARK: mark}
    environment.update(program.variables)
    return [*dies_with_us(), *limit_arguments(limits, alone=False), *program.arguments], environment


@contextmanager
def prepare_sandbox(
    program: Command, limits: ProgramLimits, command: Sequence[str] | None = None
) -> Iterator[tuple[list[str], list[int]]]:
    """The arguments that start `program` in a sandbox, and the descriptors that must be passed on to it.

    ASSUME bubblewrap works, called as `command` says or else as was found out.
    """
    filter = find_filter()
    assert filter is not None, "without a filter there is no sandbox"
    bubblewrap, *ways = command or find_bubblewrap().command
    given = [open_text(filter)]
    try:
        if program.proc:
            given.append(open_text(describe_memory(limits)))
        options = [
            *ways,
            *("--seccomp", str(given[0])),
            *system_folders(limits.disk),
            *kernel_files(proc=program.proc),
            *(("--ro-bind-data", str(given[1]), "/proc/meminfo") if program.proc else ()),
            *("--dir", program.folder, *show_paths(program.shown), *show_covers(program.covers)),
            *("--remount-ro", "/", "--chdir", program.folder),
            *(word for name, value in variables(program).items() for word in ("--setenv", name, value)),
        ]
        given.append(open_text("".join(f"{option}\0" for option in options).encode(errors="surrogateescape")))
        words = (*limit_arguments(limits, alone=True), *program.arguments)
        # A program can read the command line of its first process, which is bubblewrap.
        yield [bubblewrap, "--args", str(given[-1]), "--", *words], given
    finally:
        for each in given:
            os.close(each)


def variables(program: Command) -> dict[str, str]:
    """The environment of a program in a sandbox."""
    return {"PATH": PATH, "LANG": "C.UTF-8", "HOME": SCRATCH, "TMPDIR": SCRATCH, **dict(program.variables)}


def open_text(text: bytes) -> int:
    """A descriptor from which `text` can be read."""
    given = os.memfd_create("given")
    os.write(given, text)
    os.lseek(given, 0, os.SEEK_SET)
    return given


def describe_memory(limits: ProgramLimits) -> bytes:
    """``/proc/meminfo`` of a machine that has what the program may use: virtual machines choose their heap by it."""
    names = ("MemTotal", "MemFree", "MemAvailable")
    return "".join(f"{name}: {limits.memory // 1024} kB\n" for name in names).encode()


@cache
def kernel_files(*, proc: bool) -> tuple[str, ...]:
    """Options for the few devices of a sandbox, and for its ``/proc``, which tells of its own processes only."""
    devices = [word for name in DEVICES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")]
    if not proc:
        return tuple(devices)
    links = [word for name, path in STREAMS.items() for word in ("--symlink", f"/proc/self/{path}", f"/dev/{name}")]
    return (*devices, *links, "--proc", "/proc", *hide_machine())


def hide_machine() -> Iterator[str]:
    """Options that cover whatever in ``/proc`` tells of the machine, and so of other programs: load, keys, locks ..."""
    for path in sorted(Path("/proc").iterdir()):
        if path.name.isdigit() or path.name in SHOWN or path.is_symlink():
            continue
        if path.is_dir():
            yield from ("--tmpfs", str(path), "--remount-ro", str(path))
        else:
            yield from ("--ro-bind", "/dev/null", str(path))  # which cannot be opened there


DEVICES = ("null", "random", "urandom")
"""The devices of a sandbox.  /dev/zero would be memory that nobody is charged for."""

STREAMS = {"fd": "fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}

SHOWN = ("cpuinfo", "filesystems", "meminfo", "version")
"""What virtual machines read in ``/proc`` besides what is their own."""

MARK = "FAIRPLAY_PROGRAM"
PATH = "/usr/local/bin:/usr/bin:/bin"


def limit_arguments(limits: ProgramLimits, *, alone: bool) -> list[str]:
    """What sets the limits of a process before it becomes the program; nothing if that tool is missing.

    Linux counts processes per user, so outside a user namespace of its own a program would be charged for everything
    that its user runs.  Root is never charged.  Therefore its processes are also counted while a reply is awaited.
    """
    tool = shutil.which("prlimit", path=PATH)
    if tool is None:
        return []
    cpu = ceil(limits.cpu)
    return [
        tool,
        f"--data={2 * limits.memory}",
        f"--as={16 * limits.memory}",  # virtual machines reserve far more than they ever use
        f"--cpu={cpu}:{cpu + 1}",
        f"--fsize={limits.disk}",
        f"--nofile={limits.files}",
        *([f"--nproc={limits.processes}"] if alone else []),
        "--core=0",
        "--",
    ]


def dies_with_us() -> list[str]:
    """What ends a program without a sandbox when the referee is killed."""
    tool = shutil.which("setpriv", path=PATH)
    return [] if tool is None else [tool, "--pdeathsig", "KILL", "--no-new-privs", "--"]
