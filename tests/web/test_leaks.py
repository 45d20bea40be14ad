"""While a match runs, nobody gets more than their own seat may know, not in any byte of any answer.

The same match is looked at twice: as it is, and with everything changed that the one who looks may not know.  Nothing
that reaches them may change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.routing import Route, WebSocketRoute
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.web.app import ENDPOINTS, PAGES
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.people import TableTalk
from fairplay.web.play.hints import list_past
from fairplay.web.sharing.maker import CACHE_BYTES, ByteCache, PictureMaker
from fairplay.web.sharing.pictures import can_make_pictures
from fairplay.web.watching.timeline import Viewer
from kit import kit
from web.disguise import bytes_of, disguised, steady
from web.people import SEAT, play, seated, send_clicks
from web.servers import TOKEN, Inside

SEATS = 3
TURNS = 5
OWNER = {"Authorization": f"Bearer {TOKEN}"}


@dataclass
class Frozen:
    """A match in the middle of which everyone stops to think."""

    match: LiveMatch
    keys: list[str]
    seen: dict[Viewer, dict[str, bytes]] = field(default_factory=dict)  # all that reached somebody, by who it was


@pytest.fixture(scope="module", params=["trains", "labyrinth", "fish"])
def frozen(request: pytest.FixtureRequest, site: Inside) -> Iterator[Frozen]:
    with site.client() as client:
        for _ in range(20):
            id, keys = seated(client, request.param, SEATS, clock=3600)
            if play(client, id, dict(enumerate(keys)), TURNS, Random(5)) == TURNS:  # some are over by then
                break
    yield Frozen(site.registry.running[id], keys)


# -- everything that can be had ----------------------------------------------------------------


def paths(frozen: Frozen) -> list[str]:
    """Every page, picture and answer about a match, whether it is given or refused."""
    id = frozen.match.id
    ways = ("", "as=public", "as=all", *(f"as={seat}" for seat in range(SEATS)))
    about = [f"{start}/{id}?{way}" for start in ("/matches", "/api/matches") for way in ways]
    about += [f"/matches/{id}?turn={number}" for number in range(TURNS + 1)]
    for number in (0, 2, TURNS, TURNS + 1):
        about += [f"/api/matches/{id}/moments/{number}{rest}?{way}" for rest in ("", "/picture.svg") for way in ways]
    about += [f"/embed/{id}{rest}" for rest in ("", "?turn=0", f"?turn={TURNS}")]
    about += [f"/api/matches/{id}/{each}" for each in (*SHARED, "record", "result", "advice", "review")]
    lists = ("/", "/matches", "/lobby", "/api/matches", "/api/lobby", "/api/games", "/health", "/metrics")
    return [*about, *lists, "/new", f"/new?like={id}", "/api", "/api/openapi.json"]


SHARED = ("share", "picture.svg", "card.png", f"moments/{TURNS}/picture.png", "animation.svg", "animation.gif")
"""What is shared of a match: pictures among it, whose pixels are compared."""

ACTIONS = {
    "sit": {"key": "wrong"},
    "name": {"name": "somebody else"},
    "emote": {"name": "no such sign"},
    "stop": {"withdraw": True},
    "hint": None,
    "review": None,
    "rematch": None,
}
"""What can be asked of a match without changing it, with what is sent."""


def useless_clicks() -> list[list[str]]:
    """Clicks that lead nowhere yet, or nowhere at all; none of them is an action that would be taken."""
    pick = [["offer=A|B"], ["keep=these"]]
    return [[], ["nonsense=1"], ["at=99,99"], ["slide=0,LEFT"], ["slide=0,LEFT", "spare=turn"], ["slide=9,UP"], *pick]


def everything(site: Inside, frozen: Frozen, headers: dict[str, str]) -> dict[str, bytes]:
    """All bytes that reach somebody with these headers, by where they come from."""
    match, found = frozen.match, {}
    with site.client(headers=headers) as client:
        for path in paths(frozen):
            found[path] = bytes_of(client.get(path))
        for clicks in useless_clicks():
            answer = send_clicks(client, match.id, headers.get(SEAT, "none"), TURNS, clicks)
            assert not (answer.status_code == 200 and answer.json().get("done")), "the match goes on"
            found[f"clicks {clicks}"] = bytes_of(answer)
        found["clicks at another moment"] = bytes_of(send_clicks(client, match.id, headers.get(SEAT, "none"), 1, []))
        for action, body in ACTIONS.items():
            found[action] = bytes_of(client.post(f"/api/matches/{match.id}/{action}", json=body))
        found["join"] = bytes_of(client.post(f"/api/lobby/{match.id}/join", json={}))
    back = ("?after=0", f"?after={TURNS - 2}", "?after=99", f"?as=public&after={TURNS - 1}")
    for way in ("", "?as=public", "?as=all", *(f"?as={seat}" for seat in range(SEATS)), *back):
        found[f"socket {way}"] = said(site, f"/api/matches/{match.id}/live{way}", headers, match)
    found["socket of the newest"] = said(site, "/api/live", headers, match)
    return found


def said(site: Inside, path: str, headers: dict[str, str], match: LiveMatch) -> bytes:
    """What a socket brings: the first messages, and another when something happens; or why there are none."""
    with site.socket(path, headers=headers, max_size=None) as feed:
        try:
            messages = [next_of(feed, match)]
        except ConnectionClosed as closed:
            return repr(closed).encode()
        site.call(lambda: match.feed.publish(again=True))
        messages.append(next_of(feed, match))
        assert all({"moment", "presence"} <= {*json.loads(message)} for message in messages)
        return steady("".join(messages).encode())


def next_of(feed: ClientConnection, match: LiveMatch) -> str:
    """The next message with a moment of this match; those who look on are counted in between."""
    while (said := json.loads(message := str(feed.recv(10))))["id"] != match.id or "moment" not in said:
        pass
    return message


# -- another match that looks the same ---------------------------------------------------------


def look_twice(site: Inside, frozen: Frozen, viewer: Seat | None, headers: dict[str, str]) -> tuple[Any, Any]:
    """Everything that reaches the one who sends `headers`, as it is and with what `viewer` may not know changed."""
    match, timeline, definition = frozen.match, frozen.match.timeline, frozen.match.definition
    forget_drawings(site, match)
    real = everything(site, frozen, headers)
    try:
        match.timeline = match.table._timeline = disguised(timeline, viewer, Random(9))
        match.table.definition = replace(definition, seed=definition.seed ^ 0xFFFF)
        forget_drawings(site, match)
        return real, everything(site, frozen, headers)
    finally:
        match.timeline = match.table._timeline = timeline
        match.table.definition = definition
        forget_drawings(site, match)


def forget_drawings(site: Inside, match: LiveMatch) -> None:
    """Let everything be made again that a server makes once for all: or both looks would be at the same bytes."""

    def forget() -> None:
        match.feed._messages.clear()
        match._tree = None
        match.table.talk = TableTalk()  # which counts how often something was asked
        site.services[PictureMaker].cache = ByteCache(CACHE_BYTES)

    site.call(forget)


def headers_of(frozen: Frozen, viewer: Viewer) -> dict[str, str]:
    if viewer == "all":
        return OWNER
    return {} if viewer is None else {SEAT: frozen.keys[viewer]}


@pytest.mark.parametrize("viewer", [None, *map(Seat, range(SEATS)), "all"])
def test_nothing_that_is_hidden_changes_a_byte(site: Inside, frozen: Frozen, viewer: Viewer) -> None:
    """Not even for the owner, who would see all if only house players played."""
    real, disguise = look_twice(site, frozen, None if viewer == "all" else viewer, headers_of(frozen, viewer))
    frozen.seen[viewer] = real
    assert [where for where in real if real[where] != disguise[where]] == []
    given = [where for where, body in real.items() if body.startswith(b"200")]
    assert len(given) > 25 and any("picture.svg" in where for where in given)
    assert any("picture.png" in where for where in given) == can_make_pictures()


def test_everything_that_can_be_had_of_a_match_is_looked_at(site: Inside, frozen: Frozen) -> None:
    """A new endpoint must be added to the tests above."""
    asked = {re.sub(r"/moments/\d+", "/moments/{number:number}", path.partition("?")[0]) for path in paths(frozen)}
    asked |= {f"/api/matches/{frozen.match.id}/{each}" for each in (*ACTIONS, "live", "wish")}
    asked |= {f"/api/lobby/{frozen.match.id}/join"}
    known = {route.path for route in PAGES if isinstance(route, Route | WebSocketRoute)} | {
        endpoint.path for endpoint in ENDPOINTS
    }
    about = {path for path in known if "{id}" in path and not path.startswith(ELSEWHERE)}
    assert {path for path in about if path.replace("{id}", frozen.match.id) not in asked} == CHANGING


ELSEWHERE = ("/api/boards/", "/editor/", "/boards/")
CHANGING = {f"/api/matches/{{id}}/{action}" for action in ("begin", "resign", "leave")}
"""What is not about matches, and what says no more than that it was done."""


def test_a_hint_is_worked_out_from_what_the_seat_may_know(frozen: Frozen) -> None:
    timeline = frozen.match.timeline
    for seat in map(Seat, range(SEATS)):
        assert list_past(disguised(timeline, seat, Random(9)), seat) == list_past(timeline, seat)


def test_the_disguise_is_one(site: Inside, frozen: Frozen) -> None:
    """Somebody who might see everything would see that it is another match, where anything is hidden at all."""
    timeline = frozen.match.timeline
    other = disguised(timeline, None, Random(9))
    changed = [number for number in range(TURNS + 1) if timeline.moment(number, "all") != other.moment(number, "all")]
    assert bool(changed) == kit(frozen.match.game.name).hides


@pytest.mark.parametrize("viewer", [None, *map(Seat, range(SEATS)), "all"])
def test_no_seed_and_no_key_is_ever_sent(site: Inside, frozen: Frozen, viewer: Viewer) -> None:
    definition = frozen.match.definition
    secrets = [str(definition.seed), f"{definition.seed:x}", *(seat.account for seat in definition.seats), *frozen.keys]
    if viewer not in frozen.seen:  # by the tests above, where they ran before
        frozen.seen[viewer] = everything(site, frozen, headers_of(frozen, viewer))
    for where, body in frozen.seen[viewer].items():
        assert not [secret for secret in secrets if secret.encode() in body], where


def test_what_can_be_clicked_goes_to_the_one_who_is_to_move_and_to_nobody_else(site: Inside, frozen: Frozen) -> None:
    """The click tree is made from the view of a seat: it would tell others what that seat knows."""
    mover = frozen.match.game.rules.to_move(frozen.match.timeline.states[-1])
    viewers: tuple[Viewer, ...] = (None, *map(Seat, range(SEATS)), "all")
    for viewer in viewers:
        if viewer not in frozen.seen:
            frozen.seen[viewer] = everything(site, frozen, headers_of(frozen, viewer))
        seen = {where: body for where, body in frozen.seen[viewer].items() if "openapi" not in where}
        given = [where for where, body in seen.items() if b'"nodes":' in body]
        assert bool(given) == (viewer == mover), given
        assert all(f"/moments/{TURNS}" in where or "moments" not in where for where in given), "not of what is past"


def test_cards_lie_beside_the_board_as_each_seat_may_know_them(site: Inside, frozen: Frozen) -> None:
    """They are part of every moment, so that the test above covers each byte of them."""
    if frozen.match.game.shown.cards is None:
        return
    with site.client(headers=headers_of(frozen, Seat(0))) as player, site.client() as visitor:
        path = f"/api/matches/{frozen.match.id}/moments/{TURNS}"
        mine, public = player.get(path).json()["cards"], visitor.get(path).json()["cards"]
    assert mine and (mine != public) == kit(frozen.match.game.name).hides


def test_an_owner_who_plays_sees_no_more_than_the_seat(site: Inside, frozen: Frozen) -> None:
    for seat, key in [*enumerate(frozen.keys)][:2]:
        with site.client(headers={SEAT: key}) as player, site.client(headers={SEAT: key, **OWNER}) as owner:
            for path in paths(frozen):
                if path.startswith(f"/api/matches/{frozen.match.id}"):
                    assert bytes_of(owner.get(path)) == bytes_of(player.get(path)), (seat, path)
            shown = owner.get(f"/api/matches/{frozen.match.id}").json()
            assert shown["viewers"] == ["public", str(seat)] and shown["viewer"] == str(seat)


def test_an_owner_who_does_not_play_sees_what_the_public_does(site: Inside, frozen: Frozen) -> None:
    with site.client(headers=OWNER) as owner:
        shown = owner.get(f"/api/matches/{frozen.match.id}").json()
        assert shown["viewers"] == ["public"] and shown["viewer"] == "public"
        assert owner.get(f"/api/matches/{frozen.match.id}?as=0").status_code == 403
        assert owner.get(f"/api/matches/{frozen.match.id}/record").status_code == 409, "not even the owner, not yet"


def test_every_kind_of_game_is_looked_at() -> None:
    """A game that hides something must be among those above."""
    real = {name for name in GAMES if kit(name).hides and "toys" not in str(type(GAMES[name].rules))}
    assert real <= {"trains", "labyrinth", "nim"}
