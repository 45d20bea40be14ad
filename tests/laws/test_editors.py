"""Every game keeps `fairplay.testing.laws.editors`."""

from fairplay.testing.laws.editors import *
