"""Mjai programs as processes, at a real server: three ways of talking, breaks, deaths.

The programs in `programs/` import nothing of the project.
"""

from __future__ import annotations

import asyncio
import contextlib
import doctest
import json
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from client_kit import HOUSE, SHORT, eventually, gate_to, quick, replay_of, running, url, verified
from websockets.asyncio.server import ServerConnection, serve

from jantaku_clients import mjai_pipe
from jantaku_clients.address import parse_address
from jantaku_clients.client import Client, ConnectionLost, ProtocolError, Refused
from jantaku_clients.mjai_pipe import Pipe, ProgramError, read_line, split_command
from jantaku_server.app import App

PROGRAMS = Path(__file__).parent / "programs"
WAYS = {"line_bot.py": "line", "act_bot.py": "act", "batch_bot.py": "batch"}


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with running(tmp_path / "data") as server:
        yield server


def program(name: str, *options: str) -> list[str]:
    return [sys.executable, str(PROGRAMS / name), "{seat}", *options]


PATIENT = {"move": 120_000, "bank": 0, "grace": 120_000}
"""A clock that no busy machine is too slow for: whatever it answers is a fault."""


async def table(app: App, **settings: Any) -> str:
    """A new table with one free seat, without pauses."""
    fields = {"rules": SHORT, "seats": HOUSE, "clock": PATIENT, **AT_ONCE, **settings}
    async with Client(url(app)) as client:
        made = await client.create(**fields)
    return str(made["table"])


def pipe_to(where: str, command: list[str], style: str = "auto", **options: Any) -> Pipe:
    return Pipe(parse_address(where), command, "program", style, retry=quick(5000), **options)


def timeouts(app: App) -> int:
    lines = app.metrics.text().decode().splitlines()
    (line,) = [line for line in lines if line.startswith("jantaku_timeouts_total")]
    return int(float(line.split()[1]))


AT_ONCE = {"call_window_ms": 0, "pause_ms": 0, "pace_ms": 0}
SHORT_CLOCK = {"move": 100, "first": 100, "bank": 0, "grace": 5000}


@contextlib.asynccontextmanager
async def playing(pipe: Pipe) -> AsyncIterator[None]:
    """A game that is broken off at the end."""
    game = asyncio.create_task(pipe.play())
    try:
        yield
    finally:
        game.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await game
        await pipe.close()


def events_of(app: App, table_id: str, seat: int) -> list[dict[str, Any]]:
    match = app.lobby.tables[table_id].match
    assert match is not None
    events = [event.seen_by(seat).to_mjai() for event in match.events]
    events[0]["id"] = seat
    return [json.loads(json.dumps(event)) for event in events]


# ---------------------------------------------------------------------- three ways of talking


@pytest.mark.parametrize(
    ("name", "style", "rules"),
    [
        ("line_bot.py", "line", {"preset": "tenhou"}),
        ("line_bot.py", "auto", {"preset": "standard"}),
        ("act_bot.py", "act", {"preset": "standard"}),
        ("act_bot.py", "auto", {"preset": "tenhou"}),
        ("batch_bot.py", "batch", {"preset": "tenhou"}),
    ],
)
async def test_a_whole_hanchan(app: App, name: str, style: str, rules: dict[str, str]) -> None:
    where = await table(app, rules=rules)
    told: list[str] = []
    quiet = 30 if name == "act_bot.py" else 0
    pipe = pipe_to(
        url(app, f"/table/{where}"), program(name), style, pass_after_ms=quiet, tell=told.append
    )
    result = await pipe.play()
    await pipe.close()
    assert result.names[result.seat] == "program"
    hint = ["the program answers only when it acts: with --style act"]
    found_out = name == "act_bot.py" and style == "auto"
    assert [line.partition(" its ")[0] for line in told] == hint * found_out
    assert pipe._style == ("act" if found_out else style)
    assert timeouts(app) == 0
    assert verified(await replay_of(app, where)).games == 1
    if name == "act_bot.py":
        assert "pon" in {event["type"] for event in events_of(app, where, -1)}


@pytest.mark.parametrize("name", ["line_bot.py", "batch_bot.py"])
async def test_the_program_reads_what_its_seat_may_know_and_no_more(
    app: App, name: str, tmp_path: Path
) -> None:
    where = await table(app)
    log = tmp_path / "transcript"
    option = f"transcript={log}" if name == "line_bot.py" else str(log)
    pipe = pipe_to(url(app, f"/table/{where}"), program(name, option), WAYS[name])
    result = await pipe.play()
    await pipe.close()
    read = [json.loads(line) for line in log.read_text().splitlines()]
    if name == "batch_bot.py":
        read = [event for array in read for event in array]
    assert read == events_of(app, where, result.seat)


