"""Thumbnails: the newest moment as everybody may see it, also to those who may see more."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread, current_thread
from typing import Any

import httpx
import pytest

from fairplay.games.trains.drawing.layout import layout_of
from fairplay.games.trains.drawing.picture import draw_base
from fairplay.web.http.limits import Settings
from fairplay.web.matches.registry import ADDRESS_SHARE
from fairplay.web.rendering.pages import DrawQueue
from web.people import open_table
from web.servers import Inside


def test_a_thumbnail_shows_what_everybody_may_see(site: Inside) -> None:
    with site.client() as person, site.client() as stranger:
        seats = [{"who": "me"}, {"who": "house", "player": "buy-now"}]
        wanted = {"game": "trains", "seats": seats, "quick": True, "pace": 60}
        id = person.post("/api/matches", json=wanted).json()["id"]
        path = f"/api/matches/{id}/picture.svg"
        mine, theirs = person.get(path), stranger.get(path)
        assert mine.text == theirs.text and mine.text.startswith("<svg")
        assert mine.headers["cache-control"] == "no-store"
        assert person.get("/api/matches/nothing/picture.svg").status_code == 404


def test_no_match_waits_while_strangers_have_pictures_drawn(
    site: Inside, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large map takes a quarter of a second: it is drawn beside everything else, one at a time."""
    id = open_table(client, "fish", "me", "random")["id"]
    drawn: list[Thread] = []
    draw = DrawQueue.draw

    async def note(queue: DrawQueue, work: Callable[..., Any], *args: Any, **more: Any) -> Any:
        def noted() -> Any:
            drawn.append(current_thread())
            return work(*args, **more)

        return await draw(queue, noted)

    monkeypatch.setattr(DrawQueue, "draw", note)
    paths = ("/api/matches/{}/picture.svg", "/api/matches/{}/moments/0/picture.svg", "/embed/{}")
    for path in (*paths, "/api/games/fish/preview.svg"):
        client.get(path.format(id)).raise_for_status()
    assert len(drawn) == 4 and site.call(current_thread) not in drawn


def test_maps_of_one_visitor_do_not_push_those_of_others_out() -> None:
    most = Settings().matches * ADDRESS_SHARE
    for cached in (layout_of, draw_base):
        assert (cached.cache_info().maxsize or 0) > most
