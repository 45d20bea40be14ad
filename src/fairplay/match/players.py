"""House players by their spec, and the bad players that misbehave on purpose."""

import inspect
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any, TypeAlias

from fairplay.core import AnyGame, AnyStrategy, Fault, FaultKind, Misbehaved, Player, UsageError
from fairplay.core.names import list_known
from fairplay.core.thinking import Clock
from fairplay.match.record import HousePlayer

HouseOptions: TypeAlias = tuple[tuple[str, str | None], ...]
"""The options of a house player as somebody wrote them: names and values; None if an item has no equals sign."""


def parse_house(text: str) -> tuple[str, HouseOptions]:
    """The name and the options in a text such as ``minimax:depth=3``."""
    name, colon, given = text.partition(":")
    items = [item.partition("=") for item in given.split(",")] if colon else []
    return name, tuple((key, value if equals else None) for key, equals, value in items)


def print_house(name: str, options: HouseOptions) -> str:
    """The text of a house player, as `parse_house` reads it."""
    given = ",".join(key if value is None else f"{key}={value}" for key, value in options)
    return f"{name}:{given}" if options else name


def house_strategy(game: AnyGame, spec: str, rng: Random, clock: Clock | None = None) -> AnyStrategy:
    """The house strategy that `spec` names, such as ``minimax`` or ``minimax:depth=3``; raises UsageError.

    `clock`: for strategies that are told to think for some time.
    """
    _, maker, chosen = _read_house(game, spec)
    if chosen.get(_BUDGET):
        chosen[_CLOCK] = clock
    try:
        return maker(rng, **chosen)
    except ValueError as error:
        raise UsageError(f"'{spec}': {error}") from None


def describe_house(game: AnyGame, spec: str, chance: int) -> HousePlayer:
    """The house player that `spec` names, as records name it; `chance` is the seed of its generator.

    Raises UsageError.
    """
    name, maker, chosen = _read_house(game, spec)
    options = {key: default for key, (_, default) in declared_options(maker).items()} | chosen
    return HousePlayer(name, game.players.versions.get(name, 1), chance, options, options.get(_BUDGET) or None)


def thinks_by_time(game: AnyGame, name: str) -> bool:
    """Can this house player be given a time to think?  ASSUME there is one."""
    return _BUDGET in declared_options(game.players.strategies[name])


def with_little_work(game: AnyGame, name: str) -> str:
    """The spec of a house strategy that searches for a moment only, if it can be told so.  ASSUME there is one."""
    return next((f"{name}:{work}=16" for work in WORK if work in declared_options(game.players.strategies[name])), name)


def _read_house(game: AnyGame, spec: str) -> tuple[str, Callable[..., AnyStrategy], dict[str, object]]:
    """The name of the house strategy in `spec`, its maker, and its options in the spec; raises UsageError."""
    name, given = parse_house(spec)
    if name not in game.players.strategies:
        raise UsageError(f"{game.name} has no strategy '{name}'; it has {list_known(name, game.players.strategies)}")
    maker = game.players.strategies[name]
    options = declared_options(maker)
    chosen: dict[str, object] = {}
    for key, value in () if given == _NOTHING else given:
        if key not in options or value is None:
            item = print_house(name, ((key, value),)).removeprefix(f"{name}:")
            known = f"it has {list_known(f'{key}=', [f'{name}=' for name in options])}"
            raise UsageError(f"'{item}' in '{spec}' is not an option of {name}; {known}")
        chosen[key] = _parse_option(spec, key, value, options[key][0])
    return name, maker, chosen


_NOTHING = (("", None),)
"""The options behind a colon that nothing follows."""


@lru_cache(maxsize=256)
def declared_options(maker: Callable[..., object]) -> dict[str, tuple[type[Any], Any]]:
    """The options of a strategy by name, each with its type and default: all after the generator but the clock."""
    _, *options = inspect.signature(maker, eval_str=True).parameters.values()
    return {each.name: (each.annotation, each.default) for each in options if each.name != _CLOCK}


WORK = ("nodes", "playouts")
"""Options that say how much a strategy searches."""

_BUDGET = "seconds"
"""The option of a strategy that thinks for a given time; its choices differ from machine to machine."""

_CLOCK = "clock"
"""The parameter of such a strategy that takes the clock of those who run the match."""


def _parse_option(spec: str, key: str, value: str, kind: type[Any]) -> object:
    """The value of an option in a spec; raises UsageError if it is of another type."""
    try:
        return kind(value)
    except ValueError:
        raise UsageError(f"{key} in '{spec}' must be {_NOUNS.get(kind, kind.__name__)}, not '{value}'") from None


_NOUNS: dict[type, str] = {int: "a whole number", float: "a number"}


class MisbehavingPlayer:
    """A good player that commits one fault at its n-th question or n-th piece of news, counted from 0."""

    def __init__(
        self,
        player: Player,
        kind: FaultKind,
        *,
        question: int | None = None,
        news: int | None = None,
        illegal: Callable[[Any], object] | None = None,
    ) -> None:
        self.player, self.kind, self.illegal = player, kind, illegal
        self.question, self.news = question, news
        self.questions = self.told = 0

    def choose(self, view: object) -> object:
        due, self.questions = self.questions == self.question, self.questions + 1
        if not due:
            return self.player.choose(view)
        if self.kind is FaultKind.ILLEGAL and self.illegal is not None:
            return self.illegal(view)
        return object() if self.kind is FaultKind.MALFORMED else self.misbehave()

    def hear(self, news: object) -> object:
        due, self.told = self.told == self.news, self.told + 1
        return self.misbehave() if due else self.player.hear(news)

    def misbehave(self) -> object:
        if self.kind is FaultKind.CRASHED:
            raise RuntimeError("this player crashes on purpose")
        raise Misbehaved(Fault(self.kind, "this player misbehaves on purpose"))
