"""Playing, without I/O, clocks or threads."""
