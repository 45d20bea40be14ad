"""Every game with numbers as a game of OpenSpiel: importing this module registers ``fairplay_fish`` and so on.

    >>> import pyspiel, fairplay.rl.openspiel
    >>> game = pyspiel.load_game("fairplay_fish(rows=4,columns=5,seats=2)")
    >>> state = game.new_initial_state()
    >>> state.apply_action(7)  # chance deals what `fairplay play --seed 7` deals
    >>> state.action_to_string(state.legal_actions()[0])
    '0,0'

Parameters are those fields of the game's setup that are numbers or names (-1 stands for a number that is not given),
and three more:

seats: how many play.
deals: the first node is chance, which deals one of this many matches: those of the seeds 0, 1, 2 ...
seed: deal this match, without a chance node; -1 (the default) leaves it to chance.

What chance decides after the deal, in games that have such events, are chance nodes too, with the weights of the rule
book: no seed draws them.  What a player may know is its view of the match: as a tensor,
the array that all environments show, and as text; the text of an information state also lists what it has seen others
do and has done itself.  `resample_from_infostate` replaces what a player cannot know by something that it could be, as
algorithms for imperfect information need it (such as the ISMCTS of OpenSpiel).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from random import Random
from typing import Any, ClassVar, NamedTuple, Self

import msgspec
import numpy as np

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Chance, Seat, UsageError
from fairplay.core.convert import text
from fairplay.core.game import let_chance_fall
from fairplay.core.match import share_rewards
from fairplay.match.replay import deal_state
from fairplay.rl.table import LearningTable

try:
    import pyspiel
except ImportError as _error:
    raise ImportError("fairplay.rl.openspiel needs pyspiel: pip install open_spiel", name="pyspiel") from None

_NOT_GIVEN = -1
_LONGEST = 1_000_000
"""Turns: no game says how many a match can have, and OpenSpiel asks for a bound."""

_MOST_OUTCOMES = 1_000_000

_OWN_PARAMETERS = {"seats": _NOT_GIVEN, "deals": 1000, "seed": _NOT_GIVEN}


class MatchMoment(NamedTuple):
    """A moment of a match.  Nothing in it ever changes, so copies of a state share it."""

    state: Any = None  # None: it has not been dealt
    turns: tuple[tuple[Seat | None, object], ...] = ()  # who did what; None: what is public of what chance brought

    def __deepcopy__(self, known: dict[int, object]) -> Self:
        return self


class MatchGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel brings no types
    """A game of Fairplay with a setup and a number of seats; there is a subclass for each game."""

    name: ClassVar[str]  # of the game

    def __init__(self, params: Mapping[str, object] | None = None) -> None:
        """Raises UsageError or SetupError if there is no such match."""
        name = self.name
        chosen = {**_list_parameters(GAMES[name]), **(params or {})}
        seats, self.deals, seed = (int(chosen.pop(own)) for own in _OWN_PARAMETERS)
        self.table = LearningTable(name, _pick_fields(GAMES[name], chosen), None if seats == _NOT_GIVEN else seats)
        if self.deals < 1:
            raise UsageError(f"deals: expected at least 1, not {self.deals}")
        self.first = MatchMoment() if seed == _NOT_GIVEN else MatchMoment(self.table.deal(self.table.setup, seed))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.choices,
            max_chance_outcomes=_bound_outcomes(self.table.game, 0 if seed != _NOT_GIVEN else self.deals),
            num_players=self.table.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(_describe_type(GAMES[name], dealt=seed != _NOT_GIVEN), info, dict(params or {}))

    def new_initial_state(self) -> _MatchState:
        """The state before the deal, or after it if the seed is given."""
        return _MatchState(self)

    def imagine_state(self, view: object, rng: Random) -> _MatchState:
        """A state in which a player sees `view`: what it does not show is drawn, as far as it can be so."""
        state = _MatchState(self)
        state.moment = MatchMoment(self.table.game.rules.imagine(view, rng))
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: object = None) -> _MatchObserver:
        """What shows a state to a player."""
        return _MatchObserver(self.table, perfect_recall=iig_obs_type is not None and iig_obs_type.perfect_recall)


class _MatchState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel brings no types
    """A moment of a match; `match_state` is the state of the rule book, with everything that is hidden."""

    def __init__(self, game: MatchGame) -> None:
        super().__init__(game)
        self.table, self.deals, self.moment = game.table, game.deals, game.first

    @property
    def match_state(self) -> Any:
        """The state of the rule book; None before the deal."""
        return self.moment.state

    def current_player(self) -> int:
        """Whose turn it is, chance or nobody."""
        if self.moment.state is None or self._chance() is not None:
            return int(pyspiel.PlayerId.CHANCE)
        mover = self.table.game.rules.to_move(self.moment.state)
        return int(pyspiel.PlayerId.TERMINAL) if mover is None else mover

    def is_terminal(self) -> bool:
        return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The seeds that the match may be dealt from, each with the same chance; later the outcomes by number."""
        chance = None if self.moment.state is None else self._chance()
        weights = (1,) * self.deals if chance is None else chance.weights
        return [(number, weight / sum(weights)) for number, weight in enumerate(weights)]

    def _chance(self) -> Chance | None:
        """What chance decides now; ASSUME the match is dealt."""
        luck = self.table.game.chance_rules
        return None if luck is None else luck.chance(self.moment.state)

    def returns(self) -> list[float]:
        """What the match was worth to each player; nothing before its end."""
        if not self.is_terminal():
            return [0.0] * self.table.seats
        return share_rewards(self.table.game.rules.scores(self.moment.state), self.table.seats)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> _MatchState:
        """Some state that looks the same to this player: what it may not know is chosen again."""
        other: _MatchState = self.clone()
        rules, (state, turns) = self.table.game.rules, self.moment
        if state is not None:
            rng = Random(int(probability_sampler() * 2**53))
            known = tuple((seat, self._show_action(seat, act, player_id)) for seat, act in turns)
            other.moment = MatchMoment(rules.imagine(rules.view(state, Seat(player_id)), rng), known)
        return other

    def show(self, player: int) -> str:
        """The view of a player as text; nothing before the deal."""
        if self.moment.state is None:
            return ""
        game = self.table.game
        return text(game.codec.view_to_json(game.rules.view(self.moment.state, Seat(player))))

    def list_turns(self, player: int) -> str:
        """What a player has seen of all turns."""
        notation = self.table.game.notation
        seen = ((seat, self._show_action(seat, act, player)) for seat, act in self.moment.turns)
        return " ".join(
            f"chance:{text(action)}" if seat is None else f"{seat}:{notation.format_action(action)}"
            for seat, action in seen
        )

    def _show_action(self, seat: Seat | None, action: object, player: int) -> object:
        """What was done, or what chance brought, as a player may know it."""
        return action if seat in (None, player) else self.table.game.rules.public_action(action)

    def _legal_actions(self, player: int) -> list[int]:
        return [*self.table.encoding.legal_numbers(self._view(player))]

    def _apply_action(self, action: int) -> None:
        state, turns = self.moment
        if state is None:
            self.moment = MatchMoment(self.table.deal(self.table.setup, action))
            return
        chance = self._chance()
        if chance is not None:
            self._befall(chance.outcomes[action])
            return
        seat = Seat(self.current_player())
        done = self.table.encoding.action(action, self._view(seat))
        self.moment = MatchMoment(self.table.game.rules.apply(state, done), (*turns, (seat, done)))

    def _befall(self, outcome: object) -> None:
        game, (state, turns) = self.table.game, self.moment
        assert game.chance_rules is not None
        after = game.chance_rules.befall(state, outcome)
        self.moment = MatchMoment(after, (*turns, (None, msgspec.to_builtins(game.public_outcome(outcome)))))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            chance = None if self.moment.state is None else self._chance()
            return f"deal {action}" if chance is None else text(msgspec.to_builtins(chance.outcomes[action]))
        if self.moment.state is None:
            return f"action {action}"
        return self.table.game.notation.format_action(self.table.encoding.action(action, self._view(player)))

    def _view(self, player: int) -> Any:
        return self.table.game.rules.view(self.moment.state, Seat(player))

    def __str__(self) -> str:
        state = self.moment.state
        return "not dealt yet" if state is None else self.table.game.notation.format_position(state)


