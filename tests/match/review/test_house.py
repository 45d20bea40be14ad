"""House players choose again and say what they thought: the same, something else, or nobody can tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Fault, FaultKind, House, Misbehaved, UsageError
from fairplay.core.chance import derived_seed
from fairplay.match.players import describe_house, house_strategy
from fairplay.match.record import Header, HousePlayer, Record, read_record
from fairplay.match.replay import record_match
from fairplay.match.review.house import check_house, explain_record, seat_house
from fairplay.run.inline import play_inline
from toy_thinker import TOYS, play_toys

FISH = GAMES["fish"]
SETUP = msgspec.convert({"rows": 4, "columns": 4}, FISH.setup)
SPECS = ("random", "minimax:depth=1")


def play(*, game: Any = FISH, setup: Any = SETUP, specs: tuple[str, ...] = SPECS, spoil: Any = None) -> Record:
    """A match of house players whose first one may be another in truth."""
    chances = [derived_seed(5, "player", seat) for seat in range(len(specs))]
    players = [House(house_strategy(game, spec, Random(chance))) for spec, chance in zip(specs, chances, strict=True)]
    if spoil is not None:
        players[0] = House(spoil)
    house = tuple(describe_house(game, spec, chance) for spec, chance in zip(specs, chances, strict=True))
    lines: list[bytes] = []
    play_inline(record_match(game, setup, 5, specs, lines.append, house=house), players)
    return read_record(lines)


def change_house(record: Record, change: Callable[[HousePlayer], HousePlayer | None]) -> Record:
    first, *others = record.header.house
    assert first is not None
    return structs.replace(record, header=structs.replace(record.header, house=(change(first), *others)))


@pytest.mark.parametrize("name", GAMES)
def test_every_house_player_chooses_the_same_again(name: str) -> None:
    game = GAMES[name]
    setup = next(iter(game.variants.values())) if game.quick is None else game.quick
    for spec in game.players.strategies:
        record = play(game=game, setup=setup, specs=(spec, *["random"] * (game.seats[0] - 1)))
        checks = check_house(game, record)
        assert [(check.seat, check.verdict) for check in checks] == [(seat, "same") for seat in range(game.seats[0])]
        assert checks[0].replies > 0 and checks[0].player.strategy == spec


def test_a_header_names_strategy_version_options_and_chance() -> None:
    assert describe_house(FISH, "minimax", 7) == HousePlayer("minimax", 1, 7, {"depth": 2})
    assert describe_house(FISH, "minimax:depth=3", 7).options == {"depth": 3}
    changed = replace(FISH, players=replace(FISH.players, versions={"minimax": 4}))
    assert describe_house(changed, "minimax", 7).version == 4
    assert msgspec.json.encode(describe_house(FISH, "random", 7)) == b'{"strategy":"random","version":1,"chance":7}'
    with pytest.raises(UsageError, match="fish has no strategy"):
        describe_house(FISH, "stockfish", 7)


def test_a_reply_that_the_player_would_not_give_is_reported_with_its_line() -> None:
    checks = check_house(FISH, play(spoil=lambda view: FISH.rules.legal_actions(view)[-1]))
    assert [check.verdict for check in checks] == ["different", "same"]
    first = checks[0].differences[0]
    assert first.line >= 2 and first.recorded != first.chosen
    assert 0 < len(checks[0].differences) <= checks[0].replies


def test_a_crash_that_never_was_is_reported() -> None:
    def crash(view: Any) -> Any:
        raise Misbehaved(Fault(FaultKind.CRASHED, "forged"))

    check, _ = check_house(FISH, play(spoil=crash))
    assert (check.verdict, check.replies) == ("different", 1)
    assert b"forged" in bytes(check.differences[0].recorded)


def with_strategy(name: str, maker: Callable[..., Any]) -> AnyGame:
    return replace(FISH, players=replace(FISH.players, strategies={**FISH.players.strategies, name: maker}))


def test_a_crash_of_the_strategy_itself_is_the_same_again() -> None:
    def crash(rng: Random) -> Any:
        def choose(view: Any) -> Any:
            raise RuntimeError("a bug")

        return choose

    game = with_strategy("broken", crash)
    check, _ = check_house(game, play(game=game, specs=("broken", "random")))
    assert (check.verdict, check.replies) == ("same", 1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda player: structs.replace(player, version=2), "version 2 of random, and here is version 1"),
        (lambda player: structs.replace(player, strategy="gone"), "fish has no house player 'gone' here"),
        (lambda player: structs.replace(player, budget=0.5), "thinks for 0.5 s, and how far it gets depends"),
        (lambda player: structs.replace(player, options={"depth": 2}), "its options are not known here"),
        (lambda player: structs.replace(player, strategy="minimax", options={"depth": -1}), "depth must be 0 or more"),
    ],
)
def test_what_cannot_be_asked_again_is_not_checkable_and_never_different(
    change: Callable[[HousePlayer], HousePlayer], reason: str
) -> None:
    spoiled = play(spoil=lambda view: FISH.rules.legal_actions(view)[-1])
    check, _ = check_house(FISH, change_house(spoiled, change))
    assert (check.verdict, check.differences) == ("not checkable", ())
    assert reason in check.reason


def test_a_strategy_with_the_option_seconds_is_bounded_by_time() -> None:
    def slow(rng: Random, *, seconds: float = 0.25) -> Any:
        return FISH.players.strategies["random"](rng)

    game = with_strategy("slow", slow)
    assert describe_house(game, "slow", 1).budget == 0.25
    assert describe_house(game, "slow:seconds=2", 1).budget == 2.0


def test_a_record_that_names_no_house_players_has_nothing_to_check() -> None:
    record = play()
    assert check_house(FISH, structs.replace(record, header=structs.replace(record.header, house=()))) == []
    only = change_house(record, lambda player: None)
    assert [check.seat for check in check_house(FISH, only)] == [1]


def test_a_record_that_was_cut_off_is_checked_as_far_as_it_goes() -> None:
    record = play()
    begun = structs.replace(record, outcome=None, entries=record.entries[:5])
    assert sum(check.replies for check in check_house(FISH, begun)) == 5


def test_a_header_that_names_house_players_is_of_format_2_and_others_are_as_they_were() -> None:
    lines: list[bytes] = []
    players = [House(house_strategy(FISH, "random", Random(seat))) for seat in range(2)]
    play_inline(record_match(FISH, SETUP, 5, ("a", "b"), lines.append), players)
    assert lines[0].startswith(b'{"fairplay":1,') and b"house" not in lines[0]
    assert play().header.fairplay == 2


def test_a_match_that_goes_on_keeps_the_header_that_it_began_with() -> None:
    lines: list[bytes] = []
    begun = Header(1, "fish", ("a", "b"), msgspec.Raw(msgspec.json.encode(SETUP)), 5)
    players = [House(house_strategy(FISH, "random", Random(seat))) for seat in range(2)]
    house = (describe_house(FISH, "random", 0), None)
    play_inline(record_match(FISH, SETUP, 5, ("a", "b"), lines.append, house=house, begun=begun), players)
    assert read_record(lines).header == begun


TOY_FISH = TOYS["fish"]


def test_what_a_house_player_thought_before_each_of_its_turns() -> None:
    record = play_toys(TOY_FISH, "search", "random")
    players = seat_house(TOY_FISH, record)
    assert set(players) == {0}
    explanations = list(explain_record(TOY_FISH, record, players))
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
    record = play_toys(TOY_FISH, "search", "random", spoil=lambda view: TOY_FISH.rules.legal_actions(view)[-1])
    explanations = list(explain_record(TOY_FISH, record, seat_house(TOY_FISH, record)))
    assert not explanations[0].same and not explanations[0].slipped


def test_players_of_another_version_or_with_unknown_options_are_not_asked() -> None:
    record = play_toys(TOY_FISH, "search", "search")
    other = (HousePlayer("search", 9, 1), HousePlayer("search", 1, 1, {"depth": 3}))
    header = structs.replace(record.header, house=other)
    assert seat_house(TOY_FISH, structs.replace(record, header=header)) == {}


def test_players_that_think_by_time_need_a_clock() -> None:
    record = play_toys(TOY_FISH, "search", "random")
    timed = (HousePlayer("search", 1, 1, {"seconds": 0.1}, 0.1), None)
    record = structs.replace(record, header=structs.replace(record.header, house=timed))
    assert seat_house(TOY_FISH, record) == {}
    assert set(seat_house(TOY_FISH, record, clock=lambda: 0.0)) == {0}


def test_a_player_that_thought_by_time_is_not_said_to_have_slipped() -> None:
    record = play_toys(TOY_FISH, "search", "random", spoil=lambda view: TOY_FISH.rules.legal_actions(view)[-1])
    timed = (HousePlayer("search", 1, 1, {"seconds": 0.1}, 0.1), None)
    record = structs.replace(record, header=structs.replace(record.header, house=timed))
    explanations = list(explain_record(TOY_FISH, record, seat_house(TOY_FISH, record, clock=lambda: 0.0)))
    assert not any(each.slipped for each in explanations) and not explanations[0].same
