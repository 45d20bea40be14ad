"""A faulty client answers well a number of times and then misbehaves."""

from __future__ import annotations

import pytest

from fairplay.core import Fault, FaultKind, Json, Misbehaved
from fairplay.core.established import Call, FaultyClient


class Plain:
    """Answers with the method; over after `end`."""

    over = False
    won: bool | None = None

    def answer(self, call: Call) -> Json:
        self.over = call.method == "end"
        self.won = True if self.over else None
        return call.method


def test_it_answers_a_number_of_times_and_then_no_more() -> None:
    fault = Fault(FaultKind.TIMED_OUT, "no answer to play")
    client = FaultyClient(Plain(), "play", 2, fault)
    for method in ("setup", "play", "more", "play", "more"):
        assert client.answer(Call(method, [])) == method
    with pytest.raises(Misbehaved) as misbehaved:
        client.answer(Call("play", []))
    assert misbehaved.value.fault == fault
    assert (client.over, client.won) == (False, None)
    client.answer(Call("end", []))
    assert (client.over, client.won) == (True, True)
