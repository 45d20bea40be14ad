"""What to play: a contest out of a command line or a TOML file."""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairplay.cli.options import FormatOptions, IsolationOptions, SetupOptions, choose_game, read_fields
from fairplay.contest.contest import Contest, Entrant, Hidden, Kinds, Requirement, Stop
from fairplay.contest.planning import ContestTerms, Machine, plan
from fairplay.contest.specs import BotFileSpec, is_trusted, parse_spec, trust_spec
from fairplay.core import AnyGame, UsageError
from fairplay.core.convert import explain_mismatch
from fairplay.game_files import is_path
from fairplay.run.bot_check import try_players
from fairplay.run.entrants import check_requirement
from fairplay.run.house_players import list_playable, parse_seconds, resolve_player
from fairplay.setups import choose_setup, draw_chance


class PlannedPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player: a house strategy, a Python file or a program, and a name if it is to have one of its own."""

    player: str
    name: str = ""


class ContestPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A contest as a person describes it; the keys of the TOML file."""

    game: str
    players: tuple[str | PlannedPlayer, ...]
    format: str = "round-robin"
    options: dict[str, Any] = {}  # of the format
    stop: Stop = Stop()
    variant: str | None = None
    board: str | None = None
    map: str | None = None  # another word for board
    setup: dict[str, Any] = {}
    seed: int | None = None
    secret: str | None = None
    paired_deals: bool = False
    patience: float | None = None
    think: str | float | None = None  # a time a move for house players that search
    ponder: bool = False  # programs may think while others are to move
    require: Requirement = ""


# -- from words to a plan ----------------------------------------------------------------------


def plan_contest(
    game: str, words: Sequence[str], pairing: FormatOptions, dealing: SetupOptions, stop: Stop
) -> ContestPlan:
    """The plan that a command line describes; raises UsageError."""
    players = [parse_player(word) for word in words]
    options: dict[str, object] = {**parse_options(pairing.more), "games": pairing.games, "size": pairing.seats}
    if pairing.shuffle:
        options["shuffle"] = True
    return ContestPlan(
        game=game,
        players=tuple(players),
        format=pairing.format,
        options={key: value for key, value in options.items() if value is not None},
        stop=stop,
        variant=dealing.variant,
        board=dealing.board,
        setup=read_fields(dealing.setup),
        seed=dealing.seed,
        secret=dealing.secret,
        paired_deals=pairing.paired_deals,
        patience=dealing.patience,
        think=dealing.think,
        ponder=dealing.ponder,
    )


def read_plan(path: Path) -> ContestPlan:
    """The plan in a TOML file, beside which others are looked for; raises UsageError with the place of a mistake."""
    try:
        text = path.read_text("utf-8")
        fields = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}") from None
    try:
        wanted = msgspec.convert(fields, ContestPlan)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {explain_mismatch(error, ContestPlan)}") from None
    game = str(path.parent / wanted.game) if is_path(wanted.game) else wanted.game
    return replace(wanted, game=game, players=tuple(_find_beside(path.parent, each) for each in wanted.players))


def _find_beside(folder: Path, player: str | PlannedPlayer) -> PlannedPlayer:
    """The player, whose file is looked for in `folder` if it has one."""
    each = PlannedPlayer(player) if isinstance(player, str) else player
    bot = parse_spec(each.player)
    if not isinstance(bot, BotFileSpec) or bot.trust or Path(bot.path).is_absolute():
        return each
    return PlannedPlayer(str(replace(bot, path=str(folder / bot.path))), each.name or each.player)


def parse_player(word: str) -> PlannedPlayer:
    """A player of the command line: SPEC, or NAME=SPEC."""
    name, equals, spec = word.partition("=")
    return PlannedPlayer(spec, name) if equals and name and ":" not in name else PlannedPlayer(word)


def settle_isolation(wanted: ContestPlan, isolation: IsolationOptions) -> ContestPlan:
    """The plan with what the command line says of trust; raises UsageError."""

    def settle(player: str | PlannedPlayer) -> PlannedPlayer:
        each = PlannedPlayer(player) if isinstance(player, str) else player
        return PlannedPlayer(settle_trust(each.player, trust=isolation.trust), each.name or each.player)

    players, require = tuple(map(settle, wanted.players)), isolation.require or wanted.require
    return replace(wanted, players=players, require=require)


