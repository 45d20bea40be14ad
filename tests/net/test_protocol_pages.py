"""The conversations in docs/protocols are real: a client of ours gives exactly these answers to these calls."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core.chance import derived
from fairplay.core.convert import text
from fairplay.core.established import Call
from fairplay.core.game import established_of
from fairplay.match.players import house_strategy

PAGES = Path(__file__).parents[2] / "docs" / "protocols"
CLIENTS = {"fish": "minimax", "trains": "buy-now", "labyrinth": "euclid"}


def conversation(name: str) -> list[tuple[str, str]]:
    page = (PAGES / f"{name}.md").read_text("utf-8")
    return re.findall(r"^S (.*)\nC (.*)$", page, re.MULTILINE)


@pytest.mark.parametrize("name", list(CLIENTS))
def test_the_answers_are_those_of_the_client(name: str) -> None:
    game = GAMES[name]
    setup = None
    if name == "trains":
        assert game.parts.editor is not None
        setup = game.parts.editor.setup_on("tiny", game.variants["standard"])
    client = established_of(game).client(house_strategy(game, CLIENTS[name], derived(1)), setup)
    said = conversation(name)
    assert len(said) > 4
    for asked, answered in said:
        assert text(client.answer(Call(*msgspec.json.decode(asked)))) == answered
    assert client.over


@pytest.mark.parametrize("name", list(CLIENTS))
def test_the_calls_follow_the_protocol(name: str) -> None:
    methods = [msgspec.json.decode(asked)[0] for asked, _ in conversation(name)]
    spoken = "".join(f"{method} " for method in methods if method not in ("start", "end"))
    assert re.fullmatch(established_of(GAMES[name]).wire.CONVERSATION, spoken)
    if name != "labyrinth":
        assert (methods[0], methods[-1]) == ("start", "end")
