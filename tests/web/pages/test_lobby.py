"""The lobby as a page: every game can be paired, and it says something useful where nobody is."""

from __future__ import annotations

import httpx

from fairplay.catalog import GAMES


def test_every_game_can_be_paired(client: httpx.Client) -> None:
    page = client.get("/lobby").raise_for_status().text
    for name in GAMES:
        assert f'data-pair="{name}"' in page and f'data-waiting="{name}"' in page
    assert 'href="/new?open=1"' in page
