"""The client library against real servers, broken connections and false servers."""

from __future__ import annotations

import asyncio
import doctest
import itertools
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from client_kit import (
    HOUSE,
    SHORT,
    FalseServer,
    eventually,
    gate_to,
    nowhere,
    pretending,
    quick,
    replay_of,
    running,
    url,
    verified,
)
from websockets.asyncio.server import ServerConnection, serve

from jantaku_clients import address
from jantaku_clients.address import AddressError, parse_address
from jantaku_clients.bots import BOTS, make_bot
from jantaku_clients.client import (
    ChoiceError,
    Client,
    ConnectionLost,
    ProtocolError,
    Refused,
    Result,
    Retry,
)
from jantaku_engine.actions import Action
from jantaku_engine.events import Event, StartGame
from jantaku_engine.menu import Menu
from jantaku_engine.rules import Ruleset
from jantaku_engine.view import SeatView
from jantaku_server.app import App


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with running(tmp_path / "data") as server:
        yield server


QUICK = {"rules": SHORT, "seats": HOUSE, "clock": "bots"}


async def seated(client: Client, **settings: Any) -> str:
    """Take the free seat of a new table with house bots; the table."""
    made = await client.create(**{**QUICK, **settings})
    await client.join("tester", code=made["code"], table=made["table"])
    return str(made["table"])


def first(view: SeatView, menu: Menu) -> Action:
    return menu[0]


# ---------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    ("text", "websocket", "table", "code"),
    [
        ("http://127.0.0.1:8765", "ws://127.0.0.1:8765/ws", "", ""),
        ("http://127.0.0.1:8765/", "ws://127.0.0.1:8765/ws", "", ""),
        (" 127.0.0.1:8765 ", "ws://127.0.0.1:8765/ws", "", ""),
        ("localhost", "ws://localhost/ws", "", ""),
        ("https://example.org", "wss://example.org/ws", "", ""),
        ("ws://example.org/ws", "ws://example.org/ws", "", ""),
        ("http://[::1]:8765/table/00ff", "ws://[::1]:8765/ws", "00ff", ""),
        ("https://example.org/code/a-b_c", "wss://example.org/ws", "", "a-b_c"),
        ("http://h:1/code/a%2Fb/", "ws://h:1/ws", "", "a/b"),
        ("http://127.0.0.1:8765/#/", "ws://127.0.0.1:8765/ws", "", ""),
        ("http://127.0.0.1:8765/#/t/00ff", "ws://127.0.0.1:8765/ws", "00ff", ""),
        ("http://127.0.0.1:8765/#/w/00ff", "ws://127.0.0.1:8765/ws", "00ff", ""),
        ("https://example.org/#/c/a-b_c", "wss://example.org/ws", "", "a-b_c"),
    ],
)
def test_an_address_names_a_server_or_a_table(text, websocket, table, code) -> None:
    parsed = parse_address(text)
    assert (parsed.websocket(), parsed.table, parsed.code) == (websocket, table, code)
    assert parse_address(str(parsed)) == parsed


