"""Tournaments of Fish over TCP (Fish 9, 11): who may sign up, and how the result is written."""

from collections.abc import Sequence

from fairplay.core import Json
from fairplay.core.established import KnockoutResult, Period, SignUp
from fairplay.games.fish.rules import SEATS
from fairplay.games.fish.state import Setup

SETUP = Setup(rows=5, columns=5, fish=2)  # Fish 9.1
CLIENT_SETUP = SETUP


def sign_up_terms(setup: Setup) -> SignUp:
    """Names, times and numbers of players (Fish 10.1, 11.2, 11.4)."""
    return SignUp("[A-Za-z]{1,12}", 10.0, (Period(30.0, 5), Period(30.0, 5)), 10, SEATS)


def agree_on_setup(setup: Setup, answers: Sequence[Json | None]) -> Setup:
    """Players of Fish have no say in the board."""
    return setup


def format_result(names: Sequence[str], standing: KnockoutResult | None) -> Json:
    """Count the winners and the players that misbehaved (Fish 12.1)."""
    assert standing is not None, "a board of Fish can always be made"
    return [len(standing.winners), sum(fault is not None for fault in standing.faults)]
