"""Tournaments of Trains over TCP (Trains 9, 11): who may sign up, which map is played, how the result is written."""

from collections.abc import Sequence

from msgspec.structs import replace

from fairplay.core import Json
from fairplay.core.established import KnockoutResult, Period, SignUp
from fairplay.games.trains.deal import NotEnoughDestinations, destinations_needed
from fairplay.games.trains.map import Map, build_network
from fairplay.games.trains.maps.files import find_map, map_from_json
from fairplay.games.trains.state import Setup

SETUP = Setup()
CLIENT_SETUP = Setup(map="small")  # on `continent` some servers take too long, or throw players out

TOO_FEW = "error: not enough destinations"  # Trains 2.2, 9.4


def sign_up_terms(setup: Setup) -> SignUp:
    """Names, times and numbers of players (Trains 10.1, 11.2, 11.4)."""
    sizes = range(setup.fewest, setup.most + 1)
    return SignUp("[A-Za-z]{1,50}", 3.0, (Period(20.0, 5), Period(20.0, 2)), 50, sizes)


def agree_on_setup(setup: Setup, answers: Sequence[Json | None]) -> Setup:
    """Choose the first map, by age of the players, that has enough destinations (Trains 9.4).

    House players propose the map of `setup`.
    """
    if len(answers) < setup.fewest:
        return setup  # Trains 9.3: no map is needed
    enough = destinations_needed(setup, min(len(answers), setup.most))
    for answer in answers:
        map = _own_map(setup) if answer is None else map_from_json(answer)
        if build_network(map).destination_count >= enough:
            return replace(setup, map=map)
    raise NotEnoughDestinations(TOO_FEW)


def _own_map(setup: Setup) -> Map:
    """The map of a setup."""
    return find_map(setup.map) if isinstance(setup.map, str) else setup.map


def format_result(names: Sequence[str], standing: KnockoutResult | None) -> Json:
    """List the winners and the players that misbehaved, each in string order (Trains 10.1, 12.4)."""
    if standing is None:
        return TOO_FEW
    misbehaved = [names[number] for number, fault in enumerate(standing.faults) if fault]
    return [sorted(names[number] for number in standing.winners), sorted(misbehaved)]
