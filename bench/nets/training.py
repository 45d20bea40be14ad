"""Fit the small nets of a game, one for each bucket of positions: with numpy, or with torch where there is a device.

A net is a straight line over the features plus one layer of hidden units; gradients are written out.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Trainer:
    """Adam on the cross entropy between the share of the win that is expected and the one that came.

    xp: numpy or torch.  scale: what each feature is multiplied by.  line: how the straight line begins, in points.
    width: how many points of expected lead are one unit of log odds.
    """

    def __init__(self, xp: Any, hidden: int, buckets: int, scale: Any, line: Any, width: float) -> None:
        rng = np.random.default_rng(1)
        self.xp, self.width, self.steps = xp, width, 0
        self.scale = np.asarray(scale, np.float32)
        features = len(self.scale)
        arrays = {
            "base": np.zeros((buckets, 1)),
            "line": np.tile((np.asarray(line) / self.scale / width)[None, :, None], (buckets, 1, 1)),
            "bias": rng.normal(0, 0.5, (buckets, 1, hidden)),
            "first": rng.normal(0, 1 / np.sqrt(features), (buckets, features, hidden)),
            "second": rng.normal(0, 0.1 / np.sqrt(hidden), (buckets, hidden, 1)),
        }
        self.p = {name: self.put(array) for name, array in arrays.items()}
        self.m = {name: array * 0 for name, array in self.p.items()}
        self.v = {name: array * 0 for name, array in self.p.items()}
        self.factors = self.put(self.scale)

    def put(self, array: Any) -> Any:
        """An array where the work is done."""
        array = np.asarray(array, np.float32)
        return array if self.xp is np else self.xp.tensor(array, device="cuda")

    def forward(self, x: Any, lead: Any) -> tuple[Any, Any, Any]:
        """Scaled features, hidden units and log odds; all by bucket, then by example."""
        p = self.p
        x = x * self.factors
        units = (x @ p["first"] + p["bias"]).clip(0)
        return x, units, (units @ p["second"] + x @ p["line"])[..., 0] + p["base"] + lead / self.width

    def losses(self, x: Any, lead: Any, target: Any) -> Any:
        """The cross entropy of each bucket."""
        xp, z = self.xp, self.forward(x, lead)[2]
        q = (1 / (1 + xp.exp(-z))).clip(1e-6, 1 - 1e-6)
        found = -(target * xp.log(q) + (1 - target) * xp.log(1 - q)).mean(1)
        return found if xp is np else found.cpu().numpy()

    def step(self, x: Any, lead: Any, target: Any, rate: float) -> None:
        """Learn from as many examples of each bucket."""
        p, xp = self.p, self.xp
        x, units, z = self.forward(x, lead)
        slope = ((1 / (1 + xp.exp(-z)) - target) / z.shape[1])[..., None]
        inner = (slope * p["second"].swapaxes(1, 2)) * (units > 0)
        across = x.swapaxes(1, 2)
        gradients = {
            "base": slope[..., 0].sum(1)[:, None],
            "line": across @ slope,
            "bias": inner.sum(1)[:, None],
            "first": across @ inner,
            "second": units.swapaxes(1, 2) @ slope,
        }
        self.steps += 1
        for name, slopes in gradients.items():
            self.m[name] = 0.9 * self.m[name] + 0.1 * slopes
            self.v[name] = 0.999 * self.v[name] + 0.001 * slopes * slopes
            mean, square = self.m[name] / (1 - 0.9**self.steps), self.v[name] / (1 - 0.999**self.steps)
            p[name] = p[name] - rate * mean / (xp.sqrt(square) + 1e-8)

    def host(self, name: str) -> Any:
        """Parameters as an array of numpy."""
        array = self.p[name]
        return array if self.xp is np else array.cpu().numpy()

    def whole_numbers(self, unit: int, finer: int, largest: int) -> dict[str, Any]:
        """The net in whole numbers, by bucket, feature and hidden unit; `unit` is a point."""
        first, bias, second = (
            self.host("first") * self.scale[:, None],
            self.host("bias")[:, 0],
            self.host("second")[..., 0],
        )
        # Units are stretched so that the weights before them use the whole numbers well
        gain = largest / np.maximum(np.abs(first).max(1), np.abs(bias) / 64).clip(1e-6)
        found = {
            "base": self.host("base")[:, 0] * self.width * unit,
            "line": self.host("line")[..., 0] * self.scale * self.width * unit,
            "bias": bias * gain,
            "first": first * gain[:, None, :],
            "second": second / gain * self.width * (unit << finer),
        }
        return {name: np.rint(array).astype(np.int32) for name, array in found.items()}
