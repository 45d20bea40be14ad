"""What people see of a game and click in it: a table of its fields, and a button for each action."""

from collections.abc import Callable, Collection, Sequence
from html import escape
from textwrap import wrap
from typing import Any

from fairplay.core import AnyTurn, Seat, UsageError, WireError
from fairplay.core.shown import Choice, CompleteMove, PartialMove, Picture, follow_clicks
from fairplay.defaults.rules import DerivedRules
from fairplay.defaults.texts import DerivedNotation, DerivedWords, tag_of

_WIDTH, _LETTERS, _LINE = 340, 40, 18
"""The width of a picture, how many letters stand in a line of it, and how high a line is."""


def picture_of(name: str, rules: DerivedRules, words: DerivedWords) -> Callable[..., Picture]:
    """Draws what is on the table, field by field; of a state, as everybody may see it."""

    def picture(
        shown: Any,
        last: AnyTurn | None = None,
        *,
        open: bool = False,
        seats: bool = True,
        lit: Collection[str] = (),
        chosen: Collection[str] = (),
    ) -> Picture:
        seen = shown if open or hasattr(shown, "me") else rules.view(shown, NOBODY)
        drawn, top = [], 0
        for title, value in words.lines(seen):
            drawn.append(f'<text class="label" x="10" y="{top + _LINE}">{escape(title)}</text>')
            top += _LINE
            for line in wrap(value, _LETTERS) or [""]:
                drawn.append(f'<text class="value" x="10" y="{top + _LINE}">{escape(line)}</text>')
                top += _LINE
            top += _LINE // 2
        told = "; ".join(f"{title}: {value}" for title, value in words.lines(seen))
        height = top + _LINE // 2
        return Picture(
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}-board" viewBox="0 0 {_WIDTH} {height}"'
            f' width="{_WIDTH}" height="{height}" role="img" aria-label="{escape(told)}">'
            f"<style>{_style(name)}</style>"
            f'<rect class="paper" width="{_WIDTH}" height="{height}" rx="8"/>{"".join(drawn)}</svg>'
        )

    return picture


NOBODY = Seat(-1)
"""Who watches: nobody's own fields are shown."""


def _style(name: str) -> str:
    own = f".{name}-board"
    return (
        f"{own} .paper{{fill:#faf7f0}}{own} text{{font-family:ui-monospace,monospace;font-size:13px;fill:#22262b}}"
        f"{own} .label{{font-family:system-ui,sans-serif;font-size:12px;fill:#5a6068}}"
    )


def clicks_of(rules: DerivedRules, notation: DerivedNotation, words: DerivedWords) -> Callable[..., Any]:
    """A button for each legal action."""

    def clicks(view: Any, clicked: Sequence[str], last: AnyTurn | None = None) -> Any:
        legal = {f"do={notation.format_action(action)}": action for action in rules.legal_actions(view)}
        if not legal:
            raise UsageError("it is not your turn")

        def step(before: tuple[()], name: str, value: str) -> tuple[()] | CompleteMove[Any]:
            if f"{name}={value}" not in legal:
                raise WireError("expected one of the actions that are legal now")
            return CompleteMove(legal[f"{name}={value}"])

        after = follow_clicks(clicked, (), step)
        if isinstance(after, CompleteMove):
            return after.action
        choices = (Choice(key, f"{tag_of(type(action))}{words.details(action)}") for key, action in legal.items())
        return PartialMove("It is your turn: choose what to do.", tuple(choices))

    return clicks
