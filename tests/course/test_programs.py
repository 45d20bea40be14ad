"""Reading JSON values, and running folders of cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairplay.core import UsageError, WireError
from fairplay.course.programs import equal_as_json, find_program, list_programs, read_values, run_cases

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(JSON, max_size=5), st.sampled_from(["", " ", "\n\n", " " * 5_000]))
def test_values_stand_one_after_the_other(given_values: list[Any], blanks: str) -> None:
    separator = blanks or " "  # two numbers need something between them
    assert read_values(blanks + separator.join(json.dumps(value) for value in given_values) + blanks) == given_values


def test_values_that_delimit_themselves_need_no_blanks() -> None:
    assert read_values('[1]{"a":2}"x"[]') == [[1], {"a": 2}, "x", []]
    assert read_values("") == []


@pytest.mark.parametrize(
    "text", ["[1", "nope", "NaN", "-Infinity", "[1]x", '{"a":}', "[1,]", "[01]", "[" * 100_000, "9" * 5_000]
)
def test_ill_formed_json_is_a_wire_error(text: str) -> None:
    with pytest.raises(WireError, match="ill-formed JSON in value"):
        read_values(text)


def test_many_values_are_read_in_linear_time() -> None:
    assert len(read_values(" 1" * 50_000)) == 50_000


def test_true_is_not_one() -> None:
    assert equal_as_json({"a": 1, "b": [True]}, {"b": [True], "a": 1})
    assert not equal_as_json([1], [True])
    assert not equal_as_json([1], [1.0])


def test_a_game_without_a_harness_has_no_programs() -> None:
    assert list_programs("nim") == {}
    with pytest.raises(UsageError, match="nim has no harness program 'x'; it has none"):
        find_program("nim", "x")


def test_cases_pass_differ_or_are_refused(tmp_path: Path) -> None:
    board = {"position": [0, 0], "board": [[1], [1]]}
    for name, given_value, expected in [("a", board, 1), ("b", board, 7), ("c", {"position": [0, 0]}, 1)]:
        (tmp_path / "deep").mkdir(exist_ok=True)
        (tmp_path / "deep" / f"{name}-in.json").write_text(json.dumps(given_value))
        (tmp_path / "deep" / f"{name}-out.json").write_text(json.dumps(expected))
    ran = list(run_cases("fish", "xboard", tmp_path))
    assert [(case.path.name, case.passed) for case in ran] == [
        ("a-in.json", True),
        ("b-in.json", False),
        ("c-in.json", False),
    ]
    assert ran[2].actual.startswith("refused: ")
