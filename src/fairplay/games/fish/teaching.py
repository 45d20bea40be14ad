"""How Fish is taught: five pictures, and advice in a first match."""

from fairplay.core import Picture, Turn
from fairplay.core.shown import Lesson, PartialMove, Teaching
from fairplay.games.fish.advice import advise, explain
from fairplay.games.fish.drawing.clicks import interpret_clicks
from fairplay.games.fish.drawing.picture import draw_picture
from fairplay.games.fish.notation import parse_position
from fairplay.games.fish.rules import apply
from fairplay.games.fish.state import Action, Move, State, View

CATCH = "standard 2143/1352/3214/2531/1423 0:1,2;0:3,0 red move 2"
PLACING = "standard 2143/1352/3214/2531/1423 0:1,2;0:3,1 red place 2"
LINES = "standard 2143/1352/3214/2r531/1423/2312 2:2,1;0:0,2 red move 4"
BREAKING = "standard 2143/1352/3214w/2531r/1423 1:1,2;4:0,3 red move 4"
END = "standard 21r43w/1r3r5r2w/3r2w1w4/2w5r31w/1w42r3w 20:0,0+4,1;15:2,3+3,2 nobody move 19"


def draw_lessons() -> tuple[Lesson, ...]:
    return (
        Lesson(
            "Collect fish",
            "The player with the most fish in the end wins: you get those of a tile when your penguin leaves it.",
            draw_move(CATCH, Move((1, 2), (3, 2))),
        ),
        Lesson(
            "Place your penguins",
            "First everyone places penguins in turn, one at a time, on free tiles: many fish and much room are best.",
            draw_choice(PLACING),
        ),
        Lesson(
            "Move in straight lines",
            "Then move one penguin a turn: as far as you like in one of six directions, but not over holes or others.",
            draw_choice(LINES, "at=2,1"),
        ),
        Lesson(
            "Break the ice",
            "The tile you leave sinks, so the ice breaks apart: here red has cut white off from all but one tile.",
            draw_move(BREAKING, Move((1, 2), (3, 1))),
        ),
        Lesson(
            "The end",
            "When nobody can move any more, the match is over and the most fish win; tiles that are left do not count.",
            draw_picture(parse_position(END)),
        ),
    )


def draw_move(position: str, move: Action) -> Picture:
    """Draw a position after a move, with its marks."""
    before = parse_position(position)
    assert before.turn is not None
    turn: Turn[State, Action] = Turn(before, before.turn, move, apply(before, move))
    return draw_picture(turn.after, turn, seats=False)


def draw_choice(position: str, *clicked: str) -> Picture:
    """Draw a position with what can be clicked after some clicks."""
    state = parse_position(position)
    assert state.turn is not None
    wish = interpret_clicks(View(state.turn, state), clicked)
    assert isinstance(wish, PartialMove)
    return draw_picture(state, seats=False, lit=[choice.key for choice in wish.choices], chosen=wish.chosen)


TEACHING = Teaching(minutes="5 to 10", lessons=draw_lessons, advise=advise, explain=explain)
