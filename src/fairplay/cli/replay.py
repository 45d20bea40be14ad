"""`fairplay replay`: step through a recorded match, draw it, or check that it is genuine."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from fairplay.cli.common import json_option, print_json
from fairplay.core import AnyGame, Event, RecordError, Removed, Seat, Turn, UsageError
from fairplay.play.record import Record, dealt, read, replay

__all__ = ["command"]


class Film(NamedTuple):
    """A record played again: the state before everything, and what happened."""

    game: AnyGame
    record: Record
    start: Any
    events: list[Event[Any, Any]]

    def state(self, at: int) -> Any:
        return self.events[at - 1].after if at else self.start

    def caption(self, at: int) -> str:
        if not at:
            return "the match begins"
        event = self.events[at - 1]
        if isinstance(event, Turn):
            return self.game.words.turn(event)
        return f"{self.game.words.seat_name(event.seat)} is removed: {event.fault.kind}: {event.fault.detail}"


@click.command(
    "replay",
    epilog="""\b
Examples:
  fairplay replay records/fish-1/match-0001.jsonl
  fairplay replay records/fish-1/match-0001.jsonl --at 12 --text
  fairplay replay records/fish-1/match-0001.jsonl --at 12 --seat 0 --svg turn-12.svg
  fairplay replay records/fish-1/match-0001.jsonl --verify
  fairplay replay fairplay.db#3/17
""",
)
@click.argument("record", metavar="RECORD|DB#ID/NUMBER")
@click.option("--at", type=int, metavar="TURN", help="Show the table after so many turns. [default: the last]")
@click.option("--seat", type=int, help="Draw only what this seat may know.")
@click.option("--verify", is_flag=True, help="Play it again and say whether it is genuine.")
@click.option("--text", is_flag=True, help="Print the table instead of stepping through.")
@click.option("--svg", type=click.Path(path_type=Path, dir_okay=False), help="Draw the table into this file.")
@json_option
def command(
    record: str, at: int | None, seat: int | None, svg: Path | None, *, verify: bool, text: bool, as_json: bool
) -> None:
    """Step through a record in the terminal, draw it, or verify it."""
    film = loaded(record)
    last = len(film.events)
    if at is not None and not 0 <= at <= last:
        raise UsageError(f"--at: this match has turns 0 to {last}, not {at}")
    if seat is not None and seat not in range(len(film.record.header.players)):
        raise UsageError(f"--seat: this match has seats 0 to {len(film.record.header.players) - 1}, not {seat}")
    if as_json:
        print_json(as_value(film))
    elif verify:
        show_verified(film)
    elif svg is not None:
        draw(film, last if at is None else at, seat, svg)
    elif text or at is not None or not sys.stdin.isatty():
        show(film, last if at is None else at, whole=at is None and not text)
    else:
        step_through(film)


def loaded(path: str) -> Film:
    """The match in a file of its own, or in a store: ``fairplay.db#3/17`` is match 17 of tournament 3."""
    from fairplay.catalog import GAMES

    stored = STORED.fullmatch(path)
    try:
        record = read(stored_lines(stored) if stored else Path(path).read_bytes().splitlines(keepends=True))
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    name = record.header.game
    if name not in GAMES:
        raise RecordError(f"{path}: line 1: there is no game '{name}'")
    game = GAMES[name]
    try:
        return Film(game, record, dealt(game, record), list(replay(game, record)))
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


STORED = re.compile(r"(.+)#(\d+)/(\d+)")


def stored_lines(found: re.Match[str]) -> list[bytes]:
    from fairplay.store import open_store

    db, id, number = found.groups()
    if "://" not in db and not Path(db).is_file():
        raise UsageError(f"there is no file {db}")
    with open_store(db) as store:
        return store.record(int(id), int(number)).splitlines(keepends=True)


def as_value(film: Film) -> dict[str, Any]:
    header = film.record.header
    return {
        "game": header.game,
        "players": header.players,
        "setup": header.setup,
        "seed": header.seed,
        "genuine": True,
        "fingerprint": film.record.fingerprint,
        "events": [event_value(event) for event in film.events],
        "outcome": film.record.outcome,
    }


def event_value(event: Event[Any, Any]) -> dict[str, Any]:
    if isinstance(event, Removed):
        return {"seat": event.seat, "removed": event.fault}
    return {"seat": event.seat, "action": msgspec.to_builtins(event.action)}


def show_verified(film: Film) -> None:
    if film.record.outcome is None:
        raise RecordError("genuine as far as it goes, but cut off: the match has no outcome")
    click.echo(f"genuine: {len(film.events)} turns of {film.game.name} replay to the recorded outcome")
    click.echo(f"fingerprint {film.record.fingerprint}")


def draw(film: Film, at: int, seat: int | None, path: Path) -> None:
    state = film.state(at)
    last = film.events[at - 1] if at else None
    shown = state if seat is None else film.game.rules.view(state, Seat(seat))
    path.write_text(film.game.picture(shown, last if isinstance(last, Turn) else None), "utf-8")
    click.echo(f"turn {at} of {len(film.events)} drawn into {path}")


def show(film: Film, at: int, *, whole: bool) -> None:
    if whole:
        for number in range(1, len(film.events) + 1):
            click.echo(f"{number:4}  {film.caption(number)}")
        click.echo()
    click.echo(f"turn {at} of {len(film.events)}: {film.caption(at)}\n\n{film.game.words.board(film.state(at))}")
    if at == len(film.events):
        click.echo(f"\n{result(film)}")


def result(film: Film) -> str:
    outcome, players = film.record.outcome, film.record.header.players
    if outcome is None:
        return "The record is cut off here."
    names = ", ".join(f"{players[seat]} ({film.game.words.seat_name(seat)})" for seat in outcome.winners)
    return f"{names or 'Nobody'} won: {outcome.ending}."


KEYS = {"\x1b[C": 1, "\x1b[B": 1, " ": 1, "\r": 1, "n": 1, "\x1b[D": -1, "\x1b[A": -1, "p": -1}
ENDS = {"\x1b[H": 0, "\x1b[1~": 0, "g": 0, "\x1b[F": -1, "\x1b[4~": -1, "G": -1}


def step_through(film: Film) -> None:
    """Show one turn at a time; the keys move."""
    at, last = 0, len(film.events)
    while True:
        click.clear()
        show(film, at, whole=False)
        click.secho("\n→ next   ← back   g first   G last   q quit", dim=True)
        key = click.getchar()
        if key in ("q", "\x1b", "\x03", "\x04"):
            return
        if key in ENDS:
            at = ENDS[key] % (last + 1)
        at = min(last, max(0, at + KEYS.get(key, 0)))
