"""Where the points of Fish come from, and how they grow."""

from collections import Counter
from collections.abc import Iterator, Mapping

from fairplay.core import ScoreLines, Seat
from fairplay.core.immutable import bits
from fairplay.games.fish.rules import remaining_seats
from fairplay.games.fish.state import State


def progress(state: State) -> Mapping[Seat, int]:
    """The fish of every seat that is still in."""
    return {seat: state.fish[seat] for seat in remaining_seats(state)}


def score_lines(state: State) -> Mapping[Seat, ScoreLines]:
    """The tiles that every seat still in has collected, the richest first."""
    return {seat: tuple(list_tiles(state, seat)) for seat in remaining_seats(state)}


def list_tiles(state: State, seat: Seat) -> Iterator[tuple[str, int]]:
    """Count the collected tiles of a seat by their fish."""
    counts = Counter(state.board.fish[cell] for cell in bits(state.collected[seat]))
    for fish, count in sorted(counts.items(), reverse=True):
        yield f"{count} tile{'s' if count > 1 else ''} with {fish} fish", count * fish
    rest = state.fish[seat] - sum(fish * count for fish, count in counts.items())
    if rest:  # a position that was set up need not say which tiles they came from
        yield "from before this position", rest
