# examples/openspiel_bot.py: a bot of OpenSpiel at a table of Fairplay, over the native protocol
#     openspiel_bot.py --bot mcts --simulations 1000      tree search in C++, for games that hide nothing
#     openspiel_bot.py --bot mcts --seconds 0.1           the same, as long as it may think
#     openspiel_bot.py --bot ismcts --simulations 100     tree search in Python, for games that hide something
# In a copy of the repository, add `--path src`: a sandbox shows a program only what its command line names.
import argparse
import json
import sys
from random import Random

import numpy as np
import pyspiel

UCT_C = 2**0.5
MEGABYTES = 200
UNLIMITED = 10**9


def load_game(welcome):
    """The game of OpenSpiel that is played like this match."""
    name = f"fairplay_{welcome['game']}"
    known = next(each.parameter_specification for each in pyspiel.registered_games() if each.short_name == name)
    fields = {key: value for key, value in welcome["setup"].items() if key in known and value is not None}
    # No state before the deal is needed, so any seed will do.
    return pyspiel.load_game(name, {**fields, "seats": welcome["seats"], "seed": 0})


def make_bot(options, game, seed):
    """A bot for one match."""
    if options.bot == "ismcts":
        from open_spiel.python.algorithms import ismcts
        from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

        chance = np.random.RandomState(seed % 2**32)
        return ismcts.ISMCTSBot(
            game,
            RandomRolloutEvaluator(1, chance),
            UCT_C,
            options.simulations,
            random_state=chance,
            use_observation_string=True,
        )
    most, seconds = (UNLIMITED, options.seconds) if options.seconds else (options.simulations, -1.0)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed % 2**31)
    return pyspiel.MCTSBot(
        game, evaluator, UCT_C, most, MEGABYTES, True, seed % 2**31, False, max_wall_clock_time=seconds
    )


def choose(game, bot, view, rng):
    """The number of the action that the bot takes."""
    state = game.imagine_state(game.table.game.codec.view_from_json(view), rng)
    # Not `step`: that of the bots in C++ ends the process with any game in Python.
    _, action = bot.step_with_policy(state)
    return int(action)


def say(**message):
    """One JSON value a line, sent at once."""
    print(json.dumps(message), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bot", choices=["mcts", "ismcts"], default="mcts")
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--path", default="")
    options = parser.parse_args()
    if options.path:
        sys.path.insert(0, options.path)
    import fairplay.rl.openspiel  # noqa: F401 - registers the games

    game = bot = rng = None
    games = [name.removeprefix("fairplay_") for name in pyspiel.registered_names() if name.startswith("fairplay_")]
    say(type="hello", version=1, name=f"openspiel-{options.bot}", games=games)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "welcome":
            game, rng = load_game(message), Random(message["chance"])
            bot = make_bot(options, game, message["chance"])
        elif message["type"] == "tell":
            say(type="heard", id=message["id"])
        elif message["type"] == "ask":
            say(type="answer", id=message["id"], action=choose(game, bot, message["view"], rng))


if __name__ == "__main__":
    main()
