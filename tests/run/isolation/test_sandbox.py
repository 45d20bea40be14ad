"""What a sandbox shows and what it holds to, seen from inside."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from fairplay.core import UsageError
from fairplay.run.isolation.sandbox import ProgramLimits, parse_command, prepare_sandbox
from run.programs import Bots, confine, played


def managed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str | None) -> Path:
    """A version manager's folder with a script in the place of a program, first on the PATH; the program itself."""
    root, program = tmp_path / ".pyenv", tmp_path / ".pyenv" / "versions" / "3.99" / "bin" / "some-python"
    scripts = {root / "shims" / "some-python": "exit 127", program: "exit 0"}
    if answer is not None:
        scripts[root / "bin" / "pyenv"] = answer.replace("PROGRAM", str(program))
    for path, script in scripts.items():
        path.parent.mkdir(parents=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{root / 'shims'}:/usr/bin:/bin")
    return program


def test_a_program_under_a_version_manager_is_the_one_that_the_manager_means(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = managed(tmp_path, monkeypatch, '[ "$1 $2" = "which some-python" ] && echo PROGRAM')
    found = parse_command("some-python bot.py")
    assert found.arguments == (str(program), "bot.py")
    assert str(program.parent.parent) in found.shown


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("echo some-python: not installed >&2; exit 1", "pyenv does not know which program is meant: some-python: not"),
        ("exit 1", "pyenv does not know which program is meant: no some-python"),
        (None, "needs pyenv, which is not there"),
    ],
)
def test_a_version_manager_that_cannot_tell_is_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str | None, reason: str
) -> None:
    managed(tmp_path, monkeypatch, answer)
    with pytest.raises(UsageError, match=reason):
        parse_command("some-python bot.py")


LOOK = """
def misbehave(message):
    if asked != 1: return
    import resource
    for name in ("DATA", "AS", "CPU", "FSIZE", "NOFILE", "CORE"):
        print(name, resource.getrlimit(getattr(resource, "RLIMIT_" + name))[0], file=sys.stderr)
    print("CWD", os.getcwd(), file=sys.stderr)
    print("NAMES", *sorted(os.environ), file=sys.stderr)
    print("SESSION", os.getsid(0) != 0 and os.getppid(), file=sys.stderr)
"""


def test_limits_are_set_before_a_program_begins(bots: Bots, confined: str) -> None:
    limits = ProgramLimits(memory=300 << 20, cpu=50, disk=3 << 20, files=99)
    seen = dict(line.split(" ", 1) for line in played(bots(LOOK), limits).usage.stderr.splitlines())
    assert [seen[name] for name in ("DATA", "AS", "CPU", "FSIZE", "NOFILE", "CORE")] == [
        str(600 << 20),
        str(4800 << 20),
        "50",
        str(3 << 20),
        "99",
        "0",
    ]
    assert seen["CWD"] == str(Path.cwd())
    known = {"FAIRPLAY_KERNELS", "FAIRPLAY_PROGRAM", "HOME", "LANG", "LC_CTYPE", "PATH", "PWD", "TMPDIR"}
    assert set(seen["NAMES"].split()) <= known


def test_the_scratch_folder_of_a_sandbox_is_bounded_as_a_whole(bots: Bots, monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)
    fill = (
        "def misbehave(message):\n"
        "    for number in range(8):\n"
        "        open(f'{os.environ[\"TMPDIR\"]}/{number}', 'wb').write(bytes(1 << 20))\n"
    )
    result = played(bots(fill), ProgramLimits(disk=4 << 20))
    fault = result.outcome.faults[0]
    assert fault is not None
    assert "No space left on device" in fault.detail


def test_programs_of_one_match_do_not_see_each_other(bots: Bots, monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)
    with prepare_sandbox(parse_command(f"{sys.executable} -c pass"), ProgramLimits()) as (arguments, _):
        options = Path(f"/proc/self/fd/{arguments[arguments.index('--args') + 1]}").read_text().split("\0")
        assert "--unshare-all" in options
    count = "def misbehave(message):\n    print(sum(e.isdigit() for e in os.listdir('/proc')), file=sys.stderr)\n"
    assert set(played(bots(count)).usage.stderr.split()) <= {"2", "3"}, "only its own processes, and bubblewrap's"


LOOK_AROUND = """
def misbehave(message):
    if asked != 1: return
    import ctypes
    for name in sorted(os.listdir("/proc")) if os.path.exists("/proc") else ():
        if name.isdigit(): continue
        try: shown = os.listdir("/proc/" + name) if os.path.isdir("/proc/" + name) else open("/proc/" + name).read()
        except OSError: continue
        if shown: print("SHOWN", name, file=sys.stderr)
    for path in ("/proc/sys/kernel/random/boot_id", "/proc/loadavg", "/proc/uptime", "/proc/keys", "/proc/locks",
                 "/proc/pressure/cpu", "/proc/stat", "/proc/sysvipc/shm", "/sys/kernel", "/dev/zero", "/dev/pts"):
        try: print("READ", path, os.listdir(path) if os.path.isdir(path) else open(path).read(), file=sys.stderr)
        except OSError: pass
    print("SYSINFO", ctypes.CDLL(None).syscall(99, bytes(256)), file=sys.stderr)
    if os.path.exists("/proc"):
        print("MEMORY", open("/proc/meminfo").readline().split()[1], file=sys.stderr)
        for line in open("/proc/self/mountinfo"): print("MOUNT", *line.split()[3:5], file=sys.stderr)
"""


@pytest.mark.parametrize("proc", [True, False])
def test_80_proc_tells_of_the_program_alone(bots: Bots, monkeypatch: pytest.MonkeyPatch, proc: bool) -> None:
    confine("sandbox", monkeypatch)
    program = replace(bots(LOOK_AROUND), proc=proc)
    said = [line.split() for line in played(program, ProgramLimits(memory=300 << 20)).usage.stderr.splitlines()]
    shown = {words[1] for words in said if words[0] == "SHOWN"}
    own = {"cpuinfo", "filesystems", "meminfo", "mounts", "net", "self", "thread-self", "version"}
    assert shown == (own if proc else set())
    assert not [words for words in said if words[0] == "READ"]
    assert [words[1] for words in said if words[0] == "SYSINFO"] == ["-1"]
    assert [words[1] for words in said if words[0] == "MEMORY"] == ([str(300 << 10)] if proc else [])
    mine = [*program.shown, "/usr", "/proc", "/dev", "/tmp", "/newroot", "/bin", "/sbin", "/lib", "/etc"]
    for root, place in (words[1:] for words in said if words[0] == "MOUNT"):
        assert place == "/" or any(Path(place).is_relative_to(each) for each in mine), place
        system = place.startswith(("/proc", "/dev")) or root.startswith("/usr") or root in ("/", "/newroot")
        assert system or place.endswith(root), f"{place} comes from {root}"
