"""PROTOCOL.md says what is: its tables, its samples, its worked session, and its numbers.

Samples of clients go through the schema; samples of the server are compared with what servers
really sent. At last a client that knows nothing but the page plays a match.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from app_kit import address, plain_get, running
from server_kit import FakeLine, Peer, World
from table_kit import rig
from websockets.asyncio.client import connect

import paths
from jantaku_clients.bots import make_bot
from jantaku_engine.actions import ACTION_NAMES
from jantaku_engine.events import EVENT_NAMES
from jantaku_engine.view import SeatView
from jantaku_engine.wall import Wall
from jantaku_server import (
    clock,
    limits,
    lobby,
    mjai_session,
    replay_desk,
    session,
    sockets,
    wire,
)
from jantaku_server.mjai_dialect import STYLES
from jantaku_server.table import LiveTable
from jantaku_server.wire import Message

TEXT = (paths.CHECKOUT / "server" / "PROTOCOL.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------------- reading the page


def part(heading: str) -> str:
    """The text under a heading, up to the next one of its level."""
    level = heading.split(" ")[0]
    match = re.search(
        rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{len(level)}}} |\Z)", TEXT, re.M | re.S
    )
    assert match is not None, heading
    return match.group(1)


def rows(text: str) -> list[list[str]]:
    """The cells of each row of the tables in a text, without their head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    heads = {index - 1 for index, row in enumerate(cells) if set(row[0]) == {"-"}}
    return [row for index, row in enumerate(cells) if index not in heads and set(row[0]) != {"-"}]


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def fences(text: str, kind: str) -> Iterator[str]:
    language = "session" if kind == "session" else f"json {kind}"
    yield from re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def messages_of(heading: str) -> dict[str, str]:
    """The sections of the messages under a heading, by type."""
    text = part(heading)
    return {name: part(f"### `{name}`") for name in re.findall(r"^### `(\w+)`$", text, re.M)}


def section(heading: str, name: str) -> str:
    """The section of one message; `chat`, `replay` and `rematch` exist in both directions."""
    text = part(heading)
    match = re.search(rf"^### `{name}`$(.*?)(?=^### |\Z)", text, re.M | re.S)
    assert match is not None
    return match.group(1)


CLIENT = "## What a client sends"
SERVER = "## What the server sends"


# ---------------------------------------------------------------------- tables


def test_the_page_has_every_message_in_both_directions() -> None:
    assert list(messages_of(CLIENT)) == list(wire.CLIENT_MESSAGES)
    assert list(messages_of(SERVER)) == list(wire.SERVER_MESSAGES)


@pytest.mark.parametrize("name", wire.CLIENT_MESSAGES)
def test_the_fields_of_a_clients_message_are_those_of_the_schema(name: str) -> None:
    told = [(names(row[0])[0], row[1] == "optional", row[2]) for row in rows(section(CLIENT, name))]
    fields = wire.CLIENT_MESSAGES[name]
    assert told == [(field, f.optional, f.says) for field, f in fields.items()]
    assert all(row[3] for row in rows(section(CLIENT, name))), "each has a meaning"


@pytest.mark.parametrize("name", wire.CLIENT_MESSAGES)
def test_a_clients_message_has_samples_that_the_schema_takes(name: str) -> None:
    samples = list(fences(section(CLIENT, name), "client"))
    assert samples
    for sample in samples:
        message = wire.check(wire.decode(sample, "json"))
        assert message["type"] == name
        assert set(message) <= {"type", *wire.CLIENT_MESSAGES[name]}


def test_of_two_fields_the_page_says_to_give_one() -> None:
    for name, (first, second) in wire.EITHER.items():
        told = next(row for row in rows(section(CLIENT, name)) if names(row[0]) == [first])
        assert f"give this or `{second}`" in told[3]


def test_errors_are_those_of_the_schema() -> None:
    table = [row for row in rows(part("## Errors")) if len(row) == 2]
    assert {names(code)[0]: meaning for code, meaning in table} == wire.ERRORS


def test_close_codes_are_those_of_the_server() -> None:
    table = [row for row in rows(part("## Errors")) if len(row) == 3]
    told = {(row[0], *names(row[1])) for row in table}
    assert ("1008", "version") in told
    assert (str(session.TAKEN_OVER), "taken_over") in told
    assert {row[0] for row in table} == {
        *("1000", "1001", "1002", "1007", "1008", "1009", "1011", "4000", "none (1006)")
    }


