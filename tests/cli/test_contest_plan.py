"""Contests out of words and TOML files."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairplay.cli.contest_plan import (
    ContestPlan,
    PlannedPlayer,
    build_contest,
    parse_options,
    parse_player,
    parse_stop,
    read_plan,
    settle_isolation,
    settle_trust,
)
from fairplay.cli.options import IsolationOptions
from fairplay.contest.contest import Entrant, Hidden, Stop
from fairplay.core import UsageError


@pytest.mark.parametrize(
    ("word", "spec", "name"),
    [
        ("greedy", "greedy", ""),
        ("mine=my_bot.py", "my_bot.py", "mine"),
        ("minimax:depth=3", "minimax:depth=3", ""),
        ("deep=minimax:depth=3", "minimax:depth=3", "deep"),
        ("cmd:./bot --x=1", "cmd:./bot --x=1", ""),
        ("=greedy", "=greedy", ""),
    ],
)
def test_a_player_may_have_a_name(word: str, spec: str, name: str) -> None:
    assert parse_player(word) == PlannedPlayer(spec, name)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (None, Stop(7)),
        ("a > b", Stop(7, "a", "b", 0.0, 0.1, 0.2, 0.3)),
        (" a b > c by -0.05 ", Stop(7, "a b", "c", -0.05, 0.1, 0.2, 0.3)),
        ("a > all", Stop(7, "a", "", 0.0, 0.1, 0.2, 0.3)),
    ],
)
def test_when_to_stop(words: str | None, expected: Stop) -> None:
    assert parse_stop(words, 7, 0.1, 0.2, 0.3) == expected


def test_files_alone_are_trusted() -> None:
    specs = ["greedy", "my_bot.py", "my_bot.py:name", "cmd:./bot.py"]
    assert [settle_trust(spec, trust=False) for spec in specs] == specs
    assert [settle_trust(spec, trust=True) for spec in specs] == [
        "greedy",
        "trusted:my_bot.py",
        "trusted:my_bot.py:name",
        "cmd:./bot.py",
    ]


def test_nobody_is_trusted_because_a_file_says_so() -> None:
    plan = ContestPlan("fish", ("greedy", "trusted:my_bot.py"))
    with pytest.raises(UsageError, match="with --trust"):
        settle_isolation(plan, IsolationOptions(trust=False, require=""))
    settled = settle_isolation(plan, IsolationOptions(trust=True, require="sandboxed"))
    assert [player.player for player in settled.players if isinstance(player, PlannedPlayer)] == [*plan.players]
    assert settled.require == "sandboxed"


def test_options_are_pairs() -> None:
    assert parse_options(["rounds=5", "size="]) == {"rounds": "5", "size": ""}
    with pytest.raises(UsageError, match="--option rounds: expected NAME=VALUE"):
        parse_options(["rounds"])


def test_bot_files_are_looked_for_beside_the_file_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "contest.toml").write_text('game = "fish"\nplayers = ["greedy", "bot.py:f", {player = "/x/bot.py"}]\n')
    assert read_plan(tmp_path / "contest.toml").players == (
        PlannedPlayer("greedy"),
        PlannedPlayer(f"{tmp_path / 'bot.py'}:f", "bot.py:f"),
        PlannedPlayer("/x/bot.py"),
    )


def test_a_plan_becomes_a_contest() -> None:
    plan = ContestPlan(game="trains", players=("buy-now", PlannedPlayer("planner", "p")), map="small", seed=3)
    game, contest = build_contest(plan, Hidden())
    assert (game.name, contest.seed, contest.patience) == ("trains", 3, game.patience)
    assert contest.entrants == (Entrant("buy-now", "buy-now"), Entrant("p", "planner"))


def test_more_players_may_come() -> None:
    alone = ContestPlan(game="fish", players=("greedy",))
    assert build_contest(alone, Hidden(), signs_up=True)[1].names == ("greedy",)
    with pytest.raises(UsageError, match="a match needs at least 2 players"):
        build_contest(alone, Hidden())


def test_patience_in_a_file_is_checked_too() -> None:
    with pytest.raises(UsageError, match="--patience: expected more than 0 seconds"):
        build_contest(ContestPlan(game="fish", players=("greedy", "random"), patience=0), Hidden())


def test_levels_are_players_and_the_word_stands_for_all_of_them() -> None:
    _, contest = build_contest(ContestPlan(game="nim", players=("levels", PlannedPlayer("level-2", "mine"))), Hidden())
    assert contest.names == ("beginner", "easy", "medium", "hard", "master", "mine")
    assert contest.entrants[1].spec == contest.entrants[5].spec == "search:playouts=1,slip=0.3"
    with pytest.raises(UsageError, match="two players are called 'easy'"):
        build_contest(ContestPlan(game="nim", players=("levels", "easy")), Hidden())


def test_a_time_to_think_may_have_a_unit_in_a_file() -> None:
    for think in ("100ms", 0.1, "0.1"):
        _, contest = build_contest(ContestPlan(game="nim", players=("search", "random"), think=think), Hidden())
        assert contest.entrants[0] == Entrant("search", "search:seconds=0.1")
    with pytest.raises(UsageError, match="--think: expected a time"):
        build_contest(ContestPlan(game="nim", players=("search", "random"), think="long"), Hidden())
