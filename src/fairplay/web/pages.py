"""The pages that belong to no part of the server: signing in and out."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fairplay.web.http.endpoints import client_address, services_of
from fairplay.web.http.errors import RequestError
from fairplay.web.http.owner import OWNER_COOKIE, SESSION_SECONDS, OwnerAuth
from fairplay.web.rendering.pages import render_page

__all__ = ["ROUTES"]


async def sign_in(request: Request) -> Response:
    """/sign-in: with the token, or with the key of the link that `fairplay serve` printed."""
    if request.method == "GET":
        return render_page(request, "sign_in.html", problem="")
    form = await request.form(max_files=0, max_fields=4)
    token, key = str(form.get("token", "")), str(form.get("key", ""))
    try:
        session = await services_of(request)[OwnerAuth].sign_in(client_address(request), token, key)
    except RequestError as refused:
        return render_page(request, "sign_in.html", refused.status, problem=str(refused))
    response = RedirectResponse("/", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(OWNER_COOKIE, session, max_age=SESSION_SECONDS, httponly=True, samesite="strict", secure=secure)
    return response


async def sign_out(request: Request) -> Response:
    """/sign-out"""
    await services_of(request)[OwnerAuth].close_session(request)
    response = RedirectResponse("/", 303)
    response.delete_cookie(OWNER_COOKIE)
    return response


ROUTES = [
    Route("/sign-in", sign_in, methods=["GET", "POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
]
