"""Pictures know which part of them stays the same; clicks are split into name and value, and followed."""

from __future__ import annotations

import pytest

from fairplay.core import Picture, UsageError
from fairplay.core.shown import (
    COMPLETE,
    UNKNOWN,
    Choice,
    CompleteMove,
    PartialMove,
    Placement,
    build_click_tree,
    follow_clicks,
    parse_click,
)


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


def append_click(word: str, name: str, value: str) -> str | CompleteMove[str]:
    return CompleteMove(word) if name == "done" else f"{word}{name}{value}"


def test_clicks_are_followed_one_after_the_other() -> None:
    assert follow_clicks([], "", append_click) == ""
    assert follow_clicks(["a=1", "b=2=3", "c"], "", append_click) == "a1b2=3c"
    assert follow_clicks(["a=1", "done=now"], "", append_click) == CompleteMove("a1")


def test_nothing_follows_what_is_complete() -> None:
    with pytest.raises(UsageError, match="nothing left to click"):
        follow_clicks(["done=now", "a=1"], "", append_click)


def test_a_click_has_a_name_and_a_value() -> None:
    assert parse_click("at=2,3") == ("at", "2,3")
    assert parse_click("line=A|B|red=er") == ("line", "A|B|red=er")
    assert parse_click("nothing") == ("nothing", "")


# -- trees -------------------------------------------------------------------------------------


def count_clicks(clicks: tuple[str, ...]) -> PartialMove | int:
    """A game of two buttons: one counts to three and begins again, the other one says that it is enough."""
    count = clicks.count("count=one") % 3
    if "say=enough" in clicks:
        return count
    label = "Say that it is enough" if count else "Say that it is enough at once"
    choices = (Choice("count=one", "Count", (f"at={count}",) if count else ()), Choice("say=enough", label))
    return PartialMove(
        f"{count} so far.", choices, ("count=one",) * (count > 0), (Placement("hand", f"turn({count})"),)
    )


def test_a_tree_has_a_node_for_each_partial_move() -> None:
    tree = build_click_tree(count_clicks)
    assert [node.prompt for node in tree.nodes] == ["0 so far.", "1 so far.", "2 so far."]
    assert [node.next["count=one"] for node in tree.nodes] == [1, 2, 0]
    assert {node.next["say=enough"] for node in tree.nodes} == {COMPLETE}
    assert tree.nodes[1].chosen == ("count=one",)
    assert tree.nodes[2].places == (("hand", "turn(2)"),)


def test_a_tree_keeps_each_label_once_and_the_odd_ones_apart() -> None:
    tree = build_click_tree(count_clicks)
    assert tree.labels == {"count=one": "Count", "say=enough": "Say that it is enough at once"}
    assert tree.odd_labels == dict.fromkeys(("1 say=enough", "2 say=enough"), "Say that it is enough")
    assert tree.highlights == {"1 count=one": ("at=1",), "2 count=one": ("at=2",)}


def test_a_tree_ends_where_it_is_large_enough() -> None:
    tree = build_click_tree(count_clicks, 2)
    assert [node.next["count=one"] for node in tree.nodes] == [1, UNKNOWN]
