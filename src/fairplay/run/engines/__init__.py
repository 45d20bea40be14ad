"""Where matches are played: here, on the cores of this machine, on a cluster."""
