"""Positions with what became of them, and learning from them."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi
from typing import Any

import numpy as np

from bench.nets.training import Trainer


class Examples:
    """Positions by bucket: features, leads so far, and the share of the win that came, all for the seat on turn.

    xp: numpy, or torch with tensors on the device.
    parts: features, buckets, leads and targets; those of several parts are joined.
    """

    def __init__(self, xp: Any, buckets: int, parts: Sequence[tuple[Any, Any, Any, Any]]) -> None:
        self.xp, self.buckets = xp, buckets
        join = np.concatenate if xp is np else xp.cat
        joined: list[Any] = [join([part[each] for part in parts]) for each in range(4)]
        features, numbers, leads, targets = joined
        order = numbers.argsort()
        self.features, self.leads, self.targets = features[order], leads[order], targets[order]
        counted = xp.bincount(numbers if xp is np else numbers.to(xp.int64), minlength=buckets)
        counts = counted if xp is np else counted.cpu().numpy()
        starts = np.minimum(np.cumsum(counts) - counts, len(targets) - 1)[:, None]
        sizes = np.maximum(counts, 1)[:, None]
        self.starts, self.sizes = (
            (starts, sizes) if xp is np else (xp.tensor(each, device="cuda") for each in (starts, sizes))
        )
        self.rng = np.random.default_rng(3)

    def draw(self, size: int) -> tuple[Any, Any, Any]:
        """Draw as many examples of each bucket; the same may come twice."""
        xp, shape = self.xp, (self.buckets, size)
        if xp is np:
            index = self.starts + (self.rng.random(shape) * self.sizes).astype(np.int64)
            return self.features[index].astype(np.float32), self.leads[index].astype(np.float32), self.targets[index]
        index = self.starts + (xp.rand(shape, device="cuda", dtype=xp.float64) * self.sizes).to(xp.int64)
        return self.features[index].float(), self.leads[index].float(), self.targets[index].float()


def fit(trainer: Trainer, examples: Examples, steps: int, batch: int, rate: float) -> None:
    """Learn from a batch of each bucket, step by step, at a rate that falls to a hundredth."""
    for step in range(steps):
        falling = 0.01 + 0.99 * 0.5 * (1 + cos(pi * step / steps))
        trainer.step(*examples.draw(batch), rate * falling)
