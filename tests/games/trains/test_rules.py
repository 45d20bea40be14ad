"""The rule book, rule by rule."""

from __future__ import annotations

from collections import Counter
from math import comb
from random import Random

import pytest
from msgspec.structs import replace

from fairplay.core import Ended, Fault, FaultKind, Removed, Seat, SetupError, Turn
from fairplay.core.chance import derived
from fairplay.games.trains import rules
from fairplay.games.trains.deal import NotEnoughDestinations, destinations_needed
from fairplay.games.trains.map import City, Connection, Map, build_network
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Action, Dealt, More, Pick, Setup, State

from .sheets import MAP_M, atlas_map, cards, line, played

M = map_from_json(MAP_M)
FAULT = Fault(FaultKind.CRASHED, "")
A, B, C, D = map(Seat, range(4))


def do(state: State, *actions: Action) -> State:
    for action in actions:
        assert state.turn is not None
        assert rules.why_illegal(rules.view(state, state.turn), action) is None
        state = rules.apply(state, action)
    return state


def take(words: str) -> Acquire:
    return Acquire(line(words))


# -- set-up (Trains 2) -------------------------------------------------------------------------


def test_a_game_needs_enough_destinations() -> None:
    """Trains 2.2: map M has ten, so at most three can play; Trains 13.2 with other settings."""
    assert destinations_needed(Setup(), 2) == 7
    assert destinations_needed(Setup(offered=4, kept=3), 3) == 10
    rules.start(Setup(map=M), 3, Random(0))
    with pytest.raises(NotEnoughDestinations, match="4 seats need 11, the map has 10"):
        rules.start(Setup(map=M), 4, Random(0))


@pytest.mark.parametrize(
    ("setup", "seats", "reason"),
    [
        (Setup(map=M), 1, "2 to 8 seats, not 1"),  # Trains 1.10
        (Setup(map="vast"), 9, "2 to 8 seats, not 9"),
        (Setup(map="vast", fewest=3, most=4), 2, "must be at least 5"),  # Trains 13.1
        (Setup(map="vast", fewest=3, most=5), 2, "3 to 5 seats, not 2"),
        (Setup(map=M, offered=1, kept=2), 2, "2 destinations cannot be kept: only 1"),
        (Setup(map="vast", offered=800, kept=400), 2, "too many ways"),
        (Setup(map="nowhere"), 2, "no map 'nowhere'; the maps are coast, continent"),
        (Setup(map=Map(5, 80, (), ())), 2, r"the map is flawed: width 5 .* at \$\.width"),
        (Setup(map=M, destinations=(("Alma", "Nowhere"),)), 2, "Alma - Nowhere is not a destination"),
        (Setup(map=M, destinations=(("Bree", "Alma"),)), 2, "Bree - Alma is not a destination"),
        (Setup(map=M, destinations=(("Alma", "Bree"),) * 7), 2, "listed twice"),
        (Setup(map=M, destinations=(("Alma", "Bree"),)), 2, "7 are needed, 1 are listed"),
    ],
)
def test_what_cannot_be_dealt_is_refused_with_a_reason(setup: Setup, seats: int, reason: str) -> None:
    with pytest.raises(SetupError, match=reason):
        rules.start(setup, seats, Random(0))


def test_the_deck_is_as_even_as_its_size_allows() -> None:
    """Trains 1.8, 13.1."""
    standard = rules.start(Setup(map=M), 2, Random(0))
    assert Counter(standard.deck) == {0: 63, 1: 63, 2: 62, 3: 62}
    odd = rules.start(Setup(map=M, deck_size=7), 2, Random(0))
    assert Counter(odd.deck) == {0: 2, 1: 2, 2: 2, 3: 1}
    assert rules.start(Setup(map=M, deck_size=0), 2, Random(0)).deck == b""


def test_decks_and_destinations_come_in_many_orders() -> None:
    """Trains 2.1."""
    deals = [rules.start(Setup(map=M), 2, derived(seed, "deal")) for seed in range(30)]
    assert len({state.deck for state in deals}) == 30
    firsts = Counter(state.sequence[0] for state in deals)
    assert len(firsts) > 6


def test_an_offer_is_a_set_and_tells_nothing_of_the_sequence() -> None:
    """Trains 2.5."""
    states = [rules.start(Setup(map=M), 2, derived(seed, "deal")) for seed in range(10)]
    for state in states:
        assert rules.view(state, A).offer == tuple(sorted(state.sequence[:5]))
    assert any(list(state.sequence[:5]) != sorted(state.sequence[:5]) for state in states)