def test_the_limits_are_those_of_the_server() -> None:
    assert {row[0]: float(row[1]) for row in rows(part("## Limits"))} == {
        "bytes in a message": wire.MAX_FRAME,
        "messages a second, on average": session.RATE,
        "messages at once": session.BURST,
        "refused messages in a row": session.MOST_STRIKES,
        "wrong tokens and codes": session.MOST_GUESSES,
        "seconds until `hello`": session.HELLO_S,
        "waiting tables of a connection": session.MOST_OWN,
        "bytes that may wait for the client to read": limits.MAX_QUEUE,
    }
    assert f"at most {wire.MAX_DEPTH} arrays and objects inside each other" in TEXT
    assert wire.MAX_WHOLE == 2**53
    assert f"of {session.FULL_PART:,} characters" in TEXT
    sent, unpacked = replay_desk.MOST_SENT >> 20, replay_desk.MOST_UNPACKED >> 20
    assert f"at most {sent} MiB and {unpacked} MiB unpacked" in TEXT
    assert f"more than {lobby.MOST_LISTED >> 10} KiB of JSON" in TEXT
    assert f"{replay_desk.MOST_IDLE_S:g} seconds without a part" in TEXT
    assert f"{sockets.BURST:g} such frames at once and {sockets.RATE:g} a second" in TEXT


def test_subprotocols_phrases_and_clocks_are_those_of_the_server() -> None:
    told = [names(row[0])[0] for row in rows(part("## Connecting"))]
    assert sorted(told) == sorted(wire.SUBPROTOCOLS)
    assert all(f"`{phrase}`" in section(CLIENT, "chat") for phrase in wire.PHRASES)
    table = {names(row[0])[0]: (int(row[1]), int(row[2])) for row in rows(part("### Clocks"))}
    assert table == clock._RANGES


def test_the_parameters_of_the_mjai_endpoint_are_those_it_reads() -> None:
    source = Path(mjai_session.__file__).read_text(encoding="utf-8")
    read = re.findall(r'(?:query\.get|_number)\("(\w+)"', source)
    read += re.findall(r'"(\w+)" in self\._query', source)
    tables = rows(part("## The mjai endpoint"))
    assert {names(row[0])[0] for row in tables if len(row) == 3} == {*read, "table", "code"}
    assert [names(row[0])[0] for row in tables if len(row) == 2] == [
        *STYLES[1:],
        "auto",
    ]


async def test_the_paths_of_the_page_answer(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        for row in rows(part("## HTTP")):
            path = names(row[0])[0]
            status, _, _ = await plain_get(app, path)
            assert status == (404 if "NAME" in path else 200), path


# ---------------------------------------------------------------------- samples of the server


def lively(table: LiveTable, seat: int, rng: random.Random) -> Callable[[Message], int]:
    """Plays like a greedy bot, but does what is rare when it can: every kind of event comes."""
    bot = make_bot("greedy", rng)

    def play(request: Message) -> int:
        kinds = [action["type"] for action in request["menu"]]
        for wanted in ("hora", "reach", "noten", "ryukyoku", "daiminkan"):
            if wanted in kinds:
                return len(kinds) - 1 - kinds[::-1].index(wanted)  # an open riichi comes last
        calls = [i for i, kind in enumerate(kinds) if kind not in ("none", "dahai")]
        if calls and rng.random() < 0.3:
            return rng.choice(calls)
        match, question = table.match, table.question_of(table.seats[seat])
        assert match is not None
        assert match.kyoku is not None
        assert question is not None
        view = SeatView(seat, match.rules)
        for event in match.kyoku.events:
            view.apply(event.seen_by(seat))
        return question.menu.index(bot.choose(view, question.menu))

    return play


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Message]]:
    """What servers really said, by type: some games, and all the talk around them."""
    with pytest.MonkeyPatch.context() as patched:
        heard: list[Peer] = []
        for number, rules in enumerate(
            (
                {"length": "hanchan"},
                {"preset": "tenhou", "length": "hanchan"},
                {"length": "hanchan", "noten_declaration": True, "open_riichi": True},
            )
        ):
            world = World(tmp_path_factory.mktemp("said"))
            walls = [Wall.from_seed(bytes([number]) * 32, hand) for hand in range(60)]
            rig(patched, *walls)
            heard += talk(world, rules, random.Random(number))
    messages: dict[str, list[Message]] = {}
    for peer in heard:
        for message in peer.got:
            messages.setdefault(message["type"], []).append(message)
    return messages


