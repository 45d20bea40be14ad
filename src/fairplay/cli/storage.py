"""Where a command keeps what is played: in a store, and in files as well if that is asked for."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import click

from fairplay.cli.options import StoreOptions, file_words
from fairplay.cli.output import echo, program_name
from fairplay.contest.contest import LOST_PAIRING, Contest, Hidden, Result
from fairplay.contest.specs import is_trusted
from fairplay.core import EngineError, MissingStoreError, RuleBookError, StoreError, UsageError
from fairplay.match.packing import Signer, unpacked
from fairplay.run.entrants import files_of, find_stranded
from fairplay.run.isolation.mounts import hide_paths
from fairplay.run.isolation.sandbox import find_level
from fairplay.store import SessionRow, default_url, open_store, store_file
from fairplay.store.keys import load_keys, open_keys

if TYPE_CHECKING:  # they load SQLAlchemy, and not every command opens a store
    from fairplay.run.keeping import Keeper
    from fairplay.store.store import Store

_MAX_NAMES = 3
"""Players in a sentence."""


class StoredContest(NamedTuple):
    """A contest and the store that holds it."""

    store: Store
    id: int
    place: str  # how the store is named on a command line
    lasting: bool = True  # False: the store is thrown away when the command ends
    signer: Signer | None = None  # signs what is played

    @property
    def keeper(self) -> Keeper:
        """Keeps what is played of the contest, signed."""
        from fairplay.run.keeping import StoreKeeper

        return StoreKeeper(self.store, self.id, self.signer)

    def reference(self, number: int) -> str:
        """What `fairplay replay` takes for a match of the contest, wherever the default store is."""
        return f"{self.place}#{self.id}/{number}"

    def short_reference(self, number: int | str) -> str:
        """The same, without the store if it is the default one."""
        return f"{self.id}/{number}" if self.place == default_url() else f"{self.place}#{self.id}/{number}"

    @property
    def short_id(self) -> str:
        """What the commands of `fairplay tournament` take for the contest."""
        return str(self.id) if self.place == default_url() else f"{self.id} --db {self.place}"

    @property
    def file_words(self) -> str:
        """What commands need besides if the game is a file; it begins with a space."""
        return file_words(self.store.contest(self.id).game)

    @property
    def show_command(self) -> str:
        """What to type to see the contest."""
        return f"{program_name()} tournament show {self.short_id}{self.file_words}"

    @property
    def export_command(self) -> str:
        """What to type to keep the contest in a file."""
        return f"{program_name()} tournament export {self.short_id} FILE"

    @property
    def obstacle(self) -> str:
        """Why the rest of the contest cannot be played, in words; empty if it can, or nothing is missing."""
        if self.store.summary(self.id).finished is not None:
            return ""
        contest = self.store.contest(self.id)
        if contest.has_lost_pairing:
            return LOST_PAIRING
        stranded = find_stranded(contest, self.store.sessions(self.id))
        return f"{_list_first(stranded)} signed up over a network and cannot come back" if stranded else ""

    @property
    def resume_command(self) -> str:
        """What to type to play the rest of the contest."""
        trusted = any(is_trusted(entrant.spec) for entrant in self.store.contest(self.id).entrants)
        trust = " --trust" if trusted else ""
        return f"{program_name()} tournament resume {self.short_id}{trust}{self.file_words}"


class ContestStore:
    """The store of a command that plays, and the folder of `--out`.

    If the store cannot be written, one sentence says so and the command goes on, with a store that is thrown away when
    the command ends.
    """

    def __init__(self, options: StoreOptions, stack: ExitStack) -> None:
        """Raises UsageError."""
        if options.no_store and options.db is not None:
            raise UsageError("--no-store: nothing would be kept in the store of --db; leave one of them out")
        self.files = RecordFolder(options.out)
        self.place, self._key, self._stack = options.db or default_url(), options.key, stack
        self.lasting = not options.no_store
        if self.lasting:
            try:
                self.store = stack.enter_context(open_store(self.place))
            except StoreError as error:
                self._give_up(error)
            else:
                self.place = self.store.place if "://" in self.place else self.place  # without a password
        else:
            self._open_temporary()
        keeps = self.lasting or options.out is not None
        self.signer = choose_signer(options.key, self.place) if keeps else None

    def create(self, contest: Contest, sessions: Sequence[SessionRow] = ()) -> StoredContest:
        """Keep a new contest."""
        try:
            id = self.store.create(contest, sessions=sessions)
        except StoreError as error:
            if not self.lasting:
                raise
            self._give_up(error)
            id = self.store.create(contest, sessions=sessions)
        if self.lasting:
            warn_of_neighbors(contest, self.place, self._key)
        return StoredContest(self.store, id, self.place, self.lasting, self.signer)

    def _give_up(self, error: StoreError) -> None:
        click.echo(f"Warning: nothing will be kept: {error}", err=True)
        self._open_temporary()

    def _open_temporary(self) -> None:
        self.lasting = False
        folder = self._stack.enter_context(TemporaryDirectory(prefix="fairplay-"))
        self.store = self._stack.enter_context(open_store(Path(folder, "fairplay.db")))


@contextmanager
def open_contest_store(options: StoreOptions) -> Iterator[ContestStore]:
    """The store to keep new contests in, for the time of the block; raises UsageError."""
    with ExitStack() as stack:
        yield ContestStore(options, stack)


@contextmanager
def open_existing_store(db: str | None) -> Iterator[tuple[Store, str]]:
    """A store that is there already, and how it is named; raises UsageError if it is not."""
    name = db or default_url()
    try:
        opened = open_store(name, create=False)
    except MissingStoreError as error:
        raise UsageError(f"{error}; name the store with --db, or set FAIRPLAY_DB") from None
    with opened as store:
        yield store, store.place if "://" in name else name


def _list_first(names: Sequence[str]) -> str:
    """Names in a sentence; of many the first ones, and how many more there are."""
    *shown, last = names if len(names) <= _MAX_NAMES else [*names[:_MAX_NAMES], f"{len(names) - _MAX_NAMES} more"]
    return f"{', '.join(shown)} and {last}" if shown else last


@contextmanager
def explain_stop(find: Callable[[], StoredContest | None], options: str = "") -> Iterator[None]:
    """If the block is interrupted or cannot go on: say how to resume the contest that `find` finds, and end."""
    try:
        yield
    except (KeyboardInterrupt, EngineError) as stop:
        contest = find()
        if contest is not None and contest.lasting:
            done, resume = "Stopped. What was finished is kept.", "To resume"
            if isinstance(stop, RuleBookError):
                done = "Some matches were broken off. All others are kept."
                resume = "To play the rest once the rule book is mended"
            again = f"{resume}: {contest.resume_command}{options}"
            if obstacle := contest.obstacle:
                again = f"To keep it in a file: {contest.export_command}\nIt cannot be resumed: {obstacle}."
            echo(f"\n{done}\nTo see it: {contest.show_command}\n{again}", err=True)
        if isinstance(stop, EngineError):
            raise
        sys.exit(128 + (stop.args[0] if stop.args else signal.SIGINT))


def prepare_logs(folder: Path | None) -> str:
    """The folder for what bots print, empty if none is wanted; raises UsageError if it already holds such files.

    EFFECT: makes the folder.
    """
    if folder is None:
        return ""
    folder.mkdir(parents=True, exist_ok=True)
    if held := next(folder.glob("match-*.log"), None):
        raise UsageError(f"--logs: {folder} already holds {held.name}; choose a new folder")
    return str(folder.absolute())


# -- keys --------------------------------------------------------------------------------------

_KEY_VARIABLE = "FAIRPLAY_KEY"


def find_key_file(key: Path | None, place: str) -> Path | None:
    """The key file of the store at `place`, whether or not it is there; None if nobody has said where it is."""
    if key is not None:
        return key
    if named := os.environ.get(_KEY_VARIABLE):
        return Path(named)
    file = store_file(place)
    return None if file is None else Path(f"{file}.key")


def choose_signer(key: Path | None, place: str) -> Signer | None:
    """What signs the matches of a store; None, with one sentence, if there is no key and none can be made.

    Raises StoreError if there is a key that cannot be used: matches that were kept without a signature get none later.
    EFFECT: makes the key file if it is not there.
    """
    path = find_key_file(key, place)
    if path is None:
        click.echo("Warning: matches will not be signed: say where the key is with --key or FAIRPLAY_KEY", err=True)
        return None
    found = load_keys(path)
    try:
        return (found or open_keys(path)).signer
    except StoreError as error:
        if key is not None:
            raise
        click.echo(f"Warning: matches will not be signed: {error}", err=True)
        return None


# -- what players are not shown ----------------------------------------------------------------


def hide_files(
    db: str | None,
    key: Path | None,
    *,
    folders: Iterable[str | Path | None] = (),
    files: Iterable[str | Path | None] = (),
) -> Hidden:
    """What no player is shown: the store, its keys, and what else the command writes to `folders` and `files`."""
    place = db or default_url()
    return hide_paths([store_file(place), find_key_file(key, place), *files], folders)


def warn_of_neighbors(contest: Contest, place: str, key: Path | None) -> None:
    """Say so if the store or its key lies in a bot's folder, and what to do about it."""
    files = {"--db": store_file(place), "--key": find_key_file(key, place)}
    for bot in files_of(contest):
        beside = {option: file for option, file in files.items() if file and _is_in_folder_of(bot, file)}
        if beside:
            trusted = any(is_trusted(entrant.spec) for entrant in contest.entrants)
            sandboxed = not trusted and find_level().level == "sandboxed"
            click.echo(_describe_neighbors(bot, [*map(str, beside.values())], sandboxed, min(beside)), err=True)
            return


