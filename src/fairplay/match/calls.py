"""Calling a player that may raise anything: what it returns, or its fault."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from fairplay.core import Fault, FaultKind, Misbehaved

if TYPE_CHECKING:
    import traceback
    from types import TracebackType

__all__ = ["call_player", "describe_crash", "innermost_frames"]


def call_player(call: Callable[[Any], Any], argument: Any) -> Any:
    """The result of the call, or the fault of a player that raised."""
    try:
        return call(argument)
    except Misbehaved as misbehaved:
        return misbehaved.fault
    except KeyboardInterrupt:
        raise
    except BaseException as crash:  # a player may raise anything at all, SystemExit too
        return Fault.of(FaultKind.CRASHED, describe_crash(crash))


OURS: Final = ("match", "run", "run/isolation")
"""Folders of the modules that call players."""


def describe_crash(crash: BaseException) -> str:
    """The error and the player's own innermost lines, without folders: a record is the same on every machine."""
    import traceback  # here, as below: most players never crash, and each match of a bot starts a process
    from pathlib import Path

    ours = [Path(__file__).parents[1] / folder for folder in OURS]
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
