"""Every game keeps `fairplay.testing.laws.arrays`."""

from fairplay.testing.laws.arrays import *
