"""`fairplay play`: matches between house players, bots of your own and programs."""

from __future__ import annotations

import textwrap
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from fairplay.cli import options, output
from fairplay.cli.contest_plan import machine_with, settle_trust
from fairplay.cli.matches.person import TERMINAL, TERMINAL_KINDS, seat_people
from fairplay.cli.storage import RecordFolder, StoredContest, explain_stop, hide_files, open_contest_store, prepare_logs
from fairplay.contest.contest import Contest, Effort, Entrant, Hidden, Match, Result, add_efforts, number_names
from fairplay.contest.planning import PONDER_MARK, describe_thinking, list_budgets, plan
from fairplay.contest.scoreboard import Standings, group_faults
from fairplay.contest.specs import PERSON
from fairplay.core import AnyGame, RuleBookError, Seat
from fairplay.match.record import Isolation
from fairplay.match.replay import deal_state
from fairplay.report.json_output.matches import SeriesDocument, SeriesMatch
from fairplay.report.terminal import describe_efforts, describe_faults, print_standings
from fairplay.report.text_table import find_width
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Inline
from fairplay.run.isolation.program import Usage
from fairplay.setups import choose_setup, draw_chance

WIDTH = 80
"""Columns that every terminal has."""

_INDENT = " " * 6

_LONGEST_NAME = 40
"""Characters of a name in a table."""

_SHOWN_STDERR_LINES = 5
"""Lines of a program's standard error that are printed if there is no file for them."""


@click.command(
    "play",
    epilog="""\b
A PLAYER is a house player by its level, from beginner to master or from level-1, as
`fairplay games` lists them; a house strategy, such as minimax or minimax:depth=3; a Python file with
a function from view to action: my_bot.py, or my_bot.py:name; a program in any
language that speaks the native protocol: 'cmd:./my_bot --flag'; or human, which is you.
Players sit in the order given. Match i of several is dealt from SEED + i.
Every match is kept in the store (--db), where `fairplay replay` and the web page find it.

\b
Examples:
  fairplay play fish minimax greedy
  fairplay play fish human easy
  fairplay play fish search greedy --think 100ms
  fairplay play fish minimax:depth=3 random random --seed 7 --variant original
  fairplay play fish my_bot.py minimax --setup '{"rows": 5, "columns": 5, "fish": 2}'
  fairplay play fish my_bot.py greedy --games 100 --json
  fairplay play fish my_bot.py 'cmd:node my_bot.js' --require sandboxed
  fairplay play fish my_bot.py greedy --games 1000 --trust
  fairplay play trains planner buy-now hold-10 --board small --out records
""",
)
@click.argument("game")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="Number of matches to play.")
@options.setup_options
@options.store_options
@options.isolation_options
@options.logs_option
@options.strict_option
@options.json_option
def command(
    game: str,
    players: tuple[str, ...],
    games: int,
    dealing: options.SetupOptions,
    keeping: options.StoreOptions,
    isolation: options.IsolationOptions,
    logs: Path | None,
    *,
    strict: bool,
    as_json: bool,
) -> None:
    """Play matches and say who won.

    The same seed gives house players the same match on every machine; with anyone else it takes the same --secret, too.
    """
    chosen = options.choose_game(game)
    setup = choose_setup(chosen, dealing.variant, options.read_fields(dealing.setup), dealing.board)
    names, specs = number_names(players), [settle_trust(spec, trust=isolation.trust) for spec in players]
    draw = draw_chance(options.choose_seed(dealing.seed))
    state = deal_state(chosen, setup, draw.seed, len(players))
    specs = seat_people(chosen, state, specs, names, dealing.patience)
    hidden = hide_files(keeping.db, keeping.key, folders=(logs, keeping.out))
    terms = dealing.terms("series", {"games": games}, isolation.require)
    contest = plan(chosen, setup, map(Entrant, names, specs), terms, draw, machine_with(hidden, TERMINAL_KINDS))
    output.warn_of_seed(contest)
    quiet, log_folder = as_json or PERSON in players, prepare_logs(logs)
    with open_contest_store(keeping) as store:
        stored = store.create(contest)
        series = Series(chosen, contest, stored, store.files, hidden, log_folder)
        failed = None
        try:
            with (
                explain_stop(lambda: None if PERSON in players else stored),  # nobody can resume what a person thinks
                output.track_progress(series.play(quiet=quiet), games, "playing", quiet=quiet) as results,
            ):
                deque(results, maxlen=0)
        except RuleBookError as error:
            failed = error
    _show_series(series, as_json=as_json)
    if failed is not None:
        raise failed
    if strict:
        output.fail_where_thrown_out(series.thrown_out)


