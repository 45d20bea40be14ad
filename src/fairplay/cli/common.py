"""What several commands share: choosing a game and its setup, seating players, keeping records, showing tables."""

from __future__ import annotations

import json
import secrets
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click
import msgspec

from fairplay.core import AnyGame, Json, Outcome, SetupError, UsageError, WireError
from fairplay.core.chance import derived
from fairplay.parts.editor import Editor, usual_setup
from fairplay.play.record import recorded
from fairplay.run.entrants import Seating, seat_entrant
from fairplay.run.inline import run
from fairplay.run.isolation.program import Usage, farewell

__all__ = [
    "Played",
    "board_option",
    "chosen_game",
    "chosen_seed",
    "chosen_setup",
    "editor_of",
    "fresh_folder",
    "isolate_option",
    "isolated",
    "json_option",
    "play_match",
    "print_json",
    "program",
    "progress",
    "read_board",
    "read_fields",
    "seated",
    "setup_options",
]

F = TypeVar("F", bound=Callable[..., Any])


# -- options -----------------------------------------------------------------------------------

isolate_option = click.option(
    "--isolate", is_flag=True, help="Run each Python file in a process of its own, in a sandbox with hard limits."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Report as JSON, for programs.")


def board_option(words: str) -> Callable[[F], F]:
    """`--board`, or `--map`, as it is called in Trains."""
    return click.option("--board", "--map", "board", metavar="NAME|FILE", help=words)


def setup_options(command: F) -> F:
    """The options of every command that deals matches."""
    for option in (
        click.option(
            "--patience", type=float, help="Seconds a bot file has for an answer. [default: by the rule book]"
        ),
        click.option("--setup", metavar="FILE|JSON", help="Parameters of the match, as JSON or a file of it."),
        board_option("The board to play on, where the game has boards."),
        click.option("--variant", help="Which variant to play; `fairplay games` lists them."),
        click.option("--seed", type=int, help="Fixes the deal and all chance. [default: a new one]"),
    ):
        command = option(command)
    return command


def chosen_game(name: str) -> AnyGame:
    from fairplay.catalog import find_game

    return find_game(name)


def chosen_seed(seed: int | None) -> int:
    if seed is not None and not -(2**63) <= seed < 2**63:
        raise UsageError("a seed is a whole number of at most 64 bits")
    return secrets.randbits(53) if seed is None else seed  # too many to be tried


def chosen_setup(game: AnyGame, variant: str | None, fields: Mapping[str, Any], board: str | None = None) -> Any:
    """The setup of `variant`, on `board`, with the given fields changed; raises SetupError or UsageError."""
    names = list(game.variants)
    if variant is not None and variant not in names:
        raise UsageError(f"{game.name} has no variant '{variant}'; it has {', '.join(names)}")
    named = variant or fields.get("variant")
    bases = [game.variants[named]] if named in names else [*game.variants.values()]
    base = bases[0] if board is None else setup_on_board(game, board, bases)
    try:
        return msgspec.convert({**msgspec.to_builtins(base), **fields}, game.setup)
    except msgspec.ValidationError as error:
        raise SetupError(f"--setup: {str(error).replace('`', '')}") from None


def setup_on_board(game: AnyGame, given: str, bases: Sequence[Any]) -> Any:
    """The first of `bases` that goes with a board, on it; raises UsageError, or SetupError where none does."""
    try:
        return usual_setup(editor_of(game), read_board(game, given), bases)
    except WireError as error:
        raise UsageError(f"{given}: {error}") from None


def editor_of(game: AnyGame) -> Editor[Any]:
    """What the game knows about boards; raises UsageError where it has none."""
    if game.editor is None:
        raise UsageError(f"{game.name} has no boards to choose from")
    return game.editor


def read_board(game: AnyGame, given: str) -> Json:
    """The JSON of a board in the file `given`, or the name of one that comes with the game; raises UsageError."""
    names = editor_of(game).BOARDS
    try:
        return json.loads(Path(given).read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{given}: malformed JSON: {error}") from None
    except (FileNotFoundError, IsADirectoryError):
        if given in names:
            return given
        known = f"the boards of {game.name} are {', '.join(names)}"
        raise UsageError(f"there is no file {given}, nor a board of that name; {known}") from None


def read_fields(given: str | None) -> dict[str, Any]:
    """The JSON object in `given`, which is the object itself or a file holding it."""
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


def seated(game: AnyGame, specs: Sequence[str], patience: float | None, *, isolate: bool = False) -> list[Seating]:
    """How to seat each of `specs`, Python files in processes of their own if `isolate`; raises UsageError."""
    if patience is not None and not patience > 0:
        raise UsageError("--patience must be more than 0 seconds")
    with redirect_stdout(sys.stderr):  # what a bot prints must not mix with our report
        return [seat_entrant(game, isolated(spec) if isolate else spec, patience or game.patience) for spec in specs]


def isolated(spec: str) -> str:
    """The spec of the same player in a process of its own; house players stay where they are, for they are ours."""
    is_file = spec.partition(":")[0].endswith(".py")
    return f"isolated:{spec}" if is_file else spec


# -- playing -----------------------------------------------------------------------------------


class Played(NamedTuple):
    """One match that was played and recorded."""

    seed: int
    players: tuple[str, ...]
    outcome: Outcome
    record: Path
    usage: tuple[Usage | None, ...] = ()  # of the programs, by seat

    def as_json(self) -> dict[str, Any]:
        """What `--json` reports of it."""
        return {
            "seed": self.seed,
            "players": self.players,
            "winners": [self.players[seat] for seat in self.outcome.winners],
            **msgspec.to_builtins(self.outcome),
            "record": str(self.record),
            **({"programs": msgspec.to_builtins(self.usage)} if any(self.usage) else {}),
        }


def play_match(
    game: AnyGame, setup: Any, seed: int, specs: Sequence[str], seatings: Sequence[Seating], path: Path
) -> Played:
    """Play one match in this process, recording it into the new file `path` as it happens."""
    players = [seat(derived(seed, "player", number)) for number, seat in enumerate(seatings)]
    outcome = None
    try:
        with path.open("xb", buffering=0) as file, redirect_stdout(sys.stderr):
            outcome = run(recorded(game, setup, seed, tuple(specs), file.write), players)
    finally:
        usage = farewell(players, outcome)
    return Played(seed, tuple(specs), outcome, path, tuple(usage))


def fresh_folder(out: Path | None, game: AnyGame) -> Path:
    """The folder for new records: `out`, which must hold none, or a new one below ``records``."""
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        if held := next(out.glob("match-*.jsonl"), None):
            raise UsageError(f"--out: {out} already holds {held.name}; choose a new folder")
        return out
    number = 1
    while True:
        folder = Path("records", f"{game.name}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return folder


# -- showing -----------------------------------------------------------------------------------

T = TypeVar("T")


def program() -> str:
    """How to call this program again from here, for hints that can be pasted."""
    if shutil.which("fairplay") or not Path(sys.argv[0]).is_file():
        return "fairplay"
    started = Path(sys.argv[0]).absolute()
    return str(started.relative_to(Path.cwd()) if started.is_relative_to(Path.cwd()) else started)


def print_json(value: Any) -> None:
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2))


@contextmanager
def progress(items: Iterable[T], total: int, label: str, *, quiet: bool) -> Iterator[Iterable[T]]:
    """`items`, with a bar on a terminal's standard error while they are worked through."""
    if quiet or not sys.stderr.isatty():
        yield items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield bar.track(items, total=total)
