"""Whether the server says how it is."""

from __future__ import annotations

import httpx
import pytest

from fairplay import __version__
from fairplay.core import StoreError
from fairplay.store.store import Store
from web.people import open_table
from web.servers import Inside


def test_a_server_that_is_well_says_what_it_does(client: httpx.Client) -> None:
    before = client.get("/health").raise_for_status().json()
    open_table(client, "fish", "greedy", "random", pace=60)
    health = client.get("/health").raise_for_status().json()
    assert (health["status"], health["store"], health["version"]) == ("ok", "ok", __version__)
    assert health["matches"] == before["matches"] + 1 and health["uptime"] > 0


def test_a_server_without_its_store_is_not_well(
    site: Inside, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise StoreError("/secret/place is away")

    monkeypatch.setattr(site.services[Store].queue, "contests", fail)
    answer = client.get("/health")
    assert answer.status_code == 503 and answer.json()["store"] == "unavailable" and "secret" not in answer.text
