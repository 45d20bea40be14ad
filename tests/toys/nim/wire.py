"""A protocol for Nim: three calls."""

from fairplay.games.nim.codec import view_to_json
from fairplay.games.nim.rules import Take, View

from fairplay.core import Began, Call, Ended, Json
from fairplay.core.wire import acknowledged, as_type

CONVERSATION = "begin (take )*end "


def asked(view: View) -> Call:
    return Call("take", [view_to_json(view)])


def told(news: object) -> Call | None:
    match news:
        case Began(view):
            return Call("begin", [view_to_json(view)])
        case Ended(won):
            return Call("end", [won])
        case _:
            return None


def action(view: View, answer: Json) -> Take:
    return as_type(answer, Take)


def acknowledge(news: object, answer: Json) -> None:
    acknowledged(answer)
