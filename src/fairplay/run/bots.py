"""Bots, as people write them in files: a function from view to action, or a class that is made anew and remembers.

def choose(view): ...                       # a function; with a parameter `rng` it is given a generator

class Bot:
    def __init__(self, seat, setup, rng):   # any of these, by name, or no __init__ at all
    def choose(self, view): ...             # the action
    def hear(self, news): ...               # optional: private news, such as the cards it drew
    def saw(self, turn): ...                # optional: every turn of every seat, and every removal (`Seen`)
"""

import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from random import Random
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

from fairplay.core import House, Player, SeatInfo, Seen, UsageError
from fairplay.match.calls import innermost_frames

Bot: TypeAlias = Callable[..., object]
"""A function from view to action, or a class whose instances have a method `choose`."""

GIVEN = ("seat", "setup", "rng")
"""What the class of a bot may ask for."""


def make_bot(bot: Bot, rng: Random, call: Callable[..., object] | None = None, info: SeatInfo | None = None) -> Player:
    """The player that a function or class is, for one match; ASSUME `find_flaw` has nothing against it.

    Everything of the bot is called through `call`.  `info` may be set later, before the first order.
    """
    if _is_class(bot):
        return BotWithMemory(bot, rng, call or _call_plainly, info)
    strategy = partial(bot, rng=rng) if "rng" in _list_parameters(bot)[1] else bot
    return House(partial(call or _call_plainly, strategy))  # a function has no memory, whatever attributes it may have


def _call_plainly(call: Callable[..., object], *given: object, **named: object) -> object:
    return call(*given, **named)


class BotWithMemory:
    """A bot that is a class: made at its first order, and told what it has not seen yet before each one."""

    def __init__(self, bot: Bot, rng: Random, call: Callable[..., object], info: SeatInfo | None) -> None:
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
        return "setup" in _init_parameters(self._class)[1]

    @property
    def is_informed(self) -> bool:
        """Is it told anything but its seat and its views?"""
        return self.saw is not None or self.wants_news or self.wants_setup

    def choose(self, view: object) -> object:
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
            self._class, **{name: given[name] for name in _init_parameters(self._class)[1] if name in given}
        )


def _is_class(bot: object) -> bool:
    """Is this a class, not a function?"""
    return isinstance(bot, type)


def wants_turns(bot: Bot) -> bool:
    """Does it want to be told of every turn?"""
    return _is_class(bot) and callable(getattr(bot, "saw", None))


def find_flaw(bot: Bot, name: str = "") -> str | None:
    """Say why a function or class cannot play, or None."""
    name = name or getattr(bot, "__name__", "bot")
    if (flaw := _find_delay(getattr(bot, "choose", None) if _is_class(bot) else bot)) is not None:
        return f"'{name}' {flaw}"
    if not _is_class(bot):
        needed = [each for each in _list_parameters(bot)[0] if each != "rng"]
        return None if len(needed) == 1 else f"'{name}' must take one argument, the view (and rng, if it wants chance)"
    if not callable(getattr(bot, "choose", None)):
        return f"the class '{name}' has no method choose(self, view)"
    if strange := [each for each in _init_parameters(bot)[0] if each not in GIVEN]:
        return f"'{name}.__init__' may ask for {', '.join(GIVEN)}, not for {strange[0]}"
    for method in ("choose", "hear", "saw"):
        call = getattr(bot, method, None)
        if isinstance(call, FunctionType) and len(_list_parameters(call)[0]) != 2:
            return f"'{name}.{method}' must take self and one argument"
    return None


def _find_delay(call: object) -> str | None:
    """Say why a call would not give an action at once, or None."""
    flags = call.__code__.co_flags if isinstance(call, FunctionType) else 0
    if flags & (COROUTINE | ASYNC_GENERATOR):
        return "is `async def`, and nobody awaits it; write `def`"
    return "has a `yield` in it; return the action instead" if flags & GENERATOR else None


GENERATOR, COROUTINE, ASYNC_GENERATOR = 0x20, 0x80, 0x200
"""What Python notes of a function, as in `inspect`, which takes too long to import."""


def _init_parameters(bot: Bot) -> tuple[list[str], list[str]]:
    """Those parameters of a class that must be given, and all of them, without `self`."""
    init = bot.__init__
    if type(init) is not FunctionType:
        return [], []
    needed, names = _list_parameters(init)
    return needed[1:], names[1:]


def _list_parameters(call: Callable[..., object]) -> tuple[list[str], list[str]]:
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


# -- bots in files -----------------------------------------------------------------------------


def describe_player(path: str, name: str) -> str:
    """What messages call a bot: its file, with its name if it has one; without a file, the name alone."""
    return ":".join(filter(None, (path, name)))


