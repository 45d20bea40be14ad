"""A picture is text that knows which part of it stays the same."""

from __future__ import annotations

from fairplay.core import Picture


def test_a_picture_is_its_head_and_its_body() -> None:
    picture = Picture.build("toy-board", 30, 20.5, "a toy", "<style>.toy-board a{}</style>", "<g/>")
    opening = '<svg xmlns="http://www.w3.org/2000/svg" class="toy-board" viewBox="0 0 30 20.5" width="30" height="20.5"'
    assert picture == f'{opening} role="img" aria-label="a toy"><style>.toy-board a{{}}</style><g/></svg>'
    assert picture.head == f'{opening} role="img"><style>.toy-board a{{}}</style>'
    assert (picture.body, picture.label) == ("<g/>", "a toy")
    assert picture._repr_svg_() == str(picture)


def test_plain_text_is_all_body() -> None:
    picture = Picture("<svg/>")
    assert (picture.head, picture.body, picture.label) == ("", "<svg/>", "")
