"""Settings for every test, and what is said at the end of a run."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Generator, Iterator
from functools import wraps
from itertools import count
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import Any

import pytest
from coverage import Coverage
from hypothesis import HealthCheck, settings

import kit  # noqa: F401 - the laws are told where the kits of Fairplay's own games are
from fairplay.catalog import GAMES
from fairplay.core import AnyGame
from fairplay.run.isolation.process_tree import find_by_environment, signal_all
from fairplay.run.isolation.sandbox import find_level
from faulty_games import CHANCE_PATHS, CHANCE_TOYS, installed
from thorough import find_reason, is_left_out

pytest_plugins = ["fairplay.testing.plugin"]

quiet: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.differing_executors],
}
settings.register_profile("quick", max_examples=5, **quiet)
settings.register_profile("usual", max_examples=25, **quiet)
settings.register_profile("deep", max_examples=2_000, **quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))

TESTS = Path(__file__).parent

MARK = "FAIRPLAY_TEST_RUN"
"""A variable that every process of a run inherits, wherever it puts itself."""

MEASURED = 6
"""Examples of a law whose lines are noted: all others run the same lines, and noting them takes twice their time."""

LEFT_BEHIND = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a run in the background, whose children would ignore it too
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        os.environ[MARK] = token_hex(8)


@pytest.fixture(autouse=True, scope="session")
def _find_level() -> None:
    """What this machine can do is found out once in a process: before a test changes what is looked for."""
    find_level()


@pytest.fixture
def faulty_games() -> Iterator[None]:
    """Games whose rule books fail, beside the others."""
    with installed():
        yield


@pytest.fixture(scope="module")
def pig() -> Iterator[AnyGame]:
    """A game with chance after the deal, beside the others."""
    with installed(CHANCE_TOYS / "installed", CHANCE_PATHS):
        yield GAMES["pig"]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no module whose tests are all left out: with what it needs, each worker would spend seconds on it."""
    path = collection_path.relative_to(TESTS).as_posix() if collection_path.is_relative_to(TESTS) else ""
    return True if config.getoption("markexpr") == "not thorough" and is_left_out(path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make test` leaves out."""
    for item in items:
        if (reason := find_reason(item.nodeid.removeprefix("tests/"))) is not None:
            item.add_marker(pytest.mark.thorough(reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Measure the coverage of the first examples of a law alone."""
    found = getattr(getattr(item, "obj", None), "hypothesis", None)
    measuring = Coverage.current()
    if found is None or measuring is None:
        yield
        return
    law, examples = found.inner_test, count(1)

    @wraps(law)
    def measured(*arguments: Any, **named: Any) -> Any:
        if next(examples) == MEASURED + 1:
            measuring.stop()
        return law(*arguments, **named)

    found.inner_test = measured
    try:
        yield
    finally:
        found.inner_test = law
        if next(examples) > MEASURED + 1:
            measuring.start()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """After the workers have ended and before the summary: fail where a process is still there, and kill it."""
    yield
    if hasattr(session.config, "workerinput"):
        return
    found = left_behind(seconds=60)
    if found:
        session.config.stash[LEFT_BEHIND] = [describe(process) for process in found]
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        signal_all(found, signal.SIGKILL)


def left_behind(seconds: float) -> list[int]:
    """The processes of this run that do not end within so many seconds."""
    end = monotonic() + seconds
    while found := [one for one in find_by_environment(f"{MARK}={os.environ[MARK]}") if not ends_with_us(one)]:
        if monotonic() > end:
            break
        sleep(0.1)
    return found


def ends_with_us(process: int) -> bool:
    """Is it this process, or a helper that multiprocessing keeps for as long as this process runs?"""
    return process == os.getpid() or "from multiprocessing." in describe(process)


def describe(process: int) -> str:
    """Its number and its command line."""
    try:
        words = Path("/proc", str(process), "cmdline").read_bytes().split(b"\0")
    except OSError:
        return f"{process}: it has just ended"
    return f"{process}: {b' '.join(words).decode(errors='replace')}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say once why tests were skipped, each reason with the number of tests, and what was left behind."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    if reasons:
        terminalreporter.section("skipped", "-")
        for reason, count in reasons.most_common():
            terminalreporter.line(f"{count:4} {'test' if count == 1 else 'tests'}: {reason}")
    if left := config.stash.get(LEFT_BEHIND, []):
        terminalreporter.section("processes that the tests left behind", "-", red=True)
        for line in left:
            terminalreporter.line(line)
