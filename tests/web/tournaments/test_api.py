"""Tournaments on the page and in the API: what is shown, what is refused, and what nobody is told."""

from __future__ import annotations

import csv
import io
import secrets
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from fairplay.catalog import GAMES
from fairplay.cli.options import choose_seed
from fairplay.contest.contest import Contest, Entrant, Stop
from fairplay.contest.planning import PAIRED_RISK, SEED_MARK
from fairplay.core import UsageError
from fairplay.store import open_store
from fairplay.store.store import Store
from fairplay.store.transfer import import_contest
from fairplay.web.http import limits
from fairplay.web.tournaments import cache
from fairplay.web.tournaments.api import (
    MAX_MATCHES,
    EntrantRequest,
    TournamentRequest,
    check_house_players,
    plan_contest,
)
from kit import spy
from web.contest_server import FISH, OWNER, contest, played, served, table_of
from web.servers import PATIENT, TOKEN

GUARDED = replace(PATIENT, token=TOKEN)
HOSTILE = '<script>alert("&")</script>'
REQUEST: dict[str, Any] = {"game": "fish", "players": [{"player": "random"}, {"player": "greedy"}], "games": 1}
HEAVIEST = 200 * 1024

UNRATED = {"value": 1500.0, "low": None, "high": None}


def refusal(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]


def results_of(store: Store, id: int, source: int, numbers: range) -> None:
    """Results for an unfinished contest, taken from those of a like one."""
    kept = list(store.results(source, records=True))
    store.add(id, [replace(kept[number % len(kept)], number=number) for number in numbers])


# -- looking -----------------------------------------------------------------------------------


def test_without_tournaments_the_page_says_so(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, _):
        page = client.get("/tournaments").raise_for_status().text
        assert "There are no tournaments yet." in page and "/tournaments/new" in page
        assert client.get("/api/tournaments").json() == []