def talk(world: World, rules: dict[str, Any], rng: random.Random) -> list[Peer]:
    """A whole evening at one table."""
    table, peers = world.seated(
        3, chat=True, spectator_delay=0, rules=rules, seats=["open", "open", "open", "open"]
    )
    # The kit fills the last seat with a house bot.
    curious = Peer(world, hello=False)
    curious.say("hello", protocol=1, hints=True)
    curious.say("spectate", table=table.id)
    old = peers[0]
    peers[0] = Peer(world, hello=False)
    peers[0].say("hello", protocol=1, hints=True)
    peers[0].say("resume", token=old.token)
    peers[1].say("chat", phrase="hello")
    for seat, peer in enumerate(peers):
        peer.play = lively(table, seat, rng)
    asked = next(peer for peer in peers if peer.all("request"))
    asked.say("answer", id=asked.last("request")["id"], index=99)  # and the request comes again
    world.finish(table)
    world.clock.advance(1)
    for peer in peers:
        peer.play = None
    for peer in peers:
        peer.say("rematch")
    reader = world.peer()
    reader.say("create", private=True)
    reader.say("create")
    reader.say("list")
    reader.say("spectate", code=reader.all("created")[0]["code"])
    reader.say("leave")
    reader.say("ping", nonce="7")
    reader.say("resume", token="x")
    world.clock.advance(5)
    reader.say("replay", game=table.id)
    for hand in range(len(reader.last("replay")["kyokus"])):
        reader.say("replay_more", index=hand)
    return [old, *peers, curious, reader]


OPEN = ("rules", "clocks", "fu_parts")
"""Fields of which a sample shows some entries only."""


def same_kind(sample: Any, real: Any, where: str = "") -> bool:
    """Whether a sample has the keys and types of something real."""
    if isinstance(sample, dict) and isinstance(real, dict):
        if where not in OPEN and set(sample) != set(real):
            return False
        return all(key in real and same_kind(sample[key], real[key], key) for key in sample)
    if isinstance(sample, list) and isinstance(real, list):
        if not sample or not real:
            return True
        return all(any(same_kind(item, other) for other in real) for item in sample)
    numbers = (int, float)
    if isinstance(sample, numbers) and not isinstance(sample, bool):
        return isinstance(real, numbers) and not isinstance(real, bool)
    return type(sample) is type(real)


@pytest.mark.parametrize("name", wire.SERVER_MESSAGES)
def test_samples_of_the_server_are_like_what_it_says(
    name: str, said: dict[str, list[Message]]
) -> None:
    samples = [json.loads(text) for text in fences(section(SERVER, name), "server")]
    assert samples
    for sample in samples:
        assert sample["type"] == name
        assert any(same_kind(sample, real) for real in said[name])


@pytest.mark.parametrize("name", wire.SERVER_MESSAGES)
def test_the_fields_of_what_the_server_says_are_those_of_the_page(
    name: str, said: dict[str, list[Message]]
) -> None:
    told = {field for row in rows(section(SERVER, name)) for field in names(row[0])}
    real = {field for message in said[name] for field in message} - {"type"}
    assert real == told


def fields_of(heading: str) -> dict[str, tuple[set[str], set[str]]]:
    """From a table of types: the fields that are always there, and those marked with `?`."""
    table = {}
    for row in rows(part(heading)):
        maybe = set(re.findall(r"`(\w+)`\?", row[1]))
        for kind in names(row[0]):
            table[kind] = set(names(row[1])) - maybe, maybe
    return table


def test_events_and_actions_have_the_fields_of_the_page(said: dict[str, list[Message]]) -> None:
    events = [message["event"] for message in said["event"]]
    events += [event for message in said["replay_kyoku"] for event in message["events"]]
    actions = [action for message in said["request"] for action in message["menu"]]
    for heading, all_names, real in (
        ("## Events", EVENT_NAMES, events),
        ("## Actions", ACTION_NAMES, actions),
    ):
        table = fields_of(heading)
        assert set(table) == set(all_names)
        seen = {one["type"] for one in real}
        assert seen == set(all_names), "the games of this test have every kind"
        for one in real:
            always, maybe = table[one["type"]]
            assert always <= set(one) - {"type"} <= always | maybe, one


