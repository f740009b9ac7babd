"""The keys of `jantaku play`, at a table whose server is this test."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

import pytest
from rich.text import Text
from textual.widgets import Static

from jantaku_clients.terminal.play_app import Play
from jantaku_clients.terminal.tiles import Look
from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import parse_mpsz
from jantaku_engine.view import SeatView

LOOK = Look(styles=False, unicode=True, width=80)
HAND = tuple(parse_mpsz("147m258p369s1234z"))
DRAWN = parse_mpsz("5z")[0]


class FakeClient:
    """A client at seat 0, which is asked for its first discard and keeps what it answers."""

    def __init__(self) -> None:
        self.seat = 0
        self.info: dict[str, Any] = {}
        self.answers: list[tuple[int, int]] = []
        names = ("Aoi", "Beni", "Chika", "Daigo")
        hands = (HAND, *((37,) * 13,) * 3)
        dealt = ev.StartKyoku(0, 1, 0, 0, 0, parse_mpsz("3s")[0], (25_000,) * 4, hands)
        view = SeatView(0, Ruleset())
        self._messages: deque[dict[str, Any]] = deque()
        for event in (ev.StartGame(names, Ruleset().to_dict()), dealt, ev.Tsumo(0, DRAWN)):
            view.apply(event)
            self._messages.append({"type": "event", "event": event.to_mjai()})
        menu = [action.to_mjai(0, 0) for action in view.menu()]
        times = {"time_ms": 60_000, "bank_ms": 0}
        self._messages.append({"type": "request", "id": 3, "menu": menu, **times})

    async def receive(self) -> dict[str, Any]:
        if self._messages:
            return self._messages.popleft()
        return await asyncio.get_running_loop().create_future()

    async def answer(self, request: int, index: int) -> None:
        self.answers.append((request, index))


def shown(app: Play, part: str) -> str:
    content = app.query_one(part, Static).content
    return "\n".join(line.plain for line in content.renderables if isinstance(line, Text))  # type: ignore[union-attr]


@pytest.mark.parametrize("key", ["escape", "question_mark", "enter", "1", "x", "left", "b"])
async def test_any_key_closes_the_help_and_does_nothing_else(key: str) -> None:
    client = FakeClient()
    app = Play(client, "", "", LOOK)  # type: ignore[arg-type]
    async with app.run_test(size=(90, 40)) as pilot:
        while app.game.question is None:
            await pilot.pause()
        selected = app.game.question.selected
        await pilot.press("question_mark")
        assert "any key closes it" in shown(app, "#table")
        assert "any key goes back to the table" in shown(app, "#ask")
        await pilot.press(key)
        assert "any key closes it" not in shown(app, "#table")
        assert "Aoi" in shown(app, "#table")
        assert "your turn" in shown(app, "#ask")
        assert "number" not in shown(app, "#ask")
        assert app.game.question.selected == selected
        assert client.answers == []
        await pilot.press("enter")
        assert [request for request, _ in client.answers] == [3]


async def test_a_long_help_is_scrolled_by_page_keys() -> None:
    app = Play(FakeClient(), "", "", LOOK)  # type: ignore[arg-type]
    async with app.run_test(size=(40, 8)) as pilot:
        await pilot.press("question_mark", "pagedown", "pageup")
        assert "any key closes it" in shown(app, "#table")
