"""Whole games over real sockets: many at once, by chance, without a complaint, all of them proved.

The server is a process of its own; its players are the `random` bot at the other end of a
websocket, in both formats.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import signal
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from process_kit import Follower, Player, create, masked, record_of, serving, verified

from jantaku_clients.bots import BOTS
from jantaku_clients.bots.player import Bot
from jantaku_engine.actions import from_mjai
from jantaku_engine.rules import PRESETS

SIDE_BY_SIDE = 4
PRESET_NAMES = sorted(PRESETS)


class RandomPlayer(Player):
    """A seat that the `random` bot plays from outside."""

    bot: Bot | None = None

    async def hear(self, line: Any, message: dict[str, Any]) -> None:
        if message["type"] != "request":
            await super().hear(line, message)
            return
        if self.bot is None:
            self.bot = BOTS["random"](self.rng)
        menu = tuple(from_mjai(action) for action in message["menu"])
        action = self.bot.choose(None, menu)  # type: ignore[arg-type]
        answer = {"action": message["menu"][menu.index(action)]}
        if self.rng.random() < 0.5:
            answer = {"index": menu.index(action)}
        self._said[message["id"]] = message["menu"][menu.index(action)]
        await self.send(line, "answer", id=message["id"], **answer)


async def play_whole_games(data: Path, seed: int, games: int) -> None:
    """Play so many games, a few side by side, under each preset in turn; check all that is left."""
    rng = random.Random(seed)
    begun = time.monotonic()
    finished: list[list[Follower]] = []
    presets = itertools.cycle(PRESET_NAMES)
    left = iter(range(games))

    async with serving(data) as server:

        async def play_on() -> None:
            for number in left:
                rules = {"preset": next(presets)}
                table = await create(
                    server.address, rules=rules, clock="bots", spectator_delay=0, pause_ms=0
                )
                followers: list[Follower] = [
                    RandomPlayer(
                        server,
                        table,
                        random.Random(rng.random()),
                        "msgpack" if (seat + number) % 2 else "json",
                    )
                    for seat in range(4)
                ]
                followers.append(Follower(server))
                followers[-1].table = table
                async with asyncio.TaskGroup() as group:
                    for follower in followers:
                        group.create_task(follower.run())
                finished.append(followers)

        async with asyncio.TaskGroup() as group:
            for _ in range(SIDE_BY_SIDE):
                group.create_task(play_on())
        played = time.monotonic() - begun
        listed = await asyncio.to_thread(_games, server.address)
        assert await server.end(signal.SIGINT) == 0

    assert server.complaints() == []
    assert len(finished) == games
    assert {game["id"] for game in listed} == {followers[0].table for followers in finished}
    hands = events = 0
    for followers in finished:
        table = followers[0].table
        record, lines = record_of(data, table)
        tally = verified(data, table)
        assert tally.mismatches == []
        assert tally.walls_checked == tally.rounds
        assert tally.seeds_checked == 1
        for follower in followers:
            seat = follower.seat if isinstance(follower, Player) else -1
            assert follower.connections == 1
            assert follower.events == masked(record, seat)
            assert follower.finished == {
                "type": "finished",
                "table": table,
                "replay": f"{table}.mjson.gz",
                "seed": lines[-1]["seed"],
                "entropy": lines[0]["entropy"],
            }
        hands += tally.rounds
        events += len(record)
    print(
        f"seed {seed}: {games} games, {hands} hands, {events} events, "
        f"played in {played:.1f} s, checked in {time.monotonic() - begun - played:.1f} s"
    )


def _games(address: str) -> list[dict[str, Any]]:
    url = f"{address.replace('ws', 'http', 1)}/api/games"
    with urllib.request.urlopen(url, timeout=30) as response:
        games: list[dict[str, Any]] = json.load(response)["games"]
    return games


async def test_a_whole_game_of_each_preset_ends_without_a_complaint_and_is_proved(
    tmp_path: Path,
) -> None:
    await play_whole_games(tmp_path, seed=1, games=len(PRESET_NAMES))


@pytest.mark.long
async def test_two_hundred_whole_games_end_without_a_complaint_and_are_proved(
    tmp_path: Path,
) -> None:
    await play_whole_games(tmp_path, seed=2, games=200)
