"""Notice when a trusted bot ends the process of the command, which nobody must take for done."""

import atexit
import ctypes
import os
import signal
import sys
from types import FrameType

import click


def supervise() -> None:
    """Go on in a child process, while this one waits for it and says so if a bot ended it.

    EFFECT: forks, and returns in the child only.  A child that ends as it should says so before; one that ends by
    `os._exit`, by a crash of the interpreter or with its descriptors closed does not.
    """
    listening, telling = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listening)
        end_with_parent()
        atexit.register(os.write, telling, b"done")
        return
    os.close(telling)
    sys.exit(wait_for(child, listening))


def end_with_parent() -> None:
    """Have the kernel send SIGTERM when the parent is killed; elsewhere than on Linux there is no such thing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


PR_SET_PDEATHSIG = 1


def wait_for(child: int, listening: int) -> int:
    """Wait for the end of the command in `child`; its exit code, or 1 if it did not end as it should."""

    def pass_on(number: int, frame: FrameType | None) -> None:
        os.kill(child, number)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to both
    signal.signal(signal.SIGTERM, pass_on)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    os.set_blocking(listening, False)  # somebody that the bot left behind may hold the other end
    try:
        done = os.read(listening, 4) == b"done"
    except BlockingIOError:
        done = False
    if done:
        return code
    how = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
    click.echo(
        f"Error: a bot ended the whole command ({how}); what was finished before is kept. "
        "Without --trust, a bot can end only its own process.",
        err=True,
    )
    return 1
