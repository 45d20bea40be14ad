"""Nets for house players, trained by self-play on a CUDA device."""
