"""Commands for authors of games: what they made is tried and measured."""
