"""Entrant specs: as values, and as the same text again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from fairplay.contest.specs import (
    AddedSpec,
    BotFileSpec,
    ConnectionSpec,
    HouseSpec,
    PersonSpec,
    ProgramSpec,
    VersionSpec,
    house_of,
    is_bot_file,
    is_process,
    is_trusted,
    parse_spec,
    trust_spec,
)

SPECS = [
    ("random", HouseSpec("random")),
    ("level-3", HouseSpec("level-3")),
    ("minimax:depth=3", HouseSpec("minimax", (("depth", "3"),))),
    ("search:playouts=9,seconds=0.5", HouseSpec("search", (("playouts", "9"), ("seconds", "0.5")))),
    ("isolated:greedy", HouseSpec("greedy", trust="isolated")),
    ("isolated:minimax:depth=2", HouseSpec("minimax", (("depth", "2"),), "isolated")),
    ("isolated:search:playouts", HouseSpec("search", (("playouts", None),), "isolated")),
    ("bot.py", BotFileSpec("bot.py")),
    ("bots/bot.py:choose", BotFileSpec("bots/bot.py", "choose")),
    ("isolated:/home/ann/bot.py:choose", BotFileSpec("/home/ann/bot.py", "choose", "isolated")),
    ("trusted:bot.py", BotFileSpec("bot.py", trust="trusted")),
    ("cmd:node bot.js --level=3:4", ProgramSpec("node bot.js --level=3:4")),
    ("connection:native", ConnectionSpec("native")),
    ("human", PersonSpec()),
    ("human:1", PersonSpec("1")),
    ("version:0f3a", VersionSpec("0f3a")),
    ("object:12", AddedSpec("object", "12")),
    ("minimax:depth", AddedSpec("minimax", "depth")),
    ("minimax:", HouseSpec("minimax", (("", None),))),
]

HERE = Path(__file__).parents[2]
PAGES = [*HERE.glob("docs/**/*.md"), HERE / "README.md", *HERE.glob("tests/**/*.py")]
WRITTEN = re.compile(
    r"""["'` ]((?:isolated|trusted|cmd|connection|human|version|[a-z-]{3,9}|[\w/.-]+\.py):[\w.=,:/-]+)["'` ]"""
)


@pytest.mark.parametrize(("text", "spec"), SPECS)
def test_a_spec_is_a_value_and_a_text(text: str, spec: Any) -> None:
    assert parse_spec(text) == spec
    assert str(spec) == text


def test_what_is_written_anywhere_prints_as_it_was_written() -> None:
    found = {text for page in PAGES for text in WRITTEN.findall(page.read_text("utf-8"))}
    assert len(found) > 100
    assert {text for text in found if str(parse_spec(text)) != text} <= {"human:", "bot.py:"}


words = st.text("abz0.-", min_size=1).filter(lambda word: not word.endswith(".py"))
trusts: Any = st.sampled_from(["", "isolated", "trusted"])
options = st.lists(st.tuples(words, words), max_size=3).map(tuple)


@given(
    st.builds(HouseSpec, words, options, trusts)
    | st.builds(BotFileSpec, words.map(lambda word: f"{word}.py"), st.just("") | words, trusts)
    | st.builds(ProgramSpec, st.text())
    | st.builds(ConnectionSpec, words)
    | st.builds(PersonSpec, st.just("") | words)
    | st.builds(VersionSpec, words)
    | st.builds(AddedSpec, words, words)
)
def test_printing_and_parsing_are_inverse(spec: Any) -> None:
    assert parse_spec(str(spec)) == spec


def test_who_runs_where() -> None:
    apart = {text for text, _ in SPECS if is_process(text)}
    assert apart == {text for text, _ in SPECS if text.startswith(("bot", "isolated:", "cmd:"))}
    assert [text for text, _ in SPECS if is_trusted(text)] == ["trusted:bot.py"]
    assert [text for text, _ in SPECS if is_bot_file(text)] == ["bot.py", "bots/bot.py:choose"]
    assert (house_of("minimax:depth=3"), house_of("isolated:greedy")) == ("minimax:depth=3", None)
    assert trust_spec("bot.py:choose") == "trusted:bot.py:choose"
    assert trust_spec("greedy") == "greedy"
