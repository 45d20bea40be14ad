"""A match as one HTML file: the board turn by turn with a slider, the list of turns, the outcome.

It needs no server and nothing from another host.  Consecutive drawings share most of their elements, and these most of
their tags, so the file holds each tag once, each element as the numbers of its tags, and each drawing as the numbers of
its elements.
"""

import json
import re
from collections.abc import Iterable, Sequence
from html import escape

from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import AnyEvent, AnyGame, AnyTurn, Befell, Outcome, Seat, Turn
from fairplay.match.driver import describe_chance, seen_action, seen_fault
from fairplay.match.record import Record
from fairplay.match.replay import first_state
from fairplay.match.review.analysis import Analysis, ReviewedTurn
from fairplay.report.reviews import SIGNS, describe_better, describe_luck, label_seats, review_chart, style_lines
from fairplay.report.tournament_report import load_templates

LARGEST_FRAMED = 4_000_000
"""Characters of a page that is put into a notebook; a longer one would make the notebook slow to open and save."""

_FRAME_HEIGHT = 640
"""Pixels of a page in a notebook."""


class PageSeat(Struct, frozen=True):
    """A player in the list of players."""

    player: str
    seat_name: str
    result: str
    won: bool


class PageTurn(Struct, frozen=True):
    """An event in the list of turns."""

    seat_name: str  # empty: chance decided
    action: str  # in the notation of the game; of chance, as a sentence
    words: str  # as a sentence
    review: str = ""  # what it was worth, if the match was reviewed
    better: str = ""  # what would have been better, if it is marked; of chance, what it changed


def render_match(
    game: AnyGame,
    record: Record,
    events: Sequence[AnyEvent],
    analysis: Analysis | None = None,
    *,
    viewer: Seat | None = None,
) -> str:
    """The page of a match that was replayed to these events.

    analysis: adds the review graph, and to each turn what it was worth.
    viewer: shows what this seat may know; None: everything, hidden cards too.
    """
    moments = [(first_state(game, record), None), *((event.after, event) for event in events)]
    pictures = (draw(game, state, event if isinstance(event, Turn) else None, viewer) for state, event in moments)
    reviews = {} if analysis is None else {turn.number: turn for turn in analysis.turns}
    turns = [_describe_event(game, event, reviews.get(number), viewer) for number, event in enumerate(events, 1)]
    for luck in () if analysis is None else analysis.luck:
        turns[luck.number - 1] = replace(turns[luck.number - 1], better=describe_luck(game, luck))
    return (
        load_templates()
        .get_template("match.html")
        .render(
            title=f"{game.name.title()}: {', '.join(record.header.players)}",
            game=game.name,
            seed=record.header.seed if viewer is None else None,
            outcome=record.outcome,
            winners=[record.header.players[seat] for seat in record.outcome.winners] if record.outcome else [],
            seats=_describe_seats(game, record),
            turns=turns,
            by="" if analysis is None else analysis.by,
            chart="" if analysis is None else _draw_review(game, record, analysis),
            data=embed_json(
                {
                    **_share_elements(pictures),
                    "words": ["The match begins.", *(turn.words for turn in turns)],
                    "better": ["", *(turn.better for turn in turns)],
                }
            ),
        )
    )


def _draw_review(game: AnyGame, record: Record, analysis: Analysis) -> str:
    players = record.header.players
    return review_chart(analysis, label_seats(game, players), style_lines(game, len(players)))


def draw(game: AnyGame, state: object, last: AnyTurn | None, viewer: Seat | None) -> str:
    """A moment as the viewer may see it."""
    return (
        game.shown.picture(state, last, open=True)
        if viewer is None
        else game.shown.picture(game.rules.view(state, viewer), last)
    )


def _describe_event(game: AnyGame, event: AnyEvent, reviewed: ReviewedTurn | None, viewer: Seat | None) -> PageTurn:
    """An event for the list of turns, as the viewer may know it."""
    if isinstance(event, Befell):
        words = describe_chance(game, event, open=viewer is None)
        return PageTurn("", words, words)
    name = game.words.seat_name(event.seat)
    if isinstance(event, Turn):
        review = "" if reviewed is None else f"{reviewed.played.values[event.seat]:.0%} {SIGNS[reviewed.mark]}".rstrip()
        better = "" if reviewed is None else describe_better(game, reviewed)
        action = game.notation.format_action(seen_action(game, event, viewer))
        words = game.words.describe_turn(event, event.seat if viewer is None else viewer)
        return PageTurn(name, action, words, review, better)
    fault = seen_fault(event.fault, event.seat, viewer)
    reason = f"{fault.kind}: {fault.detail}" if fault.detail else fault.kind
    return PageTurn(name, f"removed ({fault.kind})", f"{name} is removed, {reason}")


def _describe_seats(game: AnyGame, record: Record) -> list[PageSeat]:
    """The players by seat, with what came of them."""
    players, outcome = record.header.players, record.outcome
    return [
        PageSeat(
            player,
            game.words.seat_name(Seat(seat)),
            "" if outcome is None else _describe_result(game, outcome, Seat(seat)),
            outcome is not None and seat in outcome.winners,
        )
        for seat, player in enumerate(players)
    ]


def _describe_result(game: AnyGame, outcome: Outcome, seat: Seat) -> str:
    """What a seat scored, or why it did not."""
    score, fault = outcome.scores[seat], outcome.faults[seat]
    return f"{score[0]} {game.unit}" if score else f"removed: {fault.kind}" if fault else "eliminated"


# -- drawings ----------------------------------------------------------------------------------

_ELEMENT_END = re.compile("(?<=</g>)|(?<=</text>)")
_TAG = re.compile("(?=<[a-z])")


def _share_elements(pictures: Iterable[str]) -> dict[str, object]:
    """Drawings as their tags, each of them once, as elements made of tags, and as frames made of elements."""
    elements, frames = _share_parts(pictures, _ELEMENT_END)
    tags, made = _share_parts(elements, _TAG)
    return {"tags": tags, "elements": made, "frames": frames}


def _share_parts(texts: Iterable[str], border: re.Pattern[str]) -> tuple[list[str], list[list[int]]]:
    """The parts of all texts, each of them once, and each text as the numbers of its parts."""
    numbers: dict[str, int] = {}
    made = [[numbers.setdefault(part, len(numbers)) for part in border.split(text)] for text in texts]
    return list(numbers), made


def embed_json(value: object) -> str:
    """JSON for a script element: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub("<(?=!--|script)", r"\\u003c", text.replace("</", r"<\/"), flags=re.IGNORECASE)


# -- notebooks ---------------------------------------------------------------------------------


def frame_page(page: str, title: str) -> str:
    """A page inside another one: styles and keys of the two stay apart; a sentence if the page is too large."""
    if len(page) > LARGEST_FRAMED:
        megabytes = len(page) / 1_000_000
        return f"<p>{escape(title)}: the replay takes {megabytes:.0f} MB; write it to a file with to_html.</p>"
    source = page.replace("&", "&amp;").replace("'", "&#39;")  # in single quotes: the page is full of double ones
    style = f"width:100%;height:{_FRAME_HEIGHT}px;border:1px solid #8886;border-radius:8px"
    return f'<iframe srcdoc=\'{source}\' title="{escape(title)}" sandbox="allow-scripts" style="{style}"></iframe>'
