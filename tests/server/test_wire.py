"""The wire schema: what is read, what is refused, and that both formats are one."""

from __future__ import annotations

import json
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku_server import wire
from jantaku_server.wire import Format, WireError

TABLE = "0123456789abcdef"

GOOD: list[dict[str, Any]] = [
    {"type": "hello", "protocol": 1},
    {"type": "hello", "protocol": 1, "client": "bot 0.1", "hints": True},
    {"type": "list"},
    {"type": "create"},
    {
        "type": "create",
        "rules": {"preset": "tenhou", "length": "tonpuu"},
        "seats": ["open", "bot:greedy", "open", "bot:random"],
        "private": True,
        "clock": {"move": 1000},
        "call_window_ms": 0,
        "pause_ms": 60_000,
        "pace_ms": 10_000,
        "spectator_delay": "hand",
        "spectators": False,
        "chat": True,
    },
    {"type": "create", "clock": "fast", "spectator_delay": 3600},
    {"type": "join", "table": TABLE, "name": "吉田 優子"},
    {"type": "join", "code": "x-_9", "name": "N", "seat": 3, "kind": "bot", "entropy": "00ff"},
    {"type": "ready"},
    {"type": "ready", "ready": False},
    {"type": "fill"},
    {"type": "fill", "bot": "greedy", "owner": "secret"},
    {"type": "answer", "id": 0, "index": 0},
    {"type": "answer", "id": 2**53, "action": {"type": "none"}},
    {"type": "resume", "token": "t"},
    {"type": "resume", "token": "t", "after": -1},
    {"type": "spectate", "table": TABLE, "after": 12},
    {"type": "spectate", "code": "c"},
    {"type": "chat", "phrase": "good_game"},
    {"type": "rematch"},
    {"type": "leave"},
    {"type": "ping"},
    {"type": "ping", "nonce": "n"},
    {"type": "replay", "game": TABLE},
    {"type": "replay", "size": 10, "name": "log.xml"},
    {"type": "replay_data", "data": "AA=="},
    {"type": "replay_more", "index": 0},
]


def refusal(message: dict[str, Any]) -> WireError:
    with pytest.raises(WireError) as refused:
        wire.check(message)
    return refused.value


def unreadable(data: str | bytes, fmt: Format = "json") -> str:
    with pytest.raises(WireError) as refused:
        wire.decode(data, fmt)
    assert refused.value.code == "malformed"
    return str(refused.value)


@pytest.mark.parametrize("message", GOOD, ids=lambda m: "-".join(m))
@pytest.mark.parametrize("fmt", ["json", "msgpack"])
def test_good_messages_are_read_alike_in_both_formats(message: dict[str, Any], fmt: Format) -> None:
    assert wire.check(wire.decode(wire.encode(message, fmt), fmt)) == message


def test_every_client_message_is_among_the_good_ones() -> None:
    assert {message["type"] for message in GOOD} == set(wire.CLIENT_MESSAGES)


def test_every_field_is_used_among_the_good_ones() -> None:
    used = {(message["type"], name) for message in GOOD for name in message if name != "type"}
    assert used == {(t, name) for t, fields in wire.CLIENT_MESSAGES.items() for name in fields}


def test_unknown_fields_are_ignored_and_null_is_absent() -> None:
    wire.check({"type": "ping", "nonce": None, "new": [1, {"x": None}]})
    wire.check({"type": "spectate", "table": TABLE, "code": None})


