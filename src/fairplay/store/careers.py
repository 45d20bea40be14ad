"""What each player did in all contests of a store together."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from sqlalchemy import Connection, Integer, bindparam, cast, func, select

from fairplay.contest.contest import Result
from fairplay.store.schema import contests, players

__all__ = ["Career", "careers", "count"]

TALLIES = (players.c.matches, players.c.wins, players.c.ties, players.c.faults)


class Career(Struct, frozen=True):
    """A player of a game by name and spec, and what it did: wins are alone, ties are shared."""

    game: str
    player: str
    spec: str
    contests: int
    matches: int
    wins: int
    ties: int
    faults: int


def careers(connection: Connection, game: str | None = None, player: str | None = None) -> list[Career]:
    """Every player there is, by game and name; only those of a game, or of a name, where one is given."""
    who = (contests.c.game, players.c.name, players.c.spec)
    sums = [cast(func.sum(tally), Integer) for tally in TALLIES]
    query = select(*who, func.count(), *sums).join(players, players.c.contest == contests.c.id).group_by(*who)
    if game is not None:
        query = query.where(contests.c.game == game)
    if player is not None:
        query = query.where(players.c.name == player)
    return [Career(*row) for row in sorted(map(tuple, connection.execute(query)))]


def count(connection: Connection, contest: int, results: Iterable[Result]) -> None:
    """Add results to the tallies of their players; ASSUME they are new."""
    sums: dict[int, list[int]] = {}
    for result in results:
        winners, faults = result.outcome.winners, result.outcome.faults
        for seat, player in enumerate(result.line_up):
            tally = sums.setdefault(player, [0] * len(TALLIES))
            tally[0] += 1
            tally[1] += seat in winners and len(winners) == 1
            tally[2] += seat in winners and len(winners) > 1
            tally[3] += faults[seat] is not None
    names = [f"more_{tally.name}" for tally in TALLIES]
    rows = [{"of": contest, "who": who, **dict(zip(names, sums[who], strict=True))} for who in sorted(sums)]
    which = (players.c.contest == bindparam("of")) & (players.c.number == bindparam("who"))
    more = {tally: tally + bindparam(name) for tally, name in zip(TALLIES, names, strict=True)}
    if rows:
        connection.execute(players.update().where(which).values(more), rows)
