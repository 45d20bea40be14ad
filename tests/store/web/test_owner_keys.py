"""The keys of the owner: some work once, each for a time."""

from __future__ import annotations

import pytest

from fairplay.store.store import Store
from fairplay.store.web import owner_keys


def test_a_key_is_known_until_it_is_used_up(store: Store) -> None:
    store.owner_keys.add("hash", "link", 60)
    assert store.owner_keys.holds("hash", "link") and not store.owner_keys.holds("hash", "session")
    assert [store.owner_keys.take("hash", "link") for _ in range(2)] == [True, False]
    assert not store.owner_keys.holds("hash", "link")


def test_a_key_has_its_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(owner_keys, "time", lambda: now)
    store.owner_keys.add("old", "session", 60)
    now = 1_059.0
    assert store.owner_keys.holds("old", "session")
    now = 1_061.0
    assert not store.owner_keys.holds("old", "session") and not store.owner_keys.take("old", "session")
    store.owner_keys.add("new", "session", 60)
    now = 1_000.0
    assert not store.owner_keys.holds("old", "session"), "it is forgotten"