def test_an_unknown_type_is_named_with_those_that_exist() -> None:
    error = refusal({"type": "dance"})
    assert error.code == "malformed"
    assert "'dance'" in str(error)
    assert "spectate" in str(error)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({"type": "hello"}, "protocol"),
        ({"type": "hello", "protocol": None}, "protocol"),
        ({"type": "hello", "protocol": "1"}, "protocol"),
        ({"type": "hello", "protocol": True}, "protocol"),
        ({"type": "hello", "protocol": 1.0}, "protocol"),
        ({"type": "hello", "protocol": 0}, "protocol"),
        ({"type": "hello", "protocol": 1, "client": ""}, "client"),
        ({"type": "create", "rules": []}, "rules"),
        ({"type": "create", "seats": ["open"] * 3}, "seats"),
        ({"type": "create", "seats": ["open", "open", "open", "dog:rex"]}, "seats"),
        ({"type": "create", "private": 1}, "private"),
        ({"type": "create", "clock": 5}, "clock"),
        ({"type": "create", "call_window_ms": 10_001}, "call_window_ms"),
        ({"type": "create", "pause_ms": -1}, "pause_ms"),
        ({"type": "create", "pace_ms": 1.5}, "pace_ms"),
        ({"type": "create", "spectator_delay": "day"}, "spectator_delay"),
        ({"type": "create", "spectator_delay": True}, "spectator_delay"),
        ({"type": "create", "spectator_delay": 3601}, "spectator_delay"),
        ({"type": "join", "table": TABLE}, "name"),
        ({"type": "join", "table": TABLE, "name": ""}, "name"),
        ({"type": "join", "table": TABLE, "name": "x" * 41}, "name"),
        ({"type": "join", "table": TABLE, "name": " x"}, "name"),
        ({"type": "join", "table": TABLE, "name": "x "}, "name"),
        ({"type": "join", "table": TABLE, "name": "\u3000x"}, "name"),
        ({"type": "join", "table": TABLE, "name": "a\nb"}, "name"),
        ({"type": "join", "table": TABLE, "name": "a\x00b"}, "name"),
        ({"type": "join", "table": TABLE, "name": "a\x1b[31mb"}, "name"),
        ({"type": "join", "table": TABLE, "name": "a\u202eb"}, "name"),
        ({"type": "join", "table": TABLE, "name": "a\u2066b"}, "name"),
        ({"type": "join", "table": TABLE, "name": "a\u200bb"}, "name"),
        ({"type": "join", "table": TABLE, "name": "a\ufeffb"}, "name"),
        ({"type": "join", "table": TABLE, "name": "a\u2028b"}, "name"),
        ({"type": "join", "table": TABLE, "name": ["a"]}, "name"),
        ({"type": "join", "table": TABLE, "name": "x", "seat": 4}, "seat"),
        ({"type": "join", "table": TABLE, "name": "x", "kind": "house"}, "kind"),
        ({"type": "join", "table": TABLE, "name": "x", "entropy": "abc"}, "entropy"),
        ({"type": "join", "table": TABLE, "name": "x", "entropy": "AB"}, "entropy"),
        ({"type": "join", "table": TABLE, "name": "x", "entropy": "00" * 33}, "entropy"),
        ({"type": "join", "table": "x" * 65, "name": "x"}, "table"),
        ({"type": "answer", "index": 0}, "id"),
        ({"type": "answer", "id": -1, "index": 0}, "id"),
        ({"type": "answer", "id": 0, "index": -1}, "index"),
        ({"type": "answer", "id": 0, "index": 1001}, "index"),
        ({"type": "answer", "id": 0, "action": "none"}, "action"),
        ({"type": "resume"}, "token"),
        ({"type": "resume", "token": "x" * 129}, "token"),
        ({"type": "resume", "token": "x", "after": -2}, "after"),
        ({"type": "chat", "phrase": "idiot"}, "phrase"),
        ({"type": "chat", "phrase": ["hello"]}, "phrase"),
        ({"type": "chat"}, "phrase"),
        ({"type": "replay", "game": "../../etc/passwd"}, "game"),
        ({"type": "replay_data", "data": 5}, "data"),
        ({"type": "replay_more", "index": -1}, "index"),
    ],
)
def test_a_wrong_field_is_named(message: dict[str, Any], field: str) -> None:
    error = refusal(message)
    assert error.code == "invalid"
    assert f"{field!r}" in str(error)
    assert str(error).isprintable()


@pytest.mark.parametrize(
    "message",
    [
        {"type": "join", "name": "x"},
        {"type": "join", "name": "x", "table": TABLE, "code": "c"},
        {"type": "spectate"},
        {"type": "answer", "id": 1},
        {"type": "answer", "id": 1, "index": 0, "action": {"type": "none"}},
        {"type": "replay"},
    ],
)
def test_of_two_fields_exactly_one_is_given(message: dict[str, Any]) -> None:
    error = refusal(message)
    assert error.code == "invalid"
    assert "one of them" in str(error)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "json"),
        ("{", "json"),
        ("null", '"type"'),
        ("[]", '"type"'),
        ('"hello"', '"type"'),
        ("5", '"type"'),
        ("{}", '"type"'),
        ('{"type": 5}', '"type"'),
        ('{"type": null}', '"type"'),
        ('{"type": "ping"} {"type": "ping"}', "Extra data"),
        ('{"type": "ping", "type": "leave"}', "same key twice"),
        ('{"type": "ping", "x": {"a": 1, "a": 1}}', "same key twice"),
        ('{"type": "ping", "x": NaN}', "NaN"),
        ('{"type": "ping", "x": -Infinity}', "Infinity"),
        ('{"type": "ping", "x": 1e999}', "a number"),
        ('{"type": "ping", "x": 9007199254740993}', "a number"),
        ('{"type": "ping", "x": -1e300}', "a number"),
        ('{"type": "ping", "x": ' + "9" * 4000 + "}", "a number"),
        ('{"type": "ping", "x": ' + "9" * 5000 + "}", "digit"),
        ('{"type": "ping", "x": "\\ud800"}', "surrogate"),
        ('{"type": "ping", "\\udfff": 1}', "surrogate"),
        ('{"type": "\\ud800"}', "surrogate"),
        ('{"type": "ping", "x": ' + "[" * 8 + "]" * 8 + "}", "inside each other"),
        ("[" * 16_000, "json"),
        ('{"a":' * 3_000, "json"),
        ('{"type": "pi\nng"}', "control character"),
    ],
)
def test_unreadable_json_is_malformed(text: str, why: str) -> None:
    message = unreadable(text)
    assert why in message
    assert message.isprintable()


