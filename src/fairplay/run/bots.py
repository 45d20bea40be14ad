"""Bots, as people write them: a function from view to action, or a class that is made for each match and remembers.

def choose(view): ...                       # a function; with a parameter `rng` it is given a generator

class Bot:
    def __init__(self, seat, setup, rng):   # any of these, by name, or no __init__ at all
    def choose(self, view): ...             # the action
    def hear(self, news): ...               # optional: private news, such as the cards it drew
    def saw(self, turn): ...                # optional: every turn of every seat, and every removal (`Seen`)
"""

from collections.abc import Callable
from functools import partial
from random import Random
from types import FunctionType
from typing import Any, TypeAlias

from fairplay.core import House, Player, SeatInfo, Seen

Bot: TypeAlias = Callable[..., Any]
"""A function from view to action, or a class whose instances have a method `choose`."""

GIVEN = ("seat", "setup", "rng")
"""What the class of a bot may ask for."""


def make_bot(bot: Bot, rng: Random, call: Callable[..., Any] | None = None, info: SeatInfo | None = None) -> Player:
    """The player that a function or class is, for one match; ASSUME `find_flaw` has nothing against it.

    Everything of the bot is called through `call`.  `info` may be set later, before the first order.
    """
    if is_class(bot):
        return BotWithMemory(bot, rng, call or call_plainly, info)
    strategy = partial(bot, rng=rng) if "rng" in list_parameters(bot)[1] else bot
    return House(partial(call or call_plainly, strategy))  # a function has no memory, whatever attributes it may have


def call_plainly(call: Callable[..., Any], *given: Any, **named: Any) -> Any:
    return call(*given, **named)


class BotWithMemory:
    """A bot that is a class: made at its first order, and told what it has not seen yet before each one."""

    def __init__(self, bot: Bot, rng: Random, call: Callable[..., Any], info: SeatInfo | None) -> None:
        self.info = info
        self._class, self._rng, self._call = bot, rng, call
        self._bot: Any = None
        self._unseen: list[Seen] = []
        self.saw: Callable[[Seen], None] | None = self._unseen.append if wants_turns(bot) else None

    @property
    def wants_news(self) -> bool:
        return hasattr(self._class, "hear")

    @property
    def wants_setup(self) -> bool:
        return "setup" in init_parameters(self._class)[1]

    @property
    def is_informed(self) -> bool:
        """Is it told anything but its seat and its views?"""
        return self.saw is not None or self.wants_news or self.wants_setup

    def choose(self, view: Any) -> Any:
        return self._call(self._bring_up_to_date().choose, view)

    def hear(self, news: object) -> None:
        bot = self._bring_up_to_date()
        if self.wants_news:
            self._call(bot.hear, news)

    def catch_up(self) -> None:
        """Tell it what it saw after its last order."""
        if self._unseen:
            self._bring_up_to_date()

    def _bring_up_to_date(self) -> Any:
        if self._bot is None:
            self._bot = self._make()
        while self._unseen:
            self._call(self._bot.saw, self._unseen.pop(0))
        return self._bot

    def _make(self) -> Any:
        assert self.info is not None, "it is known before the first order"
        given = {"seat": self.info.seat, "setup": self.info.setup, "rng": self._rng}
        return self._call(
            self._class, **{name: given[name] for name in init_parameters(self._class)[1] if name in given}
        )


def is_class(bot: object) -> bool:
    """Is this a class, not a function?"""
    return isinstance(bot, type)


def wants_turns(bot: Bot) -> bool:
    """Does it want to be told of every turn?"""
    return is_class(bot) and callable(getattr(bot, "saw", None))


def find_flaw(bot: Bot, name: str = "") -> str | None:
    """Say why a function or class cannot play, or None."""
    name = name or getattr(bot, "__name__", "bot")
    if (flaw := find_delay(getattr(bot, "choose", None) if is_class(bot) else bot)) is not None:
        return f"'{name}' {flaw}"
    if not is_class(bot):
        needed = [each for each in list_parameters(bot)[0] if each != "rng"]
        return None if len(needed) == 1 else f"'{name}' must take one argument, the view (and rng, if it wants chance)"
    if not callable(getattr(bot, "choose", None)):
        return f"the class '{name}' has no method choose(self, view)"
    if strange := [each for each in init_parameters(bot)[0] if each not in GIVEN]:
        return f"'{name}.__init__' may ask for {', '.join(GIVEN)}, not for {strange[0]}"
    for method in ("choose", "hear", "saw"):
        call = getattr(bot, method, None)
        if isinstance(call, FunctionType) and len(list_parameters(call)[0]) != 2:
            return f"'{name}.{method}' must take self and one argument"
    return None


def find_delay(call: object) -> str | None:
    """Say why a call would not give an action at once, or None."""
    flags = call.__code__.co_flags if isinstance(call, FunctionType) else 0
    if flags & (COROUTINE | ASYNC_GENERATOR):
        return "is `async def`, and nobody awaits it; write `def`"
    return "has a `yield` in it; return the action instead" if flags & GENERATOR else None


GENERATOR, COROUTINE, ASYNC_GENERATOR = 0x20, 0x80, 0x200
"""What Python notes of a function, as in `inspect`, which takes too long to import."""


def init_parameters(bot: Bot) -> tuple[list[str], list[str]]:
    """Those parameters of a class that must be given, and all of them, without `self`."""
    init = bot.__init__
    if type(init) is not FunctionType:
        return [], []
    needed, names = list_parameters(init)
    return needed[1:], names[1:]


def list_parameters(call: Callable[..., Any]) -> tuple[list[str], list[str]]:
    """The names of those parameters that must be given, by position or name, and of all of them."""
    if type(call) is FunctionType and not hasattr(call, "__wrapped__"):
        code = call.__code__
        both = code.co_argcount - code.co_posonlyargcount
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        needed = names[code.co_posonlyargcount : code.co_argcount - min(len(call.__defaults__ or ()), both)]
        return list(needed), list(names)
    import inspect

    known = inspect.signature(call).parameters.values()
    needed = tuple(
        each.name for each in known if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
    )
    return list(needed), [each.name for each in known]
