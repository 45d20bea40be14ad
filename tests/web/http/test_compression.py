"""Answers are compressed where that is wanted and gives nothing away, once for everybody."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from fairplay.web.app import ENDPOINTS
from fairplay.web.http import middleware
from kit import spy
from web.people import SEAT, finished, open_table
from web.servers import Inside

GZIP = {"Accept-Encoding": "gzip"}
PLAIN = {"Accept-Encoding": "identity"}
STATIC = ("fairplay.css", "tournaments.css", "match.js", "editor/main.js")
LARGE = ("/new", "/editor/trains", "/api/openapi.json", *(f"/static/{name}" for name in STATIC))


@pytest.fixture(scope="module")
def over(site: Inside) -> Iterator[str]:
    """A match that is over."""
    with site.client() as client:
        id = open_table(client, "fish", "random", "random")["id"]
    finished(site, id)
    yield id


def encoding(answer: httpx.Response) -> str | None:
    found: str | None = answer.headers.get("content-encoding")
    return found


def test_pages_drawings_json_and_scripts_are_short(client: httpx.Client, over: str) -> None:
    moment = f"/api/matches/{over}/moments/1"
    for path in (*LARGE, f"/matches/{over}", moment, f"{moment}/picture.svg", f"/api/matches/{over}/record"):
        short, plain = client.get(path, headers=GZIP), client.get(path, headers=PLAIN)
        assert (encoding(short), encoding(plain)) == ("gzip", None), path
        assert short.content == plain.content and len(plain.content) == int(plain.headers["content-length"])
        assert int(short.headers["content-length"]) < 0.45 * len(plain.content), path
        assert short.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert encoding(home := client.get("/", headers=GZIP)) == "gzip"  # it may be another one a moment later
    assert int(home.headers["content-length"]) < 0.45 * len(home.content)


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("gzip, deflate, br", "gzip"),
        ("br;q=1.0, GZIP;q=0.5", "gzip"),
        ("*", "gzip"),
        ("gzip;q=0", None),
        ("gzip; q=0.000, br", None),
        ("x-gzipped", None),
        ("br", None),
        ("", None),
    ],
)
def test_only_who_wants_it_gets_it(client: httpx.Client, wanted: str, given: str | None) -> None:
    assert encoding(client.get("/api/openapi.json", headers={"Accept-Encoding": wanted})) == given


def test_what_is_small_or_short_already_stays_as_it_is(client: httpx.Client) -> None:
    assert encoding(client.get("/health", headers=GZIP)) is None
    assert encoding(client.get("/nowhere/at/all", headers=GZIP)) == "gzip", "a page like any other"


def test_what_holds_a_key_is_never_compressed(
    site: Inside, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However large it is: names of strangers stand beside it, or might one day."""
    monkeypatch.setattr(middleware, "MIN_BYTES", 0)
    assert encoding(client.get("/health", headers=GZIP)) == "gzip"
    table = {"game": "fish", "seats": [{"who": "me"}, {"who": "friend", "name": "x" * 24}]}
    created = client.post("/api/matches", json=table, headers=GZIP)
    id, keys = created.json()["id"], created.json()["keys"]
    sat = client.post(f"/api/matches/{id}/sit", json={"key": keys[1]}, headers=GZIP)
    begun = client.post("/play/fish", headers=GZIP)
    signed = client.post("/sign-in", data={"token": "wrong"}, headers=GZIP)
    for answer in (created, sat, begun, signed):
        assert answer.status_code in (200, 201, 303, 401) and encoding(answer) is None
    assert keys[0] in created.text and sat.json()["key"] in sat.text


def test_of_what_is_posted_only_drawings_are_compressed(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "trains", "me", "buy-now")
    asked: dict[str, Any] = {"json": {"number": 0, "clicks": []}, "headers": {SEAT: created["keys"][0], **GZIP}}
    wanted = client.post(f"/api/matches/{created['id']}/wish", **asked)
    assert wanted.status_code == 200 and wanted.json()["prompt"]
    drawn = client.post("/api/editor/trains", json={}, headers=GZIP)
    assert (drawn.status_code, encoding(drawn)) == (200, "gzip"), drawn.text
    assert not [key for key in created["keys"] if key and (key in wanted.text or key in drawn.text)]
    compressed = [endpoint.template for endpoint in ENDPOINTS if endpoint.compress]
    assert compressed == ["/api/matches/{id}/wish", "/api/matches/{id}/review", "/api/editor/{game}"]


def test_the_same_is_compressed_once(client: httpx.Client, over: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compress, done = gzip.compress, list[int]()
    monkeypatch.setattr(gzip, "compress", spy(compress, lambda body, *_, **__: done.append(len(body))))
    middleware.compress_body.cache_clear()
    for _ in range(20):
        client.get(f"/api/matches/{over}/moments/2", headers=GZIP).raise_for_status()
    assert len(done) == 1


def test_what_is_large_is_not_remembered(client: httpx.Client, over: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "LARGE_BYTES", 100)
    middleware.compress_body.cache_clear()
    answer = client.get(f"/matches/{over}", headers=GZIP)
    assert encoding(answer) == "gzip" and "</html>" in answer.text
    assert middleware.compress_body.cache_info().currsize == 0


def test_our_files_are_not_fetched_again_while_they_are_the_same(client: httpx.Client) -> None:
    for name in STATIC:
        first = client.get(f"/static/{name}", headers=GZIP)
        assert first.headers["cache-control"] == "no-cache", "kept, but asked for"
        again = client.get(f"/static/{name}", headers={**GZIP, "If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
