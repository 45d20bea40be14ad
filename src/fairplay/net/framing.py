"""JSON values out of a stream of bytes, without sockets.

In the established protocols values delimit themselves, and blanks between them mean nothing: `Framer`.  Only brackets
and strings are looked at there, each byte once.  In the native protocol a line feed ends each of them: `Lines`.
Whether a value is JSON is for the decoder to say.
"""

import re
from itertools import accumulate

import msgspec

from fairplay.core import Json, WireError

LONGEST = 1_048_576
"""Bytes of one value, leading blanks included (Fish 11.10, Trains 11.10, Labyrinth 11.10)."""

DEEPEST = 32

BLANKS = re.compile(rb"[ \t\r\n]*")
STRUCTURE = re.compile(rb'["\[\]{}]')
STRING = re.compile(rb'["\\]')
BARE = re.compile(rb'[ \t\r\n"\[\]{},:]')
WORDS = (b"true", b"false", b"null")
BLANK = b" \t\r\n"
PLAIN = bytes(byte for byte in range(256) if byte not in b'"\\[]{}')
FIRST = b'"[{-0123456789tfn'
_ESCAPED = re.compile(rb"\\.", re.DOTALL)
STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


class TooLarge(WireError):  # noqa: N818 - says what is wrong with the value
    """A value is too long or too deep to be read at all."""


class Framer:
    """Cuts a stream into values.  Feed it pieces of any size; it holds at most one unfinished value."""

    def __init__(self, *, longest: int = LONGEST, deepest: int = DEEPEST) -> None:
        self.longest, self.deepest = longest, deepest
        self.held = bytearray()
        self.start = 0  # of the value being read, blanks before it included
        self.first = 0  # byte of it behind those blanks, once there is one
        self.at = 0  # how far it has been looked at
        self.depth = 0
        self.kind = b""  # what is being read: nothing yet, '"' a string, '[' brackets, '0' a bare word or number
        self.inside = False  # a string inside brackets
        self.saw_line_feed = False  # between values, or after the last one
        self.failure: WireError | None = None  # what ended the reading for good

    def feed(self, data: bytes) -> list[bytes]:
        """The values that `data` completes; raises WireError if one is too long, too deep or cannot begin so.

        Values before such a one still count: then the failure is only kept, and raised by the next call.
        """
        if self.failure is not None:
            raise self.failure
        if not self.kind and len(self.held) + len(data) <= self.longest and (lone := _lone_value(data, self.deepest)):
            self.held = bytearray(data[len(data.rstrip(BLANK)) :])
            self.saw_line_feed = self.saw_line_feed or data.count(b"\n") > lone.count(b"\n")
            self.start = self.first = self.at = 0
            return [lone]
        self.held += data
        values: list[bytes] = []
        try:
            self.cut(values)
        except WireError as failure:
            self.failure, self.held = failure, bytearray()
            if not values:
                raise
        return values

    def cut(self, values: list[bytes]) -> None:
        """Move whole values out of what is held."""
        while (end := self.find_end()) is not None:
            values.append(bytes(self.held[self.first : end]))
            self.start = self.at = end
            self.kind = b""
        del self.held[: self.start]
        self.first -= self.start
        self.at -= self.start
        self.start = 0
        if len(self.held) > self.longest:
            raise TooLarge(f"a value of more than {self.longest} bytes")

    def finish(self) -> list[bytes]:
        """The last value at the end of the stream: a number has no end of its own; raises WireError for a torn one."""
        if self.failure is not None:
            raise self.failure
        rest, self.held = bytes(self.held).strip(BLANK), bytearray()
        if rest and self.kind != b"0":
            raise WireError("the stream ended in the middle of a value")
        return [rest] if rest else []

    def find_end(self) -> int | None:
        """Where the value being read ends; None if it has not ended yet."""
        if not self.kind and not self.find_start():
            return None
        end = self.bare_end() if self.kind == b"0" else self.string_end() if self.kind == b'"' else self.brackets_end()
        if end is not None and end - self.start > self.longest:
            raise TooLarge(f"a value of more than {self.longest} bytes")
        return end

    def find_start(self) -> bool:
        """Skip blanks; has a value begun behind them?"""
        blanks = BLANKS.match(self.held, self.at)
        assert blanks is not None, "nothing at all matches"
        self.saw_line_feed = self.saw_line_feed or b"\n" in blanks[0]
        self.at = self.first = blanks.end()
        if self.at == len(self.held):
            return False
        first = self.held[self.at : self.at + 1]
        if first not in FIRST:
            raise WireError(f"a value cannot begin with {first.decode('ascii', 'backslashreplace')}")
        self.kind = b"[" if first in b"[{" else b'"' if first == b'"' else b"0"
        self.at += self.kind == b'"'
        return True

    def string_end(self) -> int | None:
        """The end of the string that is being read; `at` moves to where the search goes on."""
        while found := STRING.search(self.held, self.at):
            if found[0] == b'"':
                return found.end()
            if found.end() == len(self.held):  # the escaped byte is still to come
                self.at = found.start()
                return None
            self.at = found.end() + 1
        self.at = max(self.at, len(self.held))
        return None

    def brackets_end(self) -> int | None:
        while True:
            if self.inside:
                end = self.string_end()
                if end is None:
                    return None
                self.at, self.inside = end, False
            found = STRUCTURE.search(self.held, self.at)
            if found is None:
                self.at = len(self.held)
                return None
            self.at = found.end()
            if found[0] == b'"':
                self.inside = True
            elif found[0] in b"[{":
                self.depth += 1
                if self.depth > self.deepest:
                    raise TooLarge(f"a value nested more than {self.deepest} deep")
            else:
                self.depth -= 1
                if not self.depth:
                    return self.at

    def bare_end(self) -> int | None:
        """The end of a word or number: the byte before a blank or another value, or the last letter of a known word."""
        for word in WORDS:
            if self.held.startswith(word, self.first):
                return self.first + len(word)
        found = BARE.search(self.held, self.at)
        self.at = len(self.held)
        return found.start() if found else None


