"""`jantaku play` in a real terminal, from the first key to the last placement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from screen_kit import Screen, Server, need_tmux

ASKED = re.compile(r"your (turn|claim)")
OVER = "the game is over"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    need_tmux()
    server = Server(tmp_path / "data")
    yield server
    server.kill()


@pytest.fixture
def screen(tmp_path: Path, server: Server) -> Iterator[Screen]:
    # Nobody goes bust, so that a whole game has four hands or more.
    rules = tmp_path / "rules.toml"
    rules.write_text('tobi = "off"\n')
    play = ("play", f"127.0.0.1:{server.port}", "--create", "--rules", str(rules), "--name", "Aoi")
    at_once = ("--pace", "0", "--window", "0", "--pause", "0")
    screen = Screen(tmp_path, *play, "--length", "tonpuu", *at_once)
    yield screen
    screen.close()


def play_until(screen: Screen, what: str) -> str:
    """Press enter at each question until the screen shows something; what it shows then.

    What happened is told in a few lines: an own discard may be gone before anybody looks.
    """
    while True:
        shown = screen.until(lambda text: re.search(what, text) or ASKED.search(text))
        if re.search(what, shown):
            return shown
        screen.type("Enter")
        screen.wait_for_change(1.0)


def test_a_whole_tonpuu_by_keys_with_a_resize_and_a_restart(server: Server, screen: Screen) -> None:
    shown = screen.until(ASKED.pattern)
    assert "Aoi" in shown
    assert "東1局 East 1" in shown
    assert shown.count("greedy") >= 3

    # A number and enter discard that tile; the river has it then.
    screen.type("1", "Enter")
    play_until(screen, "Aoi discards")
    screen.until(ASKED.pattern)

    screen.resize(70, 40)
    narrow = screen.until(lambda text: max(map(len, text.splitlines())) <= 70 and "wall" in text)
    assert "Aoi" in narrow
    screen.resize(100, 32)
    screen.until(lambda text: re.search(r"greedy \d.*greedy \d", text) is not None)

    server.kill()
    screen.until("the connection is lost")
    server.start()
    screen.until(
        lambda text: "the connection is lost" not in text and ASKED.search(text) is not None
    )

    hands = set()
    asked = 0
    while OVER not in (shown := screen.until(lambda t: OVER in t or ASKED.search(t) is not None)):
        asked += 1
        assert asked < 3000, "the game does not end"
        hands.update(re.findall(r"East \d|South \d", shown))
        screen.type("Enter")
        screen.wait_for_change(1.0)
    assert "East 1" in hands
    # A hand may be over before this seat is asked anything.
    assert len(hands) >= 3

    screen.type("C-q")
    assert screen.end()[0] == 0


def test_who_leaves_is_told_the_way_back_and_finds_the_seat_there(
    tmp_path: Path, server: Server, screen: Screen
) -> None:
    screen.until(ASKED.pattern)
    screen.type("C-q")
    left = screen.end()[1].replace("\n", "")
    token = re.search(r"--resume ([0-9a-f]+)", left)
    assert token, left
    (tmp_path / "back").mkdir()
    back = Screen(tmp_path / "back", "play", f"127.0.0.1:{server.port}", "--resume", token[1])
    try:
        shown = back.until(ASKED.pattern)
        assert "Aoi" in shown
        play_until(back, "Aoi discards")
    finally:
        back.close()
