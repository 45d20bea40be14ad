"""The API is what its own description says, tried by schemathesis with what fits the description and what does not."""

from __future__ import annotations

from typing import Any

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import missing_required_header, positive_data_acceptance

from fairplay.web.app import ENDPOINTS
from fairplay.web.description import SOCKETS, build_openapi
from web.people import finished, open_table
from web.servers import TOKEN, Inside

API = schemathesis.openapi.from_dict(build_openapi(ENDPOINTS))
MATCHES = API.include(path_regex=r"^/api/matches/\{id\}")

RULES = [positive_data_acceptance]
"""Left out: what fits the description may still be against the rules of a game."""

OVER = [*RULES, missing_required_header]
"""Left out as well: of a match that is over, everyone hears that it is not running, with or without a seat."""

BOUNDED = settings(
    max_examples=20,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@API.parametrize()
@BOUNDED
def test_the_api_is_as_described(case: Any, site: Inside) -> None:
    case.call_and_validate(base_url=site.url, excluded_checks=RULES)


@API.parametrize()
@settings(BOUNDED, max_examples=8)
def test_the_api_is_as_described_for_the_owner(case: Any, site: Inside) -> None:
    if (case.method, case.path) != ("POST", "/api/tournaments"):  # each would be played
        owner = {"Authorization": f"Bearer {TOKEN}"}
        case.call_and_validate(base_url=site.url, headers=owner, excluded_checks=RULES)


@pytest.fixture(scope="module")
def known(site: Inside) -> list[str]:
    """A match that waits, one that is played and one that is over."""
    with site.client() as client:
        ids = [
            open_table(client, "trains", *seats)["id"]
            for seats in (("me", "friend"), ("me", "random"), ("random", "random"))
        ]
    finished(site, ids[-1])
    return [str(id) for id in ids]


@MATCHES.parametrize()
@settings(BOUNDED, max_examples=9)
def test_the_api_of_matches_is_as_described_for_matches_that_there_are(
    case: Any, site: Inside, known: list[str]
) -> None:
    for id in known:
        case.path_parameters = {**(case.path_parameters or {}), "id": id}
        if "number" in case.path_parameters:
            case.path_parameters["number"] = 0
        case.call_and_validate(base_url=site.url, excluded_checks=OVER)


def test_every_endpoint_is_described(client: httpx.Client) -> None:
    served = client.get("/api/openapi.json").json()
    count = sum(len(operations) for operations in served["paths"].values())
    described = msgspec.json.decode(msgspec.json.encode(build_openapi(ENDPOINTS, SOCKETS)))
    assert served == described and count == len(ENDPOINTS)
    page = client.get("/api").text
    assert all(one.summary.replace("'", "&#39;") in page for one in ENDPOINTS)
    assert all(path in page for path in served["paths"])
