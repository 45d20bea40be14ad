"""The house player that searches: what it sees is what plain recursion sees, and it is the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, reduce
from itertools import count
from operator import or_
from random import Random

import pytest
from msgspec.structs import replace

from fairplay.core import House, Outcome, Seat
from fairplay.core.chance import choice
from fairplay.core.immutable import bits
from fairplay.core.thinking import Budget, Thought
from fairplay.games.fish import GAME, rules
from fairplay.games.fish.board import Board
from fairplay.games.fish.players.memory import REDUCE, SOLO
from fairplay.games.fish.players.search import FishThinker, search
from fairplay.games.fish.players.strategies import greedy
from fairplay.games.fish.players.territory import UNIT
from fairplay.games.fish.players.thinking import Deepening, SearchSpace
from fairplay.games.fish.state import Action, Setup, State
from fairplay.kernels.code import How
from fairplay.match.replay import start_match
from fairplay.run.inline import play_inline

ORIGINAL = Setup(variant="original")


def positions(setup: Setup, seats: int, seed: int, removals: float = 0.0) -> Iterator[State]:
    """All positions of a random match."""
    rng = Random(seed)
    state = rules.start(setup, seats, rng)
    while state.turn is not None:
        yield state
        if rng.random() < removals and len(rules.remaining_seats(state)) > 1:
            state = rules.remove(state, rng.choice(rules.remaining_seats(state)))
        else:
            state = rules.apply(state, choice(rng, legal(state)))


def legal(state: State) -> list[Action]:
    assert state.turn is not None
    return list(rules.legal_actions(rules.view(state, state.turn)))


def late_positions(setup: Setup, seats: int, seed: int, tiles: int) -> list[State]:
    """Positions with few tiles left."""
    return [state for state in positions(setup, seats, seed) if not state.placing and state.free.bit_count() <= tiles]


def think(state: State, nodes: int = 60, how: How = "interpreted", consider: tuple[Action, ...] = ()) -> Thought:
    assert state.turn is not None
    return FishThinker(Random(1), Budget(nodes), how=how).think(rules.view(state, state.turn), consider)


# -- written a second time -------------------------------------------------------------------------


def scored_worths(state: State) -> list[int]:
    tiles = state.tiles if state.original else (0,) * len(state.fish)
    return [0 if seat in state.out else UNIT * fish + tiles[seat] for seat, fish in enumerate(state.fish)]


def expected_worths(state: State) -> list[int]:
    """What `territory` says a position is worth, by the rule book's own geometry."""
    worths, geometry, left = scored_worths(state), state.board.geometry, state.free
    if state.turn is None:
        return worths
    one = 1 if state.original else 0

    def worth(cells: int) -> int:
        return sum(UNIT * state.board.fish[cell] + one for cell in bits(cells))

    fronts = [sum(1 << cell for cell in cells) for cells in state.penguins]
    for seat, cells in enumerate(state.penguins):
        for cell in cells:
            if state.original:
                worths[seat] += worth(1 << cell)
            elif geometry.adjacent[cell] & left:
                worths[seat] += worth(1 << cell) - UNIT
    while any(fronts):
        reached = [0] * len(fronts)
        for seat, front in enumerate(fronts):
            for cell in bits(front):
                reached[seat] |= geometry.reachable(cell, left)
        for seat, tiles in enumerate(reached):
            others = union(reached[:seat] + reached[seat + 1 :])
            worths[seat] += worth(tiles & ~others) + worth(tiles & others) // 2
            fronts[seat] = tiles & ~others
        left &= ~union(reached)
    return worths


def union(masks: list[int]) -> int:
    return reduce(or_, masks, 0)


def lead(worths: list[int], seat: int) -> int:
    return 2 * worths[seat] - sum(worths)


def minimax_lead(state: State, seat: int, depth: int) -> int:
    """The lead of `seat` after the best play of all for `depth` turns; without a limit where depth is negative."""
    if depth == 0 or state.turn is None:
        return lead(expected_worths(state), seat)
    values = [minimax_lead(rules.apply(state, action), seat, depth - 1) for action in legal(state)]
    return max(values) if state.turn == seat else min(values)


def deepen(state: State, depth: int, consider: list[Action]) -> Deepening:
    """A search to this depth that leaves nothing out."""
    assert state.turn is not None
    space = SearchSpace(state, "interpreted", net=False)
    space.lay_out(state)
    space.control[REDUCE] = space.control[SOLO] = 0
    found = Deepening(space, rules.view(state, state.turn), consider)
    found.begin()
    while found.depth < depth and not found.complete:
        found.advance(100_000)
    return found


@pytest.mark.parametrize(("setup", "seats"), [(Setup(rows=5, columns=4), 2), (Setup(rows=4, columns=5), 3)])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_alpha_beta_finds_what_plain_recursion_finds(setup: Setup, seats: int, depth: int) -> None:
    for seed, state in enumerate(late_positions(setup, seats, seed=depth, tiles=7)):
        others = [seat for seat in rules.remaining_seats(state) if seat != state.turn]
        for seat in others[1:]:
            state = rules.remove(state, seat)  # two are left
        if state.turn is None:
            continue
        found = deepen(state, depth, legal(state) if seed % 2 else [])
        exact = {action: minimax_lead(rules.apply(state, action), state.turn, depth - 1) for action in legal(state)}
        values = {found.space.encoding.action(number, found.view): value for number, value in found.values.items()}
        assert max(values.values()) == max(exact.values())
        assert exact[max(values, key=values.__getitem__)] == max(exact.values())
        if seed % 2:  # all were considered
            assert values == exact


