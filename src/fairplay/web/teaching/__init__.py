"""Learning to play: five pictures for each game, and its full rules."""
