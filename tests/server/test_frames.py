"""Messages come through however their bytes are cut: whole, in pieces, several at once."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random

import msgpack
import pytest
from app_kit import handshake, running, wait_for
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from jantaku_server.frames import ends_with_frame, whole_message


def sent(opcode: Opcode, data: bytes, fin: bool = True) -> bytes:
    """A frame as the library's clients send it."""
    return Frame(opcode, data, fin).serialize(mask=True)


@given(st.binary(max_size=140), st.booleans())
def test_a_short_message_alone_is_read(data: bytes, is_text: bool) -> None:
    if is_text:
        data = data.hex()[:140].encode()
    frame = sent(Opcode.TEXT if is_text else Opcode.BINARY, data)
    expected = None if len(data) > 125 else data.decode() if is_text else data
    assert whole_message(frame) == expected


OTHERS = {
    "nothing": b"",
    "a message cut off": sent(Opcode.TEXT, b"abc")[:-1],
    "a message and a byte": sent(Opcode.TEXT, b"abc") + b"\x81",
    "two messages": sent(Opcode.TEXT, b"abc") * 2,
    "the beginning of a message": sent(Opcode.TEXT, b"abc", fin=False),
    "the end of a message": sent(Opcode.CONT, b"abc"),
    "a ping": sent(Opcode.PING, b"abc"),
    "a close": sent(Opcode.CLOSE, b"\x03\xe8"),
    "no UTF-8": sent(Opcode.TEXT, b"\xff\xfe"),
    "not masked": b"\x81\x03abc",
    "an extension that nobody agreed on": b"\xc1" + sent(Opcode.TEXT, b"abc")[1:],
}


@pytest.mark.parametrize("what", OTHERS)
def test_everything_else_is_left_to_the_library(what: str) -> None:
    assert whole_message(OTHERS[what]) is None


@given(st.lists(st.integers(0, 70_000), max_size=4), st.integers(-3, 3))
def test_where_a_frame_ends(sizes: list[int], cut: int) -> None:
    data = b"".join(sent(Opcode.BINARY, bytes(size)) for size in sizes)
    if cut > 0:
        data += bytes(cut)
    elif cut:
        data = data[:cut]
    # What is cut off an empty string is nothing.
    assert ends_with_frame(data) == (cut == 0 or (cut < 0 and not sizes))


def pieces(text: bytes, rng: Random) -> list[bytes]:
    """A message in one frame, or now and then in two, perhaps with a ping between them."""
    if rng.random() < 0.85:
        return [sent(Opcode.TEXT, text)]
    cut = rng.randrange(len(text))
    between = [sent(Opcode.PING, b"are you there")] * rng.randrange(2)
    return [
        sent(Opcode.TEXT, text[:cut], fin=False),
        *between,
        sent(Opcode.CONT, text[cut:]),
    ]


@pytest.mark.parametrize("seed", range(8))
async def test_every_message_is_answered_in_order_however_the_bytes_are_cut(
    tmp_path: Path, seed: int
) -> None:
    rng = Random(seed)
    messages = [{"type": "hello", "protocol": 1}]
    messages += [
        {"type": "ping", "nonce": str(number), "padding": "x" * rng.choice((1, 1, 200))}
        for number in range(50)
    ]
    frames = [piece for m in messages for piece in pieces(json.dumps(m).encode(), rng)]
    async with running(tmp_path) as app:
        reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
        client = ClientProtocol(parse_uri(f"ws://127.0.0.1:{app.port}/ws"))
        client.send_request(client.connect())
        writer.write(b"".join(client.data_to_send()))
        nonces: list[str] = []
        unsent = b""
        async with asyncio.timeout(20):
            while client.state is not State.OPEN:
                client.receive_data(await reader.read(65_536))
                client.events_received()
            for frame in frames:
                unsent += frame
                # Some packets hold several frames, some end within one, most are one frame.
                cut = rng.choice((0, len(unsent), len(unsent), rng.randrange(len(unsent))))
                writer.write(unsent[:cut])
                unsent = unsent[cut:]
                await asyncio.sleep(0)
            writer.write(unsent)
            while len(nonces) < 50:
                client.receive_data(await reader.read(65_536))
                nonces += [
                    json.loads(event.data)["nonce"]
                    for event in client.events_received()
                    if isinstance(event, Frame) and b'"pong"' in event.data
                ]
        writer.close()
    assert nonces == [str(number) for number in range(50)]


async def test_what_looks_like_a_message_inside_another_is_none(tmp_path: Path) -> None:
    """The rest of a message comes alone, and its bytes would be a whole message by themselves."""
    inner = unmasked(msgpack.packb({"type": "ping", "nonce": "inner"}))
    outer = unmasked(msgpack.packb({"type": "ping", "nonce": "outer", "x": inner}))
    cut = len(outer) - len(inner)
    assert outer[cut:] == inner
    async with running(tmp_path) as app:
        address = f"ws://127.0.0.1:{app.port}/ws"
        async with connect(address, subprotocols=[Subprotocol("jantaku.v1.msgpack")]) as client:
            await client.send(msgpack.packb({"type": "hello", "protocol": 1}))
            assert msgpack.unpackb(await client.recv())["type"] == "welcome"
            (line,) = app._lines
            client.transport.write(outer[:cut])
            await wait_for(lambda: len(line._connection.protocol.reader.buffer) > 0)
            client.transport.write(inner)
            answer = msgpack.unpackb(await client.recv())
            assert (answer["type"], answer["code"]) == ("error", "malformed")
            await client.send(msgpack.packb({"type": "ping", "nonce": "next"}))
            assert msgpack.unpackb(await client.recv())["nonce"] == "next"


async def test_a_frame_that_began_with_the_handshake_is_read_to_its_end(tmp_path: Path) -> None:
    hello = b'{"type":"hello","protocol":1}'
    # What is left of the frame looks like a whole message: its mask is how one begins.
    mask = bytes((0x82, 0x80 | len(hello) - 2, 7, 7))
    async with running(tmp_path) as app:
        reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
        writer.write(handshake(app.port) + bytes((0x81, 0x80 | len(hello))))
        await reader.readuntil(b"\r\n\r\n")
        await wait_for(lambda: len(app._lines) == 1)
        rest = mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(hello))
        assert whole_message(rest) is not None
        writer.write(rest)
        assert b'"welcome"' in await reader.read(200)
        writer.close()


def unmasked(data: bytes) -> bytes:
    """A binary frame whose mask changes nothing."""
    assert len(data) <= 125
    return bytes((0x82, 0x80 | len(data), 0, 0, 0, 0)) + data
