"""The page about hostile players names a test for everything that it promises, and each of them is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kit import SHARED, TESTS, needs_shared
from thorough import find_reason

PAGE = (TESTS.parent / "docs" / "about" / "hostile-players.md").read_text("utf-8")
LAWS = TESTS.parent / "src" / "fairplay" / "testing" / "laws"
ROWS = {
    int(number): row
    for row in PAGE.splitlines()
    if (number := row.split("|")[1].strip() if "|" in row else "").isdigit()
}


@pytest.mark.parametrize("number", ROWS)
def test_the_tests_that_are_named_are_there(number: int) -> None:
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", ROWS[number])
    assert named, "no test is named"
    for file, beginning in named:
        text = (TESTS / file).read_text("utf-8")
        if law := re.search(r"^from fairplay\.testing\.laws\.(\w+) import \*$", text, re.MULTILINE):
            text = (LAWS / f"{law[1]}.py").read_text("utf-8")
        found = re.search(rf"^(async )?def {beginning}", text, re.MULTILINE)
        assert found, f"{file} has no test that begins with {beginning}"


@pytest.mark.parametrize("number", ROWS)
def test_make_test_tries_it_unless_it_takes_long_by_its_nature(number: int) -> None:
    reasons = {find_reason(name) for name in re.findall(r"`([\w/]+\.py::\w+)`", ROWS[number])}
    assert reasons & {None, "PostgreSQL", "kills", "long laws", "restarts"}


def test_every_number_has_its_line() -> None:
    assert list(ROWS) == list(range(1, len(ROWS) + 1))
    assert f"[{len(ROWS)} attacks and failures]" in Path(TESTS.parent, "README.md").read_text("utf-8")


@needs_shared
def test_every_abuse_of_the_list_has_its_line() -> None:
    wanted = re.findall(r"^(\d+)\. ", Path(SHARED, "abuse.md").read_text("utf-8"), re.MULTILINE)
    assert [*map(int, wanted)] == list(ROWS)[: len(wanted)]
