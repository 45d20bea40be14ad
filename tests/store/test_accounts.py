"""Accounts: what they may do, and the secrets by which they are known, each for a time."""

from __future__ import annotations

import pytest

from fairplay.store import accounts
from fairplay.store.accounts import NewToken, Token
from fairplay.store.store import Store


def test_a_token_is_known_until_it_is_used_up(store: Store) -> None:
    id = store.accounts.admit("ann", NewToken("hash", "link", 60))
    assert store.accounts.find_token("hash") == Token("hash", id, "link")
    assert not store.accounts.take_token("hash", "session")
    assert [store.accounts.take_token("hash", "link") for _ in range(2)] == [True, False]
    assert store.accounts.find_token("hash") is None


def test_a_token_has_its_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(accounts, "time", lambda: now)
    id = store.accounts.admit("", NewToken("old", "session", 60), NewToken("kept", "account"))
    now = 1_059.0
    assert store.accounts.find_token("old") is not None
    now = 1_061.0
    assert store.accounts.find_token("old") is None and not store.accounts.take_token("old", "session")
    store.accounts.admit("", NewToken("new", "session", 60), account=id)
    now = 1_000.0
    assert store.accounts.find_token("old") is None, "it is forgotten"
    assert store.accounts.find_token("kept") == Token("kept", id, "account")
    assert store.accounts.find_token("new") == Token("new", id, "session")


def test_an_account_has_no_rights_but_those_it_was_granted(store: Store) -> None:
    ann, bob = store.accounts.admit("ann"), store.accounts.admit("bob")
    for _ in range(2):
        store.accounts.grant(ann, "organiser", 3)
        store.accounts.grant(bob, "owner")
    asked = ((ann, "organiser", 3), (ann, "organiser", 4), (ann, "owner", 0), (bob, "owner", 0), (bob, "owner", 4))
    assert [store.accounts.has_role(*each) for each in asked] == [True, False, False, True, True]
