"""What to deal: the setup of a variant, on a board, with some of its fields changed; and chance for a contest."""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from fairplay.contest.planning import Draw
from fairplay.core import AnyGame, Json, SetupError, UsageError, WireError
from fairplay.core.convert import explain_mismatch
from fairplay.core.editor import Editor, setup_for_board
from fairplay.core.names import list_known


def draw_chance(seed: int | None = None) -> Draw:
    """A secret for a new contest, and a seed unless it is given: too many to be tried."""
    return Draw(secrets.randbits(53) if seed is None else seed, secrets.token_hex(16))


def choose_setup(game: AnyGame, variant: str | None, fields: Mapping[str, object], board: Json | Path = None) -> Any:
    """The setup of `variant`, on `board`, with the given fields changed; raises SetupError or UsageError.

    board: the name of one that comes with the game, a file, or the board itself as JSON.
    """
    names = list(game.variants)
    if variant is not None and variant not in names:
        raise UsageError(f"{game.name} has no variant '{variant}'; it has {list_known(variant, names)}")
    named = variant or fields.get("variant")
    bases = [game.variants[named]] if named in names else [*game.variants.values()]
    return build_setup(game, bases[0] if board is None else setup_on_board(game, board, bases), fields)


def build_setup(game: AnyGame, base: object, fields: Mapping[str, object]) -> Any:
    """`base` with the given fields changed; raises SetupError, or UsageError for a board that cannot be played on."""
    field = "" if game.parts.editor is None else game.parts.editor.BOARD_FIELD
    if isinstance(board := fields.get(field), dict):
        base = setup_on_board(game, board, [base], what=field)
        fields = {name: value for name, value in fields.items() if name != field}
    try:
        return msgspec.convert({**msgspec.to_builtins(base), **fields}, game.setup)
    except msgspec.ValidationError as error:
        raise SetupError(f"setup: {explain_mismatch(error, game.setup)}") from None


def setup_on_board(game: AnyGame, given: Json | Path, bases: Sequence[Any], what: str = "board") -> Any:
    """The first of `bases` that goes with a board, on it; raises UsageError, or SetupError if none does."""
    named = isinstance(given, str | Path)
    try:
        return setup_for_board(require_editor(game), read_board(game, str(given)) if named else given, bases)
    except WireError as error:
        raise UsageError(f"{given if named else what}: {error}") from None


def require_editor(game: AnyGame) -> Editor[Any]:
    """What the game knows about boards; raises UsageError if it has none."""
    if game.parts.editor is None:
        raise UsageError(f"{game.name} has no boards to choose from")
    return game.parts.editor


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


# -- in words ----------------------------------------------------------------------------------


def name_setup(game: AnyGame, setup: Any) -> str:
    """What is played, such as "original" or "quick (rows 5, columns 5)": the same words for the same setup alone."""
    base = game.variants[setup.variant]
    name, told = setup.variant, [*_describe_differences(game, setup, base)]
    if setup == game.quick:
        first = next(iter(game.variants))
        name, told = "quick", [*([] if setup.variant == first else [setup.variant]), *told]
    return f"{name} ({', '.join(told)})" if told else name


def _describe_differences(game: AnyGame, setup: Any, base: object) -> Iterator[str]:
    """What a setup has that its variant has not, field by field."""
    for field in setup.__struct_fields__:
        value = getattr(setup, field)
        if value != getattr(base, field):
            yield f"{field.replace('_', ' ')} {_name_value(game, field, value, base)}"


def _name_value(game: AnyGame, field: str, value: object, base: object) -> str:
    """A number or a word as it is, a board by its name; a board that somebody drew by a part of its hash."""
    if value is None or isinstance(value, str | int | float):
        return "none" if value is None else str(value)
    if (editor := game.parts.editor) is not None:
        for board in editor.BOARDS:
            with suppress(SetupError):  # some boards go with other variants
                if getattr(editor.setup_on(board, base), field) == value:
                    return board
    return f"#{sha256(msgspec.json.encode(value)).hexdigest()[:8]}"
