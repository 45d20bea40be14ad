"""Whatever is asked wrongly is answered with a status of the caller's fault and one sentence, on every endpoint."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from fairplay.web.app import ENDPOINTS
from web.people import SEAT, finished, open_table
from web.servers import Inside

OURS = re.compile(r"Traceback|site-packages|\.py\b|/src/|/tmp/|/usr/|0x[0-9a-f]{6}|sqlite|SELECT|Error\(|msgspec")

LONG = "x" * 10_000
HOSTILE = [
    "<script>alert(1)</script>",
    "\u202etxt.exe",
    "\u2066abc",
    "a\x00b",
    "line\nbreak",
    LONG,
    "\x1b[31m",
    "\u2028",
]


@pytest.fixture(scope="module")
def table(site: Inside) -> Iterator[dict[str, Any]]:
    """A match that waits for its person, and one that is over."""
    with site.client() as client:
        created = open_table(client, "fish", "me", "random", clock=3600)
        over = open_table(client, "fish", "random", "random")["id"]
    finished(site, over)
    yield {"id": created["id"], "key": created["keys"][0], "over": over}


def refused(answer: httpx.Response, *statuses: int) -> str:
    """The reason of a refusal, which is one of the caller's faults and tells nothing about us."""
    assert answer.status_code in (statuses or range(400, 500)), (answer.status_code, answer.text[:500])
    assert not OURS.search(answer.text), answer.text[:500]
    if answer.headers["content-type"] != "application/json":
        assert answer.headers["content-type"].startswith("text/html")
        assert "<script>alert" not in answer.text
        found = re.search(r"</h1>\s*<p>(.+?)</p>", answer.text, re.DOTALL)
        assert found is not None
        return found[1]
    body = answer.json()
    assert [*body] == ["error"] and 5 < len(body["error"]) < 1_000, body
    return str(body["error"])


GOOD = {"game": "fish", "seats": [{"who": "house"}, {"who": "house"}]}

WRONG_TABLES: list[tuple[Any, str]] = [
    ([], "object"),
    ("fish", "object"),
    ({}, "required field"),
    ({**GOOD, "game": "chess"}, "no game 'chess'"),
    ({**GOOD, "game": 7}, "str"),
    ({**GOOD, "game": LONG}, "length"),
    ({**GOOD, "seats": []}, "length"),
    ({**GOOD, "seats": [{"who": "house"}]}, "2 to 4"),
    ({**GOOD, "seats": [{"who": "house"}] * 5}, "2 to 4"),
    ({**GOOD, "seats": [{"who": "house"}] * 11}, "length"),
    ({**GOOD, "seats": [{"who": "god"}] * 2}, "god"),
    ({**GOOD, "seats": [{"who": "me"}] * 2}, "one seat"),
    ({**GOOD, "seats": [{"who": "house", "player": "nobody"}] * 2}, "no house player 'nobody'"),
    ({**GOOD, "seats": [{"who": "house", "player": "minimax:depth=9"}] * 2}, "no house player"),
    ({**GOOD, "seats": [{"who": "house", "player": "../../etc/passwd"}] * 2}, "player"),
    ({**GOOD, "seats": [{"who": "house", "admin": True}] * 2}, "admin"),
    ({**GOOD, "variant": "nothing"}, "no variant 'nothing'"),
    ({**GOOD, "map": "small"}, "unknown field map"),
    ({**GOOD, "board": "nothing"}, ""),
    ({**GOOD, "clock": 0}, "1"),
    ({**GOOD, "clock": 1e9}, "3600"),
    ({**GOOD, "clock": "soon"}, "float"),
    ({**GOOD, "pace": -1}, "0"),
    ({**GOOD, "pace": 61}, "60"),
    ({**GOOD, "seed": -1}, "0"),
    ({**GOOD, "seed": 2**53}, ""),
    ({**GOOD, "seed": 1.5}, "int"),
    ({**GOOD, "seed": 1, "seats": [{"who": "me"}, {"who": "house"}]}, "nobody may choose the seed"),
    ({**GOOD, "quick": "yes"}, "bool"),
    ({**GOOD, "token": "x"}, "token"),
    *(({**GOOD, "seats": [{"who": "house", "name": name}] * 2}, "name") for name in HOSTILE[1:]),
]


@pytest.mark.parametrize(("wanted", "word"), WRONG_TABLES)
def test_a_table_that_cannot_be_laid(client: httpx.Client, wanted: Any, word: str) -> None:
    assert word in refused(client.post("/api/matches", json=wanted), 404, 422)


