"""Damaged records: every change comes from a seed, so that a failure can be repeated."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
from collections.abc import Callable
from typing import Any

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 10**30, 0.5, 1e308, -0.0, "", "?", "5mr",
    "60", "r60", "r", "c", "111111111111", "4747p4747p47", "１１", "é", "\ud800", "\x00", [], {},
    [[]], [None] * 5, {"type": "hora"}, "和了", "a" * 5000, 136, 255, 65535, 60, 99,
)  # fmt: skip
"""Values that have no place where they are put, or hardly ever."""

NOISE = (b"", b"x", b'"', b"<", b"\x00", b"}", b"[", b"NaN", b"\xff", b"\xc3\xa9", b"1" * 5000)


def in_bytes(data: bytes, chance: random.Random) -> bytes:
    """Cut, repeat, move or overwrite some bytes."""
    here = chance.randrange(len(data) + 1)
    there = min(len(data), here + chance.choice((1, 3, 20, 300)))
    way = chance.randrange(6)
    if way == 0:
        return data[:here]
    if way == 1:
        return data[:here] + data[there:]
    if way == 2:
        return data[:there] + data[here:there] + data[there:]
    if way == 3:
        other = chance.randrange(len(data) + 1)
        return data[:here] + data[other : other + 40] + data[there:]
    return data[:here] + chance.choice(NOISE) + data[min(len(data), here + chance.randrange(3)) :]


def in_numbers(data: bytes, chance: random.Random) -> bytes:
    """Another number in place of one."""
    numbers = list(re.finditer(rb"-?\d+", data))
    if not numbers:
        return data
    number = chance.choice(numbers)
    value = chance.choice((0, 1, 3, 11, 51, 60, 135, 136, 65535, -1, chance.randrange(136)))
    return data[: number.start()] + str(value).encode() + data[number.end() :]


def in_parts(data: bytes, chance: random.Random) -> bytes:
    """Drop, repeat or swap elements, lines or entries."""
    parts = re.findall(rb"<[^>]*>|[^\n,<]*[\n,]|[^\n,<]+", data)
    if len(parts) < 2:
        return data
    here, there = chance.randrange(len(parts)), chance.randrange(len(parts))
    way = chance.randrange(3)
    if way == 0:
        del parts[here]
    elif way == 1:
        parts[here], parts[there] = parts[there], parts[here]
    else:
        parts.insert(here, parts[there])
    return b"".join(parts)


def in_json(data: bytes, chance: random.Random) -> bytes:
    """Change a value of the JSON, or of one of its lines."""
    lines = data.split(b"\n")
    index = chance.randrange(len(lines))
    try:
        value = json.loads(lines[index])
    except (ValueError, RecursionError):
        return in_parts(data, chance)
    lines[index] = json.dumps(_changed(value, chance)).encode()
    return b"\n".join(lines)


def _changed(value: Any, chance: random.Random) -> Any:
    """The value with one place inside it changed."""
    root = [value]
    holder: Any = root
    key: Any = 0
    while isinstance(holder[key], list | dict) and holder[key] and chance.random() < 0.9:
        holder = holder[key]
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        key = chance.choice(keys)
    way = chance.randrange(5)
    if way == 0 and holder is not root:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder.insert(key, holder[chance.randrange(len(holder))])
    elif way == 2 and isinstance(holder, list) and len(holder) > 1:
        other = chance.randrange(len(holder))
        holder[key], holder[other] = holder[other], holder[key]
    elif way == 3 and isinstance(holder, list):
        holder[key] = holder[chance.randrange(len(holder))]
    else:
        holder[key] = chance.choice(STRANGE)
    return root[0]


def as_another_file(data: bytes, chance: random.Random) -> bytes:
    """Deep nesting, another encoding, compressed, or hardly a record at all."""
    way = chance.randrange(8)
    if way == 0:
        return chance.choice((b"[", b'{"log":', b'{"a":', b"<a>", b'{"log":[[')) * 100_000
    if way == 1:
        return data.decode("utf-8", "replace").encode(chance.choice(("utf-16", "utf-16-le")))
    if way == 2:
        return data.decode("utf-8", "replace").encode("shift-jis", "replace")
    if way == 3:
        return gzip.compress(data)[: chance.randrange(200)]
    if way == 4:
        return b"https://tenhou.net/6/#json=" + data[: chance.randrange(400)]
    if way == 5:
        return base64.b64encode(data)
    if way == 6:
        return chance.choice((b"\xef\xbb\xbf", b"\n\n", b" ")) + data
    return chance.randbytes(chance.randrange(60))


WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    in_bytes,
    in_numbers,
    in_numbers,
    in_parts,
    in_parts,
    in_json,
    in_json,
    in_json,
)


def damaged(data: bytes, seed: object) -> bytes:
    """The data with a few changes."""
    chance = random.Random(str(seed))
    if chance.random() < 0.02:
        return as_another_file(data, chance)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        data = chance.choice(WAYS)(data, chance)
    return data
