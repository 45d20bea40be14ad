"""Tables out of outcomes, with intervals that do not pretend."""

from __future__ import annotations

from contest.samples import interval, width
from fairplay.contest.intervals import Estimate
from fairplay.contest.standings import CrossTable, Standings, describe_levels
from fairplay.core import Fault, FaultKind, Outcome, Seat


def outcome(*tiers: tuple[int, ...], scores: tuple[int, ...] = (3, 1), fault: int | None = None) -> Outcome:
    return Outcome(
        tuple(tuple(map(Seat, tier)) for tier in tiers),
        tuple(None if seat == fault else (score,) for seat, score in enumerate(scores)),
        tuple(Fault(FaultKind.GONE) if seat == fault else None for seat in range(len(scores))),
        "over",
    )


def test_wins_ties_losses_faults_and_averages() -> None:
    standings = Standings(["ada", "bob"])
    standings.add(1, (0, 1), outcome((0,), (1,), scores=(7, 3)))
    standings.add(1, (1, 0), outcome((1,), (0,), scores=(2, 9)))
    standings.add(2, (0, 1), outcome((0, 1), scores=(5, 5)))
    standings.add(2, (1, 0), outcome((1,), scores=(0, 4), fault=0))
    ada, bob = standings.table()
    assert (ada.player, ada.matches, ada.wins, ada.ties, ada.losses, ada.faults) == ("ada", 4, 3, 1, 0, 0)
    assert (bob.player, bob.matches, bob.wins, bob.ties, bob.losses, bob.faults) == ("bob", 4, 0, 1, 3, 1)
    assert ada.win_share.value == 0.75
    assert ada.average is not None and ada.average.value == (8 + 4.5) / 2
    assert bob.average is not None and bob.average.value == (2.5 + 5) / 2


def test_nobody_can_be_averaged_over_nothing() -> None:
    standings = Standings(["ada", "bob", "cat"])
    standings.add(1, (0, 1), outcome((1,), fault=0))
    lines = {line.player: line for line in standings.table()}
    assert lines["ada"].average is None
    assert lines["cat"].matches == 0
    assert lines["cat"].win_share == Estimate(0.0, 0.0, 1.0)


def test_an_empty_first_tier_means_nobody_won() -> None:
    standings = Standings(["ada", "bob"])
    standings.add(1, (0, 1), outcome((), (1,), fault=0))
    assert all(line.wins == line.ties == 0 for line in standings.table())


def test_intervals_count_units_not_matches() -> None:
    """Two matches of one deal tell little more than one: the interval must not shrink."""
    once, twice = Standings(["ada", "bob"]), Standings(["ada", "bob"])
    for unit in range(6):
        once.add(unit, (0, 1), outcome((0,), (1,)))
        twice.add(unit, (0, 1), outcome((0,), (1,)))
        twice.add(unit, (0, 1), outcome((0,), (1,)))
    assert once.table()[0].win_share == twice.table()[0].win_share


def test_the_order_of_adding_changes_nothing_but_the_units_do() -> None:
    matches = [
        (unit, line_up, outcome((unit % 2,), (1 - unit % 2,), scores=(unit, 3)))
        for unit in range(7)
        for line_up in ((0, 1), (1, 0))
    ]
    one, other = Standings(["ada", "bob"]), Standings(["ada", "bob"])
    for match in matches:
        one.add(*match)
    for match in reversed(matches):
        other.add(*match)
    assert one.table() == other.table()


def test_a_match_with_a_deal_of_its_own_is_a_unit() -> None:
    fresh, paired = Standings(["ada", "bob"], paired=False), Standings(["ada", "bob"])
    for deal in range(10):
        fresh.add(deal, (0, 1), outcome((deal % 2,), (1 - deal % 2,)))
        paired.add(deal // 2, (0, 1), outcome((deal % 2,), (1 - deal % 2,)))
    assert width(fresh.table()[0].win_share) < width(paired.table()[0].win_share)


# -- the cross-table ---------------------------------------------------------------------------


def test_a_cross_table_counts_who_finished_before_whom() -> None:
    table = CrossTable(["ada", "bob", "cat", "dan"])
    table.add(1, (0, 1, 2), outcome((0,), (1, 2), scores=(3, 1, 1)))
    table.add(1, (1, 2, 0), outcome((2,), (1,), scores=(0, 1, 2), fault=0))
    cells = {(cell.player, cell.other): cell for cell in table.meetings(range(4))}
    ada_bob, bob_cat, cat_ada = cells["ada", "bob"], cells["bob", "cat"], cells["cat", "ada"]
    assert (ada_bob.points, ada_bob.matches, ada_bob.units, ada_bob.share.value) == (2, 2, 1, 1.0)
    assert (bob_cat.points, bob_cat.matches, bob_cat.share.value) == (0.5, 2, 0.25)  # level, then bob was removed
    assert cat_ada.points == 0
    assert len(cells) == 6


def test_what_one_wins_the_other_loses() -> None:
    table = CrossTable(["ada", "bob"])
    for unit in range(5):
        table.add(unit, (0, 1), outcome((0,), (1,)) if unit % 2 else outcome((0, 1)))
        table.add(unit, (1, 0), outcome((0,), (1,)))
    one, other = table.meeting(0, 1), table.meeting(1, 0)
    assert one is not None and other is not None
    assert one.points + other.points == one.matches == 10
    assert one.share.value + other.share.value == 1
    assert one.units == 5
    low, high = interval(one.share)
    assert low < one.share.value < high


def test_levels_are_told_in_one_line_unless_all_are_of_the_house() -> None:
    standings = Standings(["ada", "bob", "house"])
    standings.add(1, (0, 2), outcome((0,), (1,)))
    assert describe_levels(standings.table()) == ""
    standings.add(2, (0, 2), outcome((0,), (1,)), ("sandboxed", "house"))
    standings.add(3, (1, 0), outcome((0,), (1,)), ("trusted", "process"))
    assert describe_levels(standings.table()) == "Levels: ada process and sandboxed; bob trusted; house house."


def test_of_many_players_some_are_named() -> None:
    standings = Standings([f"bot {number}" for number in range(10)])
    for number in range(0, 10, 2):
        standings.add(number, (number, number + 1), outcome((0,), (1,)), ("process", "process"))
    assert describe_levels(standings.table()).endswith(" and 2 more process.")
