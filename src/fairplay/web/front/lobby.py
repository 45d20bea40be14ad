"""The lobby: where people who want to play meet, and see what is being played."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.web.front.home import describe_cards, list_running
from fairplay.web.http.endpoints import services_of
from fairplay.web.rendering.pages import render_page

__all__ = ["ROUTES"]


async def show_lobby(request: Request) -> Response:
    """/lobby"""
    cards = await asyncio.to_thread(describe_cards)
    games = [card for card in cards if card.is_playable]
    return render_page(request, "lobby.html", games=games, running=list_running(services_of(request)))


ROUTES = [Route("/lobby", show_lobby)]
