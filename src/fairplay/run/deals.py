"""How a new contest is dealt: fresh or paired deals, a secret for the players' own chance, and what to say of both."""

from __future__ import annotations

import secrets
from typing import Final

from msgspec.structs import replace

from fairplay.contest.contest import UNROTATED_FORMATS, Contest
from fairplay.core import UsageError
from fairplay.run.entrants import is_house

__all__ = ["PAIRED_RISK", "SEED_RISK", "describe_deals", "settle_deals"]

PAIRED_RISK: Final = (
    "Paired deals: all rotations of a line-up share a deal, so a player that remembers a match knows the next one."
)
SEED_RISK: Final = "Seed chosen: a player that guesses it can work out every deal; records and tables say so."


def settle_deals(
    contest: Contest, *, seed_chosen: bool, paired: bool = False, secret: str | None = None, sign_up: bool = False
) -> Contest:
    """The new contest with what depends on who plays in it; raises UsageError.

    House players remember nothing and guess nothing: their deals are paired, and all chance follows from the seed.
    With anyone else, also one who is yet to `sign_up`, every match has a deal of its own unless `paired` asks for
    less, and the players' own chance follows from a secret, so that it tells them nothing about the deal.
    """
    rotates = contest.format not in UNROTATED_FORMATS
    if paired and not rotates:
        raise UsageError(f"--paired-deals: the format {contest.format} does not rotate the seats")
    house = only_house(contest) and not sign_up
    settled = replace(contest, deals="paired" if rotates and (paired or house) else "fresh")
    if secret is not None:
        settled = replace(settled, secret=check_secret(secret))
    elif not house:
        settled = replace(settled, secret=secrets.token_hex(16))
    return replace(settled, seed_chosen=seed_chosen and not house)


def only_house(contest: Contest) -> bool:
    """Is every entrant a house player?"""
    return all(is_house(entrant.spec) for entrant in contest.entrants)


def check_secret(secret: str) -> str:
    """`secret` if it is one; raises UsageError."""
    if len(secret) != 32 or not {*secret} <= {*"0123456789abcdef"}:
        raise UsageError("--secret: expected 32 digits of 0 to 9 and a to f, as --json prints them")
    return secret


def describe_deals(contest: Contest) -> list[str]:
    """What whoever reads the tables must know of the deals, one sentence each; mostly nothing."""
    risks = ((contest.is_paired and not only_house(contest), PAIRED_RISK), (contest.seed_chosen, SEED_RISK))
    return [sentence for applies, sentence in risks if applies]
