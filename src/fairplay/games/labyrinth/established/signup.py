"""Matches of Labyrinth over TCP (Labyrinth 11): who may sign up, and how the result is written."""

from collections.abc import Sequence

from fairplay.core import Json
from fairplay.core.established import KnockoutResult, Period, SignUp
from fairplay.games.labyrinth.deal import ORIGINAL_SEATS
from fairplay.games.labyrinth.state import Setup

SETUP = Setup()
CLIENT_SETUP = SETUP


def sign_up_terms(setup: Setup) -> SignUp:
    """Names, times and numbers of players: no more than one match has seats (Labyrinth 10.1, 11.2 to 11.4)."""
    sizes = ORIGINAL_SEATS if setup.variant == "original" else range(setup.fewest, setup.most + 1)
    seats = sizes[-1] if setup.given is None else min(sizes[-1], len(setup.given.seats))
    periods = (Period(20.0, sizes[0]), Period(20.0, sizes[0]))
    return SignUp("[A-Za-z0-9]{1,20}", 2.0, periods, seats, sizes, last_is_first=True)


def agree_on_setup(setup: Setup, answers: Sequence[Json | None]) -> Setup:
    """Players of Labyrinth have no say in the board."""
    return setup


def format_result(names: Sequence[str], standing: KnockoutResult | None) -> Json:
    """List the winners and the players that misbehaved (Labyrinth 12.5)."""
    assert standing is not None, "a match of Labyrinth was dealt before anyone could sign up"
    misbehaved = [names[number] for number, fault in enumerate(standing.faults) if fault]
    return [sorted(names[number] for number in standing.winners), sorted(misbehaved)]
