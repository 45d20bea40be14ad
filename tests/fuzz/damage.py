"""Damage to real values: bytes torn out and put in, or values exchanged so that it is still JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any

TOKENS: Sequence[bytes] = (
    *(b"[", b"]", b"{", b"}", b'"', b":", b",", b"\\", b"\n", b" ", b"\0", b"\xff", b"\xc0\xaf", b"\xef\xbb\xbf"),
    *(b"null", b"true", b"false", b"NaN", b"Infinity", b"-0", b"-1", b"0", b"1.0", b"01", b"1e3", b"1e999", b"9" * 30),
    *(b'"\\ud800"', b'"\\u0000"', b'""', b"[]", b"{}", b"[[", b'{"a":', b'"void"', b"4294967296", b"9007199254740993"),
    *(b"1000000", b"255", b"256", b"2575", b"[" * 40, b"9" * 5_000),
)
"""Pieces that readers stumble over."""


NASTY: Sequence[Any] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        7,
        255,
        256,
        1_000,
        9_999,
        10**6,
        10**9,
        2**31,
        2**53,
        2**63,
        2**64,
        10**30,
        0.5,
        1e300,
    ),
    *(
        "",
        "void",
        "ann",
        "x" * 30,
        "\0",
        "\N{RIGHT-TO-LEFT OVERRIDE}",
        "red",
        "standard",
        "original",
        "ordered",
        "tiny",
    ),
    *([], {}, [[]], [0], [0, 0], [-1, -1], [10**6, 10**6], [[0, 0], [0, 0]], {"": 0}, [[[[[[[]]]]]]]),
)
"""Values where others are expected."""


def damaged(seeds: Sequence[bytes], rng: Random) -> bytes:
    """One of the seeds, its bytes damaged or its values exchanged."""
    data = rng.choice(seeds)
    return torn(data, seeds, rng) if rng.random() < 0.5 else reshaped(data, rng)


def reshaped(data: bytes, rng: Random) -> bytes:
    """The same lines with a few values replaced, doubled or gone in one of them; it is still JSON."""
    lines = data.splitlines(keepends=True) or [b""]
    number = rng.randrange(len(lines))
    try:
        value = [json.loads(lines[number])]
    except (ValueError, RecursionError):
        return data
    for _ in range(rng.randrange(1, 4)):
        found = list(places(value))
        container, key = rng.choice(found)
        others = [inside[at] for inside, at in rng.sample(found, min(2, len(found)))]
        new = deepcopy(rng.choice([rng.choice(NASTY), *others]))
        if rng.random() < 0.2 and container is not value:
            del container[key]
        elif rng.random() < 0.2 and isinstance(container, list):
            container.insert(key, new)
        else:
            container[key] = new
    lines[number] = (
        json.dumps(value[0], ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass") + b"\n"
    )
    return b"".join(lines)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield value, key
        yield from places(inner)


def torn(seed: bytes, seeds: Sequence[bytes], rng: Random) -> bytes:
    """`seed` with a few pieces gone, doubled, or replaced by something nasty."""
    data = bytearray(seed)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(data) + 1)
        gone = rng.choice((0, 0, 1, 2, 4, rng.randrange(len(data) + 1)))
        other = rng.choice(seeds)
        start = rng.randrange(len(other))
        put = rng.choice(
            (b"", rng.choice(TOKENS), rng.randbytes(rng.randrange(4)), other[start : start + rng.randrange(60)])
        )
        data[at : at + gone] = put
    return bytes(data)
