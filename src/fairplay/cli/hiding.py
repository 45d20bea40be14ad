"""What a command keeps from its players, and what it says about where that lies."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from pathlib import Path

import click

from fairplay.cli.keys import find_key_file
from fairplay.contest.contest import Contest, Hidden
from fairplay.run.isolation.hidden import hide_paths
from fairplay.store import default_url, store_file

__all__ = ["hide_files", "warn_of_neighbors"]


def hide_files(
    db: str | None,
    key: Path | None,
    *,
    folders: Iterable[str | Path | None] = (),
    files: Iterable[str | Path | None] = (),
) -> Hidden:
    """What no player is shown: the store, its keys, and what else the command writes to `folders` and `files`."""
    place = db or default_url()
    return hide_paths([store_file(place), find_key_file(key, place), *files], folders)


def warn_of_neighbors(contest: Contest, place: str, key: Path | None) -> None:
    """Say so if the store or its key lies in a bot's folder, and what to do about it."""
    from fairplay.run.entrants import files_of, is_trusted
    from fairplay.run.isolation.levels import find_level

    files = {"--db": store_file(place), "--key": find_key_file(key, place)}
    for bot in files_of(contest):
        beside = {option: file for option, file in files.items() if file and is_in_folder_of(bot, file)}
        if beside:
            trusted = any(is_trusted(entrant.spec) for entrant in contest.entrants)
            sandboxed = not trusted and find_level().level == "sandboxed"
            click.echo(describe_neighbors(bot, [*map(str, beside.values())], sandboxed, min(beside)), err=True)
            return


def is_in_folder_of(bot: str, file: Path) -> bool:
    """Is there such a file, in the folder of the bot or below it?"""
    return file.exists() and Path(os.path.realpath(file)).is_relative_to(Path(os.path.realpath(bot)).parent)


def describe_neighbors(bot: str, files: Collection[str], sandboxed: bool, option: str) -> str:
    """One sentence about files that lie in the folder of a bot."""
    verb, them = ("lies", "it") if len(files) == 1 else ("lie", "them")
    guard = "only the sandbox keeps" if sandboxed else "nothing keeps"
    return (
        f"Note: {' and '.join(files)} {verb} in the folder of {bot}, where {guard} bots from reading {them}; "
        f"name a file elsewhere with {option}."
    )
