"""A match that was recorded, found by its name; and `fairplay replay`: step through it, draw it, or verify it."""

import sys
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import click
import msgspec
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.cli.keys import describe_owner, load_own_keys, read_public_keys
from fairplay.cli.options import game_option, hint_at_file, json_option, key_option, public_key_option
from fairplay.cli.output import echo, print_json, track_progress
from fairplay.cli.storage import open_existing_store
from fairplay.core import (
    AnyEvent,
    AnyGame,
    Befell,
    Outcome,
    RecordError,
    Removed,
    RuleBookError,
    Seat,
    Turn,
    UsageError,
)
from fairplay.core.names import escape_controls
from fairplay.game_files import explain_difference
from fairplay.match.driver import describe_chance, seen_action, seen_fault
from fairplay.match.packing import check_signature, describe_signature, exposing_players
from fairplay.match.record import Record, Signature, read_record
from fairplay.match.replay import first_state, replay_record, setup_of
from fairplay.match.review.house import Explanation, HouseCheck, check_house, explain_record, seat_house
from fairplay.report.json_output import matches as documents
from fairplay.report.match_page import render_match
from fairplay.report.reviews import describe_thought
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
        """The turn that led there as a short text; a dash for whatever else did."""
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
        if isinstance(event, Befell):
            return describe_chance(self.game, event, open=self.viewer is None)
        fault = seen_fault(event.fault, event.seat, self.viewer)
        reason = f": {fault.detail}" if fault.detail else ""
        return f"{self.game.words.seat_name(event.seat)} is removed: {fault.kind}{reason}"


def load_match(name: str, *, strict: bool = False) -> ReplayedMatch:
    """The match in a file of its own, or in a store; raises UsageError, RecordError, StoreError or OSError.

    EFFECT: says so if it was played by another rule book, which is an error if `strict`.
    """
    try:
        lines = _find_lines(name)
        record = read_record(lines)
        if record.header.game not in GAMES:
            raise RecordError(f"line 1: there is no game '{record.header.game}'; {hint_at_file(record.header.game)}")
        game = GAMES[record.header.game]
        if difference := explain_difference(game.name, record.header.rule_book):
            if strict:
                raise RecordError(f"it cannot be verified: it was {difference}")
            echo(f"Note: this match was {difference}", err=True)
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


# -- the command -------------------------------------------------------------------------------