def test_setup_and_pick_are_finished_with_one_seat_before_the_next() -> None:
    """Trains 2.3, 2.4, 2.7: cards leave the deck at the moment of `setup`, rejected destinations are offered again."""
    deck = cards("rrbw" + "ggbb" + "wwww")
    state = rules.start(Setup(map=M, deck=deck, destinations="ordered"), 3, Random(0))
    assert list(rules.opening(state, 0)) == [(A, Dealt(M, 45, cards("rrbw")))]
    assert list(rules.opening(state, 1)) == []
    assert (state.hands[A], state.hands[B], state.left) == ((2, 1, 0, 1), (0, 0, 0, 0), 8)
    offer = rules.view(state, A).offer
    assert offer == (("Alma", "Bree"), ("Alma", "Cove"), ("Alma", "Dell"), ("Alma", "Erin"), ("Bree", "Cove"))
    pick = Pick((offer[3], offer[0]))
    after = rules.apply(state, pick)
    assert after.destinations[A] == (offer[0], offer[3])
    assert rules.view(after, B).offer == (*offer[1:3], offer[4], ("Bree", "Dell"), ("Bree", "Erin"))
    assert rules.view(after, A).offer == ()
    assert list(rules.notices(Turn(state, A, pick, after))) == [(B, Dealt(M, 45, cards("ggbb")))]
    last = do(after, Pick(rules.view(after, B).offer[:2]))
    before, last = last, do(last, Pick(rules.view(last, C).offer[:2]))
    assert list(rules.notices(Turn(before, C, pick, last))) == []
    assert (last.picking, last.turn) == (False, A)  # Trains 3.1


def test_a_short_deck_deals_what_is_left() -> None:
    """Trains 2.4."""
    state = played(Setup(map=M, deck=cards("rrrrb"), destinations="ordered"), 3)
    assert state.hands == ((4, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0))


def test_who_fails_before_play_loses_its_cards_and_leaves_the_destinations() -> None:
    """Trains 2.8."""
    state = rules.start(Setup(map=M, deck=cards("rrrrbbbb"), destinations="ordered"), 3, Random(0))
    offer = rules.view(state, A).offer
    after = rules.remove(state, A)
    assert (after.turn, after.hands[B], after.left) == (B, (0, 4, 0, 0), 0)
    assert rules.view(after, B).offer == offer
    assert list(rules.notices(Removed(state, A, FAULT, after))) == [(B, Dealt(M, 45, cards("bbbb")))]
    alone = do(rules.remove(after, B), Pick(offer[:2]))
    assert (alone.turn, alone.picking) == (C, False)
    assert rules.remove(rules.remove(after, B), C).turn is None  # Trains 4.4


def test_a_seat_removed_while_another_picks_is_skipped() -> None:
    state = rules.start(Setup(map=M), 3, Random(0))
    after = rules.remove(state, B)
    assert list(rules.notices(Removed(state, B, FAULT, after))) == []
    assert do(after, Pick(rules.view(after, A).offer[:2])).turn == C


@pytest.mark.parametrize(
    ("keep", "reason"),
    [
        ((("Alma", "Bree"),), "2 destinations must be kept, not 1"),
        ((("Alma", "Bree"), ("Alma", "Bree")), "a destination cannot be kept twice"),
        ((("Alma", "Bree"), ("Dell", "Erin")), "Dell - Erin was not offered"),
        ((("Alma", "Bree"), ("Cove", "Alma")), "Cove - Alma was not offered"),
    ],
)
def test_illegal_picks_are_refused_with_a_reason(keep: tuple[tuple[str, str], ...], reason: str) -> None:
    """Trains 2.6."""
    state = rules.start(Setup(map=M, destinations="ordered"), 2, Random(0))
    assert rules.why_illegal(rules.view(state, A), Pick(keep)) == reason


def test_picks_and_turns_have_their_time() -> None:
    state = rules.start(Setup(map=M, destinations="ordered"), 2, Random(0))
    assert rules.why_illegal(rules.view(state, A), DRAW) == "destinations are still to be picked; a pick is expected"
    later = played(Setup(map=M), 2)
    assert rules.why_illegal(rules.view(later, A), Pick(later.destinations[A])) == (
        "destinations have been picked; a turn is expected"
    )


