"""A web server for each module of tests, or for one test alone."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
import structlog
from msgspec.structs import replace

from web.servers import PATIENT, TOKEN, Inside, inside


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server that belongs to somebody else: without the token one is a visitor."""
    with inside(tmp_path_factory.mktemp("web") / "fairplay.db", replace(PATIENT, token=TOKEN)) as running:
        yield running


@pytest.fixture
def client(site: Inside) -> Iterator[httpx.Client]:
    with site.client() as visitor:
        yield visitor


@pytest.fixture
def log() -> Iterator[list[structlog.typing.EventDict]]:
    """What the server logs."""
    with structlog.testing.capture_logs() as entries:
        yield entries
