"""What strangers do to a web server, by the numbers of the list of abuse; what has a test of its own is not here."""

from __future__ import annotations

import base64
import gzip
import re
import socket
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from starlette.routing import WebSocketRoute
from websockets.exceptions import ConnectionClosed, InvalidStatus

from fairplay.store import open_store
from fairplay.store.store import Store
from fairplay.web.app import ENDPOINTS, PAGES
from fairplay.web.http.owner import OWNER_COOKIE
from web.contest_server import contest
from web.people import SEAT, open_table, play, seated
from web.servers import FAIRPLAY, TOKEN, Inside, outside

OWNER = {"Authorization": f"Bearer {TOKEN}"}


def filled(path: str) -> str:
    """An address with something in every brace."""
    return re.sub(r"\{\w+:number\}", "1", re.sub(r"\{\w+(:path)?\}", "x", path))


# -- what is hidden ----------------------------------------------------------------------------


def test_41_no_secret_stands_in_the_log(tmp_path: Path) -> None:
    """Neither of the owner nor of a seat nor of a match, whatever goes wrong."""
    (tmp_path / "token.txt").write_text(TOKEN)
    with outside(tmp_path / "f.db", "--token-file", str(tmp_path / "token.txt")) as site, site.client() as client:
        id, keys = seated(client, "trains", 2)
        assert play(client, id, dict(enumerate(keys)), 2, Random(1)) == 2
        session = client.post("/sign-in", data={"token": TOKEN}).cookies[OWNER_COOKIE]
        for key in (*keys, TOKEN, session):
            client.get(f"/api/matches/{id}?key={key}")
            client.get(f"/{key}")
            client.post(f"/api/matches/{id}/sit", json={"key": key + "x"})
            client.post("/sign-in", data={"token": key + "x"})
            client.post(f"/api/matches/{id}/wish", json={"number": 99, "clicks": [key]}, headers={SEAT: key})
            client.post("/api/matches", content=b"\xff" + key.encode())
            with socket.create_connection(("127.0.0.1", site.port)) as sock:
                sock.sendall(f"nonsense {key}\r\n\r\n".encode())
                assert b"400" in sock.recv(1_000)
        assert site.stop() == 0
        said = site.process.stderr.read() if site.process.stderr else ""
    with open_store(tmp_path / "f.db") as store:
        seed = re.search(rb'"seed":(\d+)', store.tables.get(id).definition)
    assert seed is not None
    for secret in (*keys, TOKEN, session, seed[1].decode()):
        assert secret not in said, said


def test_41_ids_and_keys_do_not_come_from_the_seed(client: httpx.Client) -> None:
    one, other = (open_table(client, "fish", "random", "random", seed=5, pace=60)["id"] for _ in range(2))
    assert one != other
    created = [open_table(client, "fish", "me", "friend") for _ in range(2)]
    assert len({key for each in created for key in each["keys"]}) == 4


# -- who asks ----------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{}, OWNER])
def test_51_no_page_of_another_site_changes_anything(client: httpx.Client, headers: dict[str, str]) -> None:
    """Not even with the owner's own browser."""
    changing = [(one.method, filled(one.path)) for one in ENDPOINTS if one.method != "GET"]
    assert len(changing) >= 10
    for method, path in (*changing, ("POST", "/play/fish"), ("POST", "/sign-out"), ("PUT", "/"), ("DELETE", "/")):
        for origin in ("http://evil.example", "null", "https://127.0.0.1"):
            answer = client.request(method, path, headers={"Origin": origin, **headers})
            assert answer.status_code == 403, (method, path, origin)


def test_51_no_page_of_another_site_watches(site: Inside) -> None:
    routes = [route.path for route in PAGES if isinstance(route, WebSocketRoute)]
    assert len(routes) == 3
    for path in routes:
        with pytest.raises(InvalidStatus) as refused, site.socket(filled(path), origin="http://evil.example"):
            pass
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example"])
def test_52_under_another_name_there_is_nothing(client: httpx.Client, host: str) -> None:
    """A name that was made to lead here opens no door, not even for the owner."""
    for one in ENDPOINTS:
        answer = client.request(one.method, filled(one.path), headers={"Host": host, **OWNER})
        assert answer.status_code == 421, one.path


@pytest.mark.parametrize(("said", "code"), [(["{}"] * 31, 1008), (["x" * 65_537], 1009), ([b"\x00"], 1003)])
def test_53_who_floods_the_socket_of_a_tournament_is_closed(site: Inside, said: list[Any], code: int) -> None:
    id = site.services[Store].create(contest("random", "greedy"))
    with site.socket(f"/api/tournaments/{id}/live") as socket, pytest.raises(ConnectionClosed) as closed:
        for message in said:
            socket.send(message)
        while True:
            socket.recv(timeout=300)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == code


def test_54_keys_have_128_bits(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "fish", "me", "friend")
    with site.client() as friend:
        sat = friend.post(f"/api/matches/{created['id']}/sit", json={"key": created["keys"][1]}).json()["key"]
    session = client.post("/sign-in", data={"token": TOKEN}).cookies[OWNER_COOKIE]
    for key in (*created["keys"], sat, session):
        assert len(base64.urlsafe_b64decode(key + "==")) >= 16


# -- what is shown -----------------------------------------------------------------------------

HOSTILE = ['<script>alert("&")</script>', "x' onload='alert(1)", "]]><svg onload=alert(1)>", "\u202egnorw", "a\nb"]


