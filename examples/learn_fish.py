"""Learn Fish from nothing, by playing against oneself: numpy, one processor core, about two minutes.

    python examples/learn_fish.py --out my_fish.py
    fairplay tournament run fish my_fish.py greedy random

How the player chooses its moves, and what its network sees, is in learned_fish.py beside this file: for every move it
asks the network how many more fish than the rival it will collect from there on.

To learn, the network plays both seats of many matches at once.  After each round it is shown all the positions again,
each with a better guess of what was to come: what it said itself a few moves later, and how the match ended.  This is
how TD-Gammon learned backgammon in 1992.
"""

import argparse
import base64
import inspect
import io
import textwrap
from pathlib import Path
from time import process_time

import learned_fish
import numpy as np
from learned_fish import ACTIONS, CELLS, CHANNELS, foresee, lead, look

import fairplay as fp
from fairplay.catalog import find_game
from fairplay.core import Picture
from fairplay.core.kernel import OVER
from fairplay.games.fish.players.strategies import greedy
from fairplay.games.fish.rules import apply, view
from fairplay.kernels.loading import load_kernel

FISH = fp.load("fish")
NOISE = 2.0  # fish: while learning, moves that differ by less are tried about equally often
TRUST = 0.8  # in what came later, against what the network says one move later (the lambda of TD)
RATE = 0.003  # how far the weights move at first; it falls to nothing
AT_ONCE = 128  # matches of a round
HIDDEN = 64  # units of the network


# -- learning --------------------------------------------------------------------------------------


