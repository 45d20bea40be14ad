"""A match that was played: its outcome, its turns, how it looks; and what a house player thinks of it."""

import logging
from collections.abc import Sequence
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any, Generic, TypeAlias, TypeVar, overload

from fairplay.api.contests import PYTHON_KINDS, Players, build_contest, enter_players, hide_store, open_keeper
from fairplay.api.games import AnyLoadedGame, AnyPosition, LoadedGame, Position, load
from fairplay.catalog import find_game
from fairplay.contest.contest import Contest, Hidden, Result
from fairplay.contest.schedule import schedule_of
from fairplay.core import AnyGame, Event, Outcome, Picture, RecordError, RuleBookError, Seat, Turn, UsageError
from fairplay.core.names import escape_controls
from fairplay.core.thinking import Candidate, Thinker
from fairplay.game_files import explain_difference
from fairplay.match.packing import check_signature, unpacked
from fairplay.match.record import Isolation, Record, read_record
from fairplay.match.replay import first_state, replay_record, setup_of
from fairplay.match.review.analysis import Analysis, ReviewedTurn, SeatSummary, analyse_record, number_chance, sum_up
from fairplay.match.review.hints import Hint, describe_action, give_hint, give_hint_in
from fairplay.match.review.walk import default_reviewer, make_thinker, seat_thinkers
from fairplay.report.match_page import frame_page, render_match
from fairplay.report.reviews import describe_hint, describe_summary, label_seats, list_turns, review_chart, style_lines
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Inline
from fairplay.run.house_players import resolve_player
from fairplay.store import STORED, default_url, open_store, read_lines

S = TypeVar("S")  # state
V = TypeVar("V")  # view
A = TypeVar("A")  # action


