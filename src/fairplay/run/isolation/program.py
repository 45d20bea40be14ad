"""Players that are programs: any language, over standard input and output, in the native protocol."""

import platform
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from fairplay.core import AnyGame, Fault, FaultKind, Misbehaved, Outcome, SeatInfo, Seen
from fairplay.match.protocol import Conversation, encode_message
from fairplay.match.record import Isolation
from fairplay.run.isolation.child import Child
from fairplay.run.isolation.command import Command
from fairplay.run.isolation.sandbox import ProgramLimits, find_level
from fairplay.run.isolation.timing import WATCHER, Turns


class Usage(Struct, frozen=True):
    """What a program took in one match, for its author and for the organiser."""

    name: str | None  # as it says itself; None: it never did
    sandboxed: bool
    replies: int
    seconds: float  # that it was charged for its replies
    slowest: float  # seconds that it was charged for its slowest reply
    cpu: float  # seconds; more than it was charged: it also works while others are on turn, or on many cores
    memory: int  # bytes, as far as was seen
    stderr: str
    answers: int = 0  # replies to questions
    start: float = 0.0  # seconds of `cpu` before it was asked anything


class Program:
    """A player that is a process of its own; `bye` or `close` ends it, and so does forgetting it."""

    def __init__(
        self,
        game: AnyGame,
        program: Command,
        patience: float,
        limits: ProgramLimits | None = None,
        *,
        level: Isolation | None = None,
        chance: int = 0,
        info: SeatInfo | None = None,
        prologue: bytes = b"",
    ) -> None:
        """EFFECT: starts the process, at the best level that this machine has unless another one is given.

        `prologue` is what it is given to read before all else.
        """
        self.patience, self.limits = patience, limits or ProgramLimits()
        self.talk = Conversation(game, chance, info=info)
        self.prologue = prologue
        self.fault: Fault | None = None
        self.replies, self.seconds, self.slowest = 0, 0.0, 0.0
        self.answers, self.start_cpu, self.start_seconds = 0, 0.0, 0.0
        self.child: Child | None = None
        self._turns: Turns | None = None
        self._before = b""  # a welcome that goes with the first line
        self._seen: list[Seen] = []  # goes with the next line, if it wants to know
        try:
            self.child = start_child(program, self.limits, level)
        except OSError as error:
            self.fault = Fault.of(FaultKind.CRASHED, f"the program cannot be started: {error.strerror or error}")

    def join(self, turns: Turns) -> None:
        """Stand still while others of this match are awaited, as soon as there is anything of its own at work.

        Until it has read its prologue, that is only what an interpreter does to start.
        """
        self._turns = turns
        if self.child is not None and not self.prologue:
            self.child.share(turns)

    def choose(self, view: object) -> object:
        self.answers += 1
        return self._reply(self.talk.ask, view)

    def hear(self, news: object) -> None:
        self._reply(self.talk.tell, news)

    @property
    def saw(self) -> Callable[[Seen], None] | None:
        """Keeps what happened for the next line; None: it does not want to know."""
        return self._seen.append if self.talk.hello is None or self.talk.wants_turns else None

    def _tell_seen(self) -> bytes:
        """The lines with what happened since the last one; ASSUME it has said hello."""
        lines = b"".join(map(encode_message, self._seen)) if self.talk.wants_turns else b""
        self._seen.clear()
        return lines

    def greet(self) -> None:
        """Wait for its hello, and say welcome; raises Misbehaved."""
        if self.fault is not None:
            raise Misbehaved(self.fault)
        try:
            self._greet()
        except Misbehaved as misbehaved:
            self._throw_out(misbehaved.fault)
            raise

    def _greet(self) -> None:
        assert self.child is not None
        if self._turns is not None:
            self.child.share(self._turns)
        hello = self.child.listen(self.limits.start, f"no hello within {self.limits.start:g} s", self.prologue)
        self.start_seconds = self.child.charged
        self.start_cpu = self.child.measure_cpu()
        self._before = self.talk.welcome(hello)

    def _reply(self, spelled: Callable[[Any, float], bytes], subject: object) -> object:
        """Send one line, read one line; a program that breaks the rules of the protocol is ended at once."""
        if self.fault is not None:
            raise Misbehaved(self.fault)
        try:
            if self.talk.hello is None:
                self._greet()
            child = self.child
            assert child is not None
            left = self.limits.bank - self.seconds
            deadline = min(self.patience, left)
            late = f"no answer within {deadline:g} s" if left > self.patience else self._bankrupt()
            line, self._before = self._before + self._tell_seen() + spelled(subject, deadline), b""
            try:
                said = child.exchange(line, deadline, late)
            finally:
                self.seconds += child.charged
                self.slowest = max(self.slowest, child.charged)
            self.replies += 1
            return self.talk.reply(said)
        except Misbehaved as misbehaved:
            if self.prologue and misbehaved.fault.detail.endswith(_NO_ACTION):
                misbehaved = Misbehaved(Fault(FaultKind.MALFORMED, _FORGOTTEN))
            self._throw_out(misbehaved.fault)
            raise misbehaved from None

    def _bankrupt(self) -> str:
        return f"no answer within what was left of its {self.limits.bank:g} s for the whole match"

    def _throw_out(self, fault: Fault) -> None:
        self.fault = fault
        if self.child is not None:
            self.child.end()

    def bye(self, outcome: Outcome) -> int | None:
        """Tell it how the match ended, if it was never thrown out, and let it end by itself for a moment.

        Its exit status, negative for a signal; None if it did not end by itself.
        """
        status = None
        if self.child is not None and self.fault is None and self.talk.hello is not None:
            self.child.cpu = self.child.measure_cpu()  # what it takes now, because later nobody can tell
            self.child.say_last(self._tell_seen() + self.talk.bye(outcome))
            self.child.wait(self.limits.parting)
            status = self.child.status
        self.close()
        return status

    def kill(self) -> None:
        """Kill it while another thread may wait for its reply, which gets a fault; ASSUME `close` is called later."""
        if self.child is not None:
            self.child.kill()

    def close(self) -> None:
        """End it, and everything it started."""
        if self.child is not None:
            self.child.end()

    @property
    def usage(self) -> Usage | None:
        """What it took so far; None if it never started."""
        if self.child is None:
            return None
        hello, child = self.talk.hello, self.child
        name = None if hello is None else hello.name
        return Usage(
            name,
            child.sandboxed,
            self.replies,
            self.seconds,
            self.slowest,
            child.cpu,
            child.resident,
            child.stderr,
            self.answers,
            self.start_cpu,
        )


