"""A server that is told to stop before it has started."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from fairplay.store import open_store
from fairplay.web.app import build_app
from fairplay.web.http.serving import StopSignals, serve
from web.servers import PATIENT


@pytest.fixture
def handlers() -> Iterator[None]:
    """The signals of this process are handled as before when the test is over."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_got_lost_while_it_was_set_up_stops_it(tmp_path: Path, number: signal.Signals) -> None:
    """Python drops a KeyboardInterrupt in a callback of the garbage collector."""
    stopped = StopSignals()
    with suppress(KeyboardInterrupt):
        os.kill(os.getpid(), number)
    assert stopped.came
    with open_store(str(tmp_path / "fairplay.db")) as store, socket.create_server(("127.0.0.1", 0)) as sock:
        serve(build_app(PATIENT, store), PATIENT, sock, None, None, stopped)  # it comes back
