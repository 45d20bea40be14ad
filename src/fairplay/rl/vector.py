"""Many matches at once on the kernel of a game, for self-play at full speed."""

from __future__ import annotations

import secrets
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairplay.core import AnyGame, UsageError
from fairplay.core.chance import derived_seed
from fairplay.core.kernel import AnyArray
from fairplay.core.numbers import Mask
from fairplay.kernels.loading import load_kernel
from fairplay.rl.table import Info, LearningTable, SetupChoice

if TYPE_CHECKING:
    from gymnasium import spaces

_Device: TypeAlias = Literal["core", "cuda", "interpreted"]


class VectorMatches:
    """Many matches at once, each of which awaits a decision of the seat whose turn it is: self-play.

    game: its name, such as ``"fish"``.
    count: how many matches.
    setup: the fields of the setup by name, a variant by name, or a whole setup.  Default: the standard game.
    seats: how many play in each match.  Default: the fewest that can.
    device: ``"core"`` compiles the kernel with numba, once (it is kept in the user's cache folder).  ``"cuda"`` does
        everything on a CUDA device, where all arrays lie.  ``"interpreted"`` needs no compiler, and is slow.
    threads: how many cores share the work.
    factored: let an action be made in two decisions of the same seat, if the game has such actions (Labyrinth); not
        on a CUDA device.

    It is used as a vector environment of Gymnasium, with two differences: rewards are those of all seats, an array of
    `count` x `seats`, and ``infos["seat"]`` says for each match whose turn it is, so whose observation and mask are
    shown.  Rewards are as in `MatchEnv`, but all of them come when the match ends, also that of a seat that was removed
    for an illegal action; ``infos["removed"]`` has 1 for each such seat.  If a match has ended (``terminations``), the
    rewards, ``infos["removed"]`` and ``infos["points"]`` are those of that match, and everything else already shows the
    next one.

    ALL ARRAYS ARE REUSED: the next step writes over what the last one returned.  Copy what you keep.

    The same seed gives the same matches on every machine, but other deals than in the other environments: the kernel
    deals them.

    On a CUDA device, arrays are those of numba.  Others take them over without copying, once and for all, because they
    are reused: ``torch.as_tensor(observations["observation"], device="cuda")``, and from there
    ``jax.dlpack.from_dlpack(tensor)``.  Actions may be such an array or tensor of 64-bit integers, too.

    >>> matches = VectorMatches("fish", 64, setup={"rows": 5, "columns": 5})
    >>> observations, infos = matches.reset(seed=1)
    >>> for _ in range(100):
    ...     actions = observations["action_mask"].argmax(axis=1)
    ...     observations, rewards, terminations, truncations, infos = matches.step(actions)
    >>> observations["observation"].shape
    (64, 5, 5, 12)
    """

    def __init__(
        self,
        game: str,
        count: int,
        setup: SetupChoice = None,
        seats: int | None = None,
        *,
        device: _Device = "core",
        threads: int = 1,
        factored: bool = False,
    ) -> None:
        if count < 1 or threads < 1:
            raise UsageError(f"expected at least one match and one thread, not {count} and {threads}")
        if factored and device == "cuda":
            raise UsageError("factored: actions are not made in two decisions on a CUDA device")
        self.table = LearningTable(game, setup, seats, factored)
        self.num_envs, self.seats, self.device, self.threads = count, self.table.seats, device, threads
        self.kernel = _load_for(device, self.table.game, self.table.deal(self.table.setup, 0), self.table.setup)
        self._arrays = arrays = self.kernel.make_arrays(count)
        self.observations: Info = {
            "observation": arrays.observations.reshape(count, *self.table.encoding.shape),
            "action_mask": arrays.masks,
        }
        self._halves = Halves.make(self.table, count) if factored else None
        if self._halves is not None:
            self.observations |= {"action_mask": self._halves.choices, "first_decision": self._halves.firsts}
        self.infos: Info = {"seat": arrays.movers, "removed": arrays.removed, "points": arrays.points}
        self._truncations = np.zeros(count, np.bool_)

    @cached_property
    def single_observation_space(self) -> spaces.Dict:
        """The space of the observation of one match."""
        return self.table.make_observation_space()

    @cached_property
    def single_action_space(self) -> spaces.Discrete:
        """The space of the action in one match."""
        return self.table.make_action_space()

    @cached_property
    def observation_space(self) -> spaces.Dict:
        """The space of all observations together."""
        from gymnasium import spaces
        from gymnasium.vector.utils import batch_space

        space = batch_space(self.single_observation_space, self.num_envs)
        assert isinstance(space, spaces.Dict)
        return space

    @cached_property
    def action_space(self) -> spaces.MultiDiscrete:
        """The space of all actions together."""
        from gymnasium import spaces

        return spaces.MultiDiscrete(np.full(self.num_envs, self.table.choices))

    def reset(self, *, seed: int | None = None) -> tuple[Info, Info]:
        """Deal all matches, and show their first decisions; returns observations and infos.

        seed: the same seed gives the same matches.  None draws one.
        """
        first = derived_seed(secrets.randbits(53) if seed is None else seed, "vector")
        seeds = np.uint64(first) + np.arange(self.num_envs, dtype=np.uint64)
        arrays = self._arrays
        self._run("start", arrays.rows, seeds)
        self._run("show", *arrays.shown)
        arrays.ended[:] = 1  # so that the next step forgets who was removed
        if self._halves is not None:
            self._run("show_decisions", arrays.rows, arrays.masks, *self._halves)
        return self.observations, self.infos

    def step(self, actions: Any) -> tuple[Info, Any, Any, NDArray[np.bool_], Info]:
        """Do one action in every match; an illegal one removes its seat, and the others play on.

        Returns observations, rewards, terminations, truncations (there are none) and infos, in the arrays of before.
        """
        arrays = self._arrays
        if self.device == "cuda" and hasattr(actions, "__cuda_array_interface__"):
            self._run("advance", *arrays._replace(actions=actions))
            return self.observations, arrays.rewards, arrays.ended, self._truncations, self.infos
        if self.device == "cuda":
            arrays.actions.copy_to_device(np.ascontiguousarray(actions, np.int64))
        elif actions is not arrays.actions:
            arrays.actions[:] = actions
        if self._halves is None:
            self._run("advance", *arrays)
        else:
            self._run("decide", *arrays, *self._halves)
        ended = arrays.ended if self.device == "cuda" else arrays.ended.view(np.bool_)
        return self.observations, arrays.rewards, ended, self._truncations, self.infos

    def sample_actions(self) -> Any:
        """Choose a legal action for every match, each with the same chance; the array is reused as well.

        Raises UsageError in factored mode, if this is not a single decision.
        """
        if self._halves is not None:
            raise UsageError("factored: choose decisions by the mask")
        self._run("choose", self._arrays.rows, self._arrays.actions)
        return self._arrays.actions

    def unpack_states(self) -> list[object]:
        """The states of all matches as the rule book knows them, with everything hidden in them: not for learning."""
        rows = self._arrays.rows.copy_to_host() if self.device == "cuda" else self._arrays.rows
        like = self.table.deal(self.table.setup, 0)
        kernel = load_kernel(self.table.game, like, setup=self.table.setup, how="interpreted")
        return [kernel.unpack(row) for row in rows]

    def close(self) -> None:
        """There is nothing to release."""

    def _run(self, name: str, *arrays: AnyArray) -> None:
        if self.device == "cuda":
            self.kernel.run(f"{name}_rows", *(self._send(array) for array in arrays))
        else:
            self.kernel.run(f"{name}_many", *arrays, threads=self.threads)

    def _send(self, array: AnyArray) -> Any:
        """The array on the device."""
        return self.kernel.cuda.to_device(array) if isinstance(array, np.ndarray) else array


class Halves(NamedTuple):
    """What there is besides if an action is made in two decisions."""

    firsts: Mask
    choices: Mask

    @staticmethod
    def make(table: LearningTable, count: int) -> Halves:
        """The arrays for this many matches."""
        assert table.factored is not None
        return Halves(np.zeros((count, table.factored.firsts), np.int8), np.zeros((count, table.choices), np.int8))


def _load_for(device: _Device, game: AnyGame, state: object, setup: object) -> Any:
    """The kernel of a game where it is to run; raises UsageError if that cannot be."""
    if device == "cuda":
        from fairplay.kernels.device import load_device_kernel

        return load_device_kernel(game, state, setup=setup)
    if device not in ("core", "interpreted"):
        raise UsageError(f"device: expected core, cuda or interpreted, not {device!r}")
    return load_kernel(game, state, setup=setup, how=device)