@click.command(
    "replay",
    epilog="""\b
A match is named by its tournament and its number: 3/17 is match 17 of tournament 3 in the
default store (FAIRPLAY_DB, else fairplay.db), other.db#3/17 that of another store. A file
with a record, as --out writes it, is named by its path.

\b
With --seat, everything that is shown is what this seat may know: no hands of others, no last words
of others, no seed. At the end, too.

\b
--verify says that a record is consistent: it follows from the rules and leads to its outcome.
If it is signed, it was played by the holder of that key. `fairplay keys show` prints yours;
of another, ask its owner. Nothing here shows that the holder of a key is honest.
With --house, house players choose again, and any reply that differs is reported.

\b
--explain asks house players that can say what they think, such as `search`, to think again with
the same chance: the share of the win that they expect, how much they searched, and the line they
expect. Those that were bounded by time may think otherwise this time. Weak ones slip now and then:
they do something at random, whatever they think.

\b
Examples:
  fairplay replay 3/17
  fairplay replay 3/17 --at 12 --text --seat 0
  fairplay replay 3/17 --at 12 --seat 0 --svg turn-12.svg
  fairplay replay 3/17 --explain
  fairplay replay 3/17 --html match.html
  fairplay replay other.db#3/17 --verify
  fairplay replay 3/17 --verify --house
  fairplay replay match.jsonl --verify --public-key organisers-key.txt
  fairplay replay records/match-0001.jsonl
  fairplay replay 3/17 --game ./mygame.py
""",
)
@click.argument("name", metavar="ID/NUMBER|DB#ID/NUMBER|FILE")
@game_option
@click.option("--at", type=int, metavar="TURN", help="Show the board after this many turns. [default: the last]")
@click.option("--seat", type=int, help="Show only what this seat may know.")
@click.option("--verify", is_flag=True, help="Say whether it is consistent, and who signed it.")
@click.option("--house", is_flag=True, help="With --verify: let house players choose again, and report what differs.")
@click.option("--explain", is_flag=True, help="Say what house players thought before each of their turns.")
@key_option
@public_key_option
@click.option("--text", is_flag=True, help="Print the board instead of stepping through.")
@click.option("--svg", type=click.Path(path_type=Path, dir_okay=False), help="Draw the board into this file.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write the match as one HTML page.")
@json_option
def command(
    name: str,
    at: int | None,
    seat: int | None,
    svg: Path | None,
    html: Path | None,
    key: Path | None,
    public_keys: tuple[str, ...],
    *,
    verify: bool,
    house: bool,
    explain: bool,
    text: bool,
    as_json: bool,
) -> None:
    """Step through a match in the terminal, draw it, or verify it."""
    if verify and seat is not None:
        raise UsageError("--seat: a record is verified as a whole; leave out --seat or --verify")
    if house and not verify:
        raise UsageError("--house: works with --verify only")
    if explain and (verify or svg is not None or html is not None):
        raise UsageError("--explain: works with the list of turns and with --json; --verify, --svg and --html do not")
    known = KnownKeys(load_own_keys(key, store_of(name)), read_public_keys(public_keys))
    match = load_match(name, strict=verify)
    _check_signer(match, known)
    last = len(match.events)
    if at is not None and not 0 <= at <= last:
        raise UsageError(f"--at: this match has turns 0 to {last}, not {at}")
    match = match._replace(viewer=_choose_viewer(match, seat))
    checks = check_house(match.game, match.record) if house else []
    thoughts = _explain_turns(match, quiet=as_json) if explain else {}
    if as_json:
        print_json(_describe_match(match, known, checks if house else None, thoughts))
    elif verify:
        _show_verified(match, known)
        if house:
            _show_house(checks)
    elif svg is not None:
        _draw_moment(match, last if at is None else at, svg)
    elif html is not None:
        html.write_text(render_match(match.game, match.record, match.events, viewer=match.viewer), "utf-8")
        click.echo(f"{last} turns drawn into {html}")
    elif text or at is not None or not sys.stdin.isatty():
        _show_moment(match, last if at is None else at, thoughts, with_turns=at is None and not text)
    else:
        step_through(match, thoughts)
    if any(check.differences for check in checks):
        raise RecordError("a house player did not give the replies that the record has")


def _choose_viewer(match: ReplayedMatch, seat: int | None) -> Seat | None:
    """The seat as which the match is shown; raises UsageError."""
    seats = len(match.record.header.players)
    if seat is not None and seat not in range(seats):
        raise UsageError(f"--seat: this match has seats 0 to {seats - 1}, not {seat}")
    return None if seat is None else Seat(seat)


# -- signatures --------------------------------------------------------------------------------


class KnownKeys(NamedTuple):
    """The public keys of the user, and those that the user named."""

    own: tuple[str, ...]
    named: tuple[str, ...]

    def describe(self, key: str) -> str:
        """Whose key this is, in words."""
        return describe_owner(key, self.own, self.named)


def _check_signer(match: ReplayedMatch, known: KnownKeys) -> None:
    """Refuse a record that none of the named keys has signed, if some are named; raises RecordError."""
    if known.named and (match.signature is None or match.signature.key not in known.named):
        raise RecordError(f"{describe_signature(match.signature, match.record.header)}; expected a key that you named")


# -- showing -----------------------------------------------------------------------------------


