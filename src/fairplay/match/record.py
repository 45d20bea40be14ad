"""A match as data: setup, seed and replies, one JSON value a line, chained by hashes.

    {"fairplay":1,"game":"fish","players":["minimax","random"],"setup":{...},"seed":7,"hash":"..."}
    {"order":4,"seat":0,"action":{"do":"place","at":[0,0]},"hash":"..."}
    {"order":9,"seat":1,"fault":{"kind":"crashed","detail":"..."},"hash":"..."}
    {"outcome":{...},"hash":"..."}
    {"signed":{"key":"...","match":"...","signature":"..."},"hash":"..."}

`order` counts the questions and the news of the referee, and what chance brings after the deal, which has a line
`{"order":7,"befell":4}`; an order without a line was answered with nothing.
Each hash covers its line and the hash before, so a changed byte breaks the chain in the line where it stands.
The last line is there if the match was signed (see packing.py), and is not part of what was played.

`fairplay` is the form of the first line, the lowest that can say what it says; the other lines need no number, since
their fields tell what they are.  What no game of this version can play (choices resolved together, resignations) is
read and checked, and refused when it is replayed.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Annotated, Any, TypeAlias, TypedDict

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from fairplay.core import Fault, Outcome, RecordError

_FORMAT = 3
"""The newest form of a header.  One that says nothing new is written in an older form, byte for byte as it was then."""

SIGNED = b'{"signed"'
"""What the line of a signature begins with."""

_SEAT_SIGNED = b'{"replies_signed"'

_SINCE = {
    3: ("branch", "ponder", "bots", "rule_book", "accounts", "deal"),
    2: ("seed_chosen", "levels", "house"),
}
"""The fields of a header that came with each form."""

_BY_SEAT = ("levels", "house", "bots", "accounts")

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises when bytes are not JSON of the expected form."""

_Hash: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""A SHA-256, a link of a chain, or a public key: 32 bytes in hexadecimal."""

Isolation: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9][A-Za-z0-9 ._+:/()-]{0,39}$",
        description="house, sandboxed, process, trusted, connection or person; later versions may have more",
    ),
]
"""
How far a player is kept from everything else while it plays, as the record and the table say it of each seat: a short
text, so that records of levels that came later can be read.  Those of this version:

* house: one of the game's own strategies, in the referee's process
* sandboxed: a process of its own for each match, in bubblewrap with a filter of system calls
* process: a process of its own for each match, with limits on time and output only
* trusted: somebody's Python file in the referee's process
* connection: over a network
* person: somebody at a browser or a terminal
"""

_Signed: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]
_Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]  # of a match
_Count: TypeAlias = Annotated[int, Meta(ge=0)]


class HousePlayer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A house player of a match: everything that its choices follow from, besides what it is shown."""

    strategy: str
    version: int
    chance: int  # the seed of its own generator, which says nothing about that of others
    options: dict[str, int | float | str] = {}  # all of them, those that nobody set too
    budget: float | None = None  # seconds for an answer, if it thinks until they are over


class Branch(Struct, frozen=True, forbid_unknown_fields=True):
    """The match that a new, unrated one begins as: the same setup and seed, and the first replies copied."""

    match: _Name
    replies: _Count


class DealProof(Struct, frozen=True, forbid_unknown_fields=True):
    """What the seed of a match follows from if its organiser had to commit to all deals beforehand."""

    chain: _Hash  # the link that was published before the first match
    number: _Count  # of the match in its contest, and of its link in the chain
    link: _Hash
    nonces: tuple[Annotated[str, Meta(pattern="^[0-9a-f]{32,128}$")] | None, ...]  # what each seat contributed