def test_every_pick_is_listed_once_and_in_order() -> None:
    view = rules.view(rules.start(Setup(map="vast", offered=9, kept=4), 2, Random(0)), A)
    picks = rules.legal_actions(view)
    assert len(picks) == comb(9, 4) == len(set(picks))
    assert picks[0] == Pick(view.offer[:4])
    assert picks[-1] == Pick(view.offer[5:])
    assert list(picks[3:5]) == [picks[3], picks[4]]
    assert picks == rules.legal_actions(view)
    assert hash(picks) == hash(rules.legal_actions(view))
    assert picks != list(picks)
    with pytest.raises(IndexError):
        picks[comb(9, 4)]


def test_an_offer_of_hundreds_is_not_written_out() -> None:
    state = rules.start(Setup(map="vast", offered=500, kept=6), 2, Random(0))
    picks = rules.legal_actions(rules.view(state, A))
    assert len(picks) == comb(500, 6)
    assert rules.why_illegal(rules.view(state, A), picks[10**12]) is None


# -- turns (Trains 3) --------------------------------------------------------------------------


def test_more_cards() -> None:
    """Trains 3.3, 3.4: two, then the one that is left, then none at all."""
    start = played(Setup(map=M, deck=cards("rrrrbbbb" + "gwr"), destinations="ordered"), 2)
    two = do(start, DRAW)
    assert two.hands[A] == (4, 0, 1, 1)
    assert list(rules.notices(Turn(start, A, DRAW, two))) == [(A, More(cards("gw")))]
    one = do(two, DRAW)
    assert one.hands[B] == (1, 4, 0, 0)
    assert list(rules.notices(Turn(two, B, DRAW, one))) == [(B, More(cards("r")))]
    none = do(one, DRAW)
    assert (none.hands, none.idle, none.turn) == (one.hands, 1, B)
    assert list(rules.notices(Turn(one, A, DRAW, none))) == []


def test_a_connection_costs_cards_and_rails() -> None:
    """Trains 3.5, 3.6."""
    start = played(Setup(map=M, deck=cards("rrrrbbbb"), destinations="ordered"), 2)
    state = do(start, take("Alma-Bree red 3"))
    assert (state.hands[A], state.rails[A], state.turn) == ((1, 0, 0, 0), 42, B)
    assert rules.view(state, B).connections(A) == [Connection("Alma", "Bree", "red", 3)]
    assert rules.view(state, A).connections() == [Connection("Alma", "Bree", "red", 3)]


@pytest.mark.parametrize(
    ("connection", "reason"),
    [
        (Connection("Alma", "Bree", "red", 3), "already has an owner"),  # by the other
        (Connection("Alma", "Erin", "blue", 3), "already has an owner"),  # by oneself
        (Connection("Bree", "Cove", "green", 4), "costs 4 green cards; you have 0"),
        (Connection("Bree", "Cove", "green", 3), "the map has no connection Bree - Cove (green 3)"),
        (Connection("Erin", "Alma", "blue", 3), "is reversed"),  # Trains 14.14
        (Connection("Alma", "Dell", "red", 3), "the map has no connection"),
        (Connection("Dell", "Erin", "blue", 4), "costs 4 rails; you have 3"),
    ],
)
def test_what_may_not_be_acquired_is_refused_with_a_reason(connection: Connection, reason: str) -> None:
    """Trains 3.5."""
    start = played(Setup(map=M, rails=6, deck=cards("rrrr" + "bbbb" + "wwbbwbbb"), destinations="ordered"), 2)
    state = do(start, take("Alma-Bree red 3"), take("Alma-Erin blue 3"), DRAW, DRAW, DRAW, DRAW)
    state = replace(state, turn=B)
    assert reason in str(rules.why_illegal(rules.view(state, B), Acquire(connection)))


def test_nobody_acts_out_of_turn() -> None:
    state = played(Setup(map=M), 2)
    assert rules.why_illegal(rules.view(state, B), DRAW) == "it is not your turn"
    assert rules.legal_actions(rules.view(state, B)) == ()


def test_parallel_connections_can_be_owned_together() -> None:
    """Trains 3.7."""
    map = atlas_map("A-B red 3,A-B blue 3,B-C red 3,C-D red 3,D-E white 3")
    start = played(Setup(map=map, dealt=6, deck=cards("rrrbbb" + "wwwwww"), destinations="ordered"), 2)
    state = do(start, take("A-B red 3"), take("D-E white 3"), take("A-B blue 3"))
    assert len(rules.view(state, A).connections()) == 2


