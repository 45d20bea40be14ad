"""The vocabulary that everything else is written in."""

from typing import TYPE_CHECKING

from fairplay.core.chance import Chance
from fairplay.core.convert import Json
from fairplay.core.faults import (
    ABSENCE,
    AbsentError,
    EngineError,
    FairplayError,
    Fault,
    FaultKind,
    IllegalActionError,
    KernelSizeError,
    Misbehaved,
    MissingStoreError,
    NotationError,
    NumberError,
    RecordError,
    RuleBookError,
    RuleBookFailure,
    SetupError,
    StoreError,
    UsageError,
    WireError,
)
from fairplay.core.match import (
    AnyEvent,
    AnyTurn,
    Befell,
    Began,
    ContestBegan,
    ContestEnded,
    Ended,
    Event,
    House,
    Outcome,
    Player,
    Removed,
    Score,
    ScoreLines,
    Seat,
    SeatInfo,
    Seen,
    Tiers,
    Turn,
)

if TYPE_CHECKING:
    from fairplay.core.game import (
        AnyCodec,
        AnyGame,
        AnyStrategy,
        ChanceRules,
        Codec,
        Facts,
        Game,
        HousePlayers,
        Notation,
        Parts,
        Rules,
        Shown,
        Strategy,
        Words,
    )
    from fairplay.core.shown import Picture

__all__ = [
    "ABSENCE",
    "AbsentError",
    "AnyCodec",
    "AnyEvent",
    "AnyGame",
    "AnyStrategy",
    "AnyTurn",
    "Befell",
    "Began",
    "Chance",
    "ChanceRules",
    "Codec",
    "ContestBegan",
    "ContestEnded",
    "Ended",
    "EngineError",
    "Event",
    "Facts",
    "FairplayError",
    "Fault",
    "FaultKind",
    "Game",
    "House",
    "HousePlayers",
    "IllegalActionError",
    "Json",
    "KernelSizeError",
    "Misbehaved",
    "MissingStoreError",
    "Notation",
    "NotationError",
    "NumberError",
    "Outcome",
    "Parts",
    "Picture",
    "Player",
    "RecordError",
    "Removed",
    "RuleBookError",
    "RuleBookFailure",
    "Rules",
    "Score",
    "ScoreLines",
    "Seat",
    "SeatInfo",
    "Seen",
    "SetupError",
    "Shown",
    "StoreError",
    "Strategy",
    "Tiers",
    "Turn",
    "UsageError",
    "WireError",
    "Words",
]


def __getattr__(name: str) -> object:
    """What describes whole games, once it is asked for: a bot that needs the rules must not wait for it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fairplay.core import game

    return getattr(game, name)
