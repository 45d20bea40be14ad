"""The demonstration of each game: the same every time, moment by moment, with nothing that is hidden."""

from __future__ import annotations

import httpx
import pytest

from fairplay.catalog import GAMES
from fairplay.web.games.demo import Demo, build_demo, show_board

every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_a_demonstration_is_the_same_every_time(name: str) -> None:
    first, second = build_demo(name), Demo(GAMES[name])
    assert first.turns == second.turns
    assert 0 < first.highlight < first.last
    assert first.draw(first.last) == GAMES[name].shown.picture(first.states[-1], first.turns[-1], seats=False)


@every_game
def test_its_moments_are_served_and_kept(client: httpx.Client, name: str) -> None:
    demo = build_demo(name)
    moment = client.get(f"/api/games/{name}/demo/{demo.highlight}")
    assert moment.json()["last"] == demo.last and moment.json()["words"]
    assert show_board(moment.json()["head"], moment.json()["picture"]).endswith("</svg>")
    picture = client.get(f"/api/games/{name}/demo/{demo.highlight}/picture.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert all("max-age" in answer.headers["cache-control"] for answer in (moment, picture))


@pytest.mark.parametrize(
    "path", ["chess/demo/1", "fish/demo/99999", "fish/demo/99999/picture.svg", "chess/demo/0/picture.svg"]
)
def test_what_is_not_there_is_not_found(client: httpx.Client, path: str) -> None:
    assert client.get(f"/api/games/{path}").status_code == 404


def test_a_drawing_without_a_head_is_shown_as_it_is() -> None:
    assert show_board("", "<svg></svg>") == "<svg></svg>"
    assert show_board("<svg>", "<path/>") == "<svg><g data-body><path/></g></svg>"
