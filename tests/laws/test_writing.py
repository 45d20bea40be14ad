"""Every game keeps `fairplay.testing.laws.writing`."""

from fairplay.testing.laws.writing import *
