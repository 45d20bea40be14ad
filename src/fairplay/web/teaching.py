"""How a game is played: its rules, and its lessons in pictures."""

import asyncio
import logging
import re
from collections.abc import Sequence
from functools import cache
from inspect import cleandoc
from itertools import count, pairwise
from typing import Any

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import escape
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.core import AnyGame
from fairplay.core.shown import Lesson
from fairplay.web.games import default_game, find_game
from fairplay.web.http.endpoints import RequestError
from fairplay.web.rendering.pages import render_page

_RULE = re.compile(r"\*\*(\d+\.\d+)\*\*")
"""How the paragraph of a numbered rule begins."""

SECTION = re.compile(r"(\d+) (.+)")
"""The heading of a section: its number and its title."""

_CITED = re.compile(r"\((\d+\.\d+)\)")
"""A rule that is cited in a text."""

_PAGE_IDS = frozenset({"main", "who", "who-name", "who-form", "who-field", "who-error", "contents-title"})
"""Of elements of the page around the rules: no anchor may be one of them."""


_LOG = logging.getLogger("fairplay")


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
def find_rules(name: str) -> RulesPage | None:
    """The rules of a game, as it tells them or as far as they can be read off it; None if there is no such game."""
    game = GAMES.get(name)
    return None if game is None else render_rules(_read_rules(game) or outline_rules(game), _title_rules(game))


def _title_rules(game: AnyGame) -> str:
    return f"The rules of {game.name.capitalize()}"


def _read_rules(game: AnyGame) -> str:
    """What the game tells of its rules; empty, with a warning, if that fails."""
    try:
        return "" if game.shown.rules_text is None else str(game.shown.rules_text())
    except Exception as error:  # a package may do anything
        _LOG.warning("Warning: The rules of %s cannot be read (%s: %s).", game.name, type(error).__name__, error)
        return ""


def outline_rules(game: AnyGame) -> str:
    """What every game says of itself, as rules in Markdown: what it is about, for whom, and what one can do."""
    about = f"{game.about[:1].upper()}{game.about[1:].rstrip('.')}."
    docstring = cleandoc(getattr(game.rules, "__dict__", {}).get("__doc__") or "")
    fewest, most = game.seats[0], game.seats[-1]
    players = f"{fewest} players" if fewest == most else f"{fewest} to {most} players"
    kinds = "\n".join(f"- {_outline_struct(kind)}" for kind in game.actions)
    return f"""{about}

{docstring}

## Players

{players}. The score is in {game.unit}. Variants: {", ".join(game.variants)}.

## What you can do in a turn

{kinds}

## About this page

The author of this game has not written its rules down. What stands here was made from the program itself.
"""


def _outline_struct(kind: type[Any]) -> str:
    """A kind of action with its fields, and its docstring if it has one."""
    tag = kind.__struct_config__.tag
    fields = [_outline_field(field) for field in msgspec.structs.fields(kind)]
    listed = f": {', '.join(fields)}" if fields else ""
    words = " ".join((kind.__doc__ or "").split())
    return f"**{kind.__name__ if tag is None else tag}**{listed}{'. ' * bool(words)}{words}"


def _outline_field(field: msgspec.structs.FieldInfo) -> str:
    """A field of an action, with the values that it may have if its type bounds them."""
    values = _outline_type(msgspec.inspect.type_info(field.type))
    return f"`{field.encode_name}` ({values})" if values else f"`{field.encode_name}`"


def _outline_type(info: msgspec.inspect.Type) -> str:
    """The values of a type in a few words; empty if there are no few."""
    match info:
        case msgspec.inspect.IntType(ge=int(least), le=int(most)):
            return f"{least} to {most}"
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.LiteralType(values=values):
            return ", ".join(map(str, values))
        case msgspec.inspect.EnumType(cls=members):
            return ", ".join(str(each.value) for each in members)
    return ""


