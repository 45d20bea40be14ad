"""The socket of `fairplay serve`, its key, and the link for its owner."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from fairplay.cli.serve import choose_owner_token, offer_owner_link, open_page_socket
from fairplay.core import UsageError
from fairplay.store.keys import load_keys
from fairplay.web.http import serving
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.tournaments.runner import TournamentRunner
from web.servers import outside


def test_no_answer_waits_for_an_acknowledgement() -> None:
    """Without this every second piece of an answer comes 40 ms late."""

    async def accepted() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def came(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            found.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        sock = open_page_socket("127.0.0.1", 0)
        async with await asyncio.start_server(came, sock=sock):
            _, writer = await asyncio.open_connection(*sock.getsockname())
            delay = await asyncio.wait_for(found, 120)
            writer.close()
            return delay

    assert asyncio.run(accepted())


def test_a_port_that_is_taken_is_said_so() -> None:
    with open_page_socket("127.0.0.1", 0) as taken:
        taken.listen()
        with pytest.raises(UsageError, match=r"cannot listen on 127\.0\.0\.1 port"):
            open_page_socket("127.0.0.1", taken.getsockname()[1])


@pytest.mark.parametrize(("options", "file"), [([], "games.db.key"), (["--key", "server.key"], "server.key")])
def test_the_server_signs_with_the_key_beside_its_store_or_another(
    fairplay: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, options: list[str], file: str
) -> None:
    monkeypatch.delenv("FAIRPLAY_KEY", raising=False)
    served: list[Any] = []
    monkeypatch.setattr(serving, "serve", lambda app, *rest: served.append(app))
    assert fairplay("serve", "--port", "0", "--db", "games.db", *options).exit_code == 0
    keys = load_keys(Path(file))
    services = served[0].state.services
    assert keys is not None
    assert services[MatchRegistry].own_keys == keys.public
    assert services[TournamentRunner].key == Path(file)


def test_the_link_of_the_owner_is_in_a_file_where_there_is_no_terminal(tmp_path: Path) -> None:
    """A log may be read by others; the file may not, and is gone when the server has stopped."""
    with outside(tmp_path / "fairplay.db") as server:
        found = re.search(r"in the file (.*)", server.link)
        assert found and "#" not in server.link and "#" not in server.said
        file = Path(found[1])
        assert file.stat().st_mode & 0o777 == 0o600
        assert f"http://localhost:{server.port}/sign-in#" in file.read_text()
        with server.client(cookies=server.owner_cookie()) as owner:
            assert owner.get("/metrics").status_code == 200
        assert server.stop() == 0
    assert not file.exists()


def test_the_link_of_the_owner_is_printed_to_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for terminal in (True, False):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        with offer_owner_link("http://localhost:1/sign-in#secret") as start:
            assert start.startswith("file://"), "no secret stands on the command line of a browser"
        assert ("#secret" in capsys.readouterr().err) == terminal
    assert [*tmp_path.iterdir()] == []


def test_with_a_token_there_is_no_link(tmp_path: Path) -> None:
    token = tmp_path / "token.txt"
    token.write_text("a token of the tests")
    with outside(tmp_path / "fairplay.db", "--token-file", str(token)) as server, server.client() as client:
        assert client.get("/health").status_code == 200
        assert server.stop() == 0
        assert server.process.stderr is not None and "Link" not in server.process.stderr.read()


def test_the_token_of_the_owner_is_in_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FAIRPLAY_OWNER_TOKEN", raising=False)
    assert choose_owner_token(None) == ""
    monkeypatch.setenv("FAIRPLAY_OWNER_TOKEN", "of the environment")
    assert choose_owner_token(None) == "of the environment"
    (tmp_path / "token").write_text("of the file\n")
    assert choose_owner_token(tmp_path / "token") == "of the file"
    for short in ("", "1234567"):
        monkeypatch.setenv("FAIRPLAY_OWNER_TOKEN", short)
        with pytest.raises(UsageError, match="too short"):
            choose_owner_token(None)


@pytest.mark.parametrize(
    ("table", "told"),
    [("fish random nowhere.py", "nowhere.py"), ("chess anyone bot.py", "chess"), ("fish bot", "bot"), ("", "game")],
)
def test_the_command_says_what_is_wrong_with_a_table(fairplay: Callable[..., Any], table: str, told: str) -> None:
    refused = fairplay("serve", "--port", "0", "--table", table)
    assert refused.exit_code == 2 and told in refused.output
