"""Trains: hidden hands, routes between cities (docs/rules/trains.md)."""

from fairplay.core import Ended, Game
from fairplay.games.trains import codec, editor, rules, signup, wire, words
from fairplay.games.trains.atlas import names, setup_on
from fairplay.games.trains.clicks import clicks
from fairplay.games.trains.client import TrainsClient
from fairplay.games.trains.picture import picture
from fairplay.games.trains.state import Acquire, Action, Dealt, DrawCards, More, Pick, Setup, State, View
from fairplay.games.trains.strategies import STRATEGIES

__all__ = ["GAME"]

GAME: Game[State, View, Action, Setup] = Game(
    name="trains",
    about="routes between cities: collect cards in secret, take connections, join your destinations",
    seats=range(2, 9),  # Trains 1.10
    variants={"standard": Setup()},
    actions=(Pick, DrawCards, Acquire),
    news=(Dealt, More, Ended),
    unit="points",
    patience=2.0,  # Trains 6.2
    rules=rules,
    codec=codec,
    wire=wire,
    words=words,
    picture=picture,
    strategies=STRATEGIES,
    clicks=clicks,
    desk=signup,
    client=TrainsClient,
    on_map=setup_on,
    maps=names(),
    quick=Setup(map="tiny", rails=12),
    editor=editor,
)