def render_rules(text: str, title: str = "The rules") -> RulesPage:
    """Rules in Markdown as a page, whoever wrote them; `title` is for a text without one."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    for kind, render in _RENDERERS.items():
        parser.add_render_rule(kind, render)
    tokens = parser.parse(text.encode("utf-8", "replace").decode())
    own_title, body = _split_title(tokens)
    anchors = {*_PAGE_IDS}
    sections = _number_headings(body, anchors)
    _number_rules(body, anchors)
    _replace_empty_headers(body)
    for token in body:
        _tidy_token(token, anchors - _PAGE_IDS)
    return RulesPage(own_title or title, tuple(sections), parser.renderer.render(body, parser.options, {}))


def _split_title(tokens: list[Token]) -> tuple[str, list[Token]]:
    """The title, if the text begins with one, and all the rest, with titles further down as headings of sections."""
    has_title = bool(tokens) and tokens[0].type == "heading_open" and tokens[0].tag == "h1"
    body = tokens[3:] if has_title else tokens
    for token in body:
        if token.tag == "h1":
            token.tag = "h2"
    return (_plain_text(tokens[1]) if has_title else ""), body


def _number_headings(tokens: Sequence[Token], anchors: set[str]) -> list[Section]:
    """Give each section its anchor, which is added to `anchors`; returns the sections."""
    sections = list[Section]()
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.tag == "h2" and (title := _plain_text(inline)):
            found = SECTION.fullmatch(title)
            token.attrs["id"] = _claim_anchor(found[1] if found else _make_anchor(title), anchors)
            sections.append(Section(str(token.attrs["id"]), title))
    return sections


def _plain_text(inline: Token) -> str:
    """The words of a heading, without what marks some of them."""
    return "".join(child.content or " " * (child.type == "softbreak") for child in inline.children or ()).strip()


def _make_anchor(heading: str) -> str:
    """The anchor of a heading without a number."""
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


def _claim_anchor(wanted: str, anchors: set[str]) -> str:
    """This anchor, or with a number behind it if something else has it."""
    wanted = wanted or "section"
    numbered = (f"{wanted}-{number}" for number in count(2))
    claimed = wanted if wanted not in anchors else next(each for each in numbered if each not in anchors)
    anchors.add(claimed)
    return claimed


def _number_rules(tokens: Sequence[Token], anchors: set[str]) -> None:
    """Give each numbered rule its anchor, which is added to `anchors`."""
    for item, _, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if item.type == "list_item_open" and inline.type == "inline" and (found := _RULE.match(inline.content)):
            item.attrs["id"] = _claim_anchor(found[1], anchors)


def _replace_empty_headers(tokens: Sequence[Token]) -> None:
    """Make ordinary cells of headers of columns that say nothing."""
    for start, inline, end in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if start.type == "th_open" and not inline.content:
            start.tag = end.tag = "td"


def _tidy_token(token: Token, anchors: set[str]) -> None:
    """Leave out what a page of ours may not have: styles in attributes, and links to files that are not served."""
    style = token.attrs.pop("style", None)
    if style == "text-align:right":
        token.attrs["class"] = "number"
    if token.children is not None:
        kept = (child for child in token.children if child.type not in ("link_open", "link_close", "image"))
        token.children = [part for child in kept for part in _link_rules(child, anchors)]


def _link_rules(token: Token, anchors: set[str]) -> list[Token]:
    """A piece of text with links to the rules that it cites."""
    if token.type != "text":
        return [token]
    parts: list[Token] = []
    for number, text in enumerate(_CITED.split(token.content)):
        is_cited = number % 2 == 1
        if is_cited and text in anchors:
            parts += [_new_text("("), Token("link_open", "a", 1, {"href": f"#{text}"}), _new_text(text)]
            parts += [Token("link_close", "a", -1), _new_text(")")]
        else:
            parts.append(_new_text(f"({text})" if is_cited else text))
    return parts


def _new_text(text: str) -> Token:
    return Token("text", "", 0, content=text)


def _render_code(_renderer: Any, tokens: Sequence[Token], number: int, *_: Any) -> str:
    """A block of code, which can be scrolled by keys."""
    return f'<pre tabindex="0"><code>{escape(tokens[number].content)}</code></pre>\n'


def _open_table(*_: Any) -> str:
    """A table, which can be scrolled by keys."""
    return '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n'


def _close_table(*_: Any) -> str:
    """The end of a table."""
    return "</table></div>\n"


_RENDERERS = {"fence": _render_code, "code_block": _render_code, "table_open": _open_table, "table_close": _close_table}


_CACHE = "public, max-age=3600"


async def _show_lessons(request: Request) -> Response:
    """/how-to-play/{game}: five pictures with a sentence each, or the rules if the game has no lessons."""
    game = find_game(request.path_params["game"])
    if game.shown.teaching is None:
        return RedirectResponse(f"/rules/{game.name}", 303)
    lessons = await asyncio.to_thread(_list_lessons, game.name)
    return render_page(request, "how_to_play.html", games=[*GAMES], game=game, lessons=lessons)


async def _show_first_lessons(request: Request) -> Response:
    """/how-to-play: of the game that is shown if none is named."""
    return RedirectResponse(f"/how-to-play/{default_game()}", 303)


async def _get_lesson_picture(request: Request) -> Response:
    """/how-to-play/{game}/{number}.svg"""
    game, number = find_game(request.path_params["game"]), request.path_params["number"]
    lessons = await asyncio.to_thread(_list_lessons, game.name)
    if not 0 < number <= len(lessons):
        raise RequestError(404, f"There is no such picture; there are {len(lessons)}.")
    return Response(str(lessons[number - 1].picture), media_type="image/svg+xml", headers={"Cache-Control": _CACHE})


async def _show_rules(request: Request) -> Response:
    """/rules/{game}: the full rules."""
    game = find_game(request.path_params["game"])
    rules = await asyncio.to_thread(find_rules, game.name)
    return render_page(request, "rules.html", games=[*GAMES], game=game, rules=rules)


@cache
def _list_lessons(name: str) -> tuple[Lesson, ...]:
    """What a game teaches beginners; nothing if it does not."""
    game: AnyGame = GAMES[name]
    return () if game.shown.teaching is None else game.shown.teaching.lessons()


ROUTES = [
    Route("/how-to-play", _show_first_lessons),
    Route("/how-to-play/{game}", _show_lessons),
    Route("/how-to-play/{game}/{number:number}.svg", _get_lesson_picture),
    Route("/rules/{game}", _show_rules),
]
