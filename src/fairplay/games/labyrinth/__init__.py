"""Labyrinth."""
