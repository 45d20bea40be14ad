"""Drawings as pixels: as large as they may be, and no larger than a file may be."""

from __future__ import annotations

import io

import pytest

from fairplay.catalog import GAMES
from fairplay.match.replay import deal_state
from fairplay.web.sharing import pictures as raster
from fairplay.web.sharing.pictures import draw_card

Image = pytest.importorskip("PIL.Image", reason="needs the extra `pictures`")
pytest.importorskip("resvg_py", reason="needs the extra `pictures`")


@pytest.mark.parametrize("name", ["fish", "labyrinth", "trains"])
def test_the_longer_side_has_the_size_that_was_asked_for(name: str) -> None:
    game = GAMES[name]
    drawing = game.shown.picture(deal_state(game, game.quick, 1, game.seats[0]), seats=False)
    assert max(Image.open(io.BytesIO(raster.render_png(drawing, 300))).size) == 300
    card = Image.open(io.BytesIO(raster.render_png(draw_card(drawing, "<b>", "&"))))
    assert card.size == (1200, 630)


def test_a_gif_that_would_be_too_large_leaves_frames_out(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = [Image.effect_noise((60, 60), 200).convert("RGB") for _ in range(9)]
    whole = raster.write_gif(frames)
    monkeypatch.setattr(raster, "MAX_GIF_BYTES", len(whole) // 2)
    monkeypatch.setattr(raster, "draw_record", lambda *_, **__: ("", frames))
    monkeypatch.setattr(raster, "render_png", lambda picture, size: picture)
    monkeypatch.setattr(raster, "read_frame", lambda frame: frame)
    made = Image.open(io.BytesIO(raster.animate_gif(b"", True)))
    assert 2 <= made.n_frames < 6
