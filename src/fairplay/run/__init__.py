"""Carrying the orders of a referee out."""