async def test_a_code_opens_a_private_table(app: App) -> None:
    async with Client(url(app)) as client:
        made = await client.create(rules=SHORT, seats=HOUSE, clock="bots", private=True)
    seats: list[tuple[str, int]] = []
    pipe = pipe_to(
        url(app, f"/code/{made['code']}"),
        program("line_bot.py"),
        on_seat=lambda *seat: seats.append(seat),
    )
    await pipe.play()
    await pipe.close()
    assert seats == [(made["table"], 0)]


async def test_several_games_each_with_a_program_of_its_own(app: App, tmp_path: Path) -> None:
    where = await table(app)
    log = tmp_path / "transcript"
    pipe = pipe_to(url(app, f"/table/{where}"), program("line_bot.py", f"transcript={log}"), "line")
    for games in (2, 1):
        await pipe.play(games)
    await pipe.close()
    types = [json.loads(line)["type"] for line in log.read_text().splitlines()]
    assert types.count("start_game") == types.count("end_game") == 2
    await eventually(lambda: len(list((app.settings.data / "replays").glob("*.gz"))) == 2)


# ---------------------------------------------------------------------- what goes through


def test_the_examples_of_answers() -> None:
    assert doctest.testmod(mjai_pipe).failed == 0


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b'{"type":"none"}', {"type": "none"}),
        (b'  {"type":"none","meta":{"a":[1,2]},"log":"..."}\n', {"type": "none"}),
        (b'{"type":"pon","consumed":["5m","5mr"]}', {"type": "pon", "consumed": ["5m", "5mr"]}),
        (b"loading the model", None),
        (b'{"actor":1}', None),
        (b'{"type":1}', None),
        (b'[{"type":"none"}]', None),
        (b"\xff\xfe", None),
        (b"[" * 100_000, None),
        (b"", None),
    ],
)
def test_an_answer_is_what_mjai_has_of_a_line(line: bytes, answer: dict[str, Any] | None) -> None:
    read = read_line(line)
    assert (None if read is None else json.loads(read)) == answer


def test_a_command_is_split_like_in_a_shell_but_runs_in_none() -> None:
    assert split_command("python3 'my bot.py' {seat} ; ls") == [
        *("python3", "my bot.py", "{seat}", ";", "ls")
    ]
    for wrong in ("", "  ", "python3 'bot"):
        with pytest.raises(ValueError):
            split_command(wrong)


async def test_notes_of_a_program_do_not_leave_this_side(app: App) -> None:
    where = await table(app)
    told: list[str] = []
    pipe = pipe_to(
        url(app, f"/table/{where}"), program("line_bot.py", "notes=yes"), tell=told.append
    )
    await pipe.play()
    await pipe.close()
    assert timeouts(app) == 0
    assert told[0] == "not mjai: thinking about start_game"
    assert {line.rsplit(" ", 1)[0] for line in told} == {"not mjai: thinking about"}


# ---------------------------------------------------------------------- breaks


@pytest.mark.parametrize("name", WAYS)
async def test_breaks_lose_nothing(app: App, name: str, tmp_path: Path) -> None:
    where = await table(app)
    log = tmp_path / "transcript"
    options = {"line_bot.py": [f"transcript={log}"], "batch_bot.py": [str(log)]}.get(name, [])
    async with gate_to(app) as gate:
        pipe = pipe_to(
            f"{gate.url}/table/{where}",
            program(name, *options),
            WAYS[name],
            pass_after_ms=30 if name == "act_bot.py" else 0,
        )
        game = asyncio.create_task(pipe.play())
        live = app.lobby.tables[where]
        step = 0
        while not game.done():
            step += 25
            await eventually(lambda: game.done() or live.published >= step)  # noqa: B023
            gate.cut()
        result = await game
        await pipe.close()
        assert gate.connections > 3
    assert timeouts(app) == 0
    verified(await replay_of(app, where))
    if options:
        read = [json.loads(line) for line in log.read_text().splitlines()]
        if name == "batch_bot.py":
            read = [event for array in read for event in array]
        assert read == events_of(app, where, result.seat)


async def test_a_restarted_server_finds_the_program_where_it_was(tmp_path: Path) -> None:
    data, log = tmp_path / "data", tmp_path / "transcript"
    async with running(data) as app:
        port = app.port
        where = await table(app)
        command = program("line_bot.py", f"transcript={log}")
        pipe = pipe_to(url(app, f"/table/{where}"), command)
        game = asyncio.create_task(pipe.play())
        await eventually(lambda: where in app.lobby.tables and app.lobby.tables[where].published)
        await eventually(lambda: app.lobby.tables[where].published > 60)
    assert not game.done()
    async with running(data, port) as app:
        result = await game
        await pipe.close()
        read = [json.loads(line) for line in log.read_text().splitlines()]
        assert read == events_of(app, where, result.seat)
        verified(await replay_of(app, where))


