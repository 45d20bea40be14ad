"""Trains as a drawing."""

from __future__ import annotations

from fairplay.core import Picture, Turn
from fairplay.games.trains.map import Map
from fairplay.games.trains.state import Action, State, View

__all__ = ["picture", "picture_of_map"]


def picture(shown: State | View, last: Turn[State, Action] | None = None) -> Picture:
    return picture_of_map(shown.chart.map)


def picture_of_map(map: Map) -> Picture:
    return Picture(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {map.width} {map.height}"></svg>')
