"""The key pair that signs matches: a small file beside the store that nobody but its owner can read."""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fairplay.core import StoreError
from fairplay.match.packing import Signer

FORMAT = 1
OTHERS = 0o077
"""The permissions of everyone but the owner."""

Hex: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hexadecimal digits."""


class KeyFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What the file holds: the secret, and the public keys that were used before.

    It begins like a record, so that sandboxes hide it, whatever its name is (run/isolation/mounts.py).
    """

    fairplay: Literal["key"]
    version: int
    secret: Hex
    retired: tuple[Hex, ...] = ()


class Keys(Struct, frozen=True):
    """The key that signs now, and the public keys of those that did before."""

    signer: Signer
    retired: tuple[str, ...]

    @property
    def public(self) -> tuple[str, ...]:
        """All public keys, the present one first."""
        return (self.signer.public, *self.retired)


def load_keys(path: Path) -> Keys | None:
    """The keys in a file, None if there is none; raises StoreError if it is unreadable, damaged or not secret."""
    try:
        with path.open("rb") as file:
            held = msgspec.json.decode(file.read(1 << 20), type=KeyFile)
            mode = os.fstat(file.fileno()).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StoreError(f"the key file {path} cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise StoreError(f"{path} is damaged, or not a key file; restore it, or move it away") from None
    if held.version != FORMAT:
        raise StoreError(f"{path} is a key file of a newer version of Fairplay; update Fairplay")
    if mode & OTHERS:
        raise StoreError(f"the key file {path} can be read by others; if it is still a secret: chmod 600 {path}")
    return Keys(Signer(bytes.fromhex(held.secret)), held.retired)


def open_keys(path: Path) -> Keys:
    """The keys in a file, which is made if it is not there; raises StoreError.

    EFFECT: of several processes that make it at once, one succeeds, and all use its key.
    """
    found = load_keys(path)
    if found is None:
        make_keys(path)
        found = load_keys(path)
        if found is None:
            raise StoreError(f"the key file {path} was removed while it was made")
    return found


def make_keys(path: Path) -> None:
    """Make a file with a new key, unless there is a file; raises StoreError if it cannot be written."""
    held = KeyFile("key", FORMAT, secrets.token_hex(32))
    # A link never shows half a file, and fails if another process was quicker.
    with explain_failure(path), write_draft(path, held) as draft, suppress(FileExistsError):
        os.link(draft, path)


def renew_keys(path: Path) -> Keys:
    """Replace the key by a new one, and keep its public key among the retired; raises StoreError.

    EFFECT: the old secret is gone.  A process that has loaded it goes on signing with it.
    """
    path = path.resolve()
    if not path.exists():
        return open_keys(path)
    with explain_failure(path), lock_file(path):
        before = load_keys(path)
        retired = () if before is None else before.public
        with write_draft(path, KeyFile("key", FORMAT, secrets.token_hex(32), retired)) as draft:
            draft.replace(path)
    return open_keys(path)


@contextmanager
def explain_failure(path: Path) -> Iterator[None]:
    """Say in words why a key file cannot be written."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"the key file {path} cannot be written: {error.strerror or error}") from None


@contextmanager
def write_draft(path: Path, held: KeyFile) -> Iterator[Path]:
    """A file beside `path` that only its owner can read, safe on the disk; it is gone after the block."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.key")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - it is open already
            file.write(msgspec.json.encode(held) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Nobody else replaces the file during the block."""
    while True:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file.fileno()).st_ino != path.stat().st_ino:
                continue  # it was replaced while we waited
            yield
            return
