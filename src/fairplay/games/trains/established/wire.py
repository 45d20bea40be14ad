"""The established protocol of Trains (Trains 7, 11): orders as calls, answers as actions."""

from fairplay.core import ContestBegan, ContestEnded, Ended, Json, WireError
from fairplay.core.convert import as_type
from fairplay.core.established import Call, expect_void
from fairplay.games.trains.established.forms import player_state_to_json
from fairplay.games.trains.map import Connection, Destination, Map
from fairplay.games.trains.maps.files import map_from_json, map_to_json
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Action, Dealt, More, Pick, View

CONVERSATION = "setup pick (play (more )?)*win "  # Trains 7.2

_MORE_CARDS = "more cards"


def spell_question(view: View) -> Call:
    """The call that asks for the decision that `view` awaits."""
    if view.picking:
        return Call("pick", [[list(pair) for pair in view.offer]])
    return Call("play", [player_state_to_json(view)])


def spell_news(news: object) -> Call | None:
    """The call that tells `news`; None if the protocol has no word for it."""
    match news:
        case ContestBegan():
            return Call("start", [True])
        case Dealt(map, rails, cards):
            return Call("setup", [map_to_json(map), rails, list(cards)])
        case More(cards):
            return Call("more", [list(cards)])
        case Ended(won):
            return Call("win", [won])
        case ContestEnded(won):
            return Call("end", [won])
        case _:
            return None


def read_action(view: View, answer: Json) -> Action:
    """The action that `answer` spells; raises WireError."""
    if view.picking:
        return _read_pick(view, as_type(answer, tuple[Destination, ...]))
    if answer == _MORE_CARDS:
        return DRAW
    if isinstance(answer, str):
        raise WireError(f'expected "{_MORE_CARDS}" or a connection')
    return Acquire(as_type(answer, Connection))


def _read_pick(view: View, rejected: tuple[Destination, ...]) -> Pick:
    """Read a pick: the protocol names what is given back, our action what is kept (Trains 2.6); raises WireError."""
    for index, pair in enumerate(rejected):
        if pair not in view.offer or pair in rejected[:index]:
            fault = "was not offered" if pair not in view.offer else "is given back twice"
            raise WireError(f"{' - '.join(pair)} {fault}", f"$[{index}]")
    return Pick(tuple(pair for pair in view.offer if pair not in rejected))


def check_reply(news: object, answer: Json) -> None:
    """Accept the reply to a call that told something; raises WireError."""
    if isinstance(news, ContestBegan):
        read_proposal(answer)
    else:
        expect_void(answer)


def read_proposal(answer: Json) -> Map:
    """Read the map that a player proposes in answer to `start` (Trains 9.2); raises WireError."""
    return map_from_json(answer)
