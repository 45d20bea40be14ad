"""The editor over HTTP: drawing, saving, and playing on what was drawn."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core.editor import Editor
from fairplay.store import open_store
from fairplay.store.store import Store
from fairplay.testing.walks import pass_through_json
from fairplay.web import editor as api, editor as boards
from fairplay.web.app import build_app
from fairplay.web.http.limits import Settings

TOKEN = "the owner's token, long and secret"
DRAWABLE = [name for name, game in GAMES.items() if game.parts.editor is not None]
POND = {"board": [[1, 2, 3], [4, 5, 1], [2, 3, 4]], "variant": "standard"}


def editor_of(game: str) -> Editor[Any]:
    found = GAMES[game].parts.editor
    assert found is not None
    return found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "store.db")) as opened:
        yield opened


class Visitor:
    """Somebody who asks a server in this process, one thing after another."""

    def __init__(self, http: httpx.AsyncClient, runner: asyncio.Runner) -> None:
        self.headers, self._http, self._run = http.headers, http, runner.run

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return self._run(self._http.request(method, path, **({} if body is None else {"json": body})))

    def wait(self, seconds: float) -> None:
        """Let the server work."""
        self._run(asyncio.sleep(seconds))

    def get(self, path: str) -> httpx.Response:
        return self.ask("GET", path)

    def post(self, path: str, json: Any) -> httpx.Response:
        return self.ask("POST", path, json)

    def delete(self, path: str) -> httpx.Response:
        return self.ask("DELETE", path)


@contextmanager
def visitor_of(store: Store, **settings: Any) -> Iterator[Visitor]:
    app = build_app(Settings(**settings), store)
    http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")
    life = app.router.lifespan_context(app)
    with asyncio.Runner() as runner:
        runner.run(life.__aenter__())
        yield Visitor(http, runner)
        runner.run(life.__aexit__(None, None, None))
        runner.run(http.aclose())


@pytest.fixture
def client(store: Store) -> Iterator[Visitor]:
    """Somebody who is not the owner."""
    with visitor_of(store, token=TOKEN) as opened:
        yield opened


def asked(client: Visitor, path: str, body: Any, status: int = 200) -> Any:
    response = client.post(path, json=body)
    assert response.status_code == status, response.text
    return response.json()


def saved(client: Visitor, name: str = "pond", drawing: Any = POND, game: str = "fish") -> str:
    id: str = asked(client, "/api/boards", {"game": game, "name": name, "drawing": drawing}, 201)["id"]
    return id


# -- drawing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", DRAWABLE)
def test_a_drawing_is_begun_clicked_and_shown(client: Visitor, game: str) -> None:
    begun = asked(client, f"/api/editor/{game}", {})
    starts = editor_of(game).STARTS
    assert begun["drawing"] == pass_through_json(editor_of(game).start_drawing(next(iter(starts))))
    key = re.search(r'data-((?!key)[a-z]+)="([^"]*)"', begun["picture"])
    assert key is not None
    body = {"drawing": begun["drawing"], "tool": begun["tools"][0]["key"], "click": f"{key[1]}={key[2]}", "text": ""}
    clicked = asked(client, f"/api/editor/{game}", body)
    assert clicked["tools"] == begun["tools"]
    assert asked(client, f"/api/editor/{game}", {"drawing": clicked["drawing"]}) == clicked


def test_a_start_can_be_chosen(client: Visitor) -> None:
    assert len(asked(client, "/api/editor/fish", {"start": "small"})["drawing"]["board"]) == 5
    assert "not 'round'" in asked(client, "/api/editor/fish", {"start": "round"}, 422)["error"]


@pytest.mark.parametrize(
    ("game", "body", "status", "reason"),
    [
        ("chess", {}, 404, "no editor for 'chess'"),
        ("fish", {"drawing": {"board": [[9]]}}, 422, "$.board[0][0]"),
        ("fish", {"drawing": POND, "tool": "1", "click": "at=9,9"}, 422, "Row 9, column 9 is not on this board"),
        ("fish", {"drawing": POND, "colour": "red"}, 422, "unknown field"),
        ("fish", {"click": "x" * 201}, 422, "$.click"),
        ("fish", [], 422, "Expected object"),
        ("trains", {"drawing": POND}, 422, "$"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_reason(
    client: Visitor, game: str, body: Any, status: int, reason: str
) -> None:
    assert reason in asked(client, f"/api/editor/{game}", body, status)["error"]


def test_nobody_clicks_faster_than_people_do(store: Store) -> None:
    with visitor_of(store, edits=0.3) as client:
        statuses = [client.post("/api/editor/fish", json={}).status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        assert client.post("/api/boards", json={"game": "fish", "name": "x", "drawing": POND}).status_code == 429
        assert client.get("/editor/fish").status_code == 429


def test_a_saved_board_is_drawn_once_for_all_who_look(client: Visitor) -> None:
    id = saved(client, drawing={"board": [[1, 5, 4], [2, 2, 2], [1, 3, 5]]})
    before = boards.draw_saved_board.cache_info().misses
    assert {client.get(f"/api/boards/{id}/picture.svg").status_code for _ in range(3)} == {200}
    assert boards.draw_saved_board.cache_info().misses == before + 1


# -- keeping -----------------------------------------------------------------------------------


def test_a_saved_board_is_listed_shown_and_opened(client: Visitor) -> None:
    id = saved(client, "pond & <lake>")
    other = saved(client, "loop", asked(client, "/api/editor/trains", {"start": "tiny"})["drawing"], "trains")
    found = client.get("/api/boards").json()
    assert [(one["id"], one["game"], one["name"]) for one in found] == [
        (other, "trains", "loop"),
        (id, "fish", "pond & <lake>"),
    ]
    assert [one["id"] for one in client.get("/api/boards?game=fish").json()] == [id]
    assert len(client.get("/api/boards?limit=1").json()) == 1
    board = client.get(f"/api/boards/{id}").json()
    assert (board["name"], board["board"]["drawing"], board["board"]["seats"]) == ("pond & <lake>", POND, [2, 3, 4])
    picture = client.get(f"/api/boards/{id}/picture.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text == board["board"]["picture"]
    for page in ("/boards", "/editor"):
        assert "pond &amp; &lt;lake&gt;" in client.get(page).text
    assert 'Fish: <span id="title">pond &amp; &lt;lake&gt;<' in client.get(f"/editor/fish?board={id}").text


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({"game": "chess", "name": "pond", "drawing": POND}, 404, "no editor"),
        ({"game": "fish", "name": "  ", "drawing": POND}, 422, "The board needs a name"),
        ({"game": "fish", "name": "x" * 25, "drawing": POND}, 422, "$.name"),
        ({"game": "fish", "name": "pond", "drawing": {"board": 1}}, 422, "$.board"),
        ({"game": "fish", "name": "pond"}, 422, "drawing"),
    ],
)
def test_only_drawings_with_a_name_are_kept(client: Visitor, body: Any, status: int, reason: str) -> None:
    assert reason in asked(client, "/api/boards", body, status)["error"]
    assert client.get("/api/boards").json() == []


def test_an_unfinished_drawing_can_be_kept_but_not_played(client: Visitor) -> None:
    id = saved(client, drawing={"board": [[1, 1]]})
    assert client.get(f"/api/boards/{id}").json()["board"]["problems"]
    seats = [{"who": "me"}, {"who": "house"}]
    answer = asked(client, "/api/matches", {"game": "fish", "board": id, "seats": seats}, 422)
    assert "2 tiles are too few" in answer["error"]


@pytest.mark.parametrize("game", DRAWABLE)
def test_a_match_is_played_on_a_board(client: Visitor, game: str) -> None:
    starts = editor_of(game).STARTS
    drawing = asked(client, f"/api/editor/{game}", {"start": [*starts][1]})["drawing"]
    id = saved(client, "mine", drawing, game)
    assert "On the board <strong>mine</strong>" in client.get(f"/new?board={id}").text
    seats = [{"who": "house"}, {"who": "house"}]
    match = asked(client, "/api/matches", {"game": game, "board": id, "seats": seats, "pace": 60}, 201)["id"]
    assert client.get(f"/api/matches/{match}").json()["presence"]["status"] == "playing"


def test_a_variant_is_played_on_a_board(client: Visitor) -> None:
    drawing = asked(client, "/api/editor/labyrinth", {"start": "random"})["drawing"]
    id = saved(client, "maze", drawing, "labyrinth")
    assert client.get(f"/api/boards/{id}").json()["variants"] == ["plain", "multi-goal", "quick"]
    wanted = {"game": "labyrinth", "board": id, "seats": [{"who": "house"}] * 2, "pace": 0, "seed": 1}
    goals = {}
    choices: dict[str, dict[str, Any]] = {
        "usual": {},
        "plain": {"variant": "plain"},
        "multi-goal": {"variant": "multi-goal"},
        "quick": {"quick": True},
    }
    for name, choice in choices.items():
        match = asked(client, "/api/matches", wanted | choice, 201)["id"]
        setup = record_of(client, match)["setup"]
        assert setup["board"] == drawing
        goals[name] = (setup["variant"], setup["goals"])
    assert goals == {
        "usual": ("plain", None),
        "plain": ("plain", None),
        "multi-goal": ("multi-goal", None),
        "quick": ("multi-goal", 2),
    }
    for variant, reason in {"original": "has its own tiles", "chess": "has no variant 'chess'"}.items():
        assert reason in asked(client, "/api/matches", wanted | {"variant": variant}, 422)["error"]


def record_of(client: Visitor, match: str) -> Any:
    """The head of a match's record, once it is over."""
    for _ in range(3000):
        answer = client.get(f"/api/matches/{match}/record")
        if answer.status_code == 200:
            return msgspec.json.decode(answer.content.splitlines()[0])
        client.wait(0.02)
    raise AssertionError("the match does not end")


