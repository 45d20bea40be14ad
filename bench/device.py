"""`python -m bench.device [check] [rates] [environments] [profile]`: kernels on a CUDA device.

It needs numpy, numba, numba-cuda and msgspec only, and prints as it goes.

check: the device plays the same matches as a core, by a checksum over all final rows and points.
rates: turns per second of random play from the deal to the scores, by the device's own clock, best of five.
environments: steps per second of a learner's environment, observations and masks written; held equal to a core's.
profile: one short run of each game, for `ncu --set full python -m bench.device profile --games fish`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from fairplay.core import AnyGame, FairplayError
from fairplay.core.chance import derived
from fairplay.kernels.device import DeviceKernel, load_device_kernel
from fairplay.kernels.loading import LoadedKernel, load_kernel

Found = dict[str, Any]

SECTIONS = ("check", "rates", "environments", "profile")
REPEATS = 5
BLOCKS = (32, 64, 128, 256)
REGISTERS = (128, 96, 64, 48, 32)
STEPS = 50


def main(words: Sequence[str]) -> None:
    """Run the sections that were asked for; exit code 1 where the device and a core differ."""
    chosen = parse(words)
    found: list[Found] = []
    for section in chosen.sections or SECTIONS:
        for name in chosen.games.split(","):
            game: AnyGame = import_module(f"fairplay.games.{name}" if name != "nim" else name).GAME
            for figure in globals()[f"run_{section}"](game, chosen):
                found.append({"section": section, "game": name, **figure})
                print(" ".join(f"{key}={show(value)}" for key, value in found[-1].items()), flush=True)
                if chosen.json:
                    Path(chosen.json).write_text(json.dumps(found, indent=1), "utf-8")
    show_table(found)
    if any(figure.get("equal") is False for figure in found):
        sys.exit("Error: the device and a core differ")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.device")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"some of: {', '.join(SECTIONS)}; default: all")
    parser.add_argument("--games", default="fish,trains,labyrinth")
    parser.add_argument("--matches", type=int, default=20, help="of one run, as a power of two")
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 4])
    parser.add_argument("--blocks", type=int, nargs="*", default=list(BLOCKS))
    parser.add_argument("--registers", type=int, nargs="*", default=list(REGISTERS))
    parser.add_argument("--threads", type=int, help="that play at the same time; default: all that the device can hold")
    parser.add_argument("--json", help="file for the figures")
    chosen = parser.parse_args(words)
    if wrong := [section for section in chosen.sections if section not in SECTIONS]:
        parser.error(f"there is no section '{wrong[0]}'")
    return chosen


def load_both(game: AnyGame, seats: int, *, core: bool = True, limit: int | None = None) -> tuple[DeviceKernel, Any]:
    """The kernel for matches of the standard variant, on the device and, if asked for, on a core."""
    setup = next(iter(game.variants.values()))
    state = game.rules.start(setup, seats, derived(1, "deal"))
    device = load_device_kernel(game, state, setup=setup, max_registers=limit)
    return device, load_kernel(game, state, setup=setup) if core else None


# -- the sections ------------------------------------------------------------------------------


def run_check(game: AnyGame, chosen: argparse.Namespace) -> Iterator[Found]:
    """Play the same matches on the device and on all cores."""
    for seats in chosen.seats:
        matches, cores = 1 << chosen.matches, os.cpu_count() or 1
        device, core = load_both(game, seats)
        began = monotonic()
        theirs = device.play_random(1, matches)
        compiled = monotonic() - began
        core.play_random(1, 1)
        began = monotonic()
        ours = core.play_random(1, matches, threads=cores)
        yield {
            "seats": seats,
            "matches": matches,
            "equal": theirs.play == ours,
            "turns": ours.turns,
            "device_turns": theirs.play.turns,
            "checksum": f"{theirs.play.checksum:016x}",
            "core_checksum": f"{ours.checksum:016x}",
            "first_run_s": compiled,
            f"core_rate_{cores}_cores": ours.turns / (monotonic() - began),
        }


def run_rates(game: AnyGame, chosen: argparse.Namespace) -> Iterator[Found]:
    """Try sizes of blocks, numbers of matches, and limits on registers with the best block."""
    for seats in chosen.seats:
        kernel, best = load_both(game, seats, core=False)[0], (0.0, 0)
        for block in chosen.blocks:
            for power in (chosen.matches, chosen.matches + 2):
                found = measure(kernel, 1 << power, block, chosen.threads)
                best = max(best, (found["rate"], block))
                yield {"seats": seats, **found}
        for limit in chosen.registers:
            if limit < kernel.resources("play_matches").registers:
                limited = load_both(game, seats, core=False, limit=limit)[0]
                yield {"seats": seats, "limit": limit, **measure(limited, 4 << chosen.matches, best[1], chosen.threads)}


def measure(kernel: DeviceKernel, matches: int, block: int, threads: int | None) -> Found:
    """The best of some runs, by the device's own clock."""
    kernel.play_random(1, matches, block, threads)
    runs = [kernel.play_random(1 + number * matches, matches, block, threads) for number in range(REPEATS)]
    best = max(runs, key=lambda run: run.play.turns / run.seconds)
    taken = kernel.resources("play_matches")
    return {
        "block": block,
        "matches": matches,
        "rate": best.play.turns / best.seconds,
        "matches_per_s": matches / best.seconds,
        "mean_turns": best.play.turns / matches,
        "seat_0_wins": best.play.wins / matches,
        "seconds": best.seconds,
        "registers": taken.registers,
        "local_bytes": taken.local_bytes,
        "words": kernel.words,
    }