def _show_series(series: Series, *, as_json: bool) -> None:
    """EFFECT: prints what was played, if anything was."""
    if as_json:
        setup = msgspec.json.decode(series.contest.setup, type=series.game.setup)
        output.print_json(SeriesDocument(series.game.name, setup, tuple(map(series.describe, series.results))))
    elif series.contest.options["games"] == 1 and series.results:
        _show_match(series)
    elif series.results:
        _show_matches(series)


class Series:
    """The matches of one command, with their results, and where they are kept."""

    def __init__(
        self,
        game: AnyGame,
        contest: Contest,
        stored: StoredContest,
        files: RecordFolder,
        hidden: Hidden,
        logs: str = "",
    ) -> None:
        self.game, self.contest, self.stored, self.files = game, contest, stored, files
        self.hidden, self.logs = hidden, logs
        self.efforts: dict[str, Effort] = {}  # by name
        self.usage: dict[int, list[Usage | None]] = {}  # of the programs, by seat
        self.results: list[Result] = []

    def play(self, *, quiet: bool) -> Iterator[Result]:
        """Play the matches; every result once it is kept.  EFFECT: `results` holds them too."""
        competition = Competition(self.game, self.contest, self.stored.keeper)
        engine = Inline(self._note_usage, logs=self.logs, hidden=self.hidden, kinds=TERMINAL_KINDS)
        specs = [entrant.spec for entrant in self.contest.entrants]
        pace = output.Pace(self.contest.options["games"], specs, quiet=quiet)
        for result in competition.results(engine):
            self.files.write(result)
            add_efforts(self.efforts, self.contest, result)
            if self.contest.options["games"] > 1:
                TERMINAL.end_match(result.number, self.name_winners(result))
            pace.note_match()
            self.results.append(result)
            yield result

    def _note_usage(self, match: Match, usage: list[Usage | None]) -> None:
        self.usage[match.number] = usage

    def name_winners(self, result: Result) -> str:
        """Who won a match, in words."""
        return ", ".join(self.contest.names[seat] for seat in result.outcome.winners) or "nobody"

    @property
    def thrown_out(self) -> list[str]:
        """Those players who were thrown out of some match."""
        faults = zip(*(result.outcome.faults for result in self.results), strict=True)
        return [name for name, each in zip(self.contest.names, faults, strict=True) if any(each)]

    def seed_of(self, result: Result) -> int:
        """The seed that the match was dealt from."""
        return self.contest.seed + result.deal

    def record_of(self, result: Result) -> str | None:
        """Where the record is, as `fairplay replay` takes it: in the store, else in a file, else nowhere."""
        path = self.files.path(result.number)
        if self.stored.lasting:
            return self.stored.reference(result.number)
        return None if path is None else str(path)

    def describe(self, result: Result) -> SeriesMatch:
        """What `--json` reports of a match."""
        names, usage, outcome = self.contest.names, self.usage.get(result.number, []), result.outcome
        house: Isolation = "house"
        return SeriesMatch(
            seed=self.seed_of(result),
            seed_chosen=self.contest.seed_chosen,
            ponder=self.contest.ponder,
            secret=self.contest.secret,
            players=names,
            levels=result.levels or (house,) * len(names),
            winners=tuple(names[seat] for seat in outcome.winners),
            ranking=outcome.ranking,
            scores=outcome.scores,
            faults=outcome.faults,
            ending=outcome.ending,
            record=self.record_of(result),
            efforts=result.efforts,
            budgets=self._list_budgets(),
            programs=tuple(usage) if any(usage) else msgspec.UNSET,
        )

    def _list_budgets(self) -> tuple[float | None, ...] | msgspec.UnsetType:
        budgets = list_budgets(self.game, self.contest.entrants)
        return tuple(map(budgets.get, self.contest.names)) if budgets else msgspec.UNSET


