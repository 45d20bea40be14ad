"""Fish: penguins on melting hexagons (docs/rules/fish.md)."""

from fairplay.core import Game
from fairplay.games.fish import codec, editor, rules, signup, wire, words
from fairplay.games.fish.clicks import clicks
from fairplay.games.fish.client import FishClient
from fairplay.games.fish.picture import picture
from fairplay.games.fish.state import Action, Move, Place, PlayingAs, PlayingWith, Setup, State, View
from fairplay.games.fish.strategies import STRATEGIES

__all__ = ["GAME"]

GAME: Game[State, View, Action, Setup] = Game(
    name="fish",
    about="penguins on melting hexagons: move in straight lines, eat what you leave behind",
    seats=rules.SEATS,
    variants={"standard": Setup(), "original": Setup(variant="original")},
    actions=(Place, Move),
    news=(PlayingAs, PlayingWith),
    unit="fish",
    patience=3.0,  # Fish 6.2
    rules=rules,
    codec=codec,
    wire=wire,
    words=words,
    picture=picture,
    strategies=STRATEGIES,
    clicks=clicks,
    desk=signup,
    client=FishClient,
    quick=Setup(rows=5, columns=5),
    editor=editor,
)
