"""Tables of arrays as files: `.npz` for numpy, `.parquet` for everything else; whole or not at all."""

from __future__ import annotations

import math
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO, Final, Protocol, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.lib import format as npy
from numpy.typing import NDArray

from fairplay.core import UsageError
from fairplay.store.transfer import write_atomically

__all__ = ["FORMATS", "METADATA", "ArrayColumn", "Columns", "Table", "check_format", "open_table"]

METADATA: Final = "fairplay"
"""Under this name both kinds of file say, as JSON, what is in them."""


class ArrayColumn(Struct, frozen=True):
    """One value for every row: a number, or an array of a fixed shape."""

    dtype: str
    shape: tuple[int, ...] = ()

    @property
    def row_bytes(self) -> int:
        """How much room one row takes."""
        return np.dtype(self.dtype).itemsize * math.prod(self.shape)


Columns: TypeAlias = Mapping[str, ArrayColumn]


class Table(Protocol):
    """A file that rows are added to."""

    def add(self, chunk: Mapping[str, NDArray[Any]]) -> None:
        """Add some rows: all arrays are of the same length."""
        ...

    def close(self) -> None:
        """Write what is still missing."""
        ...


@contextmanager
def open_table(path: Path, columns: Columns, about: str) -> Iterator[Table]:
    """A table that appears under its name only when it is complete; raises UsageError, StoreError."""
    make = check_format(path)
    with write_atomically(path) as file, ExitStack() as closing:
        table = make(file, columns, about, closing)
        yield table
        table.close()


def check_format(path: Path) -> Callable[..., Table]:
    """What writes files with the ending of this one; raises UsageError if nothing does, or a library is missing."""
    if path.suffix not in FORMATS:
        raise UsageError(f"{path.name}: expected a name that ends in {' or '.join(FORMATS)}")
    if path.suffix == ".parquet":
        try:
            import pyarrow.parquet  # noqa: F401 - only to see whether it is there
        except ImportError:
            raise UsageError("for Parquet, install pyarrow: pip install pyarrow") from None
    return FORMATS[path.suffix]


class NumpyTable:
    """An archive of arrays.  Columns grow in nameless files of their own, for in the archive they follow each other."""

    def __init__(self, file: BinaryIO, columns: Columns, about: str, closing: ExitStack) -> None:
        self.file, self.columns, self.about, self.rows = file, columns, about, 0
        folder = Path(file.name).parent
        self.parts: dict[str, IO[bytes]] = {}
        for name in columns:
            self.parts[name] = closing.enter_context(TemporaryFile(dir=folder))  # noqa: SIM115 - closed by the stack

    def add(self, chunk: Mapping[str, NDArray[Any]]) -> None:
        for name, part in self.parts.items():
            part.write(np.ascontiguousarray(chunk[name]).data)
        self.rows += len(next(iter(chunk.values())))

    def close(self) -> None:
        with zipfile.ZipFile(self.file, "w") as archive:
            with open_member(archive, METADATA) as member:
                npy.write_array(member, np.array(self.about), allow_pickle=False)
            for name, column in self.columns.items():
                self.parts[name].seek(0)
                with open_member(archive, name) as member:
                    npy.write_array_header_2_0(member, self.header_of(column))
                    shutil.copyfileobj(self.parts[name], member, 1024 * 1024)

    def header_of(self, column: ArrayColumn) -> dict[str, Any]:
        """What stands before the numbers of an array."""
        descr = npy.dtype_to_descr(np.dtype(column.dtype))
        return {"descr": descr, "fortran_order": False, "shape": (self.rows, *column.shape)}


def open_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """An array in an archive; the same bytes whenever it is written."""
    info = zipfile.ZipInfo(f"{name}.npy")
    info.compress_type = zipfile.ZIP_DEFLATED
    return archive.open(info, "w", force_zip64=True)


class ParquetTable:
    """A table with a group of rows for each chunk.  Arrays are lists of a fixed size, in the order of memory."""

    def __init__(self, file: BinaryIO, columns: Columns, about: str, closing: ExitStack) -> None:
        import pyarrow as arrow
        from pyarrow.parquet import ParquetWriter

        self.arrow, self.columns = arrow, columns
        fields = [arrow.field(name, self.type_of(column), nullable=False) for name, column in columns.items()]
        self.schema = arrow.schema(fields, metadata={METADATA: about})
        self.writer = ParquetWriter(file, self.schema, compression="zstd")

    def type_of(self, column: ArrayColumn) -> Any:
        """The type of a column."""
        number = self.arrow.from_numpy_dtype(np.dtype(column.dtype))
        return self.arrow.list_(number, math.prod(column.shape)) if column.shape else number

    def add(self, chunk: Mapping[str, NDArray[Any]]) -> None:
        arrays = [self.convert(chunk[name], column) for name, column in self.columns.items()]
        self.writer.write_table(self.arrow.Table.from_arrays(arrays, schema=self.schema))

    def convert(self, values: NDArray[Any], column: ArrayColumn) -> Any:
        """An array as a column."""
        flat = self.arrow.array(values.reshape(-1))
        return self.arrow.FixedSizeListArray.from_arrays(flat, type=self.type_of(column)) if column.shape else flat

    def close(self) -> None:
        self.writer.close()


FORMATS: Final[Mapping[str, Callable[..., Table]]] = {".npz": NumpyTable, ".parquet": ParquetTable}
