"""A tournament on a terminal: tables, the bracket of a knock-out, faults with their reasons, and what answers took."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from fairplay.contest.contest import Effort
from fairplay.contest.formats.swiss import SwissRow
from fairplay.contest.schedule import Bracket, Pairing
from fairplay.contest.scoreboard import FaultGroup, Meeting, StandingsRow, Tables, describe_group, describe_levels
from fairplay.contest.statistics import Estimate
from fairplay.core import AnyGame
from fairplay.core.names import escape_controls
from fairplay.report.text_table import Column, build_table, find_width, print_table

if TYPE_CHECKING:
    from rich.progress import Progress
    from rich.table import Table

MAX_PRINTED_CROSS = 12
"""With more players than this, no cross-table is printed."""

NO_INTERVAL = "Some figures have no interval: there were too few matches."


def print_standings(game: AnyGame, rows: Sequence[StandingsRow], *, wide: bool = False) -> None:
    """Print the standings alone."""
    print_table(standings_table(game, rows, _choose_width(wide)))
    if notes := describe_notes(rows):
        sys.stdout.write("\n" + "\n".join(notes) + "\n")


def print_tables(game: AnyGame, tables: Tables, *, wide: bool = False) -> None:
    """Print the standings with ratings, the order of a Swiss tournament, then who beat whom."""
    width = _choose_width(wide)
    print_table(standings_table(game, tables.standings, width))
    if tables.swiss:
        sys.stdout.write("\n")
        print_table(_swiss_table(tables.swiss, width))
    if tables.order and len(tables.order) <= MAX_PRINTED_CROSS:
        sys.stdout.write("\n")
        print_table(_cross_table(tables.order, tables.cross, width))


def _choose_width(wide: bool) -> int | None:
    """How wide a table may be; None: as wide as it is."""
    return None if wide else find_width()


def describe_notes(rows: Sequence[StandingsRow]) -> list[str]:
    """What must be known to read the tables: missing intervals, and the levels unless all players are of the house."""
    figures = [row.rating for row in rows if row.matches] + [row.average for row in rows]
    levels = escape_controls(describe_levels(rows))
    missing = any(figure is not None and figure.interval is None for figure in figures)
    return [*([NO_INTERVAL] if missing else []), *([levels] if levels else [])]


def standings_table(game: AnyGame, rows: Sequence[StandingsRow], width: int | None = None) -> Table:
    """The standings, figures with their 95 % intervals; narrower than `width` if it can be."""
    columns = [Column("matches", [str(row.matches) for row in rows])]
    if any(row.rating for row in rows):
        columns.insert(
            0, Column("rating", [f"{row.rating:.0f}" if row.rating and row.matches else "-" for row in rows])
        )
    columns.append(_share_column("won", [(row.matches, row.wins, row.win_share) for row in rows]))
    if width is None or any(row.ties for row in rows):
        ties = _share_column("tied", [(row.matches, row.ties, row.tie_share) for row in rows], order=2)
        columns.append(ties._replace(short=[str(row.ties) for row in rows]))
    averages = [f"{row.average:.1f}" if row.average else "-" for row in rows]
    shortened = [f"{row.average.value:.1f}" if row.average else "-" for row in rows]
    columns.append(Column(f"average\n{game.unit}", averages, shortened, order=1))
    if width is None or any(row.faults or row.absences for row in rows):
        faults = _share_column("faults", [(row.matches, row.faults, row.fault_share) for row in rows])
        columns.append(faults._replace(short=[str(row.faults) for row in rows]))
    if any(row.absences for row in rows):
        columns.append(Column("absent", [str(row.absences) for row in rows]))
    title = f"{game.name}: standings, with 95 % intervals"
    return build_table(title, [row.player for row in rows], columns, width)


def _share_column(heading: str, shares: Sequence[tuple[int, int, Estimate]], order: int = 0) -> Column:
    """A column of counts as shares of the matches, given with the number of matches and the count."""
    whole = [f"{count} = {share:.0%}" if matches else "-" for matches, count, share in shares]
    short = [_shorten_share(share) if matches else "-" for matches, _, share in shares]
    return Column(heading, whole, short, order)


def _shorten_share(share: Estimate) -> str:
    """A share with its interval in as few letters as can be read."""
    low, high = share.interval or (0.0, 1.0)
    return f"{share.value:.0%} [{100 * low:.0f}, {100 * high:.0f}]"


def _swiss_table(rows: Sequence[SwissRow], width: int | None = None) -> Table:
    """The order of a Swiss tournament, with what breaks ties."""
    columns = [
        Column("points", [f"{row.points:.3f}" for row in rows]),
        Column("Buchholz", [f"{row.buchholz:.3f}" for row in rows]),
        Column("direct", [f"{row.direct:+d}" for row in rows]),
    ]
    title = "Swiss order: points, then Buchholz points, then direct encounter"
    return build_table(title, [f"{row.place}. {row.player}" for row in rows], columns, width)


def _cross_table(order: Sequence[str], cross: Sequence[Sequence[Meeting | None]], width: int | None = None) -> Table:
    """Points of each row against each column, in per cent."""
    columns = [
        Column(str(number), ["·" if cell is None else f"{100 * cell.share.value:.0f}" for cell in column])
        for number, column in enumerate(zip(*cross, strict=True), 1)
    ]
    names = [f"{number}. {name}" for number, name in enumerate(order, 1)]
    return build_table("points won against each other, in per cent", names, columns, width)


_MAX_GROUPS = 8
"""Groups of faults that are shown below a table."""

_MAX_PAIRINGS = 16
"""Matches of a round of a bracket that are shown."""


def format_match_count(count: int) -> str:
    """A number of matches, as people write it."""
    return f"{count:,} match{'' if count == 1 else 'es'}"


# -- faults ------------------------------------------------------------------------------------


def describe_faults(groups: Sequence[FaultGroup], width: int) -> list[str]:
    """A paragraph for each of the most frequent faults; nothing if there are none."""
    if not groups:
        return []
    lines = ["Thrown out:"]
    for group in groups[:_MAX_GROUPS]:
        lines += wrap_lines(f"{group.player}: {describe_group(group)}", width, "  ", "      ")
    if (left := len(groups) - _MAX_GROUPS) > 0:
        lines.append(f"  and {left} more kind{'' if left == 1 else 's'} of fault")
    return lines


def wrap_lines(text: str, width: int, first: str, others: str) -> list[str]:
    """`text` in lines that fit; at most three of them."""
    return textwrap.wrap(
        text, max(width, 40), initial_indent=first, subsequent_indent=others, max_lines=3, placeholder=" ..."
    )


# -- the bracket -------------------------------------------------------------------------------


def describe_bracket(bracket: Bracket, width: int) -> list[str]:
    """A knock-out round by round, who met whom and who went on; then who won it."""
    lines = ["knock-out"]
    last = len(bracket.rounds)
    for number, pairings in enumerate(bracket.rounds, 1):
        title = "final" if number == last and len(pairings) == 1 else f"round {number}"
        lines += _describe_round(title, pairings, width)
    if bracket.winners:
        verb = "Winner" if len(bracket.winners) == 1 else "Winners"
        lines += wrap_lines(f"{verb}: {', '.join(bracket.winners)}", width, "", "  ")
    return lines


def _describe_round(title: str, pairings: Sequence[Pairing], width: int) -> Iterator[str]:
    """The matches of a round, its title before the first."""
    indent = " " * 11
    for index, pairing in enumerate(pairings[:_MAX_PAIRINGS]):
        first = f"  {title:9}" if index == 0 else indent
        yield from wrap_lines(_describe_pairing(pairing), width, first, indent + "  ")
    if (left := len(pairings) - _MAX_PAIRINGS) > 0:
        yield f"{indent}and {format_match_count(left)} more"


def _describe_pairing(pairing: Pairing) -> str:
    """A match of a bracket: who met, with their scores, and who went on."""
    if not pairing.played:
        return ", ".join(pairing.names)
    scores = ("out" if score is None else str(score) for score in pairing.scores)
    met = ", ".join(f"{name} {score}" for name, score in zip(pairing.names, scores, strict=True))
    return f"{met} -> {', '.join(pairing.winners) or 'nobody'}"


_MOST_NAMED = 12
"""Players that are named; the slowest come first."""

_WIDTH = 80


def describe_efforts(efforts: Mapping[str, Effort]) -> list[str]:
    """Lines that say how long each player takes for a move; none if nobody knows."""
    known = sorted(
        ((name, each) for name, each in efforts.items() if each.answers), key=lambda pair: -_per_move(pair[1])
    )
    texts = [f"{name} {_describe_effort(each)}" for name, each in known[:_MOST_NAMED]]
    more = [f"and {len(known) - _MOST_NAMED} quicker ones"] if len(known) > _MOST_NAMED else []
    return textwrap.wrap(f"CPU time a move: {', '.join(texts + more)}.", _WIDTH) if known else []


def _describe_effort(effort: Effort) -> str:
    """The time for one move, such as ``0.31 ms`` or ``1.2 s by the clock``."""
    return format_seconds(_per_move(effort)) + (" by the clock" if effort.clock == "wall" else "")


def _per_move(effort: Effort) -> float:
    """Seconds for one answer; ASSUME there was one."""
    return effort.seconds / effort.answers


def format_seconds(seconds: float) -> str:
    """Two digits that matter, in the unit that people would use."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2g} {unit}" if seconds < 100 * size else f"{seconds / size:.0f} {unit}"
    return f"{seconds * 1e6:.2g} µs" if seconds < 1e-4 else f"{seconds * 1e6:.0f} µs"


def make_bar(label: str) -> Progress:
    """A bar on the terminal that goes when all is done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
