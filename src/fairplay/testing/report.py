"""The laws tried on one game, and what its author is told: the law, what it means, the shortest counterexample.

It needs pytest and hypothesis, which the extra `laws` brings.
"""

from __future__ import annotations

import linecache
import os
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import FrameSummary, extract_tb
from typing import Any

import msgspec
import pytest
from hypothesis import settings

import fairplay
from fairplay.core import AnyEvent, AnyGame, Befell, Removed, UsageError
from fairplay.core.names import suggest_name
from fairplay.match.driver import describe_chance
from fairplay.report.json_output.catalog import BrokenLaw, CounterMatch, LawsDocument
from fairplay.testing.walks import WATCHED, WatchedMatch

Note = Callable[[str], object]
"""Is told the name of every law before it is tried."""

_ENDLESS = "random play ends and keeps the invariant"
"""A law without which others would never be done."""

_LONGEST_PROBLEM = 1_000
"""Characters of an error that are quoted."""


def try_laws(name: str, seed: int, only: str = "", note: Note = str) -> LawsDocument:
    """Try all laws on a game, or those whose name contains `only`; raises UsageError if there is none.

    EFFECT: changes the profile of hypothesis and variables of pytest; it is meant for a process of its own.
    """
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for variable in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(variable, None)
    recorder = _LawRecorder(only, note)
    with TemporaryDirectory() as scratch:  # what hypothesis keeps must not lie where the author works
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = scratch
        code = pytest.main(_list_arguments(name, seed), plugins=[recorder])
    if code == pytest.ExitCode.INTERRUPTED and not recorder.stopped:
        raise KeyboardInterrupt
    if not recorder.names:
        raise UsageError(f"there is no law '{only}'{suggest_name(only, recorder.unwanted)}")
    return recorder.conclude(name, seed)


def _list_arguments(name: str, seed: int) -> list[str]:
    """What pytest is told: nothing of where it runs makes a difference."""
    plugins = ["no:terminal", "no:cacheprovider", "_hypothesis_pytestplugin", "fairplay.testing.plugin"]
    laws = Path(__file__).with_name("laws")
    where = [f"--rootdir={laws}", "-c", os.devnull, "--noconftest", "--import-mode=importlib"]
    flags = [flag for plugin in plugins for flag in ("-p", plugin)]
    return [*flags, *where, f"--hypothesis-seed={seed}", "--laws-of", name, str(laws / "rules.py")]


class _LawRecorder:
    """A plugin of pytest that takes down how each law fares; a law may be tried in several tests."""

    def __init__(self, only: str, note: Note) -> None:
        self.only, self.note = only, note
        self.names: dict[str, None] = {}  # of the laws that are tried, in this order
        self.unwanted: list[str] = []
        self.broken: dict[str, BrokenLaw] = {}
        self.skipped: dict[str, str] = {}
        self.stopped = False

    def pytest_sessionstart(self) -> None:
        """Keep no database: what was found before must not come without its seed."""
        settings.register_profile("fairplay-laws-alone", settings.get_profile("fairplay-laws"), database=None)
        settings.load_profile("fairplay-laws-alone")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        wanted = [item for item in items if self.only in _name_law(item)]
        self.unwanted = [_name_law(item) for item in items]
        self.names = dict.fromkeys(_name_law(item) for item in wanted)
        items[:] = wanted

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        self.note(_name_law(item))
        WATCHED.clear()
        with _each_example_watched(item):
            yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        law = _name_law(item)
        if report.skipped:
            self.skipped[law] = str(call.excinfo.value) if call.excinfo else ""
        elif report.failed and call.excinfo is not None:
            self.broken.setdefault(law, _describe_breach(item, call.excinfo.value))
            if law == _ENDLESS:
                self.stopped = True
                item.session.shouldstop = "matches do not end"
        return report

    def conclude(self, name: str, seed: int) -> LawsDocument:
        if self.stopped:
            tried = [*self.names].index(_ENDLESS)
            self.skipped |= dict.fromkeys([*self.names][tried + 1 :], "matches do not end")
        kept = tuple(law for law in self.names if law not in self.broken and law not in self.skipped)
        skipped = {law: why for law, why in self.skipped.items() if law not in self.broken}
        return LawsDocument(name, seed, kept, tuple(self.broken.values()), skipped)


def _name_law(item: pytest.Item) -> str:
    """The name of a test function as a sentence."""
    return getattr(item, "originalname", item.name).removeprefix("test_").replace("_", " ")


