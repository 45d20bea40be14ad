"""A person who plays at this terminal: shows what the seat may know, and asks for actions in the game's notation.

Moves may also come from a file or a pipe, one a line; lines that begin with # are skipped.
"""

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from itertools import islice
from random import Random
from typing import Any, TextIO

import click
import msgspec

from fairplay.contest.contest import Kinds
from fairplay.contest.specs import PERSON, PersonSpec
from fairplay.core import (
    AnyEvent,
    AnyGame,
    Befell,
    Fault,
    FaultKind,
    Misbehaved,
    NotationError,
    Player,
    Seat,
    SeatInfo,
    Seen,
    Turn,
    UsageError,
)
from fairplay.core.game import is_over, let_chance_fall
from fairplay.core.names import escape_controls
from fairplay.core.thinking import Thinker
from fairplay.match.driver import describe_chance
from fairplay.match.referee import decode_action, judge
from fairplay.match.review.hints import give_hint
from fairplay.match.review.walk import default_reviewer, make_thinker
from fairplay.report.reviews import describe_hint
from fairplay.run.entrants import Seating, seat_entrant
from fairplay.run.house_players import resolve_player
from fairplay.run.inline import call_in_time

PAGE = 60
"""Actions that are listed at a time."""

_MOST_SEARCHED = 20_000
"""Actions that are looked through: some games have more than anybody can list."""

CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""Empties the screen, and what can be scrolled back to."""


class Terminal:
    """Where people play: the screen and the keyboard of this process, or a script of moves."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.names: dict[Seat, str] = {}  # of the people
        self.patience: float | None = None
        self.hidden = False  # people here must not see each other's secrets
        self.last: Seat | None = None  # who sat here last
        self.given: str | None = None  # a line that was read to see whether there are any

    def open(self, names: dict[Seat, str], patience: float | None, *, hidden: bool) -> None:
        """Prepare for these people; raises UsageError if nobody can answer."""
        self._clear()  # there is one terminal, and many matches in a process
        self.names, self.patience, self.hidden = names, patience, hidden and len(names) > 1
        if not sys.stdin.isatty():
            self.given = sys.stdin.readline()
            if not self.given:
                raise UsageError("human: a person needs a terminal, or moves on standard input, one a line")

    @property
    def interactive(self) -> bool:
        """Is there a person at a screen, not a script?"""
        return sys.stdin.isatty() and sys.__stdout__ is not None and sys.__stdout__.isatty()

    @property
    def screen(self) -> TextIO:
        """What people read: the terminal, else standard error, because the result goes to standard output."""
        return sys.__stdout__ if self.interactive and sys.__stdout__ else sys.stderr

    def say(self, text: str, **style: Any) -> None:
        """EFFECT: prints text that may come from strangers."""
        click.secho(escape_controls(text, keep="\n\t"), file=self.screen, **style)

    def ask(self, prompt: str) -> str:
        """The next line, without spaces around it; raises EOFError at the end of the input."""
        if self.interactive:
            with suppress(ImportError):
                import readline  # noqa: F401 - makes `input` a line editor with a history
            with redirect_stdout(self.screen):  # elsewhere `input` would do without its line editor
                return input(prompt).strip()
        while True:
            line, self.given = sys.stdin.readline() if self.given is None else self.given, None
            if not line:
                raise EOFError
            if not line.startswith("#"):
                self.say(f"{prompt}{line.strip()}")
                return line.strip()

    def end_match(self, number: int, winners: str) -> None:
        """Say how a match of several ended, if people play."""
        if self.names:
            self.say(f"Match {number + 1} is over: {winners} won.", bold=True)

    def hand_over(self, seat: Seat) -> None:
        """Hide what the one before has seen, and wait for the one who is next."""
        if self.hidden and self.last != seat and self.interactive:
            click.echo(CLEAR, file=self.screen, nl=False, color=True)
            self.ask(f"{self.names[seat]}, it is your turn. Press Enter when nobody else looks. ")
        self.last = seat


TERMINAL = Terminal()


