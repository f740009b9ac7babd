"""Playing in a real browser: by clicking, alone and with a friend, through reloads and lag."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from browser import Player, Watched, lagging, play_until

Visit = Callable[..., Watched]


def test_a_whole_tonpuu_against_house_bots_is_played_by_clicking(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.page.fill("#name", "Hanako")
    watched.create()
    player = Player(watched)
    play_until([player], lambda: player.over)
    assert player.clicks > 30
    watched.page.click(".panel button.main")
    watched.page.wait_for_selector(".panel .final")
    end = watched.events()[-1]
    rows = watched.page.locator(".final tbody tr").all_inner_texts()
    best = end["ranks"].index(1)
    assert f"{end['scores'][best]:,}" in rows[0]
    answers = [m["id"] for m in watched.sent if m["type"] == "answer"]
    assert len(answers) == len(set(answers)), "a question was answered twice"
    assert not [f for f in watched.frames if f["type"] == "rejected"]
    # Once more with the same people: the bots agree at once.
    replay = watched.wait_for_frame("finished")["replay"].split(".")[0]
    start = len(watched.frames)
    watched.page.click(".panel .rematch")
    watched.wait_for_frame("rematch", start=start)
    assert watched.wait_for_frame("event", start=start)["event"]["type"] == "start_game"
    watched.wait_for_frame("request", start=start)
    watched.page.wait_for_selector(".table.asked")
    assert watched.page.locator(".panel:visible").count() == 0
    # The finished game is on the server's list, and can be stepped through.
    watched.page.click(".tools a")
    watched.page.click(f'a[href="#/r/{replay}"]')
    watched.page.wait_for_selector("main.replaying[data-place]")


def test_the_result_of_each_win_is_shown_with_yaku_and_the_parts_of_its_fu(
    visit: Visit, url: str
) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.create(pause_ms=4000)
    player = Player(watched)

    def won() -> bool:
        return any(event["type"] == "hora" for event in watched.events()) or player.over

    play_until([player], won)
    hora = next(event for event in watched.events() if event["type"] == "hora")
    watched.page.wait_for_selector(".panel .yaku")
    text = watched.page.inner_text(".panel")
    assert f"{hora['hora_points']:,}" in text
    assert watched.page.locator(".panel .yaku dt").count() == len(hora["yakus"]) + sum(
        1 for key in ("dora", "uradora", "akadora") if hora[key]
    )
    for seat in range(4):
        assert f"{abs(hora['scores'][seat]):,}" in text
    if hora["fu"]:
        parts = next(f["fu_parts"] for f in watched.frames if f.get("fu_parts") is not None)
        assert -(-sum(fu for _, fu in parts) // 10) * 10 in (hora["fu"], 30)
        assert watched.page.locator(".panel .fuparts span").count() == len(parts) + 1


def test_the_switches_play_by_themselves(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.create()
    watched.wait_for_frame("request")
    deadline = time.monotonic() + 60
    while sum(1 for message in watched.sent if message["type"] == "answer") < 6:
        assert time.monotonic() < deadline, "the switches do not play on"
        # Each hand begins with the switches off.
        off = watched.page.locator('[data-auto][aria-pressed="false"]')
        if off.count():
            off.first.click()
        watched.wait()
    mine = [e for e in watched.events() if e["type"] == "dahai" and e["actor"] == watched.seat()]
    assert all(event["tsumogiri"] for event in mine)
    assert not [
        event
        for event in watched.events()
        if event["type"] in ("chi", "pon") and event["actor"] == watched.seat()
    ]


def test_a_seat_opened_in_a_second_tab_goes_there_and_comes_back(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.create()
    player = Player(watched)
    play_until([player], lambda: player.clicks >= 2)
    player.wait_for_question()
    other = watched.context.new_page()
    other.goto(watched.page.url)
    other.wait_for_selector(".table.asked")
    watched.page.wait_for_selector(".banner button")
    watched.page.click(".banner button")
    watched.page.wait_for_selector(".banner", state="hidden")
    watched.page.wait_for_selector(".table.asked")
    other.wait_for_selector(".banner button")
    other.close()
    play_until([player], lambda: player.clicks >= 5)


def test_two_browsers_and_two_bots_play_at_one_table(visit: Visit, url: str) -> None:
    first, second = visit(), visit(language="ja")
    first.open_lobby(url)
    first.page.fill("#name", "Aki")
    first.create(seats=["open", "bot:greedy", "open", "bot:greedy"], private=True)
    link = first.page.input_value(".panel input")
    assert "#/c/" in link
    second.page.goto(link)
    second.page.fill("#join-name", "Bo")
    second.page.click(".panel button.main")
    players = [Player(first), Player(second, seed=1)]
    play_until(players, lambda: all(player.over for player in players), seconds=240)
    assert players[0].seat != players[1].seat
    assert all(player.clicks > 20 for player in players)
    # Both were told the same game, each with its own tiles alone, and see the same result.
    ends = [[_public(event) for event in watched.events()] for watched in (first, second)]
    assert ends[0] == ends[1]
    assert len([event for event in ends[0] if event["type"] == "end_kyoku"]) >= 4
    names = first.events()[0]["names"]
    assert {"Aki", "Bo"} <= set(names)
    for watched in (first, second):
        watched.page.click(".panel button.main")
        watched.page.wait_for_selector(".panel .final")
        rows = watched.page.locator(".final tbody th").all_inner_texts()
        assert rows == [names[ends[0][-1]["ranks"].index(place)] for place in (1, 2, 3, 4)]
        answers = [m["id"] for m in watched.sent if m["type"] == "answer"]
        assert len(answers) == len(set(answers)), "a question was answered twice"
    # They agree on another game, and sit at it together.
    for watched in (first, second):
        watched.page.click(".panel .rematch")
    for watched in (first, second):
        watched.page.wait_for_selector(".panel", state="hidden")
        assert watched.wait_for_frame("rematch")["table"]


def _public(event: dict[str, Any]) -> dict[str, Any]:
    """An event without what only one seat may see in it."""
    return {
        name: value
        for name, value in event.items()
        if name != "tehais" and not (name == "pai" and event["type"] == "tsumo")
    }


def test_a_reload_in_the_middle_of_an_open_request_brings_the_table_back(
    visit: Visit, url: str
) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.create()
    player = Player(watched)
    play_until([player], lambda: player.clicks >= 4)
    request = player.wait_for_question()
    before = watched.page.evaluate("jantaku.app.screen.state")
    start = len(watched.frames)
    watched.page.reload()
    again = watched.wait_for_frame("request", start=start)
    assert again["id"] == request["id"]
    assert again["menu"] == request["menu"]
    assert again["time_ms"] + again["bank_ms"] <= request["time_ms"] + request["bank_ms"]
    watched.page.wait_for_selector(".table.asked")
    assert watched.page.evaluate("jantaku.app.screen.state") == before
    play_until([player], lambda: player.clicks >= 8)


def test_an_answer_on_its_way_when_the_line_breaks_arrives_once(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.create()
    player = Player(watched)
    play_until([player], lambda: player.clicks >= 2)
    request = player.wait_for_question()
    # The network goes in the moment of the click: what was sent is lost with the socket.
    watched.page.evaluate(
        """() => {
          const connection = jantaku.app.connection;
          const send = connection.send;
          connection.send = function (message) {
            connection.send = send;
            connection._lost();
            return false;
          };
        }"""
    )
    start = len(watched.frames)
    chosen = player.choose()
    assert chosen is not None
    player.click(*chosen)
    watched.wait_for_frame("resumed", start=start)
    accepted = watched.wait_for_frame("accepted", start=start)
    assert accepted["id"] == request["id"]
    play_until([player], lambda: player.clicks >= 6)


def test_when_the_network_changes_the_table_comes_back_with_its_question(
    visit: Visit, url: str
) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.create(clock="slow")
    player = Player(watched)
    play_until([player], lambda: player.clicks >= 3)
    request = player.wait_for_question()
    before = watched.page.evaluate("jantaku.app.screen.state")
    start = len(watched.frames)
    watched.context.set_offline(True)
    watched.page.wait_for_selector(".banner:has-text('Connection lost')")
    watched.wait(1000)
    watched.complaints.clear()  # the browser's own: it could not connect
    watched.context.set_offline(False)
    assert watched.wait_for_frame("request", start=start)["id"] == request["id"]
    watched.page.wait_for_selector(".banner", state="hidden")
    assert watched.page.evaluate("jantaku.app.screen.state") == before
    play_until([player], lambda: player.clicks >= 6)


def test_a_spectator_sees_the_game_and_nobody_s_hand(visit: Visit, url: str) -> None:
    player_page, spectator = visit(), visit()
    player_page.open_lobby(url)
    player_page.create(spectator_delay=0, pause_ms=60_000)  # the result stays to be seen
    table = player_page.wait_for_frame("table")["table"]
    spectator.page.goto(f"{url}/#/w/{table}")
    player = Player(player_page)
    play_until([player], lambda: _ended_hands(player_page) >= 1)
    deadline = time.monotonic() + 20
    while not _ended_hands(spectator):
        assert time.monotonic() < deadline
        spectator.wait()
    assert "Watching" in spectator.page.inner_text(".note")
    for event in spectator.events():
        if event["type"] == "start_kyoku":
            assert all(set(hand) == {"?"} for hand in event["tehais"])
        if event["type"] == "tsumo":
            assert event["pai"] == "?"
    spectator.page.wait_for_selector(".panel .final, .panel .result")


def test_with_the_delay_of_a_hand_a_spectator_sees_it_only_when_it_is_over(
    visit: Visit, url: str
) -> None:
    player_page, spectator = visit(), visit()
    player_page.open_lobby(url)
    player_page.create(spectator_delay="hand", pause_ms=3000)
    table = player_page.wait_for_frame("table")["table"]
    spectator.page.goto(f"{url}/#/w/{table}")
    spectator.wait_for_frame("pong")
    player = Player(player_page)
    play_until([player], lambda: player.clicks >= 3)
    assert not [event for event in spectator.events() if event["type"] == "dahai"]
    assert "first hand" in spectator.page.inner_text(".note")
    play_until([player], lambda: _ended_hands(player_page) >= 1)
    # It comes at once and is played back at a pace that can be followed.
    spectator.until("jantaku.app.screen.pace.queue.length > 3")
    first = spectator.page.evaluate("jantaku.app.screen.seq")
    spectator.until(f"jantaku.app.screen.seq > {first} && jantaku.app.screen.pace.queue.length > 0")


def test_no_hidden_tile_of_another_seat_reaches_the_page_or_its_dom(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.create()
    player = Player(watched)
    play_until([player], lambda: player.clicks >= 8)
    for frame in watched.frames:
        event = frame.get("event", {})
        if event.get("type") == "start_kyoku":
            for seat, hand in enumerate(event["tehais"]):
                assert seat == player.seat or set(hand) == {"?"}
        if event.get("type") == "tsumo" and event["actor"] != player.seat:
            assert event["pai"] == "?"
    # The key of the running hand, of which the wall follows, is nowhere either.
    running = watched.events()[max(_starts(watched)) :]
    assert "wall_key" not in json.dumps(running)
    shown = watched.page.evaluate(
        "[...document.querySelectorAll('.backs .t')].map(t => t.dataset.t)"
    )
    assert shown
    if not any(event["type"] in ("hora", "ryukyoku") for event in running):
        assert set(shown) == {"?"}


def _ended_hands(watched: Watched) -> int:
    return sum(1 for event in watched.events() if event["type"] == "end_kyoku")


def _starts(watched: Watched) -> list[int]:
    return [n for n, event in enumerate(watched.events()) if event["type"] == "start_kyoku"]


def test_with_lag_and_a_slow_processor_no_click_is_lost_or_doubled(visit: Visit, url: str) -> None:
    watched = visit()
    session: Any = watched.context.new_cdp_session(watched.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    with lagging(url, LAG_S) as slow_url:
        watched.open_lobby(slow_url)
        watched.create()
        watched.page.wait_for_selector(".table.asked", timeout=20_000)
        watched.page.evaluate(TIME_DRAWING)
        clicked = _press_twice(watched, presses=8)
        drawing = sorted(watched.page.evaluate("drawing"))
        assert drawing[len(drawing) // 2] < 50, "drawing takes longer than a few frames"
        watched.page.goto("about:blank")
    answered = [m["id"] for m in watched.sent if m["type"] == "answer"]
    assert answered == sorted(set(answered)), "a press was doubled"
    assert set(clicked) <= set(answered), "a press was lost"
    accepted = {f["id"] for f in watched.frames if f["type"] == "accepted"}
    assert set(clicked) <= accepted
    assert not [f for f in watched.frames if f["type"] == "rejected"]


LAG_S = 0.2

TIME_DRAWING = """() => {
  globalThis.drawing = [];
  const { screen } = jantaku.app;
  const draw = screen.draw.bind(screen);
  screen.draw = () => {
    const start = performance.now();
    draw();
    drawing.push(performance.now() - start);
  };
}"""
"""Milliseconds of each time that the table is drawn, kept in `drawing`."""


def _press_twice(watched: Watched, presses: int) -> list[int]:
    """An impatient player, who presses everything twice in one go; the questions pressed at."""
    clicked: list[int] = []
    deadline = time.monotonic() + 60
    while len(clicked) < presses:
        assert time.monotonic() < deadline, "the game does not go on"
        asked = watched.page.evaluate(
            "jantaku.app.screen.open() ? jantaku.app.screen.request.id : -1"
        )
        if asked < 0 or asked in clicked:
            watched.wait(20)
            continue
        target = watched.page.locator(".actions .act.none, .tiles .may").last
        target.dblclick(delay=10, timeout=5000)
        clicked.append(asked)
    watched.wait(1000)
    return clicked
