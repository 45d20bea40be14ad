"""Every game keeps `fairplay.testing.laws.scores`."""

from fairplay.testing.laws.scores import *
