"""Programs in sandboxes, good and not, a few at a time: each ends in its fault, and nothing of it is left.

The numbers are those of the list of ways to misbehave.
"""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec import Struct

from fairplay.core import FaultKind
from fairplay.run.isolation.command import Command, parse_command
from fairplay.run.isolation.sandbox import ProgramLimits
from run.programs import BOT, ESCAPE

from .conducts import CRASHED, EXCEEDED, GONE, ILLEGAL, MALFORMED, NONE, TIMED_OUT

MIB = 1 << 20


class Bot(Struct, frozen=True):
    """A program: what it does at its third question, or its whole text, and which fault comes of it."""

    deed: str
    faults: frozenset[FaultKind | None]
    limits: ProgramLimits = ProgramLimits()
    before: str = ""  # text that the deed needs
    text: str | None = None


BOTS: dict[str, Bot] = {
    "good program": Bot("pass", NONE),
    "25 ends at once": Bot("", CRASHED, text="import sys; sys.exit(3)"),
    "26 raises": Bot("raise ValueError('my own mistake')", CRASHED),
    "26 segmentation fault": Bot("os.kill(os.getpid(), signal.SIGSEGV)", CRASHED),
    "26 exits": Bot("sys.exit(0)", CRASHED),
    "26 closes its output": Bot("os.close(1); time.sleep(60)", TIMED_OUT | GONE),  # bubblewrap keeps it open
    "27 never answers": Bot("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)", TIMED_OUT),
    "27 no hello": Bot("", TIMED_OUT, ProgramLimits(start=1.0), text="import time; time.sleep(600)"),
    "27 drip": Bot("while True: sys.stdout.write(' '); sys.stdout.flush(); time.sleep(0.05)", TIMED_OUT),
    "28 memory": Bot(
        "while True: hoard.append(b'x' * 1000000)", EXCEEDED, ProgramLimits(memory=64 * MIB), "hoard = []"
    ),
    "28 CPU time": Bot("while True: pass", EXCEEDED | TIMED_OUT, ProgramLimits(cpu=1)),
    "28 processes": Bot(
        "fork()",
        EXCEEDED,
        ProgramLimits(processes=20),
        "def fork():\n"
        "    for _ in range(6):\n"
        "        try: os.fork()\n"
        "        except OSError: pass\n"
        "    os.read(0, 1)\n",
    ),
    "28 a line": Bot("while True: os.write(1, b'x' * 65536)", EXCEEDED),
    "28 standard error": Bot("while True: os.write(2, b'x' * 65536)", EXCEEDED, ProgramLimits(output=4 * MIB)),
    "28 open files": Bot("files = [open('/dev/null') for _ in range(500)]", CRASHED),
    "28 a file": Bot(
        "open(os.environ['TMPDIR'] + '/large', 'wb').write(bytes(5 << 20))", CRASHED, ProgramLimits(disk=1 * MIB)
    ),
    "29 grandchild, exits": Bot("escape(); os._exit(0)", CRASHED, before=ESCAPE),
    "29 grandchild, hangs": Bot("escape(); time.sleep(600)", TIMED_OUT, before=ESCAPE),
    "29 grandchild, plays on": Bot("escape()", NONE, before=ESCAPE),
    "31 speaks for people": Bot("print('thinking about it ...', flush=True); time.sleep(0.5)", MALFORMED),
    "31 much standard error": Bot("print('x' * 300000, file=sys.stderr)", NONE),
    "33 illegal": Bot(
        "say(type='answer', id=message['id'], action=dict(do='place', at=[99, 99])); time.sleep(60)", ILLEGAL
    ),
}


def written(folder: Path) -> dict[str, Command]:
    """All of them, each in a folder of its own."""
    commands = {}
    for number, (name, bot) in enumerate(BOTS.items()):
        home = folder / f"bot-{number}"
        home.mkdir(exist_ok=True)
        deed = f"{bot.before}\ndef misbehave(message):\n    if asked == 3:\n        {bot.deed}\n"
        (home / "bot.py").write_text(BOT.format(changed=deed) if bot.text is None else bot.text)
        commands[name] = parse_command(f"{sys.executable} -S -E {home / 'bot.py'}")
    return commands
