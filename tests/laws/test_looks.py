"""Every state can be drawn and put into words."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from fairplay.core import Picture, Seat, Turn
from kit import kit, walk


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_states_views_and_turns_can_be_shown(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    table = data.draw(kit(name).tables)
    found = walk(name, table, seed, turns, faults=True)
    game, last = found.game, next((event for event in reversed(found.events) if isinstance(event, Turn)), None)
    for shown in (found.state, *(game.rules.view(found.state, seat) for seat in found.seats)):
        picture = game.picture(shown, last)
        assert isinstance(picture, Picture)
        assert ElementTree.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
    assert game.words.board(found.state).strip()
    names = [game.words.seat_name(Seat(seat)) for seat in range(table.seats)]
    assert len(set(names)) == table.seats
    for event in found.events:
        if isinstance(event, Turn):
            assert names[event.seat] in game.words.turn(event)
            assert names[event.seat] in game.words.told(event, None)
    for shown in (found.state, *(game.rules.view(found.state, seat) for seat in found.seats)):
        facts = game.words.facts(shown)
        assert list(facts) == sorted(found.seats)
        assert all(label and value for pairs in facts.values() for label, value in pairs)
