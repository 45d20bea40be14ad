"""What documents show, taken apart and run: fenced blocks, commands, terminals beside each other."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

SKIPPED = {"make", "git clone", "cd fairplay", "pip install"}
"""Commands that set up or test the project itself; all others are run."""

TOOLS = ("cc", "node")
"""What an example in another language needs; blocks that use one are left out where it is missing."""

PATIENCE = 300.0
"""Seconds for a command, or for all terminals of a block together."""

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TERMINAL = re.compile(r"\s+# terminal (\d)(, until Ctrl-C)?$")
PORT = re.compile(r"\b(?:45678|8000)\b")
SHOWN = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    """A fenced block, and the line of the document on which its text starts, counted from 0."""

    language: str
    text: str
    line: int


def blocks(path: Path) -> Iterator[Block]:
    """Find the fenced blocks of a document."""
    text = path.read_text("utf-8")
    for found in FENCE.finditer(text):
        yield Block(found[1], found[2], text.count("\n", 0, found.start(2)))


class Command(NamedTuple):
    """A command line of a console block and the output shown below it."""

    line: str
    output: str

    @property
    def skipped(self) -> bool:
        return any(f"{self.line} ".startswith(f"{start} ") for start in SKIPPED)


def commands(text: str) -> Iterator[Command]:
    """The commands of a console block; text before the first one is a mistake."""
    before, *parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not before.strip(), f"a console block starts with a command, not with {before!r}"
    for part in parts:
        line, _, output = part.partition("\n")
        while line.endswith("\\"):
            more, _, output = output.partition("\n")
            line = line[:-1] + more.strip()
        yield Command(line, output)


def check_console(text: str, folder: Path) -> None:
    """Run a console block: line by line, or in several terminals if its lines say so."""
    found = [command for command in commands(text) if not command.skipped]
    if any(f"{tool} " in text and shutil.which(tool) is None for tool in TOOLS):
        return
    if any(TERMINAL.search(command.line) for command in found):
        check_terminals(found, folder)
        return
    for command in found:
        check_command(command, folder)


def check_command(command: Command, folder: Path) -> None:
    ran = subprocess.run(
        ["bash", "-c", command.line],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    said = ran.stdout + PROGRESS.sub("", ran.stderr)
    fails = command.line.rstrip().endswith("# fails")
    assert (ran.returncode != 0) == fails, f"$ {command.line}\nexit code {ran.returncode}\n{said}"
    check_output(command.line, command.output, said)


PROGRESS = re.compile(r"^(\d+ (of \d+ )?matches\b|matches: |playing: |Compiling the kernel ).*\n", re.MULTILINE)
"""Lines that say how far something has come, on a slow machine only, or the first time."""


def check_output(line: str, shown: str, said: str) -> None:
    assert "Traceback" not in said, f"$ {line}\n{said}"
    if shown.strip():
        fits = doctest.OutputChecker().check_output(shown.strip(), said.strip(), SHOWN)
        assert fits, f"$ {line}\nthe document shows\n{shown}\nbut it says\n{said}"


def environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


class Terminal:
    """The lines typed into one terminal, and what they say; its first line is a server if others are to wait for it."""

    def __init__(self, number: str, typed: Sequence[Command], folder: Path) -> None:
        self.typed, self.log = typed, folder / f".terminal-{number}"
        self.endless = any(found[2] for command in typed if (found := TERMINAL.search(command.line)))
        script = "set -e\n" + "\n".join(command.line for command in typed)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ["bash", "-c", script],
                cwd=folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        return self.log.read_text("utf-8")

    def wait_for_output(self, deadline: float) -> None:
        """Wait until it has said something: a server says that it listens."""
        while not self.log.stat().st_size and self.process.poll() is None:
            assert time.monotonic() < deadline, f"{self.typed} is silent"
            time.sleep(0.02)

    def finish(self, deadline: float) -> None:
        code = self.interrupt(deadline) if self.endless else self.process.wait(max(0.0, deadline - time.monotonic()))
        lines = "\n$ ".join(command.line for command in self.typed)
        assert code == 0 or self.endless, f"$ {lines}\nexit code {code}\n{self.said}"
        check_output(lines, "".join(command.output for command in self.typed), self.said)

    def interrupt(self, deadline: float) -> int:
        """Press Ctrl-C until it ends: the first one may come while it is still starting."""
        while time.monotonic() < deadline:
            os.killpg(self.process.pid, signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                return self.process.wait(5)
        raise AssertionError(f"Ctrl-C does not end {self.typed}:\n{self.said}")

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def check_terminals(typed: Sequence[Command], folder: Path) -> None:
    """Type into several terminals.  What is typed into a new one waits until the first one has said something."""
    port = str(free_port())
    lines: dict[str, list[Command]] = {}
    for command in typed:
        found = TERMINAL.search(command.line)
        assert found, f"which terminal? {command.line}"
        lines.setdefault(found[1], []).append(Command(*(PORT.sub(port, text) for text in command)))
    deadline = time.monotonic() + PATIENCE
    terminals: list[Terminal] = []
    try:
        for number, some in lines.items():
            terminals.append(Terminal(number, some, folder))
            terminals[0].wait_for_output(deadline)
        for terminal in sorted(terminals, key=lambda one: one.endless):
            terminal.finish(deadline)
    finally:
        for terminal in terminals:
            terminal.kill()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port
