"""What all pages, endpoints and sockets share."""

from __future__ import annotations

from msgspec import Struct
from starlette.requests import HTTPConnection

from fairplay.store.keys import open_keys
from fairplay.store.store import Store
from fairplay.web.editor.draw_queue import DrawQueue
from fairplay.web.house.pool import HousePool, default_processes
from fairplay.web.http.limits import RateLimiter
from fairplay.web.http.measuring import RequestMetrics
from fairplay.web.http.owner import OwnerAuth
from fairplay.web.http.sockets import SocketLimit
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.play.rematch import Rematches
from fairplay.web.reviews.reviewer import Reviewer
from fairplay.web.settings import Settings
from fairplay.web.sharing.maker import PictureMaker
from fairplay.web.tournaments.cache import TournamentCache
from fairplay.web.tournaments.runner import TournamentRunner

__all__ = ["Services", "build_services", "services_of"]


class Services(Struct, frozen=True, kw_only=True):
    """The parts of a running web server."""

    settings: Settings
    store: Store
    owner: OwnerAuth
    sockets: SocketLimit
    registry: MatchRegistry
    house_pool: HousePool
    table_limiter: RateLimiter  # how often an address may open a table, save a board or have a match reviewed
    reviewer: Reviewer
    rematches: Rematches
    tournaments: TournamentRunner
    tournament_cache: TournamentCache
    draw_queue: DrawQueue
    pictures: PictureMaker
    request_metrics: RequestMetrics


def build_services(settings: Settings, store: Store) -> Services:
    """The parts of a server over `store`; nothing runs yet; raises StoreError if its key cannot be used."""
    keys = None if settings.key is None else open_keys(settings.key)
    tournaments = TournamentRunner(store, key=settings.key)
    pool = HousePool(settings.thinkers or default_processes(), settings.cpu)
    registry = MatchRegistry(store, pool, settings.matches, settings.patience, keys)
    return Services(
        settings=settings,
        store=store,
        owner=OwnerAuth(settings.token, store.owner_keys),
        sockets=SocketLimit(settings.watchers, settings.connections),
        registry=registry,
        house_pool=pool,
        table_limiter=RateLimiter(settings.tables / 60, settings.tables),
        reviewer=Reviewer(pool),
        rematches=Rematches(registry),
        tournaments=tournaments,
        tournament_cache=TournamentCache(store, tournaments),
        draw_queue=DrawQueue(settings.edits),
        pictures=PictureMaker(pool.budgets.addresses),
        request_metrics=RequestMetrics(),
    )


def services_of(connection: HTTPConnection) -> Services:
    """The parts of the server that serves this request."""
    services: Services = connection.app.state.services
    return services