_NO_ACTION = "got null at $.action"
_FORGOTTEN = "choose returned None; did you forget `return`?"
"""What that means in a Python file, where nobody writes JSON."""


def start_child(program: Command, limits: ProgramLimits, level: Isolation | None = None) -> Child:
    """EFFECT: starts a program, at the best level that this machine has unless another one is given."""
    if platform.system() != "Linux":
        from fairplay.run.isolation.child import PlainChild

        return PlainChild(program, limits)
    from fairplay.run.isolation.linux_child import LinuxChild  # of modules that no other system has

    return LinuxChild(program, limits, level or find_level().level)


def share_turns(players: Iterable[object]) -> Turns | None:
    """Let the programs among these players of one match stand still while others are awaited; None: there are none."""
    programs = [player for player in players if isinstance(player, Program)]
    if not programs:
        return None
    turns = Turns(WATCHER)
    for program in programs:
        program.join(turns)
    return turns


def end_programs(players: Iterable[object], outcome: Outcome | None) -> list[Usage | None]:
    """End the programs among `players`, with the outcome if there is one; returns what each took, by seat."""
    seated = list(players)
    for player in seated:
        if isinstance(player, Program):
            player.close() if outcome is None else player.bye(outcome)
    return [player.usage if isinstance(player, Program) else None for player in seated]
