"""A seed and the fields of a setup, out of the words of a command line."""

import json
import secrets
from pathlib import Path
from typing import Any

from fairplay.core import UsageError


def choose_seed(seed: int | None) -> int:
    """The seed that was given, else a new one; raises UsageError."""
    if seed is not None and not -(2**63) <= seed < 2**63:
        raise UsageError("--seed: expected a whole number of at most 64 bits")
    return secrets.randbits(53) if seed is None else seed  # too many to be tried


def read_fields(given: str | None) -> dict[str, Any]:
    """The JSON object in `given`, which is the object itself or a file with one; raises UsageError."""
    if given is None:
        return {}
    where = "--setup"
    if not given.lstrip().startswith("{"):
        where = given
        try:
            given = Path(given).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise UsageError(
                f"--setup: {where} is neither a JSON object nor a file that can be read: {reason}"
            ) from None
    try:
        fields = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: malformed JSON: {error}") from None
    if not isinstance(fields, dict):
        raise UsageError(f"{where}: expected a JSON object with the parameters of the match")
    return fields
