"""Functions over named arrays: the same interpreted and compiled, with constants in the place of names."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from fairplay.kernels import code

STEP = 1


class Arrays(NamedTuple):
    """What the functions work on."""

    numbers: Any
    total: Any


def add_up(arrays: Arrays, times: int) -> int:
    for _ in range(times):
        add_once(arrays)
    return int(arrays.total[0])


def add_once(arrays: Arrays) -> None:
    for number in arrays.numbers:
        arrays.total[0] += STEP * number


@pytest.mark.parametrize("how", ["interpreted", "core"])
def test_named_arrays_are_one_argument(how: code.How) -> None:
    if how == "core":
        pytest.importorskip("numba")
    arrays = Arrays(np.arange(4), np.zeros(1, np.int64))
    functions = code.load_functions("test-named-arrays", (add_up, add_once), {"STEP": 10}, how)
    assert functions.call(add_up, arrays, 2) == 120
    functions.call(add_once, arrays)
    assert arrays.total[0] == 180
