"""The established protocol of Trains."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.core import ContestBegan, ContestEnded, Ended, Seat, WireError
from fairplay.core.chance import derived
from fairplay.core.convert import text
from fairplay.games.trains import rules
from fairplay.games.trains.established import wire
from fairplay.games.trains.map import Connection
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.players.strategies import hold_10
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Dealt, More, Pick, Setup, View
from games.trains.sheets import MAP_M, cards, played

M = map_from_json(MAP_M)
DECK = cards("rrbw" + "bbbb" + "rw")


def picking() -> View:
    return rules.view(rules.start(Setup(map=M, deck=DECK, destinations="ordered"), 2, derived(0)), Seat(0))


def playing() -> View:
    return rules.view(played(Setup(map=M, deck=DECK, destinations="ordered"), 2), Seat(0))


def test_the_example_of_the_rule_book() -> None:
    """Trains 11.7."""
    view = picking()
    assert text(wire.spell_question(view)) == (
        '["pick",[[["Alma","Bree"],["Alma","Cove"],["Alma","Dell"],["Alma","Erin"],["Bree","Cove"]]]]'
    )
    answer = [["Alma", "Dell"], ["Alma", "Erin"], ["Bree", "Cove"]]
    assert wire.read_action(view, answer) == hold_10(derived(0))(view)
    assert text(wire.spell_question(playing())) == (
        '["play",[{"this":{"destination1":["Alma","Bree"],"destination2":["Alma","Cove"],"rails":45,'
        '"cards":{"red":2,"blue":1,"green":0,"white":1},"acquired":[]},"acquired":[[]]}]]'
    )
    assert wire.read_action(playing(), "more cards") == DRAW
    assert text(wire.spell_news(More(("red", "white")))) == '["more",[["red","white"]]]'


def test_every_piece_of_news_has_its_call() -> None:
    """Trains 7.1, 11.6."""
    assert wire.spell_news(ContestBegan()) == ("start", [True])
    assert wire.spell_news(Dealt(M, 45, ("red", "blue"))) == ("setup", [MAP_M, 45, ["red", "blue"]])
    assert wire.spell_news(Ended(won=False)) == ("win", [False])
    assert wire.spell_news(ContestEnded(won=True)) == ("end", [True])
    assert wire.spell_news("something else") is None


def test_what_is_given_back_may_come_in_any_order() -> None:
    """Trains 10.7."""
    answer = [["Bree", "Cove"], ["Alma", "Dell"], ["Alma", "Bree"]]
    assert wire.read_action(picking(), answer) == Pick((("Alma", "Cove"), ("Alma", "Erin")))


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ("more cards", "$"),
        ([[["Alma", "Dell"], ["Alma", "Erin"], ["Bree", "Cove"]]], "$[0]"),  # Trains 12.7: rm-invalid-pick
        ([["Alma", "Dell"], ["Alma", "Dell"], ["Bree", "Cove"]], "$[1]"),
        ([["Alma", "Dell"], ["Dell", "Erin"], ["Bree", "Cove"]], "$[1]"),
        ([["Dell", "Alma"]], "$[0]"),
        ([["Alma"]], "$[0]"),
    ],
)
def test_picks_of_another_form_are_refused(answer: Any, path: str) -> None:
    """Trains 2.6."""
    with pytest.raises(WireError) as caught:
        wire.read_action(picking(), answer)
    assert caught.value.path == path


def test_too_few_given_back_are_understood_and_illegal() -> None:
    """Trains 2.6."""
    view = picking()
    assert rules.why_illegal(view, wire.read_action(view, [["Alma", "Dell"]])) == "2 destinations must be kept, not 4"


@pytest.mark.parametrize(
    "answer", ["MORE", "", 5, None, {}, [], ["Alma", "Bree"], ["Alma", "Bree", "red", 3, 3], ["Alma", "Bree", "red", 6]]
)
def test_actions_of_another_form_are_refused(answer: Any) -> None:
    with pytest.raises(WireError):
        wire.read_action(playing(), answer)


def test_a_reversed_pair_is_understood_and_illegal() -> None:
    """Trains 14.14."""
    action = wire.read_action(playing(), ["Erin", "Alma", "blue", 3])
    assert action == Acquire(Connection("Erin", "Alma", "blue", 3))
    assert rules.why_illegal(playing(), action)


def test_answers_to_news() -> None:
    """Trains 9.2, 11.6: a map to `start`, "void" to everything else."""
    wire.check_reply(ContestBegan(), MAP_M)
    assert wire.read_proposal(MAP_M) == M
    wire.check_reply(Ended(won=True), "void")
    for news, answer in [(ContestBegan(), "void"), (Ended(won=True), "Void"), (More(()), None)]:
        with pytest.raises(WireError):
            wire.check_reply(news, answer)
