"""Every game as a Gymnasium environment: one seat learns, the others are played by opponents."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import CoroutineType
from typing import Any, Literal, TypeAlias, Union

import gymnasium

from fairplay.core import AnyEvent, AnyGame, AnyTurn, Fault, Outcome, Player, Removed, Seat, Turn, UsageError
from fairplay.core.chance import derived
from fairplay.core.match import REMOVED, share_rewards
from fairplay.match.calls import call_player
from fairplay.match.driver import Witnesses, describe_seat, drive
from fairplay.match.referee import Ask, referee
from fairplay.match.replay import deal_state
from fairplay.rl.rendering import FRAMES_PER_SECOND, RENDER_MODES, check_mode, render_match
from fairplay.rl.table import Decision, Info, LearningTable, Observation, SetupChoice, read_number
from fairplay.run.bots import find_flaw, make_bot
from fairplay.run.entrants import Seating, seat_entrant
from fairplay.run.house_players import resolve_player
from fairplay.run.isolation.program import end_programs

Opponent: TypeAlias = Union[str, Path, Callable[..., object]]
"""A house player by name (``"greedy"``, ``"minimax:depth=3"``) or level (``"easy"``), the path of a bot file,
``"cmd:..."`` for a program, or a function or class of your own, which is called as it is."""


def _seat_opponents(
    game: AnyGame, setup: object, opponents: Opponent | Sequence[Opponent], others: int
) -> list[Seating]:
    """How to seat each opponent; raises UsageError if one cannot play, or there are too few or too many.

    A single one plays on all other seats.  Levels are those of the variant of `setup`.
    """
    given = [opponents] * others if isinstance(opponents, str | Path) or callable(opponents) else opponents
    if len(given) != others:
        raise UsageError(f"opponents: expected {others}, one for each other seat in turn order, not {len(given)}")
    return [_seat_opponent(game, setup, opponent) for opponent in given]


def _seat_opponent(game: AnyGame, setup: object, opponent: object) -> Seating:
    """How to seat one; raises UsageError."""
    if isinstance(opponent, str | Path):
        return seat_entrant(game, resolve_player(game, setup, str(opponent)))
    if not callable(opponent):
        raise UsageError(f"opponents: expected a name, a path, a function or a class, not {type(opponent).__name__}")
    if (flaw := find_flaw(opponent)) is not None:
        raise UsageError(f"opponents: {flaw}")
    bot = opponent
    return lambda rng, info=None: make_bot(bot, rng, None, info or describe_seat(game))


class _OpposedMatch:
    """A match with one seat that is ours: the opponents play by themselves until it is asked, or the match is over."""

    def __init__(self, game: AnyGame, setup: object, seed: int, seat: Seat, seatings: Sequence[Seating]) -> None:
        """`seatings` are those of the other seats, in turn order from the one after ours."""
        seats = len(seatings) + 1
        self.seat, self.state = seat, deal_state(game, setup, seed, seats)
        self.last: AnyTurn | None = None
        self.fault: Fault | None = None  # of our seat, which is then removed
        self.outcome: Outcome | None = None  # once the match is over
        self._players: list[Player | None] = [None] * seats
        for step, seating in enumerate(seatings, 1):
            other = (seat + step) % seats
            info = describe_seat(game, setup, other, seats)
            self._players[other] = seating(derived(seed, "player", other), info)
        self._steps = drive(referee(game, self.state, seats, seed=seed), self._answer, Witnesses(self._players).witness)
        self.reply(None)

    @property
    def is_over(self) -> bool:
        """Is there nothing left for our seat to decide?"""
        return self.fault is not None or self.outcome is not None

    def reply(self, reply: object) -> None:
        """Answer what our seat was asked with an action or a fault, and go on until it is asked again."""
        while self.fault is None:
            try:
                step = self._steps.send(reply)
            except StopIteration as done:
                self.outcome = done.value
                break
            if type(step) is CoroutineType:
                step.close()
                return
            self._note(step)
            reply = None
        self.close()

    def close(self) -> None:
        """End the programs among the opponents; nothing can be replied after that."""
        self._steps.close()
        end_programs(self._players, self.outcome)
        self._players.clear()

    def _answer(self, order: Any) -> Any:
        player = self._players[order.seat]
        if player is not None:
            is_question = type(order) is Ask
            return call_player(player.choose, order.view) if is_question else call_player(player.hear, order.news)
        return _wait_for_us() if type(order) is Ask else None  # our views say all there is to know

    def _note(self, event: AnyEvent) -> None:
        if isinstance(event, Turn):
            self.last = event
        elif isinstance(event, Removed) and event.seat == self.seat:
            self.fault = event.fault
            return  # the state stays the one that it was asked with
        self.state = event.after


async def _wait_for_us() -> None:
    """What the driver yields in place of our answer: nobody awaits it, since the answer is sent when it is there."""


_HELD = ("_match", "_decision", "_shared", "_seatings")
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
        self._seatings = _seat_opponents(self.table.game, self.table.setup, opponents, self.table.seats - 1)
        if seat != "random" and seat not in range(self.table.seats):
            raise UsageError(f"seat: expected 0 to {self.table.seats - 1} or 'random', not {seat!r}")
        self.seat = seat
        self.render_mode = check_mode(render_mode)
        self.observation_space = self.table.make_observation_space()
        self.action_space = self.table.make_action_space()
        self._match: _OpposedMatch | None = None

    @property
    def current_seat(self) -> int:
        """Where we sit in the match that is under way; raises UsageError if there is none."""
        if self._match is None:
            raise UsageError("no match is under way: call reset()")
        return self._match.seat

    def reset(self, *, seed: int | None = None, options: dict[str, object] | None = None) -> tuple[Observation, Info]:
        """Deal a match, and let the opponents play until it is our turn."""
        super().reset(seed=seed)
        setup = self.table.choose_setup(options)
        drawn = int(self.np_random.integers(2**53)) if seed is None else seed
        seat = int(self.np_random.integers(self.table.seats)) if self.seat == "random" else self.seat
        self.close()
        self._begin(setup, drawn, Seat(seat))
        return self._observe()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, Info]:
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

    def __getstate__(self) -> dict[str, object]:
        kept = {name: value for name, value in vars(self).items() if name not in _HELD}
        return kept | {"_begun": self._match is not None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        begun = kept.pop("_begun")
        self.__dict__.update(kept)
        self._seatings = _seat_opponents(self.table.game, self.table.setup, self.opponents, self.table.seats - 1)
        self._match = None
        if begun:
            numbers = self._numbers
            match = self._begin(*self._beginning)
            for number in numbers:
                self._answer(match, number)

    def _begin(self, setup: object, seed: int, seat: Seat) -> _OpposedMatch:
        self._beginning, self._numbers = (setup, seed, seat), list[int]()
        match = self._match = _OpposedMatch(self.table.game, setup, seed, seat, self._seatings)
        self._shared = self.table.prepare(match.state)
        self._decision = self._shared.show(match.state, seat)
        return match

    def _answer(self, match: _OpposedMatch, number: int) -> None:
        self._numbers.append(number)
        answer = self._decision.answer(number)
        if isinstance(answer, Decision):
            self._decision = answer
        else:
            match.reply(answer)
            self._decision = self._shared.show(match.state, match.seat)

    def _observe(self) -> tuple[Observation, Info]:
        observation = self._decision.observe()
        if self._match is not None and self._match.fault is not None:
            observation["action_mask"].fill(0)
        return observation, {"action_mask": observation["action_mask"].copy()}

    def _reward(self, match: _OpposedMatch) -> float:
        if match.outcome is None:
            return 0.0 if match.fault is None else REMOVED
        scores = {Seat(seat): score for seat, score in enumerate(match.outcome.scores) if score is not None}
        return share_rewards(scores, self.table.seats)[match.seat]