def test_the_table_offers_the_variants_that_go_with_its_board(client: Visitor) -> None:
    for game, start, offered in (
        ("labyrinth", "random", ["plain", "multi-goal", "quick"]),
        ("labyrinth", "small", ["plain", "multi-goal"]),  # four homes: with four seats no two further goals are left
        ("trains", "small", ["standard", "quick"]),
        ("fish", "random", ["standard"]),
        ("fish", "original", ["original"]),
    ):
        drawing = asked(client, f"/api/editor/{game}", {"start": start})["drawing"]
        id = saved(client, "mine", drawing, game)
        assert client.get(f"/api/boards/{id}").json()["variants"] == offered
        choice = client.get(f"/new?board={id}").text.partition('name="variant"')[2].partition("</select>")[0]
        assert re.findall(r'<option value="([a-z-]+)">', choice) == (offered if len(offered) > 1 else [])


def test_a_table_has_no_more_chairs_than_its_board_has_room_for(client: Visitor) -> None:
    drawing = asked(client, "/api/editor/trains", {"start": "tiny"})["drawing"]
    id = saved(client, "tiny", drawing, "trains")
    most = client.get(f"/api/boards/{id}").json()["board"]["seats"][-1]
    assert most < GAMES["trains"].seats[-1]
    page = client.get(f"/new?board={id}").text
    assert f'data-fewest="2" data-most="{most}"' in page and page.count('class="chair"') == most


