"""The test programs of Trains (Trains 12)."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import ContestEnded, Misbehaved, Picture, WireError
from fairplay.core.chance import derived
from fairplay.course.programs import InlineStage, equal_as_json, run_cases
from fairplay.games.trains.established.harness import PROGRAMS, SIGN_UPS, FaultyPlayer, build_player, run_tournament
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.players.strategies import buy_now
from games.trains.sheets import MAP_M
from kit import SHARED, needs_shared

D = ["red", "blue", "green", "white"] * 62 + ["red", "blue"]
TOO_FEW = "error: not enough destinations"


def state_t(red: int = 4) -> Any:
    """State T of Trains 12.8."""
    this = {
        "destination1": ["Alma", "Bree"],
        "destination2": ["Alma", "Cove"],
        "rails": 45,
        "cards": {"red": red, "blue": 3, "green": 4},
        "acquired": [],
    }
    return {"this": this, "acquired": [[["Alma", "Bree", "red", 3]]]}


def ran(program: str, *values: Any) -> Any:
    return PROGRAMS[program](values, InlineStage(GAMES["trains"]))


def players(*strategies: str) -> list[list[str]]:
    return [[f"{'abcdefghijklmnopqrstuvwxyz'[number % 26]}{'x' * (number // 26)}", strategy]
            for number, strategy in enumerate(strategies)]  # fmt: skip


THREE = [["ann", "Hold-10"], ["bob", "Buy-Now"], ["cat", "Cheat"]]


@pytest.mark.parametrize(
    ("program", "values", "expected"),
    [
        ("xmap", ["Alma", "Dell", MAP_M], True),
        ("xmap", ["Dell", "Alma", MAP_M], True),
        ("xmap", ["Alma", "Alma", MAP_M], False),  # Trains 14.15
        ("xmap", ["Alma", "Nowhere", MAP_M], False),
        ("xlegal", [MAP_M, state_t(), ["Bree", "Cove", "green", 4]], True),
        ("xlegal", [MAP_M, state_t(), ["Alma", "Bree", "red", 3]], False),
        ("xlegal", [MAP_M, state_t(), ["Erin", "Alma", "blue", 3]], False),
        ("xlegal", [MAP_M, state_t(), ["Bree", "Cove", "green", 3]], False),
        ("xstrategy", [MAP_M, state_t()], ["Alma", "Erin", "blue", 3]),
        ("xstrategy", [MAP_M, state_t(red=3)], "more cards"),
        ("xref", [MAP_M, THREE, D], [[["ann"], ["bob"]], ["cat"]]),
        ("xmanager", [MAP_M, THREE, D], [["ann"], ["cat"]]),
        ("xserver", [MAP_M, THREE, D], [["ann"], ["cat"]]),
        ("xref", [MAP_M, [["ann", "Cheat"], ["bob", "Cheat"]], D], [[], ["ann", "bob"]]),
        ("xref", [MAP_M, players(*["Buy-Now"] * 4), D], TOO_FEW),
        ("xmanager", [MAP_M, players(*["Buy-Now"] * 4), D], TOO_FEW),
    ],
)
def test_the_examples_of_the_rule_book(program: str, values: list[Any], expected: Any) -> None:
    """Trains 12.8."""
    assert equal_as_json(ran(program, *values), expected)


def test_surplus_values_are_ignored() -> None:
    """Trains 12.1."""
    assert ran("xmap", "Alma", "Dell", MAP_M, 7, {}) is True


def test_a_reversed_pair_in_a_map_is_put_in_order() -> None:
    """Trains 12.2."""
    turned = {**MAP_M, "connections": {"Erin": {"Alma": {"red": 3}}}}
    assert ran("xmap", "Alma", "Erin", turned) is True


def test_the_picture_of_a_map() -> None:
    assert isinstance(ran("xvisualize", MAP_M), Picture)


@pytest.mark.parametrize(
    ("program", "values"),
    [
        ("xmap", ["Alma", "Dell"]),
        ("xmap", ["Alma", 5, MAP_M]),
        ("xmap", ["Alma", "Dell", {}]),
        ("xlegal", [MAP_M, state_t(), "more cards"]),
        ("xstrategy", [MAP_M, {}]),
        ("xref", [MAP_M, [["ann", "Hold-10"]], D]),
        ("xref", [MAP_M, players(*["Buy-Now"] * 9), D]),
        ("xref", [MAP_M, [["ann", "Hold-10"], ["bob", "Genius"]], D]),
        ("xref", [MAP_M, THREE, ["pink"]]),
        ("xserver", [MAP_M, THREE, D, "rm-unknown"]),
    ],
)
def test_input_of_another_form_is_a_wire_error(program: str, values: list[Any]) -> None:
    """Trains 12.1."""
    with pytest.raises(WireError):
        ran(program, *values)


# -- faulty players (Trains 8.9) ---------------------------------------------------------------

FAULTY = ["start", "setup", "pick", "play", "more", "win", "end"]


@pytest.mark.parametrize("call", FAULTY)
def test_a_faulty_player_is_misbehaving_in_a_tournament(call: str) -> None:
    result = ran("xmanager", MAP_M, [["ann", "Hold-10"], ["bad", f"player-bad-{call}"], ["cat", "Buy-Now"]], D)
    assert result[1] == ["bad"]


@pytest.mark.parametrize("call", FAULTY)
def test_in_a_single_game_nobody_is_called_with_start_or_end(call: str) -> None:
    ranking, misbehaved = ran("xref", MAP_M, [["ann", "Hold-10"], ["bad", f"player-bad-{call}"]], D)
    assert misbehaved == ([] if call in ("start", "end") else ["bad"])
    assert sorted(name for tier in ranking for name in tier) == (
        ["ann", "bad"] if call in ("start", "end") else ["ann"]
    )


def test_a_winner_that_fails_in_win_leaves_an_empty_group() -> None:
    """Trains 5.6, 14.10."""
    deck = ["red", "red", "red", "red", "blue", "white", "green", "white"]
    ranking, misbehaved = ran("xref", MAP_M, [["bad", "player-bad-win"], ["bob", "Buy-Now"]], deck)
    assert (ranking, misbehaved) == ([[], ["bob"]], ["bad"])


def test_bad_play_answers_three_times() -> None:
    player = build_player("player-bad-play")
    assert player.answers == 3
    for _ in range(3):
        player.check_call("play")
    with pytest.raises(Misbehaved):
        player.check_call("play")


# -- tournaments (Trains 9) --------------------------------------------------------------------


def test_who_fails_in_start_does_not_count_for_the_destinations() -> None:
    """Trains 9.2, 9.4: four are too many for map M, but one never answers `start`."""
    line_up = [["ann", "Hold-10"], ["bad", "player-bad-start"], ["cat", "Buy-Now"], ["dan", "Buy-Now"]]
    result = ran("xmanager", MAP_M, line_up, D)
    assert result != TOO_FEW
    assert result[1] == ["bad"]


def test_with_fewer_than_two_left_after_start_they_are_the_winners() -> None:
    """Trains 9.3, 14.12: no map is needed."""
    poor = {**MAP_M, "connections": {}}
    assert ran("xmanager", poor, [["ann", "Hold-10"], ["bad", "player-bad-start"]], D) == [["ann"], ["bad"]]
    assert ran("xmanager", poor, [["bad", "player-bad-start"]] * 2, D) == [[], ["bad", "bad"]]


def test_for_nine_players_a_map_must_suffice_for_eight() -> None:
    """Trains 9.4: though the first game of nine has only seven seats."""
    eighteen = {  # six joined cities make 15 destinations and three make 3: enough for seven seats, not for eight
        "width": 100,
        "height": 100,
        "cities": [[name, [number * 10, 5]] for number, name in enumerate("ABCDEFGHI")],
        "connections": {"A": {other: {"red": 3} for other in "BCDEF"}, "G": {"H": {"red": 3}, "I": {"red": 3}}},
    }
    assert ran("xmanager", eighteen, players(*["Buy-Now"] * 7), D) != TOO_FEW
    assert ran("xmanager", eighteen, players(*["Buy-Now"] * 8), D) == TOO_FEW
    assert ran("xmanager", eighteen, players(*["Buy-Now"] * 9), D) == TOO_FEW


def test_after_too_few_destinations_everybody_left_hears_the_end() -> None:
    """Trains 9.4, 14.13: and whoever fails there changes nothing."""
    heard: list[object] = []

    class Listening(FaultyPlayer):
        def hear(self, news: object) -> None:
            heard.append(news)
            super().hear(news)

    calls = {"a": None, "b": None, "c": "end", "d": None}
    seats = [(name, Listening(buy_now(derived(0)), call)) for name, call in calls.items()]
    assert run_tournament(map_from_json(MAP_M), seats, (), InlineStage(GAMES["trains"])) == TOO_FEW
    assert [news for news in heard if isinstance(news, ContestEnded)] == [ContestEnded(won=False)] * 4


STAR = {
    "width": 100,
    "height": 100,
    "cities": [[name, [number * 10, 5]] for number, name in enumerate("ABCDEFGHI")],
    "connections": {"A": {other: {"red": 3, "blue": 3} for other in "BCDEFGHI"}},
}
"""Nine joined cities: enough for eight seats."""


def test_at_most_fifty_sign_up_and_bad_names_do_not_count() -> None:
    """Trains 11.2, 11.4."""
    many = players(*["Buy-Now"] * 49, *["Cheat"] * 3)
    assert ran("xserver", STAR, many, D)[1] == [many[49][0]]  # the fiftieth plays, those after it do not
    assert len(ran("xmanager", STAR, many, D)[1]) == 3
    named = [["ann", "Hold-10"], ["b0b", "Cheat"], ["", "Cheat"], ["c" * 51, "Cheat"], ["dan", "Buy-Now"]]
    named[2][0] = "no letters!"
    assert ran("xserver", STAR, named, D)[1] == []
    assert ran("xserver", STAR, [["1", "Cheat"], ["ann", "Cheat"]], D) == [[], []]
    assert SIGN_UPS == 50


@pytest.mark.parametrize(
    "broken",
    ["rm-ill-formed-start", "rm-ill-formed-pick", "rm-ill-formed-action", "rm-invalid-game-map", "rm-invalid-pick",
     "rm-non-json-action"],
)  # fmt: skip
def test_broken_clients_all_end_up_misbehaving(broken: str) -> None:
    """Trains 12.7."""
    winners, misbehaved = ran("xserver", STAR, [["ann", "Hold-10"], ["bob", "Buy-Now"]], D, broken)
    assert misbehaved == ["rann", "rbob"]
    assert set(winners) <= {"ann", "bob"}


@needs_shared
@pytest.mark.parametrize("program", ["xmap", "xlegal", "xstrategy", "xref", "xmanager", "xserver"])
def test_the_shared_cases(program: str) -> None:
    folder = SHARED / "cases" / "trains" / program
    found = list(run_cases("trains", program, folder))
    assert found
    assert [case for case in found if not case.passed] == []
