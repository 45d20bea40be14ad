"""`python -m bench.strength [BAR ...] [--matches N] [--jobs N]`: do the players that are meant to win, win?

Every match has a deal of its own, and the players move on by one seat from match to match.  A shared win counts in
parts.  What is compared with the bar is the share of wins; its 95 % interval is printed beside it.  The deals come from
a seed that nothing was tuned on.  CPU time a move is that of the thread that thinks, measured in a sample of matches.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bench.series import Score, SeriesScore, play_series, score_result, show_time, start_engine
from fairplay.catalog import find_game
from fairplay.core import FairplayError
from fairplay.core.chance import derived_seed
from fairplay.run.engines.pool import Engine
from fairplay.setups import choose_setup

SEED = 1_511_202_601
"""Of all deals here.  Use another one to tune a player."""

ROOT = Path(__file__).parent.parent
SURVEYOR = f"trusted:{ROOT / 'examples' / 'surveyor.py'}"


class Bar(Struct, frozen=True):
    """Who is to win how often."""

    name: str
    game: str
    variant: str
    rivals: tuple[str, ...]
    bar: float | None = None  # share of wins; None: it is measured, and nothing is asked of it
    matches: int = 400
    player: str = "search"
    setup: dict[str, Any] = {}  # fields that differ from the variant's

    @property
    def line(self) -> str:
        """The bar in words."""
        fields = "".join(f", {key} {value}" for key, value in self.setup.items())
        count = f"{len(self.rivals)} x " if len(self.rivals) > 1 else ""
        return f"{self.game} {self.variant}{fields}: {self.player} against {count}{shorten_spec(self.rivals[0])}"


def shorten_spec(spec: str) -> str:
    """A spec as it is written in the folder of the repository."""
    return spec.replace(sys.executable, "python").replace(f"{ROOT}/", "")


def list_references() -> Iterator[Bar]:
    """What the rule books say of their reference strategies."""
    for rival in ("hold-10", "buy-now"):
        for board in ("small", "continent", "coast"):
            name = f"reference-trains-{rival}-{board}"
            yield Bar(name, "trains", "standard", (rival,), 0.6, 1000, "planner", {"map": board})
    yield Bar("reference-labyrinth", "labyrinth", "multi-goal", ("euclid",), None, 1000, "lookahead", {"goals": 5})


BARS = (
    Bar("fish-greedy", "fish", "standard", ("greedy",), 0.99),
    Bar("fish-surveyor", "fish", "standard", (SURVEYOR,), 0.97),
    Bar("fish-four", "fish", "standard", ("greedy",) * 3, 0.75, 200),
    Bar("fish-original-greedy", "fish", "original", ("greedy",), 0.99),
    Bar("fish-original-surveyor", "fish", "original", (SURVEYOR,), 0.97),
    Bar("fish-original-four", "fish", "original", ("greedy",) * 3, 0.75, 200),
    Bar("trains-two", "trains", "standard", ("planner",), 0.85),
    Bar("trains-four", "trains", "standard", ("planner",) * 3, 0.45, 200),
    Bar("labyrinth-plain", "labyrinth", "plain", ("lookahead",), 0.60),
    Bar("labyrinth-multi-goal", "labyrinth", "multi-goal", ("lookahead",), 0.70),
    Bar("labyrinth-original", "labyrinth", "original", ("lookahead",), 0.70),
    *list_references(),
)


class BarResult(Struct, frozen=True):
    """What was measured of a bar; times are CPU time a move."""

    name: str
    game: str
    variant: str
    setup: dict[str, Any]
    player: str
    rivals: tuple[str, ...]
    matches: int
    share: float
    low: float | None
    high: float | None
    bar: float | None
    passed: bool | None
    faulted: int  # matches in which somebody was removed
    milliseconds: float | None
    rival_milliseconds: float | None

    @property
    def line(self) -> str:
        """The result in words."""
        interval = "" if self.low is None or self.high is None else f" [{self.low:.1%}, {self.high:.1%}]"
        verdict = "" if self.passed is None else f"; bar {self.bar:.0%}: {'passed' if self.passed else 'NOT PASSED'}"
        faults = f"; SOMEBODY WAS REMOVED in {self.faulted}" if self.faulted else ""
        times = f"{show_time(self.milliseconds) or '?'} : {show_time(self.rival_milliseconds) or '?'} ms a move"
        return f"  {self.share:.1%}{interval} of {self.matches} matches, {times}{verdict}{faults}"


def measure_bar(
    engine: Engine, bar: Bar, matches: int | None = None, *, seed: int = SEED, keep: Path | None = None
) -> BarResult:
    """Play the matches of a bar; raises FairplayError where a player or a setup does not exist.

    keep: a file of finished matches.  Those of this bar are not played again, and new ones are added.
    """
    wanted = matches or bar.matches
    score = SeriesScore(read_scores(keep, bar.name, wanted))
    missing = sorted({*range(wanted)} - {known.number for known in score.scores})
    setup = choose_setup(find_game(bar.game), bar.variant, bar.setup)
    specs = (bar.player, *bar.rivals)
    for result in play_series(engine, bar.game, setup, specs, missing, seed=derived_seed(seed, bar.name)):
        score.scores.append(score_result(result))
        if keep is not None:
            write_score(keep, bar.name, score.scores[-1])
    share = score.share
    return BarResult(
        name=bar.name,
        game=bar.game,
        variant=bar.variant,
        setup=bar.setup,
        player=bar.player,
        rivals=tuple(map(shorten_spec, bar.rivals)),
        matches=len(score.scores),
        share=share.value,
        low=share.low,
        high=share.high,
        bar=bar.bar,
        passed=None if bar.bar is None else share.value >= bar.bar,
        faulted=score.faulted,
        milliseconds=score.milliseconds,
        rival_milliseconds=score.rival_milliseconds,
    )


# -- matches that are finished -----------------------------------------------------------------


class ScoreLine(Struct, frozen=True):
    """A line of the file of finished matches."""

    bar: str
    score: Score


def read_scores(file: Path | None, bar: str, wanted: int) -> list[Score]:
    """The finished matches of a bar, as far as they are wanted."""
    if file is None or not file.exists():
        return []
    lines = msgspec.json.Decoder(ScoreLine).decode_lines(file.read_bytes())
    return [line.score for line in lines if line.bar == bar and line.score.number < wanted]


def write_score(file: Path, bar: str, score: Score) -> None:
    """Add a finished match."""
    with file.open("ab") as lines:
        lines.write(msgspec.json.encode(ScoreLine(bar, score)) + b"\n")


# -- the program -------------------------------------------------------------------------------


def pick_bars(bars: Sequence[Bar], names: Sequence[str]) -> list[Bar]:
    """The bars of these names, or whose names begin with them; all where none is given.  Raises SystemExit."""
    known, chosen = [bar.name for bar in bars], set[str]()
    for name in names:
        found = {name} if name in known else {each for each in known if each.startswith(name)}
        if not found:
            sys.exit(f"Error: there is no '{name}'; there are: {', '.join(known)}")
        chosen |= found
    return [bar for bar in bars if not names or bar.name in chosen]


def main(arguments: Sequence[str] | None = None, bars: Sequence[Bar] = BARS) -> int:
    """Measure and print; 1 where a bar was not passed."""
    chosen = read_arguments(arguments)
    results: list[BarResult] = []
    with start_engine(chosen.jobs) as engine:
        for known in pick_bars(bars, chosen.bars):
            bar = replace(known, player=chosen.player or known.player)
            if not chosen.json:
                print(f"{bar.name}: {bar.line}", flush=True)
            try:
                results.append(measure_bar(engine, bar, chosen.matches, seed=chosen.seed, keep=chosen.keep))
            except FairplayError as error:
                sys.exit(f"Error: {error}")
            if not chosen.json:
                print(results[-1].line, flush=True)
    if chosen.json:
        print(msgspec.json.format(msgspec.json.encode(results), indent=2).decode())
    return int(any(result.passed is False for result in results))


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Measure who wins how often.")
    parser.add_argument("bars", nargs="*", metavar="BAR", help="Bars by the beginning of their name; all by default.")
    parser.add_argument("--matches", type=positive, help="Matches for each bar, instead of its own number.")
    parser.add_argument("--jobs", type=positive, default=1, help="Processes that play.")
    parser.add_argument("--player", help="Try this house player instead of the bar's.")
    parser.add_argument("--seed", type=int, default=SEED, help="Of the deals; use another one to tune a player.")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="Go on with the matches in this file, and add to it.")
    parser.add_argument("--json", action="store_true", help="Print the results as JSON.")
    return parser.parse_args(arguments)


def positive(text: str) -> int:
    """A number of at least 1; raises ValueError."""
    if (number := int(text)) < 1:
        raise ValueError
    return number


if __name__ == "__main__":
    sys.exit(main())
