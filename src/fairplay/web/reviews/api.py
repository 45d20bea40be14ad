"""The API of reviews: have a finished match reviewed, and see what came out."""

from __future__ import annotations

import asyncio
from math import ceil

from starlette.requests import Request

from fairplay.web.house.pool import HousePool
from fairplay.web.http.endpoints import Endpoint, Services, client_address
from fairplay.web.http.errors import RequestError
from fairplay.web.http.limits import TableLimiter
from fairplay.web.matches.access import MatchAccess, find_access
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.reviews.reviewer import Review, Reviewer, ShownReview

__all__ = ["ENDPOINTS"]


async def post_review(services: Services, request: Request) -> ShownReview:
    """POST /api/matches/{id}/review"""
    id, access = request.path_params["id"], await find_reviewable(services, request)
    known = services[Reviewer].find(id)
    if known is not None and known.status != "failed":
        return known
    content = await asyncio.to_thread(services[MatchRegistry].read_record, id)
    timeline = access.timeline
    review = await asyncio.to_thread(Review, id, timeline.game, content, timeline.events)
    address = None if access.owner else client_address(request)
    if address is not None:
        check_budget(services, address)
    return services[Reviewer].start(review, address)


async def get_review(services: Services, request: Request) -> ShownReview:
    """GET /api/matches/{id}/review"""
    await find_reviewable(services, request)
    review = services[Reviewer].find(request.path_params["id"])
    if review is None:
        raise RequestError(404, "This match has not been reviewed, or its review is not kept any more.")
    return review


async def find_reviewable(services: Services, request: Request) -> MatchAccess:
    """The match that is asked for; raises RequestError if a review would tell what is hidden."""
    access = await find_access(services, request, request.path_params["id"])
    access.require_revealed(
        over="A match can be reviewed once it is over.",
        shared="Other matches share the deal: it can be reviewed once the tournament is finished.",
    )
    return access


def check_budget(services: Services, address: str) -> None:
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
        post_review,
        ShownReview,
        compress=True,
        errors=(404, 409, 422, 503),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/review",
        "Show the review of a match, or how far it is.",
        get_review,
        ShownReview,
        errors=(404, 409),
    ),
)
