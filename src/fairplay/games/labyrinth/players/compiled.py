"""The functions of the search that are compiled: together, since they share most of what they call."""

from fairplay.games.labyrinth.players.candidates import rate_moves
from fairplay.games.labyrinth.players.playouts import expect_line, play_samples

__all__ = ["expect_line", "play_samples", "rate_moves"]
