"""Two places joined by one cable that can be cut: network namespaces, to which nothing else is connected."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from secrets import token_hex

from .nodes import Place
from .programs import need

ADDRESSES = ("192.0.2.1", "192.0.2.2")
"""Out of a range that is set aside for examples."""


class Cable:
    """A pair of interfaces, one in each of two namespaces."""

    def __init__(self, here: str, there: str) -> None:
        self.far = there
        self.here, self.there = (
            Place(address, ("ip", "netns", "exec", space))
            for space, address in zip((here, there), ADDRESSES, strict=True)
        )

    def cut(self) -> None:
        """From now on packets vanish, both ways, and nobody is told."""
        ip("-n", self.far, "link", "set", "cable1", "down")

    def mend(self) -> None:
        ip("-n", self.far, "link", "set", "cable1", "up")


@contextmanager
def cable() -> Iterator[Cable]:
    """Joined places; they are gone when the block ends."""
    need(shutil.which("ip"), "iproute2 (Debian: apt-get install iproute2)")
    with ExitStack() as undo:
        try:
            made = joined(undo)
        except subprocess.CalledProcessError as error:
            need(None, f"the right to make network namespaces ({error.stderr.strip()})")
        yield made


def joined(undo: ExitStack) -> Cable:
    name = f"fairplay-{token_hex(4)}"
    here, there = spaces = (f"{name}-0", f"{name}-1")
    for space in spaces:
        ip("netns", "add", space)
        undo.callback(ip, "netns", "delete", space)
    ip("-n", here, "link", "add", "cable0", "type", "veth", "peer", "name", "cable1", "netns", there)
    for number, space in enumerate(spaces):
        ip("-n", space, "address", "add", f"{ADDRESSES[number]}/24", "dev", f"cable{number}")
        ip("-n", space, "link", "set", f"cable{number}", "up")
        ip("-n", space, "link", "set", "lo", "up")
    return Cable(here, there)


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], capture_output=True, text=True, check=True)
