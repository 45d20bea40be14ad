"""Labyrinth as the rest of the platform sees it: names, seats, knock-outs."""

from __future__ import annotations

import pytest

from fairplay.contest.formats.formats import allot_players
from fairplay.core import House, SetupError
from fairplay.core.chance import derived
from fairplay.course.programs import InlineStage
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.state import Setup, State


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (7, [5, 2]),
        (8, [6, 2]),
        (11, [6, 5]),
        (12, [6, 6]),
        (13, [6, 5, 2]),
        (14, [6, 6, 2]),
        (18, [6, 6, 6]),
        (19, [6, 6, 5, 2]),
        (20, [6, 6, 6, 2]),
        (25, [6, 6, 6, 5, 2]),
    ],
)
def test_9_5_the_table_of_allotments(players: int, sizes: list[int]) -> None:
    assert [len(line_up) for line_up in allot_players(range(players), GAME.seats)] == sizes


def test_9_1_a_knock_out_deals_every_match_anew() -> None:
    """Labyrinth 9.3, 9.4: nine players, two matches, then a final of the winners."""
    dealt: list[State] = []

    def deal(seats: int) -> State:
        dealt.append(rules.start(GAME.variants["multi-goal"], seats, derived(7, "match", len(dealt))))
        return dealt[-1]

    players = [House(GAME.players.strategies["euclid"](derived(0))) for _ in range(9)]
    standing = InlineStage(GAME).play_knockout(players, deal, GAME.seats)
    assert [len(state.homes) for state in dealt[:2]] == [6, 3]
    assert len({state.board for state in dealt}) == len(dealt) == 3
    assert len(standing.winners) >= 1
    assert standing.faults == (None,) * 9


def test_the_game_knows_its_rule_book() -> None:
    """Labyrinth 1.1, 6.2."""
    assert list(GAME.seats) == [2, 3, 4, 5, 6]
    assert GAME.patience == 4.0
    assert GAME.unit == "treasures"
    for seats in (1, 7):
        with pytest.raises(SetupError):
            GAME.rules.start(GAME.variants["plain"], seats, derived(1))


@pytest.mark.parametrize(("rows", "columns"), [(25, 25), (4, 15), (13, 2)])
def test_boards_of_any_size_are_played_to_their_end(rows: int, columns: int) -> None:
    """Labyrinth 1.2, 13.1."""
    setup = Setup("multi-goal", rows=rows, columns=columns, goals=2, rounds=40)
    state = rules.start(setup, 2, derived(1, "deal"))
    outcome = InlineStage(GAME).play_match(
        state, [House(GAME.players.strategies["euclid"](derived(0))) for _ in range(2)]
    )
    assert outcome.ending in ("somebody came home", "everybody passed", "the last round is over")
    assert outcome.faults == (None, None)
    assert sum(len(tier) for tier in outcome.ranking) == 2