def test_a_view_shows_counts_of_others_and_nothing_else() -> None:
    """Trains 3.8 and memo 000."""
    state = played(Setup(map=M, deck=cards("rrrrbbbbgggg"), destinations="ordered"), 2)
    view = rules.view(state, A)
    assert view.cards == (4, 0, 0, 0)
    assert (view.hand_sizes, view.rails, view.left) == ((4, 4), (45, 45), 4)
    assert view.destinations == state.destinations[A]
    assert view.map == M
    assert set(view.__struct_fields__) == {
        *("me", "network", "terms", "cards", "destinations", "offer", "rails", "hand_sizes", "owned", "left"),
        *("out", "turn", "picking", "idle", "closer", "turn_number"),  # what everyone can count
    }


# -- the end (Trains 4) ------------------------------------------------------------------------

RING = atlas_map("A-B red 3,B-C red 3,C-D red 3,D-E red 3,A-E red 3,A-C red 3,A-D red 3,B-D red 3,B-E red 3,C-E red 3")
"""Ten connections of the same colour and length; ten destinations of five cities."""


def ring(seats: int, rails: int, deck: int = 250) -> State:
    return played(Setup(map=RING, rails=rails, dealt=12, deck=cards("r" * deck), kept=1, offered=2), seats)


def test_the_last_round_gives_each_other_seat_one_turn() -> None:
    """Trains 4.1, 4.6: B ends a turn with 1 rail; C, D and A each get one more turn."""
    state = do(ring(4, 7), DRAW, take("A-B red 3"), DRAW, DRAW)
    state = do(state, DRAW, take("B-C red 3"))
    assert (state.rails[B], state.closer, state.turn) == (1, B, C)
    state = do(state, DRAW)
    assert state.turn == D
    state = do(state, DRAW)
    assert state.turn == A
    state = do(state, take("C-D red 3"))
    assert state.turn is None
    assert rules.ending(state) == "the rails ran out"


def test_inside_the_last_round_no_other_begins_and_the_eliminated_drop_out() -> None:
    """Trains 4.2, 4.6: C drops to 0 rails and D is eliminated; A still gets its turn and nobody another one."""
    state = do(ring(4, 6), DRAW, take("A-B red 3"), take("B-C red 3"), DRAW)
    state = do(state, DRAW, take("C-D red 3"))
    assert (state.closer, state.turn) == (B, C)
    state = do(state, take("D-E red 3"))
    assert (state.rails[C], state.closer, state.turn) == (0, B, D)
    state = rules.remove(state, D)
    assert state.turn == A
    assert do(state, DRAW).turn is None


def test_a_seat_eliminated_as_the_last_of_the_last_round_ends_the_game() -> None:
    state = do(ring(2, 6), take("A-B red 3"), DRAW, take("B-C red 3"))
    assert (state.closer, state.turn) == (A, B)
    assert rules.remove(state, B).turn is None


def test_with_two_rails_or_fewer_the_first_turn_begins_the_last_round() -> None:
    """Trains 13.1."""
    state = do(ring(3, 2), DRAW)
    assert state.closer == A
    assert do(state, DRAW, DRAW).turn is None


def test_a_last_round_begun_by_a_seat_that_then_fails_in_more_still_gives_one_turn_to_each() -> None:
    state = rules.remove(do(ring(3, 2), DRAW), A)
    assert state.turn == B
    assert do(state, DRAW, DRAW).turn is None


def test_standstill() -> None:
    """Trains 3.4, 4.3: as many turns without change as there are seats, and the game is over at once."""
    state = ring(3, 45, deck=36)
    assert state.left == 0
    state = do(state, DRAW, DRAW)
    assert (state.idle, state.turn) == (2, C)
    state = do(state, DRAW)
    assert (state.turn, state.closer, rules.ending(state)) == (None, None, "standstill")


def test_any_change_restarts_the_count() -> None:
    """Trains 4.3."""
    state = do(ring(3, 45, deck=36), DRAW, DRAW, take("A-B red 3"))
    assert (state.idle, state.turn) == (0, A)
    assert do(state, DRAW, DRAW, DRAW).turn is None


def test_any_elimination_restarts_the_count() -> None:
    """Trains 4.3, 14.3."""
    state = rules.remove(do(ring(3, 45, deck=36), DRAW, DRAW), C)
    assert (state.idle, state.turn) == (0, A)
    state = do(state, DRAW)
    assert state.turn == B
    assert do(state, DRAW).turn is None


