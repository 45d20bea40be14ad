"""`python -m bench.device_vectors`: many matches at once on a CUDA device, observations and masks written.

Also checks that the device plays what a core plays, and that torch and JAX, where they are installed, take the arrays
over without copying.  `make bench` leaves this out: it needs a device.
"""

from __future__ import annotations

from importlib.util import find_spec
from time import perf_counter

import numpy as np

from fairplay.rl.vector import VectorMatches

GAMES = ("fish", "trains", "labyrinth")
MATCHES = {"fish": 1 << 17, "trains": 1 << 17, "labyrinth": 1 << 15}
STEPS = 100


def main() -> None:
    """EFFECT: prints a line for each thing that was found out; raises AssertionError where device and core differ."""
    for game in GAMES:
        compare_with_core(game)
        print(f"{game}: device == core, 64 matches, 200 steps")
        print(f"{game}: {measure_steps(game):,.0f} steps/s, {MATCHES[game]:,} matches at once")
    check_sharing()


def compare_with_core(game: str) -> None:
    """Play the same actions, some of them illegal, on both."""
    device, core = VectorMatches(game, 64, device="cuda"), VectorMatches(game, 64)
    device.reset(seed=1)
    core.reset(seed=1)
    for step in range(200):
        actions = core.sample_actions().copy()
        device.sample_actions()
        actions[step % 64 :: 97] = -1
        ours, theirs = core.step(actions), device.step(actions)
        for key, seen in ours[0].items():
            assert np.array_equal(seen, theirs[0][key].copy_to_host()), (game, step, key)
        assert np.array_equal(ours[1], theirs[1].copy_to_host())
        for key, told in ours[4].items():
            assert np.array_equal(told, theirs[4][key].copy_to_host()), (game, step, key)


def measure_steps(game: str) -> float:
    """Steps per second by the clock, of random play that never leaves the device."""
    matches = VectorMatches(game, MATCHES[game], device="cuda")
    matches.reset(seed=1)
    for _ in range(10):
        matches.step(matches.sample_actions())
    best = 0.0
    for _ in range(3):
        matches.kernel.cuda.synchronize()
        started = perf_counter()
        for _ in range(STEPS):
            matches.step(matches.sample_actions())
        matches.kernel.cuda.synchronize()
        best = max(best, MATCHES[game] * STEPS / (perf_counter() - started))
    return best


def check_sharing() -> None:
    """See that other libraries look at the same memory, and that their actions are taken."""
    matches = VectorMatches("fish", 64, device="cuda")
    observations, _ = matches.reset(seed=1)
    shown = observations["observation"]
    if find_spec("torch") is None:
        print("torch is not installed")
        return
    import torch

    tensor = torch.as_tensor(shown, device="cuda")
    mask = torch.as_tensor(observations["action_mask"], device="cuda")
    assert tensor.data_ptr() == shown.__cuda_array_interface__["data"][0]
    before = tensor.clone()
    matches.step(mask.argmax(dim=1))
    torch.cuda.synchronize()
    assert not torch.equal(before, tensor), "the tensor shows the next step"
    assert torch.equal(tensor.cpu(), torch.as_tensor(shown.copy_to_host()))
    print("torch: the same memory; its actions are taken as they are")
    if find_spec("jax") is not None:
        import jax

        array = jax.dlpack.from_dlpack(tensor)
        assert array.unsafe_buffer_pointer() == tensor.data_ptr()
        print(f"jax {jax.__version__}: the same memory")


if __name__ == "__main__":
    main()
