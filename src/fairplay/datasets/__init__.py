"""Recorded matches as data sets: every decision, what its seat knew, and what came of it."""
