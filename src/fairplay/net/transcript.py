"""A transcript of connections: every value that was sent or received, with its time and the peer, as lines of JSON.

It is for finding out why two implementations do not understand each other.  Tokens and session keys are left out, and
the file is for its owner alone.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

import msgspec
from msgspec import Struct

from fairplay.core import UsageError, WireError
from fairplay.net.framing import decode_value

Direction: TypeAlias = Literal["received", "sent"]

_MAX_BYTES = 268_435_456
"""Bytes after which nothing more is written: strangers must not fill the disk."""

_SECRETS = ("session", "token")
"""Fields of native messages of which only the name is written."""

_LEFT_OUT = "(left out)"


class TranscriptLine(Struct, frozen=True, omit_defaults=True):
    """One value; what is not JSON is written as text."""

    time: str  # UTC
    direction: Direction
    peer: str
    value: Any = msgspec.UNSET
    text: str = ""


class Transcript:
    """Writes down what connections send and receive.  It stops, and says why, once it cannot or may not write more."""

    def __init__(
        self,
        file: BinaryIO,
        report: Callable[[str], object],
        *,
        most: int = _MAX_BYTES,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self._file: BinaryIO | None = file
        self._report, self._left = report, most
        self._now = now or (lambda: datetime.now(UTC))

    def add(self, direction: Direction, peer: str, value: bytes) -> None:
        if self._file is None:
            return
        time = self._now().isoformat(timespec="milliseconds")
        try:
            line = TranscriptLine(time, direction, peer, _hide_secrets(decode_value(value)))
        except WireError:
            line = TranscriptLine(time, direction, peer, text=value.decode("utf-8", "backslashreplace"))
        self._write(msgspec.json.encode(line) + b"\n")

    def _write(self, line: bytes) -> None:
        assert self._file is not None
        if len(line) > self._left:
            self._stop("it is full")
            return
        self._left -= len(line)
        try:
            self._file.write(line)
            self._file.flush()  # a transcript is read after things went wrong
        except OSError as error:
            self._stop(str(error))

    def _stop(self, reason: str) -> None:
        self._file = None
        self._report(f"the transcript ends here: {reason}")


def _hide_secrets(value: object) -> object:
    """`value` without tokens and session keys."""
    if not isinstance(value, dict):
        return value
    return {key: _LEFT_OUT if key in _SECRETS else each for key, each in value.items()}


@contextmanager
def open_transcript(path: Path | None, report: Callable[[str], object]) -> Iterator[Transcript | None]:
    """A transcript in a new file that only its owner can read; None without a path.  Raises UsageError."""
    if path is None:
        yield None
        return
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageError(f"--transcript: {path} is there already; name a new file, or delete it first") from None
    except OSError as error:
        raise UsageError(f"--transcript: {path} cannot be written: {error.strerror}") from None
    with os.fdopen(descriptor, "wb") as file:
        yield Transcript(file, report)
