"""What CUDA devices have instructions for, in place of the functions of ``fairplay.core.arithmetic``."""

from typing import Any

import numpy as np

from fairplay.core.arithmetic import to_int

INSTRUCTIONS = ("count_bits", "highest_bit")
"""The functions that these replace."""

cuda: Any = None
"""The compiler's own module, put in place when this source is specialised."""


def count_bits(word: np.uint64) -> int:
    """How many bits are set."""
    return to_int(cuda.popc(word))


def highest_bit(word: np.uint64) -> int:
    """The number of the highest bit that is set; -1 if none is."""
    return 63 - to_int(cuda.clz(word))
