"""What follows from the types of a game: all that is not its state, its actions and five functions.

A game is a module with a ``State``, classes derived from `Action`, and the functions ``start``, ``to_move``,
``legal_actions``, ``apply`` and ``scores``, which have the meaning that `Rules` gives them.  `game_of` makes the rest;
whatever a module has of its own replaces what would be made: any other function of `Rules`, `Codec`, `Notation` and
`Words`, ``picture``, ``clicks``, ``token``, ``cards``, ``numbers``, and names such as ``SEATS``, ``VARIANTS``,
``STRATEGIES`` and ``UNIT``.
"""

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from fairplay.core import AnyGame, Began, Codec, Ended, Game, HousePlayers, Notation, Parts, Shown, Words
from fairplay.defaults.fields import Action, BySeat, Columns, DerivedNumbers, Hidden, Own, actions_of
from fairplay.defaults.players import players_of
from fairplay.defaults.rules import DerivedRules
from fairplay.defaults.shown import clicks_of, picture_of
from fairplay.defaults.texts import DerivedCodec, DerivedNotation, DerivedWords

__all__ = [
    "Action",
    "BySeat",
    "Columns",
    "DerivedCodec",
    "DerivedNotation",
    "DerivedNumbers",
    "DerivedRules",
    "DerivedWords",
    "Hidden",
    "Own",
    "clicks_of",
    "game_of",
    "picture_of",
    "players_of",
]


def game_of(module: ModuleType | str, name: str | None = None) -> AnyGame:
    """The game that a module, or the module of this name, describes; raises TypeError with the line to write.

    name: what the game is called; by default, as the module.
    """
    if isinstance(module, str):
        module = sys.modules[module]
    given: Mapping[str, Any] = vars(module)
    name = name or module.__name__.rpartition(".")[2]
    rules = DerivedRules(module, name, given.get("SEATS", range(2, 3)))
    actions = actions_of(vars(module))
    if not actions:
        raise TypeError("a game needs actions: `class Drop(Action)`, with Action from fairplay.defaults")
    notation = _replace(DerivedNotation(actions, rules.Position), Notation, given)
    words = _replace(DerivedWords(rules, given.get("VERBS")), Words, given)
    if "describe_outcome" in given:
        words.describe_outcome = given["describe_outcome"]
    players = players_of(rules)
    strategies = {**players.strategies, **given.get("STRATEGIES", {})}
    return Game(
        name=name,
        about=" ".join((module.__doc__ or name).strip().partition("\n\n")[0].split()),
        seats=rules.seats,
        variants=given.get("VARIANTS") or {"standard": rules.Setup()},
        actions=actions,
        news=(Began, Ended),
        unit=given.get("UNIT", "points"),
        patience=given.get("PATIENCE", 5.0),
        rules=rules,
        codec=_replace(DerivedCodec(rules.Position, rules.View), Codec, given),
        words=words,
        notation=notation,
        players=HousePlayers(strategies, at_sight=players.at_sight, reviewer=players.reviewer),
        shown=Shown(
            picture=given.get("picture") or picture_of(name, rules, words),
            clicks=given.get("clicks") or clicks_of(rules, notation, words),
            token=given.get("token"),
            cards=given.get("cards"),
            seat_color=given.get("seat_color"),
            teaching=given.get("teaching"),
        ),
        parts=Parts(numbers=given.get("numbers") or DerivedNumbers(name, actions, rules.View, rules.legal_actions)),
    )


def _replace(derived: Any, protocol: type, given: Mapping[str, Any]) -> Any:
    """`derived` with those functions of a protocol that a module has of its own."""
    for name in vars(protocol):
        if not name.startswith("_") and name in given:
            setattr(derived, name, given[name])
    return derived
