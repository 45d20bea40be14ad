"""A tournament that is asked for, made into a contest."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import UsageError
from fairplay.web.tournaments.planning import EntrantRequest, TournamentRequest, check_house_players, plan_contest

FISH = GAMES["fish"]
TWO = (EntrantRequest("random"), EntrantRequest("minimax:depth=2", " deep "))


def planned(*players: EntrantRequest, **more: Any) -> Any:
    return plan_contest(FISH, FISH.quick, TournamentRequest(game="fish", players=players or TWO, **more))


def test_options_that_are_left_out_have_their_defaults_and_names_are_tidied() -> None:
    contest = planned(games=3, seed=7)
    assert contest.entrants == (("random", "random"), ("deep", "minimax:depth=2"))
    assert (contest.format, contest.options["games"], contest.seed) == ("round-robin", 3, 7)


@pytest.mark.parametrize(("format", "deals"), [("round-robin", "paired"), ("knock-out", "fresh")])
def test_it_is_dealt_as_by_the_commands(format: str, deals: str) -> None:
    contest = planned(seed=7, format=format)
    assert (contest.deals, contest.secret, contest.seed_chosen) == (deals, "", False)


def test_a_seed_that_nobody_chose_is_drawn() -> None:
    assert len({planned().seed for _ in range(3)}) == 3


@pytest.mark.parametrize(
    ("players", "more", "reason"),
    [
        ((EntrantRequest("random"),) * 2, {}, "two players are called 'random'"),
        ((EntrantRequest("random"), EntrantRequest("bot.py")), {}, "no strategy 'bot.py'"),
        ((), {"format": "ladder"}, "A ladder does not end by itself"),
        ((), {"format": "ladder", "matches": 5, "rounds": 2}, "rounds"),
        ((), {"games": 100_000, "seed": 1, "size": 9}, "9"),
    ],
)
def test_what_cannot_be_played_is_refused(
    players: tuple[EntrantRequest, ...], more: dict[str, Any], reason: str
) -> None:
    with pytest.raises(UsageError, match=reason):
        planned(*players, **more)


def test_only_house_players_may_play() -> None:
    check_house_players(FISH, ["random", "minimax:depth=1"])
    for spec in ("bot.py", "cmd:sh", "isolated:bot.py"):
        with pytest.raises(UsageError):
            check_house_players(FISH, ["random", spec])
