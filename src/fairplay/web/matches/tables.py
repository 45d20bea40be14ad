"""A table: who sits where, how long they may think, what is played.  Kept as JSON in the store."""

from __future__ import annotations

import secrets
from hashlib import sha256
from hmac import compare_digest
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fairplay.core import AnyGame, SetupError, UsageError
from fairplay.core.names import check_name, name_key
from fairplay.house_players import settle_player
from fairplay.match.record import deal_state
from fairplay.web.setups import SetupRequest

__all__ = [
    "CLOCKS",
    "PACES",
    "PlayerName",
    "PlayerSpec",
    "SeatRequest",
    "TableDefinition",
    "TableRequest",
    "TableSeat",
    "build_table",
    "default_player",
    "hash_key",
    "key_matches",
    "new_id",
    "new_key",
]

CLOCKS: Final = (30, 60, 180, 600)
"""Seconds for a person's turn that the page offers."""

PACES: Final = (0.0, 0.3, 1.0, 3.0)
"""Seconds for a house player's turn that the page offers."""

ID_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"

PlayerName: TypeAlias = Annotated[str, Meta(max_length=24)]
"""A name that a visitor chooses; `check_name` says which are accepted.  Empty: a default one."""

PlayerSpec: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[a-z0-9:=,._-]+$")]


class SeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Who should sit on a seat: you, a friend who gets a link, or a house player."""

    who: Literal["me", "friend", "house"]
    player: PlayerSpec | None = None  # a house player, which stands in where a person sits
    name: PlayerName = ""


class TableRequest(SetupRequest, frozen=True, forbid_unknown_fields=True):
    """A new table: what is played, by whom, how fast."""

    seats: Annotated[tuple[SeatRequest, ...], Meta(min_length=1, max_length=10)]
    clock: Annotated[float, Meta(ge=1, le=3600)] = 180.0  # seconds for a person's turn
    pace: Annotated[float, Meta(ge=0, le=60)] = 1.0  # seconds for a house player's turn
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None


class TableSeat(Struct, frozen=True):
    """A seat of a table."""

    name: str
    player: str  # the house player that sits here, or stands in for a person
    person: bool = False
    key: str = ""  # hashed; it proves who the seat belongs to; empty: not taken yet
    invitation: str = ""  # hashed; turns into a key once, so that its sender cannot see what the friend sees


class TableDefinition(Struct, frozen=True, rename={"seats": "chairs"}):
    """Everything that defines a table, as it is kept in the store."""

    setup: msgspec.Raw
    seed: int
    seats: tuple[TableSeat, ...]
    clock: float
    pace: float


def build_table(game: AnyGame, setup: Any, request: TableRequest) -> tuple[TableDefinition, tuple[str, ...]]:
    """The table that is asked for, and the secret of each seat, empty for house players; raises UsageError.

    The secret of your own seat is its key, that of a friend's seat an invitation.  House players are given by name or
    level alone: with options they might take more time than a server has.
    """
    secrets_of = tuple("" if seat.who == "house" else new_key() for seat in request.seats)
    numbered = enumerate(zip(request.seats, secrets_of, strict=True))
    seats = tuple(build_seat(game, setup, seat, number, secret) for number, (seat, secret) in numbered)
    check_people(seats)
    seed = secrets.randbits(53) if request.seed is None else request.seed
    if len(seats) not in game.seats:
        raise UsageError(f"{game.name} is for {game.seats[0]} to {game.seats[-1]} players, not {len(seats)}")
    try:
        deal_state(game, setup, seed, len(seats))
    except SetupError as error:
        raise UsageError(str(error)) from None
    encoded = msgspec.Raw(msgspec.json.encode(setup))
    return TableDefinition(encoded, seed, seats, request.clock, request.pace), secrets_of


def build_seat(game: AnyGame, setup: Any, seat: SeatRequest, number: int, secret: str) -> TableSeat:
    """One seat of a new table; raises UsageError if there is no such house player."""
    named = seat.player or default_player(game)
    player = settle_player(game, setup, named)
    if ":" in named or player.partition(":")[0] not in game.strategies:
        raise UsageError(f"{game.name} has no house player '{named}'; it has {', '.join(game.strategies)}")
    if seat.who == "house":
        return TableSeat(check_name(seat.name) if seat.name.strip(" ") else named, player)
    name = check_name(seat.name) if seat.name.strip(" ") else f"guest {number + 1}"
    if seat.who == "me":
        return TableSeat(name, player, person=True, key=hash_key(secret))
    return TableSeat(name, player, person=True, invitation=hash_key(secret))


def check_people(seats: tuple[TableSeat, ...]) -> None:
    """Raises UsageError where a person has the name of somebody else at the table."""
    keys = [name_key(seat.name) for seat in seats]
    for seat, key in zip(seats, keys, strict=True):
        if seat.person and keys.count(key) > 1:
            raise UsageError(f"two players at this table are called '{seat.name}'; give one of them another name")


def default_player(game: AnyGame) -> str:
    """The house player where none is named: the second, if there are several, because the first plays at random."""
    return [*game.strategies][:2][-1]


def hash_key(key: str) -> str:
    """What is kept of a key: enough to recognise it, not enough to use it."""
    return sha256(key.encode()).hexdigest()


def key_matches(key: str, hashed: str) -> bool:
    """Is `hashed` the hash of this key?  Takes as long for a wrong key as for the right one."""
    return bool(hashed) and compare_digest(hash_key(key), hashed)


def new_key() -> str:
    """A secret of 128 bits."""
    return secrets.token_urlsafe(16)


def new_id() -> str:
    """A new id of a table or a board: short, and without letters that look alike."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(10))
