"""Fairplay runs board games between players nobody has to trust, and says who won."""

__version__ = "0.1.0"
