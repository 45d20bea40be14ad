"""Pictures put into one that moves: everything that several of them share is written once."""

from __future__ import annotations

import pytest

from fairplay.web.sharing.pictures import animate_pictures, sample_moments


@pytest.mark.parametrize(("last", "most", "found"), [(3, 9, [0, 1, 2, 3]), (10, 3, [0, 5, 10]), (0, 5, [0])])
def test_the_first_and_the_last_moment_are_always_shown(last: int, most: int, found: list[int]) -> None:
    assert sample_moments(last, most) == found


def svg(*elements: str) -> str:
    inner = "".join(elements)
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="k" viewBox="0 0 9 9" width="9" height="9">{inner}</svg>'


def test_what_stays_is_written_once_and_never_hidden() -> None:
    stays, first, second = '<path d="M0 0"/>', '<path d="M1 1"/>', '<path d="M2 2"/>'
    made = animate_pictures([svg(stays, first), svg(stays, second)], 'a "match"')
    assert made.count("M0 0") == made.count("M1 1") == made.count("M2 2") == 1
    assert '</style><path d="M0 0"' in made and 'aria-label="a &quot;match&quot;"' in made


def test_a_large_group_of_which_a_little_changes_is_not_written_twice() -> None:
    parts = [f'<path d="M{number} 0"/>' for number in range(20)]
    groups = [f'<g class="tiles">{"".join(some)}</g>' for some in (parts, parts[1:])]
    made = animate_pictures([svg(group) for group in groups], "a match")
    assert all(made.count(f"M{number} 0") == 1 for number in range(20))


def test_what_only_pages_need_is_left_out() -> None:
    made = animate_pictures([svg('<g data-at="1,2"><title>tile</title><path d="M0 0"/></g>')] * 2, "a match")
    assert "data-" not in made and "<title>" not in made
