"""The test programs of Fish (Fish 12)."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import WireError
from fairplay.course.programs import InlineStage, equal_as_json, list_programs, run_cases
from kit import SHARED, needs_shared

B = [[1, 2, 3], [4, 0, 5], [1, 1], [2, 3, 1]]
S = {
    "players": [
        {"color": "white", "score": 2, "places": [[0, 0], [3, 1]]},
        {"color": "red", "score": 0, "places": [[1, 0], [2, 1]]},
    ],
    "board": B,
}
ALONE = {"players": [{"color": "red", "score": 0, "places": [[0, 0]]}], "board": [[1, 1, 1], [1, 1, 1]]}

SEARCH = {  # Fish 8.7
    "players": [
        {"color": "red", "score": 0, "places": [[0, 0], [0, 1]]},
        {"color": "white", "score": 0, "places": [[2, 0], [2, 1]]},
    ],
    "board": [[2, 2, 1], [3, 1, 2], [2, 1, 4], [1, 5, 2]],
}


def ran(program: str, *values: Any) -> Any:
    return list_programs("fish")[program](values, InlineStage(GAMES["fish"]))


@pytest.mark.parametrize(
    ("program", "value", "expected"),
    [
        ("xboard", {"position": [1, 0], "board": B}, 6),
        ("xboard", {"position": [3, 2], "board": B}, 1),
        ("xboard", {"position": [0, 0], "board": [[0]]}, 0),
        (
            "xstate",
            S,
            {
                "players": [
                    {"color": "red", "score": 0, "places": [[1, 0], [2, 1]]},
                    {"color": "white", "score": 3, "places": [[2, 0], [3, 1]]},
                ],
                "board": [[0, 2, 3], [4, 0, 5], [1, 1, 0], [2, 3, 1]],
            },
        ),
        ("xstate", {"players": [], "board": B}, False),
        ("xstate", {"players": [{"color": "red", "score": 0, "places": []}], "board": B}, False),
        ("xstate", {"players": [{"color": "red", "score": 0, "places": [[0, 0]]}], "board": [[1]]}, False),
        ("xtree", {"state": S, "from": [0, 0], "to": [2, 0]}, [[1, 0], [3, 0]]),
        ("xtree", {"state": ALONE, "from": [0, 0], "to": [1, 0]}, False),
        ("xstrategy", [1, SEARCH], [[0, 0], [1, 0]]),
        ("xstrategy", [2, SEARCH], [[0, 1], [2, 2]]),
        ("xstrategy", [1, {"players": [{"color": "red", "score": 0, "places": [[0, 0]]}], "board": [[1]]}], False),
        ("xstrategy", [1, {"players": [], "board": [[1]]}], False),
        ("xref", {"row": 3, "column": 4, "players": [["ann", 1], ["Bob", 2]], "fish": 1}, ["Bob", "ann"]),
        ("xref", {"row": 3, "column": 5, "players": [["ann", 1], ["Bob", 2]], "fish": 1}, ["Bob"]),
        ("xref", {"row": 4, "column": 2, "players": [["a", 1], ["b", 1], ["c", 1]], "fish": 2}, ["a", "b"]),
    ],
)
def test_12_7_the_examples(program: str, value: Any, expected: Any) -> None:
    assert equal_as_json(ran(program, value), expected)


@pytest.mark.parametrize(
    ("program", "values", "reason"),
    [
        ("xboard", [], "expected one JSON value, got 0"),
        ("xboard", [1, 2], "expected one JSON value, got 2"),
        ("xboard", [{"position": [9, 9], "board": B}], r"not on the board at \$\.position"),
        ("xboard", [{"position": [0, 0]}], "missing required field"),
        ("xstate", [{"players": [], "board": [[2.0]]}], r"\$\.board\[0\]\[0\]"),
        ("xtree", [{"state": S, "from": [1, 0], "to": [2, 0]}], r"a penguin of the first player at \$\.from"),
        ("xtree", [{"state": S, "from": [0, 0], "to": [3, 2]}], r"can be reached at \$\.to"),
        ("xtree", [{"state": S, "from": [1, 1], "to": [3, 2]}], r"not a tile of the board at \$\.from"),
        ("xtree", [{"state": {"players": [], "board": B}, "from": [0, 0], "to": [0, 1]}], r"\$\.from"),
        ("xstrategy", [[0, S]], r"\$\[0\]"),
        ("xref", [{"row": 3, "column": 4, "players": [["a", 1], ["a", 2]], "fish": 1}], "distinct names"),
        ("xref", [{"row": 3, "column": 4, "players": [["a", 1]], "fish": 1}], r"\$\.players"),
        ("xref", [{"row": 3, "column": 4, "players": [["a", 1], ["b", 1]], "fish": 6}], r"\$\.fish"),
    ],
)
def test_12_1_invalid_input_is_named_with_its_place(program: str, values: list[Any], reason: str) -> None:
    with pytest.raises(WireError, match=reason):
        ran(program, *values)


def test_12_4_nobody_left_gives_nobody() -> None:
    """One tile for two players: nobody can place all penguins, and both are eliminated (Fish 2.7)."""
    assert ran("xref", {"row": 1, "column": 1, "players": [["a", 1], ["b", 1]], "fish": 1}) == []


@needs_shared
@pytest.mark.parametrize("program", list(list_programs("fish")))
def test_the_agreed_cases(program: str) -> None:
    ran_cases = list(run_cases("fish", program, SHARED / "cases" / "fish" / program))
    assert ran_cases
    assert [case.path.name for case in ran_cases if not case.passed] == []
