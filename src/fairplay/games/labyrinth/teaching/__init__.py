"""How Labyrinth is taught: five pictures, and advice in a first match."""

from typing import Final

from fairplay.core.teaching import Teaching
from fairplay.games.labyrinth.teaching.advice import give_advice
from fairplay.games.labyrinth.teaching.lessons import build_lessons

__all__ = ["TEACHING"]

TEACHING: Final = Teaching("5 to 10", build_lessons, give_advice)
