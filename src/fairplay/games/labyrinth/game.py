"""The game as the rest of the platform sees it."""

from fairplay.core import Began, Ended, Game, HousePlayers, Parts, Shown
from fairplay.core.game import packaged_text, read_ladder
from fairplay.core.kernel import Kernel
from fairplay.games.labyrinth import codec, goals, notation, numbers, rules, words
from fairplay.games.labyrinth.drawing import editor
from fairplay.games.labyrinth.drawing.clicks import interpret_clicks
from fairplay.games.labyrinth.drawing.figures import draw_token, seat_color
from fairplay.games.labyrinth.drawing.panel import show_cards
from fairplay.games.labyrinth.drawing.picture import draw_picture
from fairplay.games.labyrinth.established import ESTABLISHED
from fairplay.games.labyrinth.players.strategies import STRATEGIES
from fairplay.games.labyrinth.state import Action, Move, NextTarget, Pass, Setup, State, View
from fairplay.games.labyrinth.teaching import TEACHING


def load_kernel() -> Kernel[State]:
    """The rules over rows of words, which need numpy."""
    from fairplay.games.labyrinth import kernel

    return kernel


GAME: Game[State, View, Action, Setup] = Game(
    name="labyrinth",
    about="a maze of sliding tiles: push a row, walk to your secret goal, be first back home",
    seats=range(2, 7),  # Labyrinth 1.1
    variants={"plain": Setup(), "multi-goal": Setup("multi-goal"), "original": Setup("original")},
    quick=Setup("multi-goal", goals=2),
    actions=(Pass, Move),
    news=(Began, NextTarget, Ended),
    unit="treasures",
    patience=4.0,  # Labyrinth 6.2
    rules=rules,
    codec=codec,
    words=words,
    notation=notation,
    players=HousePlayers(
        strategies=STRATEGIES,
        at_sight=frozenset({"random", "riemann", "euclid"}),
        ladder=read_ladder("fairplay.games.labyrinth.players"),
        reviewer="search",
    ),
    shown=Shown(
        picture=draw_picture,
        token=draw_token,
        seat_color=seat_color,
        cards=show_cards,
        clicks=interpret_clicks,
        rules_text=packaged_text("fairplay.games.labyrinth", "rules.md"),
        teaching=TEACHING,
        score_lines=goals.score_lines,
        progress=goals.progress,
    ),
    parts=Parts(
        established=ESTABLISHED,
        editor=editor,
        numbers=numbers,
        kernel=load_kernel,
    ),
)
