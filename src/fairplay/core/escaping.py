"""Text of strangers for a terminal: nothing in it can move the cursor, change colours or turn the line round."""


def escape_controls(text: str, *, keep: str = "") -> str:
    r"""`text` with each character that cannot be seen written as ``\x1b`` or ``\u202e``; those in `keep` stay."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in keep else each.encode("unicode_escape").decode() for each in text
    )
