"""The address of this site."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from fairplay.web.http.endpoints import site_origin


def request(host: str, scheme: str = "http") -> Request:
    return Request(
        {"type": "http", "scheme": scheme, "path": "/", "headers": [(b"host", host.encode())], "query_string": b""}
    )


@pytest.mark.parametrize("host", ["localhost:8000", "play.example", "[::1]:8000", "127.0.0.1"])
def test_it_is_what_the_visitor_wrote(host: str) -> None:
    assert site_origin(request(host)) == f"http://{host}"
    assert site_origin(request(host, "https")) == f"https://{host}"


@pytest.mark.parametrize("host", ["", "a b", 'x"><script>', "evil.example/path", "a@b", "a:b", "-x-", "a" * 300])
def test_a_malformed_host_is_no_address(host: str) -> None:
    assert site_origin(request(host)) == ""