NOT_JSON = [
    b"",
    b"null",
    b"{",
    b"nothing",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"game":"fish",}',
    b'{"game":"\xff"}',
    b"1e999",
]


@pytest.mark.parametrize("body", NOT_JSON, ids=lambda body: repr(body[:20]))
def test_what_is_not_json(client: httpx.Client, table: dict[str, Any], body: bytes) -> None:
    for path in ("", f"/{table['id']}/sit", f"/{table['id']}/wish"):
        refused(client.post(f"/api/matches{path}", content=body), 400, 422)


def test_every_endpoint_refuses_what_it_does_not_know(client: httpx.Client, table: dict[str, Any]) -> None:
    """A parameter nobody asked for, a method that is not meant, a body of another kind."""
    for one in ENDPOINTS:
        path = re.sub(r"\{id\}", table["id"], re.sub(r"\{number\w*:?\w*\}", "0", one.path))
        path = re.sub(r"\{\w+:?\w*\}", "1", path)
        if one.query is not None:
            refused(client.request(one.method, f"{path}?nonsense=1"), 400, 401)
        for method in {"PUT", "PATCH", "DELETE"} - {other.method for other in ENDPOINTS if other.path == one.path}:
            refused(client.request(method, path), 405)
        if one.body is not None:
            for body in list[Any]([[], 7, {"nonsense": 1}, {"id": None}]):
                refused(client.request(one.method, path, json=body), 401, 403, 404, 422)


@pytest.mark.parametrize("id", ["nothing", "1-1", "²-1", "-1", "9" * 18 + "-1", "9" * 40 + "-1", "a-b", LONG[:2000]])
def test_a_match_that_is_not_there(site: Inside, client: httpx.Client, id: str) -> None:
    for path in (f"/matches/{id}", *(f"/api/matches/{id}{rest}" for rest in ("", "/record", "/moments/0"))):
        assert refused(client.get(path), 404)
    for rest, body in (("sit", {"key": "k"}), ("wish", {"number": 0, "clicks": []}), ("begin", {})):
        assert refused(client.post(f"/api/matches/{id}/{rest}", json=body), 404)


@pytest.mark.parametrize(
    "path",
    [
        "/static/..%2f..%2fapp.py",
        "/static/../app.py",
        "/static/%2e%2e/%2e%2e/app.py",
        "/static//etc/passwd",
        "/static/%00",
        "/static/" + "x" * 5_000,
        "/static/",
        "/static",
        "/matches/..%2f..%2fetc%2fpasswd",
        "/matches/%00",
        "/matches/%ff%fe",
        "/matches/a/b",
        "/api/matches/%2e%2e/record",
        "//evil.example/",
        "/new?game=%3Cscript%3Ealert(1)%3C/script%3E",
        "/new?board=nothing",
        "/tournaments/" + "9" * 5_000,
        "/tournaments/99999999999999999999",
        "/api/tournaments/" + "9" * 5_000 + "/matches",
        "/players/fish/%00",
        "/players/chess/" + "x" * 3_000,
        "/editor/chess",
        "/editor/fish?board=nothing",
        "/api/boards/" + "x" * 3_000,
        "/.git/config",
        "/api/",
        "/%2e%2e/",
    ],
)
def test_tricks_with_paths(client: httpx.Client, path: str) -> None:
    url = client.base_url.copy_with(raw_path=path.encode())
    answer = client.send(httpx.Request("GET", url))
    if answer.status_code != 307:  # a slash too many or too few
        assert refused(answer, 400, 404)


@pytest.mark.parametrize("number", ["-1", "1.0", "nine", "99999", "9" * 5_000, "%00", "0x1", "1e3", ""])
def test_a_moment_that_is_not_there(client: httpx.Client, table: dict[str, Any], number: str) -> None:
    refused(client.get(f"/api/matches/{table['over']}/moments/{number}"), 404)
    refused(client.get(f"/api/matches/{table['over']}/moments/{number}/picture.svg"), 404)


@pytest.mark.parametrize("turn", ["-1", "1.0", "nine", "9" * 5_000, "\u00b2", "0x1"])
def test_a_link_to_a_turn_that_is_none(client: httpx.Client, table: dict[str, Any], turn: str) -> None:
    assert "must be a number" in refused(client.get(f"/matches/{table['over']}", params={"turn": turn}), 400)
    assert client.get(f"/matches/{table['over']}?turn=99999").status_code == 200


