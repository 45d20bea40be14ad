"""The result of a match that has ended: places, where the points come from, and how it went."""

from itertools import pairwise

from msgspec import Struct
from starlette.requests import Request

from fairplay.core import Outcome, Removed, Seat, Turn
from fairplay.web.http.endpoints import Endpoint, Services
from fairplay.web.matches.access import find_access
from fairplay.web.watching.timeline import RESIGNED, Timeline

TURNING_POINTS = 3
"""Moments that are marked because the lead changed most."""


class SeatResult(Struct, frozen=True):
    """What a player has come to."""

    seat: int
    name: str
    place: int | None  # from 1; null for those who were removed, and if the match was broken off
    score: int | None
    lines: tuple[tuple[str, int], ...]  # labels and points, which add up to the score
    removed: str  # why the player was removed; empty: it was not


class MatchResult(Struct, frozen=True):
    """How a match ended, and how it got there."""

    places: tuple[tuple[int, ...], ...]  # seats, the winners first
    ending: str
    seats: tuple[SeatResult, ...]
    margin_words: str
    progress: tuple[tuple[int, ...], ...]  # by seat, points by moment; empty if a game does not count them
    unit: str
    turning_points: tuple[int, ...]  # moments
    removals: tuple[int, ...]  # moments at which a player was removed or resigned
    last_round: int | None  # the moment at which it begins: from there on nobody moves twice; null: from the deal on


def build_result(timeline: Timeline) -> MatchResult:
    """The result of a match that has ended, with all that was hidden."""
    outcome, progress = timeline.outcome, list_progress(timeline)
    ranking = () if outcome is None else outcome.ranking
    places = tuple(tuple(map(int, tier)) for tier in ranking if tier)
    return MatchResult(
        places=places,
        ending=timeline.cut_off if outcome is None else outcome.ending,
        seats=list_seats(timeline, places),
        margin_words=timeline.cut_off if outcome is None else describe_margin(timeline, outcome),
        progress=progress,
        unit=timeline.game.unit,
        turning_points=find_turning_points(progress, places),
        removals=tuple(number for number, event in enumerate(timeline.events, 1) if isinstance(event, Removed)),
        last_round=find_last_round(timeline),
    )


def list_seats(timeline: Timeline, places: tuple[tuple[int, ...], ...]) -> tuple[SeatResult, ...]:
    game, outcome = timeline.game, timeline.outcome
    lines = {} if game.shown.score_lines is None or outcome is None else game.shown.score_lines(timeline.states[-1])
    last = timeline.moment(timeline.last, None)
    found = []
    for number, name in enumerate(timeline.names):
        score = None if outcome is None else outcome.scores[number]
        found.append(
            SeatResult(
                seat=number,
                name=name,
                place=find_place(places, number),
                score=None if score is None else score[0],
                lines=() if score is None else tuple(lines.get(Seat(number), ())),
                removed=last.seats[number].removed,
            )
        )
    return tuple(found)


def find_place(places: tuple[tuple[int, ...], ...], seat: int) -> int | None:
    """The place of a seat, from 1; players who tie share the better one."""
    before = 0
    for tier in places:
        if seat in tier:
            return before + 1
        before += len(tier)
    return None


def describe_margin(timeline: Timeline, outcome: Outcome) -> str:
    """Who won, and by how much, as a sentence."""
    names = [timeline.names[seat] for seat in outcome.winners]
    if not names:
        return "Nobody won."
    if len(names) > 1:
        return f"{' and '.join(names)} share the win."
    scores = {Seat(seat): score for seat, score in enumerate(outcome.scores) if score is not None}
    best, others = scores[outcome.winners[0]], [scores[seat] for seat in scores if seat not in outcome.winners]
    if not others and len(timeline.names) == 1:
        return f"{names[0]} finished."
    if not others:
        return f"{names[0]} won: {describe_losers(timeline, outcome)}."
    margin = best[0] - max(others)[0]
    if not margin:
        return f"{names[0]} won on the tie-break."
    unit = timeline.game.unit
    return f"{names[0]} won by {margin} {unit.removesuffix('s') if margin == 1 else unit}."


def describe_losers(timeline: Timeline, outcome: Outcome) -> str:
    """Why nobody is left but the winner."""
    last = timeline.moment(timeline.last, None)
    losers = [seat for number, seat in enumerate(last.seats) if number not in outcome.winners]
    if all(seat.removed == RESIGNED.detail for seat in losers):
        return f"{' and '.join(seat.name for seat in losers)} resigned"
    return "everyone else is out"


def list_progress(timeline: Timeline) -> tuple[tuple[int, ...], ...]:
    """The points of each seat at each moment; who is out of the game keeps the last ones."""
    count = timeline.game.shown.progress
    if count is None:
        return ()
    points = [0] * len(timeline.names)
    columns: list[list[int]] = [[] for _ in points]
    for state in timeline.states:
        for seat, value in count(state).items():
            points[seat] = value
        for column, value in zip(columns, points, strict=True):
            column.append(value)
    return tuple(map(tuple, columns))


def find_turning_points(progress: tuple[tuple[int, ...], ...], places: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The moments at which the lead of the winner changed most, in order."""
    if len(progress) < 2 or not places:
        return ()
    winner = places[0][0]
    others = [points for seat, points in enumerate(progress) if seat != winner]
    leads = [mine - max(theirs) for mine, *theirs in zip(progress[winner], *others, strict=True)]
    swings = [(abs(after - before), number) for number, (before, after) in enumerate(pairwise(leads), 1)]
    largest = sorted((each for each in swings if each[0]), key=lambda each: (-each[0], each[1]))[:TURNING_POINTS]
    return tuple(sorted(number for _, number in largest))


def find_last_round(timeline: Timeline) -> int | None:
    """The moment of the first of the last turns, of which every player has at most one."""
    seen: set[Seat] = set()
    first = None
    for number, event in reversed([*enumerate(timeline.events, 1)]):
        if not isinstance(event, Turn):
            continue
        if event.seat in seen:
            return first
        seen.add(event.seat)
        first = number
    return None


async def get_result(services: Services, request: Request) -> MatchResult:
    """GET /api/matches/{id}/result"""
    access = await find_access(services, request, request.path_params["id"])
    access.require_revealed(
        over="The result is available once the match is over.",
        shared="Other matches share the deal: the result is shown once the tournament is finished.",
    )
    return build_result(access.timeline)


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/matches/{id}/result",
        "Show the result of a match that is over: places, scores and where they come from, points by moment.",
        get_result,
        MatchResult,
        errors=(404, 409),
    ),
)
