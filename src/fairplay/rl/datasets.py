"""The turns of recorded matches as columns: what the seat on turn saw and chose, and how the match ended for it.

A turn is a decision that the rules allowed.  An illegal answer, a crash or a timeout is none: it leaves no row, and the
rows before it say by their reward that the seat was removed.  Files are `.npz` for numpy and `.parquet` for everything
else, written whole or not at all.
"""

from __future__ import annotations

import math
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO, Protocol, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct
from numpy.lib import format as npy

from fairplay.contest.contest import Contest, Result
from fairplay.core import AnyGame, AnyTurn, NumberError, Outcome, RecordError, Seat, StoreError, Turn, UsageError
from fairplay.core.kernel import AnyArray
from fairplay.core.match import REMOVED, share_rewards
from fairplay.core.numbers import AnyEncoding
from fairplay.match.packing import unpacked
from fairplay.match.record import read_record
from fairplay.match.replay import deal_state, replay_record
from fairplay.store.transfer import write_atomically

CHUNK_BYTES = 16 * 1024 * 1024
"""How much is collected in memory before it is written."""


class Description(Struct, frozen=True):
    """What a data set says about itself: all that is needed to read it, and to play with what was learned from it."""

    version: str  # of the numbers, such as fish_v0
    game: str
    setup: object  # as players may know it
    seats: int
    players: tuple[str, ...]  # whom the column `player` counts
    actions: int
    observation: tuple[int, ...]
    channels: tuple[dict[str, str | int], ...]


class TurnsReport(Struct, frozen=True):
    """What a data set was made of."""

    version: str
    matches: int
    turns: int
    unproven: int  # matches that were left out: they have no record


def export_turns(game: AnyGame, contest: Contest, results: Iterable[Result], seats: int, path: Path) -> TurnsReport:
    """Write the turns of all matches with this many seats to `path`, whole or not at all; few are held in memory.

    The ending of the name says how: `.npz`, arrays of numpy, or `.parquet`, a table.  Raises UsageError if that is not
    possible, StoreError if nothing can be written, and RecordError if a record is damaged.
    """
    description, encoding = _describe_turns(game, contest, seats)
    turns = matches = unproven = 0
    with _open_table(path, _list_columns(encoding), msgspec.json.encode(description).decode()) as table:
        collector = _Collector(table, encoding)
        for result in results:
            if len(result.line_up) != seats:
                continue
            matches += bool(result.record)
            unproven += not result.record
            if result.record:
                turns += _add_match(collector, game, result)
        collector.flush()
        if not turns:
            raise StoreError("none of these matches has a record with turns, so there is nothing to write")
    return TurnsReport(description.version, matches, turns, unproven)


def _describe_turns(game: AnyGame, contest: Contest, seats: int) -> tuple[Description, AnyEncoding]:
    """What the data set will say about itself, and how its arrays are made; raises UsageError."""
    if game.parts.numbers is None:
        raise UsageError(f"{game.name} does not number its actions, so its turns cannot be written as arrays")
    setup = msgspec.json.decode(contest.setup, type=game.setup)
    try:
        encoding = game.parts.numbers.encoding_of(deal_state(game, setup, 0, seats))
    except NumberError as error:
        raise UsageError(f"{game.name}: {error}") from None
    shown = game.rules.public_setup(setup)
    description = Description(
        version=game.parts.numbers.VERSION,
        game=game.name,
        setup=shown,
        seats=seats,
        players=contest.names,
        actions=encoding.actions,
        observation=encoding.shape,
        channels=tuple(channel._asdict() for channel in encoding.channels),
    )
    return description, encoding


