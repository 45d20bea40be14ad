"""The game as the rest of the platform sees it."""

from fairplay.core import Game, HousePlayers, Parts, Shown
from fairplay.core.game import packaged_text, read_ladder
from fairplay.core.kernel import Kernel
from fairplay.games.fish import codec, notation, numbers, rules, scoring, words
from fairplay.games.fish.drawing import editor
from fairplay.games.fish.drawing.clicks import interpret_clicks
from fairplay.games.fish.drawing.penguins import draw_token, seat_color
from fairplay.games.fish.drawing.picture import draw_picture
from fairplay.games.fish.established import ESTABLISHED
from fairplay.games.fish.players.strategies import STRATEGIES
from fairplay.games.fish.state import Action, Move, Place, PlayingAs, PlayingWith, Setup, State, View
from fairplay.games.fish.teaching import TEACHING


def load_kernel() -> Kernel[State]:
    """The rules over arrays, which need numpy."""
    from fairplay.games.fish import kernel

    return kernel


GAME: Game[State, View, Action, Setup] = Game(
    name="fish",
    about="penguins on melting hexagons: move in straight lines, eat what you leave behind",
    seats=rules.SEATS,
    variants={"standard": Setup(), "original": Setup(variant="original")},
    quick=Setup(rows=5, columns=5),
    actions=(Place, Move),
    news=(PlayingAs, PlayingWith),
    unit="fish",
    patience=3.0,  # Fish 6.2
    rules=rules,
    codec=codec,
    words=words,
    notation=notation,
    players=HousePlayers(
        strategies=STRATEGIES,
        at_sight=frozenset({"random", "greedy"}),
        ladder=read_ladder("fairplay.games.fish.players"),
        reviewer="search",
    ),
    shown=Shown(
        picture=draw_picture,
        token=draw_token,
        seat_color=seat_color,
        clicks=interpret_clicks,
        rules_text=packaged_text("fairplay.games.fish", "rules.md"),
        teaching=TEACHING,
        score_lines=scoring.score_lines,
        progress=scoring.progress,
    ),
    parts=Parts(
        established=ESTABLISHED,
        editor=editor,
        numbers=numbers,
        kernel=load_kernel,
    ),
)
