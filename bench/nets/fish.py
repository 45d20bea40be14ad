"""`python -m bench.nets.fish FOLDER [VARIANT] [--tiny]`: train the net of Fish by self-play on a CUDA device.

In each round the nets of the rounds before play each other and the territory that the search knows without a net, with
noise, so that all kinds of positions come up.  A new net then learns what became of these positions.  The nets and the
curve are written into the folder.  It needs torch and numba-cuda; `--tiny` is a small run on a processor core.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np

from bench.nets import fish_device
from bench.nets.examples import Examples, fit
from bench.nets.fish_play import SECOND, play_match
from bench.nets.training import Trainer
from fairplay.games.fish import kernel
from fairplay.games.fish.players.nets.features import (
    BUCKETS,
    FEATURES,
    MINE,
    MY_PENGUINS,
    SPLIT,
    THEIR_PENGUINS,
    THEIRS,
    UNREACHED,
    WAVES,
)
from fairplay.games.fish.players.nets.net import FINER, HIDDEN, LARGEST, NET_UNIT, pack_net
from fairplay.kernels.specialise import specialise
from fairplay.rl.table import LearningTable

TURNS = 64
WIDTH = 8.0
"""Fish of expected lead for one unit of log odds."""

POOL = 3
"""How many of the latest nets play, besides the territory."""


class Round(NamedTuple):
    """What is done in a round."""

    depth: int  # moves that are looked ahead in self-play
    matches: int
    steps: int
    batch: int  # positions of each bucket in a step
    noise: int = 3  # fish
    slip: int = 100  # the chance of a random action, in 1/1024


PLAN = (
    Round(1, 1 << 19, 4_000, 4096),
    Round(1, 1 << 19, 6_000, 4096),
    Round(1, 1 << 19, 6_000, 4096),
    Round(2, 1 << 20, 20_000, 4096, 2, 80),
    Round(2, 1 << 20, 20_000, 8192, 2, 80),
)
TINY = (Round(1, 2_000, 200, 256),) * 2

FISH_LIKE = {
    *range(SPLIT + WAVES),
    MY_PENGUINS + 1,
    MY_PENGUINS + 2,
    THEIR_PENGUINS + 1,
    THEIR_PENGUINS + 2,
    UNREACHED,
}
SCALE = [1 / 16 if place in FISH_LIKE else 1 / 8 for place in range(FEATURES)]


def weigh_territory(original: bool) -> list[float]:
    """The weights of the features that make up territory: fish that one reaches first, and those under penguins."""
    line = [0.0] * FEATURES
    for seat, sign, penguins in ((MINE, 1.0, MY_PENGUINS), (THEIRS, -1.0, THEIR_PENGUINS)):
        line[seat : seat + WAVES] = [sign] * WAVES
        line[penguins + 1] = sign
        if original:
            line[penguins + 2] = sign
        else:
            line[penguins] = -sign  # about what is lost under a penguin in the end
    return line


def territory_net(original: bool) -> Any:
    """Territory as a net."""
    nothing = np.zeros((BUCKETS, FEATURES, HIDDEN))
    line = np.tile(weigh_territory(original), (BUCKETS, 1)) * NET_UNIT
    return pack_net(nothing[:, 0, 0], line, nothing[:, 0], nothing, nothing[:, 0])


# -- playing -----------------------------------------------------------------------------------------


class Player(Protocol):
    """Plays matches: on a core, or on a device."""

    @property
    def xp(self) -> Any:
        """Numpy or torch: what its arrays are."""

    def play(self, seed: int, nets: Any, round: Round, count: int, keep: bool) -> tuple[Any, Any, Any, Any]:
        """Play matches; return features, buckets, leads and results (see `fish_play`); without `keep` only results."""
        ...


class CorePlayer:
    """Plays on a processor core."""

    def __init__(self, constants: Any, tables: Any) -> None:
        from fairplay.kernels.code import load_functions

        self.xp, self.tables, self.words = np, tables, constants["WORDS"]
        self.functions = load_functions("fish-net", (play_match,), constants)

    def play(self, seed: int, nets: Any, round: Round, count: int, keep: bool) -> tuple[Any, Any, Any, Any]:
        """Play one match after the other."""
        turns, rng = TURNS if keep else 0, np.random.default_rng(seed)
        shown, buckets = np.zeros((turns, FEATURES, count), np.int16), np.zeros((turns, count), np.int8)
        leads, result = np.zeros((turns, count), np.int16), np.zeros(count, np.int16)
        row, features = np.zeros(self.words, np.uint64), np.zeros(FEATURES, np.int32)
        deals = rng.integers(1, 1 << 62, count)
        for match in range(count):
            row[0] = deals[match if keep else match // 2]
            first, second, noise, slip = match % 2, 1 - match % 2, 0, 0
            if keep:
                first, second = (max(int(pick), 0) for pick in rng.integers(-len(nets), len(nets), 2))
                noise, slip = int(rng.integers(round.noise + 1)), int(rng.integers(round.slip + 1))
            arrays = (features, match, shown, buckets, leads, result)
            self.functions.call(play_match, self.tables, row, nets, first, second, round.depth, noise, slip, *arrays)
        return shown, buckets, leads, result


class DevicePlayer:
    """Plays on the CUDA device; its arrays are tensors of torch."""

    def __init__(self, constants: Any, tables: Any) -> None:
        import torch

        from fairplay.kernels import device_loops
        from fairplay.kernels.device import find_compiler

        cuda = find_compiler()
        inner = cuda.jit(device=True)
        own = specialise(device_loops, {"cuda": cuda}, inner)
        instructions = {name: own[name] for name in device_loops.INSTRUCTIONS}

        def compile_function(function: Any) -> Any:
            return (cuda.jit if function.__name__ == "play_matches" else inner)(function)

        self.cuda, self.xp, self.tables = cuda, torch, cuda.to_device(tables)
        self.code = specialise(fish_device, {**constants, **instructions, "cuda": cuda}, compile_function)

    def play(self, seed: int, nets: Any, round: Round, count: int, keep: bool) -> tuple[Any, Any, Any, Any]:
        """Play all matches at once."""
        torch, cuda, wide = self.xp, self.cuda, count if keep else 1
        shown = torch.zeros((TURNS, FEATURES, wide), dtype=torch.int16, device="cuda")
        buckets = torch.zeros((TURNS, wide), dtype=torch.int8, device="cuda")
        leads = torch.zeros((TURNS, wide), dtype=torch.int16, device="cuda")
        result = torch.zeros(count, dtype=torch.int16, device="cuda")
        torch.cuda.synchronize()
        arrays = [cuda.as_cuda_array(each)[: TURNS if keep else 0] for each in (shown, buckets, leads)]
        choice = (cuda.to_device(nets), round.depth, round.noise, round.slip)
        play = self.code["play_matches"][(count + 127) // 128, 128]
        play(self.tables, seed, *choice, *arrays, cuda.as_cuda_array(result))
        cuda.synchronize()
        return shown, buckets, leads, result


def list_examples(xp: Any, played: tuple[Any, Any, Any, Any]) -> tuple[Any, Any, Any, Any]:
    """Features, buckets, leads and targets of all positions.  Half of a target is the win, half of it by how much."""
    shown, buckets, leads, result = played
    kept = buckets >= 0
    match = (np.nonzero(kept) if xp is np else xp.nonzero(kept, as_tuple=True))[1]
    features = (shown.transpose(0, 2, 1) if xp is np else shown.permute(0, 2, 1))[kept]
    margin = result[match] * (1.0 - 2.0 * ((buckets[kept] & SECOND) > 0))
    won = 0.5 * (margin > 0) + 0.5 * (margin >= 0)
    target = 0.5 * won + 0.5 / (1 + xp.exp(-margin / WIDTH))
    return features, buckets[kept] & (SECOND - 1), leads[kept], target


def score_nets(player: Player, nets: Any, depth: int, count: int, seed: int) -> float:
    """The share of the win of the first of two nets, at the same depth, every deal from both seats."""
    found = player.play(seed, nets, Round(depth, 0, 0, 0, 0, 0), count, False)[3]
    result = (found if player.xp is np else found.cpu().numpy()).astype(np.int64)
    result[1::2] *= -1
    return float((0.5 * (result > 0) + 0.5 * (result >= 0)).mean())


# -- learning ----------------------------------------------------------------------------------------


def make_player(variant: str, tiny: bool) -> Player:
    """What plays matches of this variant."""
    table = LearningTable("fish", variant, 2, False)
    state = table.deal(table.setup, 0)
    constants, tables = kernel.constants_for(state), kernel.make_tables(state, table.setup)
    return CorePlayer(constants, tables) if tiny else DevicePlayer(constants, tables)


def train_net(folder: Path, variant: str, plan: tuple[Round, ...], tiny: bool = False) -> list[tuple[float, ...]]:
    """Train round by round; return the curve.

    EFFECT: writes the net after each round; prints how it fares.  The curve has, for each round, its number, the
    seconds so far, the loss on positions that were not learned from, and the share of the win against territory at
    depth 1 and 2 and against the net before at depth 2.
    """
    player, territory = make_player(variant, tiny), territory_net(variant == "original")
    began, pool, curve, judged = perf_counter(), [territory], list[tuple[float, ...]](), 200 if tiny else 8192
    for number, round in enumerate(plan):
        nets = np.stack([*pool[::-1][:POOL], territory])
        parts = [
            list_examples(player.xp, player.play(seed, nets, round, count, True))
            for seed, count in seeds_of(number, round)
        ]
        trainer = Trainer(player.xp, HIDDEN, BUCKETS, SCALE, weigh_territory(variant == "original"), WIDTH)
        fit(trainer, Examples(player.xp, BUCKETS, parts[1:]), round.steps, round.batch, 0.01)
        losses = trainer.losses(*Examples(player.xp, BUCKETS, parts[:1]).draw(20_000))
        numbers = trainer.whole_numbers(NET_UNIT, FINER, LARGEST)
        net = pack_net(**numbers)
        shares = [score_nets(player, np.stack([net, territory]), depth, judged, 77) for depth in (1, 2)]
        shares.append(score_nets(player, np.stack([net, pool[-1]]), 2, judged, 78))
        pool.append(net)
        curve.append((number, perf_counter() - began, float(np.delete(losses, 7).mean()), *shares))
        print(" ".join(f"{value:.4g}" for value in curve[-1]), flush=True)
        np.savez_compressed(folder / f"{variant}.npz", **numbers, curve=np.array(curve))
    return curve


def seeds_of(number: int, round: Round) -> list[tuple[int, int]]:
    """Where the matches of a round begin, and how many they are: first those that are not learned from."""
    most, seed = 1 << 18, (1 + 32 * number) << 24
    counts = [max(round.matches >> 5, 500)] + [min(most, round.matches)] * max(round.matches // most, 1)
    return [(seed + (place << 24), count) for place, count in enumerate(counts)]


def main() -> None:
    """EFFECT: trains, writes the net and prints the curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("variant", nargs="?", default="standard", choices=("standard", "original"))
    parser.add_argument("--tiny", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    train_net(given.folder, given.variant, TINY if given.tiny else PLAN, given.tiny)


if __name__ == "__main__":
    main()
