"""Calling players and rule books, which may raise anything: a player's fault, or what fails in a rule book.

No player pays for a rule book, and no rule book for a player.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fairplay.core import faults

if TYPE_CHECKING:
    import traceback
    from types import TracebackType

    from fairplay.core import AnyGame


def call_player(call: Callable[[Any], object], argument: object) -> object:
    """The result of the call, or the fault of a player that raised."""
    try:
        return call(argument)
    except faults.Misbehaved as misbehaved:
        return misbehaved.fault
    except KeyboardInterrupt:
        raise
    except BaseException as crash:  # a player may raise anything at all, SystemExit too
        return faults.Fault.of(faults.FaultKind.CRASHED, describe_crash(crash))


_OURS = ("match", "net", "run", "run/isolation")
"""Folders of the modules that call players."""


def describe_crash(crash: BaseException) -> str:
    """The error and the player's own innermost lines, without folders: a record is the same on every machine."""
    import traceback  # here, as below: most players never crash, and each match of a bot starts a process
    from pathlib import Path

    ours = [Path(__file__).parents[1] / folder for folder in _OURS]
    frames = [frame for frame in innermost_frames(crash) if Path(frame.filename).parent not in ours]
    lines = [f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}: {frame.line}" for frame in frames[-3:]]
    try:
        message = "".join(traceback.format_exception_only(crash)).strip()
    except BaseException:  # even describing the exception may raise: its __str__ is the player's code
        message = type(crash).__name__
    return "\n".join([message, *reversed(lines)])


def innermost_frames(crash: BaseException) -> list[traceback.FrameSummary]:
    """The last places that an exception came through, without looking at all of them: there may be millions."""
    import traceback

    last: deque[TracebackType] = deque(maxlen=20)
    step = crash.__traceback__
    while step is not None:
        last.append(step)
        step = step.tb_next
    return list(traceback.StackSummary.extract((each.tb_frame, each.tb_lineno) for each in last))


# -- rule books ---------------------------------------------------------------------------------

_RULES_FAIL = (Exception, SystemExit)
"""What a rule book may raise: anything but Ctrl-C."""

_NOT_OF_RULES = (faults.EngineError, faults.RecordError, faults.StoreError)
"""What is raised when the match cannot be kept or goes on wrongly: no rule book has a hand in that."""

_LONGEST_ERROR = 300
"""Characters of an exception that are quoted."""


def _describe_failure(game: AnyGame, error: BaseException, turn: int) -> faults.RuleBookFailure:
    """What `error`, which came out of the rule book of `game` after so many turns, says about it."""
    try:
        words = " ".join(f"{type(error).__name__}: {error}".split())
    except Exception:  # its __str__ is the rule book's too
        words = type(error).__name__
    words = words[:_LONGEST_ERROR].encode("utf-8", "replace").decode()  # it must not break what it is written into
    return faults.RuleBookFailure(game.name, words, _find_place(game, error), turn)


def _find_place(game: AnyGame, error: BaseException) -> str:
    """The innermost line in the folder of the rule book that the error came through, else the innermost of all."""
    from pathlib import Path

    home = Path(_file_of_rules(game)).parent
    frames = innermost_frames(error)
    own = [frame for frame in frames if Path(frame.filename).parent == home]
    frame = (own or frames)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"


def _file_of_rules(game: AnyGame) -> str:
    """The file of the rule book, which is a module, or an object of a class."""
    module: Any = game.rules if hasattr(game.rules, "__file__") else sys.modules.get(type(game.rules).__module__)
    return getattr(module, "__file__", None) or "."


@contextmanager
def rules_at_work(
    game: AnyGame, *expected: type[Exception], count_turns: Callable[[], int] = lambda: 0
) -> Iterator[None]:
    """What the block raises is a bug of the rule book, unless it is expected; raises RuleBookError."""
    try:
        yield
    except _NOT_OF_RULES:
        raise
    except _RULES_FAIL as error:
        if isinstance(error, expected):
            raise
        raise faults.RuleBookError(_describe_failure(game, error, count_turns())) from error


def require_legal_action(game: AnyGame, view: object, turn: int = 0) -> None:
    """Raises RuleBookError if a seat is on turn and has nothing to do: then no player can be blamed.

    It may take long, so it is asked when a player has failed, and not before each turn.
    """
    with rules_at_work(game, count_turns=lambda: turn):
        choices = len(game.rules.legal_actions(view))
    if not choices:
        place = _place_of_function(game.rules.legal_actions)
        raise faults.RuleBookError(
            faults.RuleBookFailure(game.name, "a seat is on turn without a legal action", place, turn)
        )


def _place_of_function(function: Callable[..., object]) -> str:
    """Where a function begins, if it can say so."""
    from pathlib import Path

    code = getattr(function, "__code__", None)
    return "legal_actions" if code is None else f"{Path(code.co_filename).name}:{code.co_firstlineno} in {code.co_name}"