class Learner:
    """The weights, and how they learn: gradient descent with the step sizes of Adam."""

    def __init__(self, rng):
        into = rng.normal(0, 0.2, (HIDDEN, 8 * CELLS + 1))
        self.weights = [each.astype(np.float32) for each in (into, np.zeros(HIDDEN), np.zeros(HIDDEN), np.zeros(1))]
        self.means, self.squares = ([np.zeros_like(each) for each in self.weights] for _ in range(2))
        self.steps = 0

    def learn(self, planes, targets, rate):
        """Move the weights a little towards what should have been foreseen; return the mean squared error."""
        foreseen, hidden = foresee(self.weights, planes)
        error = foreseen - targets
        slope = error / len(error)
        back = np.outer(self.weights[2], slope) * (hidden > 0)
        gradients = back @ planes.T, back.sum(1), hidden @ slope, slope.sum(keepdims=True)
        self.steps += 1
        for weight, gradient, mean, square in zip(self.weights, gradients, self.means, self.squares, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            spread = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            weight -= rate / (1 - 0.9**self.steps) * mean / spread
        return float(np.mean(error**2))


def load_fish():
    """The rules of Fish for many matches at once: 8 x 8 tiles, two seats."""
    return load_kernel(find_game("fish"), FISH.start(seed=0, seats=2).state, setup=FISH.setup)


def try_moves(kernel, rows, movers):
    """All legal actions: the match of each, its number, and what the mover sees after it."""
    masks = np.empty((len(rows), ACTIONS), np.int8)
    kernel.run("legal_mask_many", rows, masks)
    match, action = np.nonzero(masks)
    after, seen = rows[match], np.empty((len(match), CELLS * CHANNELS), np.float32)
    kernel.run("step_many", after, action)
    kernel.run("observe_many", after, movers[match], seen)
    return match, action, seen


def choose_actions(kernel, weights, rows, movers, rng=None):
    """The best action of every match, with `rng` not always; and the planes, the lead and what is foreseen after it."""
    match, action, seen = try_moves(kernel, rows, movers)
    planes = look(seen)
    foreseen, _ = foresee(weights, planes)
    worth = lead(seen) + foreseen + (0 if rng is None else NOISE * rng.gumbel(size=len(match)))
    order = np.lexsort((worth, match))  # the actions of a match stay together, the best one comes last
    best = order[np.append(match[1:] != match[:-1], True)]
    return action[best], planes[:, best], lead(seen[best]), foreseen[best]


def play_round(kernel, weights, rng):
    """Play some matches against oneself; return all positions, and what should have been foreseen of each."""
    rows, movers = kernel.make_rows(AT_ONCE), np.zeros(AT_ONCE, np.int64)
    kernel.run("start_many", rows, rng.integers(2**63, size=AT_ONCE).astype(np.uint64))
    history, final = [], np.zeros(AT_ONCE, np.float32)  # the lead of seat 0 at the end
    while True:
        kernel.run("to_move_many", rows, movers)
        live = np.flatnonzero(movers != OVER)
        if not len(live):
            break
        sign = np.where(movers[live] == 0, 1, -1).astype(np.float32)
        moving = rows[live]
        actions, planes, ahead, foreseen = choose_actions(kernel, weights, moving, movers[live], rng)
        kernel.run("step_many", moving, actions)
        rows[live] = moving
        history.append((live, sign, planes, ahead, foreseen))
        final[live] = sign * ahead  # the last move of a match stays
    targets = []
    for live, sign, _, ahead, foreseen in reversed(history):
        targets.append(sign * final[live] - ahead)
        final[live] = TRUST * final[live] + (1 - TRUST) * sign * (ahead + foreseen)
    return np.concatenate([planes for _, _, planes, _, _ in history], axis=1), np.concatenate(targets[::-1])


def train(kernel, matches, seed, report):
    """Play and learn in turn; return the weights.  `report` is called now and then."""
    rng = np.random.default_rng(seed)
    learner, rounds = Learner(rng), max(1, matches // AT_ONCE)
    for number in range(rounds):
        if number % max(1, rounds // 10) == 0:
            report(number * AT_ONCE, learner.weights)
        planes, targets = play_round(kernel, learner.weights, rng)
        if number % 2:  # a board that is turned round is as good an example
            planes[:-1] = planes[:-1].reshape(8, CELLS, -1)[:, ::-1].reshape(8 * CELLS, -1)
        for part in np.array_split(rng.permutation(len(targets)), len(targets) // 256):
            learner.learn(planes[:, part], targets[part], RATE * (1 - number / rounds))
    report(rounds * AT_ONCE, learner.weights)
    return learner.weights


# -- how strong it is, and what is kept ------------------------------------------------------------


def measure(kernel, weights, matches, seed):
    """The share of matches won against the house's `greedy`, each deal from both seats; a tie is half a win."""
    rival, me = greedy(None), [number % 2 for number in range(matches)]
    states = [FISH.start(seed + number // 2, 2).state for number in range(matches)]
    while live := [number for number, state in enumerate(states) if state.turn is not None]:
        mine = [number for number in live if states[number].turn == me[number]]
        rows, movers = kernel.pack([states[number] for number in mine]), np.array([me[number] for number in mine], int)
        chosen = dict(zip(mine, choose_actions(kernel, weights, rows, movers)[0], strict=True)) if mine else {}
        for number in live:
            shown = view(states[number], states[number].turn)
            action = kernel.encoding.action(chosen[number], shown) if number in chosen else rival(shown)
            states[number] = apply(states[number], action)
    ahead = [state.fish[own] - state.fish[1 - own] for own, state in zip(me, states, strict=True)]
    return float(np.mean(np.sign(ahead)) + 1) / 2


def write_bot(weights, path, command):
    """A bot file of its own: the lines of learned_fish.py, with these weights as text."""
    kept = io.BytesIO()
    np.savez_compressed(kept, *(each.astype(np.float16) for each in weights))
    numbers = textwrap.fill(base64.b64encode(kept.getvalue()).decode(), 120)
    player, start, _ = inspect.getsource(learned_fish).partition("WEIGHTS = ")
    path.write_text(f'{player}{start}read_weights("""\n{numbers}\n""")  # {command}\n', "utf-8")


def draw_curve(points):
    """The share of matches won, by the number of matches played in training, as SVG."""
    line = " ".join(f"{50 + 560 * matches / points[-1][0]:.0f},{270 - 250 * share:.0f}" for matches, share in points)
    marks = "".join(
        f'<path d="M50 {270 - 2.5 * mark}H610" stroke="#8885"/><text x="44" y="{275 - 2.5 * mark}">{mark} %</text>'
        for mark in (0, 25, 50, 75, 100)
    )
    return Picture(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 300" font-family="sans-serif" font-size="14" '
        f'fill="#888" text-anchor="end" role="img" aria-label="matches won against greedy">{marks}'
        f'<polyline points="{line}" fill="none" stroke="#2f7fb5" stroke-width="3" stroke-linejoin="round"/>'
        f'<text x="610" y="294">{points[-1][0]} matches of training</text></svg>'
    )


def main():
    parser = argparse.ArgumentParser(description="Learn Fish by playing against oneself, and write a bot file.")
    parser.add_argument("--matches", type=int, default=20_000, help="how many to play [20000]")
    parser.add_argument("--seed", type=int, default=1, help="the same seed learns the same on the same machine [1]")
    parser.add_argument("--out", type=Path, default=Path("my_fish.py"), help="the bot file [my_fish.py]")
    parser.add_argument("--games", type=int, default=200, help="how many to play against greedy now and then [200]")
    parser.add_argument("--curve", type=Path, help="also draw how it got better, as SVG")
    asked = parser.parse_args()
    kernel, points = load_fish(), []

    def report(matches, weights):
        points.append((matches, measure(kernel, weights, asked.games, 10**6)))
        print(f"{matches:6d} matches, {process_time():4.0f} s: wins {points[-1][1]:4.0%} against greedy", flush=True)

    weights = train(kernel, asked.matches, asked.seed, report)
    write_bot(weights, asked.out, f"examples/learn_fish.py --matches {asked.matches} --seed {asked.seed}")
    if asked.curve:
        asked.curve.write_text(draw_curve(points), "utf-8")
    share = measure(kernel, weights, 2 * asked.games, 2 * 10**6)
    print(f"wins {share:.1%} of {2 * asked.games} matches on other deals; written to {asked.out}")


if __name__ == "__main__":
    main()
