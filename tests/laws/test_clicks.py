"""Every game keeps `fairplay.testing.laws.clicks`."""

from fairplay.testing.laws.clicks import *
