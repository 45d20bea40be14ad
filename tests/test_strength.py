"""`python -m bench.strength` and `bench.world`: matches on fresh deals, counted, kept and gone on with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest
from bench.ceilings import ToldBelief, play_told
from bench.series import SeriesScore, contest_of, match_of, play_series, score_result, show_time
from bench.strength import BARS, Bar, BarResult, main, measure_bar, pick_bars
from bench.world import MATCHES

from fairplay.catalog import GAMES
from fairplay.contest.contest import Effort, Result
from fairplay.core import Outcome, Seat, Turn
from fairplay.games.labyrinth.game import GAME as LABYRINTH
from fairplay.games.labyrinth.players.belief import GOING_HOME
from fairplay.match.replay import deal_state
from fairplay.run.engines.pool import Inline
from fairplay.setups import choose_setup

TINY = {"rows": 3, "columns": 4}


@pytest.mark.parametrize("bars", [BARS, MATCHES])
def test_every_bar_can_be_dealt_and_names_are_unique(bars: Sequence[Bar]) -> None:
    assert len({bar.name for bar in bars}) == len(bars)
    for bar in bars:
        assert choose_setup(GAMES[bar.game], bar.variant, bar.setup)
        assert 1 + len(bar.rivals) in GAMES[bar.game].seats


def test_seats_rotate_and_every_match_has_its_own_deal() -> None:
    setup = choose_setup(GAMES["fish"], None, TINY)
    results = [*play_series(Inline(), "fish", setup, ("greedy", "random", "random"), range(6), seed=1)]
    assert [result.line_up for result in results[:4]] == [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)]
    assert [result.deal for result in results] == [*range(6)]
    again = [*play_series(Inline(), "fish", setup, ("greedy", "random", "random"), [4, 5], seed=1)]
    assert [result.outcome for result in again] == [result.outcome for result in results[4:]]


def test_shared_wins_count_in_parts() -> None:
    shared = Outcome(((Seat(0), Seat(2)), (Seat(1),)), (None,) * 3, (None,) * 3, "over")
    efforts = (Effort(10, 0.5), Effort(10, 0.1), Effort(10, 0.3))
    scores = [score_result(Result(n, (1, 2, 0), n, shared, b"", 0.0, (), efforts)) for n in range(4)]
    found = SeriesScore(scores)
    assert found.share.value == 0.5 and found.share.low is not None and found.share.low < 0.2
    assert found.milliseconds == pytest.approx(30) and found.rival_milliseconds == pytest.approx(30)
    assert (found.faulted, show_time(found.milliseconds), show_time(None)) == (0, "30", "")


def test_a_series_goes_on_where_it_ended(tmp_path: Path) -> None:
    bar, keep = Bar("tiny", "fish", "standard", ("random",), 0.1, 6, "greedy", TINY), tmp_path / "scores"
    whole = measure_bar(Inline(), bar)
    assert measure_bar(Inline(), bar, 4, keep=keep).matches == 4
    gone_on = measure_bar(Inline(), bar, keep=keep)
    assert (gone_on.matches, gone_on.share, gone_on.passed) == (6, whole.share, True)
    assert len(keep.read_bytes().splitlines()) == 6


def test_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["reference-labyrinth", "--matches", "1", "--player", "euclid", "--json"])
    (result,) = msgspec.json.decode(capsys.readouterr().out, type=list[BarResult])
    assert (code, result.matches, result.player, result.passed) == (0, 1, "euclid", None)
    assert {bar.game for bar in pick_bars(BARS, ["fish"])} == {"fish"}
    assert [bar.name for bar in pick_bars(MATCHES, ["fish-100"])] == ["fish-100"]
    with pytest.raises(SystemExit, match="there is no 'chess'"):
        main(["chess"])
    with pytest.raises(SystemExit, match="has no strategy 'nobody'"):
        main(["fish-greedy", "--player", "nobody"])


def test_who_is_told_everything_knows_every_goal() -> None:
    rules = LABYRINTH.rules
    state = deal_state(LABYRINTH, LABYRINTH.variants["multi-goal"], 3, 2)
    belief, euclid = ToldBelief(state), LABYRINTH.players.strategies["euclid"](Random(1))
    while (seat := rules.to_move(state)) is not None:
        view, rival = rules.view(state, seat), Seat(1 - seat)
        goals, guesses = belief.look(view)
        ((guess, chance),) = guesses[rival].items()
        goal = state.homes[rival] if guess.target == GOING_HOME else goals.all[guess.target]
        assert (goal, chance, guess.found.bit_count()) == (state.targets[rival], 1.0, len({*state.found[rival]}))
        action = euclid(view)
        after = rules.apply(state, action)
        belief.watch(Turn(state, seat, action, after))
        state = after


def test_the_told_search_plays_the_matches_of_the_bar() -> None:
    setup = choose_setup(LABYRINTH, "plain", {"rounds": 3})
    contest = contest_of("labyrinth", setup, ("search:playouts=2", "euclid"), 1)
    results = [play_told(match_of(contest, number), setup) for number in range(2)]
    assert [result.line_up for result in results] == [(0, 1), (1, 0)]
    assert not any(any(result.outcome.faults) for result in results)
