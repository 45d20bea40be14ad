"""The frame for other pages: it may be framed, and has nothing private."""

from __future__ import annotations

import re

import httpx

from web.people import SEAT, open_table, seated
from web.servers import wait_until


def policy_of(answer: httpx.Response) -> str:
    return answer.headers["content-security-policy"]


def test_only_the_embedded_page_may_be_framed(client: httpx.Client) -> None:
    id, _ = seated(client, "fish", 2)
    assert policy_of(client.get(f"/embed/{id}")).endswith("frame-ancestors *")
    assert policy_of(client.get(f"/matches/{id}")).endswith("frame-ancestors 'none'")
    missing = client.get("/embed/nothing")
    assert missing.status_code == 404 and "There is no" in missing.text


def test_a_seat_sees_nothing_more_in_it(client: httpx.Client) -> None:
    id, keys = seated(client, "trains", 2)
    public = client.get(f"/embed/{id}").raise_for_status().text
    assert '"viewer":"public"' in public
    for key in keys:
        assert client.get(f"/embed/{id}", headers={SEAT: key}).text == public
        assert client.get(f"/embed/{id}?as=0", headers={SEAT: key}).text == public


def test_it_shows_the_turn_that_is_asked_for(client: httpx.Client) -> None:
    id = open_table(client, "fish", "greedy", "random")["id"]
    wait_until(lambda: client.get(f"/api/matches/{id}/record").status_code == 200)
    last = client.get(f"/api/matches/{id}/share").json()["last"]
    assert f'<output id="turn">3 / {last}' in client.get(f"/embed/{id}?turn=3").text
    assert f'<output id="turn">{last} / {last}' in client.get(f"/embed/{id}?turn=99999").text
    assert client.get(f"/embed/{id}?turn=x").status_code == 400


def test_it_has_no_inline_style_or_script(client: httpx.Client) -> None:
    id, _ = seated(client, "fish", 2)
    page = client.get(f"/embed/{id}").text
    assert " style=" not in page and " onclick=" not in page
    assert not re.search(r"<script(?! type=\"application/json\"| type=\"module\" src=)", page)