class _MatchObserver:
    """Shows states to players: what a player may know as a tensor and as text."""

    def __init__(self, table: LearningTable, *, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        self.encoding = table.encoding
        self.tensor = np.zeros(prod(self.encoding.shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(self.encoding.shape)}

    def set_from(self, state: _MatchState, player: int) -> None:
        """Write what `player` may know into `tensor`, which `dict` shows in its shape."""
        if state.moment.state is None:
            self.tensor.fill(0)
        else:
            self.encoding.observe(state._view(player), self.dict["observation"])

    def string_from(self, state: _MatchState, player: int) -> str:
        """What `player` may know as text."""
        return f"{state.show(player)} {state.list_turns(player)}" if self.perfect_recall else state.show(player)


# -- parameters and registration ---------------------------------------------------------------


def _list_parameters(game: AnyGame) -> dict[str, Any]:
    """The parameters of a game with their defaults."""
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(game.setup):
        if isinstance(field.default, int | str):
            found[field.name] = field.default
        elif field.default is None and _takes_numbers(field.type):
            found[field.name] = _NOT_GIVEN
    return {**found, **_OWN_PARAMETERS}


def _takes_numbers(kind: object) -> bool:
    """May a field of this type be a whole number?"""
    try:
        msgspec.convert(1, kind)
    except msgspec.ValidationError:
        return False
    return True


def _pick_fields(game: AnyGame, chosen: Mapping[str, object]) -> dict[str, Any]:
    """Those fields of a setup that differ from their defaults, which a variant may have changed."""
    defaults = _list_parameters(game)
    return {name: value for name, value in chosen.items() if value != defaults[name]}


def _bound_outcomes(game: AnyGame, deals: int) -> int:
    """The most outcomes of a chance node: no game says how many an event can have, and OpenSpiel asks for a bound."""
    return deals if game.chance_rules is None else max(deals, _MOST_OUTCOMES)


def _describe_type(game: AnyGame, *, dealt: bool = False) -> Any:
    """What OpenSpiel must know about a game before one is made."""
    kinds = pyspiel.GameType
    deterministic = dealt and game.chance_rules is None
    return kinds(
        short_name=f"fairplay_{game.name}",
        long_name=f"Fairplay's {game.name.capitalize()}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC if deterministic else kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if _hides_something(game)
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_list_parameters(game),
    )


def _hides_something(game: AnyGame) -> bool:
    """Is there anything in a match that a seat does not know?"""
    dealt = deal_state(game, next(iter(game.variants.values())), 0, game.seats[0])
    state = let_chance_fall(game, dealt, Random(0))
    return any(
        game.rules.imagine(game.rules.view(state, Seat(seat)), Random(chance)) != state
        for seat in range(game.seats[0])
        for chance in range(3)
    )


def _register_games() -> None:
    """EFFECT: registers every game with numbers; a second time does nothing."""
    known = set(pyspiel.registered_names())
    for name, game in GAMES.items():
        if game.parts.numbers is not None and f"fairplay_{name}" not in known:
            # A class, not a function: OpenSpiel frees what it holds when the interpreter is gone already, and nothing
            # happens to a class then.
            maker = type(f"MatchGameOf{name.capitalize()}", (MatchGame,), {"name": name})
            pyspiel.register_game(_describe_type(game), maker)


_register_games()
