"""The numbers of Labyrinth: their order, a position by hand, two decisions instead of one, what an array shows."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from fairplay.core import NumberError, Seat
from fairplay.core.numbers import Floats, Mask
from fairplay.games.labyrinth import numbers, rules
from fairplay.games.labyrinth.board import NOWHERE, Slide, make_board
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import Move, Pass, Setup, State, View
from fairplay.games.labyrinth.tiles import PAIRS, TILES

FIRST, SECOND = Seat(0), Seat(1)


def start(setup: Setup, seats: int = 2) -> State:
    return rules.start(setup, seats, Random(3))


def by_hand() -> State:
    """Three rows of three; I stand in the middle of a cross whose arms are closed from outside but to the east."""
    tiles = [[TILES[tile] for tile in line] for line in ("┘─└", "│┼┤", "┐─┌")]
    board = make_board(tiles, TILES["│"], PAIRS[:10])
    state = start(Setup(rows=4, columns=4))
    spots = ((1, 1), (0, 0))
    return replace(state, board=board, homes=spots, avatars=spots, targets=((1, 2), (1, 1)), last=Slide(0, "LEFT"))


def observe(view: View) -> Floats:
    encoding = numbers.encoding_of(view)
    out = np.full(encoding.shape, 7, np.float32)
    encoding.observe(view, out)
    return out


def legal_mask(view: View) -> Mask:
    encoding = numbers.encoding_of(view)
    out = np.full(encoding.actions, 7, np.int8)
    encoding.fill_mask(view, out)
    return out


@pytest.mark.parametrize(
    ("setup", "seats", "actions", "shape"),
    [
        (Setup(), 2, 3137, (7, 7, 32)),
        (Setup(), 4, 3137, (7, 7, 38)),
        (Setup("original"), 2, 2353, (7, 7, 29)),
        (Setup(rows=9, columns=9), 2, 6481, (9, 9, 36)),
        (Setup(rows=2, columns=9), 3, 1 + 12 * 4 * 18, (2, 9, 31)),
    ],
)
def test_sizes(setup: Setup, seats: int, actions: int, shape: tuple[int, ...]) -> None:
    encoding = numbers.encoding_of(start(setup, seats))
    assert (encoding.actions, encoding.shape) == (actions, shape)
    assert sum(channel.size for channel in encoding.channels) == shape[-1]
    assert encoding is numbers.encoding_of(rules.view(start(setup, seats), FIRST))


def test_numbers_count_cells_then_degrees_then_slides_in_the_order_of_8_3() -> None:
    view = rules.view(start(Setup()), FIRST)
    encoding = numbers.encoding_of(view)
    assert encoding.action(0, view) == Pass()
    assert encoding.action(1, view) == Move(0, "LEFT", 0, (0, 0))
    assert encoding.action(1 + 8, view) == Move(0, "LEFT", 0, (1, 1))
    assert encoding.action(1 + 49, view) == Move(0, "LEFT", 90, (0, 0))
    assert encoding.action(1 + 4 * 49, view) == Move(0, "RIGHT", 0, (0, 0))
    assert encoding.action(1 + 8 * 4 * 49, view) == Move(0, "UP", 0, (0, 0))
    assert encoding.action(3136, view) == Move(6, "DOWN", 270, (6, 6))


@pytest.mark.parametrize("move", [Move(1, "LEFT", 0, (0, 0)), Move(0, "LEFT", 45, (0, 0)), Move(0, "LEFT", 0, (7, 0))])  # type: ignore[arg-type]  # 45
def test_what_no_number_stands_for(move: Move) -> None:
    view = rules.view(start(Setup()), FIRST)
    with pytest.raises(NumberError):
        numbers.encoding_of(view).number(move, view)


@pytest.mark.parametrize("number", [-1, 3137])
def test_what_no_action_stands_behind(number: int) -> None:
    view = rules.view(start(Setup()), FIRST)
    with pytest.raises(NumberError, match="from 0 to 3136"):
        numbers.encoding_of(view).action(number, view)


def test_legal_numbers_of_a_position_by_hand() -> None:
    """Row 0 RIGHT would undo; row 2 does not touch me; column 0 brings a tile to my left."""
    view = rules.view(by_hand(), FIRST)
    encoding = numbers.encoding_of(view)
    legal = {encoding.number(action, view) for action in rules.legal_actions(view)}
    assert encoding.legal_numbers(view) == sorted(legal) == np.flatnonzero(legal_mask(view)).tolist()
    undo, stay = Move(0, "RIGHT", 0, (1, 2)), Move(2, "LEFT", 0, (1, 1))
    assert not {encoding.number(undo, view), encoding.number(stay, view)} & legal
    assert encoding.number(Move(2, "LEFT", 180, (1, 2)), view) in legal


def test_nobody_else_has_legal_numbers() -> None:
    view = rules.view(by_hand(), SECOND)
    assert numbers.encoding_of(view).legal_numbers(view) == []
    assert not legal_mask(view).any()


def test_a_number_is_two_decisions() -> None:
    view = rules.view(start(Setup()), FIRST)
    encoding = numbers.encoding_of(view)
    assert (encoding.firsts, encoding.cells) == (65, 49)
    assert [encoding.split(number) for number in (0, 1, 49, 50, 3136)] == [(0, 0), (1, 0), (1, 48), (2, 0), (64, 48)]
    assert all(encoding.join(*encoding.split(number)) == number for number in range(3137))


def test_masks_of_two_decisions_allow_what_the_mask_allows() -> None:
    view = rules.view(start(Setup()), FIRST)
    encoding, legal = numbers.encoding_of(view), legal_mask(view)
    firsts, seconds = np.empty(65, np.int8), np.empty(49, np.int8)
    encoding.fill_first_mask(legal, firsts)
    allowed = set()
    for first in range(1, 65):
        encoding.fill_second_mask(legal, first, seconds)
        assert firsts[first] == seconds.any()
        allowed |= {encoding.join(first, cell) for cell in np.flatnonzero(seconds).tolist()}
    assert firsts[0] == 1
    assert {0} | allowed == set(np.flatnonzero(legal).tolist())


def test_an_observation_by_hand() -> None:
    shown = observe(rules.view(by_hand(), SECOND))
    assert shown.shape == (3, 3, 4 + 2 + 2 + 1 + 2 + 4 + 8 + 1)
    assert shown[0, 0, :4].tolist() == [1, 0, 0, 1]  # ┘ is open to the north and west
    assert shown[1, 2, :4].tolist() == [1, 0, 1, 1]
    assert [np.argwhere(shown[:, :, channel]).tolist() for channel in range(4, 9)] == [
        *([[0, 0]], [[1, 1]]),  # avatars, mine first
        *([[0, 0]], [[1, 1]]),  # homes
        [[1, 1]],  # my target
    ]
    assert (shown[:, :, 9:] == [0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]).all()  # spare │, last slide 0 LEFT


def test_a_removed_seat_is_shown_without_avatar_and_target() -> None:
    shown = observe(rules.view(rules.remove(by_hand(), SECOND), SECOND))
    assert not shown[:, :, 4].any()
    assert not shown[:, :, 8].any()
    assert (shown[:, :, 9:11] == [1, 0]).all()


def test_the_original_game_shows_the_tiles_with_treasures_i_have_not_found() -> None:
    view = rules.view(start(Setup("original")), FIRST)
    assert isinstance(view.target, str)
    spot = locate_target(view.board, view.target)
    shown, after = observe(view), observe(replace(view, found=(view.target,), target=view.home))
    on_spare = view.board.gems[-1][0] == view.board.gems[-1][1]
    assert shown[:, :, 9].sum() == 24 - on_spare
    assert spot is not None
    assert (shown[(*spot, 8)], shown[(*spot, 9)], after[(*spot, 9)]) == (1, 1, 0)
    assert after[0, 0, -1] == np.float32(1 / 9)
    assert not observe(replace(view, avatars=(NOWHERE, view.avatars[1]), target=None))[:, :, 8].any()
