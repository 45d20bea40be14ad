"""Bot files: a function from view to action, or a class with memory, in somebody's Python file."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, SourceFileLoader
from random import Random
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from fairplay.core import Player, SeatInfo, UsageError
from fairplay.match.calls import innermost_frames
from fairplay.run.bots import Bot, find_flaw, is_class, make_bot, wants_turns

if TYPE_CHECKING:
    from fairplay.core import AnyGame

T = TypeVar("T")


def seat_bot_file(game: AnyGame, path: str, name: str = "", patience: float | None = None) -> TrustedSeating:
    """How to seat the function or class `name` of a file; raises UsageError if it cannot be loaded.

    The file is loaded once, and each answer is due within `patience` seconds.
    """
    spec = describe_player(path, name)
    return TrustedSeating(game, find_bot(spec, load_module(spec, path), name), patience)


def describe_player(path: str, name: str) -> str:
    """What messages call a bot: its file, with its name if it has one; without a file, the name alone."""
    return ":".join(filter(None, (path, name)))


class TrustedSeating:
    """How to seat a function or a class in this process."""

    def __init__(self, game: AnyGame, bot: Bot, patience: float | None = None) -> None:
        """Each answer is due within `patience` seconds.  Raises UsageError if that is not a bot."""
        if (flaw := find_flaw(bot)) is not None:
            raise UsageError(flaw)
        self.game, self.bot, self.patience = game, bot, patience

    @property
    def wants_turns(self) -> bool:
        """Is the bot to be told of every turn?"""
        return wants_turns(self.bot)

    def __call__(self, rng: Random, info: SeatInfo | None = None, /) -> Player:
        from fairplay.match.driver import describe_seat  # here: a bot in a process of its own does not need these,
        from fairplay.run.inline import WithDeadline  # and is to start soon

        seed_generators(rng)
        player = make_bot(self.bot, rng, call_carefully, copy_value(info or describe_seat(self.game)))
        return player if self.patience is None else WithDeadline(player, self.patience)


def call_carefully(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a bot in this process with copies: whatever it does to what it is shown, the referee's own stays."""
    copies = copy_value(arguments)
    with undo_mistakes():
        return call(*copies, **options)


def copy_value(value: T) -> T:
    """Another value that is equal, all the way down."""
    import pickle

    copy: T = pickle.loads(pickle.dumps(value))
    return copy


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
            END_PROCESS(0)
        if sys.getrecursionlimit() != limit:
            sys.setrecursionlimit(limit)


END_PROCESS = os._exit


def load_module(spec: str, path: str) -> ModuleType:
    """The module in the file; raises UsageError if it cannot be loaded."""
    if not os.path.isfile(path):
        raise UsageError(f"{spec}: there is no file {path}")
    folder = os.path.dirname(os.path.realpath(path))
    loaded = prepare_module(f"bot {os.path.join(folder, os.path.basename(path)).removesuffix('.py')}", path)
    sys.path.insert(0, folder)  # a bot may have modules of its own beside it
    writing, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # leave no `__pycache__` in its folder
    try:
        with undo_mistakes():
            loaded.__loader__.exec_module(loaded)  # type: ignore[union-attr]  # it was set just before
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
        forget_modules(folder)
    return loaded


def prepare_module(name: str, path: str) -> ModuleType:
    """An empty module for what is in the file, among those that are known: what `importlib.util` does, in less time."""
    made, loader = ModuleType(name), SourceFileLoader(name, path)
    made.__file__, made.__loader__, made.__spec__ = path, loader, ModuleSpec(name, loader, origin=path)
    sys.modules[name] = made
    return made


def forget_modules(folder: str) -> None:
    """Let the next bot import its own modules, though they may have the same names."""
    for name, known in list(sys.modules.items()):
        file = getattr(known, "__file__", None)
        if file and os.path.dirname(file) == folder and not name.startswith("bot "):
            del sys.modules[name]


def find_bot(spec: str, loaded: ModuleType, name: str) -> Bot:
    """The function or class that plays; raises UsageError if it is not clear which.

    Without a name: the function `choose`, else the only class that has such a method, else the only function.
    """
    own = {key: value for key, value in vars(loaded).items() if is_public(key, value, loaded)}
    functions = [key for key, value in own.items() if isinstance(value, FunctionType)]
    classes = [key for key, value in own.items() if is_class(value) and hasattr(value, "choose")]
    wanted = name or pick_name(functions, classes)
    chosen: Bot | None = vars(loaded).get(wanted)
    if not callable(chosen):
        there = f"it has {', '.join(functions + classes)}" if functions + classes else "it has no functions"
        hint = "" if name else "; say which one: FILE.py:NAME"
        raise UsageError(f"{spec}: no function '{wanted}' in the file; {there}{hint}")
    if (flaw := find_flaw(chosen, wanted)) is not None:
        raise UsageError(f"{spec}: {flaw}")
    return chosen


def is_public(name: str, value: object, loaded: ModuleType) -> bool:
    """Is this one of the file's own public functions and classes?"""
    return getattr(value, "__module__", None) == loaded.__name__ and not name.startswith("_")


def pick_name(functions: list[str], classes: list[str]) -> str:
    """The name of what plays if nobody said which."""
    if "choose" in functions or len(classes) > 1:
        return "choose"
    if classes:
        return classes[0]
    return functions[0] if len(functions) == 1 else "choose"
