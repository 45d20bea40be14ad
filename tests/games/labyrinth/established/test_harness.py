"""The test programs of Labyrinth (Labyrinth 12)."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import WireError
from fairplay.course.programs import InlineStage, equal_as_json, list_programs, run_cases
from fairplay.games.labyrinth.established.harness import WORDS
from games.labyrinth.worlds import BOARD_B as B, STATE_T as T, STATE_T0 as T0, coordinate, open_board, player
from kit import SHARED, needs_shared

A = [["ann", "Euclid"], ["bob", "Riemann"]]


def ran(program: str, *values: Any) -> Any:
    return list_programs("labyrinth")[program](values, InlineStage(GAMES["labyrinth"]))


def spots(*pairs: tuple[int, int]) -> list[dict[str, int]]:
    return [coordinate(*pair) for pair in pairs]


@pytest.mark.parametrize(
    ("program", "values", "expected"),
    [
        ("xboard", [B, coordinate(1, 1)], spots((1, 1), (1, 2), (2, 1), (2, 2))),
        ("xboard", [B, coordinate(7, 7)], []),
        ("xstate", [T, 2, "RIGHT", 90], spots((1, 1), (1, 2), (2, 0), (2, 1), (2, 2))),
        ("xstate", [T, 2, "RIGHT", 270], spots((1, 0), (2, 0))),
        ("xchoice", ["Euclid", T, coordinate(1, 3)], [2, "RIGHT", 90, coordinate(1, 2)]),
        ("xchoice", ["Riemann", T, coordinate(1, 3)], [2, "RIGHT", 180, coordinate(1, 0)]),
        ("xgames", [A, T0], ["bob"]),
        ("xbad", [[["ann", "Euclid"], ["bob", "Riemann", "win"]], T0], [[], ["bob"]]),
        ("xbad2", [[["ann", "Euclid", "setUp", 2], ["bob", "Riemann"]], T0], [["bob"], ["ann"]]),
        ("xserver", [A, T], [["ann"], []]),
    ],
)
def test_12_8_the_examples(program: str, values: list[Any], expected: Any) -> None:
    assert equal_as_json(ran(program, *values), expected)


def test_12_5_xstate_does_not_apply_the_undo_rule() -> None:
    assert ran("xstate", T, 0, "RIGHT", 0)


def test_12_1_surplus_values_are_ignored() -> None:
    assert ran("xboard", B, coordinate(0, 4), "surplus") == ran("xboard", B, coordinate(0, 4))


@pytest.mark.parametrize(
    ("program", "values", "reason"),
    [
        ("xboard", [B], "expected 2 JSON values, got 1"),
        ("xboard", [{**B, "connectors": [["└"]]}, coordinate(0, 0)], "full rectangles"),
        ("xboard", [{**B, "connectors": [*B["connectors"][:2], ["└"]]}, coordinate(0, 0)], "full rectangles"),
        ("xboard", [{**B, "treasures": [[["beryl", "coal"]] * 5] * 3}, coordinate(0, 0)], "unknown gem 'coal'"),
        ("xboard", [{**B, "connectors": [["x"] * 5] * 3}, coordinate(0, 0)], r"\$\.connectors"),
        ("xboard", [B, {"row#": 2.0, "column#": 0}], r"\$\.row#"),
        ("xboard", [B, {"row#": -1, "column#": 0}], r"\$\.row#"),
        ("xboard", [B, {"row#": 1}], "column#"),
        ("xstate", [T, 1, "LEFT", 0], "1 LEFT is not a slide"),
        ("xstate", [T, 2, "NORTH", 0], "Invalid enum value"),
        ("xstate", [T, 2, "LEFT", 45], "Invalid enum value"),
        ("xstate", [{**T, "plmt": []}, 2, "LEFT", 0], r"expected a player at \$\.plmt"),
        (
            "xstate",
            [{**T, "spare": {"tilekey": "┐", "1-image": "coal", "2-image": "ruby"}}, 2, "LEFT", 0],
            r"\$\.spare",
        ),
        ("xchoice", ["Gauss", T, coordinate(0, 0)], "Gauss"),
        ("xchoice", ["Euclid", {**T, "plmt": []}, coordinate(0, 0)], r"\$\.plmt"),
        ("xgames", [[["ann", "Euclid", "win"]], T], r"\$\[0\]"),
        ("xgames", [A, {**T, "last": [0]}], r"\$\.last"),
        ("xbad", [[["ann"]], T], r"\$\[0\]"),
        ("xbad", [[["ann", "Euclid", "lose"]], T], "'lose' is not a call"),
        ("xbad", [[["ann", "Euclid", "win", 1]], T], r"\$\[0\]"),
        ("xbad2", [[["ann", "Euclid", "win", 0]], T], ">= 1"),
        ("xbad2", [[["ann", "Euclid", "coordinate"]], T], "is not a call"),
        ("xbad2", [[["ann", "Euclid", 3]], T], "str"),
    ],
)
def test_12_1_invalid_input_is_named_with_its_place(program: str, values: list[Any], reason: str) -> None:
    with pytest.raises(WireError, match=reason):
        ran(program, *values)


def test_10_3_last_and_goals_may_be_missing_and_unknown_keys_are_ignored() -> None:
    bare = {key: value for key, value in T0.items() if key != "last"} | {"weather": "fine"}
    assert ran("xgames", A, bare) == ran("xgames", A, {**T0, "last": None})


def crosses(*goals: tuple[int, int]) -> dict[str, Any]:
    """An open board with one entry for each goal: everybody gets to its goal at once, and home one round later."""
    homes = [(1, 1), (1, 3), (3, 1), (3, 3), (1, 5), (5, 1), (5, 5)]
    return open_board([player(homes[seat], homes[seat], "red", goal) for seat, goal in enumerate(goals)], size=7)


def test_12_2_leniency() -> None:
    """Equal colours and names, homes and goals on movable places or off the board, any index in "last"."""
    players = [player((0, 0), (0, 0), "any", (77, 7)), player((0, 0), (0, 0), "any", (0, 0))]
    odd = {**open_board(players), "last": [99, "UP"]}
    assert ran("xgames", [["a!", "Riemann"], ["a!", "Riemann"]], odd) == ["a!"]


def test_12_3_surplus_players_and_entries_are_dropped() -> None:
    three = [*A, ["cat", "Euclid", "setUp"]]
    assert ran("xbad", three, T0) == [["bob"], []]
    assert ran("xgames", A[:1], crosses((3, 3), (5, 5))) == ["ann"]


def test_12_6_none_one_and_many_players() -> None:
    assert ran("xgames", [], T0) == []
    assert ran("xbad", [], T0) == [[], []]
    assert ran("xbad", [["ann", "Euclid"]], {**T0, "plmt": T0["plmt"][:1]}) == [["ann"], []]
    seven = crosses(*[(5, 3)] * 7)
    assert ran("xgames", [[f"p{number}", "Euclid"] for number in range(7)], seven) == ["p0"]


def test_10_5_names_come_in_code_point_order() -> None:
    stuck = open_board([player((0, 9), (9, 9), "red", (9, 9)), player((0, 9), (9, 9), "red", (9, 9))])
    assert ran("xgames", [["ann", "Euclid"], ["Bob", "Euclid"]], stuck) == ["Bob", "ann"]


@pytest.mark.parametrize(
    ("trouble", "faulty"),
    [
        (["setUp"], True),
        (["takeTurn"], True),
        (["win"], True),
        (["setUp", 1], True),
        (["setUp", 2], True),
        (["setUp", 3], False),
        (["takeTurn", 2], True),
        (["takeTurn", 3], False),
        (["win", 1], True),
        (["win", 2], False),
    ],
)
def test_12_4_faulty_players_fail_in_the_named_call(trouble: list[Any], faulty: bool) -> None:
    """On crosses ann reaches her goal in round 1 and home in round 2: two set-ups, two turns, one win."""
    result = ran("xbad2", [["ann", "Riemann", *trouble], ["bob", "Riemann"]], crosses((5, 5), (77, 77)))
    assert result[1] == (["ann"] if faulty else [])
    assert result[0] == ([] if trouble[0] == "win" and faulty else ["bob"] if faulty else ["ann"])


@pytest.mark.parametrize("word", sorted(word for word in WORDS if word))
def test_12_7_broken_clients_end_up_misbehaving(word: str) -> None:
    """Each of them, while the other one plays on; here bob is the older one and ann moves first."""
    result = ran("xserver", [["bob", "Euclid"], ["ann", "Euclid", word]], crosses((5, 5), (5, 3)))
    assert result[1] == ["ann"]


def test_12_7_undo_passes_while_there_is_nothing_to_undo() -> None:
    calm = open_board([player((9, 9), (1, 1), "red", (3, 3)), player((9, 9), (3, 3), "blue", (1, 1))])
    assert ran("xserver", [["bob", "Euclid"], ["ann", "Euclid", "undo"]], calm) == [["ann"], []]


def test_12_7_unreachable_leaves_the_board_where_everything_can_be_reached() -> None:
    assert ran("xserver", [["b", "Euclid"], ["a", "Euclid", "unreachable"]], crosses((5, 5), (5, 3)))[1] == ["a"]
    assert ran("xserver", [["b", "Euclid"], ["a", "Euclid", "unreachable"]], T)[1] == ["a"]


def test_11_3_the_last_to_sign_up_moves_first() -> None:
    """Everybody needs two rounds, so whoever moves first comes home first."""
    names = [["ann", "Euclid"], ["bob", "Euclid"], ["cat", "Euclid"]]
    assert ran("xserver2", names, crosses((5, 5), (5, 5), (5, 5))) == [["cat"], []]


def test_11_4_seats_are_six_or_as_many_as_there_are_entries() -> None:
    many = [[f"p{number}", "Euclid"] for number in range(7)]
    assert ran("xserver", many, crosses(*[(5, 3)] * 7)) == [["p5"], []]
    assert ran("xserver", many, crosses((5, 5), (5, 5))) == [["p1"], []]
    assert ran("xserver", many[:1], crosses((5, 5), (5, 5))) == [[], []]


def test_11_2_a_client_with_an_invalid_name_does_not_count() -> None:
    names = [["ann", "Euclid"], ["bob", "Euclid"], ["not a name", "Euclid", "setUp"], ["x" * 21, "Euclid", "setUp"]]
    assert ran("xserver", names, crosses((5, 5), (5, 5), (5, 5))) == [["bob"], []]


@needs_shared
@pytest.mark.parametrize("program", list(list_programs("labyrinth")))
def test_the_agreed_cases(program: str) -> None:
    ran_cases = list(run_cases("labyrinth", program, SHARED / "cases" / "labyrinth" / program))
    assert ran_cases
    assert [case.path.name for case in ran_cases if not case.passed] == []
