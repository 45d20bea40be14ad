"""`python -m bench.nets.fish OUT [VARIANT] [--tiny]`: train the net of Fish by self-play on a CUDA device."""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from bench.nets import device_play, fish_play
from bench.nets.examples import Examples, fit
from bench.nets.training import Trainer
from fairplay.games.fish import kernel
from fairplay.games.fish.players.nets.features import BUCKETS, FEATURES
from fairplay.games.fish.players.nets.net import FINER, HIDDEN, LARGEST, NET_UNIT, pack_net
from fairplay.kernels.specialise import specialise
from fairplay.rl.table import LearningTable

TURNS = 64
WIDTH = 8.0
PENGUINS = 4

FISH_LIKE = {*range(9), 19, 20, 22, 23, 30}
SCALE = [1 / 16 if place in FISH_LIKE else 1 / 8 for place in range(FEATURES)]
TERRITORY = [0.0] * FEATURES
for _place in range(3):
    TERRITORY[_place], TERRITORY[3 + _place] = 1.0, -1.0
TERRITORY[19], TERRITORY[22] = 1.0, -1.0


def territory_net(original: bool) -> Any:
    """What the search without a net goes by."""
    line = np.zeros((BUCKETS, FEATURES))
    line[:] = TERRITORY
    if original:
        line[:, 20], line[:, 23] = 1, -1
    else:
        line[:, 18], line[:, 21] = -1, 1
    nothing = np.zeros((BUCKETS, FEATURES, HIDDEN))
    return pack_net(nothing[:, 0, 0], line * NET_UNIT, nothing[:, 0], nothing, nothing[:, 0])


class Core:
    """Plays on a processor core: for tiny runs."""

    def __init__(self, constants: Any, tables: Any) -> None:
        from fairplay.kernels.code import load_functions

        self.xp = np
        self.functions, self.tables = load_functions("fish-net", fish_play, constants), tables
        self.words = constants["WORDS"]

    def play(
        self, seed: int, nets: Any, count: int, depth: int, noise: int, slip: int, keep: bool, second: int = 0
    ) -> Any:
        turns = TURNS if keep else 0
        rng = np.random.default_rng(seed)
        shown, buckets = np.zeros((turns, FEATURES, count), np.int16), np.full((turns, count), -1, np.int8)
        leads, result = np.zeros((turns, count), np.int16), np.zeros(count, np.int16)
        row = np.zeros(self.words, np.uint64)
        features = np.zeros(FEATURES, np.int32)
        for match in range(count):
            if match % 2 == 0 or second == 0:
                begin = rng.integers(1, 1 << 62)
            row[0] = begin
            one, other = (0, second) if match % 2 == 0 else (second, 0)
            if keep:
                one, other = (max(0, int(pick)) for pick in rng.integers(-len(nets), len(nets), 2))
            noisy, slips = (int(rng.integers(noise + 1)), int(rng.integers(slip + 1))) if keep else (0, 0)
            self.functions.call(
                "play_match",
                self.tables,
                row,
                nets,
                one,
                other,
                depth,
                noisy,
                slips,
                PENGUINS,
                features,
                match,
                shown,
                buckets,
                leads,
                result,
            )
        return shown, buckets, leads, result


class Device:
    """Plays on the CUDA device; arrays are shared with torch."""

    def __init__(self, constants: Any, tables: Any) -> None:
        import torch

        from fairplay.kernels import device_instructions
        from fairplay.kernels.device import find_compiler

        cuda = find_compiler()
        inner = cuda.jit(device=True)
        own = specialise(device_instructions, {"cuda": cuda}, inner)
        instructions = {name: own[name] for name in device_instructions.__all__}

        def compile_function(function: Any) -> Any:
            return (cuda.jit if function.__name__ == "play_matches" else inner)(function)

        replaced = {**constants, **instructions, "cuda": cuda}
        self.cuda, self.xp = cuda, torch
        self.code = specialise(device_play, replaced, compile_function)
        self.tables = cuda.to_device(tables)

    def play(
        self, seed: int, nets: Any, count: int, depth: int, noise: int, slip: int, keep: bool, second: int = 0
    ) -> Any:
        torch, cuda, turns = self.xp, self.cuda, TURNS if keep else 0
        shape = max(turns, 1)
        shown = torch.zeros((shape, FEATURES, count if keep else 1), dtype=torch.int16, device="cuda")
        buckets = torch.full((shape, count if keep else 1), -1, dtype=torch.int8, device="cuda")
        leads = torch.zeros((shape, count if keep else 1), dtype=torch.int16, device="cuda")
        result = torch.zeros(count, dtype=torch.int16, device="cuda")
        torch.cuda.synchronize()
        arrays = [cuda.as_cuda_array(each) for each in (shown, buckets, leads, result)]
        if not keep:
            arrays[:3] = [cuda.as_cuda_array(each)[0:0] for each in (shown, buckets, leads)]
        self.code["play_matches"][(count + 127) // 128, 128](
            self.tables, seed, cuda.to_device(nets), depth, noise, slip, PENGUINS, *arrays
        )
        cuda.synchronize()
        return shown, buckets, leads, result


