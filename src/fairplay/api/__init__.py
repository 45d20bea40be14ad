"""What ``import fairplay`` offers: games, positions, matches and tournaments, for scripts and notebooks."""
