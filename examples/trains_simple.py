# examples/trains_simple.py: build a shortest way to one destination after the other
from fairplay.games.trains.rules import legal_actions
from fairplay.games.trains.state import Acquire, DrawCards, Pick


def choose(view):
    if view.picking:
        nearest = sorted(view.offer, key=lambda pair: length(missing(view, pair)))
        return Pick(tuple(nearest[: view.terms.kept]))
    possible = [action.connection for action in legal_actions(view) if isinstance(action, Acquire)]
    wanted = [connection for pair in view.destinations for connection in missing(view, pair)]
    ready = [connection for connection in possible if connection in wanted or not wanted]
    return Acquire(max(ready, key=lambda connection: connection.length)) if ready else DrawCards()


def length(connections):
    return sum(connection.length for connection in connections)


def missing(view, pair):
    """What I still have to build for a shortest way between two cities; nothing if there is no way."""
    mine = view.connections()
    taken = [connection for seat in range(len(view.owned)) if seat != view.me for connection in view.connections(seat)]
    usable = [connection for connection in view.map.connections if connection not in taken]
    ways, growing = {pair[0]: []}, True  # for each city reached so far, what to build
    while growing:
        growing = False
        for connection in usable:
            for here, there in [(connection.first, connection.second), (connection.second, connection.first)]:
                if here in ways:
                    way = ways[here] if connection in mine else [*ways[here], connection]
                    if there not in ways or length(way) < length(ways[there]):
                        ways[there], growing = way, True
    return ways.get(pair[1], [])
