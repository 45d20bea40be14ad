"""House players by their spec, and the bad ones."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, FaultKind, House, Misbehaved, Seat, UsageError
from fairplay.match.players import MisbehavingPlayer, house_strategy

FISH: AnyGame = GAMES["fish"]


def test_options_reach_the_strategy() -> None:
    state = FISH.rules.start(FISH.variants["standard"], 2, Random(1))
    for spec in ("random", "minimax", "minimax:depth=0", "minimax:depth=3"):
        action = house_strategy(FISH, spec, Random(1))(FISH.rules.view(state, Seat(0)))
        assert FISH.rules.why_illegal(FISH.rules.view(state, Seat(0)), action) is None


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("stockfish", "fish has no strategy 'stockfish'; it has random, greedy, minimax"),
        ("minimax:dept=2", "'dept=2' in 'minimax:dept=2' is not an option of minimax; it has depth="),
        ("minimax:depth", "'depth' in 'minimax:depth' is not an option of minimax"),
        ("random:depth=2", "is not an option of random; it has none"),
        ("minimax:depth=two", "depth in 'minimax:depth=two' must be a whole number, not 'two'"),
        ("minimax:depth=-1", "'minimax:depth=-1': depth must be 0 or more"),
        ("", "fish has no strategy ''"),
    ],
)
def test_a_wrong_spec_is_explained(spec: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        house_strategy(FISH, spec, Random(1))


def test_a_bad_player_is_good_until_its_call() -> None:
    good: Any = House(lambda view: f"action for {view}")
    bad = MisbehavingPlayer(good, FaultKind.GONE, question=1, news=1)
    assert bad.choose(1) == "action for 1"
    assert bad.hear("first") is None
    with pytest.raises(Misbehaved):
        bad.choose(2)
    with pytest.raises(Misbehaved):
        bad.hear("second")
    assert bad.choose(3) == "action for 3"


def test_each_kind_misbehaves_in_its_own_way() -> None:
    good: Any = House(lambda view: "fine")
    assert (
        MisbehavingPlayer(good, FaultKind.ILLEGAL, question=0, illegal=lambda view: "forbidden").choose(1)
        == "forbidden"
    )
    assert type(MisbehavingPlayer(good, FaultKind.MALFORMED, question=0).choose(1)) is object
    with pytest.raises(RuntimeError, match="on purpose"):
        MisbehavingPlayer(good, FaultKind.CRASHED, question=0).choose(1)
    for kind in (FaultKind.TIMED_OUT, FaultKind.GONE, FaultKind.EXCEEDED, FaultKind.ILLEGAL):
        with pytest.raises(Misbehaved) as caught:
            MisbehavingPlayer(good, kind, question=0).choose(1)
        assert caught.value.fault.kind is kind
