"""The shared token of the native protocol: out of a file or the environment, never off the command line."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from fairplay.core import UsageError

F = TypeVar("F", bound=Callable[..., Any])

VARIABLE = "FAIRPLAY_TOKEN"
MAX_LENGTH = 256


def token_option(help: str) -> Callable[[F], F]:
    """`--token-file`, which does not show the token to everyone on the machine as a command line would."""
    return click.option("--token-file", type=click.Path(path_type=Path, exists=True, dir_okay=False), help=help)


def choose_token(protocol: str, file: Path | None) -> str | None:
    """The token in `file`, else in the environment, if there is one; raises UsageError."""
    where, token = (VARIABLE, os.environ.get(VARIABLE)) if file is None else ("--token-file", read_token(file))
    if token is None:
        return None
    if protocol != "native":
        raise UsageError(f"{where}: the established protocols cannot carry a token; use --protocol native, or no token")
    if not 1 <= len(token) <= MAX_LENGTH or not token.isprintable():
        raise UsageError(f"{where}: a token is one line of 1 to {MAX_LENGTH} printable characters")
    return token


def read_token(file: Path) -> str:
    """What a file holds, without the end of its line; raises UsageError."""
    try:
        return file.read_text("utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "it is not UTF-8 text")
        raise UsageError(f"--token-file: {file} cannot be read: {reason}") from None
