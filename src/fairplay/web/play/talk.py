"""What people at a table tell each other without words of their own: offers to stop, and a few signs."""

from time import monotonic

from msgspec import Struct

from fairplay.core import Seat
from fairplay.web.http.errors import RequestError
from fairplay.web.http.limits import RateLimiter
from fairplay.web.watching.timeline import Emote


class EmoteInfo(Struct, frozen=True):
    """A sign that people can give."""

    name: str
    label: str


EMOTES = (
    EmoteInfo("hello", "Hello!"),
    EmoteInfo("luck", "Good luck!"),
    EmoteInfo("nice", "Nice move!"),
    EmoteInfo("wow", "Wow!"),
    EmoteInfo("oops", "Oops!"),
    EmoteInfo("thinking", "Let me think"),
    EmoteInfo("thanks", "Thank you!"),
    EmoteInfo("well-played", "Well played!"),
)

EMOTE_SECONDS = 6.0
"""How long a sign is shown to those who come."""

EMOTE_RATE = 0.5
EMOTE_BURST = 3.0
"""Signs a second from one seat, in the long run and at once."""

CHANGE_RATE = 0.2
CHANGE_BURST = 6.0
"""Offers and new names a second from one seat, in the long run and at once: everyone who looks on is sent each."""


class TableTalk:
    """The offers and signs at one table; nothing of it is kept."""

    def __init__(self) -> None:
        self.stop: set[Seat] = set()  # who offers to stop
        self._emote: Emote | None = None
        self._shown_until = 0.0
        self._limiter = RateLimiter(EMOTE_RATE, EMOTE_BURST)
        self._changes = RateLimiter(CHANGE_RATE, CHANGE_BURST)

    @property
    def emote(self) -> Emote | None:
        """The newest sign, as long as it is new."""
        return self._emote if monotonic() < self._shown_until else None

    def give_sign(self, seat: Seat, name: str) -> None:
        """Show a sign; raises RequestError if there is no such sign, or too many are given."""
        if name not in {emote.name for emote in EMOTES}:
            raise RequestError(422, f"There is no such sign; there are {', '.join(emote.name for emote in EMOTES)}.")
        if not self._limiter.allow(str(seat)):
            raise RequestError(429, "Wait a moment before the next sign.")
        number = 1 if self._emote is None else self._emote.number + 1
        self._emote, self._shown_until = Emote(seat, name, number), monotonic() + EMOTE_SECONDS

    def count_change(self, seat: Seat) -> None:
        """Count an offer or a new name; raises RequestError if it is one too many."""
        if not self._changes.allow(str(seat)):
            raise RequestError(429, "Wait a moment before you change that again.")
