"""`python -m bench.world [MATCH ...] [--matches N] [--jobs N]`: our search against bots of other projects.

They play through the native protocol, as programs (`examples/openspiel_bot.py`).  OpenSpiel's MCTS is its own, in C++;
its ISMCTS is its own in Python, since the one in C++ cannot ask a game in Python to choose again what is hidden.  Both
play on our export, whose rules are in Python: so at equal time they see far fewer positions than a search on our
kernels, and at equal simulations they take far more time.  That is why the time of both sides is printed.
"""

from __future__ import annotations

import sys
from typing import Any

from bench.strength import ROOT, Bar, main


def name_program(bot: str, budget: str) -> str:
    """The spec of a bot of OpenSpiel with its budget."""
    return f"cmd:{sys.executable} {ROOT / 'examples' / 'openspiel_bot.py'} --bot {bot} {budget} --path {ROOT / 'src'}"


def against_mcts(name: str, player: str, budget: str, matches: int, variant: str = "standard", **fields: Any) -> Bar:
    """A match of Fish against MCTS."""
    return Bar(f"fish-{name}", "fish", variant, (name_program("mcts", budget),), None, matches, player, fields)


def against_ismcts(game: str, name: str, player: str, budget: str, matches: int, variant: str, **fields: Any) -> Bar:
    """A match of a game that hides something against ISMCTS."""
    return Bar(f"{game}-{name}", game, variant, (name_program("ismcts", budget),), None, matches, player, fields)


MATCHES = (
    against_mcts("small-100", "search:nodes=100", "--simulations 100", 100, rows=5, columns=5),
    against_mcts("small-1000", "search:nodes=1000", "--simulations 1000", 60, rows=5, columns=5),
    against_mcts("100", "search:nodes=100", "--simulations 100", 60),
    against_mcts("1000", "search:nodes=1000", "--simulations 1000", 24),
    against_mcts("time", "search:seconds=0.1", "--seconds 0.1", 40),
    against_mcts("original-time", "search:seconds=0.1", "--seconds 0.1", 40, "original"),
    against_ismcts("trains", "100", "search:playouts=100", "--simulations 100", 60, "standard", map="small"),
    against_ismcts("labyrinth", "50", "search:playouts=50", "--simulations 50", 12, "plain"),
)

if __name__ == "__main__":
    sys.exit(main(bars=MATCHES))
