"""Every state can be drawn and put into words."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given, settings, strategies as st

from fairplay.core import Picture, Seat, Turn
from kit import kit, walk

SVG = "{http://www.w3.org/2000/svg}"


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_states_views_and_turns_can_be_shown(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    table = data.draw(kit(name).tables)
    found = walk(name, table, seed, turns, faults=True)
    game, last = found.game, next((event for event in reversed(found.events) if isinstance(event, Turn)), None)
    for shown in (found.state, *(game.rules.view(found.state, seat) for seat in found.seats)):
        for options in ({}, {"open": True}, {"seats": False}, {"seats": False, "open": True}):
            picture = game.shown.picture(shown, last, **options)
            assert isinstance(picture, Picture)
            assert ElementTree.fromstring(picture).tag == f"{SVG}svg"
    assert game.words.board(found.state).strip()
    names = [game.words.seat_name(Seat(seat)) for seat in range(table.seats)]
    assert len(set(names)) == table.seats
    for event in found.events:
        if isinstance(event, Turn):
            assert names[event.seat] in game.words.describe_open_turn(event)
            assert names[event.seat] in game.words.describe_turn(event, None)
    for shown in (found.state, *(game.rules.view(found.state, seat) for seat in found.seats)):
        facts = game.words.facts(shown)
        assert list(facts) == sorted(found.seats)
        assert all(label and value for pairs in facts.values() for label, value in pairs)


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_pictures_can_stand_on_one_page(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """Styles and ids hold for a whole page: they are bound to the game, and an id always means the same."""
    found = walk(name, data.draw(kit(name).tables), seed, turns)
    game, defined = found.game, dict[str, bytes]()
    for shown in (found.states[0], found.state, *(game.rules.view(found.state, seat) for seat in found.seats)):
        root = ElementTree.fromstring(game.shown.picture(shown))
        assert root.get("class") == f"{name}-board"
        rules = [rule for style in root.iter(f"{SVG}style") for rule in (style.text or "").split("}") if rule.strip()]
        selectors = [part for rule in rules for part in rule.partition("{")[0].split(",")]
        assert all(selector.startswith(f".{name}-board") for selector in selectors), selectors
        for element in root.iter():
            if id := element.get("id"):
                assert id.startswith(f"{name}-")
                assert defined.setdefault(id, ElementTree.tostring(element)) == ElementTree.tostring(element)
        used = [(use.get("href") or "").removeprefix("#") for use in root.iter(f"{SVG}use")]
        assert set(used) <= defined.keys()
        assert not [element for element in root.iter() if element.tag == f"{SVG}script" or element.get("style")]
