"""What a match was worth to each seat."""

from collections.abc import Mapping

from fairplay.core import Score, Seat

REMOVED = -1.0
"""What a seat gets that is removed, at once; the others play on."""


def share_rewards(scores: Mapping[Seat, Score], seats: int) -> list[float]:
    """From -1 to 1 by shared rank: the seats behind less the seats ahead, divided by the number of all others.

    These are the points of a tournament on another scale.  Seats without a score come last, all of them equal.  The sum
    is 0.  A seat that was removed got -1 instead: with one such seat the sum stays 0, for it is last anyway; with more
    of them it is negative, because each is treated as the only last one.

    >>> share_rewards({Seat(0): (30,), Seat(1): (41,), Seat(2): (30,)}, 3)
    [-0.5, 1.0, -0.5]
    """
    ranked = [scores.get(Seat(seat), ()) for seat in range(seats)]  # nothing is below every score
    return [sum((other < own) - (other > own) for other in ranked) / (seats - 1) for own in ranked]
