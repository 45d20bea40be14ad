"""Reviews and hints in words."""

from __future__ import annotations

from fairplay.core import Seat
from fairplay.core.thinking import Candidate, Thought
from fairplay.match.review.analysis import Analysis, SeatSummary, analyse_record, sum_up
from fairplay.match.review.walk import seat_thinkers
from fairplay.report.reviews import describe_summary, describe_thought, draw_bar, format_line, list_turns
from toy_thinker import TOYS, play_toys

FISH = TOYS["fish"]


def test_turns_stand_below_each_other() -> None:
    record = play_toys(FISH, "random", "search")
    turns = list(analyse_record(FISH, record, seat_thinkers(FISH, "search", 2)))
    heading, *lines = list_turns(FISH, turns)
    assert len(lines) == len(turns)
    assert {line[: len(heading)].rstrip()[-1] for line in lines} == {"%"}
    text = describe_summary(FISH, sum_up(record, "search", turns, len(turns)), ["\x1b[31mred", "b"])
    assert "\x1b" not in text and "Turning point: turn" in text


def test_a_match_without_mistakes() -> None:
    seats = (SeatSummary(Seat(0), 1, 1, 0.0, 0, 0, 0, None), SeatSummary(Seat(1), 0, 0, None, 0, 0, 0, None))
    text = describe_summary(FISH, Analysis("search", (), seats, None, 1, None), ["a", "b"])
    assert "No turn lost 5 points or more." in text
    assert text.splitlines()[5].split() == ["b", "(white)", "0", "-", "-", "0", "0", "0", "-"]


def test_bars_never_leave_their_place() -> None:
    assert [draw_bar(share) for share in (-0.1, 0.0, 0.44, 1.0, 1.1)] == [
        "░" * 10,
        "░" * 10,
        "█" * 4 + "░" * 6,
        "█" * 10,
        "█" * 10,
    ]


def test_a_thought_in_a_line() -> None:
    place = FISH.notation.parse_action("0,0")
    sure = Thought((Candidate(place, (1.0, 0.0), line=(place,) * 9),), work=5, exact=True)
    assert describe_thought(FISH, Seat(0), sure) == "100% (certain): " + " → ".join(["0,0"] * 6)
    assert format_line(FISH, Candidate(place, (1.0, 0.0))) == "0,0"
