"""Every game keeps `fairplay.testing.laws.rules`."""

from fairplay.testing.laws.rules import *