class Person:
    """Somebody at the terminal, on one seat in one match."""

    def __init__(self, game: AnyGame, seat: Seat, terminal: Terminal) -> None:
        self.game, self.seat, self.terminal = game, seat, terminal
        self.events: list[AnyEvent] = []  # since the last question
        self.listed: Iterator[str] = iter(())  # the legal actions that were not shown yet
        self.past: list[object] = []  # everything that this seat saw, views too, for hints

    def choose(self, view: object) -> object:
        """Ask until there is a legal action; raises Misbehaved if the person resigns."""
        self.past.append(view)
        seconds = self.terminal.patience
        try:
            return self._answer(view) if seconds is None else call_in_time(self._answer, view, seconds)
        except EOFError:
            self.terminal.say("")
            raise _resignation() from None

    def hear(self, news: object) -> None:
        """The next view says it."""

    def saw(self, seen: Seen) -> None:
        """Keep it for hints."""
        self.past.append(seen)

    def watch(self, event: AnyEvent) -> None:
        """Keep what happens until the next question; show how the match ends."""
        self.events.append(event)
        if is_over(self.game, event.after) and self.seat == min(self.terminal.names):
            self._show_events()
            self.terminal.say(f"\n{self.game.words.board(event.after)}\n")

    def _show_events(self) -> None:
        words = self.game.words
        for event in self.events:
            if isinstance(event, Turn):
                self.terminal.say(f"  {words.describe_turn(event, self.seat)}")
            elif isinstance(event, Befell):
                self.terminal.say(f"  {describe_chance(self.game, event)}")
            else:
                self.terminal.say(f"  {words.seat_name(event.seat)} is removed: {event.fault.kind}")
        self.events.clear()

    def _answer(self, view: object) -> object:
        self.terminal.hand_over(self.seat)
        self._show_events()
        self._show_board(view)
        while True:
            said = self.terminal.ask(f"{self.game.words.seat_name(self.seat)}, your action (? for help): ")
            command, _, rest = said.partition(" ")
            if command in COMMANDS:
                COMMANDS[command](self, view, rest.strip())
            elif said and (action := self._read_action(view, said)) is not None:
                return action

    def _read_action(self, view: object, text: str) -> object:
        """The legal action that `text` names; None, and the reason on the screen, if there is none."""
        try:
            action = self.game.notation.parse_action(text, view)
        except (NotationError, msgspec.ValidationError) as error:
            self.terminal.say(f"{error}. ? shows examples.", fg="red")
            return None
        judged = judge(self.game, view, decode_action(self.game, action))
        if isinstance(judged, Fault):
            self.terminal.say(f"You cannot do {judged.detail}. l lists what you can do.", fg="red")
            return None
        return judged

    # -- commands ------------------------------------------------------------------------------

    def _show_board(self, view: object, rest: str = "") -> None:
        self.terminal.say("")
        for line in self.game.words.board(view).splitlines():
            self.terminal.say(line, bold=line.startswith(">"))  # that is who has to move
        self.terminal.say("")

    def _show_help(self, view: object, rest: str) -> None:
        actions = self.game.rules.legal_actions(view)
        spread = [actions[at] for at in dict.fromkeys((0, _bounded_length(actions) // 2, _bounded_length(actions) - 1))]
        examples = ", ".join(f"'{self.game.notation.format_action(action)}'" for action in spread)
        self.terminal.say(f"Type an action, such as {examples}, or\n{_HELP}")

    def _list_actions(self, view: object, rest: str) -> None:
        """List legal actions: all, or those that begin with `rest`, or else have it in them."""
        actions = self.game.rules.legal_actions(view)
        texts = [self.game.notation.format_action(action) for action in islice(actions, _MOST_SEARCHED)]
        fitting = [text for text in texts if text.lower().startswith(rest.lower())]
        fitting = fitting or [text for text in texts if rest.lower() in text.lower()]
        count = f"{len(fitting)}" if len(texts) < _MOST_SEARCHED else f"at least {len(fitting)}"
        self.terminal.say(f"{count} legal action{'' if len(fitting) == 1 else 's'}{f' with {rest!r}' if rest else ''}:")
        self.listed = iter(fitting)
        self._list_more(view, "")

    def _list_more(self, view: object, rest: str) -> None:
        page = [*islice(self.listed, PAGE)]
        self.terminal.say(_arrange_columns(page) or "  (no more)")
        if len(page) == PAGE:
            self.terminal.say("m shows more, l TEXT those that begin with TEXT", dim=True)

    def _give_hint(self, view: object, rest: str) -> None:
        """Say what the house would do, from what this seat may know."""
        try:
            spec = resolve_player(self.game, view, default_reviewer(self.game))  # a view says its variant
            hint = give_hint(self.game, view, lambda seat: self._make_thinker(spec, seat))
        except UsageError as error:
            self.terminal.say(f"{error}.", fg="red")
            return
        for line in describe_hint(self.game, hint, most=1):
            self.terminal.say(line)

    def _make_thinker(self, spec: str, seat: Seat) -> Thinker:
        thinker = make_thinker(self.game, spec, seat)
        for each in self.past:
            if isinstance(each, Seen):
                thinker.saw(each)
            else:
                thinker.look(each)
        return thinker

    def _resign(self, view: object, rest: str) -> None:
        if not self.terminal.interactive or self.terminal.ask("Resign? [y/N] ").lower() in ("y", "yes"):
            raise _resignation()


_HELP = """\
  l          list the legal actions
  l TEXT     list those that begin with TEXT, or have it in them
  b          show the board again
  hint       say what a house player would do
  q, Ctrl-D  resign: the others play on without you
  Ctrl-C     stop the match; it is not finished"""

COMMANDS: dict[str, Callable[[Person, object, str], None]] = {
    "?": Person._show_help,
    "help": Person._show_help,
    "l": Person._list_actions,
    "m": Person._list_more,
    "b": Person._show_board,
    "hint": Person._give_hint,
    "q": Person._resign,
}


def _resignation() -> Misbehaved:
    """What is raised for a person who gives up; the record says it."""
    return Misbehaved(Fault(FaultKind.GONE, "resigned"))


def _bounded_length(actions: Sequence[object]) -> int:
    """How many there are, as far as Python counts."""
    try:
        return len(actions)
    except OverflowError:
        return sys.maxsize


def _arrange_columns(texts: Sequence[str]) -> str:
    """Short texts side by side, as many as the terminal has room for."""
    if not texts:
        return ""
    width = max(map(len, texts)) + 2
    columns = max(1, (min(shutil.get_terminal_size().columns, 100) - 2) // width)
    rows = [texts[start : start + columns] for start in range(0, len(texts), columns)]
    return "\n".join("  " + "".join(f"{text:{width}}" for text in row).rstrip() for row in rows)


def _seat_person(game: AnyGame, rest: str, patience: float | None) -> Seating:
    """How to seat the person of ``human:SEAT``; raises UsageError if none sits at this terminal."""
    if rest not in map(str, TERMINAL.names):
        return seat_entrant(game, str(PersonSpec(rest)))  # which says where people play

    def seat(rng: Random, info: SeatInfo | None = None) -> Player:
        return Person(game, Seat(int(rest)), TERMINAL)

    return seat


TERMINAL_KINDS = Kinds({PERSON: f"{__name__}:{_seat_person.__name__}"})
"""What seats people at this terminal."""


def seat_people(
    game: AnyGame, state: object, specs: Sequence[str], names: Sequence[str], patience: float | None
) -> list[str]:
    """The specs with the seat of each person, and the terminal ready for them; raises UsageError.

    `state` is one that the game begins with.
    """
    people = {Seat(seat): names[seat] for seat, spec in enumerate(specs) if spec == PERSON}
    TERMINAL.names = people
    if people:
        TERMINAL.open(people, patience, hidden=hides_something(game, state))
    return [str(PersonSpec(str(seat))) if seat in people else spec for seat, spec in enumerate(specs)]


def hides_something(game: AnyGame, state: object) -> bool:
    """Does a seat not know everything?  Then it imagines other states than the one there is."""
    rules = game.rules
    state = let_chance_fall(game, state, Random(0))
    mover = rules.to_move(state)
    return mover is None or any(rules.imagine(rules.view(state, mover), Random(chance)) != state for chance in range(5))
