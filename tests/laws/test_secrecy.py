"""Every game keeps `fairplay.testing.laws.secrecy`."""

from fairplay.testing.laws.secrecy import *
