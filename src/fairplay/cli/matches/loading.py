"""A match that was recorded, found by its name and played again."""

from pathlib import Path
from typing import NamedTuple

from fairplay.catalog import GAMES
from fairplay.cli.storage import open_existing_store
from fairplay.core import AnyEvent, AnyGame, RecordError, RuleBookError, Seat, Turn
from fairplay.match.driver import seen_action, seen_fault
from fairplay.match.packing import check_signature
from fairplay.match.record import Record, Signature, read_record
from fairplay.match.replay import first_state, replay_record
from fairplay.store import STORED, default_url, read_lines


class ReplayedMatch(NamedTuple):
    """A record played again: the state before everything, and what happened."""

    game: AnyGame
    record: Record
    start: object
    events: list[AnyEvent]
    signature: Signature | None  # which fits
    viewer: Seat | None = None  # who is shown the match; None: somebody who may know everything

    def state(self, at: int) -> object:
        """The state after `at` events."""
        return self.events[at - 1].after if at else self.start

    # -- as the viewer may see it --------------------------------------------------------------

    def shown(self, at: int) -> object:
        """The state after `at` events, or what the viewer may know of it."""
        return self.state(at) if self.viewer is None else self.game.rules.view(self.state(at), self.viewer)

    def text(self, at: int) -> str:
        """The event that led there as a short text; a dash for a removal."""
        event = self.events[at - 1]
        if not isinstance(event, Turn):
            return "-"
        return self.game.notation.format_action(seen_action(self.game, event, self.viewer))

    def caption(self, at: int) -> str:
        """The event that led there, in words."""
        if not at:
            return "the match begins"
        event = self.events[at - 1]
        if isinstance(event, Turn):
            return self.game.words.describe_turn(event, event.seat if self.viewer is None else self.viewer)
        fault = seen_fault(event.fault, event.seat, self.viewer)
        reason = f": {fault.detail}" if fault.detail else ""
        return f"{self.game.words.seat_name(event.seat)} is removed: {fault.kind}{reason}"


def load_match(name: str) -> ReplayedMatch:
    """The match in a file of its own, or in a store; raises UsageError, RecordError, StoreError or OSError."""
    try:
        lines = _find_lines(name)
        record = read_record(lines)
        if record.header.game not in GAMES:
            raise RecordError(f"line 1: there is no game '{record.header.game}'")
        game = GAMES[record.header.game]
        events = list(replay_record(game, record))
        return ReplayedMatch(game, record, first_state(game, record), events, check_signature(lines))
    except RecordError as error:
        raise RecordError(f"{name}: {error}") from None
    except RuleBookError as error:
        raise error.locate(match=name) from error


def _find_lines(name: str) -> list[bytes]:
    """The lines of a record; a file comes before a match of the same name."""
    stored = STORED.fullmatch(name)
    if stored is None or Path(name).is_file():
        return read_lines(Path(name))
    with open_existing_store(stored["db"]) as (store, _):
        return store.record(int(stored["id"]), int(stored["number"])).splitlines(keepends=True)


def store_of(name: str) -> str:
    """The store that holds this match, beside which lie the keys of its owner."""
    stored = STORED.fullmatch(name)
    return (stored["db"] if stored else None) or default_url()