def _list_columns(encoding: AnyEncoding) -> _Columns:
    """The columns of a data set, by name."""
    return {
        "match": ArrayColumn("int32"),  # as `fairplay tournament matches` numbers it
        "turn": ArrayColumn("int32"),  # of the match, from 0
        "seat": ArrayColumn("int8"),
        "player": ArrayColumn("int16"),  # in the list of players
        "observation": ArrayColumn("float32", encoding.shape),  # of the seat on turn
        "action_mask": ArrayColumn("int8", (encoding.actions,)),
        "action": ArrayColumn("int32"),
        "reward": ArrayColumn("float32"),  # of the whole match, for this seat
        "score": ArrayColumn("float32"),  # the first number of its final score; NaN without one
    }


class _Collector:
    """Collects turns until there are enough of them to be written."""

    def __init__(self, table: _Table, encoding: AnyEncoding) -> None:
        columns = _list_columns(encoding)
        size = max(1, CHUNK_BYTES // sum(column.row_bytes for column in columns.values()))
        self.table, self.encoding, self.filled, self.size = table, encoding, 0, size
        self.arrays = {name: np.zeros((size, *column.shape), column.dtype) for name, column in columns.items()}

    def add(self, view: object, action: object, **numbers: float) -> None:
        """Add a turn; `numbers` are its other columns."""
        row, arrays = self.filled, self.arrays
        self.encoding.observe(view, arrays["observation"][row])
        self.encoding.fill_mask(view, arrays["action_mask"][row])
        arrays["action"][row] = self.encoding.number(action, view)
        for name, value in numbers.items():
            arrays[name][row] = value
        self.filled += 1
        if self.filled == self.size:
            self.flush()

    def flush(self) -> None:
        if self.filled:
            self.table.add({name: array[: self.filled] for name, array in self.arrays.items()})
        self.filled = 0


def _add_match(collector: _Collector, game: AnyGame, result: Result) -> int:
    """Add the turns of a match, and return how many there are; raises RecordError naming the match."""
    rewards, count = _reward_seats(result.outcome), 0
    for count, turn in enumerate(_replay_turns(game, result), 1):
        score = result.outcome.scores[turn.seat]
        collector.add(
            game.rules.view(turn.before, turn.seat),
            turn.action,
            match=result.number,
            turn=count - 1,
            seat=turn.seat,
            player=result.line_up[turn.seat],
            reward=rewards[turn.seat],
            score=score[0] if score else np.nan,
        )
    return count


def _replay_turns(game: AnyGame, result: Result) -> Iterator[AnyTurn]:
    """The turns of a match, played again; raises RecordError naming the match."""
    try:
        for event in replay_record(game, read_record(unpacked(result.record))):
            if isinstance(event, Turn):
                yield event
    except RecordError as error:
        raise RecordError(f"match {result.number}: {error}") from None


def _reward_seats(outcome: Outcome) -> list[float]:
    """What the match was worth to each seat, as in the environments."""
    scores = {Seat(seat): score for seat, score in enumerate(outcome.scores) if score is not None}
    shared = share_rewards(scores, len(outcome.scores))
    return [reward if fault is None else REMOVED for reward, fault in zip(shared, outcome.faults, strict=True)]


_METADATA = "fairplay"
"""Under this name both kinds of file say, as JSON, what is in them."""


class ArrayColumn(Struct, frozen=True):
    """One value for every row: a number, or an array of a fixed shape."""

    dtype: str
    shape: tuple[int, ...] = ()

    @property
    def row_bytes(self) -> int:
        """How much room one row takes."""
        return np.dtype(self.dtype).itemsize * math.prod(self.shape)


_Columns: TypeAlias = Mapping[str, ArrayColumn]


class _Table(Protocol):
    """A file that rows are added to."""

    def add(self, chunk: Mapping[str, AnyArray]) -> None:
        """Add some rows: all arrays are of the same length."""
        ...

    def close(self) -> None:
        """Write what is still missing."""
        ...


@contextmanager
def _open_table(path: Path, columns: _Columns, about: str) -> Iterator[_Table]:
    """A table that appears under its name only when it is complete; raises UsageError, StoreError."""
    make = check_format(path)
    with write_atomically(path) as file, ExitStack() as closing:
        table = make(file, columns, about, closing)
        yield table
        table.close()


def check_format(path: Path) -> Callable[..., _Table]:
    """What writes files with the ending of this one; raises UsageError if nothing does, or a library is missing."""
    if path.suffix not in _FORMATS:
        raise UsageError(f"{path.name}: expected a name that ends in {' or '.join(_FORMATS)}")
    if path.suffix == ".parquet":
        try:
            import pyarrow.parquet  # noqa: F401 - only to see whether it is there
        except ImportError:
            raise UsageError("for Parquet, install pyarrow: pip install pyarrow") from None
    return _FORMATS[path.suffix]


class _NumpyTable:
    """An archive of arrays.  Columns grow in nameless files of their own, for in the archive they follow each other."""

    def __init__(self, file: BinaryIO, columns: _Columns, about: str, closing: ExitStack) -> None:
        self.file, self.columns, self.about, self.rows = file, columns, about, 0
        folder = Path(file.name).parent
        self.parts: dict[str, IO[bytes]] = {}
        for name in columns:
            self.parts[name] = closing.enter_context(TemporaryFile(dir=folder))  # noqa: SIM115 - closed by the stack

    def add(self, chunk: Mapping[str, AnyArray]) -> None:
        for name, part in self.parts.items():
            part.write(np.ascontiguousarray(chunk[name]).data)
        self.rows += len(next(iter(chunk.values())))

    def close(self) -> None:
        with zipfile.ZipFile(self.file, "w") as archive:
            with _open_member(archive, _METADATA) as member:
                npy.write_array(member, np.array(self.about), allow_pickle=False)
            for name, column in self.columns.items():
                self.parts[name].seek(0)
                with _open_member(archive, name) as member:
                    npy.write_array_header_2_0(member, self.header_of(column))
                    shutil.copyfileobj(self.parts[name], member, 1024 * 1024)

    def header_of(self, column: ArrayColumn) -> dict[str, object]:
        """What stands before the numbers of an array."""
        descr = npy.dtype_to_descr(np.dtype(column.dtype))
        return {"descr": descr, "fortran_order": False, "shape": (self.rows, *column.shape)}


def _open_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """An array in an archive; the same bytes whenever it is written."""
    info = zipfile.ZipInfo(f"{name}.npy")
    info.compress_type = zipfile.ZIP_DEFLATED
    return archive.open(info, "w", force_zip64=True)


class _ParquetTable:
    """A table with a group of rows for each chunk.  Arrays are lists of a fixed size, in the order of memory."""

    def __init__(self, file: BinaryIO, columns: _Columns, about: str, closing: ExitStack) -> None:
        import pyarrow as arrow
        from pyarrow.parquet import ParquetWriter

        self.arrow, self.columns = arrow, columns
        fields = [arrow.field(name, self.type_of(column), nullable=False) for name, column in columns.items()]
        self.schema = arrow.schema(fields, metadata={_METADATA: about})
        self.writer = ParquetWriter(file, self.schema, compression="zstd")

    def type_of(self, column: ArrayColumn) -> Any:
        """The type of a column."""
        number = self.arrow.from_numpy_dtype(np.dtype(column.dtype))
        return self.arrow.list_(number, math.prod(column.shape)) if column.shape else number

    def add(self, chunk: Mapping[str, AnyArray]) -> None:
        arrays = [self.convert(chunk[name], column) for name, column in self.columns.items()]
        self.writer.write_table(self.arrow.Table.from_arrays(arrays, schema=self.schema))

    def convert(self, values: AnyArray, column: ArrayColumn) -> Any:
        """An array as a column."""
        flat = self.arrow.array(values.reshape(-1))
        return self.arrow.FixedSizeListArray.from_arrays(flat, type=self.type_of(column)) if column.shape else flat

    def close(self) -> None:
        self.writer.close()


_FORMATS: Mapping[str, Callable[..., _Table]] = {".npz": _NumpyTable, ".parquet": _ParquetTable}
