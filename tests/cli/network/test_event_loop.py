"""Signals stop an event loop in an orderly way."""

from __future__ import annotations

import asyncio
import signal

import pytest

from fairplay.cli.network.event_loop import run_until_signal


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
