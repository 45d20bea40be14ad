"""Settings for every test."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

quiet: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.differing_executors],
}
settings.register_profile("usual", max_examples=40, **quiet)
settings.register_profile("deep", max_examples=2_000, **quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))

REAL = [Path(__file__).parent / part for part in ("browser", "cli", "net", "run", "soak", "store", "web")]
"""Where tests start real processes, sockets and databases: a machine that stalls for seconds may fail one of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Try those once more, and show that it was needed (``-rR``); all others fail at once."""
    for item in items:
        if any(part in item.path.parents for part in REAL):
            item.add_marker(pytest.mark.flaky(reruns=1))
