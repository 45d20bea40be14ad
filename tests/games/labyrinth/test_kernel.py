"""The kernel of Labyrinth against its rule book: every variant, size and number of seats, turn by turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from fairplay.core import KernelSizeError, Seat
from fairplay.core.kernel import OVER
from fairplay.games.labyrinth import kernel, numbers, rules
from fairplay.games.labyrinth.board import Slide
from fairplay.games.labyrinth.game import GAME
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import Maze, Setup, State
from fairplay.kernels.loading import load_kernel
from fairplay.kernels.specialise import specialise
from games.labyrinth.worlds import referee_form


@pytest.fixture(autouse=True)
def _words_wrap_round() -> Iterator[None]:
    with np.errstate(over="ignore"):
        yield


class Pair:
    """A match twice: as a state of the rule book and as a row."""

    def __init__(self, setup: Setup, seats: int, seed: int) -> None:
        self.rng = Random(seed)
        self.state = self.like = rules.start(setup, seats, self.rng)
        constants = kernel.constants_for(self.state)
        self.kernel = specialise(kernel, constants, lambda function: function)
        self.tables = kernel.make_tables(self.state, setup)
        self.row = np.zeros(constants["WORDS"], np.uint64)
        self.row[0] = seed + 1
        self.encoding = numbers.encoding_of(self.state)
        kernel.pack(self.state, self.row)

    def call(self, name: str, *arguments: Any) -> Any:
        return self.kernel[name](self.tables, self.row, *arguments)

    def unpack(self) -> State:
        return kernel.unpack(self.row, self.like)

    def step(self, action: int) -> None:
        assert self.state.turn is not None
        view = rules.view(self.state, self.state.turn)
        self.state = rules.apply(self.state, self.encoding.action(action, view))
        self.call("step", action)

    def remove(self, seat: Seat) -> None:
        self.state = rules.remove(self.state, seat)
        self.call("remove", seat)

    def legal(self) -> list[int]:
        out = np.zeros(self.encoding.actions, np.int64)
        count = self.call("legal", out)
        found: list[int] = out[:count].tolist()
        return found

    def scores(self) -> list[int]:
        out = np.zeros(len(self.state.avatars), np.int64)
        self.call("scores", out)
        found: list[int] = out.tolist()
        return found

    def choose(self) -> int:
        """A legal action at random; often one that reaches the target, sometimes a pass."""
        state, seat = self.state, self.state.turn
        assert seat is not None
        view, legal = rules.view(state, seat), self.legal()
        wanted = locate_target(state.board, state.targets[seat])
        actions = [(number, self.encoding.action(number, view)) for number in legal if number]
        good = [number for number, action in actions if getattr(action, "to", None) == wanted]
        if good and self.rng.random() < 0.4:
            return self.rng.choice(good)
        if not state.original and self.rng.random() < 0.1:
            return 0
        action: int = self.call("random_action")
        assert action in legal
        return int(action)


def check_answers(pair: Pair) -> None:
    """The row answers what the rule book does."""
    state, encoding = pair.state, pair.encoding
    assert pair.unpack() == state
    assert pair.call("to_move") == (OVER if state.turn is None else state.turn)
    expected, found = rules.scores(state), pair.scores()
    for one in map(Seat, range(len(found))):
        for other in expected:
            assert (found[one] < found[other]) == (one not in expected or expected[one] < expected[other])
    shown, written = np.full(encoding.shape, 7, np.float32), np.full(encoding.shape, 8, np.float32)
    for seat in map(Seat, range(len(found))):
        encoding.observe(rules.view(state, seat), shown)
        pair.call("observe", seat, written.reshape(-1))
        assert (shown == written).all()
    mask, legal = np.full(encoding.actions, 7, np.int8), np.full(encoding.actions, 8, np.int8)
    view = rules.view(state, state.turn or Seat(0))
    encoding.fill_mask(view, mask)
    pair.call("legal_mask", legal)
    assert (mask == legal).all()
    assert pair.legal() == encoding.legal_numbers(view)


def check_imagination(pair: Pair) -> None:
    """What a seat imagines looks the same to it, and can be played on."""
    before = pair.row.copy()
    seat = Seat(pair.rng.randrange(len(pair.state.avatars)))
    pair.call("imagine", seat)
    imagined = pair.unpack()
    assert rules.view(imagined, seat) == rules.view(pair.state, seat)
    assert kernel.unpack(repack(imagined, len(before)), imagined) == imagined
    pair.row[:] = before


def repack(state: State, words: int) -> Any:
    row = np.zeros(words, np.uint64)
    kernel.pack(state, row)
    return row


TABLES = [
    (Setup(), 2, 40),
    (Setup(rounds=4), 4, 40),
    (Setup("multi-goal"), 3, 60),
    (Setup("multi-goal", goals=2), 6, 60),
    (Setup("original"), 2, 60),
    (Setup("original", rounds=9), 3, 40),
    (Setup("original"), 4, 30),
    (Setup(rows=2, columns=9), 3, 30),
    (Setup(rows=8, columns=7), 2, 20),  # just small
    (Setup("multi-goal", rows=8, columns=8), 5, 12),
    (Setup(rows=9, columns=7, most=9), 9, 12),
    (Setup("multi-goal", rows=9, columns=9), 2, 12),
]


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_row_and_state_stay_equal(number: int) -> None:
    setup, seats, turns = TABLES[number]
    pair = Pair(setup, seats, number)
    for _ in range(turns):
        check_answers(pair)
        check_imagination(pair)
        if pair.state.turn is None:
            break
        if pair.rng.random() < 0.04:
            pair.remove(pair.rng.choice(pair.state.seats))
        else:
            pair.step(pair.choose())


def test_every_ending() -> None:
    """Somebody comes home, everybody passes, the rounds are over, nobody is left."""
    endings = set()
    for seed in range(6):
        pair = Pair(Setup(rows=4, columns=4, rounds=12), 2, seed)
        while pair.state.turn is not None:
            if seed == 0:
                pair.remove(pair.state.turn)
            else:
                pair.step(0 if seed == 1 else pair.choose())
        check_answers(pair)
        endings.add(rules.ending(pair.state))
    assert endings >= {"somebody came home", "everybody passed", "nobody is left"}


def test_only_the_mover_of_the_round_before_is_removed() -> None:
    pair = Pair(Setup(), 3, 1)
    pair.step(0)
    pair.step(next(action for action in pair.legal() if action))
    pair.step(0)
    pair.remove(Seat(1))
    check_answers(pair)
    assert pair.state.turn is None


def test_a_given_match_starts_as_it_is_given() -> None:
    before = replace(
        rules.start(Setup("multi-goal"), 3, Random(1)), last=Slide(2, "UP"), avatars=((0, 0), (1, 1), (2, 5))
    )
    setup = Setup("multi-goal", given=referee_form(before), rounds=70)
    pair = Pair(setup, 3, 5)
    start = pair.state
    pair.step(pair.choose())
    pair.call("start")
    assert pair.unpack() == start
    assert pair.row[0] != 0
    check_answers(Pair(setup, 3, 5))


def test_a_drawn_board_keeps_its_tiles() -> None:
    setup = Setup(board=Maze(("│─┐└", "┌┘┬├", "┴┤┼│", "│─┐└"), "┬"))
    pair = Pair(setup, 2, 1)
    pair.call("start")
    assert pair.unpack().board.tiles == pair.state.board.tiles
    assert pair.unpack().board.gems != pair.state.board.gems


@pytest.mark.parametrize("setup", [Setup("multi-goal", goals=3), Setup("original"), Setup(rows=9, columns=9)])
def test_a_dealt_match_is_one_of_the_rule_book(setup: Setup) -> None:
    pair = Pair(setup, 2, 3)
    for _ in range(5):
        pair.call("start")
        dealt = pair.unpack()
        assert len(set(dealt.board.gems)) == len(dealt.board.gems)
        assert len(set(dealt.homes)) == 2
        assert all(one != other for one, other in zip(dealt.homes, dealt.targets, strict=True))
        assert len(dealt.queue) == len(pair.like.queue)
        assert len({*dealt.targets, *dealt.queue}) == 2 + len(dealt.queue)
        assert [len(pile) for pile in dealt.piles] == [len(pile) for pile in pair.like.piles]
        assert (dealt.avatars, dealt.last, dealt.turn, dealt.rounds) == (dealt.homes, None, 0, 0)
        if setup.variant == "original":
            everything = Counter((*pair.like.targets, *sum(pair.like.piles, ())))
            assert Counter((*dealt.targets, *sum(dealt.piles, ()))) == everything
            assert tiles_with_treasures(dealt) == tiles_with_treasures(pair.like)


def tiles_with_treasures(state: State) -> dict[str, int]:
    """How many sides of the tile with a treasure are open."""
    tiles = [tile for line in state.board.tiles for tile in line] + [state.board.spare]
    pairs = zip(tiles, state.board.gems, strict=True)
    return {one: tile.bit_count() for tile, (one, other) in pairs if one == other}


def test_dealing_is_fair() -> None:
    """Coarsely: tiles, homes and first targets, over 300 deals."""
    pair = Pair(Setup(rows=4, columns=4), 2, 3)
    tiles, homes, targets = Counter[int](), Counter[Any](), Counter[Any]()
    for _ in range(300):
        pair.call("start")
        dealt = pair.unpack()
        tiles.update(tile for line in dealt.board.tiles for tile in line)
        homes.update(dealt.homes[:1])
        targets.update(dealt.targets[1:])
    assert len(tiles) == 11
    assert max(tiles.values()) < 1.25 * min(tiles.values())
    for places in (homes, targets):
        assert len(places) == 4
        assert max(places.values()) < 1.6 * min(places.values())


def test_a_random_action_is_fair() -> None:
    """Coarsely: a pass as likely as each move, wherever it is drawn from."""
    pair = Pair(Setup(rows=2, columns=4), 2, 11)
    legal = pair.legal()
    found = Counter(int(pair.call("random_action")) for _ in range(60 * len(legal)))
    assert sorted(found) == legal
    assert max(found.values()) < 100


@pytest.mark.parametrize(
    "change",
    [
        {"avatars": ((7, 0), (0, 0))},
        {"homes": ((0, 7), (0, 0))},
        {"targets": ((9, 9), (0, 0))},
        {"queue": ((1, 8),)},
        {"last": Slide(1, "LEFT")},
        dict.fromkeys(("avatars", "homes", "targets"), ((1, 1),) * 10) | {"found": ((),) * 10},
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any]) -> None:
    state = replace(rules.start(Setup(), 2, Random(1)), **change)
    with pytest.raises(KernelSizeError, match="Labyrinth"):
        kernel.constants_for(state)


def test_a_board_too_large_is_refused() -> None:
    kernel.constants_for(rules.start(Setup(rows=64, columns=63), 2, Random(1)))
    with pytest.raises(KernelSizeError, match="64 rows of 65"):
        kernel.constants_for(rules.start(Setup(rows=64, columns=64), 2, Random(1)))


def test_compiled_rows_are_those_of_the_interpreter() -> None:
    state = rules.start(Setup(rounds=25), 2, Random(1))
    core, slow = load_kernel(GAME, state), load_kernel(GAME, state, how="interpreted")
    assert core.play_random(1, 3) == slow.play_random(1, 3)
