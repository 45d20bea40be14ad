"""`fairplay laws`: does a game keep the laws that every game keeps?"""

from __future__ import annotations

import shlex
import sys
from collections import Counter, defaultdict
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from fairplay.cli.options import choose_game, choose_seed, json_option
from fairplay.cli.output import echo, print_json
from fairplay.core import EngineError, FairplayError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairplay.report.json_output.catalog import BrokenLaw, CounterMatch, LawsDocument

_SEEDS = 1_000_000
"""New seeds are below: they are typed again."""

_NEEDED = ("hypothesis", "jsonschema", "numpy", "pytest", "regex")
"""Packages of the extra `laws`; a game with a kernel needs one more."""


@click.command(
    "laws",
    epilog="""\b
The laws play random matches, with removals, and look for one in which a law is broken. What they
cannot find out about the game stands in its kit: see docs/guides/adding-a-game.md.

\b
Examples:
  fairplay laws mygame
  fairplay laws ./mygame.py
  fairplay laws mygame --law imagined
  fairplay laws mygame --seed 7 --json
""",
)
@click.argument("game")
@click.option("--law", default="", metavar="WORDS", help="Try only the laws whose name contains these words.")
@click.option("--seed", type=int, help="The same seed gives the same counterexamples. [default: a new one]")
@json_option
def command(game: str, law: str, seed: int | None, *, as_json: bool) -> None:
    """Try the laws of all games on one game, and show the shortest counterexamples.  Exit code 1: a law is broken."""
    name, kernel = (chosen := choose_game(game)).name, chosen.parts.kernel
    needed = _NEEDED if kernel is None else (*_NEEDED, "numba")
    if missing := [package for package in needed if find_spec(package) is None]:
        raise UsageError(f"the laws need what the extra 'laws' brings: pip install {' '.join(missing)}")
    from fairplay.testing.report import describe_error, try_laws
    from fairplay.testing.walks import kit

    try:
        kit(name)
    except FairplayError:
        raise
    except Exception as error:
        problem, place = describe_error(error)
        raise EngineError(f"the rule book of {game} fails before any law is tried: {problem}, at {place}") from None
    found = try_laws(name, choose_seed(None) % _SEEDS if seed is None else seed, law, _make_note(quiet=as_json))
    if as_json:
        print_json(found)
    else:
        _show_report(found, game)
    if found.broken:
        sys.exit(1)


def _make_note(*, quiet: bool) -> Callable[[str], object]:
    """Show on a terminal which law is tried."""
    if quiet or not sys.stderr.isatty():
        return str
    return lambda law: click.echo(f"\r\x1b[K{law}", err=True, nl=False)


def _show_report(found: LawsDocument, word: str) -> None:
    """Print what was found of the game that was asked for by `word`."""
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", err=True, nl=False)
    alike: defaultdict[object, list[BrokenLaw]] = defaultdict(list)
    for breach in found.broken:  # an error breaks many laws at once
        alike[(breach.problem, breach.place) if breach.place else breach.law].append(breach)
    for number, (first, *others) in enumerate(alike.values(), 1):
        _show_breach(number, first, word, found.seed)
        if others:
            echo(f"   {'so too:':10} {'; '.join(breach.law for breach in others)}")
        echo("")
    reasons, lacks = Counter(found.skipped.values()), f"{found.game} has no "
    if parts := [why.removeprefix(lacks) for why in reasons if why.startswith(lacks)]:
        count = sum(reasons.pop(f"{lacks}{part}") for part in parts)
        echo(f"Not tried: {_count_laws(count)} about {', '.join(parts)}, which {found.game} does not have.")
    for why, count in reasons.items():
        echo(f"Not tried: {_count_laws(count)}: {why}.")
    tried = len(found.kept) + len(found.broken)
    verdict = f"breaks {len(found.broken)} of {_count_laws(tried)}" if found.broken else f"keeps {_count_laws(tried)}"
    echo(f"{found.game} {verdict} (seed {found.seed}).", bold=True)


def _count_laws(count: int) -> str:
    return f"{count} law{'' if count == 1 else 's'}"


def _show_breach(number: int, breach: BrokenLaw, word: str, seed: int) -> None:
    echo(f"{number}. {breach.law}", bold=True)
    rows = [("it means", breach.meaning), ("but", breach.problem), ("at", breach.place)]
    rows += [("match", _describe_match(match)) for match in breach.matches]
    rows += [*breach.given.items(), ("again", f"fairplay laws {shlex.quote(word)} --law '{breach.law}' --seed {seed}")]
    for label, words in rows:
        if words:
            echo(f"   {label + ':':10} " + words.replace("\n", "\n" + " " * 14))


_SHOWN_TURNS = 40


def _describe_match(match: CounterMatch) -> str:
    """A match in a line or two."""
    setup = ", ".join(f"{key} {value}" for key, value in match.setup.items())
    shown = ", ".join(match.turns[-_SHOWN_TURNS:])
    before = len(match.turns) - _SHOWN_TURNS
    turns = f"{before} turns, then {shown}" if before > 0 else shown or "no turn yet"
    return f"{match.seats} seats, {setup}, deal {match.seed}\n{turns}"
