"""What a sandbox shows and what it holds to, seen from inside."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from fairplay.contest.contest import Hidden
from fairplay.core import UsageError
from fairplay.run.isolation.command import parse_command
from fairplay.run.isolation.sandbox import PATH, ProgramLimits, prepare_sandbox
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


FIND = """#!/bin/sh
while read line; do
  grep --recursive --files-with-matches --line-regexp 'a secret' FOLDER | sort | tr '\\n' '|'
  echo
done
"""


def look_twice(tmp_path: Path, program: str, hidden: Hidden, later: Path) -> list[str]:
    """Where a program finds a secret: at first, and once there is a new file that holds it."""
    found = []
    with (
        prepare_sandbox(parse_command(program, hidden), ProgramLimits()) as (arguments, given),
        subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            env={"PATH": PATH},
            pass_fds=given,
        ) as process,
    ):
        assert process.stdin
        assert process.stdout
        for _ in range(2):
            process.stdin.write("look\n")
            found += process.stdout.readline().strip().replace(str(tmp_path), "").split("|")[:-1]
            later.write_text("a secret")
        process.stdin.close()
    return found


def test_124_what_appears_while_a_match_is_played_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)
    home = tmp_path / "mine"
    (home / "data").mkdir(parents=True)
    (home / "data" / "table").write_text("a secret")
    (home / "bot.sh").write_text(FIND.replace("FOLDER", str(home)))
    program, later = f"sh {home / 'bot.sh'}", home / "data" / "contest-wal"
    own = "/mine/data/table"
    assert look_twice(tmp_path, program, Hidden(files=(str(home / "data" / "contest"),)), later) == [own, own]
    later.unlink()
    assert look_twice(tmp_path, program, Hidden(folders=(str(home / "data"),)), later) == [own, own]
    later.unlink()
    expected = [own, "/mine/data/contest-wal", own]
    assert look_twice(tmp_path, program, Hidden(), later) == expected, "nobody said that a store is made there"


def test_123_a_cover_hides_what_lies_among_installed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)
    tree = tmp_path / "tree"
    for name in ("bin/bot", "share/table", "share/contest", "share/deep/contest"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("a secret")
    (tree / "bin" / "bot").write_text(FIND.replace("FOLDER", str(tree)))
    (tree / "bin" / "bot").chmod(0o755)
    hidden = Hidden(files=(str(tree / "share" / "contest"), str(tree / "share" / "deep" / "contest")))
    found = look_twice(tmp_path, str(tree / "bin" / "bot"), hidden, tree / "share" / "contest-wal")
    assert found == 2 * ["/tree/share/table"]


PROC = r"""
import os, re, sys

def content(path):
    try:
        if os.path.islink(path): return os.readlink(path).encode()
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try: return os.read(descriptor, 1 << 20)
        finally: os.close(descriptor)
    except OSError:
        return b""

paths = set()
for place, folders, files in os.walk("/proc"):
    for name in folders + files:
        for path in re.findall(rb"(?<![\w.])/[^\s\0:,;|'\"()]+", content(os.path.join(place, name))):
            paths.add(path)
for path in sorted(paths): print(path.decode("ascii", "backslashreplace"), file=sys.stderr)
print("OPTIONS", b"--ro-bind" in content("/proc/1/cmdline"), len(content("/proc/1/cmdline")) > 0, file=sys.stderr)
print("hello", flush=True)
"""


def test_126_a_program_finds_no_path_of_the_machine_in_proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)
    home = tmp_path / "mine"
    for name in ("mine/bot.py", "mine/contest", "kept/contest"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(PROC)
    monkeypatch.chdir(home)
    hidden = Hidden(files=(str(tmp_path / "kept" / "contest"), str(home / "contest")))
    program = parse_command(f"{sys.executable} -S -E {home / 'bot.py'}", hidden)
    with prepare_sandbox(program, ProgramLimits()) as (arguments, given):
        ran = subprocess.run(
            arguments, env={"PATH": PATH}, pass_fds=given, capture_output=True, text=True, check=True, timeout=120
        )
    *paths, options = ran.stderr.splitlines()
    assert options == "OPTIONS False True"
    own = [*program.shown, str(home), "/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/proc", "/dev", "/tmp"]
    assert str(home / "bot.py") in paths, "it looks where paths are"
    there = [each for each in paths if Path(each).exists()]  # roots of other file systems look like paths, too
    assert [each for each in there if not any(Path(each).is_relative_to(folder) for folder in own)] == []
    assert not [each for each in paths if "kept" in each or "contest" in each]
