"""Every game keeps `fairplay.testing.laws.teaching`."""

from fairplay.testing.laws.teaching import *
