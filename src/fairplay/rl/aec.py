"""Every game as a PettingZoo environment, seat by seat (AEC) and all seats at once (parallel)."""

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from fairplay.core import AnyTurn, Fault, Seat, Turn, UsageError
from fairplay.core.chance import derived
from fairplay.core.match import REMOVED, share_rewards
from fairplay.rl.rendering import FRAMES_PER_SECOND, RENDER_MODES, check_mode, render_match
from fairplay.rl.table import HIGHEST, Decision, Info, LearningTable, Observation, SetupChoice, read_number


class MatchEnv(AECEnv):  # type: ignore[misc]  # PettingZoo brings no types
    """A match as a PettingZoo environment: the seats ``seat_0``, ``seat_1`` ... take turns.

    game: its name, such as ``"fish"``.
    setup: the fields of the setup by name, a variant by name, or a whole setup.  Default: the standard game.
    seats: how many play.  Default: the fewest that can.
    render_mode: ``"ansi"``, ``"svg"`` or ``"rgb_array"``; all of them show everything, also what is hidden from seats.
    factored: let an action be made in two decisions of the same seat, if the game has such actions (Labyrinth).

    An observation is ``{"observation": ..., "action_mask": ...}``: what this seat may know, its own things first, and 1
    for each number that it may answer with; all 0 unless it is its turn.

    Rewards come at the end, from -1 to 1 by shared rank, and add up to 0.  A seat that answers with an illegal number
    is removed: it is terminated with the reward -1, ``infos[seat]["fault"]`` says what it did wrong, and the others
    play on.  At the end they are rewarded as if those who were removed had come last (see `share_rewards`).

    The seed of `reset` deals what ``fairplay play --seed`` deals.  Without one, each match has another deal, which
    follows from the last seed that was given.  Options of `reset`: ``{"setup": ...}`` for this match alone, as long as
    it does not change the spaces.

    >>> env = MatchEnv("fish", setup={"rows": 4, "columns": 5})
    >>> env.reset(seed=7)
    >>> for seat in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     mask = observation["action_mask"]
    ...     env.step(None if terminated or truncated else int(mask.argmax()))
    >>> env.agents
    []
    """

    def __init__(
        self,
        game: str,
        setup: SetupChoice = None,
        seats: int | None = None,
        *,
        render_mode: str | None = None,
        factored: bool = False,
    ) -> None:
        super().__init__()
        self.table = LearningTable(game, setup, seats, factored)
        self.render_mode = check_mode(render_mode)
        self.metadata = {
            "name": self.table.version,
            "render_modes": [*RENDER_MODES],
            "render_fps": FRAMES_PER_SECOND,
            "is_parallelizable": False,  # not by PettingZoo's own means: use ParallelMatchEnv
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {name: self.table.make_observation_space() for name in self.possible_agents}
        self.action_spaces = {name: self.table.make_action_space() for name in self.possible_agents}
        self.state_space = spaces.Box(0.0, HIGHEST, (self.table.seats, *self.table.encoding.shape), np.float32)
        self._seats = {name: Seat(seat) for seat, name in enumerate(self.possible_agents)}
        self._chance = Random()
        self.asked: str | None = None  # the seat whose decision is awaited
        self._decision: Decision

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of the observations of `agent`: always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of the numbers of actions: always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Deal a match; raises UsageError if the options would change the spaces."""
        setup = self.table.choose_setup(options)
        if seed is not None:
            self._chance = derived(seed, "matches")
        self._seed, self._drawn = self._chance.getrandbits(53) if seed is None else seed, 0
        self._state = self.table.deal(setup, self._seed)
        self._last: AnyTurn | None = None
        self._shared = self.table.prepare(self._state)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {name: {} for name in self.agents}
        self._removed: dict[str, object] = {}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._ask_next()

    def step(self, action: int | None) -> None:
        """Do the action with this number, which the seat `agent_selection` chose; None for one that is terminated."""
        name = self.agent_selection
        if self.terminations[name]:
            self._was_dead_step(action)
            return
        # Rewards come with terminations alone, and the steps of those who are terminated have cleared them.
        answer = self._decision.answer(read_number(action, name))
        if isinstance(answer, Decision):
            self._decision = answer
            return
        if isinstance(answer, Fault):
            self._remove(name, answer)
        else:
            after = self.table.game.rules.apply(self._state, answer)
            self._last = Turn(self._state, self._seats[name], answer, after)
            self._state = after
        self._ask_next()

    def observe(self, agent: str) -> Observation:
        """What `agent` may know; a seat that was removed, what it was last asked with."""
        if agent in self._removed:
            seen = self._shared.show(self._removed[agent], self._seats[agent]).observe()
            seen["action_mask"].fill(0)
            return seen
        if agent == self.asked:
            return self._decision.observe()
        return self._shared.show(self._state, self._seats[agent]).observe()

    def state(self) -> NDArray[np.float32]:
        """The observations of all seats, stacked: an oracle, for training only.

        Together they show more than any seat may know, and a player that uses them cannot play anywhere else.
        """
        return self.table.observe_all(self._state)

    def render(self) -> Any:
        """The match as the render mode says: text, SVG, or pixels; everything in it."""
        return render_match(self.table.game, self._state, self._last, self.render_mode, open=True)

    def close(self) -> None:
        """There is nothing to release."""

    def __getstate__(self) -> dict[str, object]:
        kept = dict(vars(self))
        if kept.pop("_shared", None) is not None:  # it holds the game, and so modules
            kept["_first"] = kept.pop("_decision").first if self.asked else 0
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        first = kept.pop("_first", None)
        self.__dict__.update(kept)
        if first is None:
            return
        self._shared = self.table.prepare(self._state)
        if self.asked is not None:
            self._decision = self._shared.show(self._state, self._seats[self.asked])
            self._decision.first = first

    def _remove(self, name: str, fault: Fault) -> None:
        self._removed[name] = self._state
        self._state = self.table.game.rules.remove(self._state, self._seats[name])
        self.terminations[name] = True
        self.rewards[name] = REMOVED
        self.infos[name] = {"fault": f"{fault.kind}: {fault.detail}"}

    def _ask_next(self) -> None:
        """Select the seat whose decision is awaited, or end the match; those who are terminated step first."""
        self._let_chance_fall()
        mover = self.table.game.rules.to_move(self._state)
        if mover is None:
            self.asked = None
            self._end()
        else:
            self.asked = self.agent_selection = self.possible_agents[mover]
            self._decision = self._shared.show(self._state, mover)
            if not self._removed:
                return
        if True in self.terminations.values():
            self._accumulate_rewards()
            self._deads_step_first()

    def _let_chance_fall(self) -> None:
        """All that chance decides before somebody is asked: the seed draws what it draws in ``fairplay play``."""
        luck = self.table.game.chance_rules
        while luck is not None and (chance := luck.chance(self._state)) is not None:
            self._state = luck.befall(self._state, chance.draw_event(self._seed, self._drawn))
            self._drawn += 1

    def _end(self) -> None:
        shares = share_rewards(self.table.game.rules.scores(self._state), self.table.seats)
        for name in self.agents:
            if name not in self._removed:
                self.rewards[name] = shares[self._seats[name]]
                self.terminations[name] = True


class ParallelMatchEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo brings no types
    """The same match with all seats stepping at once, for learners that know no other way.

    Only the action of the seat whose turn it is counts; the mask of all others is 0 everywhere, and what they answer
    means nothing.  ``infos[seat]["active_agent"]`` names the seat whose turn is next.  Everything else is as in
    `MatchEnv`, which takes the same arguments.

    >>> env = ParallelMatchEnv("fish", setup={"rows": 4, "columns": 5})
    >>> observations, infos = env.reset(seed=7)
    >>> while env.agents:
    ...     actions = {seat: int(observations[seat]["action_mask"].argmax()) for seat in env.agents}
    ...     observations, rewards, terminations, truncations, infos = env.step(actions)
    >>> sum(rewards.values())
    0.0
    """

    def __init__(self, game: str, *given: Any, **named: Any) -> None:
        super().__init__()
        self.env = MatchEnv(game, *given, **named)
        self.metadata, self.render_mode = self.env.metadata, self.env.render_mode
        self.possible_agents, self.agents = self.env.possible_agents, self.env.agents
        self.state_space = self.env.state_space

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of the observations of `agent`: always the same object."""
        return self.env.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of the numbers of actions: always the same object."""
        return self.env.action_space(agent)

    def reset(
        self, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Deal a match; see `MatchEnv.reset`."""
        self.env.reset(seed, options)
        self.agents = [*self.env.agents]
        return self._observe(), self._inform()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Do the action of the seat whose turn it is; raises UsageError if it is missing."""
        env = self.env
        if not self.agents:
            raise UsageError("the match is over: call reset()")
        env.step(actions.get(env.agent_selection))
        results = self._observe(), {**env.rewards}, {**env.terminations}, {**env.truncations}, self._inform()
        while env.agents and env.terminations[env.agent_selection]:
            env.step(None)
        self.agents = [*env.agents]
        return results

    def state(self) -> NDArray[np.float32]:
        """The observations of all seats, stacked: an oracle, for training only."""
        return self.env.state()

    def render(self) -> Any:
        """The match as the render mode says."""
        return self.env.render()

    def close(self) -> None:
        """There is nothing to release."""

    def _observe(self) -> dict[str, Observation]:
        return {name: self.env.observe(name) for name in self.env.agents}

    def _inform(self) -> dict[str, Info]:
        asked = self.env.asked
        return {name: {**info, "active_agent": asked} for name, info in self.env.infos.items()}
