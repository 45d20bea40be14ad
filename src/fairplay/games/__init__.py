"""One folder per game; none knows another."""
