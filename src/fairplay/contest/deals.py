"""How a new contest is dealt: fresh or paired deals, a secret for the players' own chance, and what to say of it."""

from __future__ import annotations

import secrets
from typing import Final

from msgspec.structs import replace

from fairplay.contest.contest import UNROTATED_FORMATS, Contest
from fairplay.core import UsageError

__all__ = ["PAIRED_RISK", "PONDER_MARK", "SEED_MARK", "SEED_RISK", "choose_deals", "describe_conditions"]

PAIRED_RISK: Final = (
    "Paired deals: all rotations of a line-up share a deal, so a player that remembers a match knows the next one."
)
SEED_RISK: Final = "Seed chosen: a player that guesses it can work out every deal; records and tables say so."
SEED_MARK: Final = "Seed chosen, not drawn."
PONDER_MARK: Final = "Programs were allowed to think on others' time."


def choose_deals(
    contest: Contest, *, all_house: bool, seed_chosen: bool, paired: bool = False, secret: str | None = None
) -> Contest:
    """The new contest with what depends on who plays in it; raises UsageError.

    House players remember nothing and guess nothing: if they are alone, deals are paired, and all chance follows from
    the seed.  With anyone else, every match has a deal of its own unless `paired` asks for less, and the players' own
    chance follows from a secret, so that it tells them nothing about the deal.
    """
    rotates = contest.format not in UNROTATED_FORMATS
    if paired and not rotates:
        raise UsageError(f"--paired-deals: the format {contest.format} does not rotate the seats")
    if all_house:
        if secret is not None:
            raise UsageError("--secret: the chance of house players follows from the seed alone")
        return replace(contest, deals="paired" if rotates else "fresh", matched=True)
    return replace(
        contest,
        deals="paired" if paired else "fresh",
        secret=secrets.token_hex(16) if secret is None else check_secret(secret),
        seed_chosen=seed_chosen,
        matched=True,
    )


def check_secret(secret: str) -> str:
    """`secret` if it is one; raises UsageError."""
    if len(secret) != 32 or not {*secret} <= {*"0123456789abcdef"}:
        raise UsageError("--secret: expected 32 digits of 0 to 9 and a to f, as --json prints them")
    return secret


def describe_conditions(contest: Contest, *, all_house: bool) -> list[str]:
    """What a reader of the tables must know about deals and time, one sentence each; mostly nothing."""
    conditions = (
        (contest.is_paired and not all_house, PAIRED_RISK),
        (contest.seed_chosen, SEED_MARK),
        (contest.ponder, PONDER_MARK),
    )
    return [sentence for applies, sentence in conditions if applies]
