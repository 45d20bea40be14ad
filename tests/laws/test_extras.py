"""Every game keeps `fairplay.testing.laws.extras`."""

from fairplay.testing.laws.extras import *
