"""How docstrings become Markdown on the site: examples are fenced, parameters are a list, comments describe fields."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
PARAMETERS = re.compile(r"^(\w+(?:, \w+)*): (?=\S)", re.MULTILINE)

COMMENT = re.compile(r"  # (?!type:|noqa)(.+?)\.?$")


def to_markdown(docstring: str) -> str:
    """Fence the examples of a docstring, and make a list of lines such as `seed: deals the match.`"""
    text = PARAMETERS.sub(
        lambda found: "- " + ", ".join(f"`{name}`" for name in found[1].split(", ")) + ": ", docstring
    )
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)


class PlainDocstrings(griffe.Extension):
    """Applies `to_markdown` to everything that is shown."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """EFFECT: rewrites the docstring."""
        if obj.docstring is not None:
            obj.docstring.value = to_markdown(obj.docstring.value)

    def on_attribute(self, *, attr: griffe.Attribute, **kwargs: Any) -> None:
        """EFFECT: takes the comment behind a field for its docstring."""
        if attr.docstring is None and (found := COMMENT.search(attr.source)):
            attr.docstring = griffe.Docstring(found[1][:1].upper() + found[1][1:] + ".", parent=attr)
