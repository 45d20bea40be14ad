"""What lies beside the map: the viewer's own cards and destinations, and nobody else's."""

from __future__ import annotations

from xml.etree import ElementTree

import msgspec
from msgspec.structs import replace

from fairplay.core.chance import derived
from fairplay.core.shown import CardGroup, PartialMove, SideCard
from fairplay.games.trains import rules
from fairplay.games.trains.drawing.cards import list_cards
from fairplay.games.trains.drawing.clicks import interpret_clicks
from fairplay.games.trains.drawing.picture import draw_picture
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Setup, State, View
from games.trains.drawing.pictures import A, B, M, some_state
from games.trains.sheets import cards, line, played


def groups(shown: State | View, *, open: bool = False) -> dict[str, CardGroup]:
    return {group.title: group for group in list_cards(shown, open=open)}


def all_cards(shown: State | View, *, open: bool = False) -> list[SideCard]:
    return [card for group in list_cards(shown, open=open) for card in group.cards]


def test_a_view_shows_its_own_hand_deck_and_destinations() -> None:
    view = rules.view(some_state(), B)
    own = groups(view)
    assert [*own] == ["Your destinations", "Your cards", "Deck"]
    hand = [(card.key, card.kind, card.count, card.enter) for card in own["Your cards"].cards]
    assert hand[:2] == [("card-red", "red", 0, "from deck"), ("card-blue", "blue", 4, "from deck")]
    (deck,) = own["Deck"].cards
    assert (deck.key, deck.click, deck.count) == ("deck", "deck=draw", 2)
    assert [card.title for card in own["Your destinations"].cards] == ["Alma to Dell", "Alma to Erin"]


def test_an_offer_can_be_clicked() -> None:
    dealt = rules.start(Setup(map=M, destinations="ordered"), 2, derived(0))
    view = rules.view(dealt, A)
    offered = groups(view)["Pick your destinations"].cards
    wish = interpret_clicks(view, ())
    assert isinstance(wish, PartialMove)
    assert [card.click for card in offered] == [choice.key for choice in wish.choices]
    assert offered[0].detail == "3 rails by the shortest way"
    assert "Pick your destinations" not in groups(rules.view(dealt, B))


def test_a_destination_shows_the_cheapest_way_that_is_still_open() -> None:
    state = some_state()  # the first seat owns Alma - Bree
    first, second = groups(rules.view(state, A))["Your destinations"].cards
    assert (first.title, first.detail, first.kind) == ("Alma to Bree", "joined", "done")
    assert (second.title, second.detail) == ("Alma to Cove", "not joined yet: 3 rails to go")
    assert second.highlights == ("city=Alma", "city=Cove", "connection=Bree|Cove|red|3")
    taken = replace(state, owned=(state.owned[0], state.network.every & ~state.owned[0]))
    (_, cut_off) = groups(rules.view(taken, A))["Your destinations"].cards
    assert cut_off.detail == "not joined yet: no way left"
    assert cut_off.highlights == ("city=Alma", "city=Cove")


def test_a_destination_is_missed_once_the_match_is_over() -> None:
    state = played(Setup(map=M, rails=3, deck=cards("rrrrbbbb"), destinations="ordered"), 2)
    over = rules.apply(rules.apply(state, Acquire(line("Alma-Bree red 3"))), DRAW)
    assert over.turn is None
    own = groups(rules.view(over, A))["Your destinations"].cards
    assert [(card.detail, card.kind) for card in own] == [("joined", "done"), ("missed", "missed")]


def test_a_pile_points_at_what_it_can_pay_for() -> None:
    state = played(Setup(map=M, deck=cards("rrrrbbbb"), destinations="ordered"), 2)
    red, blue, *_ = groups(rules.view(state, A))["Your cards"].cards
    assert red.highlights == ("connection=Alma|Bree|red|3", "connection=Bree|Cove|red|3")
    assert blue.highlights == ()
    assert not any(card.highlights for card in groups(rules.view(state, B))["Your cards"].cards)  # not its turn


def test_of_a_state_only_the_deck_is_public() -> None:
    state = some_state()
    assert [*groups(state)] == ["Deck"]
    opened = groups(state, open=True)
    assert [*opened] == ["Deck", "Amber's destinations", "Amber's cards", "Teal's destinations", "Teal's cards"]
    assert [card.count for card in opened["Teal's cards"].cards] == [0, 4, 0, 0]
    keys = [card.key for card in all_cards(state, open=True)]
    assert len(set(keys)) == len(keys)
    assert [*groups(rules.remove(state, A), open=True)] == ["Deck", "Teal's destinations", "Teal's cards"]


def test_what_others_hold_changes_nothing() -> None:
    """Not a byte of it: hands of the same size and other destinations look the same to others."""
    state = some_state()
    other = replace(
        state,
        hands=(state.hands[A], (1, 1, 1, 1)),
        destinations=(state.destinations[A], (("Bree", "Dell"), ("Cove", "Erin"))),
    )
    for open in (False, True):
        mine, theirs = (msgspec.json.encode(list_cards(rules.view(each, A), open=open)) for each in (state, other))
        assert mine == theirs
        assert draw_picture(rules.view(state, A), open=open) == draw_picture(rules.view(other, A), open=open)
    assert list_cards(state) == list_cards(other)
    assert draw_picture(state) == draw_picture(other)


def test_pictures_of_cards_are_small_drawings_without_styles() -> None:
    for card in all_cards(rules.view(some_state(), A)):
        root = ElementTree.fromstring(card.picture)
        assert root.get("aria-hidden") == "true"
        assert not [one for one in root.iter() if one.get("id") or one.get("style") or one.tag.endswith("style")]
        assert len(card.picture) < 1500
    hand = groups(rules.view(some_state(), A))["Your cards"].cards
    assert len({card.picture for card in hand}) == 4
    assert [f">{card.title[0].upper()}<" in card.picture for card in hand] == [True] * 4