class Header(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a match started from."""

    fairplay: int
    game: str
    players: tuple[str, ...]
    setup: msgspec.Raw
    seed: int
    seed_chosen: bool = False  # by a person, though a player might have guessed it
    levels: tuple[Isolation, ...] = ()  # by seat; empty if all are house players, or in form 1
    house: tuple[HousePlayer | None, ...] = ()  # by seat; empty: none are named
    branch: Branch | None = None
    ponder: bool = False  # programs were allowed to think while others were to move
    bots: tuple[_Hash | None, ...] = ()  # by seat, of what was handed in: a file or an archive
    rule_book: _Hash | None = None  # of a rule book that is a file, not a package
    accounts: tuple[Annotated[str, Meta(min_length=1, max_length=64)] | None, ...] = ()  # by seat
    deal: DealProof | None = None


class Facts(TypedDict, total=False):
    """What else the header of a match may say: its fields after the seed."""

    seed_chosen: bool
    levels: tuple[Isolation, ...]
    house: tuple[HousePlayer | None, ...]
    branch: Branch | None
    ponder: bool
    bots: tuple[_Hash | None, ...]
    rule_book: _Hash | None
    accounts: tuple[str | None, ...]
    deal: DealProof | None


class Note(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a player remarked, for those who look at the match later; it changes nothing."""

    text: Annotated[str, Meta(max_length=1_024)]
    marks: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=64)] = ()  # places on the board


class Entry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The reply of one seat to one order, unless it was nothing; or what chance brought."""

    order: int
    seat: int | None = None  # None: chance
    action: msgspec.Raw | UnsetType = UNSET
    fault: Fault | UnsetType = UNSET
    befell: msgspec.Raw | UnsetType = UNSET  # what the seed drew
    resigned: bool = False  # the seat leaves of its own will
    together: Annotated[int, Meta(ge=1)] = 1  # how many seats were asked at once, each with a line, in seat order
    note: Note | UnsetType = UNSET


class Last(Struct, frozen=True, forbid_unknown_fields=True):
    """How the match ended."""

    outcome: Outcome


class Signature(Struct, frozen=True, forbid_unknown_fields=True):
    """Who vouches for a record, as which match."""

    key: _Hash  # the public key
    match: Annotated[str, Meta(max_length=200)]
    signature: _Signed


class SignedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line of a record that was signed."""

    signed: Signature


class SeatSignature(Struct, frozen=True, forbid_unknown_fields=True):
    """Who vouches for the replies of one seat: whoever played there, over the transcript of its own replies."""

    seat: _Count
    key: _Hash
    match: _Name
    signature: _Signed


class SeatSignedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line behind the outcome, for each seat that signed."""

    replies_signed: SeatSignature


class Record(Struct, frozen=True):
    """A record read back; without an outcome the match was cut off."""

    header: Header
    entries: tuple[Entry, ...]
    outcome: Outcome | None
    fingerprint: str  # the last hash of what was played, which stands for every byte before it
    signatures: tuple[SeatSignature, ...] = ()  # of those who played


def worth_telling(levels: tuple[Isolation, ...]) -> tuple[Isolation, ...]:
    """The levels of a match by seat, or nothing if all players are of the house."""
    return levels if {*levels} - {"house"} else ()


def needed_format(header: Header) -> int:
    """The oldest form that can say what this header says."""
    return next((form for form, fields in _SINCE.items() if any(getattr(header, each) for each in fields)), 1)


def read_record(lines: Iterable[bytes]) -> Record:
    """The record in `lines`, its chain of hashes checked; raises RecordError naming the line that is wrong."""
    chain, fingerprint, ended = Chain(), b"", False
    header: Header | None = None
    entries: list[Entry] = []
    signatures: list[SeatSignature] = []
    outcome: Outcome | None = None
    for number, line in enumerate(lines, 1):
        if ended or (outcome is not None and not line.startswith((SIGNED, _SEAT_SIGNED))):
            raise RecordError(f"line {number}: nothing may follow the outcome and its signature")
        body = chain.checked(number, line)
        if header is None:
            header = parse_line(number, body, Header)
            _check_header(header)
        elif outcome is not None:
            if ended := body.startswith(SIGNED):
                parse_line(number, body, SignedLine)
            else:
                signatures.append(parse_line(number, body, SeatSignedLine).replies_signed)
        elif body.startswith(b'{"outcome"'):
            outcome, fingerprint = parse_line(number, body, Last).outcome, chain.hash
        else:
            entries.append(parse_line(number, body, Entry))
    if header is None:
        raise RecordError("the record is empty; expected a header line")
    _check_entries(entries, cut_off=outcome is None)
    _check_signatures(signatures, len(header.players), len(entries) + 3)
    return Record(header, tuple(entries), outcome, (fingerprint or chain.hash).decode(), tuple(signatures))


def _check_header(header: Header) -> None:
    form, seats = header.fairplay, len(header.players)
    if not 1 <= form <= _FORMAT:
        raise RecordError(f"line 1: record format {form} is not known here; expected 1 to {_FORMAT}")
    if form < 3:
        if new := [field for field in _SINCE[3] if getattr(header, field)]:
            raise RecordError(f"line 1: '{new[0]}' belongs to record format 3, not to format {form}")
        return
    told = {field: getattr(header, field) for field in _BY_SEAT}
    if header.deal is not None:
        told["nonces"] = header.deal.nonces
    for field, values in told.items():
        if values and len(values) != seats:
            raise RecordError(f"line 1: '{field}' speaks of {len(values)} seats, but the match has {seats}")


def _check_entries(entries: Sequence[Entry], *, cut_off: bool) -> None:
    """Raises RecordError if a line says no one thing, or a line is missing of those that were resolved together."""
    groups_end = 0
    for at, entry in enumerate(entries):
        if entry.seat is None or entry.resigned or entry.befell is not UNSET:
            _check_kind(at + 2, entry)
        if entry.together != 1 and at >= groups_end:
            groups_end = at + entry.together
            _check_group(at + 2, entries[at:groups_end], cut_off=cut_off)


def _check_kind(number: int, entry: Entry) -> None:
    """Raises RecordError unless chance, which has no seat, and resignations stand in a line of their own."""
    if entry.befell is UNSET and entry.seat is None:
        raise RecordError(f"line {number}: expected a seat, or what befell")
    if entry.befell is not UNSET and (entry.seat is not None or entry.together != 1 or entry.note is not UNSET):
        raise RecordError(f"line {number}: what befell is of no seat, and has neither a note nor others beside it")
    if sum((entry.action is not UNSET, entry.fault is not UNSET, entry.befell is not UNSET, entry.resigned)) > 1:
        raise RecordError(f"line {number}: expected one of 'action', 'fault', 'befell' and 'resigned'")


def _check_group(number: int, group: Sequence[Entry], *, cut_off: bool) -> None:
    """Raises RecordError if these are not the lines of all the seats that were asked at once, in seat order."""
    first, seats = group[0], [each.seat or 0 for each in group]
    same = all((each.order, each.together) == (first.order, first.together) for each in group)
    if not same or seats != sorted({*seats}) or (len(group) < first.together and not cut_off):
        expected = f"{first.together} lines of order {first.order}, each of another seat, in seat order"
        raise RecordError(f"line {number}: expected {expected}")


def _check_signatures(signatures: Sequence[SeatSignature], seats: int, number: int) -> None:
    """Raises RecordError if a seat that is not there has signed, or one has signed twice."""
    signed = [each.seat for each in signatures]
    for at, seat in enumerate(signed):
        if seat >= seats or seat in signed[:at]:
            raise RecordError(f"line {number + at}: expected the signature of another of the {seats} seats, not {seat}")


def parse_line(number: int, body: bytes, kind: type[Any]) -> Any:
    """The body of a line as a type; raises RecordError with its number."""
    try:
        return msgspec.json.decode(body, type=kind)
    except UNREADABLE as error:
        hint = "; a newer version of Fairplay may know it" if "unknown field" in str(error) else ""
        raise RecordError(f"line {number}: {error}{hint}") from None


class Chain:
    """The running hash: seals lines when writing, checks them when reading."""

    SEAL = b',"hash":"%b"}\n'
    WIDTH = 32  # hexadecimal digits

    def __init__(self) -> None:
        self.hash = b""

    def advance(self, body: bytes) -> None:
        self.hash = blake2b(self.hash + body, digest_size=self.WIDTH // 2).hexdigest().encode()

    def line(self, value: Struct) -> bytes:
        body = msgspec.json.encode(value)
        self.advance(body)
        return body[:-1] + self.SEAL % self.hash

    def checked(self, number: int, line: bytes) -> bytes:
        """The body of `line`; raises RecordError if the seal is missing or broken."""
        seal = len(self.SEAL % (b"0" * self.WIDTH))
        if not line.endswith(b"\n"):
            raise RecordError(f"line {number}: cut off in the middle")
        body = line[:-seal] + b"}"
        self.advance(body)
        if line[-seal:] != self.SEAL % self.hash:
            raise RecordError(f"line {number}: changed after it was written (its hash does not fit)")
        return body
