"""Four clients of four kinds at one table of a real server, and what their games leave behind.

JSON, msgpack, mjai lines over a websocket, and a program on stdin and stdout behind `jantaku bot`
that knows nothing of this project. They play whole hanchan, each process is real, and
`jantaku replay verify` has the last word.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sys
from pathlib import Path
from typing import Any

from process_kit import (
    CHECKOUT,
    PATIENCE_S,
    Player,
    ServerProcess,
    create,
    environment,
    masked,
    record_of,
    serving,
    verified,
)
from websockets.asyncio.client import connect

PRESETS = ("tenhou", "standard")
FORMATS = ("json", "msgpack")
PROGRAM = CHECKOUT / "tests" / "clients" / "programs" / "line_bot.py"

CLOCK = {"move": 60_000, "bank": 0, "grace": 60_000}
"""No busy machine is too slow for it: nobody is played for by the clock or a stand-in."""

Messages = list[dict[str, Any]]


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "jantaku_clients.cli", *words]


class LineClient:
    """An mjai program on a websocket of its own: an answer for each message.

    Attributes:
        read: every message that was for the program. seat: where it sits.
    """

    def __init__(self, address: str, table: str) -> None:
        self.read: Messages = []
        self.seat = -1
        self._address = f"{address}/mjai?table={table}&name=lines&style=line"

    async def run(self) -> None:
        """Play until the server hangs up after the game."""
        async with connect(self._address, open_timeout=PATIENCE_S) as line:
            hello = json.loads(await line.recv())
            assert hello["type"] == "hello", hello
            self.seat = hello["seat"]
            async for frame in line:
                message = json.loads(frame)
                assert message["type"] != "error", message
                self.read.append(message)
                if message["type"] != "end_game":
                    await line.send(json.dumps(self._answer(message)))
            assert line.close_code == 1000

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """It discards what it draws."""
        if message["type"] == "tsumo" and message["actor"] == self.seat:
            return {"type": "dahai", "actor": self.seat, "pai": message["pai"], "tsumogiri": True}
        return {"type": "none"}


async def run_program(server: ServerProcess, table: str, transcript: Path) -> str:
    """`jantaku bot --exec` to the end of its game; what it prints."""
    page = server.address.replace("ws", "http", 1)
    program = f"{sys.executable} '{PROGRAM}' {{seat}} 'transcript={transcript}'"
    process = await asyncio.create_subprocess_exec(
        *command("bot", f"{page}/table/{table}", "--exec", program, "--name", "program"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment(),
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    # The table is told and nothing else: no answer was refused, none came too late.
    assert err.decode().count("\n") == 1, err.decode()
    return out.decode()


async def play_one(server: ServerProcess, preset: str, folder: Path) -> str:
    """A hanchan of the four; each was told the whole game, and all of them the same one."""
    table = await create(
        server.address,
        rules={"preset": preset},
        clock=CLOCK,
        call_window_ms=0,
        pause_ms=0,
        spectator_delay=0,
    )
    players = [Player(server, table, random.Random(preset + fmt), fmt) for fmt in FORMATS]
    lines = LineClient(server.address, table)
    transcript = folder / f"{preset}.jsonl"
    async with asyncio.timeout(2 * PATIENCE_S), asyncio.TaskGroup() as group:
        for one in (*players, lines):
            group.create_task(one.run())
        printed = group.create_task(run_program(server, table, transcript))
    record, written = record_of(server.data, table)
    assert (written[0]["rules"]["preset"], written[0]["rules"]["length"]) == (preset, "hanchan")
    for player in players:
        assert player.connections == 1
        assert player.accepted
        assert player.events == masked(record, player.seat)
    read = [json.loads(line) for line in transcript.read_text().splitlines()]
    seats = {player.seat for player in players} | {lines.seat, read[0]["id"]}
    assert seats == {0, 1, 2, 3}
    for seat, heard in ((lines.seat, lines.read), (read[0]["id"], read)):
        own = masked(record, seat)
        own[0]["id"] = seat
        assert heard == own
    score = read[-1]["scores"][read[0]["id"]]
    assert re.search(rf"program +{score} .*<$", printed.result(), re.MULTILINE)
    return table


async def of_records(verb: str, folder: Path) -> dict[str, Any]:
    """What `jantaku replay` says of a folder in which all is well."""
    process = await asyncio.create_subprocess_exec(
        *command("replay", verb, str(folder), "--json"),
        stdout=asyncio.subprocess.PIPE,
        env=environment(),
    )
    out, _ = await process.communicate()
    assert process.returncode == 0, out.decode()
    found: dict[str, Any] = json.loads(out)
    return found


async def test_four_kinds_of_clients_play_two_hanchan_that_are_proved(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    async with serving(data) as server, asyncio.TaskGroup() as group:
        games = [group.create_task(play_one(server, one, tmp_path)) for one in PRESETS]
    assert server.complaints() == []
    tables = {game.result() for game in games}
    replays = data / "replays"
    assert {path.name for path in replays.iterdir()} == {f"{one}.mjson.gz" for one in tables}
    found = await of_records("verify", replays)
    assert found["mismatches"] == found["skipped"] == []
    assert found["games"] == 2
    assert found["rounds"] >= 8
    assert found["walls_checked"] == found["rounds"]
    proved = await of_records("prove", replays)
    assert proved["games"] == 2
    assert proved["proved"] == proved["hands"] == found["rounds"]
    assert all(verified(data, table).seeds_checked for table in tables)
