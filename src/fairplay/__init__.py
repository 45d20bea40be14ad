"""Fairplay runs board games between players nobody has to trust, and says who won.

    >>> import fairplay as fp
    >>> game = fp.load("fish", rows=5, columns=5)
    >>> match = fp.play(game, ["greedy", "random"], seed=7)
    >>> match.winners
    ('greedy',)

Names are loaded when they are first used: every process of a bot imports this package.
"""

TYPE_CHECKING = False  # as that of `typing`, which takes longer to import than all the rest
if TYPE_CHECKING:
    from fairplay.api.contests import PlayerSpec
    from fairplay.api.games import LoadedGame, Position, load
    from fairplay.api.matches import Advice, MatchReview, PlayedMatch, analyse, hint, play, replay
    from fairplay.api.tournaments import ResultTable, tournament
    from fairplay.core import (
        Befell,
        Chance,
        FairplayError,
        Fault,
        IllegalActionError,
        NotationError,
        Outcome,
        RecordError,
        Removed,
        Seat,
        SetupError,
        StoreError,
        Turn,
        UsageError,
    )

__all__ = [
    "Advice",
    "Befell",
    "Chance",
    "FairplayError",
    "Fault",
    "IllegalActionError",
    "LoadedGame",
    "MatchReview",
    "NotationError",
    "Outcome",
    "PlayedMatch",
    "PlayerSpec",
    "Position",
    "RecordError",
    "Removed",
    "ResultTable",
    "Seat",
    "SetupError",
    "StoreError",
    "Turn",
    "UsageError",
    "analyse",
    "hint",
    "load",
    "play",
    "replay",
    "tournament",
]

__version__ = "0.2.0"

_HOMES = {
    "api.contests": ("PlayerSpec",),
    "api.games": ("LoadedGame", "Position", "load"),
    "api.matches": ("Advice", "MatchReview", "PlayedMatch", "analyse", "hint", "play", "replay"),
    "api.tournaments": ("ResultTable", "tournament"),
}
"""The modules whose names are offered here; all other names are those of `fairplay.core`."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    home = next((home for home, names in _HOMES.items() if name in names), "core")
    found = globals()[name] = getattr(import_module(f"fairplay.{home}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({"__version__", *__all__})
