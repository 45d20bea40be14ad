"""Our own files, whose addresses change with their content, and the styles inside drawings that a page obeys.

A page refers to ``/static/fairplay.css``; templates turn that into ``/static/VERSION/fairplay.css``, where VERSION is a
hash of all files.  Scripts import each other by relative addresses and so stay within the version.  They are sent
without their comments, which make up a good part of them.
"""

import os
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from re import DOTALL, findall

import structlog
from jinja2 import Environment
from jinja2.ext import Extension
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from fairplay.catalog import GAMES
from fairplay.core import AnyGame
from fairplay.match.replay import deal_state
from fairplay.report import charts, reviews

STATIC_FOLDER = Path(__file__).parent.parent / "static"

_KEEP_FOR_EVER = "public, max-age=31536000, immutable"
_KEEP_A_DAY = "public, max-age=86400"

_ROOT_FILES = ("favicon.ico", "manifest.webmanifest", "robots.txt")
"""Files that are looked for at the root of a site."""

_MEDIA_TYPES = {"favicon.ico": "image/x-icon", "manifest.webmanifest": "application/manifest+json"}

_COMMENT = re.compile(r"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*$", re.MULTILINE)
"""A comment that has its lines to itself."""


def remove_comments(script: str) -> str:
    """A script without the comments that have lines to themselves.  Each line keeps its number."""
    return _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), script)


@cache
def _read_script(path: Path) -> tuple[bytes, str]:
    """A script as it is sent, and its tag."""
    content = remove_comments(path.read_text("utf-8")).encode()
    return content, f'"{sha256(content).hexdigest()[:32]}"'


@cache
def static_version() -> str:
    """A hash of all files."""
    hashed = sha256()
    for path in sorted(path for path in STATIC_FOLDER.rglob("*") if path.is_file()):
        hashed.update(f"{path.relative_to(STATIC_FOLDER)}\n{path.stat().st_size}\n".encode())
        hashed.update(path.read_bytes())
    return hashed.hexdigest()[:12]


class StaticLinks(Extension):
    """Lets templates refer to files by their plain addresses."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.prefix = f'"/static/{static_version()}/'

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The template with the addresses of this version."""
        return source.replace('"/static/', self.prefix)


class VersionedFiles(StaticFiles):
    """Files with or without a version before their path.

    With today's version, a browser keeps them for ever.  Without one, or with the version of a page that was opened
    before the server was renewed, it asks each time whether they have changed.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or the refusal to send one."""
        prefix, _, rest = path.partition("/")
        is_versioned = len(prefix) == len(static_version()) and prefix.isalnum() and rest != ""
        try:
            response = await super().get_response(rest if is_versioned else path, scope)
        except HTTPException as error:
            raise HTTPException(error.status_code) from None  # without the path of a folder of ours
        if prefix == static_version():
            response.headers["Cache-Control"] = _KEEP_FOR_EVER
        return response

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """A file; of a script, what a browser needs."""
        path = Path(full_path)
        if path.suffix != ".js":
            return super().file_response(path, stat_result, scope, status_code)
        content, tag = _read_script(path)
        response = Response(content, status_code, {"ETag": tag}, "text/javascript")
        return (
            NotModifiedResponse(response.headers)
            if self.is_not_modified(response.headers, Headers(scope=scope))
            else response
        )


def build_static_routes() -> list[BaseRoute]:
    """All files of ours, and those that belong to the root of the site."""
    files = VersionedFiles(directory=STATIC_FOLDER)

    def serve_root_file(name: str) -> Route:
        async def serve(request: object) -> Response:
            content = (STATIC_FOLDER / "root" / name).read_bytes()
            media_type = _MEDIA_TYPES.get(name, "text/plain")
            return Response(content, media_type=media_type, headers={"Cache-Control": _KEEP_A_DAY})

        return Route(f"/{name}", serve)

    return [*map(serve_root_file, _ROOT_FILES), Mount("/static", files)]


LOG = structlog.get_logger("fairplay.web")


def allowed_styles() -> str:
    """The sources of styles for a content security policy: our own file, and the drawings by their hashes."""
    styles = {charts.STYLE, reviews.STYLE}
    for game in GAMES.values():
        try:
            for drawing in _sample_drawings(game):
                styles.update(findall(r"<style>(.*?)</style>", drawing, DOTALL))
        except Exception:  # the game of a package; all others are served all the same
            LOG.exception("a game cannot be drawn, so that its pictures have no style", game=game.name)
    hashes = (b64encode(sha256(style.encode()).digest()).decode() for style in sorted(styles))
    return " ".join(["'self'", *(f"'sha256-{hash}'" for hash in hashes)])


def _sample_drawings(game: AnyGame) -> Iterator[str]:
    """One drawing of each kind; all of a kind have the same style."""
    yield _sample_picture(game.name)
    if game.parts.editor is not None:
        yield game.parts.editor.show_drawing(
            game.parts.editor.start_drawing(next(iter(game.parts.editor.STARTS)))
        ).picture


@cache
def _sample_picture(name: str) -> str:
    """A game as it looks at the start."""
    game = GAMES[name]
    setup = next(iter(game.variants.values())) if game.quick is None else game.quick
    return game.shown.picture(deal_state(game, setup, 3, game.seats[0]), seats=False)