@pytest.mark.parametrize(
    "text",
    [
        *("", "ftp://example.org", "http://", "http://h:99999", "http://h:x", "http://h/a/path"),
        *("http://h:0", "http://user@h", "http://[::1", "http://h/table", "http://h/#/r/00ff"),
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(AddressError):
        parse_address(text)


def test_the_examples_of_addresses() -> None:
    assert doctest.testmod(address).failed == 0


# ---------------------------------------------------------------------- the lobby


async def test_tables_are_made_listed_and_joined(app: App) -> None:
    async with Client(url(app)) as client, Client(url(app), fmt="msgpack") as guest:
        assert client.welcome["bots"] == sorted(BOTS)
        assert await client.tables() == []
        made = await client.create(seats=["open", "open", "bot:random", "bot:random"])
        (table,) = await guest.tables()
        assert table["table"] == made["table"]
        await guest.join("guest", table=made["table"], seat=1)
        assert (guest.table, guest.seat) == (made["table"], 1)
        assert guest.token
        with pytest.raises(Refused, match="full"):
            await client.join("late", table=made["table"], seat=1)
        await guest.leave()
        assert (guest.table, guest.seat, guest.token) == ("", -1, "")
        await client.join("second", table=made["table"], seat=1)


async def test_private_tables_are_joined_by_their_code(app: App) -> None:
    async with Client(url(app)) as client, Client(url(app)) as guest:
        made = await client.create(private=True)
        with pytest.raises(Refused) as refusal:
            await guest.join("guest", table=made["table"])
        assert refusal.value.code == "not_found"
        await guest.join("guest", code=made["code"], entropy="00ff")
        assert guest.table == made["table"]


async def test_who_made_a_table_fills_it(app: App) -> None:
    async with Client(url(app)) as client:
        made = await client.create(rules=SHORT, clock="bots")
        await client.join("owner", table=made["table"])
        await client.fill("random")
        assert (await client.play(first)).names[1:] == ("random 2", "random 3", "random 4")


async def test_sit_takes_a_free_public_seat(app: App) -> None:
    async with Client(url(app)) as owner, Client(url(app)) as client:
        await owner.create(private=True)
        made = await owner.create(seats=["bot:random", "bot:random", "open", "open"])
        await client.sit("bot")
        assert (client.table, client.seat) == (made["table"], 2)


async def test_sit_makes_a_table_where_there_is_none(app: App) -> None:
    async with Client(url(app)) as client:
        await client.sit("bot")
        await eventually(lambda: len(app.lobby.tables) == 1)
        (table,) = await client.tables()
        assert [seat["name"] for seat in table["seats"]] == [
            "bot",
            "greedy 2",
            "greedy 3",
            "greedy 4",
        ]


async def test_sit_goes_to_the_table_of_the_link(app: App) -> None:
    async with Client(url(app)) as owner:
        public = await owner.create()
        private = await owner.create(private=True)
        async with Client(url(app, f"/table/{public['table']}")) as client:
            await client.sit("bot")
            assert client.table == public["table"]
        async with Client(url(app, f"/code/{private['code']}")) as client:
            await client.sit("bot")
            assert client.table == private["table"]
        async with Client(url(app, "/table/0000")) as client:
            with pytest.raises(Refused, match="not_found"):
                await client.sit("bot")


async def test_many_that_sit_at_once_all_find_a_seat(app: App) -> None:
    async def play(number: int) -> Result:
        async with Client(url(app)) as client:
            await client.sit(f"bot {number}")
            return await client.play_as(make_bot("tsumogiri", Random(number)))

    results = await asyncio.gather(*map(play, range(3)))
    assert all(result.names[result.seat].startswith("bot ") for result in results)


# ---------------------------------------------------------------------- playing


async def test_a_whole_hanchan_and_its_replay(app: App) -> None:
    asked = 0

    def choose(view: SeatView, menu: Menu) -> Action:
        nonlocal asked
        asked += 1
        assert view.menu() == menu
        return menu[0]

    async with Client(url(app)) as client:
        table = await seated(client, rules={"preset": "tenhou"})
        result = await client.play(choose)
        assert asked > 50
        assert sorted(result.ranks) == [1, 2, 3, 4]
        assert result.names[result.seat] == "tester"
        assert await client.finished() == f"{table}.mjson.gz"
        assert client.late == 0
    assert verified(await replay_of(app, table)).games == 1


async def test_a_choice_may_take_its_time(app: App) -> None:
    async def choose(view: SeatView, menu: Menu) -> Action:
        await asyncio.sleep(0)
        return menu[-1]

    async with Client(url(app), fmt="msgpack") as client:
        await seated(client)
        assert (await client.play(choose)).names[0] == "tester"


@pytest.mark.parametrize("name", BOTS)
async def test_house_bots_play_through_it_unchanged(app: App, name: str) -> None:
    async with Client(url(app)) as client:
        table = await seated(client)
        await client.play_as(make_bot(name, Random(1)))
    verified(await replay_of(app, table))


async def test_four_clients_see_the_same_game(app: App) -> None:
    seen: list[list[Event]] = [[], [], [], []]

    async def play(number: int, table: str) -> Result:
        async with Client(url(app), fmt="msgpack" if number % 2 else "json") as client:
            await client.join(f"player {number}", table=table, seat=number)
            bot = make_bot("random", Random(number))
            return await client.play(bot.choose, seen[number].append)

    async with Client(url(app)) as owner:
        made = await owner.create(rules=SHORT, clock="bots")
        results = await asyncio.gather(*(play(number, made["table"]) for number in range(4)))
    assert {result._replace(seat=0) for result in results} == {results[0]._replace(seat=0)}
    match = app.lobby.tables[made["table"]].match
    assert match is not None
    for seat in range(4):
        assert seen[seat] == [event.seen_by(seat) for event in match.events]


async def test_the_result_lists_the_winner_first() -> None:
    result = Result(("a", "bb", "c", "d"), (100, 400, 200, 300), (4, 1, 3, 2), (-1, 2, 0, 1.5), 2)
    assert [line.split()[1] for line in result.lines()] == ["bb", "d", "c", "a"]
    assert result.lines()[2].endswith("<")


async def test_a_choice_outside_the_menu_is_an_error(app: App) -> None:
    def choose(view: SeatView, menu: Menu) -> Action:
        return Action(1, 36, (), False) if Action(1, 36, (), False) not in menu else menu[0]

    async with Client(url(app)) as client:
        await seated(client)
        with pytest.raises(ChoiceError, match=r"'dahai 5sr'; it may: "):
            await client.play(choose)


async def test_an_exception_of_the_player_comes_out(app: App) -> None:
    def choose(view: SeatView, menu: Menu) -> Action:
        raise ZeroDivisionError("the player's own fault")

    async with Client(url(app)) as client:
        await seated(client)
        with pytest.raises(ZeroDivisionError):
            await client.play(choose)


async def test_a_rematch_is_another_game_at_the_same_seat(app: App) -> None:
    async with Client(url(app)) as client:
        table = await seated(client)
        await client.play(first)
        await client.finished()
        await client.rematch()
        again = await client.play(first)
        assert client.table != table
        assert again.names[client.seat] == "tester"


async def test_watching_a_table(app: App) -> None:
    async with Client(url(app)) as watcher, Client(url(app)) as client:
        made = await client.create(**QUICK, spectator_delay=0, chat=True)
        await watcher.spectate(table=made["table"])
        assert watcher.info["table"] == made["table"]
        await client.join("tester", table=made["table"])
        await client.chat("good_luck")
        await client.play(first)
        kinds = []
        while "finished" not in kinds:
            kinds.append((await watcher.receive())["type"])
        assert "chat" in kinds
        assert watcher.last_seq + 1 == kinds.count("event")
        await client.leave()
        with pytest.raises(Refused, match="not_found"):
            await client.spectate(code="wrong")


# ---------------------------------------------------------------------- breaks


@pytest.mark.parametrize("fmt", ["json", "msgpack"])
async def test_breaks_skip_no_event_and_ask_nothing_twice(app: App, fmt: str) -> None:
    seen: list[Event] = []
    decided: list[int] = []
    counter = itertools.count(1)
    async with gate_to(app) as gate, Client(gate.url, fmt=fmt, retry=quick()) as client:

        def choose(view: SeatView, menu: Menu) -> Action:
            if next(counter) % 7 == 0:
                gate.cut()
            decided.append(client.last_seq)
            return menu[0]

        table = await seated(client)
        await client.play(choose, seen.append)
        assert gate.connections > 5
    match = app.lobby.tables[table].match
    assert match is not None
    assert seen == [event.seen_by(0) for event in match.events]
    assert len(decided) == len(set(decided))
    verified(await replay_of(app, table))


async def test_an_answer_that_does_not_arrive_is_sent_again(app: App) -> None:
    decided: list[int] = []
    async with gate_to(app) as gate, Client(gate.url, retry=quick()) as client:

        async def cut_soon() -> None:
            await eventually(lambda: client._answer is not None and client._answer[0] == lost[0])
            gate.cut()
            gate.swallow = False

        lost = [-1]
        tasks = []

        def choose(view: SeatView, menu: Menu) -> Action:
            decided.append(client.last_seq)
            if len(decided) == 5:
                lost[0] = client.last_seq + 1
                gate.swallow = True
                tasks.append(asyncio.create_task(cut_soon()))
            return menu[0]

        table = await seated(client)
        await client.play(choose)
        assert gate.connections == 2
        assert client.late == 0
    assert len(decided) == len(set(decided))
    verified(await replay_of(app, table))


async def test_a_restarted_server_is_waited_for(tmp_path: Path) -> None:
    data = tmp_path / "data"
    seen: list[Event] = []
    async with running(data) as app:
        port = app.port
        client = Client(url(app), retry=quick(10_000))
        await client.__aenter__()
        table = await seated(client)
        enough = asyncio.Event()

        async def choose(view: SeatView, menu: Menu) -> Action:
            if len(seen) > 60 and not enough.is_set():
                enough.set()
                await stopped.wait()
            return menu[0]

        stopped = asyncio.Event()
        game = asyncio.create_task(client.play(choose, seen.append))
        await enough.wait()
    stopped.set()
    async with running(data, port) as app:
        await game
        match = app.lobby.tables[table].match
        assert match is not None
        assert seen == [event.seen_by(0) for event in match.events]
        await client.close()
        verified(await replay_of(app, table))


class Hasty(Client):
    """Answers while its connection is being made again, as a player may press a key then."""

    async def _take_up(self) -> None:
        await self.answer(self.last_seq + 1, 0)
        await super()._take_up()


async def test_an_answer_on_the_way_back_is_kept_until_the_question_comes_again(app: App) -> None:
    async with gate_to(app) as gate, Hasty(gate.url, retry=quick()) as client:
        made = await client.create(rules=SHORT, seats=HOUSE, clock="bots")
        await client.join("hasty", made["table"])
        while (asked := await client.receive())["type"] != "request":
            pass
        gate.cut()
        while (again := await client.receive())["type"] != "request":
            assert again["type"] != "error", again
        assert again["id"] == asked["id"]
        assert client._answer == (asked["id"], 0)


async def test_a_watcher_comes_back_too(app: App) -> None:
    async with (
        gate_to(app) as gate,
        Client(url(app)) as client,
        Client(gate.url, retry=quick()) as watcher,
    ):
        made = await client.create(**QUICK, spectator_delay=0)
        await watcher.spectate(table=made["table"])
        await client.join("tester", table=made["table"])
        game = asyncio.create_task(client.play(first))
        seqs: list[int] = []
        while not seqs or seqs[-1] < 100:
            message = await watcher.receive()
            if message["type"] == "event":
                seqs.append(message["seq"])
                if len(seqs) % 20 == 0:
                    gate.cut()
        assert seqs == list(range(len(seqs)))
        await game


async def test_coming_back_by_token_in_another_client(app: App) -> None:
    async with Client(url(app)) as client:
        await seated(client)
        async with Client(url(app)) as other:
            await other.resume(client.token)
            assert (other.table, other.seat) == (client.table, client.seat)
            with pytest.raises(Refused, match="taken_over"):
                await client.play(first)
            await other.play(first)
            with pytest.raises(Refused, match="bad_token"):
                async with Client(url(app)) as third:
                    await third.resume("wrong")


async def test_who_begins_to_play_too_late_is_told(app: App) -> None:
    async with Client(url(app)) as client, Client(url(app)) as other:
        await seated(client)
        while client.last_seq < 2:
            await client.receive()
        await other.resume(client.token, after=2)
        with pytest.raises(ProtocolError, match="resume"):
            await other.play(first)


async def test_nobody_there() -> None:
    where = nowhere()
    with pytest.raises(ConnectionLost, match=rf"{where} cannot be reached") as error:
        async with Client(where):
            pass
    assert "\n" not in str(error.value)


async def test_a_server_that_stays_away_is_given_up(app: App) -> None:
    async with gate_to(app) as gate, Client(gate.url, retry=quick(attempts=5)) as client:
        await seated(client)

        def choose(view: SeatView, menu: Menu) -> Action:
            gate.is_open = False
            gate.cut()
            return menu[0]

        with pytest.raises(ConnectionLost, match="broke and was not made again"):
            await client.play(choose)


async def test_the_pauses_before_attempts_double_and_end() -> None:
    delays = list(Retry(first=1.0, longest=8.0, patience=60.0, rng=Random(3)).delays())
    for delay, most in zip(delays, [1.0, 2.0, 4.0, 8.0, 8.0, 8.0], strict=False):
        assert most / 2 <= delay <= most
    assert 60.0 <= sum(delays) <= 68.0


# ---------------------------------------------------------------------- false servers

RULES = Ruleset.preset("standard").to_dict()
START = StartGame(("a", "b", "c", "d"), RULES).to_mjai()


async def began(false: FalseServer, connection: ServerConnection) -> None:
    await false.seat(connection)
    await false.say(connection, "event", seq=0, event=START)


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ({"type": "event", "seq": 2, "event": START}, "event 2 after event 0"),
        ({"type": "event", "seq": 0, "event": START}, "event 0 after event 0"),
        ({"type": "event", "event": START}, "unreadable message"),
        ({"type": "event", "seq": 1, "event": {"type": "kita"}}, "event 1: type"),
        ({"type": "event", "seq": 1, "event": {"type": "tsumo"}}, "event 1: tsumo"),
        ({"type": "request", "id": 1, "menu": [{"type": "kita"}]}, "unknown action"),
    ],
)
async def test_a_server_that_breaks_its_protocol_is_an_error(message, says) -> None:
    async def script(false: FalseServer, connection: ServerConnection) -> None:
        await began(false, connection)
        await false.say(connection, message.pop("type"), **message)
        await connection.wait_closed()

    async with pretending(script) as (_, where), Client(where) as client:
        await client.join("x", table="t")
        with pytest.raises(ProtocolError, match=says):
            await client.play(first)


