"""Nim as JSON."""

import msgspec

from fairplay.core import Json
from fairplay.core.convert import as_type
from nim.rules import Heaps, View

ViewJson = View


def state_to_json(state: Heaps) -> Json:
    return msgspec.to_builtins(state)


def state_from_json(value: Json) -> Heaps:
    state: Heaps = as_type(value, Heaps)
    return state


def view_to_json(view: View) -> Json:
    return msgspec.to_builtins(view)


def view_from_json(value: Json) -> View:
    view: View = as_type(value, View)
    return view
