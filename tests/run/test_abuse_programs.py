"""Programs that misbehave: each ends in its fault, the other player plays on, and nothing is left behind.

The numbers are those of the list of abuses that a referee must survive (25 to 34).
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core import FaultKind, House, Seat, UsageError
from fairplay.match.replay import deal_state
from fairplay.run.isolation.child import KEPT
from fairplay.run.isolation.command import parse_command
from fairplay.run.isolation.process_tree import measure_usage
from fairplay.run.isolation.program import Program
from fairplay.run.isolation.sandbox import ProgramLimits
from kit import kit

from .programs import ESCAPE, SMALL, Bots, Played, alive, command_line, confine, played

MIB = 1 << 20


def out(result: Played, kind: FaultKind, words: str = "") -> None:
    """Seat 0 was thrown out for this, and seat 1 won."""
    fault = result.outcome.faults[0]
    assert fault is not None, "no fault"
    assert (fault.kind, bool(re.search(words, fault.detail))) == (kind, True), fault
    assert result.outcome.faults[1] is None
    assert result.outcome.winners == (1,)


def at_third_question(text: str) -> str:
    return f"def misbehave(message):\n    if asked == 3: {text}\n"


# -- 25: does not start ------------------------------------------------------------------------


def test_25_a_program_that_ends_at_once(bots: Bots, confined: str) -> None:
    bot = bots(text="import sys; sys.stderr.write('no licence found'); sys.exit(3)")
    out(played(bot), FaultKind.CRASHED, "exit code 3 before its hello.*\nno licence found")


def test_25_a_program_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain").write_text("")
    for text, words in {
        "./missing --flag": "cmd:./missing --flag: there is no file ./missing",
        "./plain": "cmd:./plain: the file ./plain is not executable; chmod [+]x ./plain",
        "no-such-program": "cmd:no-such-program: there is no program 'no-such-program' on the PATH$",
        "plain x": "there is no program 'plain' on the PATH; for the file in this folder write cmd:./plain x",
        "": "cmd: needs a program",
        "'": "cmd:': no closing quotation",
    }.items():
        with pytest.raises(UsageError, match=words):
            parse_command(text)


def test_25_a_file_that_is_no_program(tmp_path: Path, confined: str) -> None:
    path = tmp_path / "bot"
    path.write_bytes(b"\0\1\2")
    path.chmod(0o755)
    out(played(parse_command(str(path))), FaultKind.CRASHED, "exit code 12[67] before its hello")


# -- 26: ends in the midst of a match ----------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("raise ValueError('my own mistake')", "exit code 1;.*\n(.*\n)*ValueError: my own mistake"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("os.abort()", "SIGABRT"),
        ("sys.exit(0)", "exit code 0"),
    ],
)
def test_26_a_crash_in_the_midst_of_a_match(bots: Bots, confined: str, how: str, words: str) -> None:
    result = played(bots(at_third_question(how)))
    out(result, FaultKind.CRASHED, words)
    assert result.usage.replies > 2


def test_26_a_program_that_closes_its_output_and_lives_on(bots: Bots, confined: str) -> None:
    """Around a sandbox bubblewrap keeps the pipe open, so that only the silence is noticed."""
    bot = bots(at_third_question("os.close(1); time.sleep(60)"))
    result = played(bot, patience=2.0)
    out(result, FaultKind.TIMED_OUT if confined == "sandbox" else FaultKind.GONE)
    assert not alive(bot)


# -- 27: never answers -------------------------------------------------------------------------


def test_27_silence(bots: Bots, confined: str) -> None:
    bot = bots(at_third_question("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"))
    result = played(bot, patience=2)
    out(result, FaultKind.TIMED_OUT, "no answer within 2 s")
    assert result.seconds < 300
    assert not alive(bot)


def test_27_no_hello(bots: Bots) -> None:
    out(
        played(bots(text="import time; time.sleep(600)"), ProgramLimits(start=0.5)),
        FaultKind.TIMED_OUT,
        "no hello within 0.5",
    )


def test_27_a_drip_is_no_answer(bots: Bots) -> None:
    drip = "while True: sys.stdout.write(' '); sys.stdout.flush(); time.sleep(0.05)"
    out(played(bots(f"def misbehave(message):\n    {drip}\n"), patience=0.5), FaultKind.TIMED_OUT)


def test_27_the_time_of_a_whole_match_is_bounded(bots: Bots) -> None:
    bot = bots("def misbehave(message):\n    time.sleep(0.2)\n")
    out(played(bot, ProgramLimits(bank=0.7)), FaultKind.TIMED_OUT, "what was left of its 0.7 s for the whole match")


# -- 28: takes too much ------------------------------------------------------------------------


@pytest.fixture
def flat() -> Iterator[None]:
    """Requires that the memory of this process grows by less than 10 MiB, at its peak too."""
    before = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    yield
    assert memory("VmHWM") - before < 10 * MIB


def memory(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


@pytest.mark.parametrize(
    ("how", "limits", "kind", "words"),
    [
        pytest.param(
            "hoard = []\n    while True: hoard.append(b'x' * 1000000)",
            ProgramLimits(memory=200 * MIB),
            FaultKind.EXCEEDED,
            "more than 209715200 bytes of memory",
            id="memory",
        ),
        pytest.param(
            "while True: pass", ProgramLimits(cpu=1), FaultKind.EXCEEDED, "more than 1 s of CPU time", id="CPU time"
        ),
        pytest.param(
            # It doubles to 512 and no further: for root there is no limit but the machine's, which others need as well.
            # A read would end with its pipe, and all of them would find the next message in their copies of the buffer.
            "for _ in range(9):\n        try: os.fork()\n        except OSError: pass\n    time.sleep(600)",
            ProgramLimits(processes=40),
            FaultKind.EXCEEDED,
            "more than 40 processes",
            id="processes",
        ),
        pytest.param(
            "while True: os.write(1, b'x' * 65536)",
            ProgramLimits(),
            FaultKind.EXCEEDED,
            "a line of more than 65536 bytes",
            id="a line",
        ),
        pytest.param(
            "while True: os.write(2, b'x' * 65536)",
            ProgramLimits(output=20 * MIB),
            FaultKind.EXCEEDED,
            "more than 20971520 bytes of output",
            id="standard error",
        ),
        pytest.param(
            "files = [open('/dev/null') for _ in range(500)]",
            ProgramLimits(),
            FaultKind.CRASHED,
            "Too many open files",
            id="open files",
        ),
        pytest.param(
            "open(os.environ['TMPDIR'] + '/large', 'wb').write(bytes(5 << 20))",
            ProgramLimits(disk=1 * MIB),
            FaultKind.CRASHED,
            "File too large|No space left",
            id="a file",
        ),
    ],
)
def test_28_limits(
    bots: Bots, confined: str, flat: None, how: str, limits: ProgramLimits, kind: FaultKind, words: str
) -> None:
    bot = bots(f"def misbehave(message):\n    {how}\n")
    result = played(bot, limits)
    out(result, kind, words)
    assert result.seconds < 300
    assert not alive(bot)


def test_28_too_much_while_another_one_is_on_turn(bots: Bots, confined: str) -> None:
    """The hoarder answers at once, and grows while the other program thinks."""
    hoarder = bots(
        "import threading\n"
        "def hoard():\n    kept = []\n    while True: kept.append(b'x' * 1000000)\n"
        "def misbehave(message):\n    if asked == 1: threading.Thread(target=hoard, daemon=True).start()\n"
    )
    slow = bots("def misbehave(message):\n    time.sleep(0.3)\n")
    rival = Program(GAMES["fish"], slow, 60.0)
    result = played(hoarder, ProgramLimits(memory=200 * MIB), others=[rival], ponder=True)
    out(result, FaultKind.EXCEEDED, "memory")


# -- 29: hides ---------------------------------------------------------------------------------


@pytest.mark.parametrize("last", ["os._exit(0)", "time.sleep(600)", "pass"])
def test_29_a_grandchild_that_keeps_the_pipes(bots: Bots, confined: str, last: str) -> None:
    """Whether the program ends, hangs, or plays to the end of the match: no process is left."""
    bot = bots(ESCAPE + at_third_question(f"\n        escape()\n        {last}"))
    result = played(bot, patience=3.0 if "sleep" in last else 60.0)
    assert result.seconds < 300
    fault = result.outcome.faults[0]
    kinds = {"os._exit(0)": FaultKind.CRASHED, "time.sleep(600)": FaultKind.TIMED_OUT, "pass": None}
    assert (fault and fault.kind) == kinds[last]
    assert not alive(bot)


# -- 30: spies ---------------------------------------------------------------------------------

SPY = """
def attempt(name, deed):
    try: found = deed()
    except Exception as error: found = None
    if found: print("SPIED", name, found, file=sys.stderr)

