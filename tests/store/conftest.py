"""Every test that asks for a `url` or a `store` runs on both databases."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairplay.store import open_store
from fairplay.store.store import Store
from store.postgres import Server, required, shared


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The PostgreSQL of this test run."""
    required()
    base = tmp_path_factory.getbasetemp()
    with shared(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "store.db")
    else:
        with request.getfixturevalue("server").database() as fresh:
            yield fresh


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url, patience=5) as opened:
        yield opened
