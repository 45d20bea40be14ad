"""Kernels made to run: the same source interpreted, compiled for a core, or compiled for a CUDA device."""
