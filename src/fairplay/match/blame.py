"""A rule book that fails: found, and named with the place where it did, so that no player is blamed for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from fairplay.core import (
    AnyGame,
    EngineError,
    RecordError,
    RuleBookError,
    RuleBookFailure,
    StoreError,
)
from fairplay.match.calls import innermost_frames

__all__ = ["require_legal_action", "rules_at_work"]

RULES_FAIL: Final = (Exception, SystemExit)
"""What a rule book may raise: anything but Ctrl-C."""

NOT_OF_RULES: Final = (EngineError, RecordError, StoreError)
"""What is raised where the match cannot be kept or goes on wrongly: no rule book has a hand in that."""

LONGEST_ERROR: Final = 300
"""Characters of an exception that are quoted."""


def describe_failure(game: AnyGame, error: BaseException, turn: int) -> RuleBookFailure:
    """What `error`, which came out of the rule book of `game` after so many turns, says about it."""
    try:
        words = " ".join(f"{type(error).__name__}: {error}".split())
    except Exception:  # its __str__ is the rule book's too
        words = type(error).__name__
    words = words[:LONGEST_ERROR].encode("utf-8", "replace").decode()  # it must not break what it is written into
    return RuleBookFailure(game.name, words, find_place(game, error), turn)


def find_place(game: AnyGame, error: BaseException) -> str:
    """The innermost line in the folder of the rule book that the error came through, else the innermost of all."""
    home = file_of_rules(game).parent
    frames = innermost_frames(error)
    own = [frame for frame in frames if Path(frame.filename).parent == home]
    frame = (own or frames)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"


def file_of_rules(game: AnyGame) -> Path:
    """The file of the rule book, which is a module, or an object of a class."""
    module: Any = game.rules if hasattr(game.rules, "__file__") else sys.modules.get(type(game.rules).__module__)
    return Path(getattr(module, "__file__", None) or ".")


@contextmanager
def rules_at_work(
    game: AnyGame, *expected: type[Exception], count_turns: Callable[[], int] = lambda: 0
) -> Iterator[None]:
    """What the block raises is a bug of the rule book, unless it is expected; raises RuleBookError."""
    try:
        yield
    except NOT_OF_RULES:
        raise
    except RULES_FAIL as error:
        if isinstance(error, expected):
            raise
        raise RuleBookError(describe_failure(game, error, count_turns())) from error


def require_legal_action(game: AnyGame, view: Any, turn: int = 0) -> None:
    """Raises RuleBookError where a seat is on turn and has nothing to do: then no player can be blamed.

    It may take long, so it is asked when a player has failed, and not before each turn.
    """
    with rules_at_work(game, count_turns=lambda: turn):
        choices = len(game.rules.legal_actions(view))
    if not choices:
        code = getattr(game.rules.legal_actions, "__code__", None)
        place = f"{Path(code.co_filename).name}:{code.co_firstlineno} in legal_actions" if code else "legal_actions"
        raise RuleBookError(RuleBookFailure(game.name, "a seat is on turn without a legal action", place, turn))