@pytest.mark.parametrize("viewer", ["2", "-1", "ALL", "everything", "9999", "\u00b2", "0 ", LONG, ""])
def test_a_looker_that_is_none(site: Inside, client: httpx.Client, table: dict[str, Any], viewer: str) -> None:
    for id in (table["id"], table["over"]):
        refused(client.get(f"/matches/{id}", params={"as": viewer}), 400)
        refused(client.get(f"/api/matches/{id}", params={"as": viewer}), 400)
    with site.socket(f"/api/matches/{table['id']}/live?as=nobody") as feed, pytest.raises(Exception, match="Expected"):
        feed.recv(10)


WRONG_LISTS = ["limit=0", "limit=201", "limit=x", "running=maybe", "limit=1&limit=2", f"game={LONG}"]


@pytest.mark.parametrize("query", WRONG_LISTS)
def test_a_list_that_is_none(client: httpx.Client, query: str) -> None:
    refused(client.get(f"/api/matches?{query}"), 400)


WRONG_CLICKS: list[tuple[Any, int]] = [
    ({"number": -1, "clicks": []}, 422),
    ({"number": 0}, 422),
    ({"number": "0", "clicks": []}, 422),
    ({"number": 0, "clicks": "at=1,1"}, 422),
    ({"number": 0, "clicks": [1]}, 422),
    ({"number": 0, "clicks": ["x" * 201]}, 422),
    ({"number": 0, "clicks": ["at=0,0"] * 51}, 422),
    ({"number": 0, "clicks": [], "seat": 1}, 422),
    ({"number": 1, "clicks": []}, 422),
    ({"number": 10**9, "clicks": []}, 422),
    *(({"number": 0, "clicks": [click]}, 422) for click in HOSTILE if len(click) <= 200),
    ({"number": 0, "clicks": ["at=999,999"]}, 422),
    ({"number": 0, "clicks": ["at="]}, 422),
    ({"number": 0, "clicks": ["=", "=="]}, 422),
    ({"number": 0, "clicks": ["at=1e5,0"]}, 422),
    ({"number": 0, "clicks": ["at=" + "9" * 190 + ",0"]}, 422),
]


@pytest.mark.parametrize(("body", "status"), WRONG_CLICKS)
def test_clicks_that_make_no_sense(client: httpx.Client, table: dict[str, Any], body: Any, status: int) -> None:
    answer = client.post(f"/api/matches/{table['id']}/wish", json=body, headers={SEAT: table["key"]})
    if answer.status_code == 200:  # an action that the rules forbid is answered by the referee
        assert answer.json()["refusal"] and answer.json()["choices"]
    else:
        assert refused(answer, status)


def test_keys_that_open_nothing(client: httpx.Client, table: dict[str, Any]) -> None:
    with httpx.Client(base_url=client.base_url, trust_env=False) as stranger:
        for key in ("wrong", table["key"][:-1], table["key"] + "x", "\u00fc", '"'):
            path, at_start = f"/api/matches/{table['id']}", {"number": 0, "clicks": []}
            assert refused(stranger.post(f"{path}/sit", json={"key": key}), 403)
            for header in list[dict[bytes, bytes]](
                [{}, {SEAT.encode(): key.encode()}, {b"Cookie": f"seat-{table['id']}={key}".encode()}]
            ):
                assert refused(stranger.post(f"{path}/wish", json=at_start, headers=header), 403)
                assert refused(stranger.post(f"{path}/begin", headers=header), 403)
                assert refused(stranger.get(f"{path}?as=0", headers=header), 403)
        for wrong in ("", "x" * 65, 7, None, "\ud800"):
            body = json.dumps({"key": wrong}).encode()
            assert refused(stranger.post(f"/api/matches/{table['id']}/sit", content=body), 400, 422)


def test_names_are_shown_as_they_are_and_harm_nobody(client: httpx.Client) -> None:
    name = "<b>&'\"</b><!--"
    wanted = {**GOOD, "seats": [{"who": "house", "name": name}] * 2, "pace": 60}
    id = client.post("/api/matches", json=wanted).json()["id"]
    assert client.get(f"/api/matches/{id}").json()["names"] == [name, f"{name} 2"]
    for path in (f"/matches/{id}", "/", "/matches"):
        page = client.get(path).text
        assert "<b>&'" not in page and ("&lt;b&gt;&amp;" in page or path == "/")


def test_every_answer_to_a_stranger_is_safe_to_show(client: httpx.Client) -> None:
    """What is asked for comes back as text of a page, never as part of it."""
    for path in ("/<script>alert(1)</script>", "/play/<script>alert(1)</script>"):
        for method in ("GET", "POST"):
            answer = client.request(method, path)
            assert answer.status_code in (404, 405) and "<script>alert" not in answer.text
