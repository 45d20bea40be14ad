"""Plan a contest: one function for the commands, Python, the page and the servers.

It is pure.  The caller draws the chance, brings the setup with its board, and hands in what must be asked of the
machine: what a level stands for here, and whether each entrant can be seated.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairplay.contest.contest import UNROTATED_FORMATS, Contest, Deals, Entrant, Requirement, Secret, Stop
from fairplay.contest.formats.formats import check_options
from fairplay.contest.schedule import check_contest
from fairplay.contest.specs import EntrantSpec, HouseSpec, are_house_players, parse_spec
from fairplay.core import AnyGame, UsageError
from fairplay.core.names import find_repeated_name
from fairplay.match.players import describe_house, thinks_by_time
from fairplay.match.replay import deal_state

PAIRED_RISK = (
    "Paired deals: all rotations of a line-up share a deal, so a player that remembers a match knows the next one."
)
SEED_RISK = "Seed chosen: a player that guesses it can work out every deal; records and tables say so."
SEED_MARK = "Seed chosen, not drawn."
PONDER_MARK = "Programs were allowed to think on others' time."


class Draw(NamedTuple):
    """What was drawn for a contest, so that nobody can guess it."""

    seed: int
    secret: Secret


class ContestTerms(Struct, frozen=True):
    """How a contest is to be played, as far as somebody said so."""

    format: str
    options: Mapping[str, Any] = {}  # of the format, also in words
    stop: Stop = Stop()
    seed: int | None = None
    secret: str | None = None
    paired_deals: bool = False
    patience: float | None = None
    think: float | None = None  # seconds a move for house players that can think by time
    ponder: bool = False
    require: Requirement = ""
    signs_up: bool = False  # more entrants will sign up
    mark: str = "--"  # what stands before the names of options in messages


class Machine(NamedTuple):
    """What a plan asks of the machine that is to play it; both raise UsageError."""

    resolve: Callable[[AnyGame, Any, str, float | None], str]
    """The spec with which a player sits down: a level becomes a strategy with its options and its time."""
    check: Callable[[AnyGame, Contest], object]
    """Find an entrant that cannot be seated."""


def plan(
    game: AnyGame, setup: object, entrants: Iterable[Entrant], terms: ContestTerms, draw: Draw, machine: Machine
) -> Contest:
    """The contest, checked before its first match; raises UsageError, or SetupError if it cannot be dealt."""
    patience = game.patience if terms.patience is None else terms.patience
    if not patience > 0:
        raise UsageError(f"{terms.mark}patience: expected more than 0 seconds")
    if terms.seed is not None and not -(2**63) <= terms.seed < 2**63:
        raise UsageError(f"{terms.mark}seed: expected a whole number of at most 64 bits")
    named = tuple(entrants)
    if twice := find_repeated_name([name for name, _ in named]):
        raise UsageError(f"two players are called '{twice}'; give one of them another name")
    resolved = tuple(Entrant(name, machine.resolve(game, setup, spec, terms.think)) for name, spec in named)
    if terms.think is not None:
        _check_thinking(game, resolved, terms.think, patience, f"{terms.mark}think")
    contest = Contest(
        game=game.name,
        entrants=resolved,
        format=terms.format,
        options=check_options(terms.format, terms.options),
        setup=msgspec.Raw(msgspec.json.encode(setup)),
        seed=draw.seed if terms.seed is None else terms.seed,
        patience=patience,
        stop=terms.stop,
        require=terms.require,
        matched=True,
        ponder=terms.ponder,
    )
    machine.check(game, contest)
    contest = _choose_deals(contest, terms, draw.secret)
    if terms.signs_up:
        deal_state(game, setup, contest.seed, game.seats[0])
    else:
        check_contest(game, contest, setup)
    return contest


# -- deals and secrets -------------------------------------------------------------------------


def _choose_deals(contest: Contest, terms: ContestTerms, drawn: Secret) -> Contest:
    """The new contest with what depends on who plays in it; raises UsageError.

    House players remember nothing and guess nothing: if they are alone, deals are paired, and all chance follows from
    the seed.  With anyone else, every match has a deal of its own unless paired deals were asked for, and the players'
    own chance follows from a secret, so that it tells them nothing about the deal.
    """
    rotates = contest.format not in UNROTATED_FORMATS
    if terms.paired_deals and not rotates:
        raise UsageError(f"{terms.mark}paired-deals: the format {contest.format} does not rotate the seats")
    if are_house_players(contest.entrants) and not terms.signs_up:
        if terms.secret is not None:
            raise UsageError(f"{terms.mark}secret: the chance of house players follows from the seed alone")
        alone: Deals = "paired" if rotates else "fresh"
        return replace(contest, deals=alone)
    deals: Deals = "paired" if terms.paired_deals else "fresh"
    secret = drawn if terms.secret is None else _check_secret(terms.secret, terms.mark)
    return replace(contest, deals=deals, secret=secret, seed_chosen=terms.seed is not None)


def _check_secret(secret: str, mark: str) -> Secret:
    if len(secret) != 32 or not {*secret} <= {*"0123456789abcdef"}:
        raise UsageError(f"{mark}secret: expected 32 digits of 0 to 9 and a to f, as --json prints them")
    return secret


def describe_conditions(contest: Contest, *, all_house: bool) -> list[str]:
    """What a reader of the tables must know about deals and time, one sentence each; mostly nothing."""
    conditions = (
        (contest.is_paired and not all_house, PAIRED_RISK),
        (contest.seed_chosen, SEED_MARK),
        (contest.ponder, PONDER_MARK),
    )
    return [sentence for applies, sentence in conditions if applies]


# -- time to think -----------------------------------------------------------------------------


def _check_thinking(game: AnyGame, entrants: Sequence[Entrant], think: float, patience: float, word: str) -> None:
    """Refuse a time to think that nobody takes, or that is longer than an answer may take; raises UsageError."""
    if not list_budgets(game, entrants):
        able = [name for name in game.players.strategies if thinks_by_time(game, name)]
        known = f"those of {game.name} that do: {', '.join(able)}" if able else f"no player of {game.name} does"
        raise UsageError(f"{word}: none of the players thinks by time; {known}")
    if think > patience:
        given, most = format_seconds(think), format_seconds(patience)
        raise UsageError(f"{word}: {given} is more than the {most} that an answer may take; give more patience")


def list_budgets(game: AnyGame, entrants: Iterable[Entrant]) -> dict[str, float]:
    """Those players that think by time, with the seconds that each has for a move."""
    budgets = ((name, _budget_of(game, parse_spec(text))) for name, text in entrants)
    return {name: budget for name, budget in budgets if budget is not None}


def _budget_of(game: AnyGame, spec: EntrantSpec) -> float | None:
    """The seconds a move of a house player that thinks by time; None for all others, also those of other versions."""
    if not isinstance(spec, HouseSpec) or spec.trust == "trusted":
        return None
    try:
        return describe_house(game, spec.bare, 0).budget
    except UsageError:
        return None


def describe_thinking(game: AnyGame, entrants: Sequence[Entrant]) -> list[str]:
    """Sentences that say who thinks by time: such a match cannot be repeated."""
    budgets = list_budgets(game, entrants)
    return [f"{name} thinks {format_seconds(budget)} a move: not reproducible." for name, budget in budgets.items()]


def format_seconds(seconds: float) -> str:
    """A time in the unit that people would use."""
    return f"{seconds:g} s" if seconds >= 1 else f"{seconds * 1000:g} ms"
