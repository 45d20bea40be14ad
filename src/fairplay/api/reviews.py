"""What a house player thinks of a match, or of a position."""

from pathlib import Path
from time import monotonic
from typing import Any

from fairplay.api.games import AnyPosition, Position
from fairplay.api.matches import AnyMatch, PlayedMatch, replay, write_file
from fairplay.core import AnyGame, Picture, Seat, UsageError
from fairplay.core.names import escape_controls
from fairplay.core.thinking import Candidate, Thinker
from fairplay.match.review.analysis import Analysis, ReviewedTurn, SeatSummary, analyse_record, sum_up
from fairplay.match.review.hints import Hint, describe_action, give_hint, give_hint_in
from fairplay.match.review.walk import default_reviewer, make_thinker, seat_thinkers
from fairplay.report.match_page import render_match
from fairplay.report.reviews import describe_hint, describe_summary, label_seats, list_turns, review_chart, style_lines
from fairplay.run.house_players import resolve_player


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
        return escape_controls("\n".join([*list_turns(game, self.turns), "", table]), keep="\n")

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
    return MatchReview(chosen, sum_up(record, by, list(analyse_record(game, record, thinkers)), len(chosen.events)))


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