@pytest.mark.parametrize("frame", ["nonsense", "[]", "{}", b"\x80", '{"type":"x","n":1e999}'])
async def test_an_unreadable_frame_is_an_error(frame: str | bytes) -> None:
    async def script(false: FalseServer, connection: ServerConnection) -> None:
        await false.seat(connection)
        await connection.send(frame)
        await connection.wait_closed()

    async with pretending(script) as (_, where), Client(where) as client:
        await client.join("x", table="t")
        with pytest.raises(ProtocolError, match="unreadable"):
            await client.receive()


async def test_an_answer_after_the_clock_is_counted_as_late() -> None:
    async def script(false: FalseServer, connection: ServerConnection) -> None:
        await began(false, connection)
        for number in (1, 2):
            await false.say(connection, "request", id=number, menu=[{"type": "none"}])
            answer = await false.hear(connection)
            code = {1: "stale", 2: "illegal"}[number]
            await false.say(connection, "rejected", id=answer["id"], code=code, message="no")
        await connection.wait_closed()

    async with pretending(script) as (false, where), Client(where) as client:
        await client.join("x", table="t")
        with pytest.raises(Refused) as refusal:
            await client.play(first)
    assert refusal.value.code == "illegal"
    assert client.late == 1
    assert [message.get("index") for message in false.heard[1:]] == [0, 0]


async def test_a_server_that_closes_for_good_is_not_asked_again() -> None:
    async def script(false: FalseServer, connection: ServerConnection) -> None:
        await began(false, connection)
        await connection.close(4000, "taken_over")

    async with pretending(script) as (false, where), Client(where, retry=quick()) as client:
        await client.join("x", table="t")
        with pytest.raises(Refused, match="taken_over"):
            await client.play(first)
        assert false.connections == 1


async def test_a_server_of_another_version_is_refused() -> None:
    async def refuse(connection: ServerConnection) -> None:
        await connection.recv()
        await FalseServer.say(connection, "error", code="version", message="I speak 2")

    async with serve(refuse, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        with pytest.raises(Refused, match="I speak 2"):
            async with Client(f"http://127.0.0.1:{port}"):
                pass
