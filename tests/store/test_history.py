"""What the pages list: the matches of a contest, a player's faults and ratings."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fairplay.contest.contest import Entrant
from fairplay.contest.scoreboard import Scoreboard
from fairplay.core import StoreError
from fairplay.match.packing import unpacked
from fairplay.store.history import MatchRow, PlayerFault, PlayerTotals, hash_identity
from fairplay.store.store import Store
from fairplay.store.web.tables import Seated, plan_tables
from store.samples import CONTEST, faulty, result, results, sample_results, tied

NAMES = CONTEST.names
MINIMAX = "minimax:depth=1"
OTHER = msgspec.structs.replace(
    CONTEST, game="trains", entrants=tuple(Entrant(name, "random") for name in ("third", "x", "y"))
)


def finished(store: Store, count: int) -> int:
    """A contest with its tables, made of so many results."""
    id, board = store.create(CONTEST), Scoreboard(CONTEST)
    store.add(id, results(range(count)))
    for each in store.results(id):
        board.add(each)
    store.finish(id, msgspec.json.encode(board.tables()))
    return id


def test_a_match_in_a_list_tells_who_played_and_how_it_ended(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, [faulty(0), tied(1), sample_results()[2]])
    lost, even, kept = store.history.matches(id)
    assert lost == MatchRow(
        contest=id,
        game="fish",
        number=0,
        names=("first", "third"),
        winners=("first",),
        faulty=("third",),
        scores=((9,), None),
        ending="nobody can move",
        seconds=0.5,
        stored=lost.stored,
        recorded=False,
    )
    assert (even.winners, even.faulty) == (("second", "third"), ())
    outcome = sample_results()[2].outcome
    assert kept.recorded
    assert kept.names == tuple(NAMES[player] for player in sample_results()[2].line_up)
    assert kept.winners == tuple(kept.names[seat] for seat in outcome.winners)
    assert kept.scores == outcome.scores


def test_the_faults_of_a_contest_come_in_order_with_who_played(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairplay.store.history.PAGE_SIZE", 2)
    id, other = store.create(CONTEST), store.create(CONTEST)
    store.add(id, [faulty(4), result(3), faulty(1), faulty(0)])
    store.add(other, [faulty(2)])
    found = list(store.history.contest_faults(id))
    assert [number for number, _, _ in found] == [0, 1, 4]
    assert found[0] == (0, list(faulty(0).line_up), list(faulty(0).outcome.faults))


def test_the_matches_of_a_contest_come_page_by_page(store: Store) -> None:
    id, other = store.create(CONTEST), store.create(CONTEST)
    store.add(id, results(range(10)))
    store.add(other, results(range(3)))
    seen: list[int] = []
    while page := store.history.matches(id, after=seen[-1] if seen else -1, limit=4):
        assert len(page) <= 4
        seen += [each.number for each in page]
    assert seen == list(range(10))
    assert [each.number for each in store.history.matches(id, limit=3, last_first=True)] == [9, 8, 7]
    with pytest.raises(StoreError, match="there is no tournament 99"):
        store.history.matches(99)


def test_the_matches_of_a_player_come_from_all_contests_newest_first(store: Store) -> None:
    first, second = store.create(CONTEST), store.create(CONTEST)
    store.add(first, [faulty(0), tied(1)])
    store.add(second, [faulty(0)])
    store.add(store.create(OTHER), [faulty(0)])
    rows = store.history.player_matches("fish", "third")
    assert [(row.contest, row.number) for row in rows] == [(second, 0), (first, 1), (first, 0)]
    assert [row.names for row in rows] == [("first", "third"), ("second", "third"), ("first", "third")]
    assert [(row.contest, row.number) for row in store.history.player_matches("fish", "second")] == [(first, 1)]
    assert len(store.history.player_matches("fish", "third", 2)) == 2
    assert store.history.player_matches("fish", "nobody") == []


def test_last_words_are_those_of_the_player_newest_first(store: Store) -> None:
    first, second, third = store.create(CONTEST), store.create(CONTEST), store.create(OTHER)
    store.add(first, [faulty(0, "one"), tied(1), faulty(2, "<script>two\0</script>")])
    store.add(third, [faulty(0, "of another game")])
    store.add(second, [faulty(5, "three")])
    words = store.history.faults("fish", "third")
    assert [(each.contest, each.number, each.detail) for each in words] == [
        (second, 5, "three"),
        (first, 2, "<script>two\0</script>"),
        (first, 0, "one"),
    ]
    assert words[0] == PlayerFault(second, 5, "crashed", "three", words[0].stored, over=False)
    assert store.history.faults("fish", "third", limit=1) == words[:1]
    assert store.history.faults("fish", "first") == []
    assert store.history.faults("trains", "y") and not store.history.faults("trains", "third")


def test_ratings_over_time_are_those_of_finished_contests(store: Store) -> None:
    first = finished(store, 6)
    store.add(store.create(CONTEST), [result(0)])  # not finished
    odd = store.create(CONTEST)
    store.finish(odd, b"[]")
    second = finished(store, 12)
    found = store.history.ratings("fish", "second")
    assert [(each.contest, each.matches) for each in found] == [(first, 4), (second, 8)]
    few, many = found
    assert (few.low, few.high) == (None, None), "of two deals that were played"
    assert many.low is not None and many.high is not None and many.low <= many.rating <= many.high
    assert [each.contest for each in store.history.ratings("fish", "second", limit=1)] == [second]
    assert store.history.ratings("fish", "nobody") == store.history.ratings("trains", "second") == []


def test_a_rating_without_bounds_has_none(store: Store) -> None:
    id = finished(store, 0)
    (only,) = store.history.ratings("fish", "first")
    assert (only.contest, only.matches, only.low, only.high) == (id, 0, None, None)


def test_players_are_counted_over_all_contests(store: Store) -> None:
    first, second = store.create(CONTEST), store.create(CONTEST)
    store.create(msgspec.structs.replace(CONTEST, game="trains", entrants=(Entrant("first", "random"),)))
    store.add(first, [faulty(0), faulty(1), tied(2)])
    store.add(second, [faulty(0), tied(1)])
    assert store.history.players() == [
        PlayerTotals("fish", "first", "random", 2, matches=3, wins=3, ties=0, faults=0, key=hash_identity("random")),
        PlayerTotals("fish", "second", "greedy", 2, matches=2, wins=0, ties=2, faults=0, key=hash_identity("greedy")),
        PlayerTotals("fish", "third", MINIMAX, 2, matches=5, wins=0, ties=2, faults=3, key=hash_identity(MINIMAX)),
        PlayerTotals("trains", "first", "random", 1, matches=0, wins=0, ties=0, faults=0, key=hash_identity("random")),
    ]


def test_two_people_of_one_name_are_two_players_and_one_of_two_names_is_one(store: Store) -> None:
    def play(id: str, number: int, *people: tuple[str, str]) -> None:
        store.tables.open(id, "fish", b"{}", contest=plan_tables("fish", msgspec.Raw(CONTEST.setup), {}))
        store.tables.begin(id, [Seated(name, "human", account) for name, account in people], number)
        store.tables.add_lines((id, at, line) for at, line in enumerate(unpacked(sample_results()[0].record)))
        store.tables.close(id, b"{}")

    play("a", 1, ("ann", "one"), ("bob", "other"))
    play("b", 2, ("ann", "two"), ("bob", "other"))
    play("c", 3, ("anna", "one"), ("bob", "other"))
    history = store.history
    assert len(history.players("fish", "ann")) == 2
    one, two = (hash_identity(f"account:{who}") for who in ("one", "two"))
    assert [row.number for row in history.player_matches("fish", "ann")] == [1, 0]
    assert [row.number for row in history.player_matches("fish", "ann", key=one)] == [2, 0]
    assert [row.number for row in history.player_matches("fish", "ann", key=two)] == [1]
    assert [(each.player, each.matches) for each in history.names("fish", "ann", one)] == [("ann", 1), ("anna", 1)]
    assert not history.player_matches("fish", "ann", key="nobody") and not history.names("fish", "ann", "nobody")


def test_a_bot_file_is_known_by_what_is_in_it(store: Store, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    contest = msgspec.structs.replace(CONTEST, entrants=(Entrant("mine", str(bot)), *CONTEST.entrants[1:]))
    for content in ("one", "two", "one"):
        bot.write_text(content, "utf-8")
        store.add(store.create(contest), [result(0)])
    assert sorted(each.contests for each in store.history.players("fish", "mine")) == [1, 2]


def test_players_can_be_asked_for_by_game_and_name(store: Store) -> None:
    store.create(CONTEST)
    store.create(msgspec.structs.replace(CONTEST, game="trains", entrants=(Entrant("first", "random"),)))
    assert [(each.game, each.player) for each in store.history.players(name="first")] == [
        ("fish", "first"),
        ("trains", "first"),
    ]
    assert [each.player for each in store.history.players("trains")] == ["first"]
    assert [each.spec for each in store.history.players("fish", "second")] == ["greedy"]
