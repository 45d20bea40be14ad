"""Many random matches: what `make marathon` does for longer."""

from __future__ import annotations

import pytest

from marathon import BLOCK, played


@pytest.mark.parametrize("block", range(4))
def test_random_matches_end_and_keep_their_laws(name: str, block: int) -> None:
    assert played(name, range(block * BLOCK, (block + 1) * BLOCK)) > BLOCK
