"""Learning a game: five pictures where it has them, the rules otherwise."""

from __future__ import annotations

import re

import httpx
import pytest

from fairplay.catalog import GAMES, built_in_games

every_game = pytest.mark.parametrize("name", built_in_games())


@every_game
def test_a_game_is_taught_in_five_pictures_or_by_its_rules(client: httpx.Client, name: str) -> None:
    answer = client.get(f"/how-to-play/{name}")
    if GAMES[name].shown.teaching is None:
        assert (answer.status_code, answer.headers["location"]) == (303, f"/rules/{name}")
        assert client.get(f"/how-to-play/{name}/1.svg").status_code == 404
        return
    pictures = re.findall(rf'src="(/how-to-play/{name}/\d\.svg)"', answer.text)
    assert len(pictures) == 5
    assert f'action="/play/{name}?guided=1"' in answer.text and f'href="/rules/{name}"' in answer.text
    for path in pictures:
        picture = client.get(path).raise_for_status()
        assert picture.text.startswith("<svg") and "max-age" in picture.headers["cache-control"]
    assert client.get(f"/how-to-play/{name}/6.svg").status_code == 404


@every_game
def test_the_rules_are_served(client: httpx.Client, name: str) -> None:
    page = client.get(f"/rules/{name}").raise_for_status().text
    assert 'id="1.1"' in page and 'href="#1"' in page


def test_what_is_not_there_is_not_found(client: httpx.Client) -> None:
    for path in ("/how-to-play/chess", "/rules/chess", "/how-to-play/chess/1.svg", "/how-to-play/fish/0.svg"):
        assert client.get(path).status_code == 404
    assert client.get("/how-to-play").headers["location"].startswith("/how-to-play/")
