"""The game as the rest of the platform sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairplay.core import Ended, Game, HousePlayers, Parts, Shown
from fairplay.core.game import packaged_text, read_ladder
from fairplay.games.trains import codec, notation, numbers, rules, words
from fairplay.games.trains.drawing import editor
from fairplay.games.trains.drawing.cards import list_cards
from fairplay.games.trains.drawing.clicks import interpret_clicks
from fairplay.games.trains.drawing.paint import draw_token, seat_paint
from fairplay.games.trains.drawing.picture import draw_picture
from fairplay.games.trains.established import ESTABLISHED
from fairplay.games.trains.players.strategies import STRATEGIES
from fairplay.games.trains.scoring import add_up_points, score_lines
from fairplay.games.trains.state import Acquire, Action, Dealt, DrawCards, More, Pick, Setup, State, View
from fairplay.games.trains.teaching import TEACHING

if TYPE_CHECKING:
    from fairplay.core.kernel import Kernel


def load_kernel() -> Kernel[State]:
    """The rules over rows of words; they need numpy."""
    from fairplay.games.trains import kernel

    return kernel


GAME: Game[State, View, Action, Setup] = Game(
    name="trains",
    about="routes between cities: collect cards in secret, take connections, join your destinations",
    seats=range(2, 9),  # Trains 1.10
    variants={"standard": Setup()},
    quick=Setup(map="tiny", rails=12),
    actions=(Pick, DrawCards, Acquire),
    news=(Dealt, More, Ended),
    unit="points",
    patience=2.0,  # Trains 6.2
    rules=rules,
    codec=codec,
    words=words,
    notation=notation,
    players=HousePlayers(
        strategies=STRATEGIES,
        at_sight=frozenset({"random", "hold-10", "buy-now", "cheat"}),
        ladder=read_ladder("fairplay.games.trains.players"),
        reviewer="search",
        rogues=frozenset({"cheat"}),
    ),
    shown=Shown(
        picture=draw_picture,
        token=draw_token,
        seat_color=seat_paint,
        cards=list_cards,
        clicks=interpret_clicks,
        rules_text=packaged_text("fairplay.games.trains", "rules.md"),
        teaching=TEACHING,
        score_lines=score_lines,
        progress=add_up_points,
    ),
    parts=Parts(
        established=ESTABLISHED,
        editor=editor,
        numbers=numbers,
        kernel=load_kernel,
    ),
)
