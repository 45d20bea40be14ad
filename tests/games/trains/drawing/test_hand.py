"""Below the map: all that is public, and of what is private only the viewer's own."""

from __future__ import annotations

from fairplay.core.chance import derived
from fairplay.games.trains import rules
from fairplay.games.trains.drawing.picture import draw_picture
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Setup
from games.trains.drawing.pictures import SVG, A, B, M, elements_with, parse_picture, some_state
from games.trains.sheets import cards, line, played


def test_a_view_shows_its_own_hand_and_destinations_and_a_state_nobodys() -> None:
    state = some_state()
    mine = parse_picture(draw_picture(rules.view(state, B)))
    assert [card.get("data-count") for card in elements_with(mine, "card")] == ["0", "4", "0", "0"]
    wanted = [element.get("data-destination") for element in elements_with(mine, "destination")]
    assert wanted == ["|".join(pair) for pair in state.destinations[B]]
    public = draw_picture(state)
    assert not elements_with(parse_picture(public), "card")
    assert not elements_with(parse_picture(public), "destination")
    assert "Alma to" not in public


def test_an_offer_is_shown_to_the_one_who_picks() -> None:
    state = rules.start(Setup(map=M), 2, derived(0))
    assert len(elements_with(parse_picture(draw_picture(rules.view(state, A))), "offer")) == 5
    assert not elements_with(parse_picture(draw_picture(rules.view(state, B))), "offer")
    assert "amber to pick destinations" in draw_picture(state)


def test_points_are_shown_at_the_end_and_not_before() -> None:
    state = played(Setup(map=M, rails=3, deck=cards("rrrrbbbb"), destinations="ordered"), 2)
    state = rules.apply(state, Acquire(line("Alma-Bree red 3")))
    assert "points</text>" not in draw_picture(state)
    over = rules.apply(state, DRAW)
    assert over.turn is None
    assert "23 points</text>" in draw_picture(over)
    assert "; over" in draw_picture(over)
    assert "points</text>" not in draw_picture(rules.view(over, A))  # others' destinations are not known


def test_an_open_picture_shows_every_hand_and_every_destination() -> None:
    state = some_state()
    opened = draw_picture(state, open=True)
    assert "✓ Alma to Bree; Alma to Cove" in opened
    assert "Alma to Dell; Alma to Erin" in opened
    assert ">1r<" in opened and ">4b<" in opened
    assert "points</text>" in opened
    assert draw_picture(rules.view(state, B), open=True) == draw_picture(rules.view(state, B))
    gone = rules.remove(state, A)
    assert "Alma to Bree" not in draw_picture(gone, open=True)


def test_long_destinations_are_squeezed_into_their_line() -> None:
    setup = Setup(map=M, deck=cards("rrrrbbbb"), destinations="ordered", kept=5)
    few, many = draw_picture(some_state(), open=True), draw_picture(played(setup, 2), open=True)
    assert many.count("textLength") == few.count("textLength") + 2


def test_without_the_seats_there_is_nothing_below_the_map() -> None:
    state = some_state()
    assert elements_with(parse_picture(draw_picture(state)), "seat")
    for shown in (state, rules.view(state, A)):
        for open in (False, True):
            root = parse_picture(draw_picture(shown, seats=False, open=open))
            assert not [name for name in ("seat", "card", "deck", "destination") if elements_with(root, name)]


def test_a_destination_is_missed_once_the_match_is_over() -> None:
    state = played(Setup(map=M, rails=3, deck=cards("rrrrbbbb"), destinations="ordered"), 2)
    state = rules.apply(state, Acquire(line("Alma-Bree red 3")))
    assert ">not joined yet<" in draw_picture(rules.view(state, A))
    assert ">missed<" in draw_picture(rules.view(rules.apply(state, DRAW), A))


def test_the_deck_says_how_many_cards_are_left() -> None:
    (deck,) = elements_with(parse_picture(draw_picture(some_state())), "deck")
    assert deck.get("data-left") == "2"
    one = played(Setup(map=M, deck=cards("rrrrbbbb" + "g"), destinations="ordered"), 2)
    assert "1 card in the deck" in draw_picture(one)
    assert ">card<" in draw_picture(rules.view(one, A))


def test_destinations_stand_below_the_cards_where_the_map_is_narrow() -> None:
    wide = played(Setup(map="continent"), 2)
    narrow = played(Setup(map="tiny"), 2)
    for state, beside in ((wide, True), (narrow, False)):
        root = parse_picture(draw_picture(rules.view(state, A)))
        (row, *_), (card, *_) = (
            [inner for one in elements_with(root, name) for inner in one.iter(f"{SVG}rect")]
            for name in ("destination", "card")
        )
        assert (float(row.get("y", "")) < float(card.get("y", "")) + 82) == beside
