"""Drive a referee: the one place where its orders are carried out.

Players that answer at once, players that are awaited, and the replies of a stored record all come this way.  What
differs is only who steps through `drive`: `run/inline.py` in one go, `run/awaited.py` in an event loop, and
`match/replay.py` when a record is replayed.
"""

from collections.abc import Callable, Generator
from types import CoroutineType
from typing import Any

from fairplay.core import Outcome
from fairplay.match.referee import Orders, Report


def drive(
    orders: Orders, answer: Callable[[Any], Any], witness: Callable[[Any], object] | None = None
) -> Generator[Any, Any, Outcome]:
    """Carry `orders` out, each with the reply that `answer` gives to it; the outcome.

    Yields every event of the match, and every reply that is a coroutine: the caller awaits it and sends
    back what it came to.  A `witness` is shown every report before that.
    """
    reply: Any = None
    while True:
        try:
            order = orders.send(reply)
        except StopIteration as done:
            outcome: Outcome = done.value
            return outcome
        if type(order) is Report:
            if witness is not None:
                try:
                    witness(order)
                except Exception as error:  # the rule book says what others may know of it
                    orders.throw(error)
            yield order.event
            reply = None
            continue
        reply = answer(order)
        if type(reply) is CoroutineType:
            reply = yield reply
