"""What is said of a match that is over: its result, and a review, which is worked out once, part by part."""

import asyncio
from contextlib import suppress
from itertools import pairwise
from math import ceil
from typing import Literal, TypeAlias

import structlog
from msgspec import Struct
from starlette.requests import Request

from fairplay.core import AnyEvent, AnyGame, FairplayError, Fault, Outcome, Removed, Seat, Turn
from fairplay.match.record import read_record
from fairplay.match.replay import setup_of
from fairplay.match.review.analysis import Analysis, ReviewedTurn, number_chance, sum_up
from fairplay.match.review.walk import draw_chance
from fairplay.report.reviews import (
    describe_better,
    describe_luck,
    describe_turning_point,
    label_seats,
    review_chart,
    style_lines,
)
from fairplay.web.house.pool import HousePool, Payer
from fairplay.web.house.worker import ReviewPart, ReviewQuestion, choose_reviewer, describe_reviewer
from fairplay.web.http.endpoints import BusyError, Endpoint, RequestError, Services, client_address
from fairplay.web.http.limits import BoundedDict, TableLimiter
from fairplay.web.matches.access import MatchAccess, find_access
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.watching.timeline import RESIGNED, Timeline

# -- the result ---------------------------------------------------------------------------------

_TURNING_POINTS = 3
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


def _build_result(timeline: Timeline) -> MatchResult:
    """The result of a match that has ended, with all that was hidden."""
    outcome, progress = timeline.outcome, _list_progress(timeline)
    ranking = () if outcome is None else outcome.ranking
    places = tuple(tuple(map(int, tier)) for tier in ranking if tier)
    return MatchResult(
        places=places,
        ending=timeline.cut_off if outcome is None else outcome.ending,
        seats=_list_seats(timeline, places),
        margin_words=timeline.cut_off if outcome is None else _describe_margin(timeline, outcome),
        progress=progress,
        unit=timeline.game.unit,
        turning_points=_find_turning_points(progress, places),
        removals=tuple(number for number, event in enumerate(timeline.events, 1) if isinstance(event, Removed)),
        last_round=_find_last_round(timeline),
    )


def _list_seats(timeline: Timeline, places: tuple[tuple[int, ...], ...]) -> tuple[SeatResult, ...]:
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
                place=_find_place(places, number),
                score=None if score is None else score[0],
                lines=() if score is None else tuple(lines.get(Seat(number), ())),
                removed=last.seats[number].removed,
            )
        )
    return tuple(found)


def _find_place(places: tuple[tuple[int, ...], ...], seat: int) -> int | None:
    """The place of a seat, from 1; players who tie share the better one."""
    before = 0
    for tier in places:
        if seat in tier:
            return before + 1
        before += len(tier)
    return None


def _describe_margin(timeline: Timeline, outcome: Outcome) -> str:
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
        return f"{names[0]} won: {_describe_losers(timeline, outcome)}."
    margin = best[0] - max(others)[0]
    if not margin:
        return f"{names[0]} won on the tie-break."
    unit = timeline.game.unit
    return f"{names[0]} won by {margin} {unit.removesuffix('s') if margin == 1 else unit}."


def _describe_losers(timeline: Timeline, outcome: Outcome) -> str:
    """Why nobody is left but the winner."""
    last = timeline.moment(timeline.last, None)
    losers = [seat for number, seat in enumerate(last.seats) if number not in outcome.winners]
    if all(seat.removed == RESIGNED.detail for seat in losers):
        return f"{' and '.join(seat.name for seat in losers)} resigned"
    return "everyone else is out"


def _list_progress(timeline: Timeline) -> tuple[tuple[int, ...], ...]:
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


