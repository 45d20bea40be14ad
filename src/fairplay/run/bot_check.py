"""Is a bot ready to play?  Whole matches against house players, and what to fix if it fails.

What is wrong is said in the language of what is checked: a function or class in a Python file, or a program.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from types import ModuleType
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from fairplay import game_files
from fairplay.contest.contest import Contest, Hidden, Kinds
from fairplay.contest.specs import BotFileSpec, HouseSpec, ProgramSpec, is_connection, is_process, parse_spec
from fairplay.core import AnyGame, Fault, FaultKind, House, Misbehaved, Player, SeatInfo, SetupError, Turn, UsageError
from fairplay.core.chance import below, derived, derived_seed
from fairplay.kernels.code import has_compiler
from fairplay.match.driver import describe_seat
from fairplay.match.players import house_strategy, thinks_by_time, with_little_work
from fairplay.match.protocol import EVERY_GAME, Hello, find_refusal
from fairplay.match.replay import start_match
from fairplay.run.bots import pick_name
from fairplay.run.entrants import hide_entrants, seat_entrant
from fairplay.run.inline import play_inline
from fairplay.run.isolation.program import Program
from fairplay.run.isolation.sandbox import find_level

Start = Callable[[AnyGame, Random, SeatInfo], Program]
"""Starts the program for one match of a game."""

_MOST_MATCHES = 25

NEAR = 0.5
"""Of what is allowed: a bot that takes more is warned, because another machine may be slower."""

_HINTS = {
    FaultKind.ILLEGAL: 'say "legal": true in your hello, and every question lists what you may answer',
    FaultKind.MALFORMED: "compare the line with docs/protocols/native.md; one JSON value a line, nothing else",
    FaultKind.TIMED_OUT: "reply to every tell and ask before its deadline, and flush standard output after each line",
    FaultKind.CRASHED: "run it by hand, give it the lines of a transcript, and read its standard error",
    FaultKind.GONE: "keep standard input and output open until the line with bye",
    FaultKind.EXCEEDED: "stay below the limits on memory, CPU time, processes, files and output",
}
"""For programs."""

_PYTHON_HINTS = {
    FaultKind.ILLEGAL: "return one of legal_actions(view), from {rules}",
    FaultKind.MALFORMED: "return an action, such as one of legal_actions(view), from {rules}",
    FaultKind.TIMED_OUT: "answer sooner: look less far ahead, or watch the clock",
    FaultKind.CRASHED: "correct that line; in a debugger: fairplay play {game} {player} random --trust --patience 3600",
    FaultKind.GONE: "leave the process and its standard output open",
    FaultKind.EXCEEDED: _HINTS[FaultKind.EXCEEDED],
}
"""For functions and classes in Python files."""


class Check(Struct, frozen=True):
    """One line of the checklist: what was checked, what was seen, and what to fix if it failed."""

    check: str
    passed: bool
    seen: str = ""
    fix: str = ""
    warning: str = ""  # it passed, but only just


class CheckReport(Struct, frozen=True):
    """The whole checklist."""

    player: str
    name: str | None
    games: tuple[str, ...]  # those that were played
    items: tuple[Check, ...]
    stderr: str  # of the match that failed, else of the last one

    @property
    def ready(self) -> bool:
        return all(item.passed for item in self.items)


def check_bot(
    player: str, start: Start, games: Mapping[str, AnyGame], positions: int, seed: int, setup: object = None
) -> CheckReport:
    """Start the program, and let it answer in at least `positions` positions of each of `games` that it claims.

    It plays with this `setup`; None: all variants that it claims, in turn.
    """
    some = next(iter(games.values()))
    first = start(some, derived(seed, "hello"), describe_seat(some, setup))
    try:
        first.greet()
    except Misbehaved as misbehaved:
        if first.talk.hello is None:
            return CheckReport(player, None, (), (_failed_start(player, misbehaved.fault),), _read_stderr(first))
    finally:
        first.close()
    assert first.talk.hello is not None
    hello = first.talk.hello
    name = hello.name
    about = _describe_file(player) or f"{name}, plays {_describe_claim(hello)}"
    items = [Check(_start_check(player), True, about), _check_start_time(first), _check_level(first)]
    setups = {name: _list_setups(game, hello, setup) for name, game in games.items()}
    known = tuple(name for name in games if setups[name])
    if not known:
        seen = f"it claims {_describe_claim(hello)}, and none of {', '.join(games)} as it is played here"
        items.append(Check("plays a game that is here", False, seen, "name the games you play in your hello"))
    stderr = ""
    for game in known:
        items += (trial := GameCheck(player, games[game], setups[game], start, positions, seed)).items()
        stderr = trial.stderr
        if not items[-1].passed:
            break
    return CheckReport(player, name, known, tuple(items), stderr)


def _list_setups(game: AnyGame, hello: Hello, setup: object) -> list[Any]:
    """The setups that a program is tried with: those that it claims to play."""
    wanted = [*game.variants.values()] if setup is None else [setup]
    return [each for each in wanted if find_refusal(hello, game, each) is None]


def _describe_claim(hello: Hello) -> str:
    """What a program says that it plays."""
    variants = {} if hello.variants is UNSET else hello.variants
    everything = ["every other game" if variants else "every game"]
    named = [*hello.games] if EVERY_GAME not in hello.games else [*variants, *everything]
    return ", ".join(f"{'/'.join(variants.get(game, ()))} {game}".lstrip() for game in named)


def _check_start_time(program: Program) -> Check:
    """How long it took to load."""
    allowed = program.limits.start
    seen = f"after {program.start_seconds:.2f} s of {allowed:g} s, {program.start_cpu:.2f} s of them CPU time"
    near = program.start_seconds > NEAR * allowed
    return Check("starts in time", True, seen, warning="load less, or later: another machine may be slower" * near)


def _check_level(program: Program) -> Check:
    """At which level the program runs here, and why at no better one."""
    assert program.child is not None
    reason = f": {find_level().reason}" if find_level().reason else ""
    return Check("runs in its own process", True, f"level {program.child.level}{reason}")


def try_players(game: AnyGame, contest: Contest, hidden: Hidden = Hidden(), kinds: Kinds = Kinds()) -> None:
    """Seat every entrant of a contest once, and start bot files and programs as they will play; raises UsageError.

    Those who signed up over a network are left out.  `hidden` is not shown to the others.
    """
    setup = msgspec.json.decode(contest.setup, type=game.setup)
    hidden, info = hide_entrants(contest, hidden), describe_seat(game, setup)
    seats = len(contest.entrants) if contest.format == "series" else contest.options.get("size", game.seats[0])
    for spec in dict.fromkeys(entrant.spec for entrant in contest.entrants):
        if is_connection(spec):
            continue
        seating = seat_entrant(game, spec, contest.patience, hidden, kinds)
        if is_process(spec):
            _compile_early(game, setup, spec, seats)
            _try_start(spec, seating, info)


def _compile_early(game: AnyGame, setup: object, spec: str, seats: int) -> None:
    """EFFECT: compiles a house player that searches: in a process of its own, its time would be up before that."""
    house = parse_spec(spec)
    if not isinstance(house, HouseSpec) or house.name not in game.players.strategies:
        return
    if not thinks_by_time(game, house.name) or not has_compiler():
        return
    quick = with_little_work(game, house.name)
    players = [House(house_strategy(game, quick, Random(seat))) for seat in range(seats)]
    with suppress(SetupError):  # which is told when the contest begins
        play_inline(start_match(game, setup, 0, seats), players)


def _try_start(spec: str, seating: Callable[[Random, SeatInfo | None], object], info: SeatInfo | None = None) -> None:
    """Start a bot file or program once, as it will play; raises UsageError if it cannot be started, or not play."""
    player = seating(Random(0), info)
    assert isinstance(player, Program)
    try:
        player.greet()
    except Misbehaved as misbehaved:
        raise UsageError(_describe_start(spec, misbehaved.fault)) from None
    finally:
        player.close()


def _failed_start(player: str, fault: Fault) -> Check:
    """A player that does not even say hello; what is wrong with a bot file is said in its own words."""
    if "\nError: " not in fault.detail:
        return Check(_start_check(player), False, f"{fault.kind}: {fault.detail}", _HINTS[fault.kind])
    seen = _describe_start(player, fault)
    bot = parse_spec(player)
    more = ""
    if isinstance(bot, BotFileSpec) and "cannot be loaded" in seen:
        more = f"; `python {bot.path}` shows where Python stumbles"
    return Check(_start_check(player), False, seen, f"correct the file{more}")


def _start_check(player: str) -> str:
    """What is checked first."""
    return "can be loaded" if _is_python(player) else "starts and says hello"


def _is_python(player: str) -> bool:
    """Is it a function or class in a Python file?"""
    return isinstance(parse_spec(player), BotFileSpec)


def _describe_file(player: str) -> str:
    """The function or class of a Python file that plays, in words; empty if that is not one."""
    bot = parse_spec(player)
    if not isinstance(bot, BotFileSpec):
        return ""
    body = ast.parse(Path(bot.path).read_bytes()).body
    functions = [node.name for node in body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    classes = [node.name for node in body if isinstance(node, ast.ClassDef) and _has_choose(node)]
    chosen = bot.function or pick_name(functions, classes)
    return f"the {'class' if chosen in classes else 'function'} {chosen}"


def _has_choose(node: ast.ClassDef) -> bool:
    """Has a class a method `choose` of its own?"""
    return any(isinstance(each, ast.FunctionDef) and each.name == "choose" for each in node.body)


def _describe_start(text: str, fault: Fault) -> str:
    """Why a bot file cannot be started: in its own words if it has some."""
    _, found, words = fault.detail.rpartition("\nError: ")
    if not found:
        is_program = isinstance(parse_spec(text), ProgramSpec)
        return f"{text}: {'' if is_program else 'it cannot be started: '}{fault.detail}"
    spec = parse_spec(text)
    path = Path(spec.path if isinstance(spec, BotFileSpec) else text)
    missing = MISSING.search(words)
    if missing is not None and any((path.parent / f"{missing[1]}{end}").exists() for end in ("", ".py")):
        return words + _NOT_SHOWN
    return words + _SPEAKS_ITSELF.format(path=path) if _speaks_protocol(path) else words


def _speaks_protocol(path: Path) -> bool:
    """Does a Python file look like a program that says hello by itself?"""
    try:
        return HELLO.search(path.read_text("utf-8")) is not None
    except (OSError, UnicodeDecodeError):
        return False


HELLO = re.compile(r"""["']hello["']""")
_SPEAKS_ITSELF = "; if it speaks the native protocol by itself: 'cmd:python3 {path}'"


MISSING = re.compile(r"No module named '(\w+)")

_NOT_SHOWN = (
    "; it lies beside the bot, but is not shown to it, because other bots, or too much else, lie in the same folder: "
    "put each bot into a folder of its own"
)


class GameCheck:
    """Matches of one game, until the program has answered often enough or failed."""

    def __init__(
        self, player: str, game: AnyGame, setups: Sequence[Any], start: Start, positions: int, seed: int
    ) -> None:
        self.player, self.game, self.setups = player, game, setups
        self.start, self.positions, self.seed = start, positions, seed
        self.answered = self.matches = 0
        self.times: list[float] = []  # of all answers, in seconds
        self.patience = 0.0
        self.stderr = ""

    def items(self) -> Iterator[Check]:
        """Stops at the first failure: what comes after it would only repeat it."""
        name = self.game.name
        while self.answered < self.positions and self.matches < _MOST_MATCHES:
            fault, status = self.played()
            if fault is not None:
                check = "answers in time" if fault.kind is FaultKind.TIMED_OUT else "answers legally"
                where = f"match {self.matches}, after {self.answered} answers: "
                yield Check(f"{name}: {check}", False, where + self.describe_fault(fault), self.hint(fault))
                return
            if status != 0:
                seen = "it was still there" if status is None else f"it ended with status {status}"
                yield self.answers()
                yield Check(f"{name}: ends by itself", False, f"after bye {seen}", "end with status 0 after bye")
                return
        yield self.answers()
        yield self.check_time()
        yield Check(f"{name}: ends by itself", True, "after bye, with status 0")

    def describe_fault(self, fault: Fault) -> str:
        """The fault in the words of its author; a bot in Python has raised something."""
        _, found, raised = fault.detail.partition("the last lines of its standard error:\n")
        return f"{fault.kind}: {raised if found and _is_python(self.player) else fault.detail}"

    def hint(self, fault: Fault) -> str:
        rules, name = self.game.rules, self.game.name
        module = rules.__name__ if isinstance(rules, ModuleType) else f"the rules of {name}"
        if (file := game_files.taken_files().get(name)) is not None:
            module = file.module
        hints = _PYTHON_HINTS if _is_python(self.player) else _HINTS
        return hints[fault.kind].format(rules=module, game=game_files.word_for(name), player=self.player)

    def check_time(self) -> Check:
        """How long its answers took."""
        slowest, allowed = max(self.times, default=0.0), self.patience
        middle = median(self.times) if self.times else 0.0
        seen = f"median {middle * 1000:.1f} ms, slowest {slowest * 1000:.1f} ms, of {allowed:g} s" + _CHARGED
        near = "the slowest comes near the limit, and another machine may be slower" * (slowest > NEAR * allowed)
        return Check(f"{self.game.name}: answers in time", True, seen, warning=near)

    def answers(self) -> Check:
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        return Check(f"{self.game.name}: answers legally", True, f"{self.answered} positions in {matches}")

    def played(self) -> tuple[Fault | None, int | None]:
        """One more match: the fault of the program, and how it ended."""
        game, seed = self.game, derived_seed(self.seed, self.game.name, self.matches)
        rng = derived(seed, "table")
        seats = game.seats[0] + self.matches % 2 if len(game.seats) > 1 else game.seats[0]
        mine = below(rng, seats)
        setup = self.setups[self.matches % len(self.setups)]
        program = self.start(game, derived(seed, "player", mine), describe_seat(game, setup, mine, seats))
        self.patience = program.patience
        _time_answers(program, self.times)
        players = line_up(game, program, seats, mine, seed)
        turns: list[Any] = []
        try:
            outcome = play_inline(start_match(game, setup, seed, seats), players, (turns.append,))
            status = program.bye(outcome)
        finally:
            program.close()
        self.matches += 1
        self.answered += sum(isinstance(event, Turn) and event.seat == mine for event in turns)
        self.stderr = _read_stderr(program)
        return outcome.faults[mine], status


_CHARGED = ", without waiting for the processor"


def _time_answers(program: Program, times: list[float]) -> None:
    """EFFECT: puts the seconds that the program is charged for each of its answers into `times`."""
    choose = program.choose

    def timed(view: object) -> object:
        before = program.seconds
        try:
            return choose(view)
        finally:
            times.append(program.seconds - before)

    program.choose = timed  # type: ignore[method-assign]  # of this program alone


def line_up(game: AnyGame, program: Player, seats: int, mine: int, seed: int) -> Sequence[Player]:
    """The program on its seat, random house players on the others."""
    rivals: list[Player] = [
        House(house_strategy(game, "random", derived(seed, "rival", seat))) for seat in range(seats - 1)
    ]
    return [*rivals[:mine], program, *rivals[mine:]]


def _read_stderr(program: Program) -> str:
    """What a program wrote to its standard error."""
    return "" if program.usage is None else program.usage.stderr
