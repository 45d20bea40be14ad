"""What a table is made of: who sits where, how long they may think, what is played.  Kept as JSON in the store."""

from __future__ import annotations

import secrets
from hashlib import sha256
from hmac import compare_digest
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fairplay.core import AnyGame, SetupError, UsageError
from fairplay.play.record import deal

__all__ = [
    "CLOCKS",
    "PACES",
    "Chair",
    "Definition",
    "Name",
    "SeatWish",
    "Spec",
    "TableWish",
    "hidden",
    "laid",
    "new_id",
    "new_key",
    "opens",
    "usual",
]

CLOCKS: Final = (30, 60, 180, 600)
"""Seconds that a person may be given for one turn."""

PACES: Final = (0.0, 0.3, 1.0, 3.0)
"""Seconds that a house player takes for one turn, so that people can follow."""

LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"

CONTROL: Final = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"

Name: TypeAlias = Annotated[str, Meta(max_length=24, pattern=f"^[^{CONTROL}]*$")]
"""What people call themselves: anything without characters that would rearrange a page."""

Spec: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[a-z0-9:=,._-]+$")]


class SeatWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall sit on a seat: me, a friend who gets a link, or a house player."""

    who: Literal["me", "friend", "house"]
    player: Spec | None = None  # of the house; at a person's seat it stands in
    name: Name = ""


class TableWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A table that somebody wants: what is played, by whom, how fast."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[tuple[SeatWish, ...], Meta(min_length=1, max_length=10)]
    variant: Annotated[str, Meta(max_length=40)] | None = None
    map: Annotated[str, Meta(max_length=60)] | None = None  # the name of a packaged one
    board: Annotated[str, Meta(max_length=40)] | None = None  # the id of a saved one
    quick: bool = False  # a small game, over in two minutes
    clock: Annotated[float, Meta(ge=1, le=3600)] = 180.0
    pace: Annotated[float, Meta(ge=0, le=60)] = 1.0
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None


class Chair(Struct, frozen=True):
    """A seat of a table."""

    name: str
    player: str  # the house player that sits here, or stands in for a person
    person: bool = False
    key: str = ""  # what the person must know to sit here, hashed; empty: nobody has come yet
    invitation: str = ""  # what turns into a key once, hashed: whoever sent it cannot look over the other's shoulder


class Definition(Struct, frozen=True):
    """Everything that fixes a table."""

    setup: msgspec.Raw
    seed: int
    chairs: tuple[Chair, ...]
    clock: float
    pace: float


def laid(game: AnyGame, setup: Any, wish: TableWish) -> tuple[Definition, tuple[str, ...]]:
    """The table that `wish` describes, and the secret of each seat, empty for the house; raises UsageError.

    The secret of one's own seat is its key, that of a friend's an invitation.  House players go by name alone: their
    options may cost more time than a server has to give.
    """
    keys = tuple("" if seat.who == "house" else new_key() for seat in wish.seats)
    seats = enumerate(zip(wish.seats, keys, strict=True))
    chairs = tuple(chair(game, seat, number, key) for number, (seat, key) in seats)
    seed = secrets.randbits(53) if wish.seed is None else wish.seed
    if len(chairs) not in game.seats:
        raise UsageError(f"{game.name} is for {game.seats[0]} to {game.seats[-1]} players, not {len(chairs)}")
    try:
        deal(game, setup, seed, len(chairs))
    except SetupError as error:
        raise UsageError(str(error)) from None
    return Definition(msgspec.Raw(msgspec.json.encode(setup)), seed, chairs, wish.clock, wish.pace), keys


def chair(game: AnyGame, seat: SeatWish, number: int, key: str) -> Chair:
    player = seat.player or usual(game)
    if player not in game.strategies:
        raise UsageError(f"{game.name} has no house player '{player}'; it has {', '.join(game.strategies)}")
    if seat.who == "house":
        return Chair(seat.name.strip() or player, player)
    name = seat.name.strip() or f"guest {number + 1}"
    if seat.who == "me":
        return Chair(name, player, person=True, key=hidden(key))
    return Chair(name, player, person=True, invitation=hidden(key))


def usual(game: AnyGame) -> str:
    """The house player where none is named: the first that knows what it does."""
    return [*game.strategies][:2][-1]


def hidden(key: str) -> str:
    """What is kept of a key: enough to know it again, not enough to use it."""
    return sha256(key.encode()).hexdigest()


def opens(key: str, kept: str) -> bool:
    """Is this the key of which `kept` is kept?  Takes as long for a wrong one as for the right one."""
    return bool(kept) and compare_digest(hidden(key), kept)


def new_key() -> str:
    return secrets.token_urlsafe(16)


def new_id() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(10))