def test_seven_arrays_inside_each_other_are_not_too_deep() -> None:
    wire.decode('{"type": "ping", "x": ' + "[" * 7 + "]" * 7 + "}", "json")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "msgpack"),
        (b"\xc1", "msgpack"),
        (b"\x81", "msgpack"),
        (msgpack.packb({"type": "ping"}) + b"\x00", "extra"),
        (msgpack.packb({b"type": "ping"}), "a key is no text"),
        (msgpack.packb({"type": "ping", 5: 1}), "msgpack"),
        (msgpack.packb({"type": "ping", "x": b"raw"}), "bytes"),
        (msgpack.packb({"type": "ping", "x": msgpack.ExtType(5, b"x")}), "ExtType"),
        (msgpack.packb({"type": "ping", "x": msgpack.Timestamp(5, 5)}), "Timestamp"),
        (msgpack.packb({"type": "ping", "x": float("nan")}), "a number"),
        (msgpack.packb({"type": "ping", "x": float("inf")}), "a number"),
        (msgpack.packb({"type": "ping", "x": 2**63}), "a number"),
        (b"\x82\xa4type\xa4ping\xa4type\xa5leave", "same key twice"),
        (b"\x81\xa4type\xa4\xff\xfe\xfd\xfc", "utf-8"),
        (b"\x82\xa4type\xa4ping\xa1x" + b"\x91" * 9 + b"\x00", "inside each other"),
        (b"\x82\xa4type\xa4ping\xa1x" + b"\x91" * 9_000 + b"\x00", "msgpack"),
        (b"\xdf\xff\xff\xff\xff", "msgpack"),
        (b"\xdd\xff\xff\xff\xff", "msgpack"),
        (b"\xc6\xff\xff\xff\xff", "msgpack"),
        (b"\xc7\x00\x01", "ExtType"),
    ],
)
def test_unreadable_msgpack_is_malformed(data: bytes, why: str) -> None:
    assert why.lower() in unreadable(data, "msgpack").lower()


def test_each_format_has_its_kind_of_frame() -> None:
    assert "text frames" in unreadable(b'{"type": "ping"}', "json")
    assert "binary frames" in unreadable('{"type": "ping"}', "msgpack")


def test_the_longest_message_is_read_and_one_byte_more_is_not() -> None:
    padding = " " * (wire.MAX_FRAME - len('{"type": "ping"}'))
    wire.decode('{"type": "ping"}' + padding, "json")
    assert "longer" in unreadable('{"type": "ping"}' + padding + " ")


def test_a_client_may_read_longer_messages_of_the_server() -> None:
    text = json.dumps({"type": "tables", "tables": [{"table": TABLE}] * 5000})
    assert len(wire.decode(text, "json", longest=1 << 20)["tables"]) == 5000


def test_the_text_of_an_error_is_bounded() -> None:
    assert len(str(WireError("rules", "x" * 100_000))) == 300


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["type", "id", "index", "name", "table"]), JSON))
def test_whatever_is_sent_is_read_alike_or_refused_alike(message: dict[str, Any]) -> None:
    results = []
    formats: tuple[Format, ...] = ("json", "msgpack")
    for fmt in formats:
        try:
            results.append(repr(wire.check(wire.decode(wire.encode(message, fmt), fmt))))
        except WireError as error:
            results.append(str(error).replace("msgpack", "json"))
    assert results[0] == results[1]
    assert results[0].isprintable() or results[0].startswith("{")
