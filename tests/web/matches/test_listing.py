"""Lists of matches: everyone who sat down is found, under the name that the match knows."""

from __future__ import annotations

import httpx

from web.people import finished, open_table
from web.servers import Inside


def listed(client: httpx.Client, **query: str) -> list[str]:
    return [match["id"] for match in client.get("/api/matches", params=query).raise_for_status().json()]


def open_named(client: httpx.Client, game: str, *names: str, pace: float = 60.0) -> str:
    """A table at which house players have these names."""
    seats = [{"who": "house", "player": "random", "name": name} for name in names]
    return str(open_table(client, game, seats=seats, pace=pace)["id"])


def test_a_player_is_found_while_the_match_runs_and_when_it_is_over(site: Inside, client: httpx.Client) -> None:
    first = open_named(client, "fish", "Alma", "Almira", pace=0)
    finished(site, first)
    second = open_named(client, "trains", "alma", "bert")
    assert listed(client, player="ALMA") == listed(client, player="alm") == [second, first]
    assert listed(client, player="alma", running="true") == [second]
    assert listed(client, player="alma", running="false") == [first]
    assert listed(client, player="alma", game="fish") == listed(client, player="almira") == [first]
    assert listed(client, player="lma") == listed(client, player="nobody") == []


def test_who_changes_the_name_is_found_by_the_new_one(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "fish", seats=[{"who": "me", "name": "Cora"}, {"who": "friend", "name": "Curt"}])
    id, invitation = created["id"], created["keys"][1]
    assert listed(client, player="cora") == listed(client, player="curt") == [id]
    with site.client() as friend:
        friend.post(f"/api/matches/{id}/sit", json={"key": invitation, "name": "Dora"}).raise_for_status()
    client.post(f"/api/matches/{id}/name", json={"name": "Dirk"}).raise_for_status()
    assert listed(client, player="dora") == listed(client, player="dirk") == [id]
    assert listed(client, player="cora") == listed(client, player="curt") == []


def test_pages_follow_each_other_by_the_time_of_the_last_match(client: httpx.Client) -> None:
    ids = [open_named(client, "fish", "Elsa", "Emil") for _ in range(5)]
    found: list[str] = []
    query = {"player": "elsa", "limit": "2"}
    while page := client.get("/api/matches", params=query).json():
        found += [match["id"] for match in page]
        query["before"] = repr(page[-1]["created"])
    assert found == ids[::-1]


def test_what_nobody_can_be_called_finds_nothing_and_breaks_nothing(client: httpx.Client) -> None:
    id = open_named(client, "fish", "Ab", "Fritz")
    assert listed(client, player="a\0c") == listed(client, player="%") == listed(client, player="\U0010ffff") == []
    assert listed(client, player="  ")[0] == listed(client, player="\0")[0] == id, "no name at all"
