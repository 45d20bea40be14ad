"""Where the command line keeps what is played: in a store, and in files as well where that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from fairplay.core import StoreError, UsageError
from fairplay.store import SessionRow, default_url, open_store

if TYPE_CHECKING:
    from fairplay.contest.contest import Contest, Result
    from fairplay.run.keeping import Keeper
    from fairplay.store.store import Store

__all__ = ["Keeping", "Kept", "MatchFiles", "db_option", "hint_db", "open_keeping", "store_options"]

F = TypeVar("F", bound=Callable[..., Any])

db_option = click.option(
    "--db", metavar="FILE|URL", help="The store: a file, or postgresql://... [default: FAIRPLAY_DB, else fairplay.db]"
)


def store_options(command: F) -> F:
    """The options of every command that plays."""
    for option in (
        click.option("--no-store", is_flag=True, help="Keep nothing."),
        click.option("--out", type=click.Path(path_type=Path), help="Write the records into this folder as well."),
        db_option,
    ):
        command = option(command)
    return command


class Keeping(NamedTuple):
    """Where matches go: a store that lasts, or one that is thrown away when the command ends."""

    store: Store
    db: str  # as it was named
    lasting: bool

    def create(self, contest: Contest, sessions: Sequence[SessionRow] = ()) -> Kept:
        """Keep a new contest."""
        from fairplay.run.keeping import StoreKeeper

        id = self.store.create(contest, sessions=sessions)
        return Kept(StoreKeeper(self.store, id), id, self.db, self.lasting)


class Kept(NamedTuple):
    """A contest that is being played, and where it is kept."""

    keeper: Keeper
    id: int
    db: str
    lasting: bool

    def reference(self, number: int) -> str | None:
        """What `fairplay replay` takes for a match; None where it will be gone."""
        return f"{self.db}#{self.id}/{number}" if self.lasting else None


@contextmanager
def open_keeping(db: str | None, *, no_store: bool) -> Iterator[Keeping]:
    """The store to keep matches in.  Where it cannot be written, one sentence says so, and nothing lasts."""
    name = db or default_url()
    with ExitStack() as stack:
        store: Store | None = None
        if not no_store:
            try:
                store = stack.enter_context(open_store(name))
            except StoreError as error:
                click.echo(f"Warning: nothing will be kept: {error}", err=True)
        lasting = store is not None
        if store is None:
            folder = stack.enter_context(TemporaryDirectory(prefix="fairplay-"))
            store = stack.enter_context(open_store(Path(folder, "fairplay.db")))
        yield Keeping(store, name, lasting)


def hint_db(db: str | None) -> str:
    """How to name the same store again on a command line, if it must be named."""
    return "" if db is None or db == default_url() else f" --db {db}"


class MatchFiles:
    """Records as files of their own: ``match-0001.jsonl`` and so on."""

    def __init__(self, folder: Path | None) -> None:
        """Raises UsageError where the folder already holds records."""
        self.folder = folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            if held := next(folder.glob("match-*.jsonl"), None):
                raise UsageError(f"--out: {folder} already holds {held.name}; choose a new folder")

    def path(self, number: int) -> Path | None:
        return None if self.folder is None else self.folder / f"match-{number + 1:04}.jsonl"

    def write(self, result: Result) -> None:
        """Write the record of a match, whole or not at all."""
        from fairplay.play.packing import unpacked

        path = self.path(result.number)
        if path is not None and result.record:
            draft = path.with_name(f".{path.name}")
            draft.write_bytes(b"".join(unpacked(result.record)))
            draft.replace(path)
