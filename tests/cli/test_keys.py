"""`fairplay keys`, and where every command finds the key."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from fairplay.cli.keys import read_public_keys
from fairplay.cli.storage import find_key_file
from fairplay.core import UsageError
from fairplay.match.record import SIGNED
from fairplay.store.keys import load_keys

Fairplay = Callable[..., Result]

PLAY = ("play", "fish", "random", "greedy", "--setup", '{"rows": 4, "columns": 4}')


@pytest.fixture(autouse=True)
def _no_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FAIRPLAY_DB", "FAIRPLAY_KEY"):
        monkeypatch.delenv(name, raising=False)


def public(path: str = "fairplay.db.key") -> str:
    keys = load_keys(Path(path))
    assert keys is not None
    return keys.signer.public


def is_signed(record: str) -> bool:
    return Path(record).read_bytes().splitlines()[-1].startswith(SIGNED)


def test_the_first_match_makes_the_key_and_show_prints_it(fairplay: Fairplay) -> None:
    missing = fairplay("keys", "show")
    assert missing.exit_code == 2
    assert "there is no key in fairplay.db.key yet" in missing.output
    fairplay(*PLAY)
    assert stat.S_IMODE(Path("fairplay.db.key").stat().st_mode) == 0o600
    assert fairplay("keys", "show").output == f"{public()}\n"
    assert f"signed by {public()} (yours)" in fairplay("replay", "1/0", "--verify").output


def test_what_a_retired_key_signed_is_still_yours(fairplay: Fairplay) -> None:
    fairplay(*PLAY)
    before = public()
    assert fairplay("keys", "new").output == f"{public()}\n{before} (retired)\n"
    assert before != public()
    fairplay(*PLAY)
    assert f"signed by {before} (yours)" in fairplay("replay", "1/0", "--verify").output
    assert f"signed by {public()} (yours)" in fairplay("replay", "2/0", "--verify").output
    shown = json.loads(fairplay("keys", "show", "--json").output)
    assert shown == {"schema": "fairplay.store.keys/1", "file": "fairplay.db.key", "key": public(), "retired": [before]}


def test_nothing_that_is_printed_holds_the_secret(fairplay: Fairplay) -> None:
    said = [fairplay(*arguments).output for arguments in (PLAY, ("keys", "new"), ("keys", "show", "--json"))]
    secret = json.loads(Path("fairplay.db.key").read_text())["secret"]
    assert not any(secret in text for text in said)


def test_an_option_comes_before_the_environment_and_both_before_the_store(
    fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    fairplay(*PLAY, "--key", "mine.key")
    assert (
        f"signed by {public('mine.key')} (yours)" in fairplay("replay", "1/0", "--verify", "--key", "mine.key").output
    )
    assert f"signed by {public('mine.key')} (unknown to you" in fairplay("replay", "1/0", "--verify").output
    monkeypatch.setenv("FAIRPLAY_KEY", "other.key")
    fairplay(*PLAY)
    assert f"signed by {public('other.key')} (yours)" in fairplay("replay", "2/0", "--verify").output
    fairplay(*PLAY, "--key", "mine.key")
    assert f"signed by {public('mine.key')}" in fairplay("replay", "3/0", "--verify").output
    assert not Path("fairplay.db.key").exists()


@pytest.mark.parametrize(
    ("place", "file"),
    [
        ("fairplay.db", "fairplay.db.key"),
        ("deep/games.sqlite", "deep/games.sqlite.key"),
        ("sqlite:///games.db", "games.db.key"),
        ("sqlite:////var/games.db?mode=ro", "/var/games.db.key"),
        ("postgresql://someone@host/games", None),
    ],
)
def test_the_key_lies_beside_its_store(place: str, file: str | None) -> None:
    assert find_key_file(None, place) == (None if file is None else Path(file))
    assert find_key_file(Path("mine.key"), place) == Path("mine.key")


def test_nothing_lies_beside_a_servers_database(fairplay: Fairplay) -> None:
    result = fairplay("keys", "show", "--db", "postgresql://someone@host/games")
    assert result.exit_code == 2
    assert "say where the key is with --key or FAIRPLAY_KEY" in result.output


def test_files_without_a_store_are_signed_with_the_key_of_the_default_store(fairplay: Fairplay) -> None:
    fairplay(*PLAY, "--no-store", "--out", "out")
    assert not Path("fairplay.db").exists()
    assert f"signed by {public()} (yours)" in fairplay("replay", "out/match-0001.jsonl", "--verify").output


def test_no_key_is_made_where_nothing_is_kept(fairplay: Fairplay, tmp_path: Path) -> None:
    assert fairplay(*PLAY, "--no-store").exit_code == 0
    fairplay("tournament", "list")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "mode", "sentence"),
    [
        (b"hello", 0o600, "fairplay.db.key is damaged, or not a key file"),
        (b'{"fairplay":"key","version":1,"secret":"%b"}' % (b"0" * 64), 0o644, "can be read by others"),
    ],
)
def test_a_key_that_cannot_be_used_stops_the_command_with_one_sentence(
    fairplay: Fairplay, content: bytes, mode: int, sentence: str
) -> None:
    """A match that was kept without a signature gets none later, so nothing is played."""
    Path("fairplay.db.key").write_bytes(content)
    Path("fairplay.db.key").chmod(mode)
    result = fairplay(*PLAY)
    assert result.exit_code == 1
    assert sentence in result.output and result.output.count("\n") == 1
    assert json.loads(fairplay("tournament", "list", "--json").output)["tournaments"] == []


def test_where_no_key_can_be_made_matches_are_kept_without_a_signature(
    fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "link", refuse)
    result = fairplay(*PLAY)
    assert result.exit_code == 0
    assert result.stderr == (
        "Warning: matches will not be signed: the key file fairplay.db.key cannot be written: Permission denied\n"
    )
    assert "consistent, not signed: " in fairplay("replay", "1/0", "--verify").output
    named = fairplay(*PLAY, "--key", "mine.key")  # who names a file wants signatures
    assert (named.exit_code, named.stdout) == (1, "")


def test_public_keys_are_given_by_themselves_or_in_a_file(tmp_path: Path) -> None:
    one, two = "0a" * 32, "0b" * 32
    file = tmp_path / "keys.txt"
    file.write_text(f"{one}\n{two} (retired)\n")
    assert read_public_keys(()) == ()
    assert read_public_keys((two, str(file))) == (two, one, two)
    file.write_text("nothing here\n")
    for wrong, reason in [
        (str(file), "holds no public key"),
        ("0a", "neither a public key nor a file"),
        ("\0", "neither a public key nor a file"),
    ]:
        with pytest.raises(UsageError, match=reason):
            read_public_keys((wrong,))
    file.write_text(json.dumps({"fairplay": "key", "version": 1, "secret": one}))
    with pytest.raises(UsageError, match="holds a secret key"):
        read_public_keys((str(file),))


def test_a_named_key_must_be_the_one_that_signed(fairplay: Fairplay) -> None:
    fairplay(*PLAY, "--out", "out")
    Path("published.txt").write_text(fairplay("keys", "show").output)
    verify = ("replay", "out/match-0001.jsonl", "--verify", "--public-key")
    Path("fairplay.db.key").unlink()  # as on another machine
    assert f"signed by {'0a' * 32}" not in fairplay(*verify, "published.txt").output
    good = fairplay(*verify, "published.txt")
    assert good.exit_code == 0
    assert "(the key that you named)" in good.output
    other = fairplay(*verify, "0a" * 32)
    assert other.exit_code == 1
    assert "; expected a key that you named" in other.output
    assert is_signed("out/match-0001.jsonl")
    lines = Path("out/match-0001.jsonl").read_bytes().splitlines(keepends=True)
    Path("out/match-0001.jsonl").write_bytes(b"".join(lines[:-1]))
    unsigned = fairplay(*verify, "published.txt")
    assert unsigned.exit_code == 1
    assert "not signed; expected a key that you named" in unsigned.output


BOT = """
from fairplay.games.fish import GAME

