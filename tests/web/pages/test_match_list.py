"""The list of matches: by game, player and date, page by page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import msgspec
import pytest

from fairplay.store.store import Store
from fairplay.web.matches.listing import MAX_NAMES
from fairplay.web.matches.tables import MatchSummary
from fairplay.web.pages import home as match_list
from fairplay.web.pages.home import parse_day, parse_zone
from web.servers import PATIENT, Inside, inside

DAY = 86_400.0


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Inside]:
    with inside(tmp_path / "fairplay.db", PATIENT) as running:
        yield running


def add_match(site: Inside, id: str, game: str, *names: str) -> None:
    """A match that is over."""
    tables = site.services[Store].tables
    tables.open(id, game, b"{}", players=names)
    summary = MatchSummary(names, (0,), (3, 1), "over", 7)
    tables.close(id, msgspec.json.encode(summary))


def listed(client: httpx.Client, path: str) -> list[str]:
    return re.findall(r'<a href="/matches/(\w+)">', client.get(path).raise_for_status().text)


def test_matches_are_found_by_game_and_by_how_a_name_begins(site: Inside) -> None:
    add_match(site, "aaa", "fish", "Robin", "easy")
    add_match(site, "bbb", "trains", "Kim", "hard")
    with site.client() as client:
        assert listed(client, "/matches") == ["bbb", "aaa"]
        assert listed(client, "/matches?game=trains") == ["bbb"]
        assert listed(client, "/matches?player=ROB") == ["aaa"]
        assert listed(client, "/matches?game=trains&player=rob") == []
        assert "No match fits" in client.get("/matches?player=nobody").text


def test_matches_are_found_by_date(site: Inside) -> None:
    add_match(site, "aaa", "fish", "Robin", "easy")
    with site.client() as client:
        today = client.get("/matches").text.partition('<time datetime="')[2][:10]
        tomorrow = parse_day(today)
        assert tomorrow is not None
        assert listed(client, f"/matches?from={today}&to={today}") == ["aaa"]
        assert listed(client, "/matches?from=2999-01-01") == listed(client, "/matches?to=1999-01-01") == []


def test_a_day_is_one_of_the_visitors_time_zone(site: Inside) -> None:
    assert parse_day("2026-11-18", parse_zone("600")) == 1_794_924_000  # ten hours before it begins in London
    add_match(site, "aaa", "fish", "Robin", "easy")
    with site.client() as client:
        today = client.get("/matches").text.partition('<time datetime="')[2][:10]
        ahead = (datetime.fromisoformat(today) + timedelta(days=1)).date()
        assert listed(client, f"/matches?from={today}&zone=0") == ["aaa"]
        assert listed(client, f"/matches?from={ahead}&zone=0") == []
        assert listed(client, f"/matches?from={ahead}&zone=1439") == ["aaa"]  # where it is tomorrow already
        for zone in ("x", "1440", "9" * 50):
            assert client.get(f"/matches?zone={zone}").status_code == 400


def test_older_matches_are_a_page_further(site: Inside) -> None:
    names = [f"m{number}" for number in range(match_list.PAGE_SIZE + 5)]
    for name in names:
        add_match(site, name, "fish", "Robin", "easy")
    with site.client() as client:
        first = client.get("/matches?player=robin").text
        older = re.search(r'href="(/matches\?[^"]*before=[^"]*)"', first)
        assert older and "player=robin" in older[1]
        seen = listed(client, "/matches?player=robin") + listed(client, older[1].replace("&amp;", "&"))
        assert seen == names[::-1]


def test_where_many_names_begin_alike_the_page_says_so(site: Inside) -> None:
    for number in range(MAX_NAMES + 1):
        add_match(site, f"m{number}", "fish", f"kim {number:02}", "easy")
    with site.client() as client:
        many = client.get("/matches?player=kim").text
        assert f"More than {MAX_NAMES} names begin with “kim”" in many and "/matches/m0" in many
        assert f"/matches/m{MAX_NAMES}" not in many
        assert listed(client, f"/matches?player=kim {MAX_NAMES}") == [f"m{MAX_NAMES}"]
        assert "More than" not in client.get("/matches?player=kim 1").text + client.get("/matches").text


@pytest.mark.parametrize("query", ["from=yesterday", "to=2026-13-01", "before=x", "from=1e9"])
def test_what_is_no_date_is_refused(site: Inside, query: str) -> None:
    with site.client() as client:
        assert client.get(f"/matches?{query}").status_code == 400


def test_there_is_no_such_game(site: Inside) -> None:
    with site.client() as client:
        assert client.get("/matches?game=chess").status_code == 404
        assert client.get("/matches?before=nan").status_code == client.get("/matches?before=inf").status_code == 200
