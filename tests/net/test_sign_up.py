"""How far sign-up has come, in words; what it does is in test_server.py."""

from __future__ import annotations

import pytest

from fairplay.net.sign_up import SignUpProgress


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (SignUpProgress("joined", "ann", 1, 5, 10, 41.2), "ann signed up, 1 of 5, 41 s left"),
        (SignUpProgress("joined", "eve", 5, 5, 10, 7.0), "eve signed up, 5 of 10, 7 s left"),
        (SignUpProgress("joined", "zoe", 10, 5, 10, 7.0), "zoe signed up, 10 of 10, all are here"),
        (SignUpProgress("left", "ann", 0, 5, 10, 7.0), "ann left, 0 of 5, 7 s left"),
        (SignUpProgress("waiting", "", 2, 5, 10, 30.0), "2 of 5 signed up, waiting for another 30 s"),
        (SignUpProgress("too few", "", 2, 5, 10, 0.0), "too few players: 2 of 5"),
    ],
)
def test_progress_is_told_in_words(progress: SignUpProgress, words: str) -> None:
    assert str(progress) == words
