"""Options that several commands share; a command gets each group of them as one value."""

import functools
import json
import math
import os
import secrets
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct

from fairplay import game_files
from fairplay.catalog import find_game, open_game
from fairplay.contest.contest import Hidden, Requirement
from fairplay.contest.planning import ContestTerms
from fairplay.core import AnyGame, UsageError
from fairplay.kernels.progress import silence
from fairplay.run.engines.pool import Cluster, Engine, Inline, Pool
from fairplay.run.house_players import parse_seconds

F = TypeVar("F", bound=Callable[..., object])


def group_options(name: str, kind: type[Struct], *options: Callable[[F], F]) -> Callable[[F], F]:
    """Add `options` to a command, which gets them as one `kind` in its parameter `name`."""

    def decorate(command: F) -> F:
        @functools.wraps(command)
        def gathered(*arguments: object, **given: object) -> object:
            group = kind(**{field: given.pop(field) for field in kind.__struct_fields__})
            return command(*arguments, **given, **{name: group})

        wrapped: Any = gathered
        for option in reversed(options):
            wrapped = option(wrapped)
        result: F = wrapped
        return result

    return decorate


def check_seconds(context: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """Refuse an option that is not a number of seconds."""
    if value is not None and not (value > 0 and math.isfinite(value)):
        raise click.BadParameter("must be more than 0 seconds", context, option)
    return value


# -- games -------------------------------------------------------------------------------------


def choose_game(word: str) -> AnyGame:
    """The game that a command line names, or the one in a file; raises UsageError.

    EFFECT: says, the first time, that the file is trusted.
    """
    known = {*game_files.taken_files()}
    try:
        game = open_game(word)
    except UsageError as error:
        beside = f"{word}.py"
        hint = "" if game_files.is_path(word) or not Path(beside).is_file() else f"; did you mean {beside}?"
        raise UsageError(f"{error}{hint}") from None
    if game.name not in known and game.name in game_files.taken_files():
        click.echo(f"{word} is trusted as a rule book: it can do whatever you can.", err=True)
    return game


def find_kept_game(name: str) -> AnyGame:
    """The game of something that was kept; raises UsageError."""
    try:
        return find_game(name)
    except UsageError as error:
        raise UsageError(f"{error}; {hint_at_file(name)}") from None


def hint_at_file(name: str) -> str:
    """What to do if a game is a file and nobody said where it is."""
    return f"if '{name}' is a file, add --game {name}.py"


def file_words(game: str) -> str:
    """What a command about something that was kept needs besides, if the game is a file; it begins with a space."""
    return f" --game {shlex.quote(game_files.word_for(game))}" if game in game_files.taken_files() else ""


def _take_files(context: click.Context, option: click.Parameter, files: tuple[str, ...]) -> None:
    for word in files:
        if not game_files.is_path(word):
            raise click.BadParameter(f"expected a Python file, such as ./{word}.py", context, option)
        choose_game(word)


game_option = click.option(
    "--game",
    "files",
    multiple=True,
    metavar="FILE.py",
    expose_value=False,
    is_eager=True,
    callback=_take_files,
    help="The file of the game, if it is no installed one.",
)

# -- single options ----------------------------------------------------------------------------


def _expect_json(context: click.Context, parameter: click.Parameter, as_json: bool) -> bool:
    """Say nothing about work that takes long when a program reads what is printed."""
    if as_json:
        silence()
    return as_json


json_option = click.option("--json", "as_json", is_flag=True, callback=_expect_json, help="Print JSON, for programs.")

strict_option = click.option("--strict", is_flag=True, help="Exit with code 1 if a player was thrown out of a match.")

require_option = click.option(
    "--require",
    type=click.Choice(["sandboxed"]),
    callback=lambda context, option, value: value or "",
    help="Refuse to play if bots and programs cannot be sandboxed.",
)

trust_option = click.option(
    "--trust",
    is_flag=True,
    help="Run Python files in this process: faster, and good for debugging. They can then do whatever you can.",
)

db_option = click.option(
    "--db", metavar="FILE|URL", help="The store: a file, or postgresql://... [default: FAIRPLAY_DB, else fairplay.db]"
)

key_option = click.option(
    "--key",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file with the key that signs matches. [default: FAIRPLAY_KEY, else beside the store]",
)

public_key_option = click.option(
    "--public-key",
    "public_keys",
    multiple=True,
    metavar="KEY|FILE",
    help="Accept the signatures of this key, or of the keys in this file, and no others; repeatable.",
)


def board_option(words: str) -> Callable[[F], F]:
    return click.option("--board", metavar="NAME|FILE", help=words)


def think_option(words: str) -> Callable[[F], F]:
    """`--think`, a time in seconds or milliseconds."""
    return click.option(
        "--think",
        metavar="TIME",
        callback=lambda context, option, value: None if value is None else parse_seconds(value),
        help=words,
    )


# -- groups ------------------------------------------------------------------------------------


class DealOptions(Struct, frozen=True):
    """What is dealt, and how long players may think."""

    seed: int | None
    variant: str | None
    board: str | None
    setup: str | None
    patience: float | None


class SetupOptions(DealOptions, frozen=True):
    """What is dealt, how long and when players may think, and what their chance comes from."""

    secret: str | None
    think: float | None
    ponder: bool

    def terms(self, format: str, options: Mapping[str, object], require: Requirement) -> ContestTerms:
        """These options as the terms of a contest."""
        return ContestTerms(
            format=format,
            options=options,
            seed=self.seed,
            secret=self.secret,
            patience=self.patience,
            think=self.think,
            ponder=self.ponder,
            require=require,
        )


_DEALING: tuple[Callable[[Any], Any], ...] = (
    click.option("--seed", type=int, help="Fixes the deals, and the chance of house players. [default: a new one]"),
    click.option("--variant", help="Play this variant; `fairplay games` lists them."),
    board_option("Play on this board, if the game has boards."),
    click.option("--setup", metavar="FILE|JSON", help="Parameters of the match: a JSON object, or a file with one."),
    click.option(
        "--patience",
        type=float,
        callback=check_seconds,
        help="Seconds that a bot has for an answer. [default: set by the rule book]",
    ),
)

deal_options: Callable[[F], F] = group_options("dealing", DealOptions, *_DEALING)
setup_options: Callable[[F], F] = group_options(
    "dealing",
    SetupOptions,
    *_DEALING,
    click.option(
        "--secret",
        metavar="HEX",
        help="Fixes the own chance of bots and programs; --json prints it. [default: a new one]",
    ),
    think_option("Time a move for house players that search, such as 100ms or 2s; the match cannot be repeated then."),
    click.option("--ponder", is_flag=True, help="Let bots and programs think while others are to move."),
)


def choose_seed(seed: int | None) -> int:
    """The seed that was given, else a new one; raises UsageError."""
    if seed is not None and not -(2**63) <= seed < 2**63:
        raise UsageError("--seed: expected a whole number of at most 64 bits")
    return secrets.randbits(53) if seed is None else seed  # too many to be tried


def read_fields(given: str | None) -> dict[str, object]:
    """The JSON object in `given`, which is the object itself or a file with one; raises UsageError."""
    if given is None:
        return {}
    where = "--setup"
    if not given.lstrip().startswith("{"):
        where = given
        try:
            given = Path(given).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise UsageError(
                f"--setup: {where} is neither a JSON object nor a file that can be read: {reason}"
            ) from None
    try:
        fields = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: malformed JSON: {error}") from None
    if not isinstance(fields, dict):
        raise UsageError(f"{where}: expected a JSON object with the parameters of the match")
    return fields


logs_option: Callable[[F], F] = click.option(
    "--logs",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write what each bot file and program prints (at most 64 KiB) to a file in this folder.",
)


class IsolationOptions(Struct, frozen=True):
    """How far bots are kept from everything else."""

    trust: bool
    require: Requirement


isolation_options: Callable[[F], F] = group_options("isolation", IsolationOptions, trust_option, require_option)


class StoreOptions(Struct, frozen=True):
    """Where matches are kept."""

    db: str | None
    out: Path | None
    no_store: bool
    key: Path | None


store_options: Callable[[F], F] = group_options(
    "keeping",
    StoreOptions,
    db_option,
    click.option("--out", type=click.Path(path_type=Path), help="Write each record to a file in this folder as well."),
    click.option("--no-store", is_flag=True, help="Keep nothing in a store."),
    key_option,
)


class FormatOptions(Struct, frozen=True):
    """Who meets whom, and how often."""

    format: str
    games: int | None
    seats: int | None
    shuffle: bool
    more: tuple[str, ...]
    matches: int | None
    paired_deals: bool


format_options: Callable[[F], F] = group_options(
    "pairing",
    FormatOptions,
    click.option(
        "--format",
        default="round-robin",
        show_default=True,
        help="How to pair players: knock-out, round-robin, swiss, gauntlet or ladder.",
    ),
    click.option("--games", type=int, help="Deals for each line-up. [default: depends on the format]"),
    click.option("--seats", type=int, help="Players in a match. [default: the fewest the game allows]"),
    click.option("--shuffle", is_flag=True, help="Draw lots for a knock-out, instead of the order of entry."),
    click.option(
        "--option", "more", multiple=True, metavar="NAME=VALUE", help="Another option of the format; repeatable."
    ),
    click.option(
        "--matches", type=click.IntRange(1), help="Stop after N matches; without it a ladder plays until Ctrl-C."
    ),
    click.option(
        "--paired-deals",
        is_flag=True,
        help="Play every deal in all rotations of the seats. House players do so anyway; other players could "
        "remember a deal, and know what their rivals hold.",
    ),
)


class EngineOptions(Struct, frozen=True):
    """Where matches are played."""

    jobs: int | None
    on: str | None

    def choose_engine(self, hidden: Hidden, *, apart: bool = False, logs: str = "") -> Engine:
        """What plays them; `apart`: not in this process, which has other things to do.

        `hidden` is not shown to players, and `logs` is a folder for what programs print.
        """
        jobs = self.jobs or len(os.sched_getaffinity(0))
        if self.on is not None:
            if logs:
                raise UsageError("--logs: works on this machine only; leave --on out")
            return Cluster(None if self.on == "dask" else self.on, jobs, hidden)
        return Inline(logs=logs, hidden=hidden) if jobs == 1 and not apart else Pool(jobs, logs, hidden)


engine_options: Callable[[F], F] = group_options(
    "playing",
    EngineOptions,
    click.option("--jobs", type=click.IntRange(1), help="Number of worker processes. [default: one per core]"),
    click.option(
        "--on", metavar="dask|ADDRESS", help="Play on a Dask cluster: a local one, or the one with this scheduler."
    ),
)


class ReportOptions(Struct, frozen=True):
    """How tables are shown."""

    report: Path | None
    csv: Path | None
    as_json: bool
    wide: bool


FILE = click.Path(path_type=Path, dir_okay=False)

report_options: Callable[[F], F] = group_options(
    "showing",
    ReportOptions,
    click.option("--report", type=FILE, help="Write an HTML report to this file."),
    click.option("--csv", type=FILE, help="Write the standings to this CSV file."),
    json_option,
    click.option("--wide", is_flag=True, help="Print every column whole, however wide the table gets."),
)
