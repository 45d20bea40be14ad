"""A tournament that the owner asks for, made into a contest."""

from __future__ import annotations

import secrets
from random import Random
from time import monotonic
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from fairplay.contest.contest import Contest, Entrant, Stop
from fairplay.contest.formats.formats import check_options
from fairplay.contest.schedule import check_contest, count_matches
from fairplay.core import AnyGame, UsageError
from fairplay.core.names import check_name, find_repeated_name
from fairplay.match.players import house_strategy
from fairplay.run.house_players import resolve_player
from fairplay.web.games.setups import SetupRequest
from fairplay.web.matches.tables import PlayerName, PlayerSpec

__all__ = ["EntrantRequest", "TournamentRequest", "check_house_players", "plan_contest"]

MAX_MATCHES: Final = 200_000
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
    contest = Contest(
        game.name,
        name_entrants(game, setup, wanted),
        wanted.format,
        check_options(wanted.format, {name: value for name, value in options.items() if value is not None}),
        msgspec.Raw(msgspec.json.encode(setup)),
        secrets.randbits(53) if wanted.seed is None else wanted.seed,
        game.patience,
        Stop(wanted.matches),
        matched=True,
    )
    total = count_matches(contest, game.seats)
    if contest.format == "ladder" and total is None:
        raise UsageError("A ladder does not end by itself. Say after how many matches it should stop.")
    if total is not None and total > MAX_MATCHES:
        raise UsageError(f"That would be {total} matches; the limit is {MAX_MATCHES}.")
    check_contest(game, contest, setup)
    return contest


def name_entrants(game: AnyGame, setup: Any, wanted: TournamentRequest) -> tuple[Entrant, ...]:
    """The entrants with their names; raises UsageError if one is not a house player, or a name is used twice."""
    specs = [resolve_player(game, setup, entrant.player) for entrant in wanted.players]
    check_house_players(game, specs)
    names = [check_name(entrant.name) if entrant.name.strip() else entrant.player for entrant in wanted.players]
    if repeated := find_repeated_name(names):
        raise UsageError(f"Two players are called '{repeated}'. Give one of them another name.")
    return tuple(map(Entrant, names, specs))


def check_house_players(game: AnyGame, specs: list[str]) -> None:
    """Raises UsageError unless all are house players: the page must not start bot files or programs."""
    for spec in specs:
        house_strategy(game, spec, Random(0), monotonic)