def test_the_original_game_is_searched_by_the_same_rules() -> None:
    for state in late_positions(ORIGINAL, 2, seed=5, tiles=30)[::6]:
        assert state.turn is not None
        found = deepen(state, 2, [])
        exact = [minimax_lead(rules.apply(state, action), state.turn, 1) for action in legal(state)]
        assert max(found.values.values()) == max(exact)


# -- endgames ------------------------------------------------------------------------------------------


@cache
def most_alone(board: Board, free: int, penguins: frozenset[int]) -> int:
    """The most fish that penguins can collect where nobody else is."""
    most = sum(board.fish[cell] for cell in penguins) if board.geometry.original else 0
    for start in penguins:
        for target in bits(board.geometry.reachable(start, free)):
            after = most_alone(board, free ^ 1 << target, penguins - {start} | {target})
            most = max(most, board.fish[start] + after)
    return most


@pytest.mark.parametrize("setup", [Setup(rows=5, columns=6), ORIGINAL])
def test_what_a_seat_collects_alone_is_exact(setup: Setup) -> None:
    for seed in range(3):
        for state in late_positions(setup, 2, seed, tiles=12 if setup == ORIGINAL else 9)[:3]:
            assert state.turn is not None
            rival = Seat(1 - state.turn)
            alone = replace(rules.remove(state, rival), free=state.free, turn=state.turn)
            thought = think(alone, nodes=5000)
            assert thought.exact
            points = thought.candidates[0].points[state.turn]
            assert points == state.fish[state.turn] + most_alone(
                state.board, state.free, frozenset(state.penguins[state.turn])
            )


@pytest.mark.parametrize("setup", [Setup(rows=4, columns=4), Setup(rows=3, columns=6, holes=((1, 2),))])
def test_what_is_called_exact_is(setup: Setup) -> None:
    checked = 0
    for seed in range(4):
        for state in late_positions(setup, 2, seed, tiles=6):
            assert state.turn is not None
            thought = think(state, nodes=400)
            if thought.exact:
                final = minimax_lead(state, state.turn, -1)
                assert thought.candidates[0].values[state.turn] == (0.5 if final == 0 else float(final > 0))
                checked += 1
    assert checked > 5


# -- a player --------------------------------------------------------------------------------------------

SHAPES = [
    (Setup(rows=5, columns=5), 2),
    (Setup(rows=5, columns=5), 4),
    (Setup(rows=3, columns=9, holes=((0, 0), (2, 4))), 3),
    (Setup(rows=1, columns=25, fish=2), 2),
    (ORIGINAL, 2),
    (ORIGINAL, 3),
]


@pytest.mark.parametrize(("setup", "seats"), SHAPES)
def test_thoughts_are_legal_and_the_same_again(setup: Setup, seats: int) -> None:
    for state in [*positions(setup, seats, seed=2, removals=0.02)][::5]:
        assert state.turn is not None
        actions = legal(state)
        considered = (actions[-1], actions[0])
        thought = think(state, 2, consider=considered)
        assert think(state, 2, consider=considered) == thought
        assert {candidate.action for candidate in thought.candidates} >= {*considered}
        mine = [candidate.values[state.turn] for candidate in thought.candidates]
        assert len(rules.remaining_seats(state)) > 2 or mine == sorted(mine, reverse=True)
        for candidate in thought.candidates:
            assert sum(candidate.values) == pytest.approx(1.0)
            assert len(candidate.points) == seats
            after = state
            for action in candidate.line:
                assert action in legal(after)
                after = rules.apply(after, action)


def test_the_largest_board() -> None:
    state = rules.start(Setup(rows=25, columns=25, holes=((3, 3),)), 2, Random(1))
    free = (1 << 375) - (1 << 300) - (1 << 310) - (1 << 350)
    late = replace(state, free=free, penguins=((310,), (350,)), placing=False)
    assert think(late, 1).action in legal(late)


@pytest.mark.parametrize(("setup", "seats"), [(Setup(rows=5, columns=5), 2), (Setup(rows=4, columns=5), 3)])
def test_compiled_and_interpreted_think_the_same(setup: Setup, seats: int) -> None:
    pytest.importorskip("numba")
    for state in [*positions(setup, seats, seed=4)][::4]:
        consider = (legal(state)[0],)
        assert think(state, 150, "core", consider) == think(state, 150, "interpreted", consider)


def test_more_work_comes_with_more_time() -> None:
    state = rules.start(Setup(rows=4, columns=4), 2, Random(1))
    work = []
    for step in (0.5, 0.001):
        player = search(Random(1), seconds=0.01, clock=map(step.__mul__, count()).__next__)
        player.how = "interpreted"
        work.append(player.think(rules.view(state, Seat(0))).work)
    assert work[0] < work[1]


def test_a_slip_is_any_legal_action() -> None:
    state = rules.start(Setup(rows=4, columns=4), 2, Random(1))
    view, rng = rules.view(state, Seat(0)), Random(7)
    rng.random()
    assert search(Random(7), slip=1.0)(view) == choice(rng, rules.legal_actions(view))


@pytest.mark.parametrize("options", [{"slip": -0.1}, {"slip": 1.5}, {"nodes": 0}, {"seconds": 1.0}, {"seconds": -1.0}])
def test_wrong_options_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"expected|must|needs"):
        search(Random(1), **options)  # type: ignore[arg-type]  # that is the point


@pytest.mark.parametrize("variant", ["standard", "original"])
def test_it_beats_greedy(variant: str) -> None:
    pytest.importorskip("numba")
    won = 0.0
    for seed in range(3):
        for me in range(2):
            players = [House(search(Random(1), nodes=300)), House(greedy(Random(1)))]
            outcome: Outcome = play_inline(start_match(GAME, GAME.variants[variant], seed, 2), players[:: 1 - 2 * me])
            won += me in outcome.winners
    assert won >= 5