def _describe_match(
    match: ReplayedMatch, known: KnownKeys, checks: list[HouseCheck] | None, thoughts: Mapping[int, Explanation]
) -> documents.ReplayDocument:
    """What `--json` prints."""
    record, viewer = match.record, match.viewer
    header, setup = record.header, setup_of(match.game, record.header)
    return documents.ReplayDocument(
        game=header.game,
        players=header.players,
        setup=header.setup if viewer is None else match.game.rules.public_setup(setup),
        seat=msgspec.UNSET if viewer is None else viewer,
        seed=header.seed if viewer is None else None,
        consistent=record.outcome is not None and not explain_difference(header.game, header.rule_book),
        signed=_describe_signer(match, known),
        fingerprint=record.fingerprint if viewer is None else None,
        events=tuple(
            _describe_event(match, event, thoughts.get(number)) for number, event in enumerate(match.events, 1)
        ),
        outcome=None if record.outcome is None else _describe_outcome(record.outcome, viewer),
        house=msgspec.UNSET if checks is None else tuple(checks),
    )


def _describe_outcome(outcome: Outcome, viewer: Seat | None) -> Outcome:
    """How it ended, without the reasons that the viewer may not know."""
    faults = tuple(fault and seen_fault(fault, Seat(seat), viewer) for seat, fault in enumerate(outcome.faults))
    return replace(outcome, faults=faults)


def _describe_event(match: ReplayedMatch, event: AnyEvent, explained: Explanation | None) -> documents.ReplayedEvent:
    """An event as `--json` reports it."""
    if isinstance(event, Removed):
        return documents.ReplayedEvent(event.seat, removed=seen_fault(event.fault, event.seat, match.viewer))
    if isinstance(event, Befell):
        outcome = event.outcome if match.viewer is None else match.game.public_outcome(event.outcome)
        return documents.ReplayedEvent(None, befell=msgspec.to_builtins(outcome))
    action = seen_action(match.game, event, match.viewer)
    text = match.game.notation.format_action(action)
    thought = None if explained is None else documents.describe_thought_figures(match.game, explained.thought)
    return documents.ReplayedEvent(event.seat, msgspec.to_builtins(action), text=text, thought=thought)


def _describe_signer(match: ReplayedMatch, known: KnownKeys) -> documents.SignatureFigures | None:
    """The signature as `--json` reports it."""
    if match.signature is None:
        return None
    key, exposed_to = match.signature.key, tuple(exposing_players(match.record.header))
    return documents.SignatureFigures(key, key in known.own, match.signature.match, exposed_to)


def _show_verified(match: ReplayedMatch, known: KnownKeys) -> None:
    """Say that a record follows from the rules, and who signed it; raises RecordError if it was cut off."""
    if match.record.outcome is None:
        raise RecordError("consistent as far as it goes, but cut off: the match has no outcome")
    turns = f"{len(match.events)} turns of {match.game.name} replay to the recorded outcome"
    click.echo(f"consistent{'' if match.signature else ', not signed'}: {turns}")
    if match.signature is not None:
        echo(describe_signature(match.signature, match.record.header, known.describe(match.signature.key)))
    click.echo(f"fingerprint {match.record.fingerprint}")


def _show_house(checks: list[HouseCheck]) -> None:
    """Say of each house player whether it replied as it does here."""
    if not checks:
        click.echo("house: the record names no house players, so none could be asked again")
    for check in checks:
        echo(f"house: {_describe_house_check(check)}")


def _describe_house_check(check: HouseCheck) -> str:
    """What came of asking one house player again, in words."""
    options = ",".join(f"{name}={value}" for name, value in check.player.options.items())
    spec = f"{check.player.strategy}{f':{options}' if options else ''}"
    who = f"{spec} version {check.player.version} (seat {check.seat})"
    if check.verdict == "not checkable":
        return f"{who} is not checkable: {check.reason}"
    if not check.differences:
        return f"{who} gives the same {check.replies} replies"
    first = check.differences[0]
    replies = f"{bytes(first.recorded).decode()} in the record, {bytes(first.chosen).decode()} here"
    count = f"{len(check.differences)} of {check.replies} replies"
    return f"{who} differs in {count}, first in line {first.line}: {replies}"


