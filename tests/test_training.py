"""The training of nets (`bench.nets`): it learns, and what it plays is a match."""

from __future__ import annotations

import itertools

import numpy as np
from bench.nets.examples import Examples, fit
from bench.nets.fish import CorePlayer, Round, list_examples, score_nets, seeds_of, territory_net
from bench.nets.fish_play import play_match
from bench.nets.training import Trainer

from fairplay.games.fish import kernel
from fairplay.games.fish.players.nets.features import FEATURES
from fairplay.games.fish.players.nets.net import FINER, HIDDEN, LARGEST, NET_UNIT, apply_net, pack_net
from fairplay.kernels.code import load_functions
from fairplay.rl.table import LearningTable

BUCKETS = 12


def make_player() -> CorePlayer:
    """Plays tiny matches, interpreted."""
    table = LearningTable("fish", {"rows": 4, "columns": 4}, 2, False)
    state = table.deal(table.setup, 0)
    player = CorePlayer(kernel.constants_for(state), kernel.make_tables(state, table.setup))
    player.functions = load_functions("fish-net", (play_match,), kernel.constants_for(state), "interpreted")
    return player


def test_a_net_learns_what_decides_and_keeps_it_in_whole_numbers() -> None:
    rng = np.random.default_rng(1)
    features = rng.integers(0, 20, (6000, FEATURES)).astype(np.int16)
    buckets = rng.integers(0, BUCKETS, 6000).astype(np.int8)
    targets = (features[:, 0] > features[:, 3]) * 1.0
    examples = Examples(np, BUCKETS, [(features, buckets, np.zeros(6000), targets)])
    trainer = Trainer(np, HIDDEN, BUCKETS, [1 / 8] * FEATURES, [0.0] * FEATURES, 8.0)
    before = trainer.losses(*examples.draw(200)).mean()
    fit(trainer, examples, 100, 64, 0.03)
    assert trainer.losses(*examples.draw(200)).mean() < before / 2
    net = pack_net(**trainer.whole_numbers(NET_UNIT, FINER, LARGEST))
    shown, leads, _ = examples.draw(5)
    plain = trainer.forward(shown, leads)[2] * 8.0
    for bucket, place in np.ndindex(BUCKETS, 5):
        said = apply_net(net, bucket, shown[bucket, place].astype(np.int64)) / NET_UNIT
        assert abs(said - plain[bucket, place]) < 0.05


def test_self_play_shows_whole_matches_from_the_seat_on_turn() -> None:
    player, nets = make_player(), np.stack([territory_net(original=False)] * 2)
    played = player.play(1, nets, Round(1, 2, 0, 0), 2, True)
    features, buckets, leads, targets = list_examples(np, played)
    assert len(features) == len(buckets) == len(leads) == len(targets) == (played[1] >= 0).sum() > 16
    assert (buckets[:2] >= 8).all()  # penguins are still being placed
    assert ((targets >= 0) & (targets <= 1)).all()


def test_the_same_net_on_both_sides_wins_half() -> None:
    player, nets = make_player(), np.stack([territory_net(original=False)] * 2)
    assert score_nets(player, nets, 2, 2, seed=3) == 0.5


def test_matches_of_a_round_have_seeds_of_their_own() -> None:
    found = [pair for number in range(3) for pair in seeds_of(number, Round(2, 1 << 20, 1, 1))]
    spans = sorted((seed, seed + count) for seed, count in found)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))
