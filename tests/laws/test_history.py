"""Every game keeps `fairplay.testing.laws.history`."""

from fairplay.testing.laws.history import *
