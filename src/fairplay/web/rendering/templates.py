"""The templates of the pages, with their filters and functions."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from fairplay.web.rendering.static_files import StaticLinks

__all__ = ["player_path", "render_template", "templates"]


@cache
def templates() -> Environment:
    """All templates.  Whatever is put into them is escaped."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader("fairplay.web"), PackageLoader("fairplay.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=[StaticLinks],
    )
    environment.filters["when"] = format_time
    environment.filters["drawing"] = Markup  # SVG of our own
    environment.filters["data"] = embed_json
    environment.globals["player_path"] = player_path
    return environment


def render_template(name: str, **values: object) -> str:
    """A template with these values in it."""
    return templates().get_template(name).render(**values)


def format_time(seconds: float) -> str:
    """Seconds since 1970 as a date and time, always UTC so that everyone sees the same."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def embed_json(json: str) -> Markup:
    """JSON for a script element; no text in it can end the element."""
    return Markup(json.replace("<", "\\u003c"))


def player_path(game: str, name: str) -> str:
    """The path of a player's page."""
    return f"/players/{quote(game, safe='')}/{quote(name, safe='')}"
