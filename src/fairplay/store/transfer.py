"""Contests as files: moved from store to store, and believed only after every record has been played again.

A file is a gzip stream of lines, each a JSON value, chained by hashes like the lines of a record:

    {"tournament":1,"fingerprint":"...","created":...,"finished":...,"contest":{...},"standings":...,"hash":"..."}
    {"number":0,"line_up":[0,1],"deal":0,"outcome":{...},"seconds":0.01,"record":"...","hash":"..."}
    {"matches":1,"hash":"..."}

A match is *unproven* without a record, *consistent* if its record follows from the rules and leads to its outcome,
*signed* if the record also bears a signature for this very match.  Format 1 had no signatures.
"""

from __future__ import annotations

import gzip
import os
import secrets
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fairplay.contest.contest import Contest, Result
from fairplay.contest.schedule import match_seed
from fairplay.contest.scoreboard import read_tables
from fairplay.core import AnyGame, Outcome, RecordError, StoreError
from fairplay.game_files import explain_difference
from fairplay.match import packing
from fairplay.match.record import SIGNED, Chain, Header, Signature, read_record
from fairplay.match.replay import replay_record

if TYPE_CHECKING:
    from fairplay.store.store import Store

FORMAT = 2
MAX_LINE_BYTES = 64 * 1024 * 1024
"""Bytes of one line: a small file could otherwise unpack to more than the memory holds."""

StandingsBuilder: TypeAlias = Callable[[Contest, Iterable[Result]], bytes]
"""Makes the standings of a contest out of its results, as JSON."""

Whole: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class ExportHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: the contest."""

    tournament: int
    fingerprint: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    created: float
    finished: float | None
    contest: Contest
    standings: str | None


class ExportedMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A line for each match; `record` is its lines without their hashes, the last hash behind them."""

    number: Whole
    line_up: tuple[int, ...]
    deal: Whole
    outcome: Outcome
    seconds: float
    record: str


