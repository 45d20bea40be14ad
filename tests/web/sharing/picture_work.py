"""What the process that makes pictures is asked to do in tests; it must be able to import this."""

from __future__ import annotations

import os
from time import process_time


def name_process(_: int) -> bytes:
    return str(os.getpid()).encode()


def die(_: int) -> bytes:
    os._exit(3)


def work_hard(seconds: float) -> bytes:
    end = process_time() + seconds
    while process_time() < end:
        pass
    return b"done"