def test_samples_of_events_are_like_real_ones(said: dict[str, list[Message]]) -> None:
    samples = [json.loads(text) for text in fences(part("## Events"), "event")]
    assert len(samples) == 2
    for sample in samples:
        assert any(same_kind(sample, message["event"]) for message in said["event"])


def test_the_worked_session_is_one_that_could_happen(said: dict[str, list[Message]]) -> None:
    lines = [line for text in fences(TEXT, "session") for line in text.splitlines()]
    assert len(lines) > 20
    for line in lines:
        arrow, message = line[0], json.loads(line[2:])
        if arrow == "→":
            wire.check(wire.decode(line[2:], "json"))
        else:
            assert arrow == "←"
            assert any(same_kind(message, real) for real in said[message["type"]]), line


def test_samples_of_the_mjai_endpoint_are_like_what_it_says(world: World) -> None:
    samples = [json.loads(text) for text in fences(part("## The mjai endpoint"), "mjai")]
    table, _ = world.table()
    for query, sample in zip(({"table": table.id}, {"table": "0"}), samples, strict=True):
        line = FakeLine()
        program = mjai_session.MjaiSession(line, query, world.lobby, world.clock, world.metrics)
        program.open()
        world.clock.settle()
        assert same_kind(sample, json.loads(line.frames[0]))


# ---------------------------------------------------------------------- a client from the page


class Newcomer:
    """A client that knows the page, JSON and websockets, and nothing of the project."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.table = ""
        self.token = ""
        self.seen: list[int] = []
        self.replay = ""

    async def play(self, breaks: int) -> None:
        """A match against house bots, with some broken connections on the way."""
        while not self.replay:
            async with connect(self.url + "/ws", subprotocols=["jantaku.v1.json"]) as socket:  # type: ignore[list-item]
                await self.talk(socket, breaks)
            breaks -= 1

    async def talk(self, socket: Any, breaks: int) -> None:
        async def say(**message: Any) -> None:
            await socket.send(json.dumps(message))

        await say(type="hello", protocol=1, client="newcomer 1")
        budget = 25 if breaks > 0 else 10**9
        async for text in socket:
            message = json.loads(text)
            match message["type"]:
                case "welcome" if self.token:
                    await say(type="resume", token=self.token, after=len(self.seen) - 1)
                case "welcome":
                    bots = [f"bot:{name}" for name in message["bots"][:3]]
                    rules = {"preset": message["presets"][0], "length": "tonpuu"}
                    await say(type="create", seats=["open", *bots], clock="bots", rules=rules)
                case "created":
                    await say(type="join", table=message["table"], name="newcomer", kind="bot")
                case "joined":
                    self.table, self.token = message["table"], message["token"]
                case "event":
                    self.seen.append(message["seq"])
                    if budget == 0:
                        return
                    budget -= 1
                case "request":
                    await say(type="answer", id=message["id"], index=self.choose(message["menu"]))
                case "finished":
                    self.replay = message["replay"]
                    return
                case "error" | "rejected":
                    raise AssertionError(message)

    @staticmethod
    def choose(menu: list[dict[str, Any]]) -> int:
        """Win, else pass, else discard the drawn tile or the last one."""
        for wanted in ({"type": "hora"}, {"type": "none"}, {"tsumogiri": True}):
            for index, action in enumerate(menu):
                if wanted.items() <= action.items():
                    return index
        return len(menu) - 1


async def test_a_newcomer_with_nothing_but_the_page_plays_a_match(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        newcomer = Newcomer(address(app, ""))
        async with asyncio.timeout(60):
            await newcomer.play(breaks=3)
        assert newcomer.seen == list(range(len(newcomer.seen))), "no event twice, none skipped"
        status, _, body = await plain_get(app, f"/replays/{newcomer.replay}")
        assert status == 200
        lines = gzip.decompress(body).splitlines()
        assert json.loads(lines[0])["names"][0] == "newcomer"
        assert len(lines) == len(newcomer.seen)
