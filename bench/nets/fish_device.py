"""Self-play of Fish on a CUDA device, one thread for each match."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.nets.fish_play import play_match
from fairplay.core.arithmetic import random_below, to_word
from fairplay.games.fish.players.nets.features import FEATURES
from fairplay.kernels.loops import seed_row

cuda: Any = None
"""The compiler's own module; like WORDS, put in place when this source is specialised."""

WORDS = 1


def play_matches(
    tables: Any,
    seed: int,
    nets: Any,
    depth: int,
    noise: int,
    slip: int,
    shown: Any,
    buckets: Any,
    leads: Any,
    result: Any,
) -> None:
    """Play the matches from `seed` on; see `play_match` for the arrays.

    Where positions are wanted, half of the seats play the first net and the others any, with noise and slips up to
    those given.  Otherwise the first two nets play every deal twice, and change seats.
    """
    row = cuda.local.array(WORDS, np.uint64)
    features = cuda.local.array(FEATURES, np.int32)
    match = cuda.grid(1)
    if match < result.shape[0]:
        if shown.shape[0] > 0:
            seed_row(row, to_word(seed + match))
            noise, slip = random_below(row, noise + 1), random_below(row, slip + 1)
            first = max(random_below(row, 2 * nets.shape[0]) - nets.shape[0], 0)
            second = max(random_below(row, 2 * nets.shape[0]) - nets.shape[0], 0)
        else:
            seed_row(row, to_word(seed + match // 2))
            first, second = match & 1, 1 - (match & 1)
        play_match(tables, row, nets, first, second, depth, noise, slip, features, match, shown, buckets, leads, result)
