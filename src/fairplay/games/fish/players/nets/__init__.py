"""The nets of Fish: what a position is worth by what became of many like it; see `bench.nets`."""
