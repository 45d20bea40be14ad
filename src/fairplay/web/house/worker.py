"""A process in which house players think, of one question after the other.

It is handed a view and hands back an action, or a record and hands back the next turns of its review.
"""

import os
import pickle
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from random import Random
from threading import Lock
from time import monotonic, process_time
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from fairplay.catalog import GAMES, built_in_games
from fairplay.core import AnyGame, Fault, FaultKind, Seat, Seen, Strategy, UsageError
from fairplay.core.thinking import Clock, Thinker
from fairplay.kernels.code import has_compiler
from fairplay.kernels.progress import seconds_compiling
from fairplay.match.calls import call_player
from fairplay.match.players import WORK, describe_house, house_strategy
from fairplay.match.record import read_record
from fairplay.match.review.analysis import ReviewedTurn, analyse_record
from fairplay.match.review.hints import find_owner, give_hint
from fairplay.match.review.walk import default_reviewer, draw_chance, make_thinker
from fairplay.run.engines.pool import prepare_worker
from fairplay.run.house_players import resolve_player
from fairplay.run.processes import forkserver_context

ATTEMPTS = 2
"""How often a question is asked whose process dies."""

REVIEW_SLICE = 0.25
"""CPU seconds after which a review lets others have the process."""

WORK_SHARE = 4
"""A review thinks of a turn with this part of what the player searches otherwise: some hundredths of a second."""

FORKS = forkserver_context()
FORKS.set_forkserver_preload([__name__, *(f"fairplay.games.{name}" for name in built_in_games())])


class HouseQuestion(Struct, frozen=True):
    """What a house player is asked, with all that it goes by, so that any process can answer it."""

    game: str
    player: str
    rng: Random  # its generator, where its last answer left it
    view: Any
    past: tuple[Any, ...] = ()  # all that it saw (`Seen`) and was asked before, if it has memory
    again: bool = False  # the server was started again, and its generator is new: it lives through the past
    took: tuple[float, ...] = ()  # CPU seconds that its last answers took, up to two of them


class ReviewQuestion(Struct, frozen=True):
    """What a house player thinks of the turns of a match, from one of them on."""

    game: str
    player: str
    record: bytes
    rngs: tuple[Random, ...]  # of its thinkers by seat, where the last answer left them
    first: int = 1


class HintQuestion(Struct, frozen=True):
    """What a house player would do in somebody's place, and why."""

    game: str
    player: str
    view: Any
    past: tuple[Any, ...] = ()  # all that the seat saw (`Seen`) and was asked before


class HintReply(Struct, frozen=True):
    """An action, and what the house player thinks of it, if it can say so."""

    action: Any
    value: float | None = None  # the share of the win that it expects
    reason: str = ""


class ReviewPart(Struct, frozen=True):
    """The next turns of a review, and where it goes on."""

    turns: tuple[ReviewedTurn, ...]
    rngs: tuple[Random, ...]
    next: int | None  # the first turn that is left; None: the review is complete


class HouseReply(Struct, frozen=True):
    """An action or a part of a review, or a fault; the CPU seconds that it took; and the generator after that."""

    action: Any
    cpu: float
    rng: Random | None = None
    remembers: bool = False  # it has memory: the next question must carry what it saw and was asked


AnyQuestion: TypeAlias = HouseQuestion | ReviewQuestion | HintQuestion


