"""House players by level and with a time to think, and what they need to play."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, UsageError
from fairplay.core.game import Rung
from fairplay.run import house_players
from fairplay.run.house_players import explain_missing, list_playable, parse_seconds, resolve_player

NIM = GAMES["nim"]
SETUP = NIM.variants["standard"]
MEASURED = (
    Rung(1, "random", "Beginner", interpreted=0.1),
    Rung(2, "search:playouts=10", "Easy", interpreted=900.0),
    Rung(3, "search:playouts=64", "Hard", interpreted=5760.0),
)


def with_ladder(**variants: tuple[Rung, ...]) -> AnyGame:
    return replace(NIM, players=replace(NIM.players, ladder=variants))


@pytest.mark.parametrize(
    ("named", "spec"),
    [
        ("easy", "search:playouts=1,slip=0.3"),
        ("EASY", "search:playouts=1,slip=0.3"),
        ("level-2", "search:playouts=1,slip=0.3"),
        ("isolated:Level-5", "isolated:perfect"),
        ("search:playouts=3", "search:playouts=3"),
        ("my_bot.py", "my_bot.py"),
        ("cmd:./easy", "cmd:./easy"),
        ("human", "human"),
        ("nobody", "nobody"),
    ],
)
def test_a_level_is_the_strategy_that_stands_for_it(named: str, spec: str) -> None:
    assert resolve_player(NIM, SETUP, named) == spec


def test_levels_are_those_of_the_variant_whatever_the_board() -> None:
    game = with_ladder(standard=(Rung(1, "random"),), other=(Rung(1, "perfect"),))
    other = msgspec.structs.replace(SETUP, variant="other", heaps=5)
    assert [resolve_player(game, setup, "level-1") for setup in (SETUP, other)] == ["random", "perfect"]


def test_an_unknown_level_lists_the_levels() -> None:
    with pytest.raises(UsageError, match=r"has no level 'level-9' .*; it has level-1 \(beginner\), level-2 \(easy\), "):
        resolve_player(NIM, SETUP, "level-9")
    with pytest.raises(UsageError, match="nim has no levels for this variant; its house players are random, perfect,"):
        resolve_player(with_ladder(), SETUP, "easy")


def test_a_strategy_may_be_called_like_a_level() -> None:
    strategies = {**NIM.players.strategies, "easy": NIM.players.strategies["random"]}
    game = replace(NIM, players=replace(NIM.players, strategies=strategies))
    assert resolve_player(game, SETUP, "easy") == "easy"


@pytest.mark.parametrize(("words", "seconds"), [("100ms", 0.1), ("2s", 2.0), ("0.5", 0.5), ("1.5 s", 1.5), ("1", 1.0)])
def test_a_time_has_a_unit_or_is_in_seconds(words: str, seconds: float) -> None:
    assert parse_seconds(words) == seconds


@pytest.mark.parametrize("words", ["", "0", "0ms", "-1", "ms", "1m", "nan", "1e3", "3601", "1,5", "9" * 400])
def test_what_is_no_time_to_think_is_refused(words: str) -> None:
    with pytest.raises(UsageError, match=r"such as 100ms, 2s or 0\.5"):
        parse_seconds(words)


def test_without_numba_what_takes_over_a_second_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_ladder(standard=MEASURED)
    assert [explain_missing(game, MEASURED, rung.spec) for rung in MEASURED] == ["", "", ""]
    monkeypatch.setattr(house_players, "has_compiler", lambda: False)
    for spec in ("hard", "level-3", "search", "search:playouts=100", "isolated:search"):
        with pytest.raises(UsageError, match=r"needs numba: pip install numba$"):
            resolve_player(game, SETUP, spec)
    for spec in ("easy", "search:playouts=63", "search:seconds=0.1", "perfect"):
        resolve_player(game, SETUP, spec)


def test_levels_that_cannot_be_played_are_left_out_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_ladder(standard=(*MEASURED, Rung(4, "search", interpreted=9000.0)))
    assert list_playable(game, SETUP) == (["beginner", "easy", "hard", "level-4"], "")
    monkeypatch.setattr(house_players, "has_compiler", lambda: False)
    assert list_playable(game, SETUP) == (["beginner", "easy"], "hard, level-4 need numba: pip install numba")
    with pytest.raises(UsageError, match="nim has no levels for this variant"):
        list_playable(with_ladder(), SETUP)


def test_without_numpy_nobody_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_players, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="search:playouts=1 needs numpy and numba: pip install numpy numba"):
        resolve_player(NIM, SETUP, "search:playouts=1")
    assert resolve_player(NIM, SETUP, "perfect") == "perfect"
