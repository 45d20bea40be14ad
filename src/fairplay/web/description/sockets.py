"""The WebSockets of the API, as its description tells of them; OpenAPI itself has no words for them."""

from __future__ import annotations

from typing import Final

from fairplay.web.description.openapi import SocketDescription
from fairplay.web.tournaments.cache import TournamentUpdate
from fairplay.web.watching.shown import FirstMessage, MomentMessage, PresenceMessage

__all__ = ["SOCKETS"]

GZIP: Final = {"encoding": "`gzip`: messages come as gzipped bytes instead of text."}

SOCKETS: Final = (
    SocketDescription(
        path="/api/matches/{id}/live",
        summary="Follow a match: one message for every turn, and one whenever something else has changed.",
        query={
            "as": "As whom to look: `public`, the number of your seat, or `all`; by default your own seat.",
            "after": "The number of the newest moment that you have seen: what you missed is sent first.",
            **GZIP,
        },
        messages=(MomentMessage, PresenceMessage),
        codes={
            1000: "The match is over.",
            1013: "Come back later.",
            4403: "You may not see this.",
            4404: "No such match.",
        },
        seat=True,
    ),
    SocketDescription(
        path="/api/live",
        summary="Follow the newest running matches, as everyone sees them.",
        query={"seen": "`ID:NUMBER`, repeated: the newest moment that you have seen of a match.", **GZIP},
        messages=(FirstMessage, MomentMessage, PresenceMessage),
        codes={1013: "Come back later."},
    ),
    SocketDescription(
        path="/api/tournaments/{id}/live",
        summary="Follow a tournament: the part of its page that changes, about once a second.",
        query=GZIP,
        messages=(TournamentUpdate,),
        codes={1000: "The tournament is finished.", 1013: "Come back later.", 4404: "No such tournament."},
    ),
)
