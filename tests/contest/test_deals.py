"""Deals fresh or paired, a secret, and what is said of them: fixed when a contest is made."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.contest.contest import Contest, Deals, Entrant
from fairplay.contest.deals import PAIRED_RISK, SEED_MARK
from fairplay.contest.deals import choose_deals as settle
from fairplay.contest.deals import describe_conditions as describe
from fairplay.contest.specs import are_house_players
from fairplay.core import UsageError


def choose_deals(contest: Contest, *, sign_up: bool = False, **choices: Any) -> Contest:
    """As the commands call it."""
    return settle(contest, all_house=are_house_players(contest.entrants) and not sign_up, **choices)


def describe_deals(contest: Contest) -> list[str]:
    """As the commands call it."""
    return describe(contest, all_house=are_house_players(contest.entrants))


HOUSE = ("greedy", "minimax:depth=3")


def contest(*specs: str, format: str = "round-robin") -> Contest:
    players = tuple(Entrant(f"player {number}", spec) for number, spec in enumerate(specs))
    return Contest("fish", players, format, {}, msgspec.Raw(b"{}"), 7, 3.0)


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
    made = choose_deals(contest(*specs, format=format), seed_chosen=False)
    assert made.deals == deals
    assert bool(made.secret) == (specs != HOUSE)
    assert describe_deals(made) == []


def test_kinds_that_upper_layers_add_are_not_of_the_house() -> None:
    assert choose_deals(contest("greedy", "model:large"), seed_chosen=False).deals == "fresh"


def test_those_who_will_sign_up_are_not_of_the_house() -> None:
    made = choose_deals(contest(*HOUSE), seed_chosen=True, sign_up=True)
    assert (made.deals, made.seed_chosen, len(made.secret)) == ("fresh", True, 32)


def test_paired_deals_can_be_asked_for_and_their_risk_is_told() -> None:
    made = choose_deals(contest("greedy", "bot.py"), seed_chosen=False, paired=True)
    assert made.deals == "paired"
    assert describe_deals(made) == [PAIRED_RISK]
    with pytest.raises(UsageError, match="--paired-deals: the format knock-out does not rotate the seats"):
        choose_deals(contest("greedy", "bot.py", format="knock-out"), seed_chosen=False, paired=True)


def test_the_risk_of_an_older_contest_with_a_bot_is_told() -> None:
    assert describe_deals(contest("greedy", "bot.py")) == [PAIRED_RISK]
    assert describe_deals(contest(*HOUSE)) == []


def test_a_chosen_seed_is_marked_where_anyone_could_guess_it() -> None:
    made = choose_deals(contest("greedy", "bot.py"), seed_chosen=True)
    assert made.seed_chosen
    assert describe_deals(made) == [SEED_MARK]
    house = choose_deals(contest(*HOUSE), seed_chosen=True)
    assert house == replace(contest(*HOUSE), deals="paired", matched=True)


def test_a_secret_is_drawn_anew_or_as_it_was_given() -> None:
    bots = contest("greedy", "bot.py")
    drawn = {choose_deals(bots, seed_chosen=True).secret for _ in range(3)}
    assert len(drawn) == 3
    assert choose_deals(bots, seed_chosen=True, secret="ab" * 16).secret == "ab" * 16
    for wrong in ("", "ab", "AB" * 16, "gg" * 16):
        with pytest.raises(UsageError, match="--secret: expected 32 digits"):
            choose_deals(bots, seed_chosen=True, secret=wrong)
