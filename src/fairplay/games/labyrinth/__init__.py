"""Labyrinth: sliding tiles, secret goals, a way home (docs/rules/labyrinth.md)."""

from fairplay.core import Began, Ended, Game
from fairplay.games.labyrinth import codec, editor, rules, signup, wire, words
from fairplay.games.labyrinth.clicks import clicks
from fairplay.games.labyrinth.client import LabyrinthClient
from fairplay.games.labyrinth.picture import picture
from fairplay.games.labyrinth.state import Action, Move, NextTarget, Pass, Setup, State, View
from fairplay.games.labyrinth.strategies import STRATEGIES

__all__ = ["GAME"]

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
    wire=wire,
    words=words,
    picture=picture,
    strategies=STRATEGIES,
    clicks=clicks,
    desk=signup,
    client=LabyrinthClient,
    quick=Setup("multi-goal", goals=2),
    editor=editor,
)
