"""The home page: a board that moves, every game with its levels, and no section without anything in it."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from fairplay.catalog import GAMES, built_in_games
from fairplay.web.games import CHARACTERS, quick_levels
from fairplay.web.sharing.pictures import can_make_pictures
from web.servers import PATIENT, Inside, inside, wait_until

STATIC = Path(__file__).parents[3] / "src/fairplay/web/static"


def test_every_game_is_offered_with_its_levels_and_code_names(client: httpx.Client) -> None:
    page = client.get("/").text
    for game in map(GAMES.__getitem__, built_in_games()):
        form = page.partition(f'action="/play/{game.name}"')[2].partition("</form>")[0]
        assert 'value="easy" checked' in form
        for level in quick_levels(game):
            assert level.title in form and f"<code>{level.spec}</code>" in form


def test_every_character_has_a_face() -> None:
    for title in (*CHARACTERS, "robot", "you", "friend", "anyone"):
        assert (STATIC / "faces" / f"{title.lower()}.svg").read_text("utf-8").startswith("<svg")


def test_without_matches_a_demonstration_is_shown_and_no_empty_list(tmp_path: Path) -> None:
    with inside(tmp_path / "fairplay.db", PATIENT) as site, site.client() as client:
        page = client.get("/").text
        assert 'data-id=""' in page and "Demo" in page and "data-games=" in page
        assert "Just finished" not in page and "Being played now" not in page


@pytest.mark.usefixtures("faulty_games")
def test_installed_games_leave_the_first_place_to_those_of_fairplay(tmp_path: Path) -> None:
    assert next(iter(GAMES)).startswith("faulty_"), "the first by alphabet"
    with inside(tmp_path / "fairplay.db", PATIENT) as site, site.client() as client:
        found = re.search(r'data-games="([^"]*)"', client.get("/").text)
        assert found is not None
        shown = found[1].split()
        assert shown[: len(built_in_games())] == [*built_in_games()] and "nim" in shown[len(built_in_games()) :]
        assert client.get("/how-to-play").headers["location"] == "/how-to-play/fish"
        assert 'data-game="fish"' in client.get("/new").text
        assert "/games/fish/card.png" in client.get("/lobby").text or not can_make_pictures()


def test_the_newest_match_is_shown_live(site: Inside) -> None:
    with site.client() as client:
        wanted = {"game": "trains", "seats": [{"who": "house"}, {"who": "house"}], "pace": 60}
        id = client.post("/api/matches", json=wanted).json()["id"]
        page = client.get("/").text
        assert f'data-id="{id}"' in page and "Live" in page
        assert f'href="/matches/{id}"' in page


def test_watchers_are_counted(site: Inside) -> None:
    with site.client() as client:
        wanted = {"game": "fish", "seats": [{"who": "house"}, {"who": "house"}], "pace": 60}
        id = client.post("/api/matches", json=wanted).json()["id"]
        assert "watching" not in client.get("/lobby").text
        with site.socket(f"/api/matches/{id}/live"):
            wait_until(lambda: "1 watching" in client.get("/lobby").text)
            assert "1 watching" in client.get("/matches").text


def test_a_page_that_does_not_exist_leads_on(client: httpx.Client) -> None:
    answer = client.get("/nothing")
    assert answer.status_code == 404
    assert "<h1>Page not found</h1>" in answer.text and 'href="/lobby"' in answer.text


def test_pages_with_pictures_stay_small(client: httpx.Client) -> None:
    for path in ("/", "/lobby", "/matches", "/new", "/new?game=trains", "/how-to-play/fish"):
        text = client.get(path, follow_redirects=True).text
        drawn = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)
        assert len(drawn.encode()) < 60 * 1024, path


def test_the_title_names_every_game_there_is(client: httpx.Client) -> None:
    title = client.get("/").text.partition("<title>")[2].partition("</title>")[0]
    assert all(name.capitalize() in title for name in GAMES)


@pytest.mark.usefixtures("faulty_games")
def test_games_whose_rule_books_fail_do_not_take_the_others_away(client: httpx.Client) -> None:
    for path in ("/", "/lobby"):
        answer = client.get(path)
        assert answer.status_code == 200 and "/api/games/fish/demo/" in answer.text
        assert "/api/games/faulty_start/demo/" not in answer.text  # nothing can be dealt
    assert "faulty_start" in client.get("/").text
    for path in ("demo/0", "demo/0/picture.svg"):
        answer = client.get(f"/api/games/faulty_start/{path}")
        assert answer.status_code == 404 and "IndexError" in answer.text
    assert client.get("/api/games/faulty_apply/demo/0").json()["last"] == 1  # the turn before the one that fails


def test_every_game_can_be_paired(client: httpx.Client) -> None:
    page = client.get("/lobby").raise_for_status().text
    for name in GAMES:
        assert f'data-pair="{name}"' in page and f'data-waiting="{name}"' in page
    assert 'href="/new?open=1"' in page


def open_table(client: httpx.Client, *seats: str) -> str:
    chosen = [{"who": "me", "name": "Robin"} if seat == "me" else {"who": "house", "player": seat} for seat in seats]
    answer = client.post("/api/matches", json={"game": "fish", "seats": chosen, "quick": True, "pace": 0})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def test_a_running_game_can_be_continued_from_every_page_but_its_own(site: Inside) -> None:
    with site.client() as person, site.client() as stranger:
        id = open_table(person, "me", "greedy")
        for path in ("/", "/matches", "/lobby", "/nowhere"):
            assert f'class="button continue turn" href="/matches/{id}"' in person.get(path).text, path
            assert "continue turn" not in stranger.get(path).text
        assert "button continue" not in person.get(f"/matches/{id}").text


def test_who_has_left_is_not_asked_to_continue(site: Inside) -> None:
    with site.client() as person:
        id = open_table(person, "me", "greedy")
        assert f'href="/matches/{id}"' in person.get("/lobby").text
        assert person.post(f"/api/matches/{id}/leave", json={}).status_code == 200
        assert "button continue" not in person.get("/lobby").text


def test_without_a_seat_or_with_a_wrong_key_nothing_is_offered(site: Inside) -> None:
    with site.client() as person, site.client() as other:
        id = open_table(person, "me", "greedy")
        other.cookies.set(f"seat-{id}", "guessed")
        other.cookies.set("seat-nothing", "x")
        assert "button continue" not in other.get("/matches").text


@pytest.mark.parametrize(("name", "shown"), [("Robin", "Robin"), ("  Robin ", "Robin"), ("李", "李")])
def test_a_name_that_can_be_used(client: httpx.Client, name: str, shown: str) -> None:
    assert client.get("/api/name", params={"name": name}).json() == {"name": shown}


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "Rob\u200bin", "Rоbin"])
def test_a_name_that_cannot_be_used(client: httpx.Client, name: str) -> None:
    answer = client.get("/api/name", params={"name": name})
    assert answer.status_code in (400, 422) and answer.json()["error"]
