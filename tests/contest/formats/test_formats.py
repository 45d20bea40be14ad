"""Formats: rounds out, outcomes in."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, islice
from math import comb
from random import Random
from typing import Any, cast

import msgspec
import pytest
from hypothesis import assume, given, strategies as st

from fairplay.contest.contest import UNROTATED_FORMATS, Contest, Deals, Entrant, Fixture
from fairplay.contest.formats.formats import (
    FORMATS,
    allot_players,
    check_options,
    expected_matches,
    gauntlet,
    knock_out,
    option_types,
    pass_length,
    round_robin,
    start_format,
)
from fairplay.contest.formats.pairing import LineUp
from fairplay.contest.formats.rounds import LARGEST_ROUND, Rounds
from fairplay.contest.formats.swiss import SwissPoints, ladder, swiss
from fairplay.contest.schedule import Schedule
from fairplay.core import Fault, FaultKind, Outcome, Seat, UsageError

FISH, TRAINS, LABYRINTH = range(2, 5), range(2, 9), range(2, 7)

Win = Callable[[LineUp], Sequence[int]]


def play_out(rounds: Rounds, play: Callable[[Fixture], Outcome]) -> list[int]:
    """Play `rounds` one match after the other; the winners."""
    schedule = Schedule(rounds)
    while fixtures := schedule.next_round():
        schedule.report([play(fixture) for fixture in fixtures])
    return schedule.winners


def outcome(winners: Sequence[int], seats: int, removed: Sequence[int] = ()) -> Outcome:
    losers = tuple(Seat(seat) for seat in range(seats) if seat not in {*winners, *removed})
    faults = tuple(Fault(FaultKind.GONE) if seat in removed else None for seat in range(seats))
    return Outcome((tuple(map(Seat, winners)), losers), ((0,),) * seats, faults, "over")


def strongest(line_up: LineUp) -> Sequence[int]:
    return [line_up.index(max(line_up))]


def run(rounds: Rounds, win: Win = strongest, *, bad: int | None = None) -> tuple[list[list[Fixture]], list[int]]:
    """All rounds of a format where `win` says which seats of a line-up win, and who won it; `bad` is removed always."""
    given: list[list[Fixture]] = []

    def kept() -> Rounds:
        outcomes: Any = None
        while True:
            try:
                given.append(rounds.send(outcomes))
            except StopIteration as done:
                return list[int](done.value)
            outcomes = yield given[-1]

    def play(fixture: Fixture) -> Outcome:
        out = [seat for seat, player in enumerate(fixture.line_up) if player == bad]
        return outcome([seat for seat in win(fixture.line_up) if seat not in out], len(fixture.line_up), out)

    return given, play_out(kept(), play)


def line_ups(rounds: list[list[Fixture]]) -> list[list[LineUp]]:
    return [[fixture.line_up for fixture in fixtures] for fixtures in rounds]


# -- knock-out ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "players", "games"),
    [
        *(
            (FISH, n, g)
            for n, g in [(5, [3, 2]), (6, [4, 2]), (7, [4, 3]), (8, [4, 4]), (9, [4, 3, 2]), (13, [4, 4, 3, 2])]
        ),
        *((TRAINS, n, g) for n, g in [(9, [7, 2]), (10, [8, 2]), (15, [8, 7]), (17, [8, 7, 2]), (50, [8] * 6 + [2])]),
        *((LABYRINTH, n, g) for n, g in [(7, [5, 2]), (8, [6, 2]), (13, [6, 5, 2]), (25, [6, 6, 6, 5, 2])]),
        (range(3, 9), 17, [8, 6, 3]),  # Trains 13.3: a rest of 1 where three are the fewest
        (range(2, 5), 3, [3]),
        (range(2, 5), 0, []),
    ],
)
def test_the_allotment_tables(sizes: range, players: int, games: list[int]) -> None:
    found = allot_players(range(players), sizes)
    assert [len(line_up) for line_up in found] == games
    assert [player for line_up in found for player in line_up] == list(range(players))


def test_the_best_wins_the_knock_out_and_every_match_has_a_deal_of_its_own() -> None:
    rounds, winners = run(knock_out(9, FISH))
    assert line_ups(rounds) == [[(0, 1, 2, 3), (4, 5, 6), (7, 8)], [(3, 6, 8)]]
    assert [fixture.deal for fixtures in rounds for fixture in fixtures] == [0, 1, 2, 3]
    assert winners == [8]


def test_fewer_than_a_match_needs_win_at_once() -> None:
    assert run(knock_out(0, FISH)) == ([], [])
    assert run(knock_out(1, FISH)) == ([], [0])


def test_all_out_in_a_round_leaves_nobody() -> None:
    rounds, winners = run(knock_out(9, FISH), lambda line_up: [])
    assert len(rounds) == 1
    assert winners == []


def test_all_out_in_the_final_leaves_nobody() -> None:
    rounds, winners = run(knock_out(9, FISH), lambda line_up: [] if line_up == (3, 6, 8) else strongest(line_up))
    assert len(rounds) == 2
    assert winners == []


def test_a_final_with_several_winners() -> None:
    rounds, winners = run(knock_out(3, FISH), lambda line_up: [0, 2])
    assert line_ups(rounds) == [[(0, 1, 2)]]
    assert winners == [0, 2]


def test_the_same_winners_twice_running_end_it() -> None:
    """Everybody wins every match: the second round has the same winners as the first, so it stops there."""
    rounds, winners = run(knock_out(6, FISH), lambda line_up: range(len(line_up)))
    assert len(rounds) == 2
    assert winners == list(range(6))


@pytest.mark.parametrize("bad", range(9))
def test_a_cheater_in_any_place_is_out_of_the_knock_out(bad: int) -> None:
    rounds, winners = run(knock_out(9, FISH), bad=bad)
    assert all(bad not in line_up for later in line_ups(rounds)[1:] for line_up in later)
    assert bad not in winners


@pytest.mark.parametrize("options", [{"fewest": 3}, {"fewest": 0}, {"most": 2}, {"fewest": 5}])
def test_a_knock_out_in_matches_that_cannot_be_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="must be at least"):
        next(knock_out(9, FISH, **options))


def test_lots_are_drawn_from_the_seed_if_asked_for() -> None:
    drawn = {seed: line_ups(run(knock_out(9, FISH, shuffle=True, seed=seed))[0])[0] for seed in (1, 1, 2)}
    assert drawn[1] == line_ups(run(knock_out(9, FISH, shuffle=True, seed=1))[0])[0]
    assert drawn[1] != drawn[2]
    assert [len(line_up) for line_up in drawn[1]] == [4, 3, 2]
    assert sorted(player for line_up in drawn[1] for player in line_up) == list(range(9))
    first = Counter(
        knock_out(17, LABYRINTH, shuffle=True, seed=seed).send(None)[-1].line_up[-1]  # type: ignore[arg-type]  # a generator that has not begun is sent None
        for seed in range(400)
    )
    assert len(first) == 17  # everybody is in the last match, which is small, sooner or later
    arranged = contest("knock-out", 9, {"shuffle": True}, seed=1)
    assert [fixture.line_up for fixture in next(start_format(arranged, FISH))] == drawn[1]


def test_a_knock_out_may_have_larger_or_smaller_matches() -> None:
    rounds, _ = run(knock_out(7, FISH, fewest=2, most=3))
    assert line_ups(rounds) == [[(0, 1, 2), (3, 4), (5, 6)], [(2, 4, 6)]]
    rounds, _ = run(knock_out(7, FISH, most=7))
    assert line_ups(rounds) == [[tuple(range(7))]]


# -- one line-up -------------------------------------------------------------------------------


def test_a_series_is_one_line_up_with_a_deal_of_its_own_for_every_match() -> None:
    rounds, winners = run(start_format(contest("series", 3, {"games": 4}), FISH), bad=1)
    fixtures = [fixture for fixtures in rounds for fixture in fixtures]
    assert fixtures == [Fixture((0, 1, 2), deal) for deal in range(4)]
    assert winners == [2]
    assert expected_matches(contest("series", 3, {"games": 4}), FISH) == 4


def test_a_knock_out_of_thousands_ends() -> None:
    rounds, winners = run(knock_out(5_000, FISH))
    assert winners == [4_999]
    assert [len(fixtures) for fixtures in rounds] == [1250, 313, 79, 20, 5, 2, 1]


# -- everybody against everybody ---------------------------------------------------------------


def test_a_round_robin_has_every_line_up_in_every_rotation() -> None:
    rounds, winners = run(round_robin(4, FISH, size=3, games=2))
    found = [line_up for each in line_ups(rounds) for line_up in each]
    assert len(found) == len(set(found)) == 4 * 3 * 2  # the second time the other way round
    seats = Counter((player, seat) for line_up in found for seat, player in enumerate(line_up))
    assert set(seats.values()) == {2 * 3}
    assert winners == [3]


def test_a_gauntlet_is_the_candidate_against_all_the_rest() -> None:
    rounds, winners = run(gauntlet(5, FISH, size=3, games=1))
    found = Counter(frozenset(line_up) for each in line_ups(rounds) for line_up in each)
    assert found == {frozenset((0, *others)): 3 for others in combinations(range(1, 5), 2)}
    assert winners == [4]


@pytest.mark.parametrize("format", [round_robin, gauntlet])
def test_thousands_of_players_are_not_laid_out_in_advance(format: Callable[..., Rounds]) -> None:
    tracemalloc.start()
    try:
        rounds = format(5_000, FISH, size=3)
        fixtures = next(rounds)
        for _ in range(3):
            assert LARGEST_ROUND <= len(fixtures) < LARGEST_ROUND + 3
            fixtures = rounds.send([outcome([0], 3)] * len(fixtures))
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


def test_a_round_that_is_full_keeps_units_together() -> None:
    rounds, _ = run(round_robin(2, FISH, games=LARGEST_ROUND))
    assert [len(fixtures) for fixtures in rounds] == [LARGEST_ROUND, LARGEST_ROUND]
    deals = [{fixture.deal for fixture in fixtures} for fixtures in rounds]
    assert not deals[0] & deals[1]


# -- Swiss -------------------------------------------------------------------------------------


def test_winners_meet_winners_and_the_first_round_is_top_against_bottom() -> None:
    rounds, winners = run(swiss(8, FISH, rounds=3), lambda line_up: [line_up.index(min(line_up))])
    assert [sorted({frozenset(line_up) for line_up in each}, key=min) for each in line_ups(rounds)] == [
        [{0, 4}, {1, 5}, {2, 6}, {3, 7}],
        [{0, 1}, {2, 3}, {4, 5}, {6, 7}],
        [{0, 2}, {1, 3}, {4, 6}, {5, 7}],
    ]
    assert winners == [0]


@pytest.mark.parametrize("format", ["swiss", "ladder"])
def test_rounds_that_an_earlier_version_paired_in_another_way_are_not_gone_on_with(format: str) -> None:
    begun = msgspec.structs.replace(contest(format, 6, {}), matched=False)
    with pytest.raises(UsageError, match="an earlier version paired its rounds in a way that is gone"):
        start_format(begun, FISH)
    for other in ("round-robin", "gauntlet", "knock-out", "series"):
        assert next(start_format(msgspec.structs.replace(begun, format=other), range(2, 7)))


def test_a_first_round_of_more_seats_has_one_of_every_part_in_each_match() -> None:
    rounds, _ = run(swiss(12, FISH, size=3, rounds=1))
    assert {frozenset(line_up) for line_up in line_ups(rounds)[0]} == {
        frozenset((first, first + 4, first + 8)) for first in range(4)
    }


def repeated_pairs(players: int, size: int, count: int, seed: int) -> Counter[frozenset[int]]:
    """The pairs that met more than once in a Swiss tournament with drawn winners, with how often more."""
    rng = Random(seed)
    maker = swiss(players, range(2, 9), size=size, rounds=count)
    rounds, _ = run(maker, lambda line_up: [rng.randrange(len(line_up))])
    met = Counter(
        frozenset(pair)
        for each in line_ups(rounds)
        for line_up in {frozenset(line_up) for line_up in each}
        for pair in combinations(line_up, 2)
    )
    return met - Counter(dict.fromkeys(met, 1))


@pytest.mark.parametrize(
    ("players", "size", "count", "repeats"),
    [
        (40, 2, 25, 0),  # 28.8 when only neighbours gave way
        (60, 2, 40, 0),
        (6, 2, 5, 0),  # everybody meets everybody: the last rounds must be thought of in time
        (16, 2, 15, 0),
        (16, 2, 16, 8),  # one round more
        (9, 3, 4, 0),
        (16, 4, 5, 0),  # the affine plane of order four: every pair meets exactly once
        (16, 4, 8, 72),  # 192 meetings of 120 pairs
        (32, 8, 10, 624),  # 1,120 meetings of 496 pairs
        (15, 3, 7, 10),  # Kirkman's schoolgirls: a schedule without repeats exists, but is hard to find
        (64, 4, 12, 5),
    ],
)
def test_a_swiss_repeats_hardly_more_pairs_than_it_must(players: int, size: int, count: int, repeats: int) -> None:
    for seed in range(2):
        assert repeated_pairs(players, size, count, seed).total() <= repeats


def test_players_with_equal_points_are_told_apart_by_buchholz_then_by_direct_encounter() -> None:
    points = SwissPoints(6)
    for winner, loser in [(0, 3), (1, 4), (2, 5), (0, 1), (2, 3), (4, 5), (1, 2), (0, 4), (3, 5)]:
        points.add((winner, loser), outcome([0], 2))
    rows = points.table(["a", "b", "c", "d", "e", "f"])
    assert [(row.place, row.player) for row in rows] == [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (4, "e"), (6, "f")]
    by_name = {row.player: row for row in rows}
    assert by_name["b"].points == by_name["c"].points == 2 / 3
    assert by_name["b"].buchholz > by_name["c"].buchholz
    level = SwissPoints(4)
    for winner, loser in [(0, 2), (1, 3), (1, 0), (3, 2), (0, 3), (2, 1)]:
        level.add((winner, loser), outcome([0], 2))
    assert [[player for player, _ in tier] for tier in level.rank(range(4))] == [[1], [0], [3], [2]]


def test_a_full_tie_of_a_swiss_has_several_winners() -> None:
    _, winners = run(swiss(4, FISH, rounds=3), lambda line_up: [0, 1])
    assert winners == [0, 1, 2, 3]


@given(st.integers(2, 13), st.sampled_from([2, 3, 4]), st.integers(1, 8), st.integers(0, 99))
def test_everybody_plays_equally_often_up_to_one_bye(players: int, size: int, count: int, seed: int) -> None:
    assume(size <= players)
    rng = Random(seed)
    rounds, _ = run(swiss(players, FISH, size=size, rounds=count), lambda line_up: [rng.randrange(len(line_up))])
    assert len(rounds) == count
    sat = Counter(player for each in line_ups(rounds) for line_up in each for player in line_up)
    assert max(sat.values()) - min(sat[player] for player in range(players)) <= size
    for each in line_ups(rounds):
        assert all(times == size for times in Counter(player for line_up in each for player in line_up).values())


@pytest.mark.no_cover  # other tests run the same lines
def test_a_swiss_round_of_thousands_is_found() -> None:
    rng = Random(5)
    rounds, _ = run(swiss(3_000, FISH, rounds=4), lambda line_up: [rng.randrange(2)])
    assert len({frozenset(line_up) for each in line_ups(rounds) for line_up in each}) == 4 * 1_500


# -- the ladder --------------------------------------------------------------------------------


def some(rounds: Rounds, count: int, win: Win = strongest) -> list[list[Fixture]]:
    """The first rounds of a format that has no end."""
    found: list[list[Fixture]] = []
    outcomes: Any = None
    for _ in range(count):
        found.append(rounds.send(outcomes))
        outcomes = [outcome(win(fixture.line_up), len(fixture.line_up)) for fixture in found[-1]]
    return found


def test_a_ladder_goes_on_and_lets_equals_meet() -> None:
    rounds = some(ladder(9, FISH, size=2, seed=4), 120)
    met = Counter(abs(one - other) for each in line_ups(rounds[60:]) for one, other in each)
    assert met[1] > 4 * sum(met[apart] for apart in range(4, 9))
    sat = Counter(player for each in line_ups(rounds) for line_up in each for player in line_up)
    assert max(sat.values()) - min(sat.values()) <= 2


def test_a_ladder_is_fixed_by_the_seed() -> None:
    one, again, other = (some(ladder(7, FISH, size=3, seed=seed), 30) for seed in (4, 4, 5))
    assert one == again != other


# -- those that were removed -------------------------------------------------------------------


ROTATED: Mapping[str, Callable[..., Rounds]] = {
    name: maker for name, maker in FORMATS.items() if name not in UNROTATED_FORMATS
}


@pytest.mark.parametrize("name", ROTATED)
def test_players_that_were_removed_stay_unless_told_to_leave(name: str) -> None:
    def begun(**options: Any) -> list[list[Fixture]]:
        rounds = ROTATED[name](5, FISH, **options)
        found: list[list[Fixture]] = []
        outcomes: Any = None
        for _ in range(6):
            try:
                found.append(rounds.send(outcomes))
            except StopIteration:
                break
            outcomes = [
                outcome([], 2, [fixture.line_up.index(1)]) if 1 in fixture.line_up else outcome([0], 2)
                for fixture in found[-1]
            ]
        return found

    def appearances(rounds: list[list[Fixture]]) -> list[bool]:
        return [any(1 in fixture.line_up for fixture in fixtures) for fixtures in rounds]

    first = appearances(begun(removed="leave")).index(True)
    assert not any(appearances(begun(removed="leave"))[first + 1 :])
    assert len(begun(removed="leave")) > first + 1
    staying = begun()
    assert staying == begun(removed="stay")
    assert len(staying) == 1 or sum(appearances(staying)) > 1


def test_without_its_candidate_a_gauntlet_is_over() -> None:
    rounds, winners = run(gauntlet(3, FISH, games=5, removed="leave"), bad=0)
    assert len(rounds) == 1
    assert winners == [1, 2]


@pytest.mark.parametrize("maker", [swiss, ladder])
def test_too_few_left_for_a_match_end_it(maker: Callable[..., Rounds]) -> None:
    rounds, winners = run(maker(2, FISH, removed="leave"), lambda line_up: [line_up.index(1)], bad=0)
    assert len(rounds) == 1
    assert winners == [1]


def test_who_is_removed_in_a_full_round_plays_no_later_one_of_the_pass() -> None:
    rounds, _ = run(round_robin(100, FISH, games=1, removed="leave"), bad=99)
    assert len(rounds) == 3
    assert [any(99 in line_up for line_up in each) for each in line_ups(rounds)] == [True, False, False]


# -- all formats -------------------------------------------------------------------------------


def contest(format: str, players: int, options: dict[str, Any], seed: int = 3, deals: Deals = "paired") -> Contest:
    names = tuple(Entrant(f"player {number}", "random") for number in range(players))
    return Contest("nim", names, format, options, msgspec.Raw(b"{}"), seed, 1.0, deals=deals, matched=True)


@pytest.mark.parametrize("deals", ["fresh", "paired"])
@pytest.mark.parametrize("name", ROTATED)
@given(players=st.integers(2, 8), size=st.integers(2, 4), games=st.integers(1, 3), seed=st.integers(0, 99))
def test_line_ups_sit_in_all_rotations_of_deals_that_no_other_line_up_plays(
    name: str, deals: Deals, players: int, size: int, games: int, seed: int
) -> None:
    assume(size <= players)
    rng = Random(seed)
    arranged = contest(name, players, {"size": size, "games": games}, seed, deals)
    fixtures: list[Fixture] = []
    for fixtures_of_round in islice(
        sent(start_format(arranged, FISH), lambda line_up: [rng.randrange(len(line_up))]), 12
    ):
        fixtures += fixtures_of_round
    numbers = [fixture.deal for fixture in fixtures]
    units = [fixtures[start : start + size] for start in range(0, len(fixtures), size)]
    assert numbers == [number // size if deals == "paired" else number for number in range(len(fixtures))]
    for unit in units:
        first = unit[0].line_up
        assert [each.line_up for each in unit] == [first[start:] + first[:start] for start in range(size)]
        assert len(set(first)) == size
    if (expected := expected_matches(arranged, FISH)) is not None:
        assert len(fixtures) == expected
    if (length := pass_length(arranged, FISH)) is not None:
        assert len(fixtures) == length * games


def sent(rounds: Rounds, win: Win) -> Any:
    """The rounds of a format, each answered when the next one is asked for."""
    outcomes: Any = None
    while True:
        try:
            fixtures = rounds.send(outcomes)
        except StopIteration:
            return
        outcomes = [outcome(win(fixture.line_up), len(fixture.line_up)) for fixture in fixtures]
        yield fixtures


def test_how_many_matches_there_will_be() -> None:
    assert expected_matches(contest("round-robin", 5, {"size": 3}), FISH) == comb(5, 3) * 3 * 10
    assert pass_length(contest("gauntlet", 5, {}), FISH) == 4 * 2
    assert expected_matches(contest("swiss", 9, {"rounds": 4}), FISH) == 4 * 8
    assert expected_matches(contest("knock-out", 9, {}), FISH) is None
    assert expected_matches(contest("ladder", 9, {}), FISH) is None


def test_a_ladder_takes_the_seed_of_its_contest() -> None:
    one, other = (some(start_format(contest("ladder", 6, {}, seed), FISH), 9) for seed in (1, 2))
    assert one != other
    assert "seed" not in option_types("ladder")


def test_options_may_come_as_words() -> None:
    given = {"size": "3", "games": "2", "removed": "leave"}
    assert check_options("gauntlet", given) == {"size": 3, "games": 2, "removed": "leave"}


@pytest.mark.parametrize(
    ("format", "players", "options", "message"),
    [
        ("cup", 4, {}, "there is no format 'cup'; there are knock-out, round-robin, swiss, gauntlet, ladder, series"),
        ("knock-out", 4, {"games": 3}, "the format knock-out has no option 'games'; it has fewest, most, shuffle"),
        ("knock-out", 4, {"shuffle": "maybe"}, "shuffle of the format knock-out must be true or false, not 'maybe'"),
        (
            "swiss",
            4,
            {"shuffle": True},
            "the format swiss has no option 'shuffle'; it has size, games, rounds, removed",
        ),
        ("series", 4, {"size": 3}, "the format series has no option 'size'; it has games"),
        ("series", 5, {}, "5 players can play in matches of 2 to 4 seats, not 5"),
        ("series", 4, {"games": 0}, "games must be at least 1, not 0"),
        (
            "swiss",
            4,
            {"game": 3},
            "the format swiss has no option 'game'; it has size, games, rounds, removed; did you mean 'games'?",
        ),
        ("swiss", 4, {"rounds": "many"}, "rounds of the format swiss must be a whole number, not 'many'"),
        ("ladder", 4, {"removed": "maybe"}, "removed of the format ladder must be leave or stay, not 'maybe'"),
        ("ladder", 4, {"paired": True}, "the format ladder has no option 'paired'; it has size, games, removed"),
        ("ladder", 4, {"seed": 3}, "the format ladder has no option 'seed'; it has size, games, removed"),
        ("swiss", 4, {"rounds": 0}, "rounds must be at least 1, not 0"),
        ("round-robin", 4, {"games": 0}, "games must be at least 1, not 0"),
        ("gauntlet", 3, {"size": 4}, "3 players can play in matches of 2 to 3 seats, not 4"),
        ("gauntlet", 9, {"size": 5}, "9 players can play in matches of 2 to 4 seats, not 5"),
        ("round-robin", 1, {}, "a match needs at least 2 players, not 1"),
    ],
)
def test_a_format_that_cannot_be_is_refused(format: str, players: int, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        start_format(contest(format, players, options), FISH)
    assert str(refused.value) == message


def test_a_maker_refuses_an_unknown_rule_for_those_removed() -> None:
    with pytest.raises(UsageError, match="can leave or stay, not 'perhaps'"):
        round_robin(3, FISH, removed=cast("Any", "perhaps"))
