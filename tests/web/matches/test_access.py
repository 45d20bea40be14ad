"""Who may see what of a match."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.web.http.endpoints import RequestError
from fairplay.web.matches.access import MatchAccess
from fairplay.web.watching.timeline import Timeline
from kit import Table, walk

FISH = GAMES["fish"]
TIMELINE = Timeline(FISH, ("ann", "bob"), walk("fish", Table(FISH.quick, 2), 1, 0).states[0])
PEOPLE: Any = SimpleNamespace(definition=SimpleNamespace(has_people=True), moment=TIMELINE.moment)
HOUSE: Any = SimpleNamespace(definition=SimpleNamespace(has_people=False))


def access(live: Any = PEOPLE, *, me: Seat | None = None, owner: bool = False, contested: bool = False) -> MatchAccess:
    return MatchAccess(TIMELINE, live, me, owner, contested)


@pytest.mark.parametrize(
    ("visitor", "names"),
    [
        (access(), ["public"]),
        (access(me=Seat(0)), ["public", "0"]),
        (access(me=Seat(1)), ["public", "1"]),
        (access(owner=True), ["public"]),
        (access(HOUSE), ["public"]),
        (access(HOUSE, owner=True), ["public", "0", "1", "all"]),
        (access(owner=True, me=Seat(1)), ["public", "1"]),
        (access(None), ["public", "0", "1", "all"]),
        (access(None, contested=True), ["public"]),
        (access(None, contested=True, owner=True), ["public", "0", "1", "all"]),
    ],
)
def test_while_people_play_not_even_the_owner_sees_what_is_hidden(visitor: MatchAccess, names: list[str]) -> None:
    for name in ("public", "0", "1", "all"):
        if name in names:
            assert visitor.may_view_as(visitor.choose_viewer(name))
        else:
            with pytest.raises(RequestError, match="only what your own seat may know") as refused:
                visitor.choose_viewer(name)
            assert refused.value.status == 403


def test_by_default_a_player_looks_from_the_seat_and_others_as_the_public() -> None:
    assert access(me=Seat(1)).choose_viewer(None) == 1
    assert access(owner=True).choose_viewer(None) is None
    assert access(None).choose_viewer(None) == "all", "once it is over, there are no secrets"
    assert access(None, contested=True).choose_viewer(None) is None


def test_a_viewer_or_a_moment_that_there_is_not_is_refused() -> None:
    with pytest.raises(RequestError, match="Expected public, all or a seat from 0 to 1"):
        access().choose_viewer("2")
    for number in (-1, 1):
        with pytest.raises(RequestError, match="the last one is 0"):
            access().moment(number, None)
    assert access().moment(0, None).number == 0
