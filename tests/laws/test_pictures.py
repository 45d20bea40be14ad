"""Every game keeps `fairplay.testing.laws.pictures`."""

from fairplay.testing.laws.pictures import *
