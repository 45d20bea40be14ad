"""Many matches at once on the kernel of a game, for self-play at full speed."""

from __future__ import annotations

import secrets
from functools import cached_property
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space

from fairplay.core import UsageError
from fairplay.core.chance import derived_seed
from fairplay.kernels.loading import LoadedKernel, load_kernel
from fairplay.rl.table import LearningTable, SetupChoice

__all__ = ["VectorMatches"]


class VectorMatches:
    """Many matches at once, each of which awaits a decision of the seat whose turn it is: self-play.

    game: its name, such as ``"fish"``.
    count: how many matches.
    setup: the fields of the setup by name, a variant by name, or a whole setup.  Default: the standard game.
    seats: how many play in each match.  Default: the fewest that can.
    threads: how many cores share the work.
    device: ``"core"`` compiles the kernel with numba, once (it is kept in the user's cache folder);
        ``"interpreted"`` needs no compiler, and is some hundred times slower.

    It is used as a vector environment of Gymnasium, with two differences: rewards are those of all seats, an array of
    `count` x `seats`, and ``infos["seat"]`` says for each match whose turn it is, so whose observation and mask are
    shown.  Rewards are as in `MatchEnv`, but all of them come when the match ends, also that of a seat that was removed
    for an illegal action; ``infos["removed"]`` has 1 for each such seat.  When a match has ended
    (``terminations``), its rewards are those of the match that ended, and everything else already shows the next one.

    ALL ARRAYS ARE REUSED: the next step writes over what the last one returned.  Copy what you keep.

    The same seed gives the same matches on every machine, but other deals than in the other environments: they are
    dealt by the kernel.

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
        threads: int = 1,
        device: Literal["core", "interpreted"] = "core",
    ) -> None:
        if count < 1 or threads < 1:
            raise UsageError(f"expected at least one match and one thread, not {count} and {threads}")
        self.table = LearningTable(game, setup, seats)
        self.num_envs, self.seats, self.threads = count, self.table.seats, threads
        state = self.table.deal(self.table.setup, 0)
        self.kernel: LoadedKernel = load_kernel(self.table.game, state, how=device)
        self._arrays = arrays = self.kernel.make_arrays(count)
        self.observations: dict[str, Any] = {
            "observation": arrays.observations.reshape(count, *self.table.encoding.shape),
            "action_mask": arrays.masks,
        }
        self.infos: dict[str, Any] = {"seat": arrays.movers, "removed": arrays.removed, "points": arrays.points}
        self._truncations = np.zeros(count, np.bool_)
        self.single_observation_space = self.table.make_observation_space()
        self.single_action_space = self.table.make_action_space()

    @cached_property
    def observation_space(self) -> spaces.Dict:
        """The space of all observations together."""
        space = batch_space(self.single_observation_space, self.num_envs)
        assert isinstance(space, spaces.Dict)
        return space

    @cached_property
    def action_space(self) -> spaces.MultiDiscrete:
        """The space of all actions together."""
        return spaces.MultiDiscrete(np.full(self.num_envs, self.table.choices))

    def reset(self, *, seed: int | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal all matches, and show their first decisions."""
        first = derived_seed(secrets.randbits(53) if seed is None else seed, "vector")
        seeds = np.uint64(first) + np.arange(self.num_envs, dtype=np.uint64)
        self._arrays.removed[:] = 0
        self._arrays.ended[:] = 0
        self.kernel.run("start_many", self._arrays.rows, seeds, threads=self.threads)
        self.kernel.run("show_many", *self._arrays.shown, threads=self.threads)
        return self.observations, self.infos

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Do one action in every match; an illegal one removes its seat, and the others play on.

        Returns observations, rewards, terminations, truncations (there are none) and infos, in the arrays of before.
        """
        arrays = self._arrays
        arrays.actions[:] = actions
        self.kernel.run("advance_many", *arrays, threads=self.threads)
        return self.observations, arrays.rewards, arrays.ended.view(np.bool_), self._truncations, self.infos

    def sample_actions(self) -> Any:
        """Choose a legal action for every match, each with the same chance; the array is reused as well."""
        self.kernel.run("choose_many", self._arrays.rows, self._arrays.actions, threads=self.threads)
        return self._arrays.actions

    def unpack_states(self) -> list[Any]:
        """The states of all matches as the rule book knows them, with everything that is hidden: for looking, not for
        learning."""
        return [self.kernel.unpack(row) for row in self._arrays.rows]

    def close(self) -> None:
        """There is nothing to release."""
