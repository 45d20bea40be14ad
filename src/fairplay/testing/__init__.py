"""For authors of games: the laws that every game keeps, and the kit that tells them what they cannot find out.

What is here needs nothing but Fairplay itself, so that a kit may lie in the very file of a game.  The laws need more:
``pip install 'fairplay[laws]'``.
"""

from fairplay.testing.kit import Kit, Perft, Table

__all__ = ["Kit", "Perft", "Table"]
