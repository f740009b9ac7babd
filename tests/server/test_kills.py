"""A server that is killed again and again while games are played on it, by real processes."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from process_kit import (
    Follower,
    Player,
    ServerProcess,
    broken_answers,
    masked,
    record_of,
    serving,
    verified,
)
from websockets.asyncio.client import connect

from jantaku_server.replay_files import list_games

KINDS: list[dict[str, Any]] = [
    {"rules": {"preset": "standard"}, "call_window_ms": 0, "pause_ms": 0},
    {"rules": {"preset": "tenhou"}, "call_window_ms": 8, "pause_ms": 20},
    {"rules": {"preset": "mahjongsoul"}, "call_window_ms": 0, "pause_ms": 50},
    {"rules": {"preset": "standard", "length": "tonpuu"}, "call_window_ms": 4, "pause_ms": 0,
     "pace_ms": 2,
     "seats": ["open", "bot:random", "open", "bot:greedy"]},
]  # fmt: skip
CLOCK = {"move": 30_000, "first": 60_000, "bank": 60_000, "grace": 5_000}


class Games:
    """Tables that are played side by side; when one ends another begins, until it is enough."""

    def __init__(self, server: ServerProcess, rng: random.Random) -> None:
        self.server = server
        self.rng = rng
        self.enough = False
        self.events = 0
        self.done: list[list[Follower]] = []
        self._news = asyncio.Event()

    def _count(self) -> None:
        self.events += 1
        self._news.set()

    async def more_events(self, number: int) -> None:
        """Wait until so many more have been told to all clients together."""
        until = self.events + number
        while self.events < until:
            self._news.clear()
            await self._news.wait()

    async def keep_playing(self, kind: dict[str, Any]) -> None:
        """Play one game after the other at tables of this kind."""
        while not self.enough:
            followers = await self._table(kind)
            async with asyncio.TaskGroup() as group:
                for follower in followers:
                    group.create_task(follower.run())
            self.done.append(followers)

    async def _table(self, kind: dict[str, Any]) -> list[Follower]:
        """Create a table, whatever happens to the server meanwhile."""
        maker = Maker(self.server, {**kind, "clock": CLOCK, "spectator_delay": 0})
        await maker.run()
        table = maker.table
        players: list[Follower] = [
            Player(
                self.server,
                table,
                random.Random(self.rng.random()),
                "msgpack" if number % 2 else "json",
                self._count,
            )
            for number in range(kind.get("seats", ["open"] * 4).count("open"))
        ]
        spectator = Follower(self.server)
        spectator.table = table
        return [*players, spectator]


class Maker(Follower):
    """Makes one table; what was acknowledged is there for good."""

    def __init__(self, server: ServerProcess, create: dict[str, Any]) -> None:
        super().__init__(server)
        self._create = create

    async def begin(self, line: Any) -> None:
        await self.send(line, "create", **self._create)

    async def hear(self, line: Any, message: dict[str, Any]) -> None:
        if message["type"] == "created":
            self.table = message["table"]
            self.finished = message


async def kill_while_playing(data: Path, seed: int, kills: int, length: str) -> None:
    """Kill the server so many times at moments that the seed decides; then check everything."""
    rng = random.Random(seed)
    begun = time.monotonic()
    async with serving(data) as server:
        games = Games(server, rng)
        async with asyncio.TaskGroup() as group:
            for kind in KINDS:
                rules = {"length": length, **kind["rules"]}
                group.create_task(games.keep_playing({**kind, "rules": rules}))
            for _ in range(kills):
                # Mostly in the middle of play, now and then just after the start.
                await games.more_events(rng.choice((1, 40, 400, 1_500)) + rng.randrange(100))
                await server.end()
                await server.start()
            games.enough = True
    hands = events = answers = 0
    for followers in games.done:
        found = check(data, followers)
        hands += found[0]
        events += found[1]
        answers += found[2]
    listed = list_games(data)
    assert sorted(game["id"] for game in listed) == sorted(f[0].table for f in games.done)
    assert server.complaints() == []
    restored = sum(1 for line in server.log_lines() if line["event"] == "table restored")
    back = sum(f.connections - 1 for followers in games.done for f in followers)
    print(
        f"seed {seed}: {kills} kills, {restored} tables restored, {len(games.done)} games, "
        f"{hands} hands, {events} events told, {answers} answers acknowledged, "
        f"{back} times back, {time.monotonic() - begun:.0f} s"
    )
    assert server.starts == kills + 1
    assert restored >= kills
    assert back >= kills


def check(data: Path, followers: list[Follower]) -> tuple[int, int, int]:
    """One table: everybody saw the saved game, and it is proved; hands, events, answers."""
    table = followers[0].table
    events, lines = record_of(data, table)
    tally = verified(data, table)
    assert tally.mismatches == []
    assert tally.walls_checked == tally.rounds
    assert tally.seeds_checked == 1
    answers = told = 0
    for follower in followers:
        seat = follower.seat if isinstance(follower, Player) else -1
        assert follower.events == masked(events, seat)
        assert follower.finished is not None
        assert follower.finished["seed"] == lines[-1]["seed"]
        told += len(follower.events)
        if isinstance(follower, Player):
            assert list(broken_answers(follower, events)) == []
            assert lines[0]["entropy"][seat] == follower.entropy
            answers += len(follower.accepted)
    return tally.rounds, told, answers


async def test_killed_a_few_times_every_game_ends_whole_and_proved(tmp_path: Path) -> None:
    await kill_while_playing(tmp_path, seed=1, kills=12, length="tonpuu")


@pytest.mark.long
async def test_killed_a_hundred_times_every_game_ends_whole_and_proved(tmp_path: Path) -> None:
    await kill_while_playing(tmp_path, seed=2, kills=100, length="hanchan")


async def test_stopped_in_order_and_started_again_it_goes_on(tmp_path: Path) -> None:
    """SIGINT and SIGTERM: everybody is told, the process ends well, and the game goes on."""
    async with serving(tmp_path) as server:
        games = Games(server, random.Random(3))
        async with asyncio.TaskGroup() as group:
            group.create_task(games.keep_playing(KINDS[3]))
            for number in (signal.SIGINT, signal.SIGTERM):
                await games.more_events(150)
                assert await server.end(number) == 0
                await server.start()
            games.enough = True
    for followers in games.done:
        check(tmp_path, followers)
    assert server.complaints() == []


async def test_a_folder_in_use_is_refused_by_the_command(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        second = ServerProcess(tmp_path)
        second.log = tmp_path / "second.log"
        with pytest.raises(AssertionError, match="another server uses this folder"):
            await second.start()
        async with connect(f"{server.address}/ws"):
            pass
