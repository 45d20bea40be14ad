"""Players on the page and in the API: their record, their ratings, and their last words, which are text."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

from fairplay.contest.contest import Result
from fairplay.core import ABSENCE, Fault, FaultKind, Outcome, Seat
from fairplay.store.store import Store
from fairplay.web.rendering.pages import player_path
from fairplay.web.tournaments.players import MAX_FAULTS, MAX_LISTED
from web.contest_server import FISH, contest, played, served

HOSTILE = '</pre><script>alert("&")</script>\x1b[31m\u202e'


def removed(number: int, words: str) -> Result:
    """A match in which the second player was thrown out."""
    outcome = Outcome(((Seat(0),),), ((9,), None), (None, Fault(FaultKind.CRASHED, words)), "nobody can move")
    return Result(number, (0, 1), number, outcome, b"", 0.1)


def with_faults(store: Store, name: str, count: int = 1, words: str = HOSTILE) -> int:
    id = store.create(contest("greedy", (name, "bot.py")))
    store.add(id, [removed(number, words) for number in range(count)])
    return id


def test_without_matches_the_page_says_so(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, _):
        assert "Nobody has played in a tournament yet." in client.get("/players").raise_for_status().text
        assert client.get("/api/players").json() == []


def test_players_are_listed_by_game_the_best_first(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        played(store, contest("random", "greedy", games=4))
        store.create(msgspec.structs.replace(contest("planner", "random"), game="trains"))
        found = client.get("/api/players").json()
        assert [(each["game"], each["player"]) for each in found] == [
            ("fish", "greedy"),
            ("fish", "random"),
            ("trains", "planner"),
            ("trains", "random"),
        ]
        best, other = found[:2]
        assert best["matches"] == other["matches"] == 8
        assert best["wins"] + other["wins"] + best["ties"] == 8
        assert [each["player"] for each in client.get("/api/players?game=trains").json()] == ["planner", "random"]
        page = client.get("/players").text.partition("<main")[2]
        assert page.index("Fish") < page.index("greedy") < page.index("Trains") < page.index("planner")
        assert client.get("/api/players?who=me").status_code == 400


def test_a_player_has_a_record_and_a_rating_for_each_finished_tournament(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        ids = [played(store, contest("random", "greedy", games=3, seed=seed)) for seed in (1, 2)]
        store.create(contest("random", "greedy"))
        player = client.get("/api/players/fish/greedy").json()
        (totals,) = player["totals"]
        assert (totals["contests"], totals["matches"]) == (3, 12)
        assert [each["contest"] for each in player["ratings"]] == ids
        page = client.get("/players/fish/greedy").raise_for_status().text
        assert page.count("<circle") == 2
        for id in ids:
            assert f'href="/tournaments/{id}"' in page
        assert "No faults" in page


def test_unlike_games_are_not_in_one_curve(tmp_path: Path) -> None:
    """Two tournaments on a small board make a curve; a quick one in between has its own rating."""
    quick = msgspec.Raw(msgspec.json.encode(FISH.quick))
    with served(tmp_path / "store.db") as (client, store):
        small = [contest("random", "greedy", games=1, seed=seed) for seed in (1, 2, 3)]
        ids = [played(store, each) for each in (small[0], msgspec.structs.replace(small[1], setup=quick), small[2])]
        ratings = client.get("/api/players/fish/greedy").json()["ratings"]
        of_small, of_quick = "standard (rows 4, columns 4)", "quick (rows 5, columns 5)"
        assert [(each["contest"], each["played"]) for each in ratings] == [
            *zip(ids, (of_small, of_quick, of_small), strict=True)
        ]
        page = client.get("/players/fish/greedy").raise_for_status().text
        assert page.count("<circle") == 2
        chart = page[page.index("<svg", page.index("Rating")) : page.rindex("<circle")]
        assert [f'href="/tournaments/{id}"' in chart for id in ids] == [True, False, True]
        assert page.index(of_small.capitalize()) < page.index(of_quick.capitalize())


def test_who_never_finished_a_tournament_has_no_chart(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        store.create(contest("random", "greedy"))
        page = client.get("/players/fish/greedy").raise_for_status().text
        assert "Rating" not in page and "<circle" not in page


def test_one_rating_is_a_number_and_no_chart(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        played(store, contest("random", "greedy", games=3))
        page = client.get("/players/fish/greedy").raise_for_status().text
        assert "Last rating" in page and "<circle" not in page


def test_a_player_has_opponents_and_matches_with_pictures(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = played(store, contest("random", "greedy", "minimax", games=1))
        player = client.get("/api/players/fish/greedy").json()
        assert {each["opponent"] for each in player["opponents"]} == {"random", "minimax"}
        assert sum(each["matches"] for each in player["opponents"]) == len(player["matches"]) > 0
        page = client.get("/players/fish/greedy").raise_for_status().text
        assert 'href="/players/fish/minimax"' in page
        match = player["matches"][0]
        assert f'href="/matches/{id}-{match["number"]}"' in page
        picture = client.get(f"/api/matches/{id}-{match['number']}/picture.svg").raise_for_status()
        assert picture.text.startswith("<svg") and "max-age" in picture.headers["cache-control"]


def test_one_name_may_have_been_several_players(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        store.create(contest("random", ("mine", "greedy")))
        store.create(contest("random", ("mine", "minimax:depth=1")))
        page = client.get("/players/fish/mine").raise_for_status().text
        assert "greedy" in page and "minimax:depth=1" in page


def test_each_of_those_who_played_under_one_name_has_a_page(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        for spec in ("random", "greedy"):
            played(store, contest("random", ("mine", spec)))
        both = client.get("/api/players/fish/mine").json()
        pages = [client.get(path).raise_for_status().text for path in ("/players/fish/mine", "/players")]
        assert len(both["matches"]) == 40 and len({each["key"] for each in both["totals"]}) == 2
        for one in both["totals"]:
            assert all(f'?key={one["key"]}"' in page for page in pages)
            alone = client.get(f"/api/players/fish/mine?key={one['key']}").json()
            assert {each["spec"] for each in alone["totals"]} == {one["spec"]}
            assert len(alone["matches"]) == len({(each["contest"], each["number"]) for each in alone["matches"]})
        assert client.get("/api/players/fish/mine?key=nobody").status_code == 404


def test_who_could_not_come_back_has_one_fault(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = store.create(contest("greedy", ("bad", "connection:established")))
        gone = [Outcome(((Seat(0),),), ((9,), None), (None, ABSENCE), "nobody can move")] * 7
        store.add(id, [removed(0, "no"), *(Result(n, (0, 1), n, each, b"", 0.1) for n, each in enumerate(gone, 1))])
        player = client.get("/api/players/fish/bad").json()
        assert [(each["number"], each["kind"], each["absent"]) for each in player["faults"]] == [(0, "crashed", 7)]
        assert (player["totals"][0]["matches"], player["totals"][0]["faults"]) == (8, 1)
        assert "then absent from 7 matches" in client.get("/players/fish/bad").raise_for_status().text


def test_last_words_are_shown_and_can_do_no_harm(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = with_faults(store, "bad", 2)
        player = client.get("/api/players/fish/bad").json()
        assert [(each["contest"], each["number"], each["kind"]) for each in player["faults"]] == [
            (id, 1, "crashed"),
            (id, 0, "crashed"),
        ]
        assert player["faults"][0]["detail"] == HOSTILE
        page = client.get("/players/fish/bad").raise_for_status()
        assert "<script>alert" not in page.text
        assert "&lt;/pre&gt;&lt;script&gt;alert(&#34;&amp;&#34;)&lt;/script&gt;" in page.text
        assert "script-src 'self'" in page.headers["content-security-policy"]


def test_only_the_newest_faults_are_shown(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        with_faults(store, "bad", MAX_FAULTS + 20, "x" * 2_000)
        page = client.get("/players/fish/bad").raise_for_status()
        assert page.text.count('class="kind"') == MAX_FAULTS
        assert f"The latest {MAX_FAULTS} are shown." in page.text
        assert len(page.content) < 200 * 1024


def test_a_page_shows_no_more_players_than_it_can_carry(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        store.create(contest(*((f"a rather long name {number}", "random") for number in range(MAX_LISTED + 5))))
        page = client.get("/players").raise_for_status()
        assert (
            page.text.count('class="meter"') == MAX_LISTED
            and f"The first {MAX_LISTED} of {MAX_LISTED + 5}" in page.text
        )
        assert len(page.content) < 200 * 1024
        assert len(client.get("/api/players").json()) == MAX_LISTED + 5


@pytest.mark.parametrize("name", ["a/b.py", "100 %", "ü?x=1#y", "<b>", "a\\b", "with space", "minimax:depth=2", '"'])
def test_a_player_is_found_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    with served(tmp_path / "store.db") as (client, store):
        with_faults(store, name)
        assert client.get(f"/api{player_path('fish', name)}").json()["player"] == name
        assert client.get(player_path("fish", name)).status_code == 200
        assert quote(name, safe="") in client.get("/players").text


@pytest.mark.parametrize("path", ["fish/nobody", "chess/greedy", "fish/%00", "fish/%ff", "fish/" + "x" * 2_000])
def test_who_is_not_there_is_not_found(tmp_path: Path, path: str) -> None:
    with served(tmp_path / "store.db") as (client, store):
        store.create(contest("random", "greedy"))
        answer = client.get(f"/api/players/{path}")
        assert (answer.status_code, answer.json()) == (404, {"error": "There is no such player."})
        assert client.get(f"/players/{path}").status_code == 404
