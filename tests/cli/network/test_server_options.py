"""What follows from the options of a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairplay.cli.network.server_options import SignUpOptions, change_sign_up, load_certificate
from fairplay.core import UsageError
from fairplay.core.established import Period, SignUp

RULES = SignUp("[a-z]+", 10.0, (Period(30.0, 5), Period(20.0, 2)), 10, range(2, 5))


def test_without_options_the_rules_stay_as_they_are() -> None:
    assert change_sign_up(RULES, SignUpOptions(None, None, None, None)) == RULES


def test_what_is_given_is_changed() -> None:
    changed = change_sign_up(RULES, SignUpOptions(least=3, most=4, waiting=1.5, name_patience=2.0))
    assert changed == SignUp("[a-z]+", 2.0, (Period(1.5, 3), Period(1.5, 3)), 4, range(2, 5))


def test_fewer_places_need_fewer_players() -> None:
    changed = change_sign_up(RULES, SignUpOptions(None, 3, None, None))
    assert [period.least for period in changed.periods] == [3, 2]


def test_a_key_needs_its_certificate(tmp_path: Path) -> None:
    assert load_certificate(None, None) is None
    with pytest.raises(UsageError, match="--tls-key: a key needs its certificate"):
        load_certificate(None, tmp_path)
    (tmp_path / "cert").write_text("not a certificate")
    with pytest.raises(UsageError, match=r"--tls-cert: .*cert and its key cannot be used"):
        load_certificate(tmp_path / "cert", None)
