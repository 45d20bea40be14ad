"""The page of a match: all drawings are in it, and nothing that strangers wrote can leave its place."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import fairplay as fp
from fairplay.report import match_page
from fairplay.report.match_page import embed_json, frame_page, render_match

HOSTILE = "</script></title><script>alert('it\\'s \"mine\" & yours')</script><!--"


def data_of(page: str) -> dict[str, Any]:
    """What the script of the page reads."""
    (found,) = re.findall('<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    data: dict[str, Any] = json.loads(found)
    return data


class Elements(HTMLParser):
    """Counts the elements of a page, as a browser sees them."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}
        self.source = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag == "iframe":
            self.source = dict(attrs)["srcdoc"] or ""


@pytest.mark.parametrize(("name", "players"), [("fish", "greedy"), ("trains", "buy-now"), ("labyrinth", "euclid")])
def test_a_page_holds_every_drawing_in_less_than_a_third_of_their_size(name: str, players: str) -> None:
    game: fp.LoadedGame[Any, Any, Any, Any] = fp.load(name)
    match = fp.play(game, [players, "random"], seed=3)
    page = render_match(game.game, match.record, match.events)
    data = data_of(page)
    pictures = [str(position.draw()) for position in match.positions]
    elements = ["".join(data["tags"][number] for number in element) for element in data["elements"]]
    assert ["".join(elements[number] for number in frame) for frame in data["frames"]] == pictures
    assert len(data["words"]) == len(pictures) and game.format(match.turns[0].action) in page
    assert len(pictures) < 20 or len(page) < sum(map(len, pictures)) / 3
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "") and "https://" not in page


def test_what_strangers_wrote_stays_text() -> None:
    def crash(view: Any) -> Any:
        raise ValueError(HOSTILE)

    match = fp.play(fp.load("fish", rows=4, columns=5), {HOSTILE: "random", "two": crash, "three": "random"}, seed=1)
    page, plain = (
        render_match(each.game.game, each.record, each.events)
        for each in (match, fp.play(fp.load("fish", rows=4, columns=5), ["random", "random", "random"], seed=1))
    )
    found, usual = Elements(), Elements()
    found.feed(page)
    usual.feed(plain)
    assert found.counts["script"] == usual.counts["script"] == 2 and "img" not in found.counts
    assert HOSTILE in " ".join(data_of(page)["words"])
    framed = Elements()
    framed.feed(frame_page(page, HOSTILE))
    assert framed.counts == {"iframe": 1} and framed.source == page


def test_json_cannot_end_its_script() -> None:
    for text in (HOSTILE, "<SCRIPT>", "<!-- <script>", "a<b", "</g>"):
        embedded = embed_json([text])
        assert json.loads(embedded) == [text]
        assert not re.search("</|<!--|<script", embedded, re.IGNORECASE)


def test_a_match_without_an_end_or_too_large_for_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = fp.play(fp.load("fish", rows=4, columns=5), ["random", "random"], seed=1)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(match.lines[:5]))
    cut = fp.replay(tmp_path / "cut.jsonl")
    assert "The record is cut off." in cut.to_html(tmp_path / "cut.html").read_text("utf-8")
    monkeypatch.setattr(match_page, "LARGEST_FRAMED", 1_000)
    assert match._repr_html_().endswith("MB; write it to a file with to_html.</p>")
