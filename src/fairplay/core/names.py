"""Text of strangers: names that they may choose, when two are the same, which was meant; and how all of it is shown."""

import re
import unicodedata
from collections.abc import Iterable

from fairplay.core.faults import UsageError

_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\u2800\U0001d159]"
)
"""Characters that nobody sees (Default_Ignorable_Code_Point, and two that are drawn as nothing)."""

_MAX_MARKS = 4
"""Marks above or below one letter; a pile of them would cover what stands beside the name."""

_WRITTEN_TOGETHER = (
    frozenset({"CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"CJK", "HANGUL"}),
    frozenset({"CJK", "BOPOMOFO"}),
)
"""Scripts that one language mixes."""

_OTHER_NAMES = {"IDEOGRAPHIC": "CJK", "KATAKANA-HIRAGANA": "KATAKANA"}
"""Letters whose Unicode name does not begin with their script."""


def check_name(text: str) -> str:
    """`text` as a name, without spaces around it; raises UsageError if it could be taken for another name.

    A name consists of characters that can be seen, and its letters belong to one script.
    """
    name = unicodedata.normalize("NFC", text.strip(" "))
    if not name:
        raise UsageError("a name needs at least one character")
    if unseen := next((each for each in name if not each.isprintable() or _IGNORABLE.match(each)), None):
        raise UsageError(f"a name may not contain the invisible character U+{ord(unseen):04X}")
    _check_marks(name)
    scripts = _find_scripts(name)
    if len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER):
        listed = " and ".join(sorted(script.title() for script in scripts))
        raise UsageError(f"a name is written in one script; this one mixes {listed}")
    return name


def _check_marks(name: str) -> None:
    """Raises UsageError if marks have no letter to belong to, or one letter has too many."""
    marks = "".join(
        "m" if unicodedata.category(each).startswith("M") else "-" for each in unicodedata.normalize("NFD", name)
    )
    if marks.startswith("m"):
        raise UsageError("a name may not begin with a mark that belongs to a letter before it")
    if "m" * (_MAX_MARKS + 1) in marks:
        raise UsageError(f"a name may not have more than {_MAX_MARKS} marks on one letter")


def name_key(name: str) -> str:
    """What names are compared by: two names with the same key are the same name."""
    seen = _IGNORABLE.sub("", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


_LOOK_ALIKES = str.maketrans(
    dict(
        zip(
            "ɑɡıɩȷᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢʋɾⱺƖǀƿȢȣⱭꞬ"  # Latin: phonetic letters, small capitals
            "аеорсухіјѕԁԛԝһѵӏгкмнтвпАВЕКМНОРСТУХІЈЅԌԚԜҺѴӀ"  # Cyrillic
            "αινορυγκΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϲϳ"  # Greek
            "օսոհցզոԁՕՍՏԼ",  # Armenian
            "agiijABCDEFGHIJKLMNOPRSTUVWYZurollp88AG"
            "aeopcyxijsdqwhvlrkmhtbnABEKMHOPCTYXIJSGQWHVI"
            "aivopuykABEZHIKMNOPTYXCcj"
            "ounhgqndOUSL",
            strict=True,
        )
    )
)
"""Letters that are drawn as one of the Latin alphabet, and that one, in the same case if it has one."""

_AMBIGUOUS = (
    (re.compile("[1I|]"), "l"),
    (re.compile("[0o]"), "O"),
    (re.compile("rn"), "m"),
    (re.compile("vv"), "w"),
)
"""What many typefaces draw alike."""


def name_shapes(name: str) -> frozenset[str]:
    """What a name looks like: those of another that share a shape with it may be taken for it.

    One shape leaves case aside, the other takes 1 for l and 0 for O.  Accents and most digits always tell names apart.
    """
    latin = unicodedata.normalize("NFKC", _IGNORABLE.sub("", name)).translate(_LOOK_ALIKES)
    drawn = " ".join(latin.split())
    for pattern, same in _AMBIGUOUS:
        drawn = pattern.sub(same, drawn)
    return frozenset({f"letters {name_key(latin)}", f"drawn {drawn}"})


def find_alike(name: str, taken: Iterable[str]) -> str | None:
    """One of `taken` that `name` could be taken for; None if there is none."""
    shapes = name_shapes(name)
    return next((each for each in taken if not shapes.isdisjoint(name_shapes(each))), None)


def find_repeated_name(names: list[str]) -> str | None:
    """The first name that another one before it equals; None if all are different."""
    seen: set[str] = set()
    for name in names:
        key = name_key(name)
        if key in seen:
            return name
        seen.add(key)
    return None


def _find_scripts(name: str) -> frozenset[str]:
    """The scripts of the letters in a name; digits, marks and signs belong to every script."""
    letters = (each for each in unicodedata.normalize("NFKC", name) if each.isalpha())
    words = {unicodedata.name(letter, "UNKNOWN").split()[0] for letter in letters} - {"MODIFIER"}
    return frozenset(_OTHER_NAMES.get(word, word) for word in words)


def suggest_name(wrong: str, known: Iterable[str]) -> str:
    """``"; did you mean 'greedy'?"`` if one of `known` is much like `wrong`, else nothing; ends a sentence."""
    from difflib import get_close_matches  # only those who mistype a name wait for it

    by_key = {name_key(name): name for name in known}
    close = get_close_matches(name_key(wrong), by_key, n=1)
    return f"; did you mean '{by_key[close[0]]}'?" if close else ""


def list_known(wrong: str, known: Iterable[str]) -> str:
    """All of `known`, and which of them was probably meant; ends a sentence such as "fish has no x; it has ..."."""
    names = list(known)
    return f"{', '.join(names) or 'none'}{suggest_name(wrong, names)}"


def escape_controls(text: str, *, keep: str = "") -> str:
    r"""`text` with each character that cannot be seen written as ``\x1b`` or ``\u202e``; those in `keep` stay.

    A terminal shows it as it is: nothing in it can move the cursor, change colours or turn the line round.
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in keep else each.encode("unicode_escape").decode() for each in text
    )
