"""A table as the store keeps it: who sits where, how long they may think, what is played, how it ended."""

import secrets
from collections.abc import Collection, Iterable, Mapping
from hmac import compare_digest
from pathlib import PurePath
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from fairplay.contest.specs import PERSON, BotFileSpec, parse_spec
from fairplay.core import AnyGame, Outcome, Seat, SetupError, UsageError
from fairplay.core.immutable import with_item
from fairplay.core.names import check_name, find_alike, name_key
from fairplay.match.players import parse_house
from fairplay.match.replay import deal_state
from fairplay.net.strangers import hash_secret
from fairplay.run.house_players import resolve_player
from fairplay.store.web.tables import Seated, WebTable, WebTables
from fairplay.web.games import SetupRequest, default_player, name_house_player
from fairplay.web.matches.seats import Gone
from fairplay.web.watching.timeline import Timeline

CLOCKS = (30, 60, 180, 600)
"""Seconds for a person's turn that the page offers."""

PACES = (0.0, 0.3, 1.0, 3.0)
"""Seconds for a house player's turn that the page offers."""

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"

MAX_NAME = 24
"""Characters of a name that a visitor chooses."""

PlayerName: TypeAlias = Annotated[str, Meta(max_length=MAX_NAME)]
"""A name that a visitor chooses; `check_player_name` says which are accepted.  Empty: a default one."""

YOU = "you"
"""What sentences call the one who reads them."""

PlayerSpec: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[a-z0-9:=,._-]+$")]


class SeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Who should sit on a seat: you, a friend who gets a link, anyone who comes by in the lobby, or a house player."""

    who: Literal["me", "friend", "anyone", "house"]
    player: PlayerSpec | None = None  # a house player, which stands in where a person sits
    name: PlayerName = ""


class TableRequest(SetupRequest, frozen=True, forbid_unknown_fields=True):
    """A new table: what is played, by whom, how fast."""

    seats: Annotated[tuple[SeatRequest, ...], Meta(min_length=1, max_length=10)]
    clock: Annotated[float, Meta(ge=1, le=3600)] = 180.0  # seconds for a person's turn
    pace: Annotated[float, Meta(ge=0, le=60)] = 1.0  # seconds for a house player's turn
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None


class TableSeat(Struct, frozen=True, omit_defaults=True):
    """A seat of a table."""

    name: str
    player: str  # the house player that sits here, or stands in for a person
    person: bool = False
    account: str = ""  # whose seat it is; empty: not taken yet
    invitation: str = ""  # hashed; good for the seat once, so that its sender cannot see what the friend sees
    open: bool = False  # anyone may take it
    gone: Gone = ""  # the person has left for good, or resigned

    @property
    def is_bot(self) -> bool:
        """Is it a bot file, which the owner of the server has seated?"""
        return not self.person and isinstance(parse_spec(self.player), BotFileSpec)

    @property
    def spec(self) -> str:
        """Who plays, as the spec of an entrant."""
        return PERSON if self.person else self.player


class TableDefinition(Struct, frozen=True, omit_defaults=True, rename={"seats": "chairs"}):
    """Everything that defines a table, as it is kept in the store."""

    setup: msgspec.Raw
    seed: int
    seats: tuple[TableSeat, ...]
    clock: float
    pace: float
    guided: bool = False  # a first game, with advice
    pair: bool = False  # for the next one who wants to play this game
    next: str = ""  # the id of the rematch
    rematch: tuple[int, ...] = ()  # the seats whose players asked for it
    variant: str = ""  # what was asked for, so that another table can be like it
    board: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def has_people(self) -> bool:
        """Does any seat belong to a person?"""
        return any(seat.person for seat in self.seats)

    @property
    def line_up(self) -> tuple[Seated, ...]:
        """Who plays, as the store keeps it."""
        return tuple(Seated(seat.name, seat.spec, seat.account or None) for seat in self.seats)

    @property
    def accounts(self) -> tuple[str | None, ...]:
        """Whose the seats are; empty if nobody has one."""
        found = tuple(seat.account or None for seat in self.seats)
        return found if any(found) else ()

    def find_seat(self, accounts: Collection[str]) -> Seat | None:
        """The seat that belongs to one of these accounts."""
        return next((Seat(at) for at, seat in enumerate(self.seats) if seat.account and seat.account in accounts), None)


def build_table(game: AnyGame, setup: Any, request: TableRequest) -> tuple[TableDefinition, tuple[str, ...]]:
    """The table that is asked for, and the invitation to each friend's seat, empty for all others; raises UsageError.

    Your own seat is still to be handed to you.  House players are given by name or
    level alone: with options they might take more time than a server has.
    """
    secrets_of = tuple(new_key() if seat.who == "friend" else "" for seat in request.seats)
    numbered = enumerate(zip(request.seats, secrets_of, strict=True))
    seats = tuple(build_seat(game, setup, seat, number, secret) for number, (seat, secret) in numbered)
    seats = number_houses(seats)
    check_people(seats)
    seed = secrets.randbits(53) if request.seed is None else request.seed
    if len(seats) not in game.seats:
        raise UsageError(f"{game.name} is for {game.seats[0]} to {game.seats[-1]} players, not {len(seats)}")
    try:
        deal_state(game, setup, seed, len(seats))
    except SetupError as error:
        raise UsageError(str(error)) from None
    encoded = msgspec.Raw(msgspec.json.encode(setup))
    variant, board = "quick" if request.quick else request.variant or "", request.board or ""
    made = TableDefinition(encoded, seed, seats, request.clock, request.pace, variant=variant, board=board)
    return made, secrets_of


def seat_bots(definition: TableDefinition, bots: Mapping[int, str]) -> TableDefinition:
    """The table with these bot files, by seat.  Only the owner may ask for it, and never over HTTP."""
    seats = list(definition.seats)
    for at, spec in bots.items():
        match parse_spec(spec):
            case BotFileSpec(path, trust="" | "isolated"):
                seats[at] = TableSeat(number_name(PurePath(path).stem[:MAX_NAME], definition.names), spec)
            case _:
                raise UsageError(f"{spec}: only bot files can be seated at a table, each in a process of its own")
    return replace(definition, seats=tuple(seats))


def build_seat(game: AnyGame, setup: Any, seat: SeatRequest, number: int, secret: str) -> TableSeat:
    """One seat of a new table; raises UsageError if there is no such house player."""
    named = seat.player or default_player(game)
    player = resolve_player(game, setup, named)
    if ":" in named or parse_house(player)[0] not in game.players.strategies:
        raise UsageError(f"{game.name} has no house player '{named}'; it has {', '.join(game.players.strategies)}")
    if seat.who == "house":
        own = name_house_player(game, setup, named, player)
        return TableSeat(check_player_name(seat.name) if seat.name.strip(" ") else own, player)
    name = check_player_name(seat.name) if seat.name.strip(" ") else f"guest {number + 1}"
    if seat.who == "anyone":
        return TableSeat(name, player, person=True, open=True)
    if seat.who == "me":
        return TableSeat(name, player, person=True)
    return TableSeat(name, player, person=True, invitation=hash_secret(secret))


def check_people(seats: tuple[TableSeat, ...]) -> None:
    """Raises UsageError if a person has the name of somebody else at the table."""
    for number, seat in enumerate(seats):
        others = [other.name for at, other in enumerate(seats) if at != number]
        if not seat.person or (alike := find_alike(seat.name, others)) is None:
            continue
        if name_key(alike) == name_key(seat.name):
            raise UsageError(f"two players at this table are called '{seat.name}'; give one of them another name")
        raise UsageError(f"'{seat.name}' looks like '{alike}' at this table; give one of them another name")


def number_houses(seats: tuple[TableSeat, ...]) -> tuple[TableSeat, ...]:
    """The seats with house players told apart from people and from each other: Clover, Clover 2."""
    taken = [seat.name for seat in seats if seat.person]
    named: list[TableSeat] = []
    for seat in seats:
        name = seat.name if seat.person else number_name(seat.name, taken)
        named.append(replace(seat, name=name))
        taken.append(name)
    return tuple(named)


def number_name(name: str, taken: Iterable[str]) -> str:
    """A name, with a number behind it if one of those that are taken counts as the same."""
    keys = {name_key(each) for each in taken}
    numbered = (name, *(f"{name[: MAX_NAME - 3].rstrip(' ')} {number}" for number in range(2, 99)))
    return next(each for each in numbered if name_key(each) not in keys)


def check_player_name(text: str) -> str:
    """`text` as the name of somebody at a table, without spaces around it; raises UsageError if it could deceive."""
    name = check_name(text)
    if find_alike(name, [YOU]) is not None:
        raise UsageError(f"others would take the name '{name}' for themselves; choose another one")
    return name


def rename_seat(definition: TableDefinition, seat: int, name: str) -> TableDefinition:
    """The table with another name on a person's seat; raises UsageError if it cannot be used."""
    seats = with_item(definition.seats, seat, replace(definition.seats[seat], name=check_player_name(name)))
    check_people(seats)
    return replace(definition, seats=seats)


