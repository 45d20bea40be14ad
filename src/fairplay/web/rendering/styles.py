"""The styles inside our own drawings: the only ones that a page obeys besides its style sheet."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from re import DOTALL, findall

import structlog

from fairplay.catalog import GAMES
from fairplay.core import AnyGame
from fairplay.match.replay import deal_state
from fairplay.report import charts, reviews

__all__ = ["allowed_styles", "sample_picture"]

LOG = structlog.get_logger("fairplay.web")


def allowed_styles() -> str:
    """The sources of styles for a content security policy: our own file, and the drawings by their hashes."""
    styles = {charts.STYLE, reviews.STYLE}
    for game in GAMES.values():
        try:
            for drawing in sample_drawings(game):
                styles.update(findall(r"<style>(.*?)</style>", drawing, DOTALL))
        except Exception:  # the game of a package; all others are served all the same
            LOG.exception("a game cannot be drawn, so that its pictures have no style", game=game.name)
    hashes = (b64encode(sha256(style.encode()).digest()).decode() for style in sorted(styles))
    return " ".join(["'self'", *(f"'sha256-{hash}'" for hash in hashes)])


def sample_drawings(game: AnyGame) -> Iterator[str]:
    """One drawing of each kind; all of a kind have the same style."""
    yield sample_picture(game.name)
    if game.parts.editor is not None:
        yield game.parts.editor.show_drawing(
            game.parts.editor.start_drawing(next(iter(game.parts.editor.STARTS)))
        ).picture


@cache
def sample_picture(name: str) -> str:
    """A game as it looks at the start."""
    game = GAMES[name]
    setup = next(iter(game.variants.values())) if game.quick is None else game.quick
    return game.shown.picture(deal_state(game, setup, 3, game.seats[0]), seats=False)
