"""The established protocol of Fish (Fish 7, 11): orders as calls, answers as actions."""

import msgspec

from fairplay.core import ContestBegan, ContestEnded, Json
from fairplay.core.convert import as_type
from fairplay.core.established import Call, expect_void
from fairplay.games.fish.established.forms import MoveForm, PositionForm, view_to_form
from fairplay.games.fish.state import COLORS, Action, Move, Place, PlayingAs, PlayingWith, View

CONVERSATION = "playing-as playing-with (setup ){2,4}(take-turn )*"  # Fish 7.2, 1.2


def spell_question(view: View) -> Call:
    """The call that asks for the decision that `view` awaits."""
    state: Json = msgspec.to_builtins(view_to_form(view))
    return Call("setup", [state]) if view.state.placing else Call("take-turn", [state, []])  # Fish 3.6: an empty list


def spell_news(news: object) -> Call | None:
    """The call that tells `news`; None if the protocol has no word for it."""
    match news:
        case ContestBegan():
            return Call("start", [True])  # Fish 9.2
        case ContestEnded(won):
            return Call("end", [won])  # Fish 9.6
        case PlayingAs(me):
            return Call("playing-as", [COLORS[me]])
        case PlayingWith(others):
            return Call("playing-with", [[COLORS[seat] for seat in others]])  # Fish 14.5: one array
        case _:
            return None  # Fish 5.3


def read_action(view: View, answer: Json) -> Action:
    """The action that `answer` spells; raises WireError."""
    if view.state.placing:
        return Place(as_type(answer, PositionForm))
    form: MoveForm = as_type(answer, MoveForm)
    return Move(form.start, form.target)


def check_reply(news: object, answer: Json) -> None:
    """Accept the reply to a call that told something; raises WireError."""
    expect_void(answer)
