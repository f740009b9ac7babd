"""Stepping through finished games: the board is the engine's state at every step."""

from __future__ import annotations

import gzip
import io
import random
import time
import zipfile
from collections.abc import Callable
from typing import Any

from browser import Watched

import paths
from jantaku_engine.hand import Hand
from jantaku_engine.table import Table
from jantaku_engine.tiles import MJAI, sort_tiles
from jantaku_engine.wall import Wall
from jantaku_replays import files
from jantaku_replays.convert import FORMS, convert
from jantaku_replays.record import Record
from jantaku_replays.verify import complete

Visit = Callable[..., Watched]

STATE = """() => {
  const { state, kyoku, step } = jantaku.app.screen;
  return {
    place: [kyoku, step], bakaze: state.bakaze, kyoku: state.kyoku, oya: state.oya,
    honba: state.honba, kyotaku: state.kyotaku, scores: state.scores, phase: state.phase,
    turn: state.turn, dora: state.dora, riichi: state.riichi, ippatsu: state.ippatsu,
    left: 70 - state.draws - state.rinshan,
    rivers: state.rivers.map(r => r.map(d => [d.tile, d.tsumogiri, d.riichi, d.called])),
    hands: state.hands.map(h => [h.tiles, h.drawn]),
    melds: state.hands.map(h => h.melds.map(m => [m.type, m.tiles, m.called, m.target, m.added])),
  };
}"""


def richest_game() -> tuple[str, bytes]:
    """The shortest real game of the corpus with a kan, a riichi, wins of both kinds and a draw."""
    with zipfile.ZipFile(paths.corpus_zip()) as archive:
        members = sorted(
            (m for m in archive.infolist() if m.filename.endswith((".xml", ".mjlog"))),
            key=lambda member: (member.file_size, member.filename),
        )
        for member in members:
            data = archive.read(member)
            text = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
            if all(word in text for word in (b"<DORA", b"<REACH", b"<RYUUKYOKU", b"<AGARI")):
                record, _ = complete(files.parse(text, member.filename))
                melds = {event.to_mjai()["type"] for k in record.kyokus for event in k.events}
                if {"chi", "pon", "reach_accepted"} <= melds and melds & {"kakan", "daiminkan"}:
                    return member.filename, text
    raise AssertionError("the corpus has no such game")


def expected(table: Table, place: list[int]) -> dict[str, Any]:
    """The engine's state in the page's form."""
    return {
        "place": place,
        "bakaze": table.bakaze,
        "kyoku": table.kyoku,
        "oya": table.oya,
        "honba": table.honba,
        "kyotaku": table.kyotaku,
        "scores": list(table.scores),
        "phase": table.phase,
        "turn": table.turn,
        "dora": [MJAI[tile] for tile in table.dora_markers],
        "riichi": list(table.riichi),
        "ippatsu": list(table.ippatsu),
        "left": table.live_left,
        "rivers": [
            [[MJAI[d.tile], d.tsumogiri, d.riichi, d.called] for d in river]
            for river in table.rivers
        ],
        "hands": [_tiles(hand) for hand in table.hands],
        "melds": [
            [
                [
                    ("chi", "pon", "daiminkan", "kakan", "ankan")[meld.type],
                    [MJAI[tile] for tile in meld.tiles],
                    MJAI[meld.called] if meld.called >= 0 else None,
                    meld.target,
                    MJAI[meld.added] if meld.added >= 0 else None,
                ]
                for meld in hand.melds
            ]
            for hand in table.hands
        ],
    }


def _tiles(hand: Hand) -> list[Any]:
    drawn = MJAI[hand.drawn] if hand.drawn >= 0 else None
    return [[MJAI[tile] for tile in sort_tiles(hand.tiles_but_drawn())], drawn]


def states(record: Record) -> list[dict[str, Any]]:
    """The engine's state at every step of every hand."""
    found = []
    for number, kyoku in enumerate(record.kyokus):
        table = Table(record.rules)
        for step, event in enumerate(kyoku.events):
            table.apply(event)
            found.append(expected(table, [number, step]))
    return found