def _lone_value(data: bytes, deepest: int) -> bytes | None:
    """The one value that `data` consists of, blanks aside, if a few looks at the whole of it can tell.

    Most pieces are like that, and looking at each bracket by itself takes many times as long.
    """
    value = data.strip(BLANK)
    marks = value.translate(None, PLAIN)
    if b"\\" in marks:
        return None
    if value[:1] == b'"':
        return value if value[-1:] == b'"' and marks.count(b'"') == 2 else None
    texts = marks.split(b'"')
    if value[:1] not in (b"[", b"{") or value[-1:] not in (b"]", b"}") or len(texts) % 2 == 0:
        return None
    depths = list(accumulate(map(STEPS.__getitem__, b"".join(texts[::2]))))
    return value if not depths.pop() and 0 not in depths and max(depths, default=0) <= deepest else None


class Nesting:
    """How many brackets are open in a line that comes in pieces.  Each byte is looked at once."""

    def __init__(self) -> None:
        self.depth = 0
        self.inside = False  # a string
        self.escaped = False  # the next byte is escaped

    def add(self, piece: bytes) -> None:
        """Look at the next piece; raises TooLarge if a bracket is too deep."""
        piece = _ESCAPED.sub(b"", piece[self.escaped :])
        self.escaped = piece.endswith(b"\\")  # the byte that it escapes is still to come
        texts = piece.translate(None, PLAIN).split(b'"')
        brackets = b"".join(texts[self.inside :: 2]).replace(b"\\", b"")
        self.inside ^= len(texts) % 2 == 0
        depths = list(accumulate(map(STEPS.__getitem__, brackets), initial=self.depth))
        self.depth = depths[-1]
        if max(depths) > DEEPEST:
            raise TooLarge(f"a line nested more than {DEEPEST} deep")


class Lines:
    """Cuts a stream into lines, without their line feeds.  It holds at most one unfinished line."""

    def __init__(self, *, longest: int) -> None:
        self.longest = longest
        self.held = bytearray()
        self.nesting = Nesting()  # of the unfinished line
        self.failure: WireError | None = None  # what ended the reading for good

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes; raises WireError if one is too long or too deep, finished or not.

        Lines before such a one still count: then the failure is only kept, and raised by the next call.
        """
        if self.failure is not None:
            raise self.failure
        self.held += data
        lines: list[bytes] = []
        fitting: list[bytes] = []
        rest = data
        if b"\n" in data:
            *lines, rest = bytes(self.held).split(b"\n")
            self.held, self.nesting = bytearray(rest), Nesting()
        try:
            for line in lines:
                self.check(line)
                fitting.append(line)
            if rest:
                self.nesting.add(rest)
                self.check_length(self.held)
        except WireError as failure:
            self.failure, self.held = failure, bytearray()
            if not fitting:
                raise
        return fitting

    def check(self, line: bytes) -> None:
        """Raises TooLarge for a whole line; most have too few brackets to be too deep."""
        self.check_length(line)
        if line.count(b"[") + line.count(b"{") > DEEPEST:
            Nesting().add(line)

    def check_length(self, line: bytes | bytearray) -> None:
        if len(line) > self.longest:
            raise TooLarge(f"a line of more than {self.longest} bytes")


def decode_value(value: bytes) -> Json:
    """The JSON in `value`; raises WireError."""
    try:
        return msgspec.json.decode(value)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WireError(f"ill-formed JSON: {error}") from None


def encode_value(value: Json, *, line_feed: bool = True) -> bytes:
    """`value` as one line; without a `line_feed` at its end if the far end wants none."""
    return msgspec.json.encode(value) + b"\n" * line_feed