def _find_turning_points(progress: tuple[tuple[int, ...], ...], places: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The moments at which the lead of the winner changed most, in order."""
    if len(progress) < 2 or not places:
        return ()
    winner = places[0][0]
    others = [points for seat, points in enumerate(progress) if seat != winner]
    leads = [mine - max(theirs) for mine, *theirs in zip(progress[winner], *others, strict=True)]
    swings = [(abs(after - before), number) for number, (before, after) in enumerate(pairwise(leads), 1)]
    largest = sorted((each for each in swings if each[0]), key=lambda each: (-each[0], each[1]))[:_TURNING_POINTS]
    return tuple(sorted(number for _, number in largest))


def _find_last_round(timeline: Timeline) -> int | None:
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


async def _get_result(services: Services, request: Request) -> MatchResult:
    """GET /api/matches/{id}/result"""
    access = await find_access(services, request, request.path_params["id"])
    access.require_revealed(
        over="The result is available once the match is over.",
        shared="Other matches share the deal: the result is shown once the tournament is finished.",
    )
    return _build_result(access.timeline)


# -- the review ---------------------------------------------------------------------------------

_KEPT_REVIEWS = 64

_MAX_RUNNING = 20
ADDRESS_RUNNING = 2
"""Reviews that are worked out at a time, and of those that one address asked for."""

LOG = structlog.get_logger("fairplay.web")

ReviewStatus: TypeAlias = Literal["running", "finished", "failed"]


class ShownReview(Struct, frozen=True):
    """A review as the page shows it."""

    status: ReviewStatus
    by: str  # who thinks, and how much, in words
    words: str  # how far it is, or what came out
    chart: str = ""  # SVG, once it is finished
    better: tuple[str, ...] = ()  # by moment: what would have been better than the turn before it, or what luck changed


class Review:
    """The review of one match, while it is worked out."""

    def __init__(self, id: str, game: AnyGame, content: bytes, events: list[AnyEvent]) -> None:
        """Raises UsageError if nobody here can review the match."""
        self.id, self.game, self.content = id, game, content
        self.record = read_record(content.splitlines(keepends=True))
        self.spec = choose_reviewer(game, setup_of(game, self.record.header))
        self.events, self.total = len(events), sum(isinstance(event, Turn) for event in events)
        self.chance = number_chance(events)
        self.turns: list[ReviewedTurn] = []
        self.is_slow = False

    @property
    def by(self) -> str:
        """Who thinks, and how much, in words."""
        return describe_reviewer(self.game, self.spec)

    async def work_out(self, pool: HousePool, payer: Payer) -> ShownReview:
        """Review all turns, part by part; raises FairplayError if the house player fails."""
        seats = range(len(self.record.header.players))
        part = ReviewPart((), tuple(draw_chance(Seat(seat)) for seat in seats), 1)
        while part.next is not None:
            question = ReviewQuestion(self.game.name, self.spec, self.content, part.rngs, part.next)
            answer = (await pool.choose(question, payer, self._slow_down)).action
            if isinstance(answer, Fault):
                raise FairplayError(answer.detail)
            part = answer
            self.turns += part.turns
        return self._show_finished(sum_up(self.record, self.spec, self.turns, self.events, self.chance))

    def _slow_down(self, is_slow: bool) -> None:
        self.is_slow = is_slow

    def show(self) -> ShownReview:
        """How far it is."""
        slow = " Your computing time is used up, so it takes longer." if self.is_slow else ""
        words = f"Reviewed by {self.by}: {len(self.turns)} of {self.total} turns so far.{slow}"
        return ShownReview("running", self.by, words)

    def _show_finished(self, analysis: Analysis) -> ShownReview:
        players = self.record.header.players
        better = [""] * (self.events + 1)
        for turn in analysis.turns:
            better[turn.number] = describe_better(self.game, turn)
        for luck in analysis.luck:
            better[luck.number] = describe_luck(self.game, luck)
        labels, styles = label_seats(self.game, players), style_lines(self.game, len(players))
        chart = review_chart(analysis, labels, styles, lambda turn: f"?turn={turn}")
        words = describe_turning_point(self.game, analysis, players)
        return ShownReview("finished", self.by, words, str(chart), tuple(better))


class Reviewer:
    """All reviews of a server: each match is reviewed once at a time, and not again while the review is kept."""

    def __init__(self, pool: HousePool) -> None:
        self.pool = pool
        self._running: dict[str, tuple[Review, Payer, asyncio.Task[None]]] = {}
        self._kept: BoundedDict[str, ShownReview] = BoundedDict(_KEPT_REVIEWS)

    def find(self, id: str) -> ShownReview | None:
        """The review of a match, as far as it is; None if there is none."""
        return self._running[id][0].show() if id in self._running else self._kept.get(id)

    def check_room(self, address: str | None) -> None:
        """Raises BusyError if no further review may be started, by anyone or by this address."""
        if len(self._running) >= _MAX_RUNNING:
            raise BusyError("Many matches are being reviewed here. Try again in a moment.")
        mine = sum(payer.address == address for _, payer, _ in self._running.values())
        if address is not None and mine >= ADDRESS_RUNNING:
            raise BusyError(f"{mine} reviews that you asked for are being worked out. Wait for one of them.")

    def start(self, review: Review, address: str | None) -> ShownReview:
        """Begin a review, unless it has begun or is there; raises BusyError.

        address: who asked for it, and pays; None: somebody without limits.
        """
        if (known := self.find(review.id)) and known.status != "failed":
            return known
        self.check_room(address)
        payer = Payer() if address is None else Payer(address, f"review {review.id}")
        task = asyncio.create_task(self._work_out(review, payer), name=f"review {review.id}")
        self._running[review.id] = review, payer, task
        return review.show()

    async def _work_out(self, review: Review, payer: Payer) -> None:
        try:
            self._kept[review.id] = await review.work_out(self.pool, payer)
        except Exception:
            LOG.exception("a review broke off", match=review.id)
            self._kept[review.id] = ShownReview("failed", review.by, "The review broke off; you can ask for it again.")
        finally:
            del self._running[review.id]

    async def stop(self) -> None:
        """Break all reviews off."""
        for _, _, task in tuple(self._running.values()):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _post_review(services: Services, request: Request) -> ShownReview:
    """POST /api/matches/{id}/review"""
    id, access = request.path_params["id"], await _find_reviewable(services, request)
    known = services[Reviewer].find(id)
    if known is not None and known.status != "failed":
        return known
    content = await asyncio.to_thread(services[MatchRegistry].read_record, id)
    timeline = access.timeline
    review = await asyncio.to_thread(Review, id, timeline.game, content, timeline.events)
    address = None if access.owner else client_address(request)
    if address is not None:
        _check_budget(services, address)
    return services[Reviewer].start(review, address)


async def _get_review(services: Services, request: Request) -> ShownReview:
    """GET /api/matches/{id}/review"""
    await _find_reviewable(services, request)
    review = services[Reviewer].find(request.path_params["id"])
    if review is None:
        raise RequestError(404, "This match has not been reviewed, or its review is not kept any more.")
    return review


async def _find_reviewable(services: Services, request: Request) -> MatchAccess:
    """The match that is asked for; raises RequestError if a review would tell what is hidden."""
    access = await find_access(services, request, request.path_params["id"])
    access.require_revealed(
        over="A match can be reviewed once it is over.",
        shared="Other matches share the deal: it can be reviewed once the tournament is finished.",
    )
    return access


def _check_budget(services: Services, address: str) -> None:
    """Raises RequestError if an address has used up its computing time, or asks too often."""
    if seconds := services[HousePool].budgets.addresses.seconds_to_wait(address):
        raise RequestError(429, f"You have used up your computing time. Wait {ceil(seconds)} seconds.")
    if not services[TableLimiter].allow(address):
        raise RequestError(429, "You have asked for many reviews or tables. Wait a moment before the next one.")


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/matches/{id}/review",
        "Have a finished match reviewed by a house player, unless that was done already.",
        _post_review,
        ShownReview,
        compress=True,
        errors=(404, 409, 422, 503),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/review",
        "Show the review of a match, or how far it is.",
        _get_review,
        ShownReview,
        errors=(404, 409),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/result",
        "Show the result of a match that is over: places, scores and where they come from, points by moment.",
        _get_result,
        MatchResult,
        errors=(404, 409),
    ),
)