class PlayedMatch(Generic[S, V, A]):
    """A match that was played, with its record.

    A notebook shows the board with a slider and the list of turns; `print` shows who won and why.

    >>> import fairplay
    >>> match = fairplay.play("fish", ["greedy", "random"], seed=7)
    >>> match
    <PlayedMatch fish: greedy won against random, 52 turns>
    >>> match.turns[0].action
    Place(at=(0, 4))
    """

    def __init__(self, game: LoadedGame[S, V, A, Any], lines: Sequence[bytes]) -> None:
        """Raises RecordError if the lines are not a record."""
        self.game = game
        self.lines = tuple(lines)  # of the record
        self.record: Record = read_record(self.lines)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return self.record.header.players

    @property
    def levels(self) -> tuple[Isolation, ...]:
        """How each player was kept apart, by seat: ``"house"``, ``"trusted"``, ``"sandboxed"`` and so on."""
        house: Isolation = "house"
        return self.record.header.levels or (house,) * len(self.players)

    @property
    def seed(self) -> int:
        """What the match was dealt from."""
        return self.record.header.seed

    @property
    def is_over(self) -> bool:
        """Was it played to its end?  A record may have been cut off."""
        return self.record.outcome is not None

    @property
    def outcome(self) -> Outcome:
        """How it ended: ranking, scores, faults (by seat), ending.  Raises RecordError if it was cut off."""
        if self.record.outcome is None:
            raise RecordError("the match was cut off, so it has no outcome")
        return self.record.outcome

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of those who won: several if they tied, nobody if all were removed."""
        return tuple(self.players[seat] for seat in self.outcome.winners)

    @cached_property
    def start(self) -> Position[S, V, A]:
        """The position before the first turn."""
        return Position(self.game, first_state(self.game.game, self.record))

    @cached_property
    def events(self) -> tuple[Event[S, A], ...]:
        """Everything that happened: turns, removals of players that failed, and what chance brought in between."""
        return tuple(replay_record(self.game.game, self.record))

    @cached_property
    def turns(self) -> tuple[Turn[S, A], ...]:
        """The turns: who (`seat`) did what (`action`), and the state `before` and `after`."""
        return tuple(event for event in self.events if isinstance(event, Turn))

    @cached_property
    def positions(self) -> tuple[Position[S, V, A], ...]:
        """The position before the first event, and after each one."""
        after = (Position(self.game, event.after, event if isinstance(event, Turn) else None) for event in self.events)
        return (self.start, *after)

    def save(self, path: str | Path) -> Path:
        """Write the record, which `fairplay.replay` and ``fairplay replay`` read; whole or not at all."""
        return write_file(Path(path), b"".join(self.lines))

    def to_html(self, path: str | Path) -> Path:
        """Write the match as one HTML file: the board with a slider, the list of turns, the outcome.

        Arrow keys step through it, space plays it.  It needs no server, and shows everything, hidden cards too.
        """
        return write_file(Path(path), self._render().encode())

    def _render(self) -> str:
        return render_match(self.game.game, self.record, self.events)

    def _repr_html_(self) -> str:
        return frame_page(self._render(), repr(self).strip("<>"))

    def __str__(self) -> str:
        if not self.is_over:
            return f"{self.game.name}: {', '.join(self.players)}; the record is cut off after {len(self.turns)} turns"
        width = max(map(len, self.players))
        lines = [self._describe_seat(Seat(seat), width) for seat in range(len(self.players))]
        winners = ", ".join(self.winners) or "nobody"
        return escape_controls("\n".join([*lines, f"{winners} won: {self.outcome.ending}"]), keep="\n")

    def _describe_seat(self, seat: Seat, width: int) -> str:
        outcome, game = self.outcome, self.game.game
        score, fault = outcome.scores[seat], outcome.faults[seat]
        place = next((str(tier + 1) for tier, seats in enumerate(outcome.ranking) if seat in seats), "-")
        removed = f"{fault.kind}: {' '.join(fault.detail.split())}" if fault else "eliminated"
        result = f"{score[0]} {game.unit}" if score else removed
        return f"{place:>2}. {self.players[seat]:{width}}  {game.words.seat_name(seat):8}  {result}"

    def __repr__(self) -> str:
        count = f"{len(self.turns)} turns"
        if not self.is_over:
            return escape_controls(f"<PlayedMatch {self.game.name}: {', '.join(self.players)}, cut off after {count}>")
        losers = [name for seat, name in enumerate(self.players) if seat not in self.outcome.winners]
        against = f" against {', '.join(losers)}" if losers else ""
        return escape_controls(
            f"<PlayedMatch {self.game.name}: {', '.join(self.winners) or 'nobody'} won{against}, {count}>"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlayedMatch) and self.record.fingerprint == other.record.fingerprint

    def __hash__(self) -> int:
        return hash(self.record.fingerprint)


AnyMatch: TypeAlias = PlayedMatch[Any, Any, Any]


@overload
def play(
    game: LoadedGame[S, V, A, Any],
    players: Players,
    *,
    seed: int | None = ...,
    patience: float | None = ...,
    think: float | None = ...,
    ponder: bool = ...,
    trust: bool = ...,
    save: str | Path | None = ...,
    db: str | Path | None = ...,
) -> PlayedMatch[S, V, A]: ...
@overload
def play(
    game: str,
    players: Players,
    *,
    seed: int | None = ...,
    patience: float | None = ...,
    think: float | None = ...,
    ponder: bool = ...,
    trust: bool = ...,
    save: str | Path | None = ...,
    db: str | Path | None = ...,
) -> AnyMatch: ...
def play(
    game: AnyLoadedGame | str,
    players: Players,
    *,
    seed: int | None = None,
    patience: float | None = None,
    think: float | None = None,
    ponder: bool = False,
    trust: bool = False,
    save: str | Path | None = None,
    db: str | Path | None = None,
) -> AnyMatch:
    """Play one match and return it, with its record.

    game: a game as `load` gives it, or its name.
    players: one per seat, in turn order: house players by name (``"greedy"``, ``"minimax:depth=3"``) or level
        (``"easy"``, ``"level-3"``), functions, classes, paths of bot files, or ``"cmd:..."`` for a program.  A
        dictionary names them.
    seed: deals the match; the same seed gives the same match on every machine, if the players depend on nothing else.
        None draws one.  A player that guesses a chosen seed knows what is hidden; the record says that it was chosen.
    patience: seconds that a player has for an answer.  Default: as the rules of the game say.
    think: seconds a move for house players that search.  How far they get depends on the machine: such a match cannot
        be repeated, and its record says so.  Default: they do a fixed amount of work.
    ponder: let bots and programs in processes of their own think while others are to move.  Default: they stand still.
    trust: run bot files in this process: faster, and they can do anything.  Default: isolated, each in a process of its
        own.  Functions and classes always run in this process.
    save: write the record to this file.
    db: keep the match in this store as well, not signed, where ``fairplay replay`` finds it.

    Nothing is written unless asked.

    A player that breaks the rules, crashes or times out is removed, and the others play on: look at
    `match.outcome.faults`.  Away from the main thread, a function that never returns cannot be interrupted.
    Raises SetupError if the game cannot be dealt, UsageError if a player cannot be started, EngineError if the rule
    book of the game fails.

    >>> def first(view):
    ...     return game.legal_actions(view)[0]
    >>> game = load("fish", rows=4, columns=5)
    >>> play(game, ["greedy", first], seed=3).levels
    ('house', 'trusted')
    """
    chosen = load(game) if isinstance(game, str) else game
    with enter_players(players, trust=trust) as entrants:
        hidden = hide_store(db, save)
        contest = build_contest(
            chosen, entrants, "series", {"games": 1}, seed, patience, think=think, ponder=ponder, hidden=hidden
        )
        match = PlayedMatch(chosen, unpacked(_play_contest(chosen.game, contest, db, hidden).record))
    if save is not None:
        match.save(save)
    return match


def _play_contest(game: AnyGame, contest: Contest, db: str | Path | None, hidden: Hidden) -> Result:
    """Play the only match of a contest.  Unless it is kept, it needs no tables, which take longer than the match."""
    engine = Inline(printing=nullcontext, hidden=hidden, kinds=PYTHON_KINDS)
    if db is None:
        (played,) = engine.results(contest, schedule_of(contest, game.seats).next_matches(contest))
        if played.failure is not None:
            raise RuleBookError(played.failure)
        return played
    with open_keeper(contest, db) as keeper:
        (result,) = Competition(game, contest, keeper).results(engine)
    return result


def replay(name: str | Path, *, db: str | Path | None = None) -> AnyMatch:
    """Read a match that was recorded, and play it again by the rules.

    name: the path of a record file, or a match of a store: ``"3/17"`` is match 17 of tournament 3.
    db: the store.  Default: ``FAIRPLAY_DB``, else ``fairplay.db``.

    Raises RecordError if the record was changed or does not follow the rules, UsageError if there is no such match.
    """
    lines = _find_lines(str(name), db)
    try:
        record = read_record(lines)
        check_signature(lines)
        game = find_game(record.header.game)
        if difference := explain_difference(game.name, record.header.rule_book):
            logging.getLogger("fairplay").warning("Warning: %s was %s", name, difference)
        match: AnyMatch = PlayedMatch(LoadedGame(game, setup_of(game, record.header)), lines)
        _ = match.events  # here, so that a record that does not follow the rules is found now
    except RecordError as error:
        raise RecordError(f"{name}: {error}") from None
    return match


def _find_lines(name: str, db: str | Path | None) -> list[bytes]:
    """The lines of a record in a file or a store; raises UsageError if there is none."""
    stored = STORED.fullmatch(name)
    if stored is None or Path(name).is_file():
        return read_lines(Path(name))
    place = str(db or stored["db"] or default_url())
    if "://" not in place and not Path(place).exists():
        raise UsageError(f"there is no store {place}; name it with db=")
    with open_store(place) as store:
        return store.record(int(stored["id"]), int(stored["number"])).splitlines(keepends=True)


def write_file(path: Path, content: bytes) -> Path:
    """EFFECT: writes a file, whole or not at all; its path."""
    draft = path.with_name(f".{path.name}.draft")
    draft.write_bytes(content)
    draft.replace(path)
    return path


# -- what a house player thinks of it, or of a position -----------------------------------------


class MatchReview:
    """A match that a house player has reviewed.

    A notebook draws the share of the win that each player could expect; `print` shows every turn and a table.
    """

    def __init__(self, match: AnyMatch, analysis: Analysis) -> None:
        self.match = match
        self.by = analysis.by  # the house player that reviewed it
        self._analysis = analysis

    @property
    def turns(self) -> tuple[ReviewedTurn, ...]:
        """The turns: who (`seat`) did what (`action`), its `loss`, its `mark`, and what was `best` instead."""
        return self._analysis.turns

    @property
    def players(self) -> dict[str, SeatSummary]:
        """How well each player played, by its name and seat: its average loss, and how many turns are marked."""
        return dict(zip(label_seats(self.match.game.game, self.match.players), self._analysis.seats, strict=True))

    @property
    def turning_point(self) -> ReviewedTurn | None:
        """The turn that cost most; None if no turn is marked."""
        return next((turn for turn in self.turns if turn.number == self._analysis.turning_point), None)

    def draw(self) -> Picture:
        """Draw the share of the win that each player could expect, turn by turn, as SVG."""
        game, players = self.match.game.game, self.match.players
        return review_chart(self._analysis, label_seats(game, players), style_lines(game, len(players)))

    def to_html(self, path: str | Path) -> Path:
        """Write the match as one HTML file, with the graph, and what would have been better."""
        match = self.match
        return write_file(
            Path(path), render_match(match.game.game, match.record, match.events, self._analysis).encode()
        )

    def __str__(self) -> str:
        game = self.match.game.game
        table = describe_summary(game, self._analysis, self.match.players)
        return escape_controls("\n".join([*list_turns(game, self.turns, self._analysis.luck), "", table]), keep="\n")

    def __repr__(self) -> str:
        marked = sum(bool(turn.mark) for turn in self.turns)
        return escape_controls(
            f"<MatchReview {self.match.game.name} by {self.by}: {len(self.turns)} turns, {marked} of them marked>"
        )

    def _repr_svg_(self) -> str:
        return str(self.draw())


class Advice:
    """What a house player would do, and what else it thought of; `print` says it in words."""

    def __init__(self, game: AnyGame, given: Hint) -> None:
        self.seat = given.seat  # whose turn it is
        self._game, self._hint = game, given

    @property
    def action(self) -> Any:
        """What it would do."""
        return self._hint.thought.action

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All that it thought of, best first: `action`, `values` (the share of the win by seat), `line`, `work`."""
        return self._hint.thought.candidates

    @property
    def value(self) -> float:
        """The share of the win that the player can expect, from 0 to 1."""
        return self.candidates[0].values[self.seat]

    @property
    def words(self) -> str:
        """The action as a sentence."""
        return describe_action(self._game, self._hint.view, self.seat, self.action)

    def __str__(self) -> str:
        return "\n".join(describe_hint(self._game, self._hint))

    def __repr__(self) -> str:
        return f"<Advice {self._game.notation.format_action(self.action)}, {self.value:.0%}>"


