"""The kernel of Trains against its rule book, turn by turn, interpreted and compiled."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from fairplay.core import KernelSizeError, Seat
from fairplay.core.kernel import OVER
from fairplay.games.trains import kernel, rules
from fairplay.games.trains.deal import remaining_seats
from fairplay.games.trains.game import GAME
from fairplay.games.trains.kernel import row as row_module
from fairplay.games.trains.map import COLORS, City, Connection, Map, bits
from fairplay.games.trains.numbers import encoding_of
from fairplay.games.trains.paths import longest_path
from fairplay.games.trains.state import Setup, State
from fairplay.kernels.code import How
from fairplay.kernels.loading import LoadedKernel, load_kernel
from fairplay.kernels.specialise import specialise

MOSTLY_RED = tuple(Random(1).choices(COLORS, weights=(9, 1, 1, 1), k=70))
TABLES = [
    (Setup(), 2),
    (Setup(), 4),
    (Setup(), 8),
    (Setup(rails=20, deck_size=60), 3),
    (Setup(map="tiny", rails=12), 2),
    (Setup(map="tiny", deck_size=30), 3),
    (Setup(map="tiny", deck_size=0, rails=0), 2),
    (Setup(map="tiny", rails=1000, deck_size=1000), 2),
    (Setup(map="small", offered=6, kept=3, per_draw=5, dealt=0), 4),
    (Setup(map="small", deck=MOSTLY_RED, destinations="ordered"), 5),
    (Setup(map="coast", offered=3, kept=1, deck_size=10), 6),
    (Setup(map="coast", offered=9, kept=7, dealt=30), 2),
    (Setup(map="vast"), 2),
    (Setup(map="vast", deck_size=999, per_draw=7), 8),
]


class Match:
    """One match twice: as a state of the rule book and as a row of the kernel."""

    def __init__(self, setup: Setup, seats: int, seed: int, how: How = "interpreted") -> None:
        self.rng = Random(seed)
        self.state = rules.start(setup, seats, self.rng)
        self.kernel = load_kernel(GAME, self.state, setup=setup, how=how)
        self.row: NDArray[np.uint64] = self.kernel.pack([self.state], seed)[0]
        self.encoding = encoding_of(self.state)

    def play_turn(self, removals: float) -> None:
        """Choose at random, rather a later number than an earlier one; remove some seat now and then."""
        if self.rng.random() < removals:
            seat = self.rng.choice(remaining_seats(self.state))
            self.state = rules.remove(self.state, seat)
            self.kernel.call("remove", self.row, seat)
            return
        assert self.state.turn is not None
        view = rules.view(self.state, self.state.turn)
        legal = self.encoding.legal_numbers(view)
        number = legal[-1] if self.rng.random() < 0.3 else self.rng.choice(legal)
        self.state = rules.apply(self.state, self.encoding.action(number, view))
        self.kernel.call("step", self.row, number)

    def compare(self) -> None:
        """The row answers everything as the state does."""
        state = self.state
        assert self.kernel.call("to_move", self.row) == (OVER if state.turn is None else state.turn)
        numbers = [] if state.turn is None else list(self.encoding.legal_numbers(rules.view(state, state.turn)))
        out, mask = np.full(self.encoding.actions, -1, np.int64), np.full(self.encoding.actions, 7, np.int8)
        count = self.kernel.call("legal", self.row, out)
        self.kernel.call("legal_mask", self.row, mask)
        assert out[:count].tolist() == numbers == np.flatnonzero(mask).tolist()
        points = np.zeros(len(state.rails), np.int64)
        self.kernel.call("scores", self.row, points)
        expected = rules.scores(state)
        least = min((score[0] for score in expected.values()), default=0)
        for seat in map(Seat, range(len(points))):
            assert points[seat] == expected[seat][0] if seat in expected else points[seat] < least
        assert kernel.unpack(self.row, state) == state

    def compare_arrays(self) -> None:
        for seat in map(Seat, range(len(self.state.rails))):
            assert observed_row(self.kernel, self.row, seat) == observed(self.state, seat)


def observed(state: State, seat: Seat) -> list[float]:
    out = np.full(encoding_of(state).shape, 7, np.float32)
    encoding_of(state).observe(rules.view(state, seat), out)
    elements: list[float] = out.tolist()
    return elements


def observed_row(loaded: LoadedKernel, row: Any, seat: int) -> list[float]:
    out = np.full(loaded.encoding.shape, 7, np.float32)
    loaded.call("observe", row, seat, out)
    elements: list[float] = out.tolist()
    return elements


def play_to_the_end(match: Match, removals: float, step: int) -> None:
    turns = 0
    while match.state.turn is not None:
        if turns % step == 0 or match.state.picking:
            match.compare()
            match.compare_arrays()
        match.play_turn(removals)
        turns += 1
    match.compare()
    match.compare_arrays()


# -- the rule book -----------------------------------------------------------------------------


@pytest.mark.parametrize(("setup", "seats"), TABLES)
def test_a_row_and_its_state_stay_equal(setup: Setup, seats: int) -> None:
    play_to_the_end(Match(setup, seats, seed=1), removals=0, step=9)
    play_to_the_end(Match(setup, seats, seed=2), removals=0.05, step=9)


def test_compiled_code_follows_the_rule_book_too() -> None:
    for seed in range(12):
        play_to_the_end(Match(Setup(), 2, seed, "core"), removals=0.03 * (seed % 3), step=1)


def test_seats_can_be_removed_while_destinations_are_picked() -> None:
    for seed in range(20):
        match = Match(Setup(map="tiny", deck_size=20), 4, seed)
        for _ in range(4):
            match.play_turn(removals=0.5)
            match.compare()
            match.compare_arrays()
            if match.state.turn is None:
                break


def test_a_match_can_end_by_standstill_and_by_rails_and_with_nobody_left() -> None:
    endings = set()
    for seed, setup in enumerate((Setup(map="tiny", deck_size=9), Setup(map="tiny", rails=5))):
        match = Match(setup, 2, seed)
        play_to_the_end(match, removals=0, step=100)
        endings.add(rules.ending(match.state))
    match = Match(Setup(map="tiny"), 3, 0)
    for seat in (1, 0, 2):
        match.state = rules.remove(match.state, Seat(seat))
        match.kernel.call("remove", match.row, seat)
        match.compare()
    endings.add(rules.ending(match.state))
    assert endings == {"standstill", "the rails ran out", "nobody is left"}


def test_a_random_action_is_any_legal_one_with_the_same_chance() -> None:
    match = Match(Setup(map="small"), 2, 3)
    counted = Counter[int]()
    match.state = replace(match.state, picking=False, hands=((4, 1, 9, 3), (0, 0, 0, 0)))
    kernel.pack(match.state, match.row)
    legal = match.encoding.legal_numbers(rules.view(match.state, Seat(0)))
    for _ in range(100 * len(legal)):
        counted[int(match.kernel.call("random_action", match.row))] += 1
    assert sorted(counted) == legal
    assert len(legal) > 15
    assert all(50 < seen < 150 for seen in counted.values())


def test_a_playout_counts_the_turns_to_the_end() -> None:
    match = Match(Setup(map="tiny"), 3, 4)
    turns = match.kernel.call("playout", match.row)
    end: State = match.kernel.unpack(match.row)
    assert end.turn is None
    assert end.turn_number == turns


# -- compiled and interpreted ------------------------------------------------------------------


def test_compiled_and_interpreted_rows_are_equal_word_for_word() -> None:
    state = rules.start(Setup(), 2, Random(0))
    both = [load_kernel(GAME, state, how=how) for how in ("interpreted", "core")]
    rows = [np.full((1, loaded.words), 5, np.uint64) for loaded in both]
    for loaded, row in zip(both, rows, strict=True):
        loaded.run("start_many", row, np.array([77], np.uint64))
    plan = ["random"] * 20 + ["imagine"] + ["random"] * 15 + ["remove"] + ["playout"]
    for what in plan:
        found = [advance(loaded, row[0], what) for loaded, row in zip(both, rows, strict=True)]
        assert found[0] == found[1]
        assert rows[0].tolist() == rows[1].tolist()


def advance(loaded: LoadedKernel, row: Any, what: str) -> list[int]:
    points = np.zeros(2, np.int64)
    if what == "random":
        loaded.call("step", row, int(loaded.call("random_action", row)))
    elif what == "playout":
        return [int(loaded.call("playout", row))]
    else:
        loaded.call(what, row, 1)
    loaded.call("scores", row, points)
    return points.tolist()


def test_the_constants_in_the_source_are_those_of_the_standard_setup() -> None:
    constants = kernel.constants_for(rules.start(Setup(), 2, Random(0)))
    assert {name: getattr(row_module, name) for name in constants} == dict(constants)
    assert constants == kernel.constants_for(rules.start(Setup(rails=40, dealt=2), 2, Random(0)))


# -- dealing -----------------------------------------------------------------------------------


def deal(setup: Setup, seats: int, seed: int, given: Setup | None = None) -> State:
    """What the kernel deals by this seed."""
    state = rules.start(setup, seats, Random(0))
    loaded = load_kernel(GAME, state, setup=given, how="interpreted")
    rows = np.full((1, loaded.words), 9, np.uint64)
    loaded.run("start_many", rows, np.array([seed], np.uint64))
    dealt: State = loaded.unpack(rows[0])
    return dealt


def test_a_deal_is_one_that_the_rule_book_could_make() -> None:
    for seats in (2, 4):
        state = deal(Setup(), seats, 1)
        like = rules.start(Setup(), seats, Random(0))
        assert Counter(state.deck) == Counter(like.deck)
        assert len(set(state.sequence)) == len(state.sequence) == len(like.sequence)
        assert all(state.network.is_destination(pair) for pair in state.sequence)
        assert state == replace(like, deck=state.deck, sequence=state.sequence, hands=state.hands)
        assert state.hands[0] == tuple(state.deck[:4].count(color) for color in range(4))


def test_the_cards_of_a_deal_are_fixed_from_the_start() -> None:
    state = rules.start(Setup(map="small"), 2, Random(0))
    loaded = load_kernel(GAME, state, how="interpreted")
    rows = loaded.make_rows(1)
    loaded.run("start_many", rows, np.array([3], np.uint64))
    first = deck = loaded.unpack(rows[0]).deck
    for _ in range(30):
        loaded.call("step", rows[0], int(loaded.call("random_action", rows[0])))
        assert loaded.unpack(rows[0]).deck == first
    loaded.call("imagine", rows[0], 0)
    deck = loaded.unpack(rows[0]).deck
    assert deck != first
    loaded.call("playout", rows[0])
    assert loaded.unpack(rows[0]).deck == deck


def test_chances_are_those_of_the_rule_book() -> None:
    cards, pairs, last = Counter[int](), Counter[tuple[str, str]](), Counter[int]()
    for seed in range(400):
        state = deal(Setup(map="tiny", deck_size=9), 2, seed)
        cards[state.deck[0]] += 1
        last[state.deck[-1]] += 1
        pairs[state.sequence[0]] += 1
    for seen in (cards, last):  # 3 red cards and 2 of each other colour
        assert 400 / 3 - 40 < seen[0] < 400 / 3 + 40
        assert all(400 * 2 / 9 - 36 < seen[color] < 400 * 2 / 9 + 36 for color in (1, 2, 3))
    assert len(pairs) == 15
    assert max(pairs.values()) < 2 * 400 / 15


def test_given_decks_and_destinations_are_dealt_as_they_are_given() -> None:
    setup = Setup(map="tiny", deck=MOSTLY_RED, destinations="ordered")
    assert deal(setup, 3, 1, given=setup) == rules.start(setup, 3, Random(0))
    mixed = deal(setup, 3, 1)
    assert mixed.deck != bytes(map(COLORS.index, MOSTLY_RED))
    assert sorted(mixed.deck) == sorted(map(COLORS.index, MOSTLY_RED))


# -- imagining ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("setup", "seats"), [(Setup(map="tiny"), 4), (Setup(map="small", deck_size=60), 3)])
def test_an_imagined_row_fits_what_the_seat_sees(setup: Setup, seats: int) -> None:
    match = Match(setup, seats, 5)
    while match.state.turn is not None:
        for seat in map(Seat, range(seats)):
            check_imagined(match, seat)
        match.play_turn(removals=0.02)


def check_imagined(match: Match, seat: Seat) -> None:
    row = match.row.copy()
    match.kernel.call("imagine", row, seat)
    state: State = match.kernel.unpack(row)
    assert rules.view(state, seat) == rules.view(match.state, seat)
    assert Counter(state.deck) == Counter(match.state.deck)
    assert observed_row(match.kernel, row, seat) == observed(match.state, seat)
    pairs = [pair for kept in (*state.destinations, state.sequence) for pair in kept]
    assert len(set(pairs)) == len(pairs)
    assert [len(kept) for kept in state.destinations] == [len(kept) for kept in match.state.destinations]
    assert all(list(kept) == sorted(kept) for kept in state.destinations)
    assert sum(map(sum, state.hands)) + state.left == sum(map(sum, match.state.hands)) + match.state.left
    if state.turn is not None and state.picking:
        newest = state.deck[state.drawn - sum(state.hands[state.turn]) : state.drawn]
        assert state.hands[state.turn] == tuple(newest.count(color) for color in range(4))


def test_imagining_copes_with_a_deck_of_other_colours() -> None:
    match = Match(Setup(map="tiny", deck=MOSTLY_RED), 3, 1)
    while match.state.turn is not None:
        row = match.row.copy()
        match.kernel.call("imagine", row, 0)
        assert rules.view(match.kernel.unpack(row), Seat(0)) == rules.view(match.state, Seat(0))
        match.play_turn(removals=0)


# -- scoring -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("map", "segments"), [("vast", 60), ("small", 60), ("continent", 50)])
def test_the_longest_path_is_exact_where_there_are_rings(map: str, segments: int) -> None:
    setup = Setup(map=map, rails=segments)
    state, rng = rules.start(setup, 2, Random(0)), Random(map)
    found = specialise(kernel, kernel.constants_for(state), lambda function: function)
    tables, row = kernel.make_tables(state, setup), np.ones(kernel.constants_for(state)["WORDS"], np.uint64)
    longest = found["scores"].__globals__["longest_path"]
    for _ in range(12):
        owned = cluster_of(state, segments, rng)
        kernel.pack(replace(state, owned=(0, owned)), row)
        with np.errstate(over="ignore"):
            assert longest(tables, row, 1) == longest_path(state.network, owned)


def cluster_of(state: State, segments: int, rng: Random) -> int:
    """Connections round one city, so that there are many rings."""
    network = state.network
    cities = {rng.randrange(len(network.names))}
    owned = 0
    while True:
        near = [index for index, ends in enumerate(network.ends) if cities & {*ends} and not owned >> index & 1]
        inside = [index for index in near if {*network.ends[index]} <= cities]
        if not near:
            return owned
        index = rng.choice(inside or near)
        if sum(network.lengths[each] for each in bits(owned | 1 << index)) > segments:
            return owned
        owned |= 1 << index
        cities.update(network.ends[index])


# -- sizes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (Setup(deck_size=4096), "at most 4,095 cards, not 4,096"),
        (Setup(map="tiny", rails=70_000), "at most 65,535 rails, not 70,000"),
        (Setup(map="small", offered=33, kept=1), "at most 32 destinations offered, not 33"),
        (Setup(map="small", offered=14, kept=4), "at most 1,000 ways to pick, not 1,001"),
        (Setup(map="small", most=9), "at most 8 seats, not 9"),
    ],
)
def test_what_is_too_large_is_refused(setup: Setup, words: str) -> None:
    state = rules.start(setup, 9 if setup.most == 9 else 2, Random(0))
    with pytest.raises(KernelSizeError, match=words):
        kernel.constants_for(state)


def test_a_map_with_very_many_connections_is_refused() -> None:
    cities = tuple(City(f"A{number:03}", (number, 0)) for number in range(258))
    links = tuple(Connection(first.name, second.name, "red", 3) for first, second in pairwise(cities))
    state = rules.start(Setup(map=Map(300, 10, cities, links)), 2, Random(0))
    with pytest.raises(KernelSizeError, match="at most 256 cities, not 258"):
        kernel.constants_for(state)


def test_a_position_with_more_connections_than_rails_is_refused() -> None:
    state = rules.start(Setup(map="tiny", rails=12), 2, Random(0))
    with pytest.raises(KernelSizeError, match=r"a seat owns 39 segments; .* at most 12"):
        kernel.pack(replace(state, owned=(0, state.network.every)), np.zeros(99, np.uint64))
