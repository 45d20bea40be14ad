"""The socket of `fairplay serve`, and its key."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from fairplay.cli.serve import open_page_socket
from fairplay.core import UsageError
from fairplay.keys import load_keys
from fairplay.web.http import serving


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
            delay = await asyncio.wait_for(found, 30)
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
    assert services.registry.own_keys == keys.public
    assert services.tournaments.key == Path(file)
