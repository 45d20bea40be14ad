"""One match, without I/O, clocks or threads."""