def drop(watched: Watched, name: str, data: bytes) -> None:
    """Drop a file onto the page."""
    watched.page.evaluate(
        """([name, bytes]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([Uint8Array.from(bytes)], name));
          document.body.dispatchEvent(
            new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }""",
        [name, list(data)],
    )
    watched.page.wait_for_selector("main.replaying[data-whole]")


def test_a_whole_real_game_is_stepped_forward_and_back_and_always_equals_the_engine(
    visit: Visit, url: str
) -> None:
    name, data = richest_game()
    record, _ = complete(files.parse(data, name))
    wanted = states(record)
    watched = visit()
    watched.open_lobby(url)
    drop(watched, name, data)
    last = len(record.kyokus[-1].events)  # one more: the final result
    for number, state in enumerate(wanted):
        if number:
            watched.page.keyboard.press("ArrowRight")
        assert watched.page.evaluate(STATE) == state, f"{name}: step {state['place']}"
    watched.page.keyboard.press("ArrowRight")
    assert watched.page.evaluate("jantaku.app.screen.step") == last
    watched.page.wait_for_selector(".panel .final")
    # Back again, the keys sent from within the page: thousands of presses take their time.
    back = watched.page.evaluate(
        f"""() => {{
          const look = {STATE};
          return Array.from({{ length: {len(wanted)} }}, () => {{
            dispatchEvent(new KeyboardEvent("keydown", {{ key: "ArrowLeft" }}));
            return structuredClone(look());
          }});
        }}"""
    )
    for got, state in zip(back, reversed(wanted), strict=True):
        assert got == state, f"{name}: back at {state['place']}"
    _check_drawn_board(watched, wanted)


