"""Tournaments on the page: run, follow and list them, and the players in them."""
