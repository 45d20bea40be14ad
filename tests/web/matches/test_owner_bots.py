"""Bot files that the owner seats at tables by an option of the command: isolated, and never by the page or its API."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.core import UsageError
from fairplay.match.record import read_record
from fairplay.web.matches import api
from fairplay.web.matches.tables import SeatRequest, TableRequest, build_table, rotate_table, seat_bots
from web.people import finished, open_table
from web.servers import PATIENT, inside, wait_until

BOT = """
def choose(view):
    import fairplay
    return next(iter(fairplay.load("fish").legal_actions(view)))
"""


@pytest.fixture
def bot(tmp_path: Path) -> str:
    (tmp_path / "secret_folder").mkdir()
    file = tmp_path / "secret_folder" / "clever.py"
    file.write_text(BOT, "utf-8")
    return str(file)


def serve(folder: Path, *words: str) -> Any:
    return inside(folder / "fairplay.db", replace(PATIENT, seated=(words,)))


def test_a_bot_file_plays_to_the_end_isolated_and_its_path_is_shown_to_nobody(
    tmp_path: Path, bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "TableRequest", partial(TableRequest, pace=0))  # nobody watches
    with serve(tmp_path, "fish", "random", bot) as site, site.client() as visitor:
        (match,) = visitor.get("/api/matches").json()
        record = read_record(finished(site, match["id"]).splitlines(keepends=True))
        assert record.outcome is not None and record.outcome.faults == (None, None)
        assert record.header.players[1] == "clever"
        assert record.header.levels[1] in ("sandboxed", "process")
        pages = (f"/matches/{match['id']}", f"/api/matches/{match['id']}", "/api/players", "/players", "/matches")
        assert not any("secret_folder" in visitor.get(path).raise_for_status().text for path in pages)
        (mine,) = [each for each in site.registry.store.history.players("fish") if each.player == "clever"]
        assert mine.matches == 1


def test_a_table_with_a_bot_waits_in_the_lobby_for_a_person(tmp_path: Path, bot: str) -> None:
    with serve(tmp_path, "fish", "anyone", bot) as site, site.client() as visitor:
        (table,) = visitor.get("/api/lobby").json()["tables"]
        joined = visitor.post(f"/api/lobby/{table['id']}/join", json={"name": "ann"}).raise_for_status().json()
        assert joined["seat"] == 0 and [seat["name"] for seat in table["seats"]][1] == "clever"
        match = site.registry.running[table["id"]]
        with site.socket(f"/api/matches/{table['id']}/live", headers={"Fairplay-Seat": joined["key"]}):
            wait_until(match.table.started.is_set)
            wait_until(lambda: match.table.people[0].view is not None)


def test_after_a_restart_the_match_goes_on_with_the_bot_and_no_other_table_is_opened(
    tmp_path: Path, bot: str, log: list[dict[str, Any]]
) -> None:
    words = ("fish", "anyone", bot)
    with serve(tmp_path, *words) as site:
        (id,) = site.registry.running
    with serve(tmp_path, *words) as site, site.client() as visitor:
        assert [*site.registry.running] == [id] and site.registry.running[id].table.bots
        other = open_table(visitor, "fish", "random", "random", pace=60)["id"]
        wait_until(lambda: site.registry.running[other].table.started.is_set())
    assert not log, "a server that stops breaks nothing off"


def test_a_bot_that_is_gone_when_the_match_goes_on_breaks_it_off_without_telling_why(tmp_path: Path, bot: str) -> None:
    with serve(tmp_path, "fish", "random", bot) as site, site.client() as visitor:
        (id,) = site.registry.running
        wait_until(lambda: len(visitor.get(f"/api/matches/{id}").json()["turns"]) > 1)
    Path(bot).unlink()
    with inside(tmp_path / "fairplay.db", PATIENT) as site, site.client() as visitor:
        wait_until(lambda: not site.registry.running)
        assert visitor.get(f"/api/matches/{id}").json()["presence"]["ending"] == "A bot could not be started."


def test_neither_the_page_nor_the_api_seats_a_bot_file(tmp_path: Path, bot: str) -> None:
    with serve(tmp_path, "fish", "random", bot) as site, site.client() as visitor:
        for player in (bot, "clever.py", f"isolated:{bot}", f"trusted:{bot}"):
            asked = {"game": "fish", "seats": [{"who": "house", "player": player}, {"who": "house"}]}
            assert visitor.post("/api/matches", json=asked).status_code in (400, 422)
        assert open_table(visitor, "fish", "random", "random", pace=60)["id"]


def test_trusted_bots_and_programs_are_refused_and_there_is_no_rematch(bot: str) -> None:
    wanted = TableRequest(game="fish", seats=(SeatRequest("anyone"), SeatRequest("house")))
    definition, _ = build_table(GAMES["fish"], GAMES["fish"].quick, wanted)
    for spec in (f"trusted:{bot}", "cmd:sh", "human"):
        with pytest.raises(UsageError, match="only bot files"):
            seat_bots(definition, {1: spec})
    with pytest.raises(UsageError, match="no rematch"):
        rotate_table(seat_bots(definition, {1: bot}))