class ExportEnd(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line, by which a file that was cut off is known."""

    matches: int


class ExportReport(Struct, frozen=True):
    """What was exported."""

    matches: int
    signed: int  # of them, bear a signature
    unproven: int  # of them, have no record


class ImportReport(Struct, frozen=True):
    """What came of an import: the number of the contest here and its matches."""

    id: int
    matches: int
    new: int  # of them, were not here before
    unproven: int  # of them, came without a record: nothing could be played again
    signed: dict[str, int] = {}  # of the others, bear a signature, by public key
    exposed: int = 0  # of those that are signed, had a player without a sandbox, who could have read the key

    @property
    def consistent(self) -> int:
        """Matches that were played again and led to their outcome, signed or not."""
        return self.matches - self.unproven


# -- export ------------------------------------------------------------------------------------


def export_contest(store: Store, id: int, path: Path) -> ExportReport:
    """Write a contest with all its results to `path`, whole or not at all; raises StoreError."""
    summary, table, chain = store.summary(id), store.standings(id), Chain()
    head = ExportHead(
        FORMAT,
        summary.fingerprint,
        summary.created,
        summary.finished,
        store.contest(id),
        None if table is None else table.decode(),
    )
    with write_atomically(path) as plain, gzip.GzipFile("", "wb", compresslevel=6, fileobj=plain, mtime=0) as file:
        file.write(chain.line(head))
        matches = signed = unproven = 0  # counted here: more may have been played since the summary
        for result in store.results(id, records=True):
            match = build_match_line(result)
            file.write(chain.line(match))
            matches += 1
            signed += match.record.rpartition("\n")[2].startswith(SIGNED.decode())
            unproven += not match.record
        file.write(chain.line(ExportEnd(matches)))
    return ExportReport(matches, signed, unproven)


def build_match_line(result: Result) -> ExportedMatch:
    """The line of a file that holds `result`."""
    record = packing.decompress_lines(result.record).decode() if result.record else ""
    return ExportedMatch(result.number, result.line_up, result.deal, result.outcome, result.seconds, record)


@contextmanager
def write_atomically(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name only when all of it is on the disk; raises StoreError."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        try:
            with draft.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
            sync_folder(path.parent)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from None


def sync_folder(folder: Path) -> None:
    """A renamed file is safe only when its folder is on the disk too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# -- import ------------------------------------------------------------------------------------


def import_contest(
    store: Store,
    path: Path,
    games: Mapping[str, AnyGame],
    *,
    table: StandingsBuilder | None = None,
    accept: Collection[str] = (),
) -> ImportReport:
    """Check everything in the file by playing it again, then keep what is not here yet; raises RecordError, StoreError.

    table: builds the standings, which must be those of the file; without it, they are believed.
    accept: public keys by one of which every match must be signed; without any, all matches are taken.
    """
    seal, matches, unproven, exposed, signed = Chain(), 0, 0, 0, Counter[str]()
    with explain_file_errors(path):
        head = read_head(path)
        game = games.get(head.contest.game)
        if game is None:
            raise StoreError(f"{path.name} holds a tournament of {head.contest.game}, which is not known here")
        for match in read_matches(path, seal):
            matches += 1
            proof = verify_match(game, head, match)
            check_signer(match, proof, accept)
            unproven += proof is None
            if proof is not None and proof.signature is not None:
                signed[proof.signature.key] += 1
                exposed += proof.exposed
        lines = check_standings(path, head, table)
        known = store.find_contest(head.fingerprint)
        before = 0 if known is None else store.summary(known).matches
        with nullcontext() if known is None else store.lease(known):
            id = store.restore(
                head.fingerprint,
                head.contest,
                head.created,
                head.finished,
                lines,
                lambda: read_results(path, seal.hash),
            )
    return ImportReport(id, matches, store.summary(id).matches - before, unproven, dict(signed), exposed)


@contextmanager
def explain_file_errors(path: Path) -> Iterator[None]:
    """Say in words what is wrong with the file as such."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise RecordError(f"{path.name} is damaged, or not an exported tournament: {error}") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from None
    except RecordError as error:
        raise RecordError(f"{path.name}: {error}") from None


def read_bodies(path: Path, chain: Chain) -> Iterator[tuple[int, bytes]]:
    """The lines by number, checked.  EFFECT: `chain` ends with the hash that stands for the whole file."""
    number = 0
    with gzip.open(path, "rb") as file:
        while line := file.readline(MAX_LINE_BYTES):
            number += 1
            if len(line) == MAX_LINE_BYTES:
                raise RecordError(f"line {number} is too long")
            yield number, chain.checked(number, line)


def read_head(path: Path) -> ExportHead:
    """The first line; raises RecordError."""
    for number, body in read_bodies(path, Chain()):
        version = decode_line(number, body, dict[str, Any]).get("tournament")
        if version not in range(1, FORMAT + 1):
            raise RecordError(f"format {version} of tournament files is not known here; expected 1 to {FORMAT}")
        head: ExportHead = decode_line(number, body, ExportHead)
        return head
    raise RecordError("the file is empty; expected a tournament")


def read_matches(path: Path, chain: Chain) -> Iterator[ExportedMatch]:
    """The matches of the file; raises RecordError if some are missing or twice.  EFFECT: as in `bodies`."""
    last, count, complete = -1, 0, False
    for number, body in read_bodies(path, chain):
        if complete:
            raise RecordError(f"line {number}: nothing may follow the number of matches")
        if body.startswith(b'{"matches"'):
            complete = decode_line(number, body, ExportEnd).matches == count
        elif number > 1:
            match: ExportedMatch = decode_line(number, body, ExportedMatch)
            if match.number <= last:
                raise RecordError(f"match {match.number} is there twice or out of order")
            last, count = match.number, count + 1
            yield match
    if not complete:
        raise RecordError("the file was cut off: matches are missing at its end")


def read_results(path: Path, seal: bytes) -> Iterator[Result]:
    """The results of the file, which must still end with the hash `seal`; raises RecordError."""
    chain = Chain()
    for match in read_matches(path, chain):
        record = packing.compress_lines(match.record.encode()) if match.record else b""
        yield Result(match.number, match.line_up, match.deal, match.outcome, record, match.seconds)
    if chain.hash != seal:
        raise RecordError("the file was changed while it was read")


def decode_line(number: int, body: bytes, kind: type[Any]) -> Any:
    """The value of a line; raises RecordError with the number of the line."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"line {number}: {error}") from None


# -- proof -------------------------------------------------------------------------------------


class Proof(Struct, frozen=True):
    """What a record shows: the match is consistent, and signed if there is a signature."""

    signature: Signature | None
    exposed: bool  # a player could have read the key


def verify_match(game: AnyGame, head: ExportHead, match: ExportedMatch) -> Proof | None:
    """Play the match again; None if it has no record; raises RecordError naming the match."""
    try:
        check_seats(head.contest, match)
        if not match.record:
            return None
        lines = packing.unpacked(packing.compress_lines(match.record.encode()))
        record = read_record(lines)
        check_header(game, head.contest, match, record.header)
        if difference := explain_difference(game.name, record.header.rule_book):
            raise RecordError(f"it cannot be verified: it was {difference}")
        if record.outcome != match.outcome:
            raise RecordError("the outcome is not that of its record")
        for _ in replay_record(game, record):
            pass
        signature = packing.check_signature(lines)
        named = signature is not None and (not head.contest.is_open or "/" in signature.match)  # earlier ones: a table
        if signature is not None and named and signature.match != packing.match_name(head.fingerprint, match.number):
            raise packing.SignatureError("its signature is of another match")
        return Proof(signature, bool(packing.exposing_players(record.header)))
    except RecordError as error:
        raise RecordError(f"match {match.number}: {error}") from None


def check_signer(match: ExportedMatch, proof: Proof | None, accept: Collection[str]) -> None:
    """Refuse what none of these keys has signed; without keys, nothing is refused."""
    signer = None if proof is None or proof.signature is None else proof.signature.key
    if accept and signer not in accept:
        how = "has no record" if proof is None else "is not signed" if signer is None else f"is signed by {signer}"
        raise RecordError(f"match {match.number} {how}; expected a signature of a key that was named")


def check_seats(contest: Contest, match: ExportedMatch) -> None:
    """Refuse an outcome that speaks of seats or players that are not there."""
    outcome, seats = match.outcome, len(match.line_up)
    ranked = [seat for tier in outcome.ranking for seat in tier]
    if not all(0 <= player < len(contest.entrants) for player in match.line_up):
        raise RecordError("its line-up names a player that is not of this tournament")
    if len(outcome.scores) != seats or len(outcome.faults) != seats or not {*ranked} <= {*range(seats)}:
        raise RecordError("its outcome is of other seats than its line-up")


def check_header(game: AnyGame, contest: Contest, match: ExportedMatch, header: Header) -> None:
    """Refuse the record of another match: it must be of this deal, this setup and these players."""
    given = [contest.entrants[player] for player in match.line_up]
    if header.players not in (tuple(name for name, _ in given), tuple(spec for _, spec in given)):
        raise RecordError(f"its record is of {', '.join(header.players)}, who are not its line-up")
    if header.seed != match_seed(contest, match.deal):
        raise RecordError("its record is of another deal")
    if header.seed_chosen != contest.seed_chosen:
        raise RecordError("its record and the tournament do not agree on whether the seed was chosen")
    if decode_setup(game, header.setup) != decode_setup(game, contest.setup):
        raise RecordError("its record is of another setup")


def decode_setup(game: AnyGame, setup: msgspec.Raw) -> Any:
    """A setup as a value of its game; raises RecordError."""
    try:
        return msgspec.json.decode(setup, type=game.setup)
    except msgspec.MsgspecError as error:
        raise RecordError(f"the setup is not one of {game.name}: {error}") from None


def check_standings(path: Path, head: ExportHead, table: StandingsBuilder | None) -> bytes | None:
    """The standings to keep: those of the file, or our own if an earlier version fitted ratings in another way.

    Refuses what is not JSON, or does not follow from the results if `table` can tell.
    """
    claimed = None if head.standings is None else decode_line(1, head.standings.encode(), Any)
    if head.standings is None or claimed is None or table is None:
        return None if head.standings is None else head.standings.encode()
    results = (
        Result(
            number=match.number,
            line_up=match.line_up,
            deal=match.deal,
            outcome=match.outcome,
            record=b"",
            seconds=match.seconds,
            levels=packing.packed_levels(packing.compress_lines(match.record.encode())) if match.record else (),
        )
        for match in read_matches(path, Chain())
    )
    lines = table(head.contest, results)
    ours, kept = msgspec.json.decode(lines), read_tables(head.standings)
    if ours == claimed or (kept is not None and kept == read_tables(lines)):
        return lines
    if isinstance(claimed, dict) and claimed.get("fit") != ours.get("fit"):
        return lines
    raise RecordError("the table is not what its matches give")
