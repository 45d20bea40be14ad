"""How a game is written down: as JSON, as short texts, and in sentences, as its types say."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from fairplay.core import AnyTurn, Facts, Json, NotationError, Seat, WireError
from fairplay.core.convert import as_type
from fairplay.core.game import choose_tense
from fairplay.defaults.rules import DerivedRules

# -- JSON --------------------------------------------------------------------------------------


class DerivedCodec:
    """States and views as their types say; satisfies `Codec`."""

    def __init__(self, state: type[Struct], view: type[Struct]) -> None:
        self.ViewJson = view
        self._state = state

    def state_to_json(self, state: Any) -> Json:
        return msgspec.to_builtins(state)

    def state_from_json(self, value: Json) -> Any:
        return _complete(value, self._state)

    def view_to_json(self, view: Any) -> Json:
        return msgspec.to_builtins(view)

    def view_from_json(self, value: Json) -> Any:
        return _complete(value, self.ViewJson)


def _complete(value: Json, kind: type[Struct]) -> Any:
    """`value` as a struct in which no field is left to its default; raises WireError."""
    if isinstance(value, dict) and (missing := [name for name in kind.__struct_fields__ if name not in value]):
        raise WireError(f"Object missing required field {missing[0]}", "$")
    return as_type(value, kind)


# -- notation ----------------------------------------------------------------------------------


class DerivedNotation:
    """Actions as `drop:3`, positions as JSON; satisfies `Notation`."""

    def __init__(self, actions: tuple[type[Struct], ...], state: type[Struct]) -> None:
        self._kinds = {tag_of(kind): kind for kind in actions}
        self._codec = DerivedCodec(state, state)

    def format_action(self, action: Any) -> str:
        return ":".join([tag_of(type(action)), *(_format(getattr(action, name)) for name in action.__struct_fields__)])

    def parse_action(self, text: str, shown: Any = None) -> Any:
        tag, *values = text.split(":")
        kind = self._kinds.get(tag)
        if kind is not None and len(values) == len(kind.__struct_fields__):
            given = {name: _parse(value) for name, value in zip(kind.__struct_fields__, values, strict=True)}
            try:
                action = msgspec.convert({"do": tag, **given}, kind, strict=False)
            except (msgspec.ValidationError, UnicodeError):
                pass
            else:
                if self.format_action(action) == text:  # each action has one text
                    return action
        raise NotationError(text, " or ".join(map(_form_of, self._kinds.values())))

    def format_position(self, state: Any) -> str:
        return msgspec.json.encode(state).decode()

    def parse_position(self, text: str) -> Any:
        try:
            return self._codec.state_from_json(msgspec.json.decode(text))
        except (WireError, msgspec.MsgspecError, UnicodeError, RecursionError):
            raise NotationError(text, "the JSON of a state", "a position") from None


def tag_of(kind: type[Struct]) -> str:
    """What an action of this type is called."""
    tag = kind.__struct_config__.tag
    return kind.__name__.lower() if tag is None else str(tag)


def _form_of(kind: type[Struct]) -> str:
    return ":".join([tag_of(kind), *(name.upper() for name in kind.__struct_fields__)])


_NOTHING = "-"


def _format(value: Any) -> str:
    if value is None:
        return _NOTHING
    if isinstance(value, tuple):
        return f"({','.join(map(_format, value))})"
    if isinstance(value, Struct):
        return _format(tuple(getattr(value, name) for name in value.__struct_fields__))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parse(text: str) -> Any:
    """What a part of a text stands for, as far as it can be told without its type."""
    if text == _NOTHING:
        return None
    if text.startswith("(") and text.endswith(")"):
        return [_parse(each) for each in text[1:-1].split(",")] if text != "()" else []
    return text


# -- words -------------------------------------------------------------------------------------

COLORS = ("red", "blue", "green", "orange", "purple", "grey", "brown", "pink")
"""What seats are called."""


class DerivedWords:
    """A game in words; satisfies `Words`."""

    def __init__(self, rules: DerivedRules, verbs: Mapping[str, str] | None = None) -> None:
        """verbs: the past tense of irregular ones."""
        self._rules, self._verbs = rules, verbs

    def seat_name(self, seat: Seat) -> str:
        return COLORS[seat] if seat < len(COLORS) else f"player {seat + 1}"

    def board(self, shown: Any) -> str:
        said = ((title, value) for title, value in self.lines(shown))
        return "\n".join(f"{title}:\n{value}" if "\n" in value else f"{title}: {value}" for title, value in said)

    def lines(self, shown: Any) -> list[tuple[str, str]]:
        """What is on the table: labels and values."""
        names = (name for name in shown.__struct_fields__ if name not in _ASIDE)
        return [(label(name), self._tell_field(name, getattr(shown, name))) for name in names]

    def _tell_field(self, name: str, value: Any) -> str:
        if columns := self._rules.columns.get(name):
            cells = [_EMPTY if each in (None, -1) else self.tell(each) for each in value]
            width = max(map(len, cells), default=0)
            rows = (cells[at : at + columns] for at in range(0, len(cells), columns))
            return "\n".join(" ".join(cell.rjust(width) for cell in row) for row in rows)
        if name not in self._rules.by_seat:
            return self.tell(value)
        told = ("?" if each is None else self.tell(each) for each in value)
        return ", ".join(f"{self.seat_name(Seat(seat))}: {each}" for seat, each in enumerate(told))

    def tell(self, value: Any) -> str:
        """A value in words."""
        if value is None:
            return _NOTHING
        if isinstance(value, tuple):
            inner = [f"[{self.tell(each)}]" if isinstance(each, tuple) else self.tell(each) for each in value]
            return " ".join(inner) or _NOTHING
        if isinstance(value, Struct):
            return ", ".join(f"{label(name)} {self.tell(getattr(value, name))}" for name in value.__struct_fields__)
        return "yes" if value is True else "no" if value is False else str(value)

    def describe_open_turn(self, turn: AnyTurn, *, subject: str = "") -> str:
        return self._sentence(turn, turn.action, subject, would=False)

    def describe_turn(self, turn: AnyTurn, to: Seat | None, *, subject: str = "", would: bool = False) -> str:
        action = turn.action if to == turn.seat else self._rules.public_action(turn.action)
        return self._sentence(turn, action, subject, would=would)

    def _sentence(self, turn: AnyTurn, action: Any, subject: str, *, would: bool) -> str:
        begin, verb = choose_tense(subject or self.seat_name(turn.seat), would=would, verbs=self._verbs)
        return f"{begin} {verb(tag_of(type(action)))}{self.details(action)}"

    def details(self, action: Any) -> str:
        """What an action says besides its verb: nothing, or the fields with a space before them."""
        told = [f"{label(name)} {self.tell(getattr(action, name))}" for name in action.__struct_fields__]
        return f" {', '.join(told)}" if told else ""

    def facts(self, shown: Any) -> Mapping[Seat, Facts]:
        """The points, if nothing is hidden that they could depend on."""
        playing = [Seat(seat) for seat in range(shown.seats) if seat not in shown.removed]
        if self._rules.hides:
            return dict.fromkeys(playing, ())
        return {seat: (("points", str(score[0])),) for seat, score in self._rules.scores(shown).items()}


_EMPTY = "."
"""A cell of a board on which there is nothing: None or -1."""

_ASIDE = frozenset({"me", "mover", "turn", "seats", "variant", "turn_number", "removed"})
"""Fields of positions and views that are told elsewhere."""


def label(name: str) -> str:
    """A name of the program as words."""
    return name.replace("_", " ").strip()