def choose(view):
    return GAME.rules.legal_actions(view)[0]
"""


def test_a_match_with_a_trusted_player_is_signed_as_such(fairplay: Fairplay) -> None:
    Path("bot.py").write_text(BOT)
    fairplay("play", "fish", "bot.py", "random", *PLAY[4:], "--trust")
    said = fairplay("replay", "1/0", "--verify")
    assert said.exit_code == 0
    risk = "with bot.py (trusted), who could have read the key"
    assert f"signed by {public()} (yours), {risk}\n" in said.output
    assert json.loads(fairplay("replay", "1/0", "--json").output)["signed"]["exposed_to"] == ["bot.py (trusted)"]
    fairplay("tournament", "export", "1", "first.fairplay")
    taken = fairplay("tournament", "import", "first.fairplay", "--db", "other.db").output
    assert "  1 of those signed had a player without a sandbox, who could have read the key\n" in taken
    assert (
        json.loads(fairplay("tournament", "import", "first.fairplay", "--db", "third.db", "--json").output)["exposed"]
        == 1
    )


def test_a_match_with_a_bot_in_a_sandbox_is_signed_like_any_other(fairplay: Fairplay) -> None:
    Path("bot.py").write_text(BOT)
    fairplay("play", "fish", "bot.py", "random", *PLAY[4:])
    sandboxed = '"sandboxed"' in fairplay("tournament", "show", "1", "--json").output
    assert ("could have read the key" not in fairplay("replay", "1/0", "--verify").output) == sandboxed
