"""Where the points of Trains come from: connections, the longest path, destinations (Trains 5)."""

from collections.abc import Mapping, Sequence

from fairplay.core import ScoreLines, Seat
from fairplay.games.trains.deal import remaining_seats
from fairplay.games.trains.map import Destination, bits
from fairplay.games.trains.paths import are_joined, longest_path
from fairplay.games.trains.state import State, View

PATH_BONUS = 20
DESTINATION_BONUS = 10


def add_up_points(state: State) -> Mapping[Seat, int]:
    """The points of every seat that was never removed, if the match were over."""
    bonus = _path_bonuses(state)
    return {
        seat: _segment_points(state, seat)
        + bonus[seat]
        + sum(_destination_points(state, seat, state.destinations[seat]))
        for seat in bonus
    }


def count_own_points(view: View) -> int:
    """The points of the owner of a view, if the match were over."""
    own = _segment_points(view, view.me) + sum(_destination_points(view, view.me, view.destinations))
    return own + _path_bonuses(view).get(view.me, 0)


def score_lines(state: State) -> Mapping[Seat, ScoreLines]:
    """For every seat that was never removed, how many points it has for what."""
    lines = {}
    for seat, bonus in _path_bonuses(state).items():
        joined, missed = _destination_points(state, seat, state.destinations[seat])
        lines[seat] = (
            ("connections", _segment_points(state, seat)),
            ("longest path", bonus),
            ("destinations joined", joined),
            ("destinations missed", missed),
        )
    return lines


def _path_bonuses(shown: State | View) -> Mapping[Seat, int]:
    """What each seat gets for the longest path of all; several may share it (Trains 5.3)."""
    paths = {seat: longest_path(shown.network, shown.owned[seat]) for seat in remaining_seats(shown)}
    longest = max(paths.values(), default=0)
    return {seat: PATH_BONUS if path == longest > 0 else 0 for seat, path in paths.items()}


def _segment_points(shown: State | View, seat: Seat) -> int:
    """One point for each segment (Trains 5.2)."""
    return sum([shown.network.lengths[index] for index in bits(shown.owned[seat])])


def _destination_points(shown: State | View, seat: Seat, destinations: Sequence[Destination]) -> tuple[int, int]:
    """The points for destinations that are joined, and those off for the others (Trains 5.4)."""
    joined = sum([are_joined(shown.network, shown.owned[seat], pair) for pair in destinations])
    return DESTINATION_BONUS * joined, -DESTINATION_BONUS * (len(destinations) - joined)
