"""What to deal: a seed, a setup and a board, out of the words of a command line."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from fairplay.core import AnyGame, Json, SetupError, UsageError, WireError
from fairplay.core.convert import explain_mismatch
from fairplay.core.names import list_known
from fairplay.parts.editor import Editor, setup_for_board

__all__ = ["build_setup", "choose_seed", "choose_setup", "read_board", "read_fields", "require_editor"]


def choose_seed(seed: int | None) -> int:
    """The seed that was given, else a new one; raises UsageError."""
    if seed is not None and not -(2**63) <= seed < 2**63:
        raise UsageError("--seed: expected a whole number of at most 64 bits")
    return secrets.randbits(53) if seed is None else seed  # too many to be tried


def choose_setup(game: AnyGame, variant: str | None, fields: Mapping[str, Any], board: str | None = None) -> Any:
    """The setup of `variant`, on `board`, with the given fields changed; raises SetupError or UsageError."""
    names = list(game.variants)
    if variant is not None and variant not in names:
        raise UsageError(f"{game.name} has no variant '{variant}'; it has {list_known(variant, names)}")
    named = variant or fields.get("variant")
    bases = [game.variants[named]] if named in names else [*game.variants.values()]
    return build_setup(game, bases[0] if board is None else setup_on_board(game, board, bases), fields)


def build_setup(game: AnyGame, base: Any, fields: Mapping[str, Any]) -> Any:
    """`base` with the given fields changed; raises SetupError."""
    try:
        return msgspec.convert({**msgspec.to_builtins(base), **fields}, game.setup)
    except msgspec.ValidationError as error:
        raise SetupError(f"--setup: {explain_mismatch(error, game.setup)}") from None


def setup_on_board(game: AnyGame, given: str, bases: Sequence[Any]) -> Any:
    """The first of `bases` that goes with a board, on it; raises UsageError, or SetupError where none does."""
    try:
        return setup_for_board(require_editor(game), read_board(game, given), bases)
    except WireError as error:
        raise UsageError(f"{given}: {error}") from None


def require_editor(game: AnyGame) -> Editor[Any]:
    """What the game knows about boards; raises UsageError where it has none."""
    if game.editor is None:
        raise UsageError(f"{game.name} has no boards to choose from")
    return game.editor


def read_board(game: AnyGame, given: str) -> Json:
    """The JSON of a board in the file `given`, or the name of one that comes with the game; raises UsageError."""
    names = require_editor(game).BOARDS
    try:
        return json.loads(Path(given).read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{given}: malformed JSON: {error}") from None
    except (FileNotFoundError, IsADirectoryError):
        if given in names:
            return given
        known = f"the boards of {game.name} are {list_known(given, names)}"
        raise UsageError(f"there is no file {given}, nor a board of that name; {known}") from None


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
