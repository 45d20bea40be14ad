"""Many matches as data: formats, tables, ratings and intervals, without I/O."""
