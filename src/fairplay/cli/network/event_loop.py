"""An event loop that signals stop in an orderly way."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

STOPPING = (signal.SIGINT, signal.SIGTERM)


def run_until_signal(work: Coroutine[Any, Any, T]) -> T:
    """Run `work`; Ctrl-C and SIGTERM cancel it, and are raised as KeyboardInterrupt once it has ended.

    A handler that raises does so wherever the loop happens to be: in a callback of the garbage collector, where it is
    lost, or in the task of some match, which then ends without telling those who wait for it.
    """
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in STOPPING}

    async def cancel_on_signals() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def stop(number: int) -> None:
            came.append(number)
            task.cancel()

        for number, handler in handlers.items():
            if handler is not signal.SIG_IGN:  # as `nohup` asks for
                loop.add_signal_handler(number, stop, number)
        return await work

    try:
        return asyncio.run(cancel_on_signals())
    except asyncio.CancelledError:
        if came:
            raise KeyboardInterrupt(came[0]) from None
        raise
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