def test_strangers_cannot_fill_the_store(client: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "MAX_BOARDS", 1)
    saved(client)
    answer = asked(client, "/api/boards", {"game": "fish", "name": "lake", "drawing": POND}, 503)
    assert "no room for more boards" in answer["error"]
    client.headers["Authorization"] = f"Bearer {TOKEN}"
    saved(client)


def test_nobody_saves_many_boards_in_a_row(store: Store) -> None:
    with visitor_of(store, token=TOKEN, tables=2) as client:
        saved(client)
        saved(client)
        answer = asked(client, "/api/boards", {"game": "fish", "name": "lake", "drawing": POND}, 429)
        assert "You have saved many boards" in answer["error"]


def test_only_the_owner_deletes_a_board(client: Visitor) -> None:
    id = saved(client)
    assert client.delete(f"/api/boards/{id}").status_code == 401
    assert "data-board" not in client.get("/boards").text
    client.headers["Authorization"] = f"Bearer {TOKEN}"
    assert f'data-board="{id}"' in client.get("/boards").text
    assert client.delete(f"/api/boards/{id}").status_code == 200
    assert client.get(f"/api/boards/{id}").status_code == 404
    assert client.get(f"/api/boards/{id}/picture.svg").status_code == 404
    assert client.get("/api/boards").json() == []


# -- pages -------------------------------------------------------------------------------------


def test_every_game_offers_its_starts(client: Visitor) -> None:
    text = client.get("/editor").text
    for game in DRAWABLE:
        for start in editor_of(game).STARTS:
            assert f'href="/editor/{game}?start={start}"' in text


@pytest.mark.parametrize("game", DRAWABLE)
def test_the_page_holds_what_its_script_needs(client: Visitor, game: str) -> None:
    text = client.get(f"/editor/{game}").text
    facts = re.search(r'<script type="application/json" id="editor">(.*?)</script>', text)
    assert facts is not None
    found = msgspec.json.decode(facts[1])
    assert (found["game"], found["board"]) == (game, None)
    assert found["state"] == asked(client, f"/api/editor/{game}", {})
    for tool in found["state"]["tools"]:
        assert f'value="{tool["key"]}"' in text
    assert ('id="text"' in text) == any(tool["asks"] for tool in found["state"]["tools"])


def test_pages_that_are_not_there_say_so(client: Visitor) -> None:
    id = saved(client)
    for path, status in (
        ("/editor/chess", 404),
        ("/editor/fish?board=nowhere", 404),
        (f"/editor/trains?board={id}", 404),
        ("/editor/fish?start=round", 422),
    ):
        response = client.get(path)
        assert response.status_code == status
        assert "text/html" in response.headers["content-type"]
        assert "Traceback" not in response.text
