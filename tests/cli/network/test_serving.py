"""What follows from the options of a server, and how it ends."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from pathlib import Path

import pytest

from fairplay.cli.network import serving
from fairplay.cli.network.serving import SignUpOptions, change_sign_up, choose_token, load_certificate, run_until_signal
from fairplay.cli.storage import StoredContest
from fairplay.core import UsageError
from fairplay.core.established import Period, SignUp
from fairplay.games.fish import GAME
from fairplay.net.server import Service
from fairplay.run.engines.pool import Inline
from fairplay.store import open_store
from run.contests import contest

RULES = SignUp("[a-z]+", 10.0, (Period(30.0, 5), Period(20.0, 2)), 10, range(2, 5))


def test_without_options_the_rules_stay_as_they_are() -> None:
    assert change_sign_up(RULES, SignUpOptions(None, None, None, None)) == RULES


def test_what_is_given_is_changed() -> None:
    changed = change_sign_up(RULES, SignUpOptions(least=3, most=4, waiting=1.5, name_patience=2.0))
    assert changed == SignUp("[a-z]+", 2.0, (Period(1.5, 3), Period(1.5, 3)), 4, range(2, 5))


def test_fewer_places_need_fewer_players() -> None:
    changed = change_sign_up(RULES, SignUpOptions(None, 3, None, None))
    assert [period.least for period in changed.periods] == [3, 2]


def test_a_key_needs_its_certificate(tmp_path: Path) -> None:
    assert load_certificate(None, None) is None
    with pytest.raises(UsageError, match="--tls-key: a key needs its certificate"):
        load_certificate(None, tmp_path)
    (tmp_path / "cert").write_text("not a certificate")
    with pytest.raises(UsageError, match=r"--tls-cert: .*cert and its key cannot be used"):
        load_certificate(tmp_path / "cert", None)


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_cancels_the_work_and_not_the_task_that_happens_to_run(number: signal.Signals) -> None:
    said: list[str] = []

    async def run_match() -> None:
        signal.raise_signal(number)
        said.append("the match was not interrupted in the middle of a step")

    async def work() -> None:
        task = asyncio.create_task(run_match())
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await task
            said.append("everything was tidied up")
            raise

    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt) as stopped:
        run_until_signal(work())
    assert stopped.value.args == (number,)
    assert said == ["the match was not interrupted in the middle of a step", "everything was tidied up"]
    assert signal.getsignal(number) is before


def test_what_the_work_returns_and_raises_comes_through() -> None:
    async def answer() -> int:
        return 42

    async def give_up() -> None:
        raise asyncio.CancelledError

    assert run_until_signal(answer()) == 42
    with pytest.raises(asyncio.CancelledError):
        run_until_signal(give_up())


def test_a_resumed_server_that_is_stopped_says_how_to_resume_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(work: Coroutine[object, object, object]) -> None:
        work.close()
        raise KeyboardInterrupt(signal.SIGTERM)

    monkeypatch.setattr(serving, "run_until_signal", stop)
    options = serving.ServerOptions("127.0.0.1", 8, None, None, None, (), None, None)
    place = tmp_path / "contests.db"
    with open_store(place) as store, serving.ContestServer(options, 0, None) as server:
        stored = StoredContest(store, store.create(contest()), str(place))
        with pytest.raises(SystemExit) as ended:
            server.resume(GAME, Service(contest=contest(), sign_up=RULES), Inline(), stored)
    assert ended.value.code == 128 + signal.SIGTERM
    assert f"tournament resume 1 --db {place} --port " in capsys.readouterr().err
