"""Positions with what became of them, and learning from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.nets.training import Trainer

__all__ = ["Examples", "fit"]


class Examples:
    """Positions with what became of them, sorted by bucket."""

    def __init__(self, xp: Any, buckets_in_all: int, parts: Any) -> None:
        self.xp, self.buckets = xp, buckets_in_all
        join = np.concatenate if xp is np else xp.cat
        features, buckets, leads, targets = (join([part[each] for part in parts]) for each in range(4))
        order = np.argsort(buckets, kind="stable") if xp is np else xp.argsort(buckets)
        self.features, self.leads, self.targets = features[order], leads[order], targets[order]
        counts = (
            np.bincount(buckets, minlength=buckets_in_all)
            if xp is np
            else xp.bincount(buckets.to(xp.int64), minlength=buckets_in_all).cpu().numpy()
        )
        self.counts = counts
        starts = np.minimum(np.cumsum(counts) - counts, len(targets) - 1)
        shape = (starts[:, None], np.maximum(counts, 1)[:, None])
        self.starts, self.sizes = shape if xp is np else (xp.tensor(each, device="cuda") for each in shape)
        self.rng = np.random.default_rng(3)

    def draw(self, size: int) -> Any:
        """As many examples of each bucket, with repetition."""
        xp = self.xp
        if xp is np:
            index = self.starts + (self.rng.random((self.buckets, size)) * self.sizes).astype(np.int64)
            return self.features[index].astype(np.float32), self.leads[index].astype(np.float32), self.targets[index]
        index = self.starts + (xp.rand((self.buckets, size), device="cuda", dtype=xp.float64) * self.sizes).to(xp.int64)
        return self.features[index].float(), self.leads[index].float(), self.targets[index].float()


def fit(trainer: Trainer, data: Examples, steps: int, batch: int, rate: float) -> None:
    """Train on the examples, slower and slower."""
    for step in range(steps):
        now = rate * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * step / steps)))
        trainer.step(*data.draw(batch), now)
