"""Where a token comes from, and what is not a token."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairplay.cli.network.token import choose_token
from fairplay.core import UsageError


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRPLAY_TOKEN", raising=False)


def test_a_file_comes_before_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_token("native", None) is None
    assert choose_token("established", None) is None
    monkeypatch.setenv("FAIRPLAY_TOKEN", "theirs")
    assert choose_token("native", None) == "theirs"
    file = tmp_path / "token"
    file.write_text("mine\n")
    assert choose_token("native", file) == "mine"


@pytest.mark.parametrize("text", ["", "\n", "one\ntwo\n", "x" * 257, "a\tb"])
def test_what_is_not_a_token_is_refused_and_not_shown(tmp_path: Path, text: str) -> None:
    file = tmp_path / "token"
    file.write_text(text)
    with pytest.raises(UsageError, match="--token-file: a token is one line of 1 to 256"):
        choose_token("native", file)


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_bytes(b"\xff")
    with pytest.raises(UsageError, match="cannot be read: it is not UTF-8 text"):
        choose_token("native", file)
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        choose_token("native", tmp_path)


def test_the_established_protocols_cannot_carry_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "token"
    file.write_text("sesame")
    with pytest.raises(UsageError, match="--token-file: the established protocols cannot carry a token") as caught:
        choose_token("established", file)
    assert "sesame" not in str(caught.value)
    monkeypatch.setenv("FAIRPLAY_TOKEN", "sesame")
    with pytest.raises(UsageError, match="FAIRPLAY_TOKEN: the established protocols"):
        choose_token("established", None)