def find_free_name(definition: TableDefinition, seat: int, name: str) -> str:
    """A name for somebody who comes to a table, with a number behind it if another player has it already."""
    if not name.strip(" "):
        return ""
    others = (other.name for number, other in enumerate(definition.seats) if number != seat)
    return number_name(check_player_name(name), others)


def rotate_table(definition: TableDefinition) -> TableDefinition:
    """The table of a rematch: everyone sits one seat further, people's seats are kept for them; raises UsageError."""
    if any(seat.is_bot for seat in definition.seats):
        raise UsageError("the owner of this server has seated a bot here, so there is no rematch")
    fresh = tuple(replace(seat, account="", invitation="", open=False, gone="") for seat in definition.seats)
    turned, seed = (*fresh[-1:], *fresh[:-1]), secrets.randbits(53)
    return replace(definition, seed=seed, seats=turned, guided=False, pair=False, next="", rematch=())


class MatchSummary(Struct, frozen=True):
    """How a match at a table ended, as it is kept in the store."""

    names: tuple[str, ...]
    winners: tuple[int, ...]  # seats
    scores: tuple[int | None, ...]  # by seat, the first number of each
    ending: str
    moments: int
    cut_off: str = ""  # why it was broken off; empty: it was played to its end


def summarize_match(timeline: Timeline, outcome: Outcome | None, reason: str = "") -> MatchSummary:
    """The summary of a match; without an outcome it was broken off, for a reason."""
    if outcome is None:
        nothing = (None,) * len(timeline.names)
        return MatchSummary(timeline.names, (), nothing, "", timeline.last, reason)
    scores = tuple(None if score is None else score[0] for score in outcome.scores)
    return MatchSummary(timeline.names, outcome.winners, scores, outcome.ending, timeline.last)


def read_summary(table: WebTable) -> MatchSummary:
    """The summary of a match that has ended."""
    assert table.summary is not None
    return msgspec.json.decode(table.summary, type=MatchSummary)


def change_table(tables: WebTables, id: str, definition: TableDefinition, server: int | None) -> None:
    """Replace what the store has of a table; raises StoreError."""
    tables.change(id, msgspec.json.encode(definition), server, players=definition.names)


def key_matches(key: str, hashed: str) -> bool:
    """Is `hashed` the hash of this key?  Takes as long for a wrong key as for the right one."""
    return bool(hashed) and compare_digest(hash_secret(key), hashed)


def new_key() -> str:
    """A secret of 128 bits."""
    return secrets.token_urlsafe(16)


def new_id() -> str:
    """A new id of a table or a board: short, and without letters that look alike."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(10))
