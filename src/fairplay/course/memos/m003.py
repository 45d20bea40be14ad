"""Memo 003: a queue of goals for Labyrinth, kept by the state and never seen by the referee.

The queue itself is `State.queue`; the rules that hand out its goals are in the game, in `goals`.
"""

from collections.abc import Mapping

from fairplay.core import Seat
from fairplay.games.labyrinth import goals
from fairplay.games.labyrinth.goals import Assignment
from fairplay.games.labyrinth.state import State, Target


def next_goal(state: State, seat: Seat) -> Assignment:
    """The goal that the state provides next for a player: the front of the queue, or its home; raises ValueError."""
    return goals.next_goal(state, check_active_player(state, seat))


def arrived(state: State, seat: Seat) -> State:
    """The state after a player reached its goal: the goal is recorded and the next one assigned; raises ValueError."""
    if check_active_player(state, seat) in state.homeward:
        raise ValueError(f"player {seat} is on its way home, which does not count as a goal")
    return goals.give_next_goal(state, seat)


def reached(state: State) -> Mapping[str, frozenset[Target]]:
    """For each colour the set of goals its player has reached; home at the end does not count.

    A removed player has lost its goals (Labyrinth 6.4) and keeps an empty set.  A given state may have players of
    equal colour (12.2): the later ones get a number, as in ``red``, ``red 2``, ``red 3``.
    """
    sets: dict[str, frozenset[Target]] = {}
    for color, found in zip(state.colors, state.found, strict=True):
        name, number = color, 1
        while name in sets or (number > 1 and name in state.colors):
            number += 1
            name = f"{color} {number}"
        sets[name] = frozenset(found)
    return sets


def treasures(state: State, seat: Seat) -> int:
    """How many goals a player has reached, one for each arrival; raises ValueError."""
    return len(state.found[check_player(state, seat)])


def distance(state: State, seat: Seat) -> int:
    """The squared Euclidean distance of a player to its next goal; raises ValueError."""
    if isinstance(state.targets[check_active_player(state, seat)], str):
        raise ValueError(f"player {seat} looks for a treasure, which moves with its tile: it has no distance")
    return goals.distance(state, seat)


def winners(state: State) -> tuple[Seat, ...]:
    """Most goals, then the player who came home, then the nearest to the next goal; all equal ones (Labyrinth 5.2)."""
    scores = goals.scores(state)
    best = max(scores.values(), default=())
    return tuple(seat for seat, score in scores.items() if score == best)


def check_player(state: State, seat: Seat) -> Seat:
    """`seat` if it is one of this match, removed or not; raises ValueError."""
    if type(seat) is not int or not 0 <= seat < len(state.colors):
        raise ValueError(f"there is no player {seat!r}: the players are 0 to {len(state.colors) - 1}")
    return seat


def check_active_player(state: State, seat: Seat) -> Seat:
    """`seat` if it is still in the match; raises ValueError."""
    if check_player(state, seat) not in state.seats:
        raise ValueError(f"player {seat} has been removed")
    return seat
