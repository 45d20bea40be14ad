"""Tournament formats."""
