"""A dictionary that forgets its oldest entries."""

from __future__ import annotations

from fairplay.web.bounded import BoundedDict


def test_the_oldest_entry_is_forgotten() -> None:
    found: BoundedDict[str, int] = BoundedDict(2)
    for number, key in enumerate("abc"):
        found[key] = number
    assert dict(found) == {"b": 1, "c": 2}


def test_an_entry_that_is_set_again_is_the_newest() -> None:
    found: BoundedDict[str, int] = BoundedDict(2)
    for number, key in enumerate("abac"):
        found[key] = number
    assert dict(found) == {"a": 2, "c": 3}


def test_an_entry_can_be_kept_by_moving_it_to_the_end() -> None:
    found: BoundedDict[str, int] = BoundedDict(2)
    found["a"], found["b"] = 1, 2
    found.move_to_end("a")
    found["c"] = 3
    assert [*found] == ["a", "c"]
