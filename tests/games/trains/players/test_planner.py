"""The planner: what it picks, buys and leaves, and that it wins."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairplay.core import House, Seat
from fairplay.core.chance import derived
from fairplay.games.trains import GAME, rules
from fairplay.games.trains.map import Map, build_network
from fairplay.games.trains.players.planner import best_pick, best_plan, best_turn, planner
from fairplay.games.trains.players.strategies import STRATEGIES
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Setup, View
from fairplay.match.replay import start_match
from fairplay.run.inline import play_inline
from games.trains.sheets import atlas_map, line, played

CHAIN = atlas_map("A-B red 3,B-C red 3,C-D blue 3,A-D white 5,D-E green 4,E-F green 5,A-F blue 5")
A, B = Seat(0), Seat(1)


def view(
    map: Map, *wants: str, cards: tuple[int, int, int, int] = (0, 0, 0, 0), rails: int = 45, rival: str = ""
) -> View:
    """Seat 0 on turn with these destinations such as ``AD``; the rival owns what is listed."""
    found = rules.view(played(Setup(map=map, kept=1, offered=2), 2), A)
    taken = sum(build_network(map).bit(one) for one in atlas_map(rival).connections) if rival else 0
    spent = sum(one.length for one in atlas_map(rival).connections) if rival else 0
    pairs = tuple((want[0], want[1]) for want in wants)
    return replace(
        found, destinations=pairs, cards=cards, hand_sizes=(sum(cards), 4), rails=(rails, 45 - spent), owned=(0, taken)
    )


def mask(map: Map, words: str) -> int:
    return sum(build_network(map).bit(one) for one in atlas_map(words).connections)


def test_it_plans_the_cheapest_route() -> None:
    assert best_plan(view(CHAIN, "AC")).routes == mask(CHAIN, "A-B red 3,B-C red 3")
    assert best_plan(view(CHAIN, "AD")).routes == mask(CHAIN, "A-D white 5")


def test_cards_in_hand_make_a_route_cheaper() -> None:
    found = best_plan(view(CHAIN, "AD", cards=(6, 3, 0, 0))).routes
    assert found == mask(CHAIN, "A-D white 5")  # one turn with five cards missing beats three with none
    assert best_plan(view(CHAIN, "AE", cards=(0, 5, 5, 0))).routes == mask(CHAIN, "A-F blue 5,E-F green 5")


def test_routes_share_what_they_can() -> None:
    found = best_plan(view(CHAIN, "AC", "AB"))
    assert found.routes == mask(CHAIN, "A-B red 3,B-C red 3")


def test_what_others_own_is_closed() -> None:
    assert best_plan(view(CHAIN, "AC", rival="A-B red 3")).routes == mask(CHAIN, "C-D blue 3,A-D white 5")
    blocked = best_plan(view(CHAIN, "AC", rival="A-B red 3,C-D blue 3,B-C red 3"))
    assert blocked.routes == 0


def test_what_rails_do_not_reach_is_given_up_for_what_they_do() -> None:
    assert best_plan(view(CHAIN, "AE", "AB", rails=5)).routes == mask(CHAIN, "A-B red 3")
    assert best_plan(view(CHAIN, "AE", rails=5)).routes == 0


def test_a_destination_that_is_joined_needs_no_route() -> None:
    have = replace(view(CHAIN, "AB", "AC"), owned=(mask(CHAIN, "A-B red 3"), 0))
    assert best_plan(have).routes == mask(CHAIN, "B-C red 3")


def test_it_picks_what_is_cheap_to_join_together() -> None:
    state = rules.start(
        Setup(
            map=CHAIN, destinations=(("A", "E"), ("A", "B"), ("C", "F"), ("A", "C"), ("B", "E"), ("B", "F"), ("D", "F"))
        ),
        2,
        derived(0),
    )
    assert best_pick(rules.view(state, A)).keep == (("A", "B"), ("A", "C"))


def test_of_a_huge_offer_it_still_picks() -> None:
    state = rules.start(Setup(map="vast", offered=40, kept=10), 2, derived(0))
    found = rules.view(state, A)
    assert rules.why_illegal(found, best_pick(found)) is None


def test_it_buys_its_route_before_anything_else() -> None:
    found = view(CHAIN, "AC", cards=(3, 0, 5, 0))
    assert best_turn(found) in (Acquire(line("A-B red 3")), Acquire(line("B-C red 3")))


def test_it_draws_rather_than_spend_what_its_route_needs() -> None:
    assert best_turn(view(CHAIN, "AD", cards=(0, 3, 0, 4))) == DRAW  # C-D blue could be had


def test_it_draws_when_nothing_can_be_had() -> None:
    assert best_turn(view(CHAIN, "AD")) == DRAW


def test_with_a_full_hand_it_spends_what_its_route_does_not_need() -> None:
    found = view(CHAIN, "AD", cards=(0, 0, 10, 3))
    assert isinstance(best_turn(found), Acquire)
    assert best_turn(replace(found, cards=(2, 0, 5, 3))) == DRAW


def test_once_its_destinations_are_joined_it_makes_its_path_longer() -> None:
    found = replace(view(CHAIN, "AB", cards=(0, 3, 5, 0)), owned=(mask(CHAIN, "A-B red 3,B-C red 3"), 0))
    assert best_turn(found) == Acquire(line("C-D blue 3"))


def test_in_the_last_round_it_takes_what_counts_most() -> None:
    """A rival with two rails left: joining a destination now is worth more than a longer connection."""
    found = view(CHAIN, "AB", cards=(3, 0, 5, 0))
    closing = replace(found, rails=(45, 2))
    assert best_turn(closing) == Acquire(line("A-B red 3"))
    assert best_turn(replace(closing, destinations=(("A", "D"),))) == Acquire(line("E-F green 5"))


def test_in_the_last_round_it_takes_over_the_longest_path_if_it_can() -> None:
    """The rival's path is 6 long: 3 more beside my 3 are worth more than 5 elsewhere."""
    map = atlas_map("A-B red 3,B-C red 3,D-E green 5,A-D white 3,F-G blue 3,G-H blue 3")
    found = replace(view(map, "AH", cards=(3, 0, 5, 0), rival="F-G blue 3,G-H blue 3"), rails=(42, 2))
    mine = replace(found, owned=(mask(map, "A-B red 3"), found.owned[1]))
    assert best_turn(mine) == Acquire(line("B-C red 3"))
    assert best_turn(replace(mine, owned=(0, found.owned[1]))) == Acquire(line("D-E green 5"))