def _is_in_folder_of(bot: str, file: Path) -> bool:
    """Is there such a file, in the folder of the bot or below it?"""
    return file.exists() and Path(os.path.realpath(file)).is_relative_to(Path(os.path.realpath(bot)).parent)


def _describe_neighbors(bot: str, files: Collection[str], sandboxed: bool, option: str) -> str:
    """One sentence about files that lie in the folder of a bot."""
    verb, them = ("lies", "it") if len(files) == 1 else ("lie", "them")
    guard = "only the sandbox keeps" if sandboxed else "nothing keeps"
    return (
        f"Note: {' and '.join(files)} {verb} in the folder of {bot}, where {guard} bots from reading {them}; "
        f"name a file elsewhere with {option}."
    )


# -- files beside the store --------------------------------------------------------------------


class RecordFolder:
    """Records as files: ``match-0001.jsonl`` and so on."""

    def __init__(self, folder: Path | None) -> None:
        """Without a folder nothing is written; raises UsageError if it already holds records.

        EFFECT: makes the folder.
        """
        self.folder = folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            if held := next(folder.glob("match-*.jsonl"), None):
                raise UsageError(f"--out: {folder} already holds {held.name}; choose a new folder")

    def path(self, number: int) -> Path | None:
        """The file of a match."""
        return None if self.folder is None else self.folder / f"match-{number + 1:04}.jsonl"

    def write(self, result: Result) -> None:
        """Write the record of a match, whole or not at all."""
        path = self.path(result.number)
        if path is not None and result.record:
            draft = path.with_name(f".{path.name}")
            draft.write_bytes(b"".join(unpacked(result.record)))
            draft.replace(path)