def settle_trust(spec: str, *, trust: bool) -> str:
    """The spec of a player that is trusted, or not; raises UsageError if it asks for trust by itself."""
    if is_trusted(spec) and not trust:
        raise UsageError(f"{spec}: `play` and `tournament run` take a file into their own process with --trust")
    return trust_spec(spec) if trust else spec


_STOP = re.compile(r"\s*(?P<candidate>.+?)\s*>\s*(?P<rival>.+?)(?:\s+by\s+(?P<margin>-?[0-9.]+))?\s*")


def parse_stop(words: str | None, matches: int | None, indifference: float, alpha: float, beta: float) -> Stop:
    """A stop rule out of words such as ``a > b``, ``a > b by 0.05`` or ``a > all``; raises UsageError."""
    if words is None:
        return Stop(matches)
    claim = _STOP.fullmatch(words)
    if claim is None:
        raise UsageError(f"--stop-when: expected 'A > B', 'A > B by 0.05' or 'A > all', got '{words}'")
    try:
        margin = float(claim["margin"] or 0)
    except ValueError:
        raise UsageError(f"--stop-when: '{claim['margin']}' is not a number") from None
    rival = "" if claim["rival"] == "all" else claim["rival"]
    return Stop(matches, claim["candidate"], rival, margin, indifference, alpha, beta)


def parse_options(words: Sequence[str]) -> Mapping[str, str]:
    """``key=value`` words as options; raises UsageError."""
    pairs = [word.partition("=") for word in words]
    if wrong := next((key for key, equals, _ in pairs if not equals), None):
        raise UsageError(f"--option {wrong}: expected NAME=VALUE")
    return {key: value for key, _, value in pairs}


# -- from a plan to a contest ------------------------------------------------------------------


def build_contest(wanted: ContestPlan, hidden: Hidden, *, signs_up: bool = False) -> tuple[AnyGame, Contest]:
    """The game and the contest that a plan describes, checked before the first match; raises UsageError, SetupError.

    signs_up: more players will sign up.  `hidden` is not shown to any of them.
    """
    game = choose_game(wanted.game)
    setup = choose_setup(game, wanted.variant, wanted.setup, wanted.board or wanted.map)
    terms = ContestTerms(
        format=wanted.format,
        options=wanted.options,
        stop=wanted.stop,
        seed=wanted.seed,
        secret=wanted.secret,
        paired_deals=wanted.paired_deals,
        patience=wanted.patience,
        think=None if wanted.think is None else parse_seconds(str(wanted.think)),
        ponder=wanted.ponder,
        require=wanted.require,
        signs_up=signs_up,
    )
    entrants = _name_players(_expand_levels(game, setup, wanted.players))
    return game, plan(game, setup, entrants, terms, draw_chance(), machine_with(hidden))


def machine_with(hidden: Hidden, kinds: Kinds = Kinds()) -> Machine:
    """What this machine can seat; `hidden` is not shown to players."""
    return Machine(resolve_player, partial(check_players, hidden=hidden, kinds=kinds))


def _expand_levels(
    game: AnyGame, setup: object, players: Sequence[str | PlannedPlayer]
) -> Iterator[str | PlannedPlayer]:
    """The players, with all levels that can be played here in the place of `levels`; raises UsageError."""
    for each in players:
        if (each if isinstance(each, str) else each.player) == _LEVELS:
            playable, reason = list_playable(game, setup)
            if reason:
                click.echo(f"Left out: {reason}", err=True)
            yield from playable
        else:
            yield each


_LEVELS = "levels"
"""Stands for every level of the variant."""


def _name_players(players: Iterable[str | PlannedPlayer]) -> list[Entrant]:
    """The players with their names."""
    planned = [PlannedPlayer(each) if isinstance(each, str) else each for each in players]
    return [Entrant(each.name or each.player, each.player) for each in planned]


def check_players(game: AnyGame, contest: Contest, hidden: Hidden, kinds: Kinds = Kinds()) -> None:
    """Find a player that cannot be seated or started, before the first match; raises UsageError.

    A bot file or program is started once as it will play, and `hidden` is not shown to it.  A file is not loaded in
    this process unless it is trusted.
    """
    check_requirement(contest)
    with redirect_stdout(sys.stderr):  # what a bot prints must not mix with our report
        try_players(game, contest, hidden, kinds)
