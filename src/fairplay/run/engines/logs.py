"""What bots print, on request: the standard error of each process, in one file for each match and player."""

import re
from collections.abc import Sequence
from pathlib import Path

from fairplay.contest.contest import Match
from fairplay.run.isolation.program import Usage

UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
"""What has no place in the name of a file."""

LONGEST_NAME = 60


def write_logs(folder: str, match: Match, usage: Sequence[Usage | None]) -> None:
    """EFFECT: writes what each program of a match printed, as far as it was kept; who printed nothing gets no file."""
    for seat, each in enumerate(usage):
        if each is not None and each.stderr:
            Path(folder, log_name(match, seat)).write_text(each.stderr, "utf-8")


def log_name(match: Match, seat: int) -> str:
    """The file for one player: its match is counted from 1, as in the names of records, its seat from 0."""
    name = UNSAFE.sub("-", match.entrants[seat].name)[-LONGEST_NAME:].lstrip(".-")
    return f"match-{match.number + 1:04}-seat-{seat}-{name}.log"
