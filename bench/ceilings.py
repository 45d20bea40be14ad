"""`python -m bench.ceilings [VARIANT ...] [--matches N]`: what the search of Labyrinth could win if it knew all goals.

The same search with the same budget is told the rivals' goals instead of guessing them.  It is not a player, since it
sees what nobody may see: it says how much better guesses could be worth.  It plays the matches of `bench.strength`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from bench.series import Score, SeriesScore, contest_of, match_of, score_result, show_time
from bench.strength import BARS, SEED, Bar, positive
from fairplay.contest.contest import Match, Result
from fairplay.core import House, Removed, Seat, Turn
from fairplay.core.chance import derived_seed
from fairplay.games.labyrinth.game import GAME
from fairplay.games.labyrinth.players.belief import GOING_HOME, GoalBelief, Goals, Guess, Guesses
from fairplay.games.labyrinth.players.search import MazeSearcher
from fairplay.games.labyrinth.state import Action, State, View
from fairplay.match.players import house_strategy
from fairplay.match.referee import referee
from fairplay.match.replay import deal_state
from fairplay.run.engines.worker import measure_effort, meter_players
from fairplay.run.inline import play_inline
from fairplay.setups import choose_setup


class ToldBelief(GoalBelief):
    """What one seat knows about the others where it is shown everything."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state = state

    def look(self, view: View) -> tuple[Goals, Mapping[Seat, Guesses]]:
        """For each seat but mine what it looks for."""
        goals = Goals(view, going_home=view.me in self.state.homeward)
        return goals, {seat: {self._goal_of(goals, seat): 1.0} for seat in goals.rivals}

    def _goal_of(self, goals: Goals, seat: Seat) -> Guess:
        numbers = {goals.numbers[goal] for goal in self.state.found[seat] if goal in goals.numbers}
        target = GOING_HOME if seat in self.state.homeward else goals.numbers[self.state.targets[seat]]
        return Guess(target, sum(1 << number for number in numbers))

    def watch(self, event: Turn[State, Action] | Removed[State]) -> None:
        """See what became of the match."""
        self.state = event.after


def play_told(match: Match, setup: Any) -> Result:
    """Play a match of a bar, the first player of which is told everything."""
    state = deal_state(GAME, setup, match.seed, len(match.line_up))
    belief = ToldBelief(state)
    players = []
    for player, entrant, chance in zip(match.line_up, match.entrants, match.chances, strict=True):
        strategy: Any = house_strategy(GAME, entrant.spec, Random(chance))
        if player == 0:
            assert isinstance(strategy, MazeSearcher), "only this search can be told"
            strategy.belief = belief
        players.append(House(strategy))
    meters = meter_players(players)
    outcome = play_inline(referee(GAME, state, len(players)), players, [belief.watch])
    efforts = tuple(map(measure_effort, players, meters))
    return Result(match.number, match.line_up, match.deal, outcome, b"", 0.0, (), efforts)


def play_bar(bar: Bar, matches: int) -> Iterator[Score]:
    """Play the first matches of a bar again."""
    setup = choose_setup(GAME, bar.variant, bar.setup)
    contest = contest_of(bar.game, setup, (bar.player, *bar.rivals), derived_seed(SEED, bar.name))
    play_told(match_of(contest, 0), setup)  # compiles what is compiled at the first use
    for number in range(matches):
        yield score_result(play_told(match_of(contest, number), setup))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    bars = {bar.variant: bar for bar in BARS if bar.game == "labyrinth" and bar.player == "search"}
    parser = argparse.ArgumentParser(description="Measure what better guesses could be worth in Labyrinth.")
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help=f"Of {', '.join(bars)}; all by default.")
    parser.add_argument("--matches", type=positive, help="Matches for each variant, instead of those of the bar.")
    chosen = parser.parse_args(arguments)
    for variant in chosen.variants:
        if variant not in bars:
            parser.error(f"there is no variant '{variant}'; there are: {', '.join(bars)}")
    for variant in chosen.variants or bars:
        bar = bars[variant]
        score = SeriesScore(play_bar(bar, chosen.matches or bar.matches))
        print(f"{bar.line}, and told its goals")
        print(
            f"  {score.share:.1%} of {len(score.scores)} matches, {show_time(score.milliseconds)} ms a move", flush=True
        )


if __name__ == "__main__":
    main()
