"""Signatures: who vouches for a record.

    {"signed":{"key":"<public key>","match":"<tournament>/<number>","signature":"..."},"hash":"..."}

The process that keeps a match signs it, and only that process has the key: no worker, no sandbox, no database.  The
signature covers every byte of the lines before it (header, names, levels, replies, outcome) and the name of the match,
so that a record cannot stand for another match.  It proves that the holder of the key kept the match as it is here, not
that the holder is honest.
"""

from collections.abc import Collection, Sequence
from hashlib import blake2b
from typing import NoReturn

import msgspec

from fairplay.core import RecordError
from fairplay.match.packing import compress_lines, decompress_lines, join_bodies, packed, unpacked
from fairplay.match.record import SIGNED, Header, Isolation, Signature, SignedLine, parse_line, read_record

_EXPOSING: tuple[Isolation, ...] = ("trusted", "process")
"""The levels at which a player can read the files of the person who runs the match."""

_PURPOSE = b"fairplay record, version 1\n"
"""So that no signature of anything else is taken for that of a record."""


class SignatureError(RecordError):
    """A record bears a signature that is not its own."""


class Signer:
    """A key pair (Ed25519) that signs records.  It cannot be pickled, so that it never travels to a worker."""

    def __init__(self, secret: bytes) -> None:
        """ASSUME `secret` has 32 bytes."""
        from nacl.signing import SigningKey  # takes longer to load than all the rest here

        self._key = SigningKey(secret)
        self.public: str = self._key.verify_key.encode().hex()

    def __repr__(self) -> str:
        return f"Signer({self.public})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key stays in its process")

    def sign(self, record: bytes, match: str) -> bytes:
        """The packed record of a match with its signature, in the place of any other; raises RecordError if damaged."""
        loose, end, other = decompress_lines(record).rpartition(b"\n")
        signature = self._key.sign(_build_message(loose + end, match)).signature.hex()
        line = msgspec.json.encode(SignedLine(Signature(self.public, match, signature)))
        return (compress_lines(loose + end) if other else record) + line

    def sign_lines(self, lines: Sequence[bytes], match: str) -> bytes:
        """The line with the signature that follows the lines of a finished record."""
        return unpacked(self.sign(packed(lines), match))[-1]


def match_name(contest: str, number: int) -> str:
    """What a match of a contest is called in its signature; `contest` is the fingerprint of the contest."""
    return f"{contest}/{number}"


def _build_message(loose: bytes, match: str) -> bytes:
    """What is signed: all lines of a record, without their hashes, and the match that it is of."""
    return _PURPOSE + blake2b(loose, digest_size=32).digest() + match.encode()


def check_signature(lines: Sequence[bytes]) -> Signature | None:
    """The signature that a record bears, if any; raises SignatureError if it is not that of these lines.

    ASSUME the lines were read by `read_record` without an error.
    """
    if not lines or not lines[-1].startswith(SIGNED):
        return None
    from nacl.exceptions import BadSignatureError
    from nacl.signing import VerifyKey

    body = lines[-1].partition(b',"hash":')[0] + b"}"
    signed: Signature = parse_line(len(lines), body, SignedLine).signed
    message = _build_message(join_bodies(lines[:-1]), signed.match)
    try:
        VerifyKey(bytes.fromhex(signed.key)).verify(message, bytes.fromhex(signed.signature))
    except (BadSignatureError, ValueError):
        text = "the signature does not fit: the record was changed after it was signed, or it was never signed"
        raise SignatureError(f"{text} by {signed.key}") from None
    return signed


def exposing_players(header: Header) -> list[str]:
    """Those who played on the machine of the key without a sandbox, with their levels: they could have read it."""
    seats = zip(header.players, header.levels, strict=False)
    return [f"{player} ({level})" for player, level in seats if level in _EXPOSING]


def describe_proof(lines: Sequence[bytes], own: Collection[str] | None = None) -> str:
    """What shows that a match was played as its record has it, in a sentence.  ASSUME the record was replayed.

    own: the public keys of the server that shows it.
    """
    try:
        signature = check_signature(lines)
    except SignatureError as error:
        return f"Consistent, but {error}."
    known = signature is not None and own is not None and signature.key in own
    whose = "" if own is None else "this server" if known else "unknown to this server"
    return f"Consistent, {describe_signature(signature, read_record(lines).header, whose)}."


def describe_signature(signature: Signature | None, header: Header, whose: str = "") -> str:
    """Who signed a record, in words; `whose` says what is known of the key."""
    if signature is None:
        return "not signed"
    exposing = " and ".join(exposing_players(header))
    risk = f", with {exposing}, who could have read the key" if exposing else ""
    return f"signed by {signature.key}{f' ({whose})' if whose else ''}{risk}"