class ThinkingProcess:
    """A process that is started when it is first asked something, and again when it has died."""

    def __init__(self, niceness: int) -> None:
        """`niceness`: how far it stands back when others want the processor too."""
        self._niceness = niceness
        self._process: ForkServerProcess | None = None
        self._pipe: Connection | None = None
        self._closed = False
        self._lock = Lock()  # no process is started once this is closed

    def ask(self, question: AnyQuestion, seconds: float) -> HouseReply:
        """The answer; a fault if there is none within `seconds`.  ASSUME one thread calls this at a time."""
        packed = pickle.dumps((question.game, pickle.dumps(question)))
        for _ in range(ATTEMPTS):
            try:
                pipe = self._pipe or self._start()
                pipe.send_bytes(packed)
                if not pipe.poll(seconds):
                    self._stop()
                    late = Fault(FaultKind.TIMED_OUT, f"the house player {question.player} thought for {seconds:g} s")
                    return HouseReply(late, seconds)
                reply: HouseReply = pickle.loads(pipe.recv_bytes())
                return reply
            except (EOFError, OSError):
                self._stop()
        return HouseReply(Fault(FaultKind.CRASHED, f"the house player {question.player} ended its process"), seconds)

    def close(self) -> None:
        """End the process, whatever it is doing; a question that it was asked is not answered."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def _start(self) -> Connection:
        with self._lock:
            if self._closed:
                raise EOFError
            self._pipe, theirs = FORKS.Pipe()
            self._process = FORKS.Process(
                target=answer_questions, args=(theirs, self._niceness), name="house players", daemon=True
            )
            self._process.start()
            theirs.close()
            return self._pipe

    def _stop(self) -> None:
        with self._lock:
            if self._process is not None and self._pipe is not None:
                self._pipe.close()
                self._process.kill()
                self._process.join()
                self._process.close()
            self._process = self._pipe = None


# -- in the other process ----------------------------------------------------------------------


def answer_questions(pipe: Connection, niceness: int) -> None:
    """Answer until there are no more questions; ends with the process that started this one."""
    prepare_worker()
    os.nice(niceness)
    while True:
        try:
            game, packed = pickle.loads(pipe.recv_bytes())
            GAMES.get(game)  # before the question is read: types that are derived are there once the game is loaded
            question: AnyQuestion = pickle.loads(packed)
            pipe.send_bytes(pickle.dumps(answer(question)))
        except (EOFError, OSError):
            return


def answer(question: AnyQuestion, cpu_clock: Clock = process_time) -> HouseReply:
    """What the house player does or thinks.  `cpu_clock`: the CPU seconds of all that is done for it."""
    started = cpu_clock() - seconds_compiling()  # nobody pays for what is done once
    if isinstance(question, ReviewQuestion):
        reply = HouseReply(call_player(review_part, question), 0.0)
    elif isinstance(question, HintQuestion):
        reply = HouseReply(call_player(find_hint, question), 0.0)
    else:
        reply = choose_action(question)
    return replace(reply, cpu=max(0.0, cpu_clock() - seconds_compiling() - started))


def choose_action(question: HouseQuestion) -> HouseReply:
    """What the house player does."""
    strategy = house_strategy(GAMES[question.game], question.player, question.rng, monotonic)
    action = call_player(partial(choose_like_before, strategy), question)
    return HouseReply(action, 0.0, question.rng, hasattr(strategy, "saw"))


def choose_like_before(strategy: Strategy[Any, Any], question: HouseQuestion) -> Any:
    """What a strategy chooses that was told and asked all that lies in the past."""
    see = getattr(strategy, "saw", None)
    look = strategy if question.again else getattr(strategy, "look", None)
    for earlier in question.past:
        take_in = see if type(earlier) is Seen else look
        if take_in is not None:
            take_in(earlier)
    return strategy(question.view)


def find_hint(question: HintQuestion) -> HintReply:
    """What the house player would do; one that can say what it thinks says so."""
    game = GAMES[question.game]

    def make(seat: Seat) -> Thinker:
        thinker = make_thinker(game, question.player, seat)
        for each in question.past:
            (thinker.saw if type(each) is Seen else thinker.look)(each)
        return thinker

    seat = find_owner(game, question.view)
    try:
        thought = give_hint(game, question.view, make).thought
    except UsageError:  # it cannot
        return HintReply(house_strategy(game, question.player, draw_chance(seat), monotonic)(question.view))
    values = thought.candidates[0].values
    return HintReply(thought.action, values[seat] if values else None, thought.reason)


def review_part(question: ReviewQuestion) -> ReviewPart:
    """As many turns of a review as a slice of time allows, at least one."""
    game, record = GAMES[question.game], read_record(question.record.splitlines(keepends=True))
    thinkers = [make_thinker(game, question.player, Seat(seat), rng=rng) for seat, rng in enumerate(question.rngs)]
    turns, end = list[ReviewedTurn](), process_time() + REVIEW_SLICE
    for turn in analyse_record(game, record, thinkers, question.first):
        turns.append(turn)
        if process_time() >= end:
            return ReviewPart(tuple(turns), question.rngs, turn.number + 1)
    return ReviewPart(tuple(turns), question.rngs, None)


def choose_reviewer(game: AnyGame, setup: Any) -> str:
    """The house player that reviews matches with this setup, with little work; raises UsageError if there is none."""
    name = default_reviewer(game)
    make_thinker(game, name, Seat(0))
    if game.parts.kernel is not None and not has_compiler():
        raise UsageError("on this server a review would take too long; its owner can change that: pip install numba")
    options = describe_house(game, name, 0).options
    works = [f"{name}:{work}={int(options[work]) // WORK_SHARE}" for work in WORK if work in options]
    return resolve_player(game, setup, next(iter(works), name))


def describe_reviewer(game: AnyGame, spec: str) -> str:
    """A house player that reviews matches, and how much it searches, in words."""
    house = describe_house(game, spec, 0)
    work = next((f" with {house.options[name]:,} {name} a turn" for name in WORK if name in house.options), "")
    return f"{house.strategy}{work}"
