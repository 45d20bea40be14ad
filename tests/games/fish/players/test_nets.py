"""The nets of Fish: what they see, what they say, and that every machine hears the same."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from fairplay.core.chance import choice
from fairplay.core.immutable import bits
from fairplay.core.thinking import Budget
from fairplay.games.fish import rules
from fairplay.games.fish.kernel import constants_for, pack
from fairplay.games.fish.players.nets import net as nets
from fairplay.games.fish.players.nets.features import BUCKETS, FEATURES
from fairplay.games.fish.players.nets.net import FINER, LANE_BITS, NET_UNIT, apply_net, estimate_worths, load_net
from fairplay.games.fish.players.search import FishThinker, search
from fairplay.games.fish.players.territory import UNIT
from fairplay.games.fish.players.thinking import SearchSpace
from fairplay.games.fish.state import Setup, State
from fairplay.kernels.code import How, load_functions

FOLDER = Path(nets.__file__).parent
VARIANTS = {"standard": Setup(), "original": Setup(variant="original")}


def positions(setup: Setup, seed: int) -> list[State]:
    """Every fifth position of a random match of two seats."""
    rng, found = Random(seed), list[State]()
    state = rules.start(setup, 2, rng)
    while state.turn is not None:
        found.append(state)
        state = rules.apply(state, choice(rng, rules.legal_actions(rules.view(state, state.turn))))
    return found[::5]


def read_parts(variant: str) -> dict[str, Any]:
    with np.load(FOLDER / f"{variant}.npz") as file:
        return {name: file[name].astype(np.int64) for name in ("base", "line", "bias", "first", "second")}


def features_again(state: State) -> list[int]:
    """The features by the rule book's own geometry."""
    geometry, fish, me = state.board.geometry, state.board.fish, state.turn
    assert me is not None

    def weigh(cells: int) -> int:
        return sum(fish[cell] for cell in bits(cells))

    def around(cells: int) -> int:
        return sum(1 << cell for cell in range(len(fish)) if geometry.adjacent[cell] & cells)

    def reached(cells: int, left: int) -> int:
        found = 0
        for cell in bits(cells):
            found |= geometry.reachable(cell, left)
        return found

    masks = [sum(1 << cell for cell in state.penguins[seat]) for seat in (me, 1 - me)]
    out, left, fronts, owned, wave = [0] * FEATURES, state.free, list(masks), [0, 0], 0
    rich = sum(1 << cell for cell, count in enumerate(fish) if count >= 4)
    while any(fronts):
        fronts = [reached(front, left) for front in fronts]
        left &= ~(fronts[0] | fronts[1])
        both = fronts[0] & fronts[1]
        for place, cells in enumerate((fronts[0] & ~both, fronts[1] & ~both, both)):
            out[3 * place + wave] += weigh(cells)
            out[9 + 3 * place + wave] += cells.bit_count()
        if wave == 0:
            out[28] = (fronts[0] & ~both & rich).bit_count() - (fronts[1] & ~both & rich).bit_count()
            out[29] = (both & rich).bit_count()
        owned = [mine | front & ~both for mine, front in zip(owned, fronts, strict=True)]
        wave = min(wave + 1, 2)
    for place, cells in enumerate(masks):
        able = cells & around(state.free)
        out[18 + 3 * place : 21 + 3 * place] = [able.bit_count(), weigh(able), weigh(cells & ~able)]
        out[24 + place] = count_links(state, owned[place])
        out[26 + place] = (around(cells) & state.free).bit_count()
    out[30], out[31] = weigh(left), left.bit_count()
    return out


def count_links(state: State, cells: int) -> int:
    """Pairs of these cells that touch and lie in neighbouring rows."""
    geometry = state.board.geometry
    return sum(
        1
        for cell in bits(cells)
        for other in bits(geometry.adjacent[cell] & cells)
        if geometry.positions[other][0] == geometry.positions[cell][0] + 1
    )


def write_state(state: State, how: How = "interpreted") -> tuple[Any, Any]:
    """The features of a position, and what the net makes each seat expect."""
    constants = constants_for(state)
    row, features, worths = np.zeros(constants["WORDS"], np.uint64), np.zeros(FEATURES, np.int64), np.zeros(2, np.int64)
    pack(state, row)
    load_functions("fish-net", (estimate_worths,), constants, how).call(estimate_worths, row, features, worths)
    return features, worths


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_net_says_what_plain_matrices_say(variant: str) -> None:
    parts, net, rng = read_parts(variant), load_net(variant), np.random.default_rng(1)
    for _ in range(200):
        features, bucket = rng.integers(0, 40, FEATURES), int(rng.integers(BUCKETS))
        units = np.maximum(parts["bias"][bucket] + features @ parts["first"][bucket], 0)
        plain = parts["base"][bucket] + features @ parts["line"][bucket] + (units @ parts["second"][bucket] >> FINER)
        assert apply_net(net, bucket, features) == plain


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_position_overflows_the_hidden_units(variant: str) -> None:
    parts = read_parts(variant)
    fish, tiles, penguins = 64 * 5, 64, 8
    most = fish + tiles + penguins + 2 * tiles + 6 * penguins + tiles  # of all features together; each tile counts once
    assert np.abs(parts["first"]).max() * most + np.abs(parts["bias"]).max() < 1 << LANE_BITS - 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_nets_are_small(variant: str) -> None:
    assert (FOLDER / f"{variant}.npz").stat().st_size < 100_000


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_net_sees_what_the_rule_book_sees(variant: str) -> None:
    for state in positions(VARIANTS[variant], seed=1):
        assert write_state(state)[0].tolist() == features_again(state)


def test_what_seats_expect_differs_by_what_the_net_says() -> None:
    net = load_net("standard")
    for state in positions(Setup(), seed=2):
        features, worths = write_state(state)
        assert state.turn is not None
        waiting = 8 - sum(map(len, state.penguins)) if state.placing else 0
        bucket = 8 + (waiting - 1) // 2 if waiting else (state.free.bit_count() - 1) // 8
        gained = apply_net(net, bucket, features) // (NET_UNIT // UNIT)
        me, rival = int(state.turn), 1 - state.turn
        assert worths[me] - worths[rival] == UNIT * (state.fish[me] - state.fish[rival]) + gained


def test_a_net_is_used_between_two_seats_and_only_if_it_is_wanted() -> None:
    two, three = (rules.start(Setup(), seats, Random(1)) for seats in (2, 3))
    large = rules.start(Setup(rows=9, columns=9), 2, Random(1))
    assert SearchSpace(two, "interpreted").has_net
    assert not SearchSpace(two, "interpreted", net=False).has_net
    assert not SearchSpace(three, "interpreted").has_net
    assert not SearchSpace(large, "interpreted").has_net
    with pytest.raises(ValueError, match="net must be 0 or 1"):
        search(Random(1), net=2)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_net_says_the_same_compiled_and_interpreted(variant: str) -> None:
    for state in positions(VARIANTS[variant], seed=3):
        assert write_state(state, "core")[1].tolist() == write_state(state)[1].tolist()


def test_the_net_alone_is_the_search_one_turn_ahead() -> None:
    state = positions(Setup(rows=4, columns=4), seed=4)[2]
    assert state.turn is not None
    view = rules.view(state, state.turn)
    thought = FishThinker(Random(1), Budget(1), how="interpreted").think(view)
    assert thought.depth == 1
    assert thought.action in rules.legal_actions(view)