async def test_a_server_that_stays_away_is_given_up(app: App) -> None:
    where = await table(app)
    async with gate_to(app) as gate:
        pipe = Pipe(
            parse_address(f"{gate.url}/table/{where}"),
            program("line_bot.py"),
            "program",
            retry=quick(attempts=5),
        )
        game = asyncio.create_task(pipe.play())
        await eventually(lambda: app.lobby.tables[where].published > 20)
        gate.is_open = False
        gate.cut()
        with pytest.raises(ConnectionLost, match="was not made again"):
            await game
        await pipe.close()


# ---------------------------------------------------------------------- failures


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("signal=9", "the program was killed by SIGKILL before its game was over"),
        ("x=y", "the program ended with status 3 before its game was over"),
    ],
)
async def test_a_program_that_dies_ends_the_pipe(app: App, option: str, says: str) -> None:
    where = await table(app)
    command = program("line_bot.py", "die_after=10", option)
    pipe = pipe_to(url(app, f"/table/{where}"), command)
    with pytest.raises(ProgramError) as error:
        await pipe.play()
    await pipe.close()
    assert str(error.value) == says
    seat = app.lobby.tables[where].seats[0]
    await eventually(lambda: seat.listener is None)


async def test_a_program_that_dies_at_once_may_want_arrays(app: App) -> None:
    pipe = pipe_to(url(app), program("line_bot.py", "die_after=0"))
    with pytest.raises(ProgramError, match=r"say --style batch$"):
        await pipe.play()
    await pipe.close()


async def test_a_program_that_dies_for_want_of_its_seat_is_told_how_to_get_it(app: App) -> None:
    for style in ("auto", "batch"):
        pipe = pipe_to(url(app), [sys.executable, str(PROGRAMS / "line_bot.py")], style)
        with pytest.raises(ProgramError, match=r"want its seat: \{seat\} in the command"):
            await pipe.play()
        await pipe.close()


async def test_a_program_that_does_not_exist(app: App, tmp_path: Path) -> None:
    pipe = pipe_to(url(app), [str(tmp_path / "nothing")])
    with pytest.raises(ProgramError, match="nothing: cannot be started: No such file"):
        await pipe.play()
    await pipe.close()


async def test_a_program_that_does_not_end_is_ended(app: App, monkeypatch) -> None:
    monkeypatch.setattr(mjai_pipe, "_FAREWELL_S", 0.2)
    where = await table(app)
    pipe = pipe_to(url(app, f"/table/{where}"), program("line_bot.py", "lingers=yes"))
    await pipe.play()
    await pipe.close()


@pytest.mark.parametrize(
    ("path", "code"), [("/table/0000", "not_found"), ("/code/wrong", "not_found")]
)
async def test_a_refusal_is_told_with_its_reason(app: App, path: str, code: str) -> None:
    told: list[str] = []
    pipe = pipe_to(url(app, path), program("line_bot.py"), tell=told.append)
    with pytest.raises(Refused, match=code):
        await pipe.play()
    await pipe.close()


async def test_answers_that_are_refused_are_told(app: App) -> None:
    where = await table(app, clock=SHORT_CLOCK)
    told: list[str] = []
    # It always says that it is seat 7.
    command = [sys.executable, "-c", WRONG_SEAT, "{seat}"]
    pipe = pipe_to(url(app, f"/table/{where}"), command, "line", tell=told.append)
    async with playing(pipe):
        await eventually(lambda: any(": may not " in line for line in told))
    # On a busy machine some come too late, which is told as well.
    assert all(re.match(r"the server says: (may not|too late)", line) for line in told)


WRONG_SEAT = """
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    mine = event["type"] == "tsumo" and event["actor"] == int(sys.argv[1])
    answer = {"type": "dahai", "actor": 7, "pai": event["pai"]} if mine else {"type": "none"}
    print(json.dumps(answer), flush=True)
"""


@pytest.mark.parametrize("frame", ["nonsense", "3", '{"x":1}', "[]", "[{}]", b"\xff"])
async def test_a_server_that_speaks_no_mjai_is_an_error(frame: str | bytes) -> None:
    hello = '{"type":"hello","table":"t","seat":0,"token":"secret"}'

    async def script(connection: ServerConnection) -> None:
        await connection.send(hello)
        await connection.send(frame)
        await connection.wait_closed()

    async with serve(script, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        pipe = pipe_to(f"http://127.0.0.1:{port}", program("line_bot.py"))
        with pytest.raises(ProtocolError, match="sent no mjai"):
            await pipe.play()
        await pipe.close()


async def test_a_seat_that_was_taken_over_is_not_fought_for(app: App) -> None:
    where = await table(app)
    pipe = pipe_to(url(app, f"/table/{where}"), program("line_bot.py"))
    game = asyncio.create_task(pipe.play())
    await eventually(lambda: pipe._token)
    async with Client(url(app)) as other:
        await other.resume(pipe._token)
        with pytest.raises(Refused, match="taken_over"):
            await game
    await pipe.close()