def _check_drawn_board(watched: Watched, wanted: list[dict[str, Any]]) -> None:
    """What is drawn is the state: rivers, hands and melds in the DOM at some steps."""
    for state in wanted[:: len(wanted) // 12]:
        kyoku, step = state["place"]
        watched.page.evaluate(f"jantaku.app.screen.go({kyoku}, {step})")
        drawn = watched.page.evaluate(
            """() => ({
              rivers: [...document.querySelectorAll(".river")].map(
                r => [...r.querySelectorAll(".t")].map(t => t.dataset.t)),
              sideways: [...document.querySelectorAll(".river")].map(
                r => r.querySelectorAll(".side").length),
              own: [...document.querySelectorAll(".handbar .tiles .t")].map(t => t.dataset.t),
              backs: [...document.querySelectorAll(".backs")].map(
                r => [...r.querySelectorAll(".t")].map(t => t.dataset.t)),
              left: document.querySelector(".middle .left").textContent,
            })"""
        )
        hands = [tiles + ([own] if own else []) for tiles, own in state["hands"]]
        assert drawn["rivers"] == [[d[0] for d in river] for river in state["rivers"]]
        assert drawn["sideways"] == [sum(d[2] for d in river) for river in state["rivers"]]
        assert drawn["own"] == hands[0]
        assert drawn["backs"] == hands[1:]
        assert str(state["left"]) in drawn["left"]


def test_every_form_of_record_can_be_dropped(visit: Visit, url: str) -> None:
    name, data = richest_game()
    record = files.parse(data, name)
    wanted = states(complete(record)[0])
    watched = visit()
    watched.open_lobby(url)
    for form in FORMS.values():
        text = convert(record, form).text.encode()
        if form.name == "native":
            text = gzip.compress(text)
        drop(watched, f"game{form.suffixes[0]}", text)
        watched.page.keyboard.press("End")
        watched.page.keyboard.press("ArrowLeft")
        state = watched.page.evaluate(STATE)
        assert state == next(s for s in wanted if s["place"] == state["place"]), form.name
        watched.page.goto(f"{url}/#/")
        watched.page.wait_for_selector(".create form")


def test_a_file_that_is_no_record_is_refused_in_words(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.page.set_input_files(
        "#file", {"name": "shopping.txt", "mimeType": "text/plain", "buffer": b"milk\nbread\n"}
    )
    watched.page.wait_for_selector(".panel p")
    watched.wait_for_frame("error")
    assert "shopping.txt" in watched.page.inner_text(".panel")
    watched.page.click(".panel a.main")
    watched.page.wait_for_selector("main.lobby")


def choose(watched: Watched, name: str, data: bytes) -> None:
    """Choose a file in the lobby."""
    watched.page.set_input_files(
        "#file", {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    )


def of_the_record(watched: Watched) -> list[str]:
    """The types of what was sent of a record."""
    return [m["type"] for m in watched.sent if m["type"].startswith("replay")]


def test_a_file_that_is_too_large_or_an_archive_is_told_before_anything_is_sent(
    visit: Visit, url: str
) -> None:
    watched = visit(language="zh-CN")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("game.xml", "<mjloggm/>")
    noise = random.Random(1).randbytes
    for name, data, told in (
        ("packed.gz", b"\x1f\x8b" + noise(4 << 20), "大于 4 MiB"),
        ("long.json", noise(5 << 20), "大于 4 MiB"),
        ("longer.json", bytes(25 << 20), "大于 4 MiB"),
        ("games.zip", archive.getvalue(), "请先解压"),
    ):
        watched.open_lobby(url)
        choose(watched, name, data)
        watched.page.wait_for_selector(f".panel p:has-text('{told}')")
        assert of_the_record(watched) == []
        watched.page.click(".panel a.main")
        watched.page.wait_for_selector("main.lobby")


def test_nothing_is_sent_of_a_record_that_was_refused(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    # A server that takes less than the page thinks; and an error that follows from the first.
    watched.page.evaluate(
        """() => {
          const { connection } = jantaku.app;
          const { send } = connection;
          connection.send = function (message) {
            if (message.type !== "replay") return send.call(this, message);
            send.call(this, { ...message, size: 5 << 20 });
            return send.call(this, { type: "replay_data", data: "AAAA" });
          };
        }"""
    )
    choose(watched, "game.xml", random.Random(1).randbytes(1 << 20))
    watched.page.wait_for_selector(".panel p:has-text('4 MiB')")
    watched.wait_for_frame("pong")
    watched.settle()
    assert of_the_record(watched) == ["replay", "replay_data"]
    assert len([f for f in watched.frames if f["type"] == "error"]) == 2
    assert "4 MiB" in watched.page.inner_text(".panel p")


def test_a_large_record_is_sent_at_once(visit: Visit, url: str) -> None:
    _, data = richest_game()
    watched = visit()
    watched.open_lobby(url)
    # As a file that cannot be packed any smaller; in a form that may end in spaces.
    large = gzip.compress(data + b" " * 800_000, compresslevel=0)
    choose(watched, "\u202egame.xml.gz", large)
    watched.page.wait_for_selector("main.replaying[data-whole]")
    assert of_the_record(watched).count("replay_data") == -(-len(large) // 10500)
    assert not [f for f in watched.frames if f["type"] == "error"]


def bots_game(watched: Watched) -> str:
    """Id of a game that four house bots have finished, no hand after a turn or two."""
    watched.page.evaluate(
        """jantaku.app.connection.send({
          type: "create", seats: Array(4).fill("bot:greedy"), clock: "bots",
          rules: { preset: "standard", length: "tonpuu", kyuushu_kyuuhai: false },
        })"""
    )
    table: str = watched.wait_for_frame("created")["table"]
    listed = "fetch('/api/games').then(r => r.json()).then(d => d.games.map(g => g.id))"
    deadline = time.monotonic() + 30
    while table not in watched.page.evaluate(listed):
        assert time.monotonic() < deadline, "the bots do not finish"
        watched.wait(50)
    return table


def test_a_game_of_the_server_is_proved_linked_and_looked_at_from_every_seat(
    visit: Visit, url: str
) -> None:
    watched = visit()
    watched.open_lobby(url)
    game = bots_game(watched)
    page = watched.page
    page.goto(f"{url}/#/r/{game}/1/20/2")
    page.wait_for_selector("main.replaying[data-whole]")
    assert page.get_attribute("main", "data-place") == "0/20"
    assert page.input_value("select.view") == "2"
    # How far each hand is from tenpai, or what it waits for.
    far = page.locator(".plate .status").all_inner_texts()
    assert len(far) == 4
    assert all("shanten" in text or "Tenpai" in text for text in far)
    # Hidden hands, hidden names, another seat.
    page.click('[data-toggle="rp.all"]')
    assert set(
        page.evaluate("[...document.querySelectorAll('.backs .t')].map(t => t.dataset.t)")
    ) == {"?"}
    page.click('[data-toggle="rp.names"]')
    assert "greedy" not in page.inner_text(".board")
    page.select_option("select.view", "1")
    assert page.evaluate("jantaku.app.screen.bottom") == 1
    # Keys and wheel.
    page.mouse.move(640, 300)
    page.mouse.wheel(0, 120)
    watched.until("jantaku.app.screen.step > 20")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("jantaku.app.screen.kyoku") == 1
    page.keyboard.press("PageDown")
    event = page.evaluate("jantaku.app.screen.events()[jantaku.app.screen.step]")
    assert event["actor"] == 1
    # The wall: what is drawn is gone, what comes next is marked.
    page.click(".tabs button >> nth=1")
    gone = page.locator(".walltiles .gone").count()
    assert gone == page.evaluate(
        "jantaku.app.screen.state.draws + jantaku.app.screen.state.rinshan"
    )
    # The proof is computed in the browser.
    page.click(".tabs button >> nth=2")
    assert page.locator(".verdict.good").count() == 2
    assert page.locator(".verdict.bad").count() == 0
    # The address is the link to this step.
    place = page.get_attribute("main", "data-place")
    kyoku, step = place.split("/")
    watched.until(f"location.hash.endsWith('/{int(kyoku) + 1}/{step}/1')")
    page.reload()
    page.wait_for_selector("main.replaying[data-whole]")
    assert page.get_attribute("main", "data-place") == place
    # Autoplay moves on by itself.
    page.click('[data-control="rp.play"]')
    watched.until(f"document.querySelector('main').dataset.place !== '{place}'")


def before_each_hand(watched: Watched, messages: str) -> None:
    """Send what a function of the number of hands asked for so far gives, before the next one."""
    watched.page.evaluate(
        f"""() => {{
          const {{ connection }} = jantaku.app;
          const {{ send }} = connection;
          const messages = {messages};
          let asked = 0;
          connection.send = function (message) {{
            if (message.type === "replay_more")
              for (const one of messages(asked++)) send.call(this, one);
            return send.call(this, message);
          }};
        }}"""
    )


def test_a_record_that_the_server_has_put_away_is_opened_again(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    game = bots_game(watched)
    # The server forgets the record as soon as the first hand was fetched.
    before_each_hand(
        watched,
        """(asked) => asked === 1
        ? [{ type: "replay", game: "0".repeat(16) }] : []""",
    )
    watched.page.goto(f"{url}/#/r/{game}")
    watched.page.wait_for_selector("main.replaying[data-whole]")
    assert [f for f in watched.frames if f["type"] == "error" and f["code"] == "unexpected"]


def test_a_record_is_read_although_the_client_asked_too_much(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    game = bots_game(watched)
    before_each_hand(
        watched,
        """(asked) => asked === 0
        ? Array(50).fill({ type: "ping" }) : []""",
    )
    watched.page.goto(f"{url}/#/r/{game}")
    watched.page.wait_for_selector("main.replaying[data-whole]")
    assert [f for f in watched.frames if f["type"] == "error" and f["code"] == "flooding"]


def test_the_proof_finds_another_key_and_another_wall(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    key = bytes(range(32))
    wall = Wall.from_key(key)
    swapped = [wall.ids[1], wall.ids[0], *wall.ids[2:]]
    verdicts = watched.page.evaluate(
        """async ([hash, key, other, ids, swapped]) => {
          const module = document.querySelector('link[href$="proof.js"]').href;
          const { check } = await import(module);
          return [check(hash, key, ids), check(hash, other, ids), check(hash, key, swapped)];
        }""",
        [wall.commitment, key.hex(), bytes(32).hex(), list(wall.ids), swapped],
    )
    assert verdicts == [
        {"key": True, "wall": True},
        {"key": False, "wall": False},
        {"key": True, "wall": False},
    ]