def run_environments(game: AnyGame, chosen: argparse.Namespace) -> Iterator[Found]:
    """Let a learner's environment play at random, and compare all its arrays with those of a core after some steps."""
    for seats in chosen.seats:
        count, (device, core) = 1 << max(4, chosen.matches - 4), load_both(game, seats)
        equal = compare_environments(device, core, min(count, 1024))
        arrays, cuda = device.make_arrays(count), device.cuda
        device.start(arrays, np.arange(count, dtype=np.uint64))
        best = 0.0
        for _ in range(REPEATS):
            began, ended = cuda.event(), cuda.event()
            began.record()
            for _ in range(STEPS):
                device.choose(arrays)
                device.advance(arrays)
            ended.record()
            ended.synchronize()
            best = max(best, STEPS * count / cuda.event_elapsed_time(began, ended) * 1000)
        taken = device.resources("advance_rows")
        yield {
            "seats": seats,
            "count": count,
            "equal": equal,
            "rate": best,
            "bytes_per_step": arrays.observations.shape[1] * 4 + arrays.masks.shape[1],
            "registers": taken.registers,
            "local_bytes": taken.local_bytes,
        }


def compare_environments(device: DeviceKernel, core: LoadedKernel, count: int) -> bool:
    """Are all arrays equal after some random steps, of which some are illegal?"""
    theirs: Any = device.make_arrays(count)  # not those of numpy
    ours, seeds = core.make_arrays(count), np.arange(count, dtype=np.uint64)
    device.start(theirs, seeds)
    core.run("start_many", ours.rows, seeds)
    core.run("show_many", *ours.shown)
    for number in range(STEPS):
        device.choose(theirs)
        core.run("choose_many", ours.rows, ours.actions)
        if number % 10 == 9:  # whoever is forbidden its action is removed
            ours.actions[number % 7 :: 7] = -1
            theirs.actions.copy_to_device(ours.actions)
        device.advance(theirs)
        core.run("advance_many", *ours)
    pairs: Iterator[tuple[Any, Any]] = zip(ours, theirs, strict=True)
    return all(np.array_equal(mine, other.copy_to_host()) for mine, other in pairs)


def run_profile(game: AnyGame, chosen: argparse.Namespace) -> Iterator[Found]:
    """One run with two seats, after one that compiles."""
    kernel, _ = load_both(game, 2, core=False)
    for _ in range(2):
        run = kernel.play_random(1, 1 << chosen.matches, chosen.blocks[0] if len(chosen.blocks) == 1 else 128)
    yield {"matches": run.play.matches, "turns": run.play.turns, "rate": run.play.turns / run.seconds}


# -- showing them ------------------------------------------------------------------------------


def show(value: Any) -> str:
    """A figure as people read it."""
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if type(value) is int else str(value)


def show_table(found: Sequence[Found]) -> None:
    """EFFECT: prints the best rate of each game and number of seats."""
    print(f"\n{'section':<14}{'game':<12}{'seats':>6}{'G turns/s':>12}{'block':>7}{'limit':>7}  registers, local bytes")
    best: dict[Any, Found] = {}
    for figure in found:
        key = (figure["section"], figure["game"], figure.get("seats", 2))
        if "rate" in figure and figure["rate"] > best.get(key, {"rate": 0.0})["rate"]:
            best[key] = figure
    for (section, game, seats), figure in best.items():
        block, limit = figure.get("block", ""), figure.get("limit", "")
        taken = f"{figure.get('registers', '')}, {figure.get('local_bytes', '')}"
        print(f"{section:<14}{game:<12}{seats:>6}{figure['rate'] / 1e9:>12.3f}{block!s:>7}{limit!s:>7}  {taken}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except FairplayError as error:
        sys.exit(f"Error: {error}")