def test_with_an_empty_deck_it_takes_what_it_can() -> None:
    found = replace(view(CHAIN, "AD", cards=(0, 3, 0, 4)), left=0)
    assert best_turn(found) == Acquire(line("C-D blue 3"))


def test_hopeless_routes_do_not_hold_it_up() -> None:
    long = atlas_map("A-B red 5,B-C red 5,C-D red 5,D-E red 5,E-F red 5,A-G blue 3,A-H blue 3")
    found = replace(view(long, "AF", cards=(0, 3, 0, 0)), rails=(45, 7))
    assert best_turn(found) in (Acquire(line("A-G blue 3")), Acquire(line("A-H blue 3")))


@pytest.mark.parametrize("rival", ["hold-10", "buy-now"])
@pytest.mark.parametrize("map", ["small", "continent", "coast"])
def test_it_wins_most_games_against_the_house_players_of_the_rule_book(map: str, rival: str) -> None:
    """Twelve deals with both seatings; bench/trains_strength.py measures the rate over thousands."""
    won = 0
    for seed in range(12):
        for mine in (0, 1):
            players = [House(planner(derived(seed))), House(STRATEGIES[rival](derived(seed)))]
            outcome = play_inline(start_match(GAME, Setup(map=map), seed, 2), players[:: 1 if mine == 0 else -1])
            assert outcome.faults == (None, None)
            won += outcome.winners == (mine,)
    assert won >= 15  # of 24
