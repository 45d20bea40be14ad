"""The game as the rest of the platform sees it."""

from fairplay.core import Began, Ended, Game
from fairplay.core.kernel import Kernel
from fairplay.core.ladder import read_ladder
from fairplay.games.labyrinth import codec, goals, notation, numbers, rules, words
from fairplay.games.labyrinth.drawing import editor
from fairplay.games.labyrinth.drawing.cards import show_cards
from fairplay.games.labyrinth.drawing.clicks import interpret_clicks
from fairplay.games.labyrinth.drawing.figures import draw_token, seat_color
from fairplay.games.labyrinth.drawing.picture import draw_picture
from fairplay.games.labyrinth.established import ESTABLISHED
from fairplay.games.labyrinth.players.strategies import STRATEGIES
from fairplay.games.labyrinth.state import Action, Move, NextTarget, Pass, Setup, State, View
from fairplay.games.labyrinth.teaching import TEACHING

__all__ = ["GAME", "load_kernel"]


def load_kernel() -> Kernel[State]:
    """The rules over rows of words, which need numpy."""
    from fairplay.games.labyrinth import kernel

    return kernel


GAME: Game[State, View, Action, Setup] = Game(
    name="labyrinth",
    about="a maze of sliding tiles: push a row, walk to your secret goal, be first back home",
    seats=range(2, 7),  # Labyrinth 1.1
    variants={"plain": Setup(), "multi-goal": Setup("multi-goal"), "original": Setup("original")},
    actions=(Pass, Move),
    news=(Began, NextTarget, Ended),
    unit="treasures",
    patience=4.0,  # Labyrinth 6.2
    rules=rules,
    codec=codec,
    words=words,
    notation=notation,
    picture=draw_picture,
    strategies=STRATEGIES,
    at_sight=frozenset({"random", "riemann", "euclid"}),
    clicks=interpret_clicks,
    established=ESTABLISHED,
    quick=Setup("multi-goal", goals=2),
    editor=editor,
    numbers=numbers,
    kernel=load_kernel,
    ladder=read_ladder("fairplay.games.labyrinth.players"),
    cards=show_cards,
    token=draw_token,
    seat_color=seat_color,
    score_lines=goals.score_lines,
    progress=goals.progress,
    teaching=TEACHING,
)
