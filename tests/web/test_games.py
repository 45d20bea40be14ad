"""The games that the page offers: the levels of house players, and the demonstration of each game."""

from __future__ import annotations

from dataclasses import replace

import httpx
import pytest

from fairplay.catalog import GAMES, built_in_games
from fairplay.core import SetupError
from fairplay.web.games import (
    CHARACTERS,
    QUICK,
    ROBOT_FACE,
    Demo,
    build_demo,
    describe_levels,
    find_level,
    find_setup,
    playable_variants,
    quick_levels,
    setup_on_board,
    show_board,
)


@pytest.mark.parametrize("name", built_in_games())
def test_five_levels_have_a_character_and_all_have_a_face(name: str) -> None:
    game = GAMES[name]
    for setup in game.variants.values():
        levels = describe_levels(game, setup)
        assert [level.character for level in levels if level.character] == [*CHARACTERS.values()]
        assert all(level.face.startswith("/static/faces/") and level.face != ROBOT_FACE for level in levels)
        assert [level.title for level in quick_levels(game)] == [*CHARACTERS]


def test_a_level_is_found_by_what_plays_it() -> None:
    game, setup = GAMES["fish"], GAMES["fish"].quick
    easy = describe_levels(game, setup)[1]
    assert find_level(game, setup, easy.spec) == easy
    assert find_level(game, setup, "greedy") is None


LABYRINTH, FISH = GAMES["labyrinth"], GAMES["fish"]


def test_a_name_stands_for_a_variant_or_for_the_small_game() -> None:
    assert find_setup(LABYRINTH, "multi-goal") == LABYRINTH.variants["multi-goal"]
    assert find_setup(LABYRINTH, None) == LABYRINTH.variants["plain"]
    assert find_setup(LABYRINTH, QUICK) == LABYRINTH.quick
    assert find_setup(replace(LABYRINTH, quick=None), QUICK) == LABYRINTH.variants["plain"]
    with pytest.raises(SetupError, match="labyrinth has no variant 'chess'; it has plain, multi-goal, original"):
        find_setup(LABYRINTH, "chess")


def test_a_drawing_is_played_as_it_was_meant_where_nobody_says_otherwise() -> None:
    assert FISH.parts.editor is not None
    drawing = FISH.parts.editor.start_drawing("original")
    assert setup_on_board(FISH, drawing).variant == "original"
    with pytest.raises(SetupError, match="for the original game only"):
        setup_on_board(FISH, drawing, QUICK)


def test_a_game_without_a_small_one_does_not_offer_it() -> None:
    assert LABYRINTH.parts.editor is not None
    drawing = LABYRINTH.parts.editor.start_drawing("random")
    assert playable_variants(LABYRINTH, drawing, (2, 3)) == ("plain", "multi-goal", QUICK)
    assert playable_variants(replace(LABYRINTH, quick=None), drawing, (2, 3)) == ("plain", "multi-goal")


def test_a_drawing_that_nobody_can_play_on_yet_still_says_what_it_is_for() -> None:
    assert playable_variants(FISH, {"board": [[1, 1]]}, ()) == ("standard",)


# -- a demonstration ---------------------------------------------------------------------------


every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_a_demonstration_is_the_same_every_time(name: str) -> None:
    first, second = build_demo(name), Demo(GAMES[name])
    assert first.events == second.events
    assert 0 < first.highlight < first.last
    assert first.draw(first.last) == GAMES[name].shown.picture(first.states[-1], first.events[-1], seats=False)


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


@pytest.mark.parametrize("order", [("random", "search"), ("search", "random")])
def test_a_demonstration_waits_for_nobody_who_searches(monkeypatch: pytest.MonkeyPatch, order: tuple[str, str]) -> None:
    nim = GAMES["nim"]
    players = {"random": nim.players.strategies["random"], "search": lambda rng: pytest.fail("it was asked")}
    strategies = {name: players[name] for name in order}
    at_sight = frozenset({"random"})
    monkeypatch.setitem(nim.__dict__, "players", replace(nim.players, strategies=strategies, at_sight=at_sight))
    assert Demo(nim).last > 0
