"""The search of Trains: worlds that agree with what was seen, the same choices everywhere, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from fairplay.core import Seat, Seen
from fairplay.core.chance import choice
from fairplay.games.trains import kernel, rules
from fairplay.games.trains.deal import NO_CARDS, full_deck, remaining_seats
from fairplay.games.trains.kernel.row import DECK_LEFT, encode_pair
from fairplay.games.trains.map import bits
from fairplay.games.trains.players.belief import deal_again
from fairplay.games.trains.players.planner import best_plan, best_turn
from fairplay.games.trains.players.rollouts import make_plan
from fairplay.games.trains.players.search import Comparison, Memory, TrainsSearcher, search
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Pick, Setup, State, View
from fairplay.kernels.code import How, load_functions
from games.trains.sheets import atlas_map, line, played

TINY = Setup(map="tiny", rails=12)
ODD = Setup(map="small", offered=6, kept=3, per_draw=5, dealt=0, deck_size=60)
A, B = Seat(0), Seat(1)


def positions(setup: Setup, seats: int, seed: int, removals: float = 0.0) -> Iterator[tuple[State, list[Seen]]]:
    """All positions of a random match, each with what was seen before."""
    rng = Random(seed)
    state, seen = rules.start(setup, seats, rng), list[Seen]()
    while state.turn is not None:
        yield state, seen.copy()
        turn = state.turn
        if rng.random() < removals and len(remaining_seats(state)) > 1:
            seat = rng.choice(remaining_seats(state))
            seen.append(Seen(len(seen), seat))
            state = rules.remove(state, seat)
        else:
            legal = rules.legal_actions(rules.view(state, turn))
            action = legal[max(rng.randrange(len(legal)) for _ in range(2))]
            seen.append(Seen(len(seen), turn, rules.public_action(action)))
            state = rules.apply(state, action)


def interpreted(view: View) -> Comparison:
    return Comparison(rules.imagine(view, Random(0)), "interpreted")


def slow(view: View, playouts: int = 8) -> TrainsSearcher:
    """A player that needs no compiler."""
    found = search(Random(1), playouts=playouts)
    found.comparison = interpreted(view)
    return found


# -- worlds ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("setup", "seats"), [(TINY, 2), (TINY, 4), (ODD, 3)])
def test_worlds_agree_with_all_that_was_seen(setup: Setup, seats: int) -> None:
    for seed in range(3):
        for state, seen in list(positions(setup, seats, seed, removals=0.03))[::3]:
            assert state.turn is not None
            memory = Memory()
            for each in seen:
                memory.saw(each)
            check_world(state, rules.view(state, state.turn), memory, seed)


def check_world(state: State, view: View, memory: Memory, seed: int) -> None:
    comparison = interpreted(view)
    comparison.place(view, seed, memory.gone, [])
    comparison.believe(view)
    row = comparison.arrays.root.copy()
    functions = load_functions("trains-belief", (deal_again,), kernel.constants_for(state), "interpreted")
    functions.call(deal_again, comparison.arrays, row, view.me)
    world = kernel.unpack(row, state)
    assert rules.view(world, view.me) == view
    kept = [pair for pairs in world.destinations for pair in pairs]
    assert len(kept) == len({*kept}) == sum(map(len, state.destinations))
    known = [sum(hand[color] for hand in world.hands) + memory.gone[color] for color in range(4)]
    for mask in view.owned:
        for index in bits(mask):
            known[view.network.colors[index]] += view.network.lengths[index]
    deck = full_deck(view.terms.deck_size)
    rest = int(row[DECK_LEFT])
    assert [deck.count(color) - known[color] for color in range(4)] == [rest >> 12 * color & 4095 for color in range(4)]


def test_what_i_gave_back_is_known_to_be_offered_to_the_next() -> None:
    state = rules.start(TINY, 3, Random(4))
    first = rules.view(state, A)
    state = rules.apply(state, rules.legal_actions(first)[0])
    middle = rules.view(state, B)
    while state.picking:
        assert state.turn is not None
        state = rules.apply(state, rules.legal_actions(rules.view(state, state.turn))[0])
    view = rules.view(state, B)
    memory = Memory()
    memory.offer = middle.offer
    back = memory.given_back(view)
    assert sorted([*back, *view.destinations]) == sorted(middle.offer)
    codes = {encode_pair(view.network, pair) for pair in back}
    comparison = interpreted(view)
    comparison.place(view, 7, NO_CARDS, back)
    comparison.believe(view)
    functions = load_functions("trains-belief", (deal_again,), kernel.constants_for(state), "interpreted")
    next_has = 0
    for seed in range(1, 41):
        row = comparison.arrays.root.copy()
        row[0] = seed
        functions.call(deal_again, comparison.arrays, row, B)
        world = kernel.unpack(row, state)
        held = [{encode_pair(view.network, pair) for pair in pairs} for pairs in world.destinations]
        assert not held[0] & codes
        next_has += bool(held[2] & codes)
    assert next_has > 20


def test_cards_that_a_removed_seat_spent_are_gone() -> None:
    memory = Memory()
    memory.saw(Seen(0, B, Acquire(line("A-B red 3"))))
    memory.saw(Seen(1, A, Acquire(line("B-C blue 4"))))
    memory.saw(Seen(2, B, DRAW))
    assert memory.gone == NO_CARDS
    memory.saw(Seen(3, B))
    assert memory.gone == (3, 0, 0, 0)


# -- the light planner -------------------------------------------------------------------------


@pytest.mark.parametrize("setup", [Setup(), Setup(map="coast", rails=20)])
def test_the_light_planner_plans_what_the_planner_plans(setup: Setup) -> None:
    """Their prices are the same; where two plans cost the same they may differ."""
    same = count = 0
    for state, _ in list(positions(setup, 2, 3))[2::6]:
        assert state.turn is not None
        view = rules.view(state, state.turn)
        comparison = interpreted(view)
        comparison.place(view, 1, NO_CARDS, [])
        load_functions("trains-light", (make_plan,), kernel.constants_for(state), "interpreted").call(
            make_plan, comparison.arrays, comparison.arrays.root, view.me
        )
        words = kernel.constants_for(state)["LINK_WORDS"]
        plan = sum(int(comparison.arrays.masks[view.me * words + nth]) << 64 * nth for nth in range(words))
        assert plan & ~view.free == 0
        same += plan == best_plan(view).routes
        count += 1
    assert same >= 0.7 * count > 0


# -- choosing ----------------------------------------------------------------------------------


def test_compiled_and_interpreted_rollouts_are_the_same() -> None:
    if not (hows := available()):
        pytest.skip("numba is not installed")
    for state, _ in list(positions(TINY, 2, 5))[::7]:
        assert state.turn is not None
        view = rules.view(state, state.turn)
        found = []
        for how in hows:
            comparison = Comparison(rules.imagine(view, Random(0)), how)
            comparison.place(view, (1 << 63) + 12345, NO_CARDS, [])
            comparison.believe(view)
            actions = [comparison.choose_lightly()]
            gains = np.zeros((1, 3), dtype=np.int64)
            totals = np.zeros((1, 4), dtype=np.int64)
            comparison.play(actions, gains, totals, 0, 3)
            found.append(
                (
                    actions,
                    gains.tolist(),
                    totals.tolist(),
                    comparison.arrays.line.tolist(),
                    comparison.arrays.fit.tolist(),
                )
            )
        assert found[0] == found[1]


def test_rollouts_do_not_depend_on_what_was_thought_before() -> None:
    start = rules.start(TINY, 2, Random(1))
    last_pick = rules.apply(start, rules.legal_actions(rules.view(start, A))[3])
    for state, seat in ((start, A), (last_pick, B), (played(TINY, 2), A)):
        view = rules.view(state, seat)
        found = []
        for stale in (0, 1):
            comparison = interpreted(view)
            comparison.arrays.masks[:] = comparison.arrays.world[:] = comparison.arrays.row[:] = stale
            comparison.arrays.notes[:] = stale
            comparison.place(view, 99, NO_CARDS, [])
            comparison.believe(view)
            gains, totals = np.zeros((1, 4), dtype=np.int64), np.zeros((1, 4), dtype=np.int64)
            comparison.play([comparison.choose_lightly()], gains, totals, 0, 4)
            found.append((gains.tolist(), totals.tolist(), comparison.arrays.line.tolist()))
        assert found[0] == found[1]


def available() -> tuple[How, ...]:
    from fairplay.kernels.code import has_compiler

    return ("core", "interpreted") if has_compiler() else ()


def test_the_same_generator_and_views_give_the_same_choices() -> None:
    for state, _ in list(positions(TINY, 3, 2))[::9]:
        assert state.turn is not None
        view = rules.view(state, state.turn)
        one, other = slow(view), slow(view)
        assert one(view) == other(view)
        assert one.rng.getstate() == other.rng.getstate()
        assert rules.why_illegal(view, one(view)) is None


@pytest.mark.parametrize(
    ("setup", "seats"), [(ODD, 5), (Setup(map="coast"), 8), (Setup(), 4), (Setup(map="tiny", rails=0, deck_size=0), 2)]
)
def test_it_answers_on_every_map_with_every_number_of_seats(setup: Setup, seats: int) -> None:
    found = list(positions(setup, seats, 1, removals=0.01))
    for state, _ in (found[0], found[len(found) // 2], found[-1]):
        assert state.turn is not None
        view = rules.view(state, state.turn)
        assert rules.why_illegal(view, slow(view, 4)(view)) is None


def test_what_the_kernel_cannot_hold_is_left_to_the_planner() -> None:
    state = played(Setup(offered=40), 2)
    assert state.turn is not None
    view = replace(rules.view(state, state.turn), cards=(5, 5, 5, 5))
    thought = search(Random(0)).think(view)
    assert thought.action == best_turn(view) == search(Random(0))(view)
    assert "at most 32 destinations offered" in thought.reason


def test_it_says_what_it_thinks() -> None:
    state = rules.start(TINY, 2, Random(1))
    view = rules.view(state, A)
    last = rules.legal_actions(view)[-1]
    thought = slow(view, 40).think(view, (last,))
    assert last in [each.action for each in thought.candidates]
    assert thought.work == sum(each.work for each in thought.candidates) >= 40
    for each in thought.candidates:
        assert sum(each.values) == pytest.approx(1)
        assert each.line[0] == each.action
        assert each.line[1] == Pick(())  # what the other keeps is its secret
        assert len(each.points) == 2


def test_a_choice_without_alternatives_costs_nothing() -> None:
    state = played(TINY, 2)
    view = replace(rules.view(state, A), cards=(1, 1, 1, 1))
    player = search(Random(0))
    assert player(view) == DRAW
    assert player.comparison is None


def test_slips_are_random_actions() -> None:
    state = rules.start(TINY, 2, Random(1))
    view = rules.view(state, A)
    player, rng = search(Random(3), slip=1.0), Random(3)
    for _ in range(5):
        rng.getrandbits(64)
        rng.getrandbits(30)
        assert player(view) == choice(rng, rules.legal_actions(view))
    assert player.comparison is None


@pytest.mark.parametrize("options", [{"playouts": 0}, {"slip": 1.5}, {"slip": -0.1}, {"seconds": 1.0}, {"seconds": -1}])
def test_options_that_make_no_sense_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"expected|clock"):
        search(Random(0), **options)  # type: ignore[arg-type]  # any number of options


def test_time_is_measured_by_the_clock_it_is_given() -> None:
    ticks = iter(range(100))
    player = search(Random(0), seconds=2.0, clock=lambda: float(next(ticks)))
    view = rules.view(rules.start(TINY, 2, Random(1)), A)
    player.comparison = interpreted(view)
    assert rules.why_illegal(view, player(view)) is None
    assert next(ticks) <= 4


# -- the end of the game -----------------------------------------------------------------------

STAR = atlas_map("A-B red 3,B-C red 3,C-D blue 3,A-D white 5,D-E green 4,E-F green 5,A-F blue 5")


def test_on_its_last_turn_it_joins_its_destination() -> None:
    found = rules.view(played(Setup(map=STAR, kept=1, offered=2), 2), A)
    network = found.network
    mine, theirs = network.bit(line("A-B red 3")), network.bit(line("D-E green 4"))
    view = replace(
        found,
        destinations=(("A", "C"),),
        cards=(3, 5, 0, 0),
        hand_sizes=(8, 4),
        rails=(42, 2),
        owned=(mine, theirs),
        closer=B,
        left=200,
    )
    thought = slow(view, 40).think(view)
    assert thought.action == Acquire(line("B-C red 3"))
    assert thought.reason == "joins A - C"
