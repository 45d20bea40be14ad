"""Self-play of Fish on a CUDA device, one thread for each match."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.nets.fish_play import play_match
from fairplay.games.fish.players.nets.features import FEATURES
from fairplay.kernels.loops import seed_row
from fairplay.parts.arithmetic import random_below, to_word

__all__ = ["play_matches"]

cuda: Any = None
WORDS = 1


def play_matches(
    tables: Any,
    seed: int,
    nets: Any,
    depth: int,
    noise: int,
    slip: int,
    penguins: int,
    shown: Any,
    buckets: Any,
    leads: Any,
    result: Any,
) -> None:
    """Play the matches from `seed` on; the nets change seats from match to match."""
    row = cuda.local.array(WORDS, np.uint64)
    features = cuda.local.array(FEATURES, np.int32)
    match = cuda.grid(1)
    if match < result.shape[0]:
        noisy, slips, one, other = 0, 0, 0, 0
        if shown.shape[0] > 0:  # for training: half of the seats play the first net, the others any
            seed_row(row, to_word(seed + match))
            noisy, slips = random_below(row, noise + 1), random_below(row, slip + 1)
            one = max(random_below(row, 2 * nets.shape[0]) - nets.shape[0], 0)
            other = max(random_below(row, 2 * nets.shape[0]) - nets.shape[0], 0)
        else:
            seed_row(row, to_word(seed + match // 2))
            one, other = match & 1, 1 - (match & 1)
        play_match(
            tables,
            row,
            nets,
            one,
            other,
            depth,
            noisy,
            slips,
            penguins,
            features,
            match,
            shown,
            buckets,
            leads,
            result,
        )