def _draw_moment(match: ReplayedMatch, at: int, path: Path) -> None:
    """Draw the table after `at` events into a file."""
    last = match.events[at - 1] if at else None
    path.write_text(match.game.shown.picture(match.shown(at), last if isinstance(last, Turn) else None), "utf-8")
    click.echo(f"turn {at} of {len(match.events)} drawn into {path}")


_MAX_WIDTH = 32
"""Columns of the list of turns that are kept for short texts; a longer one pushes its sentence to the right."""


def _show_moment(match: ReplayedMatch, at: int, thoughts: Mapping[int, Explanation], *, with_turns: bool) -> None:
    """Print the board at one moment, after all turns in words if `with_turns`."""
    last = len(match.events)
    if with_turns:
        texts = [match.text(number) for number in range(1, last + 1)]
        width = min(_MAX_WIDTH, max(map(len, texts), default=0))
        for number, text in enumerate(texts, 1):
            echo(f"{number:4}  {text:{width}}  {match.caption(number)}")
            if number in thoughts:
                echo(f"{'':{width + 8}}{_describe_explanation(match.game, thoughts[number])}")
        click.echo()
    echo(f"turn {at} of {last}: {match.caption(at)}")
    if at in thoughts and not with_turns:
        echo(f"  {_describe_explanation(match.game, thoughts[at])}")
    echo(f"\n{match.game.words.board(match.shown(at))}")
    if at == last:
        echo(f"\n{_describe_end(match)}")


def _explain_turns(match: ReplayedMatch, *, quiet: bool) -> dict[int, Explanation]:
    """What the house players thought, by the number of the turn: of a viewer, only its own thoughts.

    EFFECT: says so if there are none.
    """
    players = seat_house(match.game, match.record, monotonic)
    if match.viewer is not None:
        players = {seat: player for seat, player in players.items() if seat == match.viewer}
    if not players and not quiet:
        click.echo("--explain: no house player of this match can say what it thought", err=True)
    total = sum(isinstance(event, Turn) and event.seat in players for event in match.events)
    explanations = explain_record(match.game, match.record, players)
    with track_progress(explanations, total, "thinking again", quiet=quiet) as explained:
        return {each.number: each for each in explained}


def _describe_explanation(game: AnyGame, explained: Explanation) -> str:
    """What a house player thought before a turn, in a line."""
    other = "; it slipped" if explained.slipped else "" if explained.same else "; it did something else then"
    reason = f"; {explained.thought.reason}" if explained.thought.reason else ""
    return f"{describe_thought(game, explained.seat, explained.thought)}{reason}{other}"


def _describe_end(match: ReplayedMatch) -> str:
    """How the match ended, in a sentence."""
    outcome, players = match.record.outcome, match.record.header.players
    if outcome is None:
        return "The record is cut off here."
    names = ", ".join(
        f"{escape_controls(players[seat])} ({match.game.words.seat_name(seat)})" for seat in outcome.winners
    )
    return f"{names or 'Nobody'} won: {outcome.ending}."


_STEPS = {"\x1b[C": 1, "\x1b[B": 1, " ": 1, "\r": 1, "n": 1, "\x1b[D": -1, "\x1b[A": -1, "p": -1}
_ENDS = {"\x1b[H": 0, "\x1b[1~": 0, "g": 0, "\x1b[F": -1, "\x1b[4~": -1, "G": -1}


def step_through(match: ReplayedMatch, thoughts: Mapping[int, Explanation]) -> None:
    """Show one turn at a time; the keys move."""
    at, last = 0, len(match.events)
    while True:
        click.clear()
        _show_moment(match, at, thoughts, with_turns=False)
        click.secho("\n→ next   ← back   g first   G last   q quit", dim=True)
        key = click.getchar()
        if key in ("q", "\x1b", "\x03", "\x04"):
            return
        if key in _ENDS:
            at = _ENDS[key] % (last + 1)
        at = min(last, max(0, at + _STEPS.get(key, 0)))
