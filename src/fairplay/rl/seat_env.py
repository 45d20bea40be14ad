"""Every game as a Gymnasium environment: one seat learns, the others are played by opponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium

from fairplay.core import Seat, UsageError
from fairplay.core.rewards import REMOVED, share_rewards
from fairplay.rl.decision import Decision, Observation, read_number
from fairplay.rl.opponents import Opponent, OpposedMatch, seat_opponents
from fairplay.rl.rendering import FRAMES_PER_SECOND, RENDER_MODES, check_mode, render_match
from fairplay.rl.table import LearningTable, SetupChoice

__all__ = ["SeatEnv"]


HELD = ("_match", "_decision", "_shared", "_seatings")
"""What holds games, and so modules: it is made again."""


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a match as a Gymnasium environment; opponents play the other seats.

    game: its name, such as ``"fish"``; the registered ids (``"fairplay/fish_v0"`` ...) say it already.
    opponents: who plays the other seats, in turn order from the seat after ours; a single one plays all of them.
        House players by name, functions or classes of your own, paths of bot files, ``"cmd:..."`` for a program.
    setup: the fields of the setup by name, a variant by name, or a whole setup.  Default: the standard game.
    seats: how many play.  Default: one more than there are opponents, or the fewest that can.
    seat: ours, from 0 in turn order, or ``"random"`` for another one in each match.
    render_mode: ``"ansi"``, ``"svg"`` or ``"rgb_array"``; all of them show what our seat may know.
    factored: let an action be made in two decisions, if the game has such actions (Labyrinth).

    The mask of legal actions is in the observation and in ``info["action_mask"]``.  The reward comes at the end, from
    -1 to 1 by shared rank.  An illegal number ends the episode with -1, and ``info["fault"]`` says why.

    The seed of `reset` deals what ``fairplay play --seed`` deals, and the opponents' own chance follows from it as
    well: the same actions give the same match.  Options of `reset`: ``{"setup": ...}`` for this match alone.

    An environment is pickled and copied as setup, seed and actions, and the match is played again up to there; so the
    opponents must do the same again, as all house players do that have no limit of time.

    >>> import gymnasium, fairplay.rl
    >>> env = gymnasium.make("fairplay/fish_v0", opponents=["greedy"], setup={"rows": 4, "columns": 5})
    >>> observation, info = env.reset(seed=7)
    >>> terminated = False
    >>> while not terminated:
    ...     observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
    >>> reward in (-1.0, 0.0, 1.0)
    True
    """

    metadata = {"render_modes": [*RENDER_MODES], "render_fps": FRAMES_PER_SECOND}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        game: str,
        opponents: Opponent | Sequence[Opponent] = "random",
        setup: SetupChoice = None,
        seats: int | None = None,
        seat: int | Literal["random"] = 0,
        *,
        render_mode: str | None = None,
        factored: bool = False,
    ) -> None:
        if seats is None and isinstance(opponents, Sequence) and not isinstance(opponents, str):
            seats = len(opponents) + 1
        self.table = LearningTable(game, setup, seats, factored)
        self.opponents = opponents
        self._seatings = seat_opponents(self.table.game, self.table.setup, opponents, self.table.seats - 1)
        if seat != "random" and seat not in range(self.table.seats):
            raise UsageError(f"seat: expected 0 to {self.table.seats - 1} or 'random', not {seat!r}")
        self.seat = seat
        self.render_mode = check_mode(render_mode)
        self.observation_space = self.table.make_observation_space()
        self.action_space = self.table.make_action_space()
        self._match: OpposedMatch | None = None

    @property
    def current_seat(self) -> int:
        """Where we sit in the match that is under way; raises UsageError if there is none."""
        if self._match is None:
            raise UsageError("no match is under way: call reset()")
        return self._match.seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a match, and let the opponents play until it is our turn."""
        super().reset(seed=seed)
        setup = self.table.choose_setup(options)
        drawn = int(self.np_random.integers(2**53)) if seed is None else seed
        seat = int(self.np_random.integers(self.table.seats)) if self.seat == "random" else self.seat
        self.close()
        self._begin(setup, drawn, Seat(seat))
        return self._observe()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Answer with the number of an action; raises UsageError if no match is under way."""
        match = self._match
        if match is None or match.is_over:
            raise UsageError("no match is under way: call reset()")
        self._answer(match, read_number(action, f"seat_{match.seat}"))
        observation, info = self._observe()
        if match.fault is not None:
            info["fault"] = f"{match.fault.kind}: {match.fault.detail}"
        return observation, self._reward(match), match.is_over, False, info

    def render(self) -> Any:
        """The match as our seat may see it, as the render mode says: text, SVG, or pixels."""
        if self._match is None:
            raise UsageError("there is nothing to render yet: call reset()")
        return render_match(self.table.game, self._decision.view, self._match.last, self.render_mode)

    def close(self) -> None:
        """End the programs of opponents that have some."""
        if self._match is not None:
            self._match.close()
            self._match = None

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if name not in HELD}
        return kept | {"_begun": self._match is not None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        begun = kept.pop("_begun")
        self.__dict__.update(kept)
        self._seatings = seat_opponents(self.table.game, self.table.setup, self.opponents, self.table.seats - 1)
        self._match = None
        if begun:
            numbers = self._numbers
            match = self._begin(*self._beginning)
            for number in numbers:
                self._answer(match, number)

    def _begin(self, setup: Any, seed: int, seat: Seat) -> OpposedMatch:
        self._beginning, self._numbers = (setup, seed, seat), list[int]()
        match = self._match = OpposedMatch(self.table.game, setup, seed, seat, self._seatings)
        self._shared = self.table.prepare(match.state)
        self._decision = self._shared.show(match.state, seat)
        return match

    def _answer(self, match: OpposedMatch, number: int) -> None:
        self._numbers.append(number)
        answer = self._decision.answer(number)
        if isinstance(answer, Decision):
            self._decision = answer
        else:
            match.reply(answer)
            self._decision = self._shared.show(match.state, match.seat)

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        observation = self._decision.observe()
        if self._match is not None and self._match.fault is not None:
            observation["action_mask"].fill(0)
        return observation, {"action_mask": observation["action_mask"].copy()}

    def _reward(self, match: OpposedMatch) -> float:
        if match.outcome is None:
            return 0.0 if match.fault is None else REMOVED
        scores = {Seat(seat): score for seat, score in enumerate(match.outcome.scores) if score is not None}
        return share_rewards(scores, self.table.seats)[match.seat]
