"""What to play: a contest out of a command line or a TOML file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from fairplay.cli.common import chosen_game, chosen_seed, chosen_setup, isolated, seated
from fairplay.contest.contest import Contest, Stop
from fairplay.contest.contest import Entrant as Contestant
from fairplay.contest.formats.formats import check_options
from fairplay.contest.schedule import check_contest
from fairplay.core import AnyGame, UsageError
from fairplay.play.record import deal

__all__ = ["Plan", "apart", "entrant", "from_file", "options_of", "planned", "stop_when"]


class Entrant(Struct, frozen=True, forbid_unknown_fields=True):
    """A player of a TOML file: a house strategy or a Python file, with a name of its own."""

    player: str
    name: str = ""


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament as a person describes it; keys of the TOML file."""

    game: str
    players: tuple[str | Entrant, ...]
    format: str = "round-robin"
    options: dict[str, Any] = {}  # of the format
    stop: Stop = Stop()
    variant: str | None = None
    board: str | None = None
    map: str | None = None  # the same, as it is called in Trains
    setup: dict[str, Any] = {}
    seed: int | None = None
    patience: float | None = None


def from_file(path: Path) -> Plan:
    """The plan in a TOML file; bot files are looked for beside it; raises UsageError with the place of a mistake."""
    try:
        text = path.read_text("utf-8")
        fields = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}") from None
    try:
        plan = msgspec.convert(fields, Plan)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {str(error).replace('`', '')}") from None
    return msgspec.structs.replace(plan, players=tuple(beside(path.parent, each) for each in plan.players))


def beside(folder: Path, entrant: str | Entrant) -> Entrant:
    each = Entrant(entrant) if isinstance(entrant, str) else entrant
    file, colon, function = each.player.partition(":")
    if not file.endswith(".py") or Path(file).is_absolute():
        return each
    return Entrant(f"{folder / file}{colon}{function}", each.name or each.player)


def planned(plan: Plan, *, complete: bool = True) -> tuple[AnyGame, Contest]:
    """The game and the contest that `plan` describes, checked before the first match; raises UsageError, SetupError.

    One that is not `complete` will get more players, who sign up.
    """
    game = chosen_game(plan.game)
    setup = chosen_setup(game, plan.variant, plan.setup, plan.board or plan.map)
    entrants = named(plan.players)
    options = check_options(plan.format, plan.options)
    patience = game.patience if plan.patience is None else plan.patience
    seated(game, [spec for _, spec in entrants], patience)
    contest = Contest(
        game.name,
        tuple(Contestant(*each) for each in entrants),
        plan.format,
        options,
        msgspec.Raw(msgspec.json.encode(setup)),
        chosen_seed(plan.seed),
        patience,
        plan.stop,
    )
    if complete:
        check_contest(game, contest, setup)
    else:
        deal(game, setup, contest.seed, game.seats[0])
    return game, contest


def named(players: Sequence[str | Entrant]) -> list[tuple[str, str]]:
    """Names and specs; raises UsageError where two have one name."""
    entrants = [Entrant(each) if isinstance(each, str) else each for each in players]
    pairs = [(each.name or each.player, each.player) for each in entrants]
    names = [name for name, _ in pairs]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"two players are called '{twice}'; give one of them another name: NAME={twice}")
    return pairs


def entrant(word: str) -> Entrant:
    """A player of the command line: SPEC, or NAME=SPEC."""
    name, equals, spec = word.partition("=")
    return Entrant(spec, name) if equals and name and ":" not in name else Entrant(word)


STOP = re.compile(r"\s*(?P<candidate>.+?)\s*>\s*(?P<rival>.+?)(?:\s+by\s+(?P<margin>-?[0-9.]+))?\s*")


def stop_when(words: str | None, matches: int | None, indifference: float, alpha: float, beta: float) -> Stop:
    """A stop rule out of words such as ``a > b``, ``a > b by 0.05`` or ``a > all``; raises UsageError."""
    if words is None:
        return Stop(matches)
    found = STOP.fullmatch(words)
    if found is None:
        raise UsageError(f"--stop-when: expected 'A > B', 'A > B by 0.05' or 'A > all', got '{words}'")
    try:
        margin = float(found["margin"] or 0)
    except ValueError:
        raise UsageError(f"--stop-when: '{found['margin']}' is no number") from None
    rival = "" if found["rival"] == "all" else found["rival"]
    return Stop(matches, found["candidate"], rival, margin, indifference, alpha, beta)


def apart(entrant: Entrant) -> Entrant:
    """The same player in a process of its own, under the same name."""
    return Entrant(isolated(entrant.player), entrant.name or entrant.player)


def options_of(words: Sequence[str]) -> Mapping[str, str]:
    """``key=value`` words as options; raises UsageError."""
    pairs = [word.partition("=") for word in words]
    if wrong := next((key for key, equals, _ in pairs if not equals), None):
        raise UsageError(f"--option {wrong}: expected NAME=VALUE")
    return {key: value for key, _, value in pairs}
