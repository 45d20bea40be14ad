"""Names that strangers choose: what is accepted, and which two are the same; and their text in a terminal."""

from __future__ import annotations

import pytest

from fairplay.core import UsageError
from fairplay.core.names import (
    check_name,
    escape_controls,
    find_alike,
    find_repeated_name,
    list_known,
    name_key,
    name_shapes,
    suggest_name,
)


@pytest.mark.parametrize(
    "name",
    [
        "ann",
        "Ann Müller",
        "Анна",
        "Ελένη",
        "田中さくら",
        "김철수",
        "O'Neil-2",
        "minimax:depth=2",
        "<b>",
        "é",
        "🐧",
        "שָׁלוֹם",
        "ผู้เล่น",
    ],
)
def test_ordinary_names_are_accepted(name: str) -> None:
    assert check_name(f" {name} ") == name


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "at least one"),
        ("   ", "at least one"),
        ("a\x1b[31mb", "U+001B"),
        ("a\nb", "U+000A"),
        ("an\u200bn", "U+200B"),
        ("an\u00adn", "U+00AD"),
        ("\u202egnorw", "U+202E"),
        ("\u3164", "U+3164"),
        ("\u2800", "U+2800"),
        ("\U0001d159", "U+1D159"),
        ("\u0301ann", "mark"),
        ("a" + "\u0323\u0330\u0331\u0332\u0333", "marks"),
        ("a\ufe0f", "U+FE0F"),
        ("ann\u00a0b", "U+00A0"),
        ("\x9b31m", "U+009B"),
        ("аnn", "Cyrillic and Latin"),
        ("αnn", "Greek and Latin"),
        ("annさ", "Hiragana and Latin"),
    ],
)
def test_names_that_could_deceive_are_refused(name: str, reason: str) -> None:
    with pytest.raises(UsageError, match="a name") as refused:
        check_name(name)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann", "ANN"),
        ("ann", "ａｎｎ"),
        ("ann", "an\u200bn"),
        ("straße", "STRASSE"),
        ("é", "e\u0301"),
        ("ﬁsh", "fish"),
        ("ann  b", "ann b"),
        ("𝐚𝐧𝐧", "ann"),
    ],
)
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert find_repeated_name(["bob", one, other]) == other


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("ɑnn", "ann"),
        ("ɑnn", "ANN"),
        ("ᴀnn", "Ann"),
        ("сосо", "coco"),
        ("ВОВ", "BOB"),
        ("Αννα", "Avva"),
        ("b0b", "bob"),
        ("AIan", "Alan"),
        ("botl", "bot1"),
        ("bot|", "botI"),
        ("rnax", "max"),
        ("vvilly", "willy"),
        ("an\u200bn", "ann"),
        ("greedу", "greedy"),
        ("Yоu", "you"),
    ],
)
def test_a_name_that_could_be_taken_for_another_is_found(name: str, taken: str) -> None:
    assert find_alike(name, ["bert", taken]) == taken
    assert find_alike(taken, [name]) == name


def test_honest_names_are_not_taken_for_each_other() -> None:
    names = [
        *("ann", "anna", "Anne", "Andre", "André", "Jose", "José", "bob", "Rob", "Ian", "Jan", "Alan", "Allan", "lea"),
        *("Leo", "Theo", "Müller", "Muller", "Mueller", "bot-1", "bot-2", "bot-10", "bot-11", "minimax", "maximin"),
        *("minimax:depth=1", "minimax:depth=2", "Анна", "Яна", "Иван", "Ελένη", "Μαρία", "Արամ", "田中", "中田", "김"),
        *("guest 1", "guest 2", "greedy", "greedy 2", "Clover", "Olaf", "Ole", "Karl", "Carl", "Søren", "Soren", "🐧"),
    ]
    assert [
        (name, find_alike(name, set(names) - {name})) for name in names if find_alike(name, set(names) - {name})
    ] == []


@pytest.mark.parametrize("name", ["ann", "IAN", "Анна", "rn0I1", "ɑ"])
def test_a_name_has_the_shapes_of_what_counts_as_the_same_name(name: str) -> None:
    assert not name_shapes(name).isdisjoint(name_shapes(name.upper()))
    assert not name_shapes(name).isdisjoint(name_shapes(f"  {name}\u200b"))


def test_different_names_are_different() -> None:
    assert find_repeated_name(["ann", "bob", "ann-2"]) is None


def test_a_name_that_was_mistyped_is_suggested() -> None:
    known = ["random", "greedy", "minimax"]
    assert suggest_name("greddy", known) == suggest_name("Greedy", known) == "; did you mean 'greedy'?"
    assert suggest_name("stockfish", known) == suggest_name("x", []) == ""
    assert list_known("minmax", known) == "random, greedy, minimax; did you mean 'minimax'?"
    assert list_known("minmax", []) == "none"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann Müller", "Ann Müller"),
        ("\x1b]0;owned\x07", r"\x1b]0;owned\x07"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202egnorw", r"\u202egnorw"),
        ("a\rb\u2028c\nd", r"a\rb\u2028c\nd"),
        ("\ud800", r"\ud800"),
    ],
)
def test_nothing_steers_a_terminal(text: str, shown: str) -> None:
    assert escape_controls(text) == shown
    assert escape_controls(shown) == shown


def test_what_is_kept_stays() -> None:
    assert escape_controls("a\n\tb\x1bc", keep="\n\t") == "a\n\tb\\x1bc"