def test_tournaments_are_listed_newest_first_page_by_page(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        ids = [store.create(contest("random", "greedy")) for _ in range(4)]
        played(store, contest("random", "greedy", games=1))
        found = client.get("/api/tournaments?limit=2").json()
        assert [each["id"] for each in found] == [5, 4]
        assert [each["status"] for each in found] == ["finished", "unfinished"]
        assert [each["id"] for each in client.get(f"/api/tournaments?before={ids[2]}").json()] == [2, 1]
        assert client.get("/tournaments").text.count('class="card tournament"') == 5
        assert client.get("/tournaments?before=2").text.count('class="card tournament"') == 1
        assert client.get("/tournaments?before=x").status_code == 400


def test_the_home_page_shows_the_newest(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        assert 'class="card tournament"' not in client.get("/").raise_for_status().text
        for _ in range(5):
            store.create(contest("random", "greedy"))
        page = client.get("/").raise_for_status().text
        assert [id for id in range(1, 6) if f'href="/tournaments/{id}"' in page] == [3, 4, 5]


def test_a_finished_tournament_shows_its_tables_and_leads_to_every_match(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = played(store, contest("random", "greedy", "minimax:depth=1", games=2))
        now = client.get(f"/api/tournaments/{id}").json()
        assert now["tables"] == table_of(store, id)
        assert (now["status"], now["matches"], now["total"], now["seed"]) == ("finished", 12, 12, 1)
        page = client.get(f"/tournaments/{id}").raise_for_status().text
        for words in ("12 of 12 matches", "Who beat whom", "Standings", 'class="chart"', '<svg class="icon"'):
            assert words in page
        rows = client.get(f"/tournaments/{id}/matches").text
        for number in range(12):
            assert f'href="/matches/{id}-{number}"' in rows
        assert client.get(f"/matches/{id}-0").status_code == 200


def test_the_matches_come_page_by_page(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        source, id = played(store, contest("random", "greedy", games=1)), store.create(contest("random", "greedy"))
        results_of(store, id, source, range(230))
        first = client.get(f"/tournaments/{id}/matches").text
        assert f"/tournaments/{id}/matches?after=99" in first
        last = client.get(f"/tournaments/{id}/matches?after=199").text
        assert last.count('class="score"') == 30 and "?after=" not in last and "First page" in last
        numbers = [each["number"] for each in client.get(f"/api/tournaments/{id}/matches?after=9&limit=3").json()]
        assert numbers == [10, 11, 12]


def test_a_knock_out_shows_its_bracket(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        names = [(f"p{number}", "random") for number in range(13)]
        id = played(store, contest(*names, format="knock-out"))
        rounds = client.get(f"/api/tournaments/{id}").json()["rounds"]
        assert len(rounds[0]) == 4
        page = client.get(f"/tournaments/{id}").text
        assert "Bracket" in page and "Final" in page and "Who beat whom" not in page
        for pairing in (pairing for pairings in rounds for pairing in pairings):
            assert f'href="/matches/{id}-{pairing["number"]}"' in page


def test_an_unfinished_one_of_another_program_is_counted_as_far_as_it_is(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        plan = contest("random", "greedy", games=3)
        source, id = played(store, plan), store.create(plan)
        empty = client.get(f"/api/tournaments/{id}").json()
        assert (empty["status"], empty["matches"]) == ("unfinished", 0)
        assert [line["rating"] for line in empty["tables"]["standings"]] == [UNRATED] * 2
        assert "not rated yet" in client.get(f"/tournaments/{id}").text
        results_of(store, id, source, range(4))
        sleep(cache.CACHE_SECONDS)
        assert client.get(f"/api/tournaments/{id}").json()["tables"] == table_of(store, id)


def test_it_is_not_counted_again_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "TABLE_COST_RATIO", 1e9)
    with served(tmp_path / "store.db") as (client, store):
        plan = contest("random", "greedy", games=3)
        source, id = played(store, plan), store.create(plan)
        results_of(store, id, source, range(2))
        assert client.get(f"/api/tournaments/{id}").json()["tables"]["matches"] == 2
        results_of(store, id, source, range(2, 4))
        sleep(cache.CACHE_SECONDS)
        assert client.get(f"/api/tournaments/{id}").json()["tables"]["matches"] == 2


def test_count_list_and_tables_know_the_same_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches that are stored while the page is read are on all of it or on none of it."""
    monkeypatch.setattr(cache, "TABLE_COST_RATIO", 0)
    with served(tmp_path / "store.db") as (client, store):
        plan = contest("random", "greedy", games=3)
        source, id = played(store, plan), store.create(plan)
        results_of(store, id, source, range(2))
        meanwhile = [range(2, 4), range(4, 5)]

        def store_more(*_: object, **__: object) -> None:
            if meanwhile:
                results_of(store, id, source, meanwhile.pop(0))

        monkeypatch.setattr(store.history, "matches", spy(store.history.matches, store_more))
        now = client.get(f"/api/tournaments/{id}").json()
        assert (now["matches"], len(now["latest"]), now["tables"]["matches"]) == (5, 5, 5)


def test_tables_that_lag_say_what_they_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "TABLE_COST_RATIO", 1e9)
    with served(tmp_path / "store.db") as (client, store):
        plan = contest("random", "greedy", games=3)
        source, id = played(store, plan), store.create(plan)
        results_of(store, id, source, range(2))
        assert "so far. They follow" not in client.get(f"/tournaments/{id}").text
        results_of(store, id, source, range(2, 4))
        sleep(cache.CACHE_SECONDS)
        page = client.get(f"/tournaments/{id}").text
        assert "4 of 6 matches" in page and "count 2 of the 4 matches so far" in page and "All 4 matches" in page


def test_people_count_matches_from_one(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = played(store, contest("random", "greedy", games=1))
        rows = client.get(f"/tournaments/{id}/matches").text
        assert f'href="/matches/{id}-0" aria-label="Match 1">1</a>' in rows and "Match 0" not in rows
        cup = played(store, contest("random", "greedy", format="knock-out"))
        assert f'href="/matches/{cup}-0">Match 1</a>' in client.get(f"/tournaments/{cup}").text


@pytest.mark.parametrize(("limit", "value"), [("MAX_MATCHES_COUNTED", 10), ("MAX_PLAYERS_COUNTED", 1)])
def test_what_is_too_large_is_not_counted_for_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(cache, limit, value)
    with served(tmp_path / "store.db") as (client, store):
        plan = contest("random", "greedy", games=3)
        source, id = played(store, plan), store.create(plan)
        results_of(store, id, source, range(11))
        now = client.get(f"/api/tournaments/{id}").json()
        assert (now["tables"], now["matches"]) == (None, 11)
        assert "too large for live tables" in client.get(f"/tournaments/{id}").text
        assert refusal(client.get(f"/api/tournaments/{id}/table.csv"))[0] == 409


def test_a_test_that_stopped_early_is_told(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        plan = contest("greedy", "random", games=400)
        id = played(store, replace(plan, stop=Stop(candidate="greedy", rival="random")))
        verdict = client.get(f"/api/tournaments/{id}").json()["verdict"]
        assert verdict.startswith("greedy > random: better after")
        assert "better after" in client.get(f"/tournaments/{id}").text


def test_a_swiss_tournament_shows_the_order_that_counts(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = played(store, replace(contest("random", "greedy", "minimax:depth=1", games=1), format="swiss"))
        first, *_ = client.get(f"/api/tournaments/{id}").json()["tables"]["swiss"]
        page = client.get(f"/tournaments/{id}").text
        assert "Swiss order" in page and f"{first['buchholz']:.3f}" in page
        other = played(store, contest("random", "greedy", games=1))
        assert "Swiss order" not in client.get(f"/tournaments/{other}").text


def test_what_is_wrong_with_its_deals_is_told(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        plain = store.create(contest("random", "greedy", games=1))
        assert client.get(f"/api/tournaments/{plain}").json()["remarks"] == []
        bots = (Entrant("mine", "bot.py"), Entrant("greedy", "greedy"))
        marked = replace(contest("random", "greedy", games=1), entrants=bots, seed_chosen=True)
        id = store.create(marked)
        assert client.get(f"/api/tournaments/{id}").json()["remarks"] == [PAIRED_RISK, SEED_MARK]
        assert SEED_MARK in client.get(f"/tournaments/{id}").text


def test_a_thousand_looks_within_a_second_cost_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE_SECONDS", 60.0)
    with served(tmp_path / "store.db") as (client, store):
        id = played(store, contest("random", "greedy", games=1))
        read, asked = store.contest, list[int]()
        monkeypatch.setattr(store, "contest", spy(read, asked.append))
        for _ in range(50):
            client.get(f"/api/tournaments/{id}").raise_for_status()
            client.get(f"/tournaments/{id}").raise_for_status()
        assert asked == [id]


# -- live --------------------------------------------------------------------------------------


def test_those_who_follow_see_it_grow_and_end(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        plan = contest("random", "greedy", games=3)
        source, id = played(store, plan), store.create(plan)
        with connect(f"ws://127.0.0.1:{client.base_url.port}/api/tournaments/{id}/live", proxy=None) as socket:
            first = msgspec.json.decode(socket.recv(timeout=300))
            assert first["status"] == "unfinished" and "0 of 6 matches" in first["html"]
            results_of(store, id, source, range(6))
            assert "6 of 6 matches" in msgspec.json.decode(socket.recv(timeout=300))["html"]
            store.finish(id, store.standings(source) or b"")
            assert msgspec.json.decode(socket.recv(timeout=300))["status"] == "finished"
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=300)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1000


def test_nobody_follows_what_is_not_there(tmp_path: Path) -> None:
    with (
        served(tmp_path / "store.db") as (client, _),
        connect(f"ws://127.0.0.1:{client.base_url.port}/api/tournaments/9/live", proxy=None) as socket,
    ):
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=300)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4404, "There is no tournament 9.")


# -- starting ----------------------------------------------------------------------------------


def test_only_the_owner_starts_stops_and_exports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FIRST_DELAY", 0.0)  # nobody has to wait after a wrong token
    with served(tmp_path / "store.db", GUARDED) as (client, store):
        id = played(store, contest("random", "greedy", games=1))
        asks = [("POST", ""), ("POST", f"/{id}/cancel"), ("POST", f"/{id}/go-on"), ("GET", f"/{id}/export")]
        for method, path in asks:
            json = REQUEST if method == "POST" else None
            for headers in ({}, {"Authorization": "Bearer another token"}):
                refused = client.request(method, f"/api/tournaments{path}", json=json, headers=headers)
                assert refused.status_code == 401
        assert client.get("/tournaments/new").headers["location"] == "/sign-in"
        assert "Start a tournament" not in client.get("/tournaments").text
        assert "go-on" not in client.get(f"/tournaments/{id}").text
        assert store.queue.contests() == [] and len(store.contests()) == 1
        assert client.get("/tournaments/new", headers=OWNER).status_code == 200
        assert client.post("/api/tournaments", json=REQUEST, headers=OWNER).status_code == 201


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game": "chess"}, "There is no game 'chess'; there are fish"),
        ({"players": [{"player": "random"}, {"player": "bot.py"}]}, "Fish has no strategy 'bot.py'"),
        ({"players": [{"player": "random"}, {"player": "cmd:ls"}]}, "Fish has no strategy 'cmd'"),
        ({"players": [{"player": "random"}, {"player": "minimax:depth=x"}]}, "Depth in 'minimax:depth=x' must be"),
        ({"players": [{"player": "random"}, {"player": "random"}]}, "Two players are called 'random'"),
        ({"players": [{"player": "random"}]}, "Expected array of length >= 2 ($.players)."),
        ({"players": [{"player": "a b"}, {"player": "random"}]}, "Expected str matching regex"),
        (
            {"players": [{"player": "random", "name": "\u202egnorw"}, {"player": "greedy"}]},
            "invisible character U+202E",
        ),
        ({"format": "ladder", "games": None}, "A ladder does not end by itself"),
        ({"format": "lottery"}, "Invalid enum value 'lottery'"),
        ({"rounds": 3}, "The format round-robin has no option 'rounds'"),
        ({"size": 9}, "2 players can play in matches of 2 to 2 seats, not 9"),
        ({"variant": "chess"}, "Fish has no variant 'chess'"),
        ({"board": "original", "variant": "standard"}, "it is for the original game only"),
        ({"games": 0}, "Expected int >= 1"),
        ({"seed": -1}, "Expected int >= 0"),
        ({"jobs": 3}, "Object contains unknown field jobs"),
    ],
)
def test_a_request_that_cannot_be_is_refused_in_words(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    with served(tmp_path / "store.db") as (client, store):
        status, words = refusal(client.post("/api/tournaments", json={**REQUEST, **change}))
        assert (status, reason in words) == (422, True), words
        assert store.contests() == []


def test_too_large_a_tournament_is_refused(tmp_path: Path) -> None:
    many = [{"player": "random", "name": f"r{number}"} for number in range(60)]
    with served(tmp_path / "store.db") as (client, _):
        status, words = refusal(client.post("/api/tournaments", json={**REQUEST, "players": many, "games": 1000}))
        assert (status, words) == (422, f"That would be {60 * 59 * 1000} matches; the limit is {MAX_MATCHES}.")


def test_the_form_offers_what_the_game_has(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, _):
        for game in GAMES.values():
            page = client.get(f"/tournaments/new?game={game.name}").raise_for_status().text
            for player in game.players.strategies:
                assert f'value="{player}"' in page
            for board in game.parts.editor.BOARDS if game.parts.editor is not None else ():
                assert f'<option value="{board}">{board}: ' in page
        assert client.get("/tournaments/new?game=chess").status_code == 404


def test_the_form_enters_neither_a_cheat_nor_a_slow_player_by_itself(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, _):
        page = client.get("/tournaments/new?game=trains").text
        assert 'value="planner" checked' in page
        assert 'value="cheat">' in page and 'value="search">' in page


def test_who_is_not_the_owner_is_asked_to_sign_in(tmp_path: Path) -> None:
    with served(tmp_path / "store.db", GUARDED) as (client, _):
        assert client.post("/api/tournaments", json=REQUEST).status_code == 401
        assert client.get("/tournaments/new").headers["location"] == "/sign-in"
        assert "Sign in to start one" in client.get("/tournaments").text


# -- to take away ------------------------------------------------------------------------------


def test_the_table_is_had_as_a_spreadsheet(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = played(store, contest("random", "greedy", games=2))
        answer = client.get(f"/api/tournaments/{id}/table.csv").raise_for_status()
        assert answer.headers["content-disposition"] == f'attachment; filename="tournament-{id}.csv"'
        lines = [*csv.DictReader(io.StringIO(answer.text))]
        assert [line["player"] for line in lines] == [line["player"] for line in table_of(store, id)["standings"]]


def test_an_export_can_be_taken_into_another_store(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = played(store, contest("random", "greedy", games=2))
        file = tmp_path / "taken.fairplay"
        file.write_bytes(client.get(f"/api/tournaments/{id}/export").raise_for_status().content)
        with open_store(tmp_path / "other.db") as other:
            assert import_contest(other, file, GAMES).matches == 4
            assert other.summary(1).fingerprint == store.summary(id).fingerprint


# -- what nobody is told -----------------------------------------------------------------------


def test_the_seed_is_told_only_when_all_is_played(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        plan = contest("random", "greedy", seed=918273645, games=1)
        id = store.create(plan)
        for path in (f"/api/tournaments/{id}", f"/tournaments/{id}", "/api/tournaments"):
            assert "918273645" not in client.get(path).text
        assert client.get(f"/api/tournaments/{played(store, plan)}").json()["seed"] == 918273645


def test_a_seed_that_nobody_chose_cannot_be_found_by_trying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbits", lambda bits: 2 ** (bits - 1))
    with served(tmp_path / "store.db") as (client, store):
        id = client.post("/api/tournaments", json=REQUEST).raise_for_status().json()["id"]
        assert store.contest(id).seed == choose_seed(None) == 2**52


def test_where_files_lie_is_told_to_nobody(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        specs = ("cmd:/srv/secret/run --key 5", "/srv/secret/bot.py", "isolated:/srv/secret/other.py:choose", "random")
        id = store.create(contest(*((f"p{number}", spec) for number, spec in enumerate(specs))))
        now = client.get(f"/api/tournaments/{id}")
        assert now.json()["specs"] == ["a program", "bot.py", "other.py", "random"]
        players = client.get("/api/players")
        assert {each["spec"] for each in players.json()} == {"a program", "bot.py", "other.py", "random"}
        pages = [client.get(path) for path in (f"/tournaments/{id}", "/players", "/players/fish/p1", "/tournaments/99")]
        for answer in (now, players, *pages, client.get("/api/tournaments/99")):
            assert "secret" not in answer.text and str(tmp_path) not in answer.text


@pytest.mark.parametrize("path", ["/api/tournaments/9", "/tournaments/9", "/tournaments/9/matches", "/matches/9-0"])
def test_what_is_not_there_is_told_without_a_place(tmp_path: Path, path: str) -> None:
    with served(tmp_path / "store.db") as (client, _):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "There is no tournament 9." in answer.text and str(tmp_path) not in answer.text


def test_names_of_strangers_are_text(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        for format in ("round-robin", "knock-out"):
            id = played(store, contest((HOSTILE, "random"), ("../..//x", "greedy"), format=format))
            for path in (f"/tournaments/{id}", f"/tournaments/{id}/matches", "/tournaments"):
                page = client.get(path).raise_for_status().text
                assert HOSTILE not in page and "&lt;script&gt;" in page


def test_a_tournament_of_an_unknown_game_is_refused_in_words(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = store.create(replace(contest("a", "b"), game="chess"))
        assert "chess, which is not installed here" in client.get(f"/tournaments/{id}").text
        assert client.get(f"/api/tournaments/{id}").status_code == 404
        assert client.post(f"/api/tournaments/{id}/go-on").status_code == 404
        assert client.get("/tournaments").status_code == 200


# -- manners -----------------------------------------------------------------------------------


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("format", "players"), [("round-robin", 60), ("knock-out", 150), ("swiss", 120)])
def test_no_page_is_too_heavy(tmp_path: Path, format: str, players: int) -> None:
    names = [(f"a rather long name of a player {number}", "random") for number in range(players)]
    options: dict[str, Any] = {} if format == "knock-out" else {"games": 1}
    with served(tmp_path / "store.db") as (client, store):
        id = played(store, contest(*names, format=format, **options))
        for path in (f"/tournaments/{id}", f"/tournaments/{id}/matches", "/players", "/tournaments"):
            weight = len(client.get(path).raise_for_status().content)
            assert weight < HEAVIEST, f"{path}: {weight} bytes"


def test_the_changing_part_keeps_its_size_while_matches_are_played(tmp_path: Path) -> None:
    """Rows for everybody from the start, so that nothing jumps."""
    with served(tmp_path / "store.db") as (client, store):
        plan: Contest = contest("random", "greedy", "minimax:depth=1", games=1)
        before = client.get(f"/tournaments/{store.create(plan)}").text
        after = client.get(f"/tournaments/{played(store, plan)}").text
        for part in ('class="chart" height="164"', '<th scope="row">'):
            assert before.count(part) == after.count(part) > 0


def test_everything_on_the_page_has_a_name_for_those_who_do_not_see_it(tmp_path: Path) -> None:
    with served(tmp_path / "store.db", PATIENT) as (client, store):
        id = played(store, contest("random", "greedy", games=1))
        page = client.get(f"/tournaments/{id}").text
        assert page.count('<th scope="col"') > 4
        for part in page.split('class="scroll"')[1:]:
            assert "aria-label" in part.split(">", 1)[0], "what scrolls can be reached and is named"
        assert f"Average {FISH.unit}" in page


TWO = (EntrantRequest("random"), EntrantRequest("minimax:depth=2", " deep "))


def planned(*players: EntrantRequest, **more: Any) -> Any:
    return plan_contest(FISH, FISH.quick, TournamentRequest(game="fish", players=players or TWO, **more))


def test_options_that_are_left_out_have_their_defaults_and_names_are_tidied() -> None:
    contest = planned(games=3, seed=7)
    assert contest.entrants == (("random", "random"), ("deep", "minimax:depth=2"))
    assert (contest.format, contest.options["games"], contest.seed) == ("round-robin", 3, 7)


@pytest.mark.parametrize(("format", "deals"), [("round-robin", "paired"), ("knock-out", "fresh")])
def test_it_is_dealt_as_by_the_commands(format: str, deals: str) -> None:
    contest = planned(seed=7, format=format)
    assert (contest.deals, contest.secret, contest.seed_chosen) == (deals, "", False)


def test_a_seed_that_nobody_chose_is_drawn() -> None:
    assert len({planned().seed for _ in range(3)}) == 3


@pytest.mark.parametrize(
    ("players", "more", "reason"),
    [
        ((EntrantRequest("random"),) * 2, {}, "two players are called 'random'"),
        ((EntrantRequest("random"), EntrantRequest("bot.py")), {}, "no strategy 'bot.py'"),
        ((), {"format": "ladder"}, "A ladder does not end by itself"),
        ((), {"format": "ladder", "matches": 5, "rounds": 2}, "rounds"),
        ((), {"games": 100_000, "seed": 1, "size": 9}, "9"),
    ],
)
def test_what_cannot_be_played_is_refused(
    players: tuple[EntrantRequest, ...], more: dict[str, Any], reason: str
) -> None:
    with pytest.raises(UsageError, match=reason):
        planned(*players, **more)


def test_only_house_players_may_play() -> None:
    check_house_players(FISH, ["random", "minimax:depth=1"])
    for spec in ("bot.py", "cmd:sh", "isolated:bot.py"):
        with pytest.raises(UsageError):
            check_house_players(FISH, ["random", spec])
