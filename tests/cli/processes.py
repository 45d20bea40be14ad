"""Servers and players that are processes of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

FAIRPLAY = [sys.executable, "-c", "from fairplay.cli import main; main()"]
PIPES: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}


def serving(folder: Path, *arguments: str) -> tuple[subprocess.Popen[bytes], str]:
    """A server on a free port, and where it listens."""
    process = subprocess.Popen([*FAIRPLAY, "serve-tcp", *arguments, "--port", "0"], cwd=folder, **PIPES)
    assert process.stderr is not None
    found = re.fullmatch(r"listening on (\S+) port (\d+)\n", process.stderr.readline().decode())
    assert found is not None
    return process, f"{found[1]}:{found[2]}"


def joining(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*FAIRPLAY, "join", *arguments], cwd=folder, **PIPES)


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=300)
    return process.returncode, out.decode(), err.decode()