def analyse(match: AnyMatch | str | Path, *, by: str | None = None) -> MatchReview:
    """Review a match: what each turn was worth, what it cost, and what was better.

    match: a match as `play` and `replay` give it, or what `replay` takes.
    by: the house player that reviews it, or a level.  Default: the one that the game names.
        Before each turn, it knows what the seat to move could know.

    Raises UsageError if that player cannot say what it thinks, RecordError as `replay` does.
    """
    chosen = match if isinstance(match, PlayedMatch) else replay(match)
    game, record = chosen.game.game, chosen.record
    by = resolve_player(game, chosen.game.setup, by or default_reviewer(game))
    thinkers = seat_thinkers(game, by, len(chosen.players), monotonic)
    turns, events = list(analyse_record(game, record, thinkers)), chosen.events
    return MatchReview(chosen, sum_up(record, by, turns, len(events), number_chance(events)))


def hint(shown: AnyPosition | AnyMatch, *, turn: int | None = None, by: str | None = None) -> Advice:
    """Ask a house player what it would do.  It looks at what the seat whose turn it is may know, and at nothing else.

    shown: a position, or a match.
    turn: of a match, the turn that is to be taken, from 1.  Default: the last.
    by: the house player.  Default: the one that the game names.

    Raises UsageError if the match is over, or if that player cannot say what it thinks.
    """
    game = shown.game.game
    spec = resolve_player(game, shown.game.setup, by or default_reviewer(game))

    def make(seat: Seat) -> Thinker:
        return make_thinker(game, spec, seat, monotonic)

    if not isinstance(shown, Position):
        return Advice(game, give_hint_in(game, shown.record, turn, make))
    if turn is not None:
        raise UsageError("turn: works with a match; a position is one moment already")
    return Advice(game, give_hint(game, shown.view(), make))
