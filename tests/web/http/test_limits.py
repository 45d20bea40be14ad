"""Rate limits by address."""

from __future__ import annotations

import pytest

from fairplay.net.strangers import address_group
from fairplay.web.http import limits
from fairplay.web.http.limits import BoundedDict, RateLimiter


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_somebody_with_many_addresses_is_one(address: str, group: str) -> None:
    assert address_group(address) == group


def test_a_bucket_may_be_overdrawn_and_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(limits, "monotonic", lambda: now)
    limiter = RateLimiter(0.5, 10)
    limiter.spend("a", 12)
    assert (limiter.left("a"), limiter.seconds_to_wait("a"), limiter.seconds_to_wait("b")) == (-2, 4, 0)
    now = 4.0
    assert limiter.seconds_to_wait("a") == 0
    now = 1_000.0
    assert limiter.left("a") == 10


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


def test_the_oldest_entry_is_forgotten() -> None:
    found: BoundedDict[str, int] = BoundedDict(2)
    for number, key in enumerate("abc"):
        found[key] = number
    assert dict(found) == {"b": 1, "c": 2}


def test_an_entry_that_is_set_again_is_the_newest() -> None:
    found: BoundedDict[str, int] = BoundedDict(2)
    for number, key in enumerate("abac"):
        found[key] = number
    assert dict(found) == {"a": 2, "c": 3}


def test_an_entry_can_be_kept_by_moving_it_to_the_end() -> None:
    found: BoundedDict[str, int] = BoundedDict(2)
    found["a"], found["b"] = 1, 2
    found.move_to_end("a")
    found["c"] = 3
    assert [*found] == ["a", "c"]
