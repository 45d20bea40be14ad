"""Commands and options that are gone say what to use instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from fairplay.cli.serve import choose_owner_token
from fairplay.core import UsageError

Fairplay = Callable[..., Result]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["export", "1", "file"], "`fairplay export` is `fairplay tournament export` now"),
        (["import", "file", "--db", "x.db"], "`fairplay import` is `fairplay tournament import` now"),
        (["serve", "--token", "12345678"], "--token is gone: everyone on this machine can read it; use --token-file"),
    ],
)
def test_what_is_gone_says_what_to_use_instead(fairplay: Fairplay, arguments: list[str], sentence: str) -> None:
    result = fairplay(*arguments)
    assert result.exit_code == 2
    assert sentence in result.output
    assert not re.search(
        rf"^  {arguments[0]} |--token ", fairplay("--help").output + fairplay("serve", "--help").output
    )
    assert not [*Path.cwd().iterdir()]


def test_the_token_of_the_owner_is_in_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FAIRPLAY_OWNER_TOKEN", raising=False)
    assert choose_owner_token(None) == ""
    monkeypatch.setenv("FAIRPLAY_OWNER_TOKEN", "of the environment")
    assert choose_owner_token(None) == "of the environment"
    (tmp_path / "token").write_text("of the file\n")
    assert choose_owner_token(tmp_path / "token") == "of the file"
    for short in ("", "1234567"):
        monkeypatch.setenv("FAIRPLAY_OWNER_TOKEN", short)
        with pytest.raises(UsageError, match="too short"):
            choose_owner_token(None)
