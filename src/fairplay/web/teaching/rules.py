"""The rules of a game as HTML, with an anchor for every rule: `#4.2`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import escape
from msgspec import Struct

__all__ = ["RulesPage", "Section", "find_rules", "render_rules"]

RULE: Final = re.compile(r"\*\*(\d+\.\d+)\*\*")
"""How the paragraph of a numbered rule begins."""

SECTION: Final = re.compile(r"(\d+) (.+)")
"""The heading of a section: its number and its title."""

CITED: Final = re.compile(r"\((\d+\.\d+)\)")
"""A rule that is cited in a text."""


class Section(Struct, frozen=True):
    """A section, for a table of contents."""

    anchor: str
    title: str


class RulesPage(Struct, frozen=True):
    """The rules of one game."""

    title: str
    sections: tuple[Section, ...]
    html: str


@cache
def find_rules(game: str) -> RulesPage | None:
    """The rules of a game; None if it has none."""
    source = files("fairplay.web.teaching") / "texts" / f"{game}.md"
    return render_rules(source.read_text("utf-8")) if source.is_file() else None


def render_rules(text: str) -> RulesPage:
    """Rules in Markdown as a page."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    for kind, render in RENDERERS.items():
        parser.add_render_rule(kind, render)
    tokens = parser.parse(text)
    title, sections = number_headings(tokens)
    number_rules(tokens)
    replace_empty_headers(tokens)
    anchors = {str(token.attrs["id"]) for token in tokens if "id" in token.attrs}
    for token in tokens:
        tidy_token(token, anchors)
    body = tokens[3:]  # after the title, which the page shows in its own way
    return RulesPage(title, tuple(sections), parser.renderer.render(body, parser.options, {}))


def number_headings(tokens: Sequence[Token]) -> tuple[str, list[Section]]:
    """Give each heading its anchor; returns the title and the sections."""
    title, sections = "", list[Section]()
    for token, inline in pairwise(tokens):
        if token.type != "heading_open":
            continue
        if token.tag == "h1":
            title = inline.content
        elif token.tag == "h2":
            found = SECTION.fullmatch(inline.content)
            anchor = found[1] if found else make_anchor(inline.content)
            token.attrs["id"] = anchor
            sections.append(Section(anchor, inline.content))
    return title, sections


def make_anchor(heading: str) -> str:
    """The anchor of a heading without a number."""
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


def number_rules(tokens: Sequence[Token]) -> None:
    """Give each numbered rule its anchor."""
    for item, _, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if item.type == "list_item_open" and inline.type == "inline" and (found := RULE.match(inline.content)):
            item.attrs["id"] = found[1]


def replace_empty_headers(tokens: Sequence[Token]) -> None:
    """Make ordinary cells of headers of columns that say nothing."""
    for start, inline, end in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if start.type == "th_open" and not inline.content:
            start.tag = end.tag = "td"


def tidy_token(token: Token, anchors: set[str]) -> None:
    """Leave out what a page of ours may not have: styles in attributes, and links to files that are not served."""
    style = token.attrs.pop("style", None)
    if style == "text-align:right":
        token.attrs["class"] = "number"
    if token.children is not None:
        kept = (child for child in token.children if child.type not in ("link_open", "link_close", "image"))
        token.children = [part for child in kept for part in link_rules(child, anchors)]


def link_rules(token: Token, anchors: set[str]) -> list[Token]:
    """A piece of text with links to the rules that it cites."""
    if token.type != "text":
        return [token]
    parts: list[Token] = []
    for number, text in enumerate(CITED.split(token.content)):
        is_cited = number % 2 == 1
        if is_cited and text in anchors:
            parts += [new_text("("), Token("link_open", "a", 1, {"href": f"#{text}"}), new_text(text)]
            parts += [Token("link_close", "a", -1), new_text(")")]
        else:
            parts.append(new_text(f"({text})" if is_cited else text))
    return parts


def new_text(text: str) -> Token:
    return Token("text", "", 0, content=text)


def render_fence(_renderer: Any, tokens: Sequence[Token], number: int, *_: Any) -> str:
    """A block of code, which can be scrolled by keys."""
    return f'<pre tabindex="0"><code>{escape(tokens[number].content)}</code></pre>\n'


def open_table(*_: Any) -> str:
    """A table, which can be scrolled by keys."""
    return '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n'


def close_table(*_: Any) -> str:
    """The end of a table."""
    return "</table></div>\n"


RENDERERS: Final = {"fence": render_fence, "table_open": open_table, "table_close": close_table}
