"""Copies of functions and of the modules that they look into: each specialisation has its own."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from fairplay.games.fish import kernel
from fairplay.games.fish.kernel import row as layout
from fairplay.kernels import code
from fairplay.kernels.specialise import reachable_namespaces, specialise

HERE = sys.modules[__name__]


def count_seats() -> int:
    """Reads a constant of another module."""
    return layout.SEATS


def leave(function: object) -> object:
    return function


@pytest.mark.parametrize("how", ["interpreted", "core"])
def test_a_constant_of_another_module_is_that_of_the_specialisation(how: code.How) -> None:
    if how == "core":
        pytest.importorskip("numba")
    for seats in (3, 4):
        functions = code.load_functions("test-modules", (count_seats,), {"SEATS": seats}, how)
        assert functions.call(count_seats) == seats
    assert count_seats() == layout.SEATS == 2


def test_modules_are_copied_once_and_not_shared() -> None:
    three, four = (specialise(kernel, {"SEATS": seats}, leave) for seats in (3, 4))
    copies = [each["step"].__globals__["layout"] for each in (three, four)]
    assert [copy.SEATS for copy in copies] == [3, 4]
    assert copies[0] is three["scores"].__globals__["layout"]
    assert copies[0].is_out.__globals__ is vars(copies[0])
    assert repr(copies[0]) != repr(copies[1]) != repr(layout), "numba takes modules that print the same for the same"


def test_sources_that_are_only_looked_into_are_reached() -> None:
    names = {each["__name__"] for each in reachable_namespaces(HERE)}
    assert layout.__name__ in names
    assert __name__ in names


def test_packages_and_modules_of_others_are_left_alone() -> None:
    found = specialise(HERE, {}, leave)
    assert found["pytest"] is pytest and found["kernel"] is kernel and found["sys"] is sys
    assert isinstance(found["layout"], ModuleType) and found["layout"] is not layout