def seed_generators(rng: Random) -> None:
    """Seed what a bot may use besides the generator that it is handed: Python's own, and NumPy's if it is there.

    LAW: `rng` stays as it is, and so do all choices that follow from it.
    """
    copy = Random()
    copy.setstate(rng.getstate())
    random.seed(copy.getrandbits(64))
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(copy.getrandbits(32))


@contextmanager
def undo_mistakes() -> Iterator[None]:
    """What a bot in this process may do to it by mistake ends with its call.

    A copy of this process that it forked off is not to go on with our matches.
    """
    owner, limit = os.getpid(), sys.getrecursionlimit()
    try:
        yield
    finally:
        if os.getpid() != owner:
            _END_PROCESS(0)
        if sys.getrecursionlimit() != limit:
            sys.setrecursionlimit(limit)


_END_PROCESS = os._exit


def load_module(spec: str, path: str) -> ModuleType:
    """The module in the file; raises UsageError if it cannot be loaded."""
    if not os.path.isfile(path):
        raise UsageError(f"{spec}: there is no file {path}")
    folder = os.path.dirname(os.path.realpath(path))
    loaded, loader = _prepare_module(f"bot {os.path.join(folder, os.path.basename(path)).removesuffix('.py')}", path)
    _share_rule_books(folder)
    sys.path.insert(0, folder)  # a bot may have modules of its own beside it
    writing, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # leave no `__pycache__` in its folder
    try:
        with undo_mistakes():
            loader.exec_module(loaded)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        here = os.path.realpath(path)
        lines = [each.lineno for each in innermost_frames(error) if os.path.realpath(each.filename) == here]
        where = f" (line {lines[-1]})" if lines else ""
        raise UsageError(f"{spec}: the file cannot be loaded: {type(error).__name__}: {error}{where}") from None
    finally:
        sys.dont_write_bytecode = writing
        sys.path.remove(folder)
        _forget_modules(folder)
    return loaded


def _prepare_module(name: str, path: str) -> tuple[ModuleType, SourceFileLoader]:
    """An empty module for what is in the file, among those that are known, and what fills it.

    It is what `importlib.util` does, in less time.
    """
    made, loader = ModuleType(name), SourceFileLoader(name, path)
    made.__file__, made.__loader__, made.__spec__ = path, loader, ModuleSpec(name, loader, origin=path)
    sys.modules[name] = made
    return made, loader


def _share_rule_books(folder: str) -> None:
    """Let a bot that lies beside the file of a game import it by the name of the file: it is the same module.

    A second one would have types of its own, of which no action is legal.  It is forgotten with the bot's own modules.
    """
    for name, known in list(sys.modules.items()):
        file = getattr(known, "__file__", None)
        if name.startswith(RULE_BOOKS) and file and os.path.dirname(file) == folder:
            sys.modules.setdefault(name.removeprefix(RULE_BOOKS), known)


def _forget_modules(folder: str) -> None:
    """Let the next bot import its own modules, though they may have the same names.

    The rule book may lie beside them.
    """
    for name, known in list(sys.modules.items()):
        file = getattr(known, "__file__", None)
        if file and os.path.dirname(file) == folder and not name.startswith(("bot ", RULE_BOOKS)):
            del sys.modules[name]


RULE_BOOKS = "fairplay_files."
"""What the names of modules begin with that are games in files; see `game_files`, which takes too long to import."""


def find_bot(spec: str, loaded: ModuleType, name: str) -> Bot:
    """The function or class that plays; raises UsageError if it is not clear which.

    Without a name: the function `choose`, else the only class that has such a method, else the only function.
    """
    own = {key: value for key, value in vars(loaded).items() if _is_public(key, value, loaded)}
    functions = [key for key, value in own.items() if isinstance(value, FunctionType)]
    classes = [key for key, value in own.items() if _is_class(value) and hasattr(value, "choose")]
    wanted = name or pick_name(functions, classes)
    chosen: Bot | None = vars(loaded).get(wanted)
    if not callable(chosen):
        there = f"it has {', '.join(functions + classes)}" if functions + classes else "it has no functions"
        hint = "" if name else "; say which one: FILE.py:NAME"
        raise UsageError(f"{spec}: no function '{wanted}' in the file; {there}{hint}")
    if (flaw := find_flaw(chosen, wanted)) is not None:
        raise UsageError(f"{spec}: {flaw}")
    return chosen


def _is_public(name: str, value: object, loaded: ModuleType) -> bool:
    """Is this one of the file's own public functions and classes?"""
    return getattr(value, "__module__", None) == loaded.__name__ and not name.startswith("_")


def pick_name(functions: list[str], classes: list[str]) -> str:
    """The name of what plays if nobody said which."""
    if "choose" in functions or len(classes) > 1:
        return "choose"
    if classes:
        return classes[0]
    return functions[0] if len(functions) == 1 else "choose"
