"""Whole matches under the referee: the worked game of the rule book, conversations, and a fault at every call."""

from __future__ import annotations

from typing import Any

import pytest
import regex

from fairplay.core import Ended, Fault, FaultKind, House, Misbehaved, Outcome
from fairplay.core.chance import derived
from fairplay.games.trains import GAME
from fairplay.games.trains.established.wire import CONVERSATION, spell_news, spell_question
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.players.strategies import buy_now
from fairplay.games.trains.state import Dealt, More, Setup
from fairplay.match.replay import start_match
from fairplay.run.inline import play_inline

from .sheets import MAP_M, cards

M = map_from_json(MAP_M)


class Diary:
    """Buy-Now, writing down what it is called with; fails in the n-th call of one name."""

    def __init__(self, fails: str = "", after: int = 0) -> None:
        self.strategy, self.fails, self.after = buy_now(derived(0)), fails, after
        self.calls: list[str] = []
        self.cards: list[str] = []

    def note(self, call: Any) -> None:
        self.calls.append(call.method)
        if call.method == self.fails:
            if not self.after:
                raise Misbehaved(Fault(FaultKind.TIMED_OUT, f"no answer to {call.method}"))
            self.after -= 1

    def choose(self, view: Any) -> Any:
        self.note(spell_question(view))
        return self.strategy(view)

    def hear(self, news: object) -> None:
        if isinstance(news, Dealt | More):
            self.cards += news.cards
        self.note(spell_news(news))


def played(players: list[Any], setup: Setup, seed: int = 1) -> Outcome:
    return play_inline(start_match(GAME, setup, seed, len(players)), players)


WORKED = Setup(map=M, rails=5, deck=cards("rrww" + "bbbw" + "gggw" + "rwg"), destinations="ordered")


def test_the_worked_game_of_the_rule_book() -> None:
    """Trains 13.5."""
    players = [Diary(), Diary(), Diary()]
    outcome = played(players, WORKED)
    assert outcome.ranking == ((0, 1), (2,))
    assert outcome.scores == ((3,), (3,), (-20,))
    assert outcome.ending == "the rails ran out"
    assert players[0].cards == list(cards("rrww" + "rw"))
    assert players[2].cards == list(cards("gggw" + "g"))
    assert players[0].calls == ["setup", "pick", "play", "more", "play", "win"]
    assert players[1].calls == ["setup", "pick", "play", "win"]


@pytest.mark.parametrize("seed", range(6))
def test_conversations_follow_the_protocol(seed: int) -> None:
    """Trains 7.2."""
    players = [Diary() for _ in range(4)]
    played(players, Setup(map="small"), seed)
    for player in players:
        assert regex.fullmatch(CONVERSATION, "".join(f"{call} " for call in player.calls))


@pytest.mark.parametrize(
    ("call", "after"), [("setup", 0), ("pick", 0), ("play", 0), ("play", 4), ("more", 0), ("more", 3)]
)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_who_fails_is_out_at_that_call_and_the_others_play_on(call: str, after: int, seat: int) -> None:
    """Trains 2.8, 6.3, 6.4, 7.3: elimination in every phase."""
    players = [Diary() for _ in range(3)]
    players[seat] = Diary(call, after)
    outcome = played(players, Setup(map="small"))
    assert players[seat].calls[-1] == call
    assert players[seat].calls.count(call) == after + 1
    assert outcome.faults[seat] == Fault(FaultKind.TIMED_OUT, f"no answer to {call}")
    others = {0, 1, 2} - {seat}
    assert {one for tier in outcome.ranking for one in tier} == others
    assert all(players[other].calls[-1] == "win" for other in others)


def test_a_failure_in_setup_means_no_pick() -> None:
    """Trains 2.8."""
    bad = Diary("setup")
    played([bad, Diary()], Setup(map="small"))
    assert bad.calls == ["setup"]


def test_a_winner_failing_in_win_leaves_its_place_empty() -> None:
    """Trains 5.6: the worked game, ann failing at the very end; nobody is promoted."""
    heard: list[object] = []

    class Loser(Diary):
        def hear(self, news: object) -> None:
            heard.append(news)

    outcome = played([Diary("win"), Diary("win"), Loser()], WORKED)
    assert outcome.ranking == ((), (2,))
    assert outcome.winners == ()
    assert heard[-1] == Ended(won=False)


def test_nobody_is_told_anything_after_failing() -> None:
    """Trains 6.3."""
    bad = Diary("play")
    played([bad, Diary()], Setup(map="small"))
    assert bad.calls == ["setup", "pick", "play"]


def test_when_everybody_fails_the_ranking_is_empty() -> None:
    """Trains 5.7, 4.4."""
    for call in ("setup", "pick", "play"):
        outcome = played([Diary(call), Diary(call)], Setup(map="small"))
        assert (outcome.ranking, outcome.ending) == ((), "nobody is left")


def test_a_player_that_raises_is_removed_too() -> None:
    def raising(view: Any) -> Any:
        raise RuntimeError("lost")

    outcome = played([House(raising), Diary()], Setup(map="small"))
    assert outcome.faults[0] is not None
    assert outcome.faults[0].kind is FaultKind.CRASHED
