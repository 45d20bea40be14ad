"""What chance changes during a match is luck, and nobody's mistake."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import pig
from fairplay.core import Befell, House, Seat, Turn
from fairplay.match.players import describe_house
from fairplay.match.record import Record, read_record
from fairplay.match.replay import record_match, replay_record
from fairplay.match.review.analysis import Analysis, analyse_record, number_chance, sum_up
from fairplay.match.review.house import check_house, explain_record, seat_house
from fairplay.match.review.walk import seat_thinkers
from fairplay.report.match_page import render_match
from fairplay.report.reviews import describe_luck, list_turns
from fairplay.run.inline import play_inline

PIG = pig.GAME


def record_of(seed: int) -> Record:
    lines: list[bytes] = []
    players: list[Any] = [House(pig.careful(Random(0))), House(pig.random(Random(seed)))]
    play_inline(record_match(PIG, pig.Setup(), seed, ("careful", "random"), lines.append), players)
    return read_record(lines)


RECORD = record_of(3)
EVENTS = [*replay_record(PIG, RECORD)]


def review(record: Record = RECORD, chance: tuple[int, ...] | None = None) -> Analysis:
    turns = list(analyse_record(PIG, record, seat_thinkers(PIG, "search:playouts=64", 2)))
    return sum_up(record, "search", turns, len(EVENTS), number_chance(EVENTS) if chance is None else chance)


def test_only_turns_are_reviewed_and_each_keeps_its_number() -> None:
    turns = {number for number, event in enumerate(EVENTS, 1) if isinstance(event, Turn)}
    assert {turn.number for turn in review().turns} == turns
    assert {*number_chance(EVENTS)} == {*range(1, len(EVENTS) + 1)} - turns


def test_luck_is_what_changed_between_two_turns() -> None:
    analysis = review()
    assert analysis.luck
    for luck in analysis.luck:
        before = next(turn for turn in reversed(analysis.turns) if turn.number < luck.number)
        after = next(turn for turn in analysis.turns if turn.number > luck.number)
        assert isinstance(EVENTS[luck.number - 1], Befell)
        gains = [late - early for early, late in zip(before.played.values, after.best.values, strict=True)]
        assert luck.gains == pytest.approx(gains)
        assert max(map(abs, luck.gains)) >= 0.05


def test_without_chance_there_is_no_luck() -> None:
    assert review(chance=()).luck == ()


def test_luck_has_a_line_between_the_turns() -> None:
    analysis = review()
    heading, *lines = list_turns(PIG, analysis.turns, analysis.luck)
    numbers = [int(line.split()[0]) for line in lines]
    assert numbers == sorted({*(turn.number for turn in analysis.turns), *(luck.number for luck in analysis.luck)})
    first = analysis.luck[0]
    assert describe_luck(PIG, first) in next(line for line in lines if line.split()[0] == str(first.number))
    assert [heading, *lines][1] == [*list_turns(PIG, analysis.turns)][1]
    page = render_match(PIG, RECORD, EVENTS, analysis)
    assert describe_luck(PIG, first) in page and "the die fell on" in page


def test_house_players_choose_and_think_the_same_again() -> None:
    lines: list[bytes] = []
    house = (describe_house(PIG, "search", 5), describe_house(PIG, "careful", 6))
    players = [House(pig.search(Random(5))), House(pig.careful(Random(6)))]
    play_inline(record_match(PIG, pig.Setup(), 2, ("search", "careful"), lines.append, house=house), players)
    record = read_record(lines)
    assert [check.verdict for check in check_house(PIG, record)] == ["same", "same"]
    explained = [*explain_record(PIG, record, seat_house(PIG, record))]
    assert explained and all(each.same and each.seat == Seat(0) for each in explained)
