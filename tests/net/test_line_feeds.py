"""Line feeds between values are off by default and on by option: some servers choke on them, others need them."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from .picky_servers import picky_server

MAIN = [sys.executable, "-c", "from fairplay.cli import main; main()"]
WAYS = {
    "join": ("join", "fish", "127.0.0.1:{port}", "--name", "a", "--player", "random"),
    "xclients": ("harness", "fish", "xclients", "1", "{port}", "--depth", "0"),
}


async def visited(way: str, *options: str, lines: bool, folder: Path) -> tuple[list[object], str]:
    """What a picky server heard from a client of ours, and what that said on standard error."""
    async with picky_server(lines=lines) as picky:
        arguments = [word.format(port=picky.port) for word in WAYS[way]]
        process = await asyncio.create_subprocess_exec(
            *MAIN,
            *arguments,
            *options,
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        _, err = await process.communicate()
        return picky.heard, err.decode()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("lines", "options"), [(False, []), (False, ["--no-line-feeds"]), (True, ["--line-feeds"])])
def test_each_server_understands_the_client_with_the_right_setting(
    tmp_path: Path, way: str, options: list[str], *, lines: bool
) -> None:
    heard, err = asyncio.run(visited(way, *options, lines=lines, folder=tmp_path))
    assert heard == ["a", "void", "void"]
    assert err == ""


@pytest.mark.parametrize("way", WAYS)
def test_a_server_that_chokes_on_line_feeds_throws_the_client_out(tmp_path: Path, way: str) -> None:
    heard, err = asyncio.run(visited(way, "--line-feeds", lines=False, folder=tmp_path))
    assert heard == ["a"]
    assert "gone: the connection closed" in err
    assert "the last call was start" in err or "there was no call yet" in err


@pytest.mark.parametrize("way", WAYS)
def test_a_server_that_reads_lines_is_recognised_by_its_waiting(tmp_path: Path, way: str) -> None:
    heard, err = asyncio.run(visited(way, lines=True, folder=tmp_path))
    assert heard == []
    assert "perhaps the server reads lines (use --line-feeds), or too few players signed up; there was no call" in err
