"""Faults and errors as values and words."""

from __future__ import annotations

import msgspec

from fairplay.core import Fault, FaultKind, Misbehaved, WireError
from fairplay.core.faults import LONGEST_DETAIL


def test_a_long_detail_keeps_its_end() -> None:
    fault = Fault.of(FaultKind.CRASHED, "x" * 5_000 + "the end")
    assert len(fault.detail) == LONGEST_DETAIL
    assert fault.detail.startswith("…x")
    assert fault.detail.endswith("the end")
    assert Fault.of(FaultKind.CRASHED, "short").detail == "short"


def test_a_detail_can_always_be_written_down() -> None:
    fault = Fault.of(FaultKind.CRASHED, "lone \ud800 surrogate")
    assert msgspec.json.decode(msgspec.json.encode(fault), type=Fault) == fault


def test_errors_carry_what_they_are_about() -> None:
    assert str(WireError("expected a number", "$.cards.red")) == "expected a number at $.cards.red"
    assert WireError("expected a number", "$.cards.red").path == "$.cards.red"
    assert Misbehaved(Fault(FaultKind.GONE, "left")).fault.kind is FaultKind.GONE