@pytest.mark.parametrize("name", HOSTILE)
def test_57_no_city_has_a_name_that_a_page_would_obey(client: httpx.Client, name: str) -> None:
    begun = client.post("/api/editor/trains", json={"start": "tiny"}).raise_for_status().json()["drawing"]
    first = begun["cities"][0][0]
    for drawing in (
        {**begun, "cities": [[name, begun["cities"][0][1]], *begun["cities"][1:]]},
        {**begun, "connections": {name: {first: {"red": 3}}, **begun["connections"]}},
        {**begun, "marked": name},
    ):
        for path, body in (
            ("/api/editor/trains", {"drawing": drawing}),
            ("/api/boards", {"game": "trains", "name": "mine", "drawing": drawing}),
        ):
            assert client.post(path, json=body).status_code == 422
    for tool in ("city", "name"):
        wanted = {"drawing": begun, "tool": tool, "click": f"city={first}", "text": name}
        answer = client.post("/api/editor/trains", json=wanted)
        assert answer.status_code == 422 or name not in answer.json()["picture"]


@pytest.mark.parametrize("name", [name for name in HOSTILE if len(name) <= 24 and name.isprintable()])
def test_57_what_people_are_called_is_text_wherever_it_is_shown(client: httpx.Client, name: str) -> None:
    seats = [{"who": "me", "name": name}, {"who": "house", "name": name[1:]}]
    wanted = {"game": "trains", "seats": seats, "quick": True, "pace": 60}
    id = client.post("/api/matches", json=wanted).raise_for_status().json()["id"]
    drawing = client.post("/api/editor/fish", json={}).json()["drawing"]
    board = client.post("/api/boards", json={"game": "fish", "name": name, "drawing": drawing}).raise_for_status()
    client.post("/api/matches", json={**wanted, "seats": [{"who": "me", "name": name}, {"who": "anyone"}]})
    paths = [f"/matches/{id}", "/matches", "/", "/boards", "/editor", f"/new?board={board.json()['id']}"]
    paths += [f"/embed/{id}", "/lobby", f"/new?like={id}", f"/api/matches/{id}/picture.svg"]
    for path in (*paths, f"/editor/fish?board={board.json()['id']}", f"/api/matches/{id}/moments/0/picture.svg"):
        page = client.get(path).raise_for_status().text
        assert name not in re.sub(r'<script type="application/json"[^>]*>.*?</script>', "", page, flags=re.DOTALL), path
        assert page.count("</script>") == page.count("<script ")


def test_57_no_page_has_a_script_or_a_style_of_its_own(client: httpx.Client) -> None:
    id = open_table(client, "fish", "me", "random")["id"]
    pages = [f"/matches/{id}", "/", "/new", "/matches", "/tournaments", "/players", "/boards", "/api", "/sign-in"]
    for path in (*pages, "/editor/fish", "/tournaments/new", "/nowhere"):
        page = client.get(path, headers=OWNER).text
        for script in re.findall(r"<script[^>]*>", page):
            assert 'type="application/json"' in script or 'src="/static/' in script, (path, script)
        assert not re.search(r"<[^>]+\s(on\w+|style)\s*=", re.sub(r'"[^"]*"', '""', page)), path
        assert "javascript:" not in page


# -- what is sent ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/api/boards", "/api/editor/trains", "/api/matches", "/api/tournaments"])
def test_58_ten_megabytes_are_not_read(client: httpx.Client, path: str) -> None:
    answer = client.post(path, content=(b"x" * 1_000 for _ in range(10_000)), headers=OWNER)
    assert answer.status_code == 413


def test_58_a_map_of_very_many_cities_is_refused(client: httpx.Client) -> None:
    begun = client.post("/api/editor/trains", json={"start": "tiny"}).json()["drawing"]
    cities = [[f"c{number}", [number % 800, number // 800]] for number in range(40_000)]
    drawing = {**begun, "cities": cities}
    for path, body in (
        ("/api/editor/trains", {"drawing": drawing}),
        ("/api/boards", {"game": "trains", "name": "large", "drawing": drawing}),
    ):
        answer = client.post(path, json=body)
        assert answer.status_code == 422 and "$.cities" in answer.json()["error"]


def test_58_what_is_packed_is_not_unpacked(client: httpx.Client) -> None:
    bomb = gzip.compress(b"[" * 50_000_000)
    assert len(bomb) < 100_000
    for path in ("/api/boards", "/api/editor/trains", "/api/matches"):
        answer = client.post(path, content=bomb, headers={"Content-Encoding": "gzip"})
        assert answer.status_code == 400 and "not JSON" in answer.json()["error"]


# -- where it listens --------------------------------------------------------------------------


def test_59_without_a_word_only_this_machine_is_listened_to(tmp_path: Path) -> None:
    with outside(tmp_path / "f.db") as site:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", site.port), 20)
        assert "Warning" not in site.said


def test_59_an_open_server_is_warned_about(tmp_path: Path) -> None:
    """127.0.0.2 stands for any address that was chosen."""
    options = ["--port", "0", "--host", "127.0.0.2", "--db", str(tmp_path / "f.db")]
    command = [*FAIRPLAY, "serve", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stderr is not None
        try:
            said = [process.stderr.readline() for _ in range(2)]
        finally:
            process.kill()
    assert "Fairplay is at http://127.0.0.2:" in said[0]
    assert "nothing is encrypted" in said[1]