def connect():
    with socket.create_connection(("127.0.0.1", {port}), 2): return "connected"

def ptrace():
    import ctypes
    return ctypes.CDLL(None).ptrace(16, {pid}, 0, 0) == 0

def misbehave(message):
    for path in {paths!r}:
        attempt(path, lambda: open(path).read() if not os.path.isdir(path) else os.listdir(path))
    attempt("environment", lambda: os.environ.get("FAIRPLAY_TEST_SECRET"))
    attempt("socket", connect)
    attempt("kill", lambda: os.kill({pid}, 0) or "killed")
    attempt("ptrace", ptrace)
    attempt("processes", lambda: [entry for entry in os.listdir("/proc") if entry.isdigit() and int(entry) > 20])
    for path in ("/usr/x", "/x", "/dev/x", "/dev/shm/x", os.path.dirname({own!r}) + "/x"):
        attempt("write " + path, lambda: open(path, "w").write("x"))
    attempt("namespace", lambda: subprocess.run(["unshare", "-U", "true"], capture_output=True).returncode == 0)
    open(os.environ["TMPDIR"] + "/mine", "w").write("scratch")
    print("DONE", file=sys.stderr)
"""


def test_30_a_sandbox_shows_nothing_of_the_machine(bots: Bots, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)
    monkeypatch.setenv("FAIRPLAY_TEST_SECRET", "secret")
    secret = tmp_path / "fairplay.db"
    secret.write_text("secret")
    rival = bots()
    own = tmp_path / "bot-2" / "bot.py"
    with socket.create_server(("127.0.0.1", 0)) as server:
        bot = bots(
            SPY.format(
                port=server.getsockname()[1],
                pid=os.getpid(),
                paths=["/etc/passwd", "/etc/shadow", f"{Path.home()}/.bashrc", f"{Path.home()}/.ssh", str(secret)]
                + [rival.arguments[-1], f"{Path.cwd()}/Makefile"],
                own=str(own),
            )
        )
        result = played(bot)
    assert result.outcome.faults == (None, None)
    assert "DONE" in result.usage.stderr
    assert "SPIED" not in result.usage.stderr
    assert not (own.parent / "x").exists()


# -- 31: speaks for people ---------------------------------------------------------------------


@pytest.mark.parametrize("text", ["print('thinking about it ...', flush=True)", "print(); sys.stdout.flush()"])
def test_31_debug_text_on_standard_output(bots: Bots, text: str) -> None:
    result = played(bots(f"def misbehave(message):\n    {text}; time.sleep(0.2)\n"))
    out(result, FaultKind.MALFORMED, r"expected one JSON value a line.*\(text for people belongs on standard error\)")


def test_31_standard_error_is_kept_but_cut(bots: Bots, confined: str) -> None:
    bot = bots(
        "def misbehave(message):\n"
        "    if asked == 1: print('first', 'x' * 300000, file=sys.stderr)\n"
        "    print('so far', asked, '\\x1b[31m', file=sys.stderr)\n"
    )
    result = played(bot)
    assert result.outcome.faults == (None, None)
    assert len(result.usage.stderr) <= KEPT
    assert "first" not in result.usage.stderr
    assert "so far 2" in result.usage.stderr
    assert "\x1b" not in result.usage.stderr


# -- 32: works on while others are on turn -----------------------------------------------------


def test_32_pondering_is_measured(bots: Bots, confined: str) -> None:
    bot = bots(
        "import threading\n"
        "def spin():\n    while True: pass\n"
        "def misbehave(message):\n    if asked == 1: threading.Thread(target=spin, daemon=True).start()\n"
    )

    def cpu() -> float:
        wanted = bot.arguments[-1].encode()
        return measure_usage([int(one.name) for one in Path("/proc").iterdir() if wanted in command_line(one)]).cpu

    burnt = 0.0

    def slow(view: Any) -> Any:
        nonlocal burnt
        before, end = cpu(), monotonic() + 120
        while (now := cpu()) < before + 0.2 and monotonic() < end:
            sleep(0.01)
        burnt += now - before
        return GAMES["fish"].rules.legal_actions(view)[0]

    result = played(bot, others=[House(slow)], ponder=True)
    assert result.outcome.faults == (None, None)
    assert result.usage.cpu > burnt / 2 >= 0.1  # its sandbox is looked at 20 times a second


# -- 33: every illegal action ------------------------------------------------------------------


def illegal_openings() -> Iterator[Any]:
    for name in ("fish", "labyrinth", "trains"):
        game = GAMES[name]
        setup = SMALL if name == "fish" else next(iter(game.variants.values()))
        view = game.rules.view(deal_state(game, setup, 1, 2), Seat(0))
        for label, action in kit(name).illegal(view):
            yield pytest.param(name, setup, msgspec.json.encode(action).decode(), id=f"{name}: {label}")


@pytest.mark.parametrize(("name", "setup", "action"), [*illegal_openings()])
def test_33_an_illegal_action(bots: Bots, name: str, setup: Any, action: str) -> None:
    result = played(bots(f"def choose(message):\n    return json.loads({action!r})\n"), game=name, setup=setup)
    fault = result.outcome.faults[0]
    assert fault is not None
    assert fault.kind in (FaultKind.ILLEGAL, FaultKind.MALFORMED), fault
    assert fault.kind is FaultKind.ILLEGAL or "$.action" in fault.detail
    assert result.outcome.faults[1] is None
    assert result.outcome.winners == (1,)


# -- 34: fails in every call -------------------------------------------------------------------

CALLS = {
    "hello": "def hello():\n    {way}\n",
    "the first news": "def misbehave(message):\n    if message['type'] == 'tell':\n        {way}\n",
    "a question": "def misbehave(message):\n    if message['type'] == 'ask':\n        {way}\n",
    "the last news": "def misbehave(message):\n    if '\"Ended\"' in line:\n        {way}\n",
}
WAYS = {
    "raises": ("raise RuntimeError", FaultKind.CRASHED),
    "hangs": ("time.sleep(600)", FaultKind.TIMED_OUT),
    "says something else": ("say(type='answer', id=1, action=7)", FaultKind.MALFORMED),
    "says it to another question": ("say(type='heard', id=999)", FaultKind.MALFORMED),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("call", CALLS)
def test_34_failing_in_every_call(bots: Bots, call: str, way: str) -> None:
    text, kind = WAYS[way]
    trains = GAMES["trains"]
    assert trains.parts.editor is not None
    bot = bots(CALLS[call].format(way=text))
    result = played(
        bot,
        ProgramLimits(start=2.0) if (call, way) == ("hello", "hangs") else None,
        patience=2.0 if way == "hangs" else 60.0,
        game="trains",
        setup=trains.parts.editor.setup_on("tiny", trains.variants["standard"]),
    )
    fault = result.outcome.faults[0]
    assert fault is not None
    assert fault.kind is kind, fault
    assert result.outcome.faults[1] is None
    assert 0 not in [seat for tier in result.outcome.ranking for seat in tier]


@pytest.mark.parametrize(
    ("replies", "words"),
    [
        ('os.write(1, b\'{"type":"heard","id":1}\\n{"type":"heard","id":1}\\n\')', "speaks unasked"),
        ('os.write(1, b\'{"type":"heard","id":1}\\n{"type":"heard","id":2}\\n\')', "speaks unasked"),
        ("say(type='heard', id=1); time.sleep(0.3); say(type='heard', id=1)", "speaks unasked|replies to 1, but 2"),
        ("say(type='heard', id=0)", "replies to 0, but 1 is awaited at [$].id"),
        ("say(type='heard', id=message['id'], more=1)", "unknown field more"),
        ("say(type='shrug', id=message['id'])", "Invalid value 'shrug' at [$].type"),
        ("say(type='answer', id=message['id'], action=None)", "at [$].action"),
        ("say(type='heard', id=str(message['id']))", "Expected int, got str at [$].id"),
    ],
)
def test_unasked_unknown_and_untrue_replies(bots: Bots, replies: str, words: str) -> None:
    """Abuses 9, 18 and 19 in the native protocol."""
    text = f"def misbehave(message):\n    if message['type'] == 'tell':\n        {replies}; time.sleep(600)\n"
    out(played(bots(text)), FaultKind.MALFORMED, words)


class SlowToHear(House):
    """Takes its time over news, so that a rival can speak out of turn."""

    def hear(self, news: object) -> None:
        sleep(0.5)


def test_an_answer_before_the_question(bots: Bots) -> None:
    """Abuse 19: it guesses the number of the next question, and replies while the other one is being told."""
    early = "say(type='heard', id=1); time.sleep(0.1); say(type='heard', id=2); sys.stdin.read()"
    bot = bots(f"def misbehave(message):\n    {early}\n")
    rival = SlowToHear(lambda view: GAMES["fish"].rules.legal_actions(view)[0])
    out(played(bot, others=[rival]), FaultKind.MALFORMED, "speaks unasked")
