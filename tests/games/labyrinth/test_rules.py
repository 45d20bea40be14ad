"""The rule book of Labyrinth, rule by rule, and beside a naive second writing of it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, cast

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from fairplay.core import Began, Ended, Fault, FaultKind, House, Outcome, Removed, Seat, Turn
from fairplay.core.chance import below, choice, derived
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.board import NOWHERE, Slide
from fairplay.games.labyrinth.state import Move, NextTarget, Pass, Setup, State
from fairplay.match.players import MisbehavingPlayer
from fairplay.match.referee import rank, referee
from fairplay.run.inline import play_inline
from kit import Perft, kit, walk

from .reference import Match
from .worlds import ANN, BOB, STATE_T, STATE_T0, form, open_board, plain, player, same, started, to, turns, twin

TABLES = kit("labyrinth").tables
FAULT = Fault(FaultKind.CRASHED)


def refereed(state: State, *players: Any) -> Outcome:
    return play_inline(referee(GAME, state, len(players)), players)


def always(action: Any) -> House:
    return House(lambda view: action)


def script(*actions: Any) -> House:
    """Plays these actions one after the other, then passes."""
    left = list(actions)
    return House(lambda view: left.pop(0) if left else Pass())


# -- beside the reference ----------------------------------------------------------------------


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=120)
def test_a_random_match_goes_as_in_the_reference(data: st.DataObject, seed: int) -> None:
    table, rng = data.draw(TABLES), derived(seed, "test")
    state = rules.start(table.setup, table.seats, derived(seed, "deal"))
    match = twin(state)
    for turn in range(60):
        mover = rules.to_move(state)
        assert mover == match.on_turn()
        if mover is None:
            break
        legal = rules.legal_actions(rules.view(state, mover))
        if turn % 4 == 0:  # the reference takes its time
            assert set(map(plain, legal)) == match.legal(mover)
        if below(rng, 12) == 0:
            state = rules.remove(state, mover)
            match.expel(mover)
            continue
        aims = [move for move in legal if isinstance(move, Move) and move.to == state.targets[mover]]
        action = choice(rng, legal if below(rng, 3) else aims or legal)
        action = Pass() if Pass() in legal and below(rng, 4) == 0 else action
        after = rules.apply(state, action)
        told = match.take(plain(action))
        assert [news for _, news in rules.notices(Turn(state, mover, action, after))] == (
            [] if told is None else [NextTarget(told)]
        )
        state = after
        if told is not None and below(rng, 4) == 0:  # Labyrinth 3.9
            state = rules.remove(state, mover)
            match.expel(mover)
        same(state, match)
    assert rank(rules.scores(state)) == tuple(map(tuple, match.ranking()))


# -- the worked examples -----------------------------------------------------------------------


def test_the_example_of_a_slide() -> None:
    """Labyrinth 3.12."""
    state = started()
    legal = rules.legal_actions(rules.view(state, ANN))
    ends = {move.to for move in legal if isinstance(move, Move) and (move.index, move.direction) == (2, "RIGHT")
            and move.degree == 90}  # fmt: skip
    assert ends == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert not any(isinstance(move, Move) and (move.index, move.direction) == (0, "RIGHT") for move in legal)
    after = turns(state, to(2, "RIGHT", (1, 2), 90))
    assert after.avatars == ((1, 2), (2, 2))
    assert after.last == Slide(2, "RIGHT")
    assert after.turn == BOB


def test_the_example_of_a_queue_of_goals() -> None:
    """Labyrinth 3.13."""
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    assert state.found == ((), ((1, 1),))
    assert state.targets[BOB] == (1, 3) == state.homes[BOB]
    assert BOB not in state.homeward, "his home, but not the last goal"
    state = turns(state, to(2, "DOWN", (1, 3), 270))
    assert state.found[ANN] == ((1, 3),)
    assert state.targets[ANN] == (1, 1)
    assert ANN in state.homeward, "the last goal, and her home"
    state = turns(state, to(2, "LEFT", (1, 3)))
    assert len(state.found[BOB]) == 2
    assert state.targets[BOB] == (1, 3) == state.avatars[BOB]
    assert BOB in state.homeward
    state = turns(state, to(2, "LEFT", (1, 1)))
    assert state.turn is None
    assert state.finisher == ANN
    assert rules.ending(state) == "somebody came home"
    assert rank(rules.scores(state)) == ((BOB,), (ANN,))


def test_with_an_empty_queue_the_second_arrival_ends_it() -> None:
    """Labyrinth 3.13, last sentence."""
    state = turns(started(STATE_T0), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)), to(2, "DOWN", (1, 3), 270))
    state = turns(state, to(2, "LEFT", (1, 3)))
    assert state.finisher == BOB
    assert rules.scores(state)[BOB] == (1, 1, 0)


# -- endings -----------------------------------------------------------------------------------

HOMES = ((1, 1), (3, 3), (1, 3), (3, 1))


def crowd(*goals: tuple[int, int], queue: tuple[tuple[int, int], ...] = ()) -> State:
    """Seats at home on a board on which everything can be reached, with these first targets."""
    players = [player(HOMES[seat], HOMES[seat], COLORS[seat], goal) for seat, goal in enumerate(goals)]
    return started(open_board(players, queue))


COLORS = ("red", "blue", "green", "white")


def test_home_ends_the_match_at_once() -> None:
    """Labyrinth 4.1, 3.10: within the round, and home is no treasure."""
    state = turns(crowd((3, 1), (1, 3)), to(0, "LEFT", (3, 1)), Pass(), to(0, "LEFT", (1, 1)))
    assert state.turn is None
    assert state.finisher == ANN
    assert state.rounds == 1
    assert state.found == (((3, 1),), ())
    assert rules.ending(state) == "somebody came home"


def test_who_is_sent_home_while_there_must_leave_and_come_back() -> None:
    """Labyrinth 3.10, 3.7: standing there already counts for nothing."""
    state = turns(crowd((1, 1), (1, 3)), to(0, "LEFT", (3, 1)), Pass(), to(0, "LEFT", (1, 1)))
    assert state.found[ANN] == ((1, 1),)
    assert state.turn == BOB, "the first arrival was a treasure"
    state = turns(state, Pass(), Pass(), to(0, "LEFT", (1, 3)))
    assert state.turn == ANN
    state = turns(state, to(0, "LEFT", (3, 1)), Pass())
    assert turns(state, to(0, "LEFT", (1, 1))).finisher == ANN


def test_being_carried_onto_the_target_counts_for_nothing() -> None:
    """Labyrinth 3.7."""
    players = [player((0, 3), (1, 1), "red", (4, 4)), player((3, 1), (3, 3), "blue", (0, 4))]
    state = turns(started(open_board(players)), to(0, "RIGHT", (1, 1)))
    assert state.avatars[BOB] == (3, 1)
    state = turns(state, to(4, "LEFT", (0, 3)), Pass(), to(0, "RIGHT", (0, 3)))
    assert state.found == ((), ())
    carried = turns(started(open_board([players[1], players[0]])), to(0, "RIGHT", (3, 3)))
    assert carried.avatars[BOB] == (0, 4)
    assert carried.found == ((), ())


def test_a_round_of_passes_ends_the_match() -> None:
    """Labyrinth 4.2."""
    state = turns(crowd((3, 1), (1, 3), (1, 1)), to(0, "LEFT", (0, 0)), Pass(), Pass(), Pass(), Pass())
    assert state.turn == Seat(2)
    state = turns(state, Pass())
    assert state.turn is None
    assert state.rounds == 2
    assert rules.ending(state) == "everybody passed"


def test_the_match_goes_on_while_somebody_moves() -> None:
    """Labyrinth 4.2: the passes must lie in one round."""
    state = turns(crowd((3, 1), (1, 3)), Pass(), to(0, "LEFT", (0, 0)), Pass(), to(0, "LEFT", (0, 1)), Pass())
    assert state.turn == BOB


def test_an_expulsion_does_not_prevent_a_standstill() -> None:
    """Labyrinth 4.2: in the round, the first or the last one in turn order, or before it."""
    state = rules.remove(crowd((3, 1), (1, 3), (1, 1)), Seat(0))
    assert rules.ending(turns(state, Pass(), Pass())) == "everybody passed"
    state = rules.remove(turns(crowd((3, 1), (1, 3), (1, 1)), Pass(), Pass()), Seat(2))
    assert state.turn is None
    assert rules.ending(state) == "everybody passed"


def test_a_mover_expelled_in_setup_is_no_survivor() -> None:
    """Labyrinth 4.2, 14.10: in the middle of a round, and as the last of it."""
    state = turns(crowd((3, 1), (1, 3), (1, 1)), to(0, "LEFT", (3, 1)))
    state = turns(rules.remove(state, ANN), Pass(), Pass())
    assert rules.ending(state) == "everybody passed"
    state = turns(crowd((3, 1), (1, 3), (1, 1)), Pass(), Pass(), to(0, "LEFT", (1, 1)))
    assert state.turn == ANN
    state = rules.remove(state, Seat(2))
    assert state.turn is None
    assert rules.ending(state) == "everybody passed"


def test_a_mover_that_survived_its_round_keeps_the_match_going() -> None:
    """Labyrinth 4.2: who fails in the next round was a survivor of this one."""
    state = turns(crowd((3, 1), (1, 3), (1, 1)), Pass(), to(0, "LEFT", (0, 0)), Pass())
    state = rules.remove(state, ANN)
    state = rules.remove(state, BOB)
    assert state.turn == Seat(2)


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_the_round_limit_ends_the_match(limit: int) -> None:
    """Labyrinth 4.3."""
    players = [player(HOMES[seat], HOMES[seat], COLORS[seat], (4, 4)) for seat in range(2)]
    state = started(open_board(players), limit=limit)
    for number in range(2 * limit):
        assert state.turn == number % 2
        state = turns(state, to(0, "LEFT", (number % 4, 0)))
    assert state.turn is None
    assert state.rounds == limit
    assert rules.ending(state) == "the last round is over"


def test_the_limit_is_a_thousand_rounds() -> None:
    """Labyrinth 4.3."""
    walk = House(lambda view: to(0, "LEFT", (2, 0) if view.at != (2, 0) else (2, 2)))
    outcome = refereed(crowd((3, 1), (1, 3)), walk, always(Pass()))
    assert outcome.ending == "the last round is over"
    assert GAME.rules.start(Setup(), 2, derived(1)).limit == 1000


def test_a_single_player_plays_on() -> None:
    """Labyrinth 4.4, 14.16."""
    state = rules.remove(crowd((3, 1), (1, 3)), BOB)
    state = turns(state, to(0, "LEFT", (3, 1)), to(0, "LEFT", (1, 1)))
    assert state.finisher == ANN


def test_the_match_ends_when_nobody_is_left() -> None:
    """Labyrinth 4.4, 5.5."""
    state = rules.remove(rules.remove(crowd((3, 1), (1, 3)), ANN), BOB)
    assert state.turn is None
    assert rules.ending(state) == "nobody is left"
    assert rules.scores(state) == {}
    nobody = started(open_board([]))
    assert rules.ending(nobody) == "nobody is left"


# -- ranking -----------------------------------------------------------------------------------


def ranked(*seats: tuple[int, tuple[int, int], tuple[int, int]], finisher: int | None = None) -> Any:
    """The tiers of seats with so many treasures, an avatar and a target."""
    players = [player(at, (1, 1), "red", target) for _, at, target in seats]
    state = started(open_board(players, size=7))
    found = tuple(((1, 1),) * count for count, _, _ in seats)
    return rank(rules.scores(replace(state, found=found, finisher=None if finisher is None else Seat(finisher))))


def test_the_example_of_a_ranking() -> None:
    """Labyrinth 5.6."""
    rest = [(3, (2, 4), (1, 3)), (3, (0, 2), (1, 3)), (3, (3, 0), (5, 1)), (2, (3, 3), (3, 3))]
    assert ranked((2, (1, 1), (1, 1)), *rest, finisher=0) == ((1, 2), (3,), (0,), (4,))
    assert ranked((3, (1, 1), (1, 1)), *rest, finisher=0) == ((0,), (1, 2), (3,), (4,))


def test_more_treasures_come_first() -> None:
    """Labyrinth 5.1, 5.2: ending the match does not by itself win it."""
    assert ranked((1, (1, 1), (1, 1)), (2, (0, 0), (5, 5)), finisher=0) == ((1,), (0,))


def test_the_terminating_player_is_alone_among_equals() -> None:
    """Labyrinth 5.1: even if another one stands on its target."""
    assert ranked((1, (1, 1), (1, 1)), (1, (3, 3), (3, 3)), finisher=1) == ((1,), (0,))


def test_less_distance_to_the_current_target_decides() -> None:
    """Labyrinth 5.1: Euclidean, so 2 and 2 are nearer than 3 and 0; equal distances share a tier."""
    assert ranked((0, (0, 0), (3, 0)), (0, (0, 0), (2, 2)), (0, (5, 5), (3, 3))) == ((1, 2), (0,))


def test_a_winner_that_fails_in_win_is_not_replaced() -> None:
    """Labyrinth 5.4, 14.11."""
    outcome = refereed(started(STATE_T0), House(GAME.players.strategies["euclid"](None)), win_fails("riemann"))
    assert outcome.ranking == ((), (0,))
    assert outcome.faults[1] is not None
    assert outcome.winners == ()


def win_fails(name: str) -> MisbehavingPlayer:
    return MisbehavingPlayer(
        House(GAME.players.strategies[name](None)), FaultKind.CRASHED, news=2
    )  # set-up, next target, win


# -- what is illegal ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (to(1, "LEFT", (1, 1)), "row 1 left is not a slide"),
        (to(4, "LEFT", (1, 1)), "row 4 left is not a slide"),
        (to(6, "UP", (1, 1)), "column 6 up is not a slide"),
        (to(0, "RIGHT", (1, 1)), "row 0 right would undo the last slide"),
        (to(2, "RIGHT", (1, 1), 45), "45 is not a quarter turn"),
        (to(2, "RIGHT", (3, 0), 90), "not on the board"),
        (to(2, "RIGHT", (0, 5), 90), "not on the board"),
        (to(2, "RIGHT", (2, 0), 90), "must not end on"),
        (to(2, "RIGHT", (0, 0), 90), "cannot be reached"),
    ],
)
def test_illegal_moves_have_a_reason(move: Move, reason: str) -> None:
    """Labyrinth 3.5, 3.6."""
    assert reason in (rules.why_illegal(rules.view(started(), ANN), move) or "")


def test_returning_to_where_one_stood_before_the_slide_is_fine() -> None:
    """Labyrinth 3.5."""
    state = started(open_board([player((0, 0), (1, 1), "red", (3, 3)), player((1, 1), (3, 3), "blue", (1, 1))]))
    assert rules.why_illegal(rules.view(state, ANN), to(0, "RIGHT", (0, 0))) is None
    assert rules.why_illegal(rules.view(state, ANN), to(0, "RIGHT", (0, 1)))


def test_a_pass_keeps_the_last_slide() -> None:
    """Labyrinth 3.2, 3.6: so the undo of it stays forbidden, even after its player is gone."""
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), Pass())
    assert state.last == Slide(2, "RIGHT")
    assert "would undo" in (rules.why_illegal(rules.view(state, ANN), to(2, "LEFT", (1, 1))) or "")
    state = rules.remove(turns(started(), to(2, "RIGHT", (1, 2), 90)), ANN)
    assert "would undo" in (rules.why_illegal(rules.view(state, BOB), to(2, "LEFT", (1, 1))) or "")


def test_an_avatar_off_the_board_can_only_pass() -> None:
    """Labyrinth 12.3: it is not carried and reaches nothing; its distance is computed."""
    state = started(open_board([player((2, 77), (9, 9), "red", (80, 80)), player((0, 0), (1, 1), "blue", (1, 3))]))
    view = rules.view(state, ANN)
    assert list(rules.legal_actions(view)) == [Pass()]
    assert "not on the board" in (rules.why_illegal(view, to(2, "LEFT", (2, 2))) or "")
    state = turns(state, Pass(), to(2, "LEFT", (1, 1)))
    assert state.avatars[ANN] == (2, 77)
    assert rules.scores(state)[ANN] == (0, 0, -(78**2 + 3**2))


def test_only_the_seat_on_turn_may_act() -> None:
    view = rules.view(started(), BOB)
    assert rules.legal_actions(view) == ()
    assert rules.why_illegal(view, Pass()) == "it is not your turn"


# -- misbehaviour ------------------------------------------------------------------------------


def test_a_removed_avatar_vanishes() -> None:
    """Labyrinth 6.4: board, spare and last slide stay, its target does not return to the queue."""
    state = turns(started(), to(2, "RIGHT", (1, 2), 90))
    gone = rules.remove(state, BOB)
    assert gone.avatars == ((1, 2), NOWHERE)
    assert (gone.board, gone.last, gone.queue) == (state.board, state.last, state.queue)
    assert gone.turn == ANN
    assert list(rules.scores(gone)) == [ANN]
    assert rules.view(gone, BOB).target is None
    assert rules.notices(Removed(state, BOB, FAULT, gone)) == ()


def test_who_fails_to_hear_of_its_next_target_is_out_but_the_move_stands() -> None:
    """Labyrinth 3.9."""
    deaf = MisbehavingPlayer(script(to(0, "LEFT", (3, 1))), FaultKind.TIMED_OUT, news=1)
    outcome = refereed(crowd((3, 1), (1, 3), (1, 1)), deaf, always(Pass()), always(Pass()))
    assert outcome.faults[0] is not None
    assert outcome.ending == "everybody passed"


def test_the_opening_tells_everybody_the_state_and_the_own_target() -> None:
    """Labyrinth 2.6."""
    state = started()
    assert rules.opening(state, 0) == [(seat, Began(rules.view(state, seat))) for seat in (ANN, BOB)]
    assert rules.opening(state, 1) == ()
    assert [cast("Any", news).view.target for _, news in rules.opening(state, 0)] == [(1, 3), (1, 1)]


def test_who_fails_in_the_first_setup_is_not_in_the_state_of_the_next() -> None:
    """Labyrinth 2.6: who fails is expelled before play."""
    shown: list[Any] = []

    class Listener(House):
        def hear(self, news: object) -> None:
            shown.append(news)

    deaf = MisbehavingPlayer(always(Pass()), FaultKind.TIMED_OUT, news=0)
    refereed(crowd((3, 1), (1, 3), (1, 1)), deaf, Listener(lambda view: Pass()), always(Pass()))
    first = next(news for news in shown if isinstance(news, Began))
    assert Seat(0) not in first.view.seats
    assert len(first.view.seats) == 2


def test_everybody_left_hears_who_won_in_turn_order() -> None:
    """Labyrinth 5.4."""
    state = turns(crowd((3, 1), (1, 3), (1, 1)), to(0, "LEFT", (3, 1)), Pass(), Pass(), to(0, "LEFT", (1, 1)))
    ranking = rank(rules.scores(state))
    assert rules.closing(state, ranking) == [(ANN, Ended(True)), (BOB, Ended(False)), (Seat(2), Ended(False))]


# -- what a seat may know ----------------------------------------------------------------------


def test_a_view_shows_the_seats_still_in_with_its_owner_first() -> None:
    """Labyrinth 3.11."""
    state = rules.remove(crowd((3, 1), (1, 3), (1, 1), (0, 0)), Seat(3))
    assert rules.view(state, Seat(1)).seats == [1, 2, 0]
    assert rules.view(state, Seat(1)).home == (3, 3)


def test_an_imagined_match_gives_nobody_a_goal_that_i_had() -> None:
    setup = Setup("multi-goal", rows=5, columns=5)  # four goals for two seats
    state = rules.start(setup, 2, derived(3))
    taken = {state.targets[0]}
    for seed in range(20):
        imagined = rules.imagine(rules.view(state, ANN), derived(seed))
        assert not taken & {imagined.targets[1], *imagined.queue}
    queues = {len(rules.imagine(rules.view(state, ANN), derived(seed)).queue) for seed in range(40)}
    assert queues == {0, 1, 2}


def test_who_was_sent_home_imagines_an_empty_queue() -> None:
    """Labyrinth 3.8; but a first target that is the home is an ordinary one (2.2)."""
    state = turns(crowd((3, 1), (1, 3)), to(0, "LEFT", (3, 1)))
    imagined = rules.imagine(rules.view(state, ANN), derived(1))
    assert ANN in imagined.homeward
    assert imagined.queue == ()
    first = rules.imagine(rules.view(crowd((1, 1), (1, 3)), ANN), derived(1))
    assert ANN not in first.homeward


def test_when_goals_run_out_the_others_are_imagined_going_home() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)), to(2, "DOWN", (1, 3), 270))
    state = turns(state, to(2, "LEFT", (1, 3)))
    imagined = rules.imagine(rules.view(state, BOB), derived(1))
    assert imagined.targets == ((1, 1), (1, 3))
    assert imagined.homeward == {ANN, BOB}


# -- the original game -------------------------------------------------------------------------


def test_the_original_game_demands_a_slide_and_allows_to_stay() -> None:
    """Labyrinth 13.2."""
    state = rules.start(Setup("original"), 2, derived(7))
    view = rules.view(state, ANN)
    assert "a move is expected" in (rules.why_illegal(view, Pass()) or "")
    legal = rules.legal_actions(view)
    assert Move(1, "LEFT", 0, (0, 0)) in legal
    assert {(move.index, move.direction) for move in legal if isinstance(move, Move)} == {
        (index, direction) for index in (1, 3, 5) for direction in ("LEFT", "RIGHT", "UP", "DOWN")
    }


def test_a_treasure_travels_with_its_tile_and_staying_reaches_it() -> None:
    """Labyrinth 13.2, 13.5."""
    for seed in range(60):
        state = rules.start(Setup("original"), 2, derived(seed))
        while state.turn is not None and state.rounds < 30:
            view = rules.view(state, state.turn)
            after = rules.apply(state, GAME.players.strategies["euclid"](derived(0))(view))
            if len(after.found[view.me]) > len(state.found[view.me]):
                target, spot = view.target, after.avatars[view.me]
                assert after.board.pairs[spot[0]][spot[1]] == (target, target)
                assert after.targets[view.me] == state.piles[view.me][0]
                return
            state = after
    pytest.fail("nobody ever found anything")


def test_the_terminating_player_of_the_original_game_has_its_whole_pile() -> None:
    """Labyrinth 13.5, 13.2: and the ranking knows no distance."""
    players = [House(GAME.players.strategies["euclid"](derived(seat))) for seat in range(4)]
    outcome = refereed(rules.start(Setup("original"), 4, derived(2)), *players)
    assert outcome.ending == "somebody came home"
    (winner,) = outcome.winners
    assert outcome.scores[winner] == (6, 1)
    assert all(score is not None and len(score) == 2 for score in outcome.scores)


def test_the_given_example_can_be_dealt_too() -> None:
    """Labyrinth 2.2: a given state is a setup like any other."""
    state = rules.start(Setup("multi-goal", given=form(STATE_T)), 2, derived(1))
    assert state == started()


def test_in_the_original_game_everybody_is_imagined_with_a_pile_of_the_right_size() -> None:
    """Labyrinth 13.4: 24 treasures, cut into equal piles; none of mine is in another one's."""
    state = rules.start(Setup("original"), 3, derived(5))
    for _ in range(40):
        assert state.turn is not None
        state = rules.apply(state, GAME.players.strategies["euclid"](derived(0))(rules.view(state, state.turn)))
    mine = {*state.found[0], state.targets[0]}
    for seed in range(30):
        imagined = rules.imagine(rules.view(state, ANN), derived(seed))
        assert (imagined.found[0], imagined.targets[0]) == (state.found[0], state.targets[0])
        for seat in range(3):
            known = [*imagined.found[seat], *imagined.piles[seat], imagined.targets[seat]]
            assert sum(isinstance(goal, str) for goal in known) == 8
            assert seat == 0 or not mine & set(known)
            assert (seat in imagined.homeward) == (imagined.targets[seat] == state.homes[seat])


@pytest.mark.no_cover  # other tests run the same lines
@pytest.mark.parametrize("perft", kit("labyrinth").perft, ids=lambda perft: f"seed {perft.seed}")
def test_the_counts_of_the_kit_are_those_of_the_reference(perft: Perft) -> None:
    """Sequences of up to three legal actions, counted without the rule book."""
    walked = walk("labyrinth", perft.table, perft.seed, perft.turns)
    match = twin(walked.states[0])
    for event in walked.events:
        assert isinstance(event, Turn)
        assert match.on_turn() == event.seat
        match.take(plain(event.action))
    level = [match]
    for depth, count in enumerate(perft.counts, 1):
        lists = [
            (match, sorted(match.legal(mover), key=str)) for match in level if (mover := match.on_turn()) is not None
        ]
        assert sum(len(legal) for _, legal in lists) == count
        if depth < len(perft.counts):
            level = [after(match, choice_) for match, legal in lists for choice_ in legal]


def after(match: Match, choice_: Any) -> Match:
    twin_of_match = deepcopy(match)
    twin_of_match.take(choice_)
    return twin_of_match
