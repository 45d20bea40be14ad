"""The established protocol of Labyrinth (7, 11): orders as calls, answers as actions."""

import msgspec

from fairplay.core import Began, Ended, Json
from fairplay.core.convert import as_type
from fairplay.core.established import Call, expect_void
from fairplay.games.labyrinth.established.forms import MoveForm, target_to_json, view_to_form
from fairplay.games.labyrinth.state import Action, Move, NextTarget, Pass, View

CONVERSATION = "setup (take-turn (setup )?)*win "  # Labyrinth 7.2

PASS = "PASS"


def spell_question(view: View) -> Call:
    """The call that asks for the decision that `view` awaits."""
    return Call("take-turn", [state_to_json(view)])


def spell_news(news: object) -> Call | None:
    """The call that tells `news`; None if the protocol has no word for it."""
    match news:
        case Began(view):
            assert view.target is not None
            return Call("setup", [state_to_json(view), target_to_json(view.target)])
        case NextTarget(target):
            return Call("setup", [False, target_to_json(target)])
        case Ended(won):
            return Call("win", [won])
        case _:
            return None  # Labyrinth 9.2


def read_action(view: View, answer: Json) -> Action:
    """The action that `answer` spells; raises WireError."""
    if answer == PASS and isinstance(answer, str):
        return Pass()
    index, direction, degree, to = as_type(answer, MoveForm)
    return Move(index, direction, degree, to.position)


def check_reply(news: object, answer: Json) -> None:
    """Accept the reply to a call that told something; raises WireError."""
    expect_void(answer)  # Labyrinth 11.6


def state_to_json(view: View) -> Json:
    """Write down what the owner of `view` is shown."""
    return msgspec.to_builtins(view_to_form(view))
