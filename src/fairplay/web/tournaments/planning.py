"""A tournament that the owner asks for, made into a contest."""

from random import Random
from time import monotonic
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from fairplay.contest.contest import Contest, Entrant, Stop
from fairplay.contest.planning import ContestTerms, Machine, plan
from fairplay.contest.schedule import count_matches
from fairplay.core import AnyGame, UsageError
from fairplay.core.names import check_name
from fairplay.match.players import house_strategy
from fairplay.run.house_players import resolve_player
from fairplay.setups import draw_chance
from fairplay.web.games.setups import SetupRequest
from fairplay.web.matches.tables import PlayerName, PlayerSpec

MAX_MATCHES = 200_000
"""Matches of a tournament that is started from the page."""

Count = Annotated[int, Meta(ge=1, le=100_000)]


class EntrantRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A house player, such as `minimax:depth=2`, perhaps under a name of its own."""

    player: PlayerSpec
    name: PlayerName = ""


class TournamentRequest(SetupRequest, frozen=True, forbid_unknown_fields=True):
    """A new tournament; options that are left out have the defaults of the format."""

    players: Annotated[tuple[EntrantRequest, ...], Meta(min_length=2, max_length=200)]
    format: Literal["knock-out", "round-robin", "swiss", "gauntlet", "ladder"] = "round-robin"
    games: Count | None = None  # deals that each line-up plays
    size: Annotated[int, Meta(ge=2, le=10)] | None = None  # players in one match
    rounds: Count | None = None  # of a Swiss tournament
    matches: Count | None = None  # stop after this many; a ladder needs it
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None


def plan_contest(game: AnyGame, setup: Any, wanted: TournamentRequest) -> Contest:
    """The contest that is asked for; raises UsageError if it cannot be played, or not to its end."""
    options = {"games": wanted.games, "size": wanted.size, "rounds": wanted.rounds}
    terms = ContestTerms(
        format=wanted.format,
        options={name: value for name, value in options.items() if value is not None},
        stop=Stop(wanted.matches),
        seed=wanted.seed,
        mark="",
    )
    names = [check_name(entrant.name) if entrant.name.strip() else entrant.player for entrant in wanted.players]
    entrants = map(Entrant, names, [entrant.player for entrant in wanted.players])
    return plan(game, setup, entrants, terms, draw_chance(), Machine(resolve_player, check_page_contest))


def check_page_contest(game: AnyGame, contest: Contest) -> None:
    """Refuse what the page must not start, or would never finish; raises UsageError."""
    check_house_players(game, [spec for _, spec in contest.entrants])
    total = count_matches(contest, game.seats)
    if contest.format == "ladder" and total is None:
        raise UsageError("A ladder does not end by itself. Say after how many matches it should stop.")
    if total is not None and total > MAX_MATCHES:
        raise UsageError(f"That would be {total} matches; the limit is {MAX_MATCHES}.")


def check_house_players(game: AnyGame, specs: list[str]) -> None:
    """Raises UsageError unless all are house players: the page must not start bot files or programs."""
    for spec in specs:
        house_strategy(game, spec, Random(0), monotonic)