@contextmanager
def _each_example_watched(item: pytest.Item) -> Iterator[None]:
    """Forget the matches of one example of a law before the next, so that those of the last example stay."""
    found = getattr(getattr(item, "obj", None), "hypothesis", None)
    if found is None:
        yield
        return
    law = found.inner_test

    @wraps(law)
    def watched(*arguments: Any, **named: Any) -> Any:
        WATCHED.clear()
        return law(*arguments, **named)

    found.inner_test = watched
    try:
        yield
    finally:
        found.inner_test = law


# -- a counterexample --------------------------------------------------------------------------


def _describe_breach(item: pytest.Item, error: BaseException) -> BrokenLaw:
    law: Any = getattr(item, "function", None)
    problem, place = describe_error(error)
    return BrokenLaw(
        _name_law(item),
        " ".join((law.__doc__ or "").split()),
        problem,
        place,
        tuple(_describe_match(match) for match in WATCHED),
        _list_given(item, error),
    )


def describe_error(error: BaseException) -> tuple[str, str]:
    """What went wrong, and the innermost line of the game, or of its kit, that it came through; empty if there is none.

    Of an assertion in a law, the line itself is quoted, then what it found.
    """
    if isinstance(error, BaseExceptionGroup):  # hypothesis tried it again, and it went another way
        problem, place = describe_error(error.exceptions[0])
        return f"{problem}\nnot every time: something is drawn that does not come from the seed", place
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _is_machinery(frame.filename)]
    place = f"{Path(own[-1].filename).name}:{own[-1].lineno} in {own[-1].name}" if own else ""
    words = str(error)
    if not isinstance(error, AssertionError | pytest.fail.Exception):
        words = f"{type(error).__name__}: {words}"
    elif not own or own[-1] is not frames[-1]:
        lines = [_quote_assertion(frames), *words.partition("\n +")[0].splitlines()]
        place, words = "", "\n".join(line for line in lines if line.strip() and "Use -v" not in line)
    return words if len(words) <= _LONGEST_PROBLEM else f"{words[:_LONGEST_PROBLEM]} ...", place


def _is_machinery(file: str) -> bool:
    """Is it a file of Fairplay, but of none of its games, or of what the laws need?"""
    ours = Path(fairplay.__file__).parent
    path = Path(file)
    needed = {"hypothesis", "_pytest", "pluggy", "pytest", "msgspec", "numpy", "jsonschema", "xml", "json", "asyncio"}
    return (path.is_relative_to(ours) and not path.is_relative_to(ours / "games")) or not needed.isdisjoint(path.parts)


def _quote_assertion(frames: list[FrameSummary]) -> str:
    """The whole statement of the law that failed."""
    laws = [frame for frame in frames if Path(frame.filename).parent.name == "laws"]
    if not laws:
        return ""
    lines = linecache.getlines(laws[-1].filename)[(laws[-1].lineno or 1) - 1 : laws[-1].end_lineno]
    return " ".join(line.strip() for line in lines)


def _describe_match(match: WatchedMatch) -> CounterMatch:
    setup = msgspec.to_builtins(match.table.setup)
    return CounterMatch(
        setup, match.table.seats, match.seed, tuple(_write_event(match.game, each) for each in match.events)
    )


def _write_event(game: AnyGame, event: AnyEvent) -> str:
    """A turn in the notation of the game, which may be what is broken, what befell, or who was thrown out."""
    if isinstance(event, Removed):
        return f"(seat {event.seat} is thrown out)"
    if isinstance(event, Befell):
        return f"({describe_chance(game, event, open=True)})"
    try:
        return game.notation.format_action(event.action)
    except Exception:
        return repr(event.action)


_SHOWN_OTHERWISE = {"name", "data", "seed", "turns", "faults"}


def _list_given(item: pytest.Item, error: BaseException) -> dict[str, str]:
    """What else a law was tried with: its parameters, and what hypothesis drew, as its notes tell it."""
    parameters: dict[str, Any] = getattr(getattr(item, "callspec", None), "params", {})
    notes = "\n".join(getattr(error, "__notes__", ()))
    arguments = dict(re.findall(r"^    (\w+)=(.*),$", notes, re.MULTILINE))
    drawn = re.findall(r"^Draw \d+(?: \(.*\))?: (?!Table\()(.*)$", notes, re.MULTILINE)
    given = {key: str(value) for key, value in parameters.items() if value not in _games_of(item)}
    given |= {key: value for key, value in arguments.items() if key not in _SHOWN_OTHERWISE | {*parameters}}
    return given | ({"drawn": "; ".join(drawn)} if drawn else {})


def _games_of(item: pytest.Item) -> list[str]:
    names: list[str] = item.config.getoption("--laws-of")
    return names
