"""What people see of a game and click in it: a table of its fields, and a button for each action."""

from collections.abc import Callable, Collection, Sequence
from html import escape
from textwrap import wrap
from typing import Any

from fairplay.core import AnyTurn, Seat, UsageError, WireError
from fairplay.core.shown import Choice, CompleteMove, PartialMove, Picture, follow_clicks
from fairplay.defaults.rules import DerivedRules
from fairplay.defaults.texts import DerivedNotation, DerivedWords, label, tag_of

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
            for line in _lines_of(value):
                drawn.append(f'<text class="value" x="10" y="{top + _LINE}">{escape(line)}</text>')
                top += _LINE
            top += _LINE // 2
        told = "; ".join(f"{title}: {value}" for title, value in words.lines(seen))
        height = top + _LINE // 2
        made = Picture(
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}-board" viewBox="0 0 {_WIDTH} {height}"'
            f' width="{_WIDTH}" height="{height}" role="img" aria-label="{escape(told)}">'
            f"<style>{_style(name)}</style>"
            f'<rect class="paper" width="{_WIDTH}" height="{height}" rx="8"/>{"".join(drawn)}</svg>'
        )
        made.label = told
        return made

    return picture


def _lines_of(value: str) -> list[str]:
    """The lines of a text: those that it has, or as many as fit."""
    return value.split("\n") if "\n" in value else wrap(value, _LETTERS) or [""]


NOBODY = Seat(-1)
"""Who watches: nobody's own fields are shown."""


def _style(name: str) -> str:
    own = f".{name}-board"
    return (
        f"{own} .paper{{fill:#faf7f0}}{own} text{{font-family:ui-monospace,monospace;font-size:13px;fill:#22262b;"
        f"white-space:pre}}"
        f"{own} .label{{font-family:system-ui,sans-serif;font-size:12px;fill:#5a6068}}"
    )


_FEW = 12
"""Actions that have a button each; of more, kind and fields are chosen one after the other."""


def clicks_of(rules: DerivedRules, notation: DerivedNotation, words: DerivedWords) -> Callable[..., Any]:
    """A button for each legal action, or for each part of one."""

    def ask(actions: Sequence[Any]) -> tuple[str, dict[str, tuple[str, list[Any]]]]:
        """What to choose among so many actions: the prompt, and by the key of a click its label and what it leaves."""
        if len(actions) <= _FEW:
            each = {f"do={notation.format_action(action)}": action for action in actions}
            told = {key: (f"{tag_of(type(action))}{words.details(action)}", [action]) for key, action in each.items()}
            return "It is your turn: choose what to do.", told
        name = _open_field(actions)
        parts: dict[str, tuple[str, list[Any]]] = {}
        for action in actions:
            value = tag_of(type(action)) if name is None else words.tell(getattr(action, name))
            key, title = (f"kind={value}", value) if name is None else (f"{name}={value}", f"{label(name)} {value}")
            parts.setdefault(key, (title, []))[1].append(action)
        if name is None:
            return "It is your turn: choose what to do.", parts
        return f"It is your turn to {tag_of(type(actions[0]))}: choose the {label(name)}.", parts

    def clicks(view: Any, clicked: Sequence[str], last: AnyTurn | None = None) -> Any:
        legal = rules.legal_actions(view)
        if not legal:
            raise UsageError("it is not your turn")

        def step(before: Sequence[Any], name: str, value: str) -> Sequence[Any] | CompleteMove[Any]:
            _, parts = ask(before)
            if f"{name}={value}" not in parts:
                raise WireError("expected one of the actions that are legal now")
            _, left = parts[f"{name}={value}"]
            return CompleteMove(left[0]) if len(left) == 1 else left

        after = follow_clicks(clicked, legal, step)
        if isinstance(after, CompleteMove):
            return after.action
        prompt, parts = ask(after)
        return PartialMove(prompt, tuple(Choice(key, title) for key, (title, _) in parts.items()), tuple(clicked))

    return clicks


def _open_field(actions: Sequence[Any]) -> str | None:
    """The first field in which actions of one kind differ; None if they are of different kinds."""
    if len({type(action) for action in actions}) > 1:
        return None
    names: tuple[str, ...] = actions[0].__struct_fields__
    return next(name for name in names if len({getattr(action, name) for action in actions}) > 1)
