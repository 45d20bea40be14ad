"""House players say again what they thought."""

from __future__ import annotations

from msgspec import structs

from fairplay.catalog import GAMES
from fairplay.match.record import HousePlayer
from fairplay.match.review.explanation import explain_record, seat_house
from toy_thinker import TOYS, play_toys

FISH = TOYS["fish"]


def test_what_a_house_player_thought_before_each_of_its_turns() -> None:
    record = play_toys(FISH, "search", "random")
    players = seat_house(FISH, record)
    assert set(players) == {0}
    explanations = list(explain_record(FISH, record, players))
    assert explanations[0].number == 1 and {each.seat for each in explanations} == {0}
    assert all(each.same and not each.slipped for each in explanations)


def test_a_player_that_slips_thinks_what_it_thought_with_the_same_chance() -> None:
    """Whatever else it draws from its generator."""
    nim = GAMES["nim"]
    records = [play_toys(nim, "search:playouts=3,slip=0.5", "search:playouts=3", seed=seed) for seed in range(8)]
    explanations = [each for record in records for each in explain_record(nim, record, seat_house(nim, record))]
    assert all(each.same for each in explanations)
    assert {each.seat for each in explanations if each.slipped} == {0}


def test_a_player_that_would_not_do_it_again() -> None:
    record = play_toys(FISH, "search", "random", spoil=lambda view: FISH.rules.legal_actions(view)[-1])
    explanations = list(explain_record(FISH, record, seat_house(FISH, record)))
    assert not explanations[0].same and not explanations[0].slipped


def test_players_of_another_version_or_with_unknown_options_are_not_asked() -> None:
    record = play_toys(FISH, "search", "search")
    other = (HousePlayer("search", 9, 1), HousePlayer("search", 1, 1, {"depth": 3}))
    header = structs.replace(record.header, house=other)
    assert seat_house(FISH, structs.replace(record, header=header)) == {}


def test_players_that_think_by_time_need_a_clock() -> None:
    record = play_toys(FISH, "search", "random")
    timed = (HousePlayer("search", 1, 1, {"seconds": 0.1}, 0.1), None)
    record = structs.replace(record, header=structs.replace(record.header, house=timed))
    assert seat_house(FISH, record) == {}
    assert set(seat_house(FISH, record, clock=lambda: 0.0)) == {0}


def test_a_player_that_thought_by_time_is_not_said_to_have_slipped() -> None:
    record = play_toys(FISH, "search", "random", spoil=lambda view: FISH.rules.legal_actions(view)[-1])
    timed = (HousePlayer("search", 1, 1, {"seconds": 0.1}, 0.1), None)
    record = structs.replace(record, header=structs.replace(record.header, house=timed))
    explanations = list(explain_record(FISH, record, seat_house(FISH, record, clock=lambda: 0.0)))
    assert not any(each.slipped for each in explanations) and not explanations[0].same
