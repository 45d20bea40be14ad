"""The laws that every game keeps: tests that pytest runs for each game."""
