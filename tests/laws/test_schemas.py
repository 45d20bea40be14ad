"""Every game keeps `fairplay.testing.laws.schemas`."""

from fairplay.testing.laws.schemas import *