def examples_of(player: Any, played: Any) -> Any:
    """Features, buckets, leads and targets of all positions."""
    shown, buckets, leads, result = played
    xp = player.xp
    turns, matches = buckets.shape
    kept = buckets >= 0
    second = (buckets & 64) > 0
    if xp is np:
        turn, match = np.nonzero(kept)
        features = shown.transpose(0, 2, 1)[kept]
    else:
        turn, match = xp.nonzero(kept, as_tuple=True)
        features = shown.permute(0, 2, 1)[kept]
    margin = result[match] * (1 - 2 * (second[kept] * 1))
    # Half of it is the win, half of it by how much
    smooth = 1 / (1 + xp.exp(-(margin * 1.0) / WIDTH))
    target = 0.5 * smooth + 0.25 * ((margin > 0) * 1.0 + (margin >= 0) * 1.0)
    return features, (buckets & 63)[kept], leads[kept], target


def score(player: Any, nets: Any, count: int, depth: int, seed: int) -> tuple[float, float]:
    """The share of the win of the first of two nets, and its mean margin."""
    result = player.play(seed, nets, count, depth, 0, 0, False, 1)[3]
    result = (result if player.xp is np else result.cpu().numpy()).astype(int)
    result[1::2] *= -1
    return float(((result > 0) * 0.5 + (result >= 0) * 0.5).mean()), float(result.mean())


def run(out: str, variant: str | None, tiny: bool, seconds: float) -> None:
    table = LearningTable("fish", variant, 2, False)
    state = table.deal(table.setup, 0)
    constants, tables = kernel.constants_for(state), kernel.make_tables(state, table.setup)
    player: Any = (Core if tiny else Device)(constants, tables)
    territory = territory_net(variant == "original")
    began = time.perf_counter()

    def say(*words: Any) -> None:
        print(f"{time.perf_counter() - began:7.1f}s", variant or "standard", *words, flush=True)

    pool, seed, curve, numbers = [territory], 10_000_000, [], {}
    judged = 200 if tiny else 8192
    for number, (depth, matches, rounds, steps, batch, rate, noise, slip) in enumerate(PLAN_TINY if tiny else PLAN):
        if number > 1 and time.perf_counter() - began > seconds:
            break
        nets = np.stack(pool[::-1][:3] + [territory])
        parts = []
        for each in range(rounds + 1):
            seed += 1 << 24
            count = matches if each < rounds else max(matches >> 3, 1000)
            parts.append(examples_of(player, player.play(seed, nets, count, depth, noise, slip, True)))
        unseen = Examples(player.xp, BUCKETS, parts[-1:])
        data = Examples(player.xp, BUCKETS, parts[:-1])
        say(f"round {number}: {rounds} x {matches} matches played, depth {depth}, {len(data.targets)} positions")
        trainer = Trainer(player.xp, HIDDEN, BUCKETS, SCALE, TERRITORY, WIDTH)
        before = trainer.losses(*unseen.draw(20_000))
        fit(trainer, data, steps, batch, rate)
        after = trainer.losses(*unseen.draw(20_000))
        seen = trainer.losses(*data.draw(20_000))
        del data, parts, unseen
        numbers = trainer.whole_numbers(NET_UNIT, FINER, LARGEST)
        net = pack_net(**numbers)
        say("losses before", before.round(3), "after", after.round(4), "seen", seen.round(4))
        depths = (1, 2, 3) if number >= 4 else (1, 2)
        results = [score(player, np.stack([net, territory]), judged // 2 ** (each - 1), each, 77) for each in depths]
        rival = score(player, np.stack([net, pool[-1]]), judged, 2, 78)
        say(
            "against territory at depth",
            depths,
            *[f"{share:.3f} ({margin:+.1f})" for share, margin in results],
            f"against the net before, depth 2: {rival[0]:.3f} ({rival[1]:+.1f})",
        )
        curve.append((number, time.perf_counter() - began, after.mean(), results[0][0], results[1][0], rival[0]))
        pool.append(net)
        np.savez_compressed(f"{out}/fish-{variant or 'standard'}-{number}.npz", **numbers, curve=np.array(curve))


#      depth, matches, rounds, steps, batch of each bucket, rate, noise, slip
PLAN = (
    (1, 1 << 18, 2, 4000, 4096, 0.01, 3, 100),
    (1, 1 << 18, 2, 6000, 4096, 0.01, 3, 100),
    (1, 1 << 18, 2, 6000, 4096, 0.01, 3, 100),
    (2, 1 << 18, 4, 20000, 4096, 0.01, 2, 80),
    (2, 1 << 18, 4, 20000, 8192, 0.01, 2, 80),
    (2, 1 << 18, 8, 40000, 8192, 0.01, 2, 80),
    (2, 1 << 18, 8, 40000, 8192, 0.01, 2, 80),
)
PLAN_TINY = (
    (1, 12000, 1, 1500, 512, 0.01, 3, 100),
    (1, 12000, 1, 1500, 512, 0.01, 3, 100),
)

if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    run(
        words[0],
        words[1] if len(words) > 1 and words[1] != "standard" else None,
        "--tiny" in sys.argv,
        float(words[2]) if len(words) > 2 else 1e9,
    )
