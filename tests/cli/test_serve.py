"""The socket of `fairplay serve`."""

from __future__ import annotations

import asyncio
import socket

import pytest

from fairplay.cli.serve import open_page_socket
from fairplay.core import UsageError


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
