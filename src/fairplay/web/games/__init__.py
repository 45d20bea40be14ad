"""The games that the server offers: their levels, their setups, a demonstration of each."""
