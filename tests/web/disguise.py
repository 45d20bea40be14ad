"""The same match with everything changed that somebody may not know, and all bytes that reach them, to compare."""

from __future__ import annotations

import re
from random import Random

import httpx

from fairplay.core import Seat, Turn
from fairplay.web.watching.timeline import Timeline
from kit import kit


def disguised(timeline: Timeline, viewer: Seat | None, rng: Random) -> Timeline:
    """The same course of play, with everything changed that `viewer` may not know."""
    hidden = kit(timeline.game.name)
    states = [hidden.scramble(state, viewer, rng) for state in timeline.states]
    made = Timeline(timeline.game, timeline.names, states[0])
    for number, event in enumerate(timeline.events):
        assert isinstance(event, Turn)
        action = event.action if event.seat == viewer else hidden.disguise(event.action, viewer, rng)
        made.add(Turn(states[number], event.seat, action, states[number + 1]))
    made.outcome, made.proof = timeline.outcome, timeline.proof
    return made


def bytes_of(answer: httpx.Response) -> bytes:
    """The whole answer, without what the time of day changes."""
    heads = sorted(item for item in answer.headers.items() if item[0] not in ("date", "content-length"))
    body = name_figures(answer.content) if answer.url.path == "/metrics" else answer.content
    return steady(f"{answer.status_code}\n{heads}\n".encode() + body)


def name_figures(metrics: bytes) -> bytes:
    """What is measured, without the figures, which count the very requests that ask for them."""
    return b"\n".join(line for line in metrics.splitlines() if line.startswith(b"#"))


def steady(body: bytes) -> bytes:
    """Bytes without what changes from second to second, and with those who look on."""
    return re.sub(rb'"(clock|uptime|watchers)":[0-9.]+', rb'"\1":0', body)
