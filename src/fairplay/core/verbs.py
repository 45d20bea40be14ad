"""Verbs for sentences about turns: what was done, or what would be done."""

from collections.abc import Callable

IRREGULAR = {
    "begin": "began",
    "come": "came",
    "draw": "drew",
    "find": "found",
    "keep": "kept",
    "slide": "slid",
    "take": "took",
}


def choose_tense(subject: str, *, would: bool) -> tuple[str, Callable[[str], str]]:
    """The beginning of a sentence about `subject`, and the form of each verb in it.

    >>> begin, verb = choose_tense("red", would=False)
    >>> f"{begin} {verb('move')} and {verb('take')} 2 fish"
    'red moved and took 2 fish'
    >>> begin, verb = choose_tense("You", would=True)
    >>> f"{begin} {verb('move')} and {verb('take')} 2 fish"
    'You would move and take 2 fish'
    """
    return (f"{subject} would", str) if would else (subject, _past_tense)


def _past_tense(verb: str) -> str:
    return IRREGULAR.get(verb) or (f"{verb}d" if verb.endswith("e") else f"{verb}ed")
