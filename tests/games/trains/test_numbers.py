"""The numbers and arrays of Trains: sizes, order, and a position made by hand."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from fairplay.core import NumberError, Seat
from fairplay.games.trains import numbers, rules
from fairplay.games.trains.map import COLORS, Connection
from fairplay.games.trains.state import Acquire, DrawCards, Pick, Setup, State


def deal(map: str = "tiny", seats: int = 2, **settings: int) -> State:
    return rules.start(Setup(map=map, **settings), seats, Random(3))  # type: ignore[arg-type]  # all are numbers


@pytest.mark.parametrize(
    ("map", "actions"), [("tiny", 22), ("small", 43), ("coast", 47), ("continent", 101), ("vast", 235)]
)
def test_there_are_as_many_actions_as_the_map_gives(map: str, actions: int) -> None:
    assert numbers.encoding_of(deal(map)).actions == actions


@pytest.mark.parametrize(("seats", "size"), [(2, 444), (4, 630), (8, 1002)])
def test_an_observation_has_this_many_elements(seats: int, size: int) -> None:
    encoding = numbers.encoding_of(deal("continent", seats))
    assert encoding.shape == (size,) == (sum(each.size for each in encoding.channels),)


def test_matches_alike_share_an_encoding() -> None:
    state = deal()
    assert numbers.encoding_of(state) is numbers.encoding_of(rules.view(deal(rails=12), Seat(1)))
    assert numbers.encoding_of(state) is not numbers.encoding_of(deal(seats=3))


def test_numbers_follow_the_order_of_the_rule_book() -> None:
    state = deal()
    view, encoding = rules.view(state, Seat(0)), numbers.encoding_of(state)
    one, two, three, four, five = view.offer
    assert encoding.action(0, view) == DrawCards()
    assert encoding.action(1, view) == Acquire(state.network.connections[0])
    assert encoding.action(11, view) == Acquire(state.network.connections[-1])
    assert encoding.action(12, view) == Pick((one, two))
    assert encoding.action(15, view) == Pick((one, five))
    assert encoding.action(16, view) == Pick((two, three))
    assert encoding.action(21, view) == Pick((four, five))
    assert encoding.number(Pick((five, one)), view) == 15


def test_what_has_no_number_is_refused() -> None:
    state = deal()
    picking, waiting = rules.view(state, Seat(0)), rules.view(state, Seat(1))
    encoding = numbers.encoding_of(state)
    for strange in (Pick(picking.offer[:1]), Pick((picking.offer[0],) * 2), Pick((("A", "B"), ("A", "C")))):
        with pytest.raises(NumberError, match="a pick keeps 2 different destinations"):
            encoding.number(strange, picking)
    with pytest.raises(NumberError, match="no connection A - B"):
        encoding.number(Acquire(Connection("A", "B", "red", 3)), picking)
    with pytest.raises(NumberError, match="offered no destinations"):
        encoding.action(12, waiting)
    for number in (-1, 22):
        with pytest.raises(NumberError, match="from 0 to 21"):
            encoding.action(number, picking)


def test_too_many_ways_to_pick_have_no_numbers() -> None:
    assert numbers.encoding_of(deal("small", offered=14, kept=3)).picks == 364
    with pytest.raises(NumberError, match=r"1,001 ways to keep 4 of 14 .* more than 1,000"):
        numbers.encoding_of(deal("small", offered=14, kept=4))


def observed(state: State, seat: int) -> dict[str, list[float]]:
    encoding = numbers.encoding_of(state)
    out = np.full(encoding.shape, 7, dtype=np.float32)
    encoding.observe(rules.view(state, Seat(seat)), out)
    ends = np.cumsum([each.size for each in encoding.channels])
    parts = np.split(out, ends[:-1])
    return {each.name: part.tolist() for each, part in zip(encoding.channels, parts, strict=True)}


def test_an_observation_shows_the_position_from_the_owners_seat() -> None:
    state = deal(seats=3)
    names = state.network.names
    state = replace(
        state,
        drawn=50,
        hands=((1, 0, 2, 5), (0, 0, 0, 0), (10, 0, 0, 0)),
        rails=(45, 0, 9),
        owned=(0b101, 0, 1 << 10),
        destinations=(((names[0], names[1]), (names[2], names[5])), (), ((names[1], names[4]), (names[3], names[4]))),
        out=frozenset({Seat(1)}),
        picking=False,
        turn=Seat(0),
    )
    seen = observed(state, 2)
    assert seen["owned"] == [0] * 10 + [1] + [1, 0, 1] + [0] * 8 + [0] * 11
    assert seen["cards"] == [0.5, 0, 0, 0]
    assert seen["rails"] == pytest.approx([0.2, 1, 0])
    assert seen["hands"] == pytest.approx([0.25, 0.2, 0])
    assert seen["removed"] == [0, 0, 1]
    assert seen["deck"] == pytest.approx([0.8])
    assert seen["picking"] == [0]
    assert seen["destinations"] == [0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0]
    assert seen["offer"] == [0] * 30


def test_an_offer_is_shown_only_to_the_seat_that_picks() -> None:
    state = deal()
    assert observed(state, 0)["picking"] == observed(state, 1)["picking"] == [1]
    assert sum(observed(state, 0)["offer"]) == 10
    assert sum(observed(state, 1)["offer"]) == 0


def test_the_mask_is_all_zero_when_it_is_not_my_turn() -> None:
    state = deal()
    encoding = numbers.encoding_of(state)
    out = np.ones(encoding.actions, dtype=np.int8)
    encoding.fill_mask(rules.view(state, Seat(1)), out)
    assert not out.any()
    encoding.fill_mask(rules.view(state, Seat(0)), out)
    assert out.nonzero()[0].tolist() == list(range(12, 22))


def test_map_features_describe_each_connection() -> None:
    state = deal("continent")
    features = numbers.map_features(state)
    assert features.shape == (90, 9 + 36)
    for line, connection in zip(features, state.network.connections, strict=True):
        assert line[:4].sum() == 1
        assert line[COLORS.index(connection.color)] == 1
        assert line[4] == pytest.approx(connection.length / 5)
        names = [state.network.names[at] for at in line[9:].nonzero()[0]]
        assert names == [connection.first, connection.second]
    assert 0 <= features.min() <= features.max() <= 1
