"""How a contest is planned: deals fresh or paired, a secret, time to think, and what is said of them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Deals, Entrant
from fairplay.contest.planning import (
    PAIRED_RISK,
    SEED_MARK,
    ContestTerms,
    Draw,
    Machine,
    describe_conditions,
    describe_thinking,
    list_budgets,
    plan,
)
from fairplay.contest.specs import are_house_players
from fairplay.core import AnyGame, UsageError
from fairplay.run.house_players import resolve_player

FISH, NIM = GAMES["fish"], GAMES["nim"]
DRAW = Draw(7, "0123456789abcdef" * 2)
MACHINE = Machine(resolve_player, lambda game, contest: None)
HOUSE = ("greedy", "minimax:depth=3")


def contest(*specs: str, game: str = "fish", format: str = "round-robin", **terms: Any) -> Contest:
    """A contest as it is planned, on a machine that seats everyone."""
    entrants = [Entrant(f"player {number}", spec) for number, spec in enumerate(specs)]
    chosen = GAMES[game]
    setup = chosen.quick or next(iter(chosen.variants.values()))
    return plan(chosen, setup, entrants, ContestTerms(format, **terms), DRAW, MACHINE)


def describe_deals(contest: Contest) -> list[str]:
    """As the commands call it."""
    return describe_conditions(contest, all_house=are_house_players(contest.entrants))


@pytest.mark.parametrize(
    ("specs", "format", "deals"),
    [
        (HOUSE, "round-robin", "paired"),
        (HOUSE, "ladder", "paired"),
        (HOUSE, "knock-out", "fresh"),
        (("greedy", "bot.py"), "round-robin", "fresh"),
        (("greedy", "bot.py:choose"), "swiss", "fresh"),
        (("greedy", "isolated:bot.py"), "gauntlet", "fresh"),
        (("greedy", "cmd:./bot"), "ladder", "fresh"),
        (("greedy", "connection:native"), "round-robin", "fresh"),
    ],
)
def test_every_match_has_a_deal_of_its_own_where_anyone_could_remember_one(
    specs: tuple[str, ...], format: str, deals: Deals
) -> None:
    made = contest(*specs, format=format)
    assert made.deals == deals
    assert bool(made.secret) == (specs != HOUSE)
    assert describe_deals(made) == []


def test_kinds_that_upper_layers_add_are_not_of_the_house() -> None:
    assert contest("greedy", "model:large").deals == "fresh"


def test_those_who_will_sign_up_are_not_of_the_house() -> None:
    made = contest(*HOUSE, seed=5, signs_up=True)
    assert (made.deals, made.seed_chosen, len(made.secret)) == ("fresh", True, 32)


def test_paired_deals_can_be_asked_for_and_their_risk_is_told() -> None:
    made = contest("greedy", "bot.py", paired_deals=True)
    assert made.deals == "paired"
    assert describe_deals(made) == [PAIRED_RISK]
    with pytest.raises(UsageError, match="--paired-deals: the format knock-out does not rotate the seats"):
        contest("greedy", "bot.py", format="knock-out", paired_deals=True)


def test_the_risk_of_an_older_contest_with_a_bot_is_told() -> None:
    assert describe_deals(replace(contest("greedy", "bot.py"), deals="paired")) == [PAIRED_RISK]
    assert describe_deals(contest(*HOUSE)) == []


def test_a_chosen_seed_is_marked_if_anyone_could_guess_it() -> None:
    made = contest("greedy", "bot.py", seed=5)
    assert (made.seed, made.seed_chosen) == (5, True)
    assert describe_deals(made) == [SEED_MARK]
    assert contest(*HOUSE, seed=7) == contest(*HOUSE)
    with pytest.raises(UsageError, match="--seed: expected a whole number of at most 64 bits"):
        contest(*HOUSE, seed=2**63)


def test_a_secret_is_as_it_was_drawn_or_given() -> None:
    assert contest("greedy", "bot.py").secret == DRAW.secret
    assert contest("greedy", "bot.py", secret="ab" * 16).secret == "ab" * 16
    for wrong in ("", "ab", "AB" * 16, "gg" * 16):
        with pytest.raises(UsageError, match="--secret: expected 32 digits"):
            contest("greedy", "bot.py", secret=wrong)
    with pytest.raises(UsageError, match="--secret: the chance of house players follows from the seed alone"):
        contest(*HOUSE, secret="ab" * 16)


def test_what_the_machine_cannot_seat_is_refused_under_its_name() -> None:
    def refuse(game: AnyGame, contest: Contest) -> None:
        raise UsageError(f"nobody seats {contest.names}")

    with pytest.raises(UsageError, match="nobody seats"):
        plan(FISH, FISH.quick, [Entrant("a", "greedy")], ContestTerms("series"), DRAW, MACHINE._replace(check=refuse))
    with pytest.raises(UsageError, match="two players are called 'a'"):
        plan(FISH, FISH.quick, [Entrant("a", "greedy")] * 2, ContestTerms("series"), DRAW, MACHINE)


def think(*specs: str, seconds: float = 0.1, **more: Any) -> list[str]:
    return [spec for _, spec in contest(*specs, game="nim", think=seconds, **more).entrants]


def test_a_time_to_think_goes_to_all_who_can_think_by_time() -> None:
    assert think("search", "easy", "isolated:search", "random", "bot.py", "search:seconds=0.02") == [
        "search:seconds=0.1",
        "search:playouts=1,slip=0.3,seconds=0.1",
        "isolated:search:seconds=0.1",
        "random",
        "bot.py",
        "search:seconds=0.02",
    ]


def test_a_time_to_think_that_nobody_can_use_is_refused() -> None:
    with pytest.raises(UsageError, match="--think: none of the players thinks by time; those of nim that do: search"):
        think("random", "bot.py")
    with pytest.raises(UsageError, match="--think: 2 s is more than the 1 s that an answer may take"):
        think("search", "random", seconds=2.0)
    assert think("search", "random", seconds=2.0, patience=2.0) == ["search:seconds=2", "random"]
    with pytest.raises(UsageError, match=r"^think: none of the players thinks by time"):
        contest("greedy", "greedy", think=0.1, mark="")


def test_who_thinks_by_time_is_told() -> None:
    entrants = [Entrant("a", "search:seconds=0.1"), Entrant("b", "search"), Entrant("c", "isolated:search:seconds=2")]
    assert list_budgets(NIM, entrants) == {"a": 0.1, "c": 2.0}
    assert describe_thinking(NIM, entrants) == [
        "a thinks 100 ms a move: not reproducible.",
        "c thinks 2 s a move: not reproducible.",
    ]
    assert list_budgets(NIM, [Entrant("old", "search:gone=1"), Entrant("bot", "bot.py")]) == {}
