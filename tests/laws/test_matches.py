"""Every game keeps `fairplay.testing.laws.matches`."""

from fairplay.testing.laws.matches import *
