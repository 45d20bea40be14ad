"""Abuse 15 and 16 on a bad network: whoever is cut off is out at the deadline, and nobody else notices.

No test here measures seconds: it counts what was played, and compares what came first.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.core import Fault, FaultKind
from fairplay.match.record import read_record
from fairplay.net.established import answer_calls, sign_up_client
from skipping_loop import run_skipping

from .proxy import Proxy, Weather
from .tables import FISH, LAPSE, LOCAL, TRAINS, Server, kinds, only_fault


async def played(weather: Weather, **options: Any) -> tuple[Any, list[bytes], Proxy]:
    """A match of three, one of whom sits behind the weather; its record."""
    lines: list[bytes] = []
    server = Server(FISH, 3, watch=lambda match, line: lines.append(line), **options)
    async with Proxy(server.port, weather) as proxy:
        connection = await sign_up_client(LOCAL, proxy.port, "bad")
        bad = asyncio.create_task(answer_calls(connection, server.client()))
        while not proxy.writers:  # who arrives first sits first
            await asyncio.sleep(0.001)
        good = [await server.honest("good"), await server.honest("fair")]
        hosted = await server.ended(*good)
    await bad
    return hosted, lines, proxy


@pytest.mark.parametrize("weather", [Weather(piece=3, delay=0.002), Weather(delay=0.02)], ids=["torn", "slow"])
def test_15_delays_within_the_patience_change_no_byte_of_the_record(weather: Weather) -> None:
    clear, clear_record, _ = run_skipping(played(Weather()))
    bad, bad_record, proxy = run_skipping(played(weather))
    assert kinds(clear) == kinds(bad) == [None] * 3
    assert proxy.carried > 100
    assert bad == clear
    assert bad_record == clear_record


@pytest.mark.parametrize("arrived", [5, 6, 13, 30, 31, 60, 100])
def test_15_a_peer_that_vanishes_without_a_fin_is_out_at_the_deadline(arrived: int) -> None:
    """From one byte to the next nothing comes through any more, in either direction, and no end is told of it."""
    hosted, lines, proxy = run_skipping(played(Weather(dark_after=arrived), patience=LAPSE))
    assert only_fault(hosted) == Fault(FaultKind.TIMED_OUT, f"no answer within {LAPSE:g} s")
    assert proxy.dark.is_set()
    assert read_record(lines).outcome is not None, "the others played on to the end"


@pytest.mark.parametrize("arrived", [6, 30, 100])
def test_15_a_connection_that_the_network_resets_is_gone(arrived: int) -> None:
    hosted, _, _ = run_skipping(played(Weather(reset_after=arrived)))
    assert only_fault(hosted) == Fault(FaultKind.GONE, "the connection closed")


# -- 16 ----------------------------------------------------------------------------------------

SETUP = replace(
    TRAINS.variants["standard"], map="small", deck_size=5_000, rails=900_000, destinations="ordered", most=3
)


async def beside_a_deaf_player() -> tuple[Any, list[tuple[int, bytes]]]:
    """Two matches of three at once, and the final: every line of their records, in the order of writing."""
    written: list[tuple[int, bytes]] = []

    def note(match: Any, line: bytes) -> None:
        written.append((match.number, line))

    server = Server(TRAINS, 6, setup=SETUP, patience=LAPSE, watch=note)
    sock, flooding = await server.deaf()
    honest = [await server.honest(name, "hold-10") for name in ("good", "fair", "kind", "calm", "keen")]
    hosted = await server.ended(*honest)
    await flooding
    sock.close()
    return hosted, written


def test_16_while_a_peer_that_never_reads_is_waited_for_the_other_matches_go_on() -> None:
    hosted, written = run_skipping(beside_a_deaf_player())
    assert only_fault(hosted) == Fault(FaultKind.TIMED_OUT, f"nothing read within {LAPSE:g} s")
    own = next(number for number, line in written if b'"bad"' in line)
    fault = next(index for index, (number, line) in enumerate(written) if number == own and b'"fault"' in line)
    waiting = next(index for index in range(fault - 1, 0, -1) if written[index][0] == own)
    others = [number for number, _ in written[waiting + 1 : fault]]
    assert len(others) > 100, "answers of another match were judged while that one was stuck"
    for number in {number for number, _ in written}:
        record = read_record(line for of, line in written if of == number)
        assert record.outcome is not None, "every match came to its end"