def _show_match(series: Series) -> None:
    """Who sat where, what they scored, who won, and how to see more."""
    (result,) = series.results
    game, names, outcome = series.game, series.contest.names, result.outcome
    shown = [_shorten_name(name) for name in names]
    width = max(map(len, shown))
    for number, player in enumerate(shown):
        score, fault = outcome.scores[number], outcome.faults[number]
        place = next((str(tier + 1) for tier, seats in enumerate(outcome.ranking) if number in seats), "-")
        line = f"{score[0]} {game.unit}" if score else f"{fault.kind}: {fault.detail}" if fault else "eliminated"
        text = f"{place:>2}. {player:{width}}  {game.words.seat_name(Seat(number)):8} {line}"
        for piece in _fold_text(text):
            output.echo(piece, bold=number in outcome.winners)
    output.echo(f"\n{series.name_winners(result)} won ({outcome.ending}; seed {series.seed_of(result)}).")
    if result.levels:
        levels = ", ".join(f"{name} {level}" for name, level in zip(names, result.levels, strict=True))
        output.echo("\n".join(_fold_text(f"Levels: {levels}.")))
    _show_usage(series, result)
    _show_thinking(series)
    _show_hints(series, result)
    _show_efforts(series)


def _shorten_name(name: str) -> str:
    """A name that leaves room for the rest of a row; of a long one the end says most."""
    return name if len(name) <= _LONGEST_NAME else f"…{name[1 - _LONGEST_NAME :]}"


def _fold_text(text: str) -> Iterator[str]:
    """A row of a table in lines that a terminal has room for; all but the first are indented."""
    for number, line in enumerate(text.splitlines()):
        yield from textwrap.wrap(line, WIDTH, initial_indent=_INDENT if number else "", subsequent_indent=_INDENT)


def _show_usage(series: Series, result: Result) -> None:
    """What each program used, and the end of what it wrote to its standard error, unless its fault says that."""
    for seat, usage in enumerate(series.usage.get(result.number, [])):
        if usage is None:
            continue
        cpu = f"{usage.cpu:.2f} s of CPU time, {usage.start:.2f} s of it to start"
        used = f"{usage.replies} replies in {usage.seconds:.2f} s, {cpu}"
        output.echo("\n".join(_fold_text(f"{series.contest.names[seat]} (seat {seat}): {used}")))
        last, fault = usage.stderr.splitlines()[-_SHOWN_STDERR_LINES:], result.outcome.faults[seat]
        if last and not series.logs and (fault is None or last[-1] not in fault.detail):
            click.echo("  the end of what it printed (--logs FOLDER keeps more of it):")
            for line in last:
                output.echo("\n".join(_fold_text(f"\n{line}")).lstrip("\n"))


def _show_matches(series: Series) -> None:
    """A table of all matches, and why players were thrown out."""
    names, game = series.contest.names, series.game
    labels = [f"{player} ({game.words.seat_name(Seat(seat))})" for seat, player in enumerate(names)]
    standings = Standings(labels, paired=False)
    for result in series.results:
        standings.add(result.number, range(len(names)), result.outcome, result.levels)
    print_standings(game, standings.table())
    faults = group_faults(labels, ((each.number, range(len(names)), each.outcome.faults) for each in series.results))
    if lines := describe_faults(faults, find_width()):
        output.echo("\n" + "\n".join(lines) + "\n")
    first, last = (series.seed_of(series.results[index]) for index in (0, -1))
    click.echo(f"{len(series.results)} matches, seeds {first} to {last}.")
    _show_thinking(series)
    _show_hints(series, series.results[0])
    _show_efforts(series)


def _show_thinking(series: Series) -> None:
    """Who was allowed to think when, and who thinks by time, so that nobody can play the match again."""
    ponder = [PONDER_MARK] if series.contest.ponder else []
    for sentence in [*ponder, *describe_thinking(series.game, series.contest.entrants)]:
        output.echo("\n".join(_fold_text(sentence)))


def _show_efforts(series: Series) -> None:
    """How long each player took for a move, and where the logs are."""
    for line in describe_efforts(series.efforts):
        output.echo(line)
    if series.logs:
        output.echo(f"Logs: {series.logs}")


def _show_hints(series: Series, result: Result) -> None:
    """How to see a match again."""
    record = series.record_of(result)
    if record is None:
        return
    short = series.stored.short_reference(result.number) if series.stored.lasting else record
    short += options.file_words(series.game.name)
    click.echo(f"Record: {record}")
    click.echo(f"  {output.program_name()} replay {short}                  # step through it")
    click.echo(f"  {output.program_name()} replay {short} --svg last.svg   # draw how it ended")
