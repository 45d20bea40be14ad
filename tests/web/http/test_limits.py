"""Rate limits by address."""

from __future__ import annotations

import pytest

from fairplay.web.http import limits
from fairplay.web.http.limits import RateLimiter


def test_the_address_that_was_silent_for_longest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(limits, "monotonic", lambda: now)
    monkeypatch.setattr(limits, "MAX_ADDRESSES", 2)
    limiter = RateLimiter(1, 2)
    assert [limiter.allow("a") for _ in range(3)] == [True, True, False]
    now = 1.0
    assert [limiter.allow("a") for _ in range(2)] == [True, False]
    assert limiter.allow("b") and limiter.allow("c")
    assert limiter.allow("a") and limiter.allow("a")
