"""Errors as answers."""

from __future__ import annotations

import pytest
from starlette.exceptions import HTTPException

from fairplay.core import AbsentError, RecordError, SetupError, StoreError, UsageError
from fairplay.web.http.errors import MAX_REASON, BusyError, RequestError, as_sentence, reason_of, status_of


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RequestError(418, "x"), 418),
        (HTTPException(405), 405),
        (BusyError("x"), 503),
        (AbsentError("x"), 404),
        (StoreError("x"), 503),
        (RecordError("x"), 409),
        (UsageError("x"), 422),
        (SetupError("x"), 422),
        (ZeroDivisionError(), None),
    ],
)
def test_each_kind_of_error_has_its_status_and_a_bug_has_none(error: Exception, status: int | None) -> None:
    assert status_of(error) == status


def test_a_reason_is_a_sentence_of_bounded_length() -> None:
    assert reason_of(UsageError("fish has no variant 'x'")) == "Fish has no variant 'x'."
    assert reason_of(RequestError(404, "There is none.")) == "There is none."
    assert reason_of(UsageError("x" * 1_000)) == "x" * MAX_REASON + "…"
    assert [as_sentence(text) for text in ("really?", "…", "")] == ["Really?", "…", "."]


def test_where_the_store_is_is_logged_and_not_told(log: list[dict[str, object]]) -> None:
    assert "postgres" not in reason_of(StoreError("postgresql://db.example does not answer"))
    assert log[0]["reason"] == "postgresql://db.example does not answer"
    assert reason_of(AbsentError("there is no tournament 9")) == "There is no tournament 9."
