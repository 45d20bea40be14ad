"""What is shared of matches: pictures, animations and QR codes, and never what one seat sees."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from fairplay.web.http.limits import TableLimiter
from fairplay.web.sharing import pictures as raster
from fairplay.web.sharing.api import draw_shared
from fairplay.web.sharing.maker import PictureMaker
from web.contest_server import contest, played, served
from web.people import SEAT, open_table, seated
from web.servers import PATIENT, Inside, inside, wait_until

Image = pytest.importorskip("PIL.Image", reason="needs the extra `pictures`")
pytest.importorskip("resvg_py", reason="needs the extra `pictures`")

PATHS = ("share", "moments/0/picture.png", "card.png", "animation.svg", "animation.gif")


@pytest.fixture(scope="module")
def finished(site: Inside) -> Iterator[str]:
    """A match that is over."""
    with site.client() as client:
        id = open_table(client, "fish", "greedy", "random")["id"]
        wait_until(lambda: client.get(f"/api/matches/{id}/record").status_code == 200)
        yield id


def open_image(answer: httpx.Response) -> Any:
    return Image.open(io.BytesIO(answer.raise_for_status().content))


def test_a_finished_match_is_had_as_pictures(client: httpx.Client, finished: str) -> None:
    still = open_image(client.get(f"/api/matches/{finished}/moments/2/picture.png"))
    assert still.format == "PNG" and max(still.size) == raster.PNG_SIZE
    card = open_image(client.get(f"/api/matches/{finished}/card.png"))
    assert card.size == (1200, 630)
    moving = open_image(client.get(f"/api/matches/{finished}/animation.gif"))
    last = client.get(f"/api/matches/{finished}/share").json()["last"]
    assert moving.format == "GIF" and moving.n_frames == min(last + 1, raster.MAX_FRAMES)
    assert max(moving.size) == raster.GIF_SIZE


def test_an_animation_moves_without_scripts(client: httpx.Client, finished: str) -> None:
    answer = client.get(f"/api/matches/{finished}/animation.svg").raise_for_status()
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "@keyframes" in answer.text and "prefers-reduced-motion" in answer.text and "<script" not in answer.text
    assert "data-" not in answer.text and answer.headers["content-security-policy"].endswith("sandbox")


def test_shared_pictures_may_be_shown_elsewhere_and_kept(client: httpx.Client, finished: str) -> None:
    for path in PATHS[1:]:
        headers = client.get(f"/api/matches/{finished}/{path}").raise_for_status().headers
        assert headers["cross-origin-resource-policy"] == "cross-origin"
        assert headers["cache-control"].startswith("public, max-age=")


def test_what_is_not_there_is_not_drawn(client: httpx.Client, finished: str) -> None:
    for path in PATHS:
        assert client.get(f"/api/matches/nothing/{path}").status_code == 404
    beyond = client.get(f"/api/matches/{finished}/moments/9999/picture.png")
    assert beyond.status_code == 404 and "the last one is" in beyond.json()["error"]
    assert client.get("/api/games/chess/card.png").status_code == 404
    assert client.get("/api/tournaments/99/card.png").status_code == 404


def test_games_and_tournaments_have_pictures_for_links(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        assert open_image(client.get("/api/games/trains/card.png")).size == (1200, 630)
        id = played(store, contest("random", "greedy", games=1))
        assert open_image(client.get(f"/api/tournaments/{id}/card.png")).size == (1200, 630)


# -- secrets -----------------------------------------------------------------------------------


def test_of_a_running_match_the_public_view_is_drawn_whoever_asks(site: Inside, client: httpx.Client) -> None:
    """Also for those who hold a seat: a picture is kept and sent on."""
    id, keys = seated(client, "trains", 2)
    timeline = site.registry.running[id].timeline
    public = timeline.game.shown.picture(timeline.states[0], None, open=False, seats=False)
    access: Any = type("Access", (), {"timeline": timeline, "is_revealed": False})
    assert str(draw_shared(access, 0)) == str(public)
    first = client.get(f"/api/matches/{id}/moments/0/picture.png").raise_for_status().content
    for key in keys:
        again = client.get(f"/api/matches/{id}/moments/0/picture.png", headers={SEAT: key})
        assert again.content == first
    assert client.get(f"/api/matches/{id}/moments/0/picture.png?as=0", headers={SEAT: keys[0]}).content == first


def test_there_is_no_animation_before_the_end(client: httpx.Client) -> None:
    id, _ = seated(client, "fish", 2)
    for kind in ("svg", "gif"):
        answer = client.get(f"/api/matches/{id}/animation.{kind}")
        assert answer.status_code == 409
        assert answer.json()["error"] == "The animation is available once the match is over."
    assert client.get(f"/api/matches/{id}/share").json()["over"] is False


def test_while_its_tournament_runs_a_match_is_drawn_as_the_public_saw_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[Any, ...]] = []

    async def note(maker: PictureMaker, key: object, work: object, *args: Any, address: str) -> bytes:
        drawn.append(args)
        return b""

    monkeypatch.setattr(PictureMaker, "make", note)
    with served(tmp_path / "store.db") as (client, store):
        plan = contest("planner", "random", game="trains", games=1)
        source, id = played(store, plan), store.create(plan)
        store.add(id, list(store.results(source, records=True))[:1])
        for match in (f"{id}-0", f"{source}-0"):
            client.get(f"/api/matches/{match}/animation.svg").raise_for_status()
        assert [is_open for _, is_open in drawn] == [False, True]


# -- limits ------------------------------------------------------------------------------------


def test_without_the_extra_the_server_says_what_it_lacks(
    client: httpx.Client, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raster, "find_spec", lambda name: None)
    for path in ("moments/1/picture.png", "card.png", "animation.gif"):
        answer = client.get(f"/api/matches/{finished}/{path}")
        assert answer.status_code == 501 and "extra 'pictures'" in answer.json()["error"]
    assert client.get(f"/api/matches/{finished}/animation.svg").status_code == 200
    assert client.get(f"/api/matches/{finished}/share").json()["pictures"] is False


def test_somebody_who_asks_for_many_animations_has_to_wait(tmp_path: Path) -> None:
    with inside(tmp_path / "store.db", replace(PATIENT, tables=2)) as site, site.client() as client:
        ids = [open_table(client, "fish", "greedy", "random")["id"] for _ in range(2)]
        wait_until(lambda: all(client.get(f"/api/matches/{id}/record").status_code == 200 for id in ids))
        assert client.get(f"/api/matches/{ids[0]}/animation.svg").status_code == 429
        site.services[TableLimiter]._buckets.clear()
        assert client.get(f"/api/matches/{ids[0]}/animation.svg").status_code == 200
        for _ in range(5):
            assert client.get(f"/api/matches/{ids[0]}/animation.svg").status_code == 200, "it is made already"


# -- QR codes ----------------------------------------------------------------------------------


def test_a_qr_code_is_made_of_our_own_addresses_only(site: Inside, client: httpx.Client) -> None:
    ours = f"{site.url}/matches/abc?turn=3"
    answer = client.get("/api/qr.svg", params={"text": ours}).raise_for_status()
    assert answer.headers["content-type"] == "image/svg+xml" and answer.text.startswith("<svg")
    for other in ("http://evil.example/", f"{site.url}@evil.example/", f"{site.url}.evil.example", "javascript:1", "x"):
        for refused in (
            client.get("/api/qr.svg", params={"text": other}),
            client.post("/api/qr.svg", json={"text": other}),
        ):
            assert refused.status_code == 422, other
    assert client.get("/api/qr.svg", params={"text": f"{site.url}/{'a' * 600}"}).status_code == 400


def test_an_invitation_is_not_drawn_by_address(site: Inside, client: httpx.Client) -> None:
    invitation = f"{site.url}/matches/abc#secret"
    assert client.get("/api/qr.svg", params={"text": invitation}).status_code == 422
    answer = client.post("/api/qr.svg", json={"text": invitation})
    assert answer.status_code == 200 and "content-encoding" not in answer.headers
