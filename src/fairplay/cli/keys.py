"""`fairplay keys`: the key pair that signs matches; and whose key has signed one."""

import re
from pathlib import Path

import click

from fairplay.cli.options import db_option, json_option, key_option
from fairplay.cli.output import print_json
from fairplay.cli.storage import find_key_file
from fairplay.core import StoreError, UsageError
from fairplay.report.json_output.catalog import KeysDocument
from fairplay.store import default_url
from fairplay.store.keys import Keys, load_keys, renew_keys

_PUBLIC_KEY = re.compile(r"[0-9a-f]{64}")

_WHERE = """\b
The key is in the file that --key names, else FAIRPLAY_KEY, else beside the store: fairplay.db.key
for fairplay.db. For PostgreSQL, name it."""


@click.group("keys", epilog=f"{_WHERE}\n\n\b\nExamples:\n  fairplay keys show\n  fairplay keys new --db contests.db")
def command() -> None:
    """Show or renew the key that signs your matches."""


@command.command("show", epilog="\b\nExamples:\n  fairplay keys show\n  fairplay keys show --key referee.key --json")
@db_option
@key_option
@json_option
def show_command(db: str | None, key: Path | None, *, as_json: bool) -> None:
    """Print your public keys: publish them, so that others know your signatures.

    The first one signs; those after it did before. The file also holds the secret half of the first: do not send it
    to anyone.
    """
    path = _require_key_file(key, db or default_url())
    keys = load_keys(path)
    if keys is None:
        raise UsageError(f"there is no key in {path} yet; it is made with the first match, or by `fairplay keys new`")
    _show_keys(path, keys, as_json=as_json)


@command.command("new", epilog="\b\nExamples:\n  fairplay keys new\n  fairplay keys new --key referee.key")
@db_option
@key_option
@json_option
def new_command(db: str | None, key: Path | None, *, as_json: bool) -> None:
    """Make a new key; what the old one signed is still yours.

    Do it when someone else may have read the old one: a player without a sandbox could. Restart your servers
    afterwards: they go on signing with the key that they have loaded.
    """
    path = _require_key_file(key, db or default_url())
    _show_keys(path, renew_keys(path), as_json=as_json)


def _show_keys(path: Path, keys: Keys, *, as_json: bool) -> None:
    """Print public keys, the present one first."""
    if as_json:
        print_json(KeysDocument(str(path), keys.signer.public, tuple(keys.retired)))
        return
    click.echo(keys.signer.public)
    for public in keys.retired:
        click.echo(f"{public} (retired)")


def _require_key_file(key: Path | None, place: str) -> Path:
    """The key file of the store at `place`; raises UsageError if nobody has said where it is."""
    path = find_key_file(key, place)
    if path is None:
        raise UsageError("nothing can lie beside a server's database; say where the key is with --key or FAIRPLAY_KEY")
    return path


# -- whose keys --------------------------------------------------------------------------------


def load_own_keys(key: Path | None, place: str) -> tuple[str, ...]:
    """The public keys of the user; none if there is no key, or none that can be read."""
    path = find_key_file(key, place)
    try:
        keys = None if path is None else load_keys(path)
    except StoreError:
        if key is not None:
            raise
        keys = None
    return () if keys is None else keys.public


def read_public_keys(given: tuple[str, ...]) -> tuple[str, ...]:
    """The public keys that are given, each by itself or in a file, as `fairplay keys show` prints them.

    Raises UsageError.
    """
    found: list[str] = []
    for name in given:
        text = name if _PUBLIC_KEY.fullmatch(name) else _read_key_text(name)
        keys = _PUBLIC_KEY.findall(text)
        if not keys:
            raise UsageError(f"--public-key: {name} holds no public key; expected 64 digits of 0 to 9 and a to f")
        found += keys
    return tuple(found)


def _read_key_text(name: str) -> str:
    """What a file of public keys holds; raises UsageError, also for a key file, whose secret is nobody's business."""
    try:
        text = Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError, ValueError):
        raise UsageError(f"--public-key: '{name}' is neither a public key nor a file with some") from None
    if '"secret"' in text:
        raise UsageError(f"--public-key: {name} holds a secret key; give what `fairplay keys show` prints")
    return text


def describe_owner(key: str, own: tuple[str, ...], named: tuple[str, ...]) -> str:
    """What is known of the owner of a public key, in words."""
    if key in own:
        return "yours"
    return "the key that you named" if key in named else "unknown to you: compare it with the key that its owner gives"
