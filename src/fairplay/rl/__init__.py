"""Environments for programs that learn: PettingZoo, Gymnasium, vectors of matches on the kernels, OpenSpiel."""
