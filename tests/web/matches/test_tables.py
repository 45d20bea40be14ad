"""Tables: who sits where, and what is kept of it."""

from __future__ import annotations

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core import UsageError
from fairplay.net.strangers import hash_secret
from fairplay.web.games import default_player, describe_levels
from fairplay.web.matches.tables import (
    SeatRequest,
    TableDefinition,
    TableRequest,
    TableSeat,
    build_table,
    key_matches,
    new_id,
    new_key,
    rename_seat,
)

FISH = GAMES["fish"]


def built(*seats: SeatRequest, **more: object) -> tuple[TableDefinition, tuple[str, ...]]:
    return build_table(FISH, FISH.quick, TableRequest(game="fish", seats=seats, **more))  # type: ignore[arg-type]  # the test gives fields by name


def test_every_friend_has_an_invitation_of_which_only_a_hash_is_kept() -> None:
    definition, keys = built(SeatRequest("me", name=" ann "), SeatRequest("friend"), SeatRequest("house", "random"))
    assert definition.seats == (
        TableSeat("ann", "greedy", person=True),
        TableSeat("guest 2", "greedy", person=True, invitation=hash_secret(keys[1])),
        TableSeat("random", "random"),
    )
    assert keys[0] == keys[2] == "" and not any(key in msgspec.json.encode(definition).decode() for key in keys if key)


def test_the_form_in_the_store_is_that_of_earlier_versions() -> None:
    definition, _ = built(SeatRequest("house"), SeatRequest("house"), seed=7, clock=30, pace=0.3)
    stored = msgspec.json.encode(definition)
    assert [*msgspec.json.decode(stored)] == ["setup", "seed", "chairs", "clock", "pace"]
    assert [*msgspec.json.decode(stored)["chairs"][0]] == ["name", "player"], "what may be left out is"
    assert msgspec.json.decode(stored, type=TableDefinition) == definition
    earlier = (
        b'{"setup":{},"seed":1,"chairs":[{"name":"ann","player":"greedy","person":true,"account":"k","invitation":""}]'
    )
    read = msgspec.json.decode(earlier + b',"clock":30,"pace":1}', type=TableDefinition)
    assert read.seats == (TableSeat("ann", "greedy", person=True, account="k"),) and not read.next


def test_a_level_sits_under_the_name_of_its_character_as_the_strategy_that_stands_for_it() -> None:
    nim = GAMES["nim"]
    wanted = TableRequest(game="nim", seats=(SeatRequest("house", "easy"), SeatRequest("me", "level-5")))
    definition, _ = build_table(nim, nim.variants["standard"], wanted)
    assert definition.seats[0] == TableSeat("Clover", "search:playouts=1,slip=0.3")
    assert definition.seats[1].player == "perfect"
    for refused in ("level-9", "isolated:easy", "search:playouts=9"):
        seats = (SeatRequest("house", refused),) * 2
        with pytest.raises(UsageError, match=r"nim has no (level|house player) "):
            build_table(nim, nim.variants["standard"], TableRequest(game="nim", seats=seats))


@pytest.mark.parametrize(
    ("seats", "reason"),
    [
        ((SeatRequest("house"),), "fish is for 2 to 4 players, not 1"),
        ((SeatRequest("house", "nobody"),) * 2, "fish has no house player 'nobody'; it has random, greedy"),
        ((SeatRequest("house", "minimax:depth=9"),) * 2, "fish has no house player"),
    ],
)
def test_a_table_that_cannot_be_played_at_is_refused(seats: tuple[SeatRequest, ...], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        built(*seats)


def test_a_seed_that_nobody_chose_is_drawn() -> None:
    seeds = {built(SeatRequest("house"), SeatRequest("house"))[0].seed for _ in range(5)}
    assert len(seeds) == 5
    assert built(SeatRequest("house"), SeatRequest("house"), seed=7)[0].seed == 7


def test_keys_match_their_own_hash_alone() -> None:
    key = new_key()
    assert key_matches(key, hash_secret(key))
    assert not key_matches(new_key(), hash_secret(key)) and not key_matches("", "") and not key_matches(key, "")
    assert len(new_id()) == 10 and new_id() != new_id()


def test_the_default_player_is_not_the_random_one() -> None:
    assert default_player(FISH) == "greedy"


@pytest.mark.parametrize("name", ["an\u200bn", "\u202egnorw", "\x1b[2J", "\u0430nn", "a\nb"])
def test_names_that_could_deceive_are_refused(name: str) -> None:
    for who in ("me", "house"):
        seats = (SeatRequest(who, name=name), SeatRequest("house"))
        with pytest.raises(UsageError, match="a name"):
            build_table(FISH, FISH.quick, TableRequest(game="fish", seats=seats))


@pytest.mark.parametrize("other", ["ann", "ANN", " Ann ", "\uff41nn"])
def test_names_of_people_differ(other: str) -> None:
    with pytest.raises(UsageError, match="two players at this table are called 'ann'"):
        built(SeatRequest("me", name="ann"), SeatRequest("friend", name=other))


@pytest.mark.parametrize(("name", "taken"), [("ɑnn", "ann"), ("AIan", "Alan"), ("сосо", "coco")])
def test_a_person_who_looks_like_another_is_refused(name: str, taken: str) -> None:
    with pytest.raises(UsageError, match=f"'{taken}' looks like '{name}' at this table"):
        built(SeatRequest("me", name=taken), SeatRequest("friend", name=name))
    with pytest.raises(UsageError, match=f"'{name}' looks like '{taken}' at this table"):
        built(SeatRequest("me", name=name), SeatRequest("house", name=taken))


def test_house_players_make_way_for_people_and_are_numbered() -> None:
    seats = (SeatRequest("house", "easy"), SeatRequest("me", name="clover"), SeatRequest("house", "easy"))
    assert built(*seats)[0].names == ("Clover 2", "clover", "Clover 3")
    named = (SeatRequest("me", name="ann"), SeatRequest("house", name="Ann"))
    assert built(*named)[0].names == ("ann", "Ann 2")
    numbered = (SeatRequest("me", name="Greedy 2"), SeatRequest("house"), SeatRequest("house"))
    assert built(*numbered)[0].names == ("Greedy 2", "greedy", "greedy 3")
    chosen = (SeatRequest("house"), SeatRequest("house", name="greedy 2"), SeatRequest("house"))
    assert built(*chosen)[0].names == ("greedy", "greedy 2", "greedy 3")


def test_a_level_without_a_character_is_called_by_its_number_and_a_strategy_by_its_name() -> None:
    untitled = next(level for level in describe_levels(FISH, FISH.quick) if not level.character)
    seats = (SeatRequest("house", untitled.name), SeatRequest("house", "greedy"))
    assert built(*seats)[0].names == (f"Level {untitled.level}", "greedy")


@pytest.mark.parametrize("name", ["You", " you", "ＹＯＵ"])
def test_nobody_is_called_you(name: str) -> None:
    """Of a player of that name, everyone would read what they had done themselves."""
    for who in ("me", "friend", "anyone", "house"):
        with pytest.raises(UsageError, match="take the name"):
            built(SeatRequest(who, name=name), SeatRequest("house"))
    definition, _ = built(SeatRequest("me"), SeatRequest("house"))
    with pytest.raises(UsageError, match="take the name"):
        rename_seat(definition, 0, name)