def test_a_standstill_is_not_applied_in_the_last_round() -> None:
    """Trains 4.2: both others get their turn though nothing changes."""
    state = do(ring(3, 3, deck=36), take("A-B red 3"), DRAW)
    assert (state.closer, state.idle, state.turn) == (A, 1, C)
    state = do(state, DRAW)
    assert (state.turn, rules.ending(state)) == (None, "the rails ran out")


def test_a_single_seat_plays_on() -> None:
    """Trains 4.5: until 4.1 or 4.3."""
    alone = rules.remove(ring(2, 6), B)
    assert do(alone, DRAW).turn == A
    assert do(alone, take("A-B red 3"), take("B-C red 3")).turn is None
    still = rules.remove(ring(2, 45, deck=24), B)
    assert do(still, DRAW).turn is None


def test_nobody_left_is_an_end() -> None:
    """Trains 4.4."""
    state = rules.remove(rules.remove(ring(2, 45), A), B)
    assert (state.turn, rules.ending(state), rules.scores(state)) == (None, "nobody is left", {})
    assert list(rules.closing(state, ())) == []


def test_a_removed_seat_leaves_its_connections_to_the_others() -> None:
    """Trains 6.4."""
    state = do(ring(3, 45), take("A-B red 3"))
    assert rules.why_illegal(rules.view(state, B), take("A-B red 3"))
    state = rules.remove(state, A)
    assert (state.owned[A], state.rails[A], state.hands[A], state.destinations[A]) == (0, 0, (0, 0, 0, 0), ())
    assert do(state, take("A-B red 3")).turn == C


def test_cards_of_a_seat_failing_in_more_are_gone() -> None:
    """Trains 6.4, 14.5."""
    start = played(Setup(map=M, deck=cards("rrrrbbbb" + "gwrr"), destinations="ordered"), 2)
    state = rules.remove(do(start, DRAW), A)
    assert (state.left, state.turn, sum(state.hands[A])) == (2, B, 0)


# -- scoring (Trains 5) ------------------------------------------------------------------------


def example() -> State:
    """Trains 5.8."""
    lines = {
        A: "Alma-Bree red 3,Alma-Cove blue 3,Bree-Cove green 4",
        B: "Cove-Dell blue 5,Cove-Dell white 3,Dell-Erin red 4",
        C: "Alma-Bree blue 5,Bree-Erin green 4",
    }
    map = atlas_map(",".join(lines.values()))
    state = played(Setup(map=map), 3)
    owned = tuple(sum(build_network(map).bit(one) for one in atlas_map(some).connections) for some in lines.values())
    wants = (
        (("Alma", "Cove"), ("Alma", "Dell")),
        (("Cove", "Erin"), ("Dell", "Erin")),
        (("Alma", "Erin"), ("Bree", "Dell")),
    )
    return replace(state, owned=owned, destinations=wants, turn=None)


def test_the_example_of_the_rule_book_scores_as_it_says() -> None:
    """Trains 5.2 to 5.5, 5.8."""
    assert rules.scores(example()) == {A: (10,), B: (52,), C: (29,)}


def test_only_seats_never_removed_are_scored_and_compete() -> None:
    """Trains 5.1: without bob, cat alone has the longest path."""
    assert rules.scores(rules.remove(example(), B)) == {A: (10,), C: (29,)}
    assert rules.scores(rules.remove(rules.remove(example(), B), C)) == {A: (30,)}


def test_without_any_path_nobody_gets_the_bonus() -> None:
    """Trains 5.3, 14.9."""
    assert rules.scores(replace(example(), owned=(0, 0, 0))) == {A: (-20,), B: (-20,), C: (-20,)}


def test_the_first_group_is_told_that_it_won_and_the_others_that_they_did_not() -> None:
    """Trains 5.6: by group, in age order inside a group."""
    told = list(rules.closing(example(), ((B,), (A, C))))
    assert told == [(B, Ended(won=True)), (A, Ended(won=False)), (C, Ended(won=False))]
    assert list(rules.closing(example(), ((), (A,)))) == [(A, Ended(won=False))]  # nobody is promoted


def test_a_lonely_city_is_no_destination() -> None:
    map = Map(800, 10, (*RING.cities, City("Lonely", (500, 5))), RING.connections)
    assert rules.start(Setup(map=map), 2, Random(0)).network.destination_count == 10
