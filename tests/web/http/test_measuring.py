"""Figures of requests and sockets: right, and bounded whatever is asked for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from fairplay.web.http.middleware import MeasuringMiddleware, RequestMetrics
from fairplay.web.play import pages
from web.contest_server import OWNER
from web.people import open_table
from web.servers import PATIENT, TOKEN, Inside, inside, wait_until


def read_metrics(client: httpx.Client) -> dict[str, float]:
    """All figures by name with labels."""
    text = client.get("/metrics", headers=OWNER).raise_for_status().text
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


def test_requests_are_counted_by_route_and_status_and_timed(tmp_path: Path) -> None:
    with inside(tmp_path / "store.db", replace(PATIENT, token=TOKEN)) as site, site.client() as client:
        for path in ("/", "/matches/nothing", "/matches/other", "/nowhere", "/elsewhere", "/static/fairplay.css"):
            client.get(path)
        client.post("/api/matches", json={})
        # A request is counted once its answer has been sent, which may be after the answer was read.
        wait_until(lambda: read_metrics(client)["fairplay_requests_serving"] == 1)
        found = read_metrics(client)
        assert found['fairplay_requests_total{method="GET",route="/",status="200"}'] == 1
        assert found['fairplay_requests_total{method="GET",route="/matches/{id}",status="404"}'] == 2
        assert found['fairplay_requests_total{method="GET",route="other",status="404"}'] == 2
        assert found['fairplay_requests_total{method="GET",route="/static",status="200"}'] == 1
        assert found['fairplay_requests_total{method="POST",route="/api/matches",status="422"}'] == 1
        assert found['fairplay_request_seconds_count{route="/matches/{id}"}'] == 2
        assert found["process_resident_memory_bytes"] > 1e6 and found["process_cpu_seconds_total"] > 0


def test_a_bug_of_ours_is_counted_as_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with inside(tmp_path / "store.db", replace(PATIENT, token=TOKEN)) as site, site.client() as client:
        monkeypatch.setattr(pages, "parse_number", lambda *_: 1 / 0)
        id = open_table(client, "fish", "greedy", "random")["id"]
        assert client.get(f"/matches/{id}").status_code == 500
        assert read_metrics(client)['fairplay_request_errors_total{route="/matches/{id}"}'] == 1


def test_sockets_are_counted_by_how_they_were_closed(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "fish", "greedy", "random", pace=60)["id"]
    with site.socket(f"/api/matches/{id}/live") as socket:
        socket.recv(60)
    name = 'fairplay_sockets_closed_total{code="1000",route="/api/matches/{id}/live"}'
    wait_until(lambda: read_metrics(client).get(name) == 1)
    found = read_metrics(client)
    assert found['fairplay_sockets_opened_total{route="/api/matches/{id}/live"}'] == 1
    assert found["fairplay_watchers_dropped_total"] == 0, "who closes the page did not lag"


def test_labels_stay_few_whatever_is_asked_for() -> None:
    metrics = RequestMetrics()

    async def refuse(scope: object, receive: object, send: object) -> None:
        """Nothing is answered, as to a client that has left."""

    async def ask() -> None:
        measured = MeasuringMiddleware(refuse, metrics)
        for number in range(50):
            scope = {"type": "http", "method": f"M{number}", "path": f"/{number}"}
            await measured(scope, None, None)  # type: ignore[arg-type]  # nothing is received or sent

    asyncio.run(ask())
    (family,) = metrics.requests.collect()
    samples = [sample for sample in family.samples if sample.name.endswith("_total")]
    assert [(sample.labels, sample.value) for sample in samples] == [
        ({"method": "other", "route": "other", "status": "gone"}, 50)
    ]
