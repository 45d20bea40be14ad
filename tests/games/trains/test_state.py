"""The data of a match."""

from __future__ import annotations

import msgspec
import pytest

from fairplay.core import Seat
from fairplay.games.trains import GAME, rules
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.state import Acquire, Pick, Setup

from .sheets import MAP_M, cards, line, played

M = map_from_json(MAP_M)


def test_the_order_in_which_destinations_are_kept_makes_no_difference() -> None:
    one, other = Pick((("B", "C"), ("A", "B"))), Pick((("A", "B"), ("B", "C")))
    assert one == other
    assert one.keep == (("A", "B"), ("B", "C"))
    assert msgspec.json.encode(one) == b'{"do":"pick","keep":[["A","B"],["B","C"]]}'


def test_actions_survive_json() -> None:
    for action in (Pick((("A", "B"),)), rules.DRAW, Acquire(line("A-B red 3"))):
        assert GAME.action_decoder.decode(msgspec.json.encode(action)) == action


@pytest.mark.parametrize(
    "text",
    [
        '{"do":"draw","count":2}',
        '{"do":"acquire","connection":["A","B","pink",3]}',
        '{"do":"acquire","connection":["A","B","red",6]}',
        '{"do":"acquire","connection":["A","B","red",3.0]}',
        '{"do":"acquire","connection":["","B","red",3]}',
        '{"do":"acquire","connection":["A","B","red",3,4]}',
        '{"do":"pick","keep":[["A"]]}',
        '{"do":"pass"}',
    ],
)
def test_nonsense_is_no_action(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        GAME.action_decoder.decode(text)


def test_setups_are_written_whole() -> None:
    """A record must replay alike even where a later version has other standards."""
    assert msgspec.json.decode(msgspec.json.encode(Setup())).keys() == set(Setup.__struct_fields__)
    full = Setup(map=M, rails=3, deck=cards("rb"), destinations=(("Alma", "Bree"),))
    assert msgspec.json.decode(msgspec.json.encode(full), type=Setup) == full
    for wrong in ('{"rails":-1}', '{"per_draw":0}', '{"kept":0}', '{"fewest":1}', '{"rail":5}', '{"deck":["pink"]}'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(wrong, type=Setup)


def test_states_and_views_count_what_is_left_and_free() -> None:
    state = played(Setup(map=M, deck=cards("rrrrbbbb" + "gw"), destinations="ordered"), 2)
    assert state.left == 2
    taken = rules.apply(state, Acquire(line("Alma-Bree red 3")))
    view = rules.view(taken, Seat(1))
    assert view.free == state.network.every ^ state.network.bit(line("Alma-Bree red 3"))
    assert hash(view) == hash(rules.view(taken, Seat(1)))
