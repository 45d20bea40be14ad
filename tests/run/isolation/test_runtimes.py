"""What starts in a sandbox: interpreters, virtual machines and compiled programs, with what players use."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from fairplay.run.isolation.command import Command, parse_command
from fairplay.run.isolation.program import start_child
from fairplay.run.isolation.sandbox import ProgramLimits
from run.programs import confine, need

ROOMY = ProgramLimits(start=60, memory=1 << 30)


@pytest.fixture(autouse=True)
def _in_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder of the program's own."""
    folder = tmp_path / "bot"
    folder.mkdir()
    return folder


def converse(program: Command, limits: ProgramLimits = ROOMY) -> str:
    """What a program says to the line "7"; it must also end by itself, and have nothing to complain about."""
    child = start_child(program, limits)
    try:
        said = child.exchange(b"7\n", 60, "late").decode().strip()
        assert child.wait(60)
        assert child.status == 0, child.stderr
        return said
    finally:
        child.end()


def test_python_with_threads_children_and_files(home: Path) -> None:
    (home / "bot.py").write_text(
        "import concurrent.futures, multiprocessing, subprocess, tempfile, sqlite3, time\n"
        "number = int(input())\n"
        "with concurrent.futures.ThreadPoolExecutor(4) as pool: number += sum(pool.map(int, '1234'))\n"
        "number += int(subprocess.run(['echo', '5'], capture_output=True, text=True).stdout)\n"
        "ours, theirs = multiprocessing.Pipe()\n"
        "worker = multiprocessing.Process(target=theirs.send, args=(6,))\n"
        "worker.start(); number += ours.recv(); worker.join()\n"
        "with tempfile.NamedTemporaryFile('w+') as file: file.write('9'); file.flush(); file.seek(0); x = file.read()\n"
        "number += sqlite3.connect(':memory:').execute('select 1').fetchone()[0]\n"
        "time.sleep(0.01); print(number + int(x))\n"
    )
    assert converse(parse_command(f"{sys.executable} {home / 'bot.py'}")) == "38"


@pytest.mark.parametrize("module", ["numpy", "numba"])
def test_python_with_what_players_compute_with(home: Path, module: str) -> None:
    if find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    texts = {
        "numpy": "import numpy as np\nn = int(input())\nprint(int((np.ones((n, n)) @ np.ones((n, n))).sum()))\n",
        "numba": "import numba\n@numba.njit\ndef f(n): return n ** 3\nprint(f(int(input())))\n",
    }
    (home / "bot.py").write_text(texts[module])
    assert converse(parse_command(f"{sys.executable} {home / 'bot.py'}")) == "343"


@pytest.mark.parametrize("options", [(), ("-static",), ("-pthread",)])
def test_c(home: Path, options: tuple[str, ...]) -> None:
    compiler = shutil.which("cc")
    need(compiler, "a C compiler")
    (home / "bot.c").write_text(
        '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", n * n * n); return 0; }\n'
    )
    subprocess.run([str(compiler), *options, "-o", home / "bot", home / "bot.c"], check=True, timeout=300)
    assert converse(parse_command(str(home / "bot"))) == "343"


def test_node(home: Path) -> None:
    need(shutil.which("node"), "Node")
    (home / "bot.js").write_text(
        "const lines = require('readline').createInterface({input: process.stdin});\n"
        "lines.on('line', line => { require('child_process').execFile('echo', ['3'], (error, text) => {\n"
        "  console.log(Number(line) ** Number(text)); lines.close(); process.stdin.destroy(); }); });\n"
    )
    assert converse(parse_command(f"node {home / 'bot.js'}")) == "343"


@pytest.mark.parametrize("through", ["java", "sh"])
def test_java(home: Path, through: str) -> None:
    """Also from a script: then only /proc can tell it where it lies."""
    compiler = shutil.which("javac")
    need(compiler, "Java")
    (home / "Bot.java").write_text(
        "public class Bot { public static void main(String[] a) throws Exception {\n"
        "  var reader = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));\n"
        "  int n = Integer.parseInt(reader.readLine());\n"
        "  var thread = new Thread(() -> System.out.println(n * n * n)); thread.start(); thread.join(); } }\n"
    )
    subprocess.run([str(compiler), home / "Bot.java"], check=True, timeout=300)
    script = home / "run.sh"
    script.write_text(f"#!/bin/sh\nexec java -cp {home} Bot\n")
    script.chmod(0o755)
    line = str(script) if through == "sh" else f"java -cp {home} Bot"
    assert converse(parse_command(line)) == "343"


def test_a_shell_with_pipes(home: Path) -> None:
    (home / "bot.sh").write_text("read n; seq 1 $((n * n * n)) | tail -n 1\n")
    assert converse(parse_command(f"sh {home / 'bot.sh'}")) == "343"
