"""Memo 003: goals reached, and who has won by them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.course.memos import m003
from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.state import Setup, State
from fairplay.match.referee import rank
from games.labyrinth.worlds import ANN, BOB, open_board, player, started

PLAYERS = [player((1, 1), (1, 1), "red", (3, 3)), player((3, 3), (3, 3), "blue", (3, 1))]


def with_queue(*queue: tuple[int, int]) -> State:
    return started(open_board(PLAYERS, queue))


def with_colors(*colors: str) -> State:
    """A match in which each player has reached a goal of its own."""
    state = started(open_board([player((1, 1), (1, 1), color, (3, 3)) for color in colors]))
    return replace(state, found=tuple(((seat, seat),) for seat in range(len(colors))))


def test_the_state_provides_the_next_goal_and_the_home_at_the_end() -> None:
    state = with_queue((1, 3))
    assert m003.next_goal(state, ANN).target == (1, 3)
    after = m003.arrived(state, ANN)
    assert (after.targets[ANN], after.queue, m003.treasures(after, ANN)) == ((1, 3), (), 1)
    home = m003.arrived(after, ANN)
    assert (home.targets[ANN], ANN in home.homeward, m003.treasures(home, ANN)) == ((1, 1), True, 2)


def test_coming_home_does_not_count() -> None:
    home = m003.arrived(with_queue(), ANN)
    with pytest.raises(ValueError, match="player 0 is on its way home"):
        m003.arrived(home, ANN)


def test_the_record_of_each_colour_is_a_set_and_treasures_count_arrivals() -> None:
    """Labyrinth 2.7, 14.5: a goal that comes twice counts twice."""
    state = m003.arrived(m003.arrived(with_queue((3, 3), (1, 3)), ANN), ANN)
    assert m003.reached(state) == {"red": {(3, 3)}, "blue": set()}
    assert m003.treasures(state, ANN) == 2


def test_a_removed_player_keeps_its_entry_and_loses_its_goals() -> None:
    """Labyrinth 6.4."""
    state = m003.arrived(with_queue((1, 3)), ANN)
    gone = rules.remove(state, ANN)
    assert m003.reached(gone) == {"red": set(), "blue": set()}
    assert m003.treasures(gone, ANN) == 0


@pytest.mark.parametrize(
    ("colors", "names"),
    [
        (("red", "red"), ["red", "red 2"]),
        (("red", "blue", "red", "red"), ["red", "blue", "red 2", "red 3"]),
        (("red", "red", "red 2"), ["red", "red 3", "red 2"]),
        (("red 2", "red", "red"), ["red 2", "red", "red 3"]),
    ],
)
def test_players_of_equal_colour_have_entries_of_their_own(colors: tuple[str, ...], names: list[str]) -> None:
    """Labyrinth 12.2: a given state may have them."""
    assert m003.reached(with_colors(*colors)) == {name: {(seat, seat)} for seat, name in enumerate(names)}


@pytest.mark.parametrize("seat", [2, -1, True, 0.0, "0", None], ids=repr)
def test_only_players_of_the_match_have_goals(seat: Any) -> None:
    for ask in (m003.next_goal, m003.arrived, m003.treasures, m003.distance):
        with pytest.raises(ValueError, match="there is no player"):
            ask(with_queue(), seat)


def test_a_removed_player_looks_for_nothing() -> None:
    gone = rules.remove(with_queue((1, 3)), ANN)
    for ask in (m003.next_goal, m003.arrived, m003.distance):
        with pytest.raises(ValueError, match="player 0 has been removed"):
            ask(gone, ANN)


def test_a_treasure_of_the_original_game_has_no_distance() -> None:
    with pytest.raises(ValueError, match="looks for a treasure"):
        m003.distance(rules.start(Setup("original"), 2, derived(1)), ANN)


@pytest.mark.parametrize(
    ("found", "finisher", "expected"),
    [
        (((), ()), None, (BOB,)),  # (3,3) to (3,1) is nearer than (1,1) to (3,3)
        ((((9, 9),), ()), None, (ANN,)),
        (((), ()), ANN, (ANN,)),
        (((), ((9, 9),)), ANN, (BOB,)),
    ],
)
def test_winners(found: tuple[tuple[tuple[int, int], ...], ...], finisher: Seat | None, expected: object) -> None:
    """Labyrinth 5.2: goals reached, then the one who came home, then the distance to the next goal."""
    state = replace(with_queue(), found=found, finisher=finisher)
    assert m003.winners(state) == expected == rank(rules.scores(state))[0]


def test_all_equal_ones_win() -> None:
    """Labyrinth 5.2."""
    even = started(open_board([PLAYERS[0], player((3, 3), (3, 3), "blue", (1, 1))]))
    assert m003.distance(even, ANN) == m003.distance(even, BOB) == 8
    assert m003.winners(even) == (ANN, BOB)
    assert m003.winners(rules.remove(rules.remove(even, ANN), BOB)) == ()
