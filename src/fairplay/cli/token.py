"""The shared token of the native protocol: out of a file or the environment, never off the command line."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from fairplay.core import UsageError

__all__ = ["chosen_token", "token_option"]

F = TypeVar("F", bound=Callable[..., Any])

VARIABLE = "FAIRPLAY_TOKEN"
LONGEST = 256


def token_option(help: str) -> Callable[[F], F]:
    return click.option("--token-file", type=click.Path(path_type=Path, exists=True, dir_okay=False), help=help)


def chosen_token(protocol: str, file: Path | None) -> str | None:
    """The token in `file`, else in the environment, if there is one; raises UsageError."""
    where, token = (VARIABLE, os.environ.get(VARIABLE)) if file is None else ("--token-file", read(file))
    if token is None:
        return None
    if protocol != "native":
        raise UsageError(f"{where}: the established protocols cannot carry a token; use --protocol native, or none")
    if not 1 <= len(token) <= LONGEST or not token.isprintable():
        raise UsageError(f"{where}: a token has 1 to {LONGEST} characters, all of them printable, in one line")
    return token


def read(file: Path) -> str:
    try:
        return file.read_text("utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"--token-file: {file} cannot be read: {getattr(error, 'strerror', 'it is no text')}"
        ) from None
