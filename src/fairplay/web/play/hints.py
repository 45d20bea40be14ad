"""Help for a person who is to move: what a house player would do, and advice in a first game."""

import asyncio
from typing import Any

from msgspec import Struct

from fairplay.core import AnyGame, Fault, Seat, Turn, UsageError
from fairplay.match.driver import report_event, see_event
from fairplay.web.games import default_player
from fairplay.web.house.pool import HousePool, Payer
from fairplay.web.house.worker import HintQuestion, HintReply, choose_reviewer, describe_reviewer
from fairplay.web.http.endpoints import BusyError, RequestError
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.seats import Interpret, find_clicks, form_sentence
from fairplay.web.matches.tables import TableDefinition
from fairplay.web.watching.timeline import Timeline


class ShownHint(Struct, frozen=True):
    """What a house player would do in your place."""

    words: str  # what, and why
    highlights: tuple[str, ...]  # the keys of the clicks that lead to it, in order
    by: str  # who thinks so


class ShownAdvice(Struct, frozen=True):
    """What a beginner should do now, and why."""

    title: str
    words: str
    highlights: tuple[str, ...]  # the keys of the clicks that lead to it, in order; none: do as you like


def may_hint(game: AnyGame, definition: TableDefinition) -> bool:
    """May people at this table ask for hints?  Not if several play: it would not be fair to the others."""
    return game.shown.clicks is not None and sum(seat.person for seat in definition.seats) == 1


async def find_hint(pool: HousePool, payer: Payer, match: LiveMatch, seat: Seat) -> ShownHint:
    """What a house player would do in a person's place; raises FairplayError if it is not that person's turn."""
    if not may_hint(match.game, match.definition):
        raise RequestError(409, "There are no hints when several people play.")
    view, interpret = match.find_question(seat)
    number = match.timeline.last
    spec, by = choose_helper(match.game, match.setup)
    reply = await ask_helper(pool, payer, match, seat, spec)
    if match.timeline.last != number:
        raise UsageError("It is not your turn any more.")
    clicks = find_clicks(interpret, reply.action)
    reason = explain_action(match.game, view, reply.action) or reply.reason
    return ShownHint(describe_hint(interpret, clicks, reason, reply.value), clicks, by)


async def ask_helper(pool: HousePool, payer: Payer, match: LiveMatch, seat: Seat, spec: str) -> HintReply:
    """What a house player says: asked once at each moment, however often somebody clicks; raises BusyError."""
    number = match.timeline.last
    if match.hint is None or match.hint[0] != number:
        view, _ = match.find_question(seat)
        question = HintQuestion(match.game.name, spec, view, list_past(match.timeline, seat))
        match.hint = number, asyncio.ensure_future(pool.choose(question, payer, lambda _: None))
    asked = match.hint
    reply = (await asyncio.shield(asked[1])).action
    if isinstance(reply, Fault):
        match.hint = None if match.hint is asked else match.hint
        raise BusyError("No hint could be worked out. Try again.")
    said: HintReply = reply
    return said


def choose_helper(game: AnyGame, setup: Any) -> tuple[str, str]:
    """The strongest house player that answers quickly, and what it is called."""
    try:
        spec = choose_reviewer(game, setup)
        return spec, describe_reviewer(game, spec)
    except UsageError:
        return default_player(game), default_player(game)


def list_past(timeline: Timeline, seat: Seat) -> tuple[Any, ...]:
    """All that a seat was asked and saw so far, in order."""
    past: list[Any] = []
    rules = timeline.game.rules
    for number, event in enumerate(timeline.events):
        if isinstance(event, Turn) and event.seat == seat:
            past.append(rules.view(event.before, seat))
        past.append(see_event(report_event(timeline.game, event), number, seat))
    return tuple(past)


def explain_action(game: AnyGame, view: Any, action: Any) -> str:
    """What speaks for an action, as the game explains it to beginners; empty if it does not."""
    teaching = game.shown.teaching
    return "" if teaching is None or teaching.explain is None else teaching.explain(view, action)


def describe_hint(interpret: Interpret, clicks: tuple[str, ...], reason: str, value: float | None) -> str:
    """What to click one after the other, and why, in sentences."""
    labels = [find_label(interpret, clicks[:number], key) for number, key in enumerate(clicks)]
    sentences = [form_sentence(" → ".join(f"{label[:1].upper()}{label[1:]}" for label in labels))] if labels else []
    if reason:
        sentences.append(form_sentence(reason))
    if value is not None:
        sentences.append(f"With it, you should win {value:.0%} of such games.")
    return " ".join(sentences)


def find_label(interpret: Interpret, before: tuple[str, ...], key: str) -> str:
    """What a click is called."""
    return str(next(choice.label for choice in interpret(before).choices if choice.key == key))


def find_advice(match: LiveMatch, seat: Seat) -> ShownAdvice | None:
    """What a beginner should do now; None: there is no more to say, or it is not their turn.

    It is worked out once at each moment, because it takes a while and everything else waits for it.
    """
    if match.game.shown.teaching is None or match.table.people[seat].view is None:
        return None
    moment = match.timeline.last, seat
    if match.advice is None or match.advice[0] != moment:
        match.advice = moment, build_advice(match, seat)
    shown: ShownAdvice | None = match.advice[1]
    return shown


def build_advice(match: LiveMatch, seat: Seat) -> ShownAdvice | None:
    """What to tell a beginner who is to move; None: there is no more to say."""
    teaching = match.game.shown.teaching
    assert teaching is not None, "the game teaches"
    view, interpret = match.find_question(seat)
    moves = sum(isinstance(event, Turn) and event.seat == seat for event in match.timeline.events)
    advice = teaching.advise(view, moves)
    if advice is None:
        return None
    clicks = () if advice.action is None else find_clicks(interpret, advice.action)
    return ShownAdvice(advice.title, advice.words, clicks)
