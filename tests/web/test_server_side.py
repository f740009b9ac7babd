"""What the server does for the web client: files, hints and the replay desk; no browser needed."""

from __future__ import annotations

import gzip
import http.client
import json
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import running_server

from jantaku_clients import draw_tiles
from jantaku_clients.bots import BOTS
from jantaku_clients.serve_command import WEB
from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import Action
from jantaku_engine.match import Match
from jantaku_engine.mjai import event_from_mjai
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import KIND, MJAI, parse_mjai
from jantaku_engine.view import SeatView
from jantaku_engine.wall import Wall
from jantaku_replays import native
from jantaku_server.hints import Hints
from jantaku_server.replay_desk import MOST_HELD, MOST_SENT, MOST_WAITING, ReplayDesk, read_bytes
from jantaku_server.web_files import WebFiles
from jantaku_server.wire import WireError


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_server(tmp_path_factory.mktemp("data")) as address:
        yield address


def get(url: str, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=10)
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", path, headers=fields)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def assets(url: str) -> list[str]:
    _, page = get(url, "/")
    return [f"/{name}" for name in re.findall(r'"(static/[^"]+)"', page.decode())]


# ---------------------------------------------------------------------- files


def test_the_start_page_is_checked_each_time_and_its_files_are_kept_for_good(url: str) -> None:
    page, _ = get(url, "/")
    assert page.headers["Cache-Control"] == "no-cache"
    again, body = get(url, "/", If_None_Match=page.headers["ETag"])
    assert (again.status, body) == (304, b"")
    paths = assets(url)
    assert len(paths) > 10
    for path in paths:
        response, _ = get(url, path)
        assert response.status == 200, path
        assert "immutable" in response.headers["Cache-Control"]
        kind = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
        assert response.headers["Content-Type"].startswith(kind[path.rsplit(".")[-1]])


def test_every_module_is_named_on_the_start_page_so_that_none_waits_for_another(url: str) -> None:
    named = {path.rsplit("/")[-1] for path in assets(url)}
    assert {file.name for file in WEB.glob("*.js")} <= named


def test_nothing_may_come_from_elsewhere_and_nothing_is_evaluated(url: str) -> None:
    for path in ("/", assets(url)[0]):
        response, _ = get(url, path)
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
    # No file of the client names another host, but for the names of XML vocabularies.
    for file in WEB.rglob("*"):
        if file.is_file():
            found = re.findall(r"https?://[\w.-]+", file.read_text(encoding="utf-8"))
            assert set(found) <= {"http://www.w3.org"}, file


def test_files_are_sent_packed_to_who_takes_it(url: str) -> None:
    path = next(path for path in assets(url) if path.endswith("words.js"))
    plain = get(url, path)[1]
    response, packed = get(url, path, Accept_Encoding="gzip")
    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed) == plain
    assert len(packed) < len(plain) / 2


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../etc/passwd",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/static//etc/passwd",
        "/index.html",
        "/static/0000000000000000/app.js",
        "/draw_tiles.py",
    ],
)
def test_no_path_leads_out_of_the_client_s_folder(url: str, path: str) -> None:
    response, body = get(url, path)
    assert response.status == 404
    assert b"root:" not in body


def test_only_known_kinds_of_files_are_served(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<script src='static/a.js'></script>")
    (tmp_path / "a.js").write_text("1")
    (tmp_path / "secret.toml").write_text("key = 1")
    files = WebFiles(tmp_path)
    assert [path.rsplit("/")[-1] for path in files._files] == ["a.js"]
    before = files.version
    (tmp_path / "a.js").write_text("2")
    assert WebFiles(tmp_path).version != before


def test_the_tiles_are_as_their_drawing_program_draws_them() -> None:
    assert (WEB / "tiles.svg").read_text(encoding="utf-8") == draw_tiles.sheet()


# ---------------------------------------------------------------------- hints


def played(seed: int, hints: list[Hints] | None = None, check: object = None) -> Match:
    """A game of four greedy bots; `check` looks at each question before it is answered."""
    rules = Ruleset.preset("standard", length="tonpuu")
    match = Match(rules)
    bots = [BOTS["greedy"](random.Random(seed)) for _ in range(4)]
    views = [SeatView(seat, rules) for seat in range(4)]
    told = 0
    followers = hints or []
    while not match.over:
        if match.between_hands:
            match.deal(Wall.from_seed(seed.to_bytes(32, "big"), match.dealt))
        while told < len(match.events):
            for seat, view in enumerate(views):
                view.apply(match.events[told].seen_by(seat))
            for follower in followers:
                seat = follower._view.seat
                follower.note(told, match.events[told].seen_by(seat))
            told += 1
        if not match.pending:
            continue
        seat, menu = next(iter(match.pending.items()))
        if callable(check):
            check(match, seat, menu)
        match.answer(seat, bots[seat].choose(views[seat], menu))
    return match


@pytest.mark.parametrize("seed", range(6))
def test_hints_agree_with_what_the_engine_offers(seed: int) -> None:
    rules = Ruleset.preset("standard", length="tonpuu")
    followers = [Hints(seat, rules) for seat in range(4)]
    last: list[dict[str, object]] = [{} for _ in range(4)]
    seen = {"riichi": 0, "wins": 0}

    def check(match: Match, seat: int, menu: tuple[Action, ...]) -> None:
        for number, follower in enumerate(followers):
            for message in follower.news():
                if "shanten" in message:
                    last[number] = message
        assert match.kyoku is not None
        table = match.kyoku.table
        hints = last[seat]
        kinds = {action.type for action in menu}
        if act.REACH in kinds:
            seen["riichi"] += 1
            riichi = {KIND[parse_mjai(d["tile"])] for d in hints["discards"] if d["riichi"]}  # type: ignore[attr-defined]
            assert riichi == {
                kind
                for kind in range(34)
                if table.hands[seat].counts[kind]
                and table.hands[seat].is_tenpai_without(kind, rules.karaten_own4)
            }
        if act.HORA in kinds and seat != table.turn:
            seen["wins"] += 1
            waits = {wait["tile"]: wait for wait in hints["waits"]}  # type: ignore[attr-defined]
            assert MJAI[KIND[table.last]] in waits
            assert hints["furiten"] == ""

    played(seed, followers, check)
    assert seen["riichi"] > 0
    assert seen["wins"] > 0


def test_hints_do_not_depend_on_tiles_that_the_seat_may_not_know() -> None:
    match = played(3)
    rules = match.rules
    live, again = Hints(1, rules), Hints(1, rules)
    for seq, event in enumerate(match.events):
        live.note(seq, event.seen_by(1))
        # Made anew from the bytes that the seat got: nothing else can have been used.
        again.note(seq, event_from_mjai(json.loads(json.dumps(event.seen_by(1).to_mjai()))))
        assert live.news() == again.news()


def test_a_seat_that_comes_back_in_the_middle_of_a_hand_gets_the_same_hints() -> None:
    match = played(5)
    for end in range(10, len(match.events), 37):
        stayed, returned = Hints(2, match.rules), Hints(2, match.rules)
        for seq, event in enumerate(match.events[:end]):
            stayed.note(seq, event.seen_by(2))
        returned.recall(match.events, end)
        stayed.news()
        returned.news()
        assert stayed._told == returned._told


def test_fu_parts_come_with_every_win_to_seats_and_spectators() -> None:
    wins = 0
    for seed in range(4):
        match = played(seed)
        follower = Hints(-1, match.rules)
        for seq, event in enumerate(match.events):
            follower.note(seq, event.seen_by(-1))
            news = follower.news()
            if isinstance(event, ev.Hora) and event.fu:
                wins += 1
                parts = news[0]["fu_parts"]
                total = sum(fu for _, fu in parts)
                assert event.fu in (-(-total // 10) * 10, 25)
    assert wins > 0


# ---------------------------------------------------------------------- the replay desk


def test_a_record_is_told_as_the_game_and_then_its_hands() -> None:
    match = played(1)
    told = read_bytes(gzip.compress(native.dumps(match.events).encode()), "game.mjson.gz")
    assert isinstance(told, list)
    game, *hands = told
    assert game["end"] == match.events[-1].to_mjai()
    assert game["differences"] == 0
    assert len(hands) == match.dealt == len(game["kyokus"])
    events = [event for hand in hands for event in hand["events"]]
    assert events == [event.to_mjai() for event in match.events[1:-1]]
    for hand in hands:
        assert sorted(hand["ids"]) == list(range(136))
        assert {fact[1] for fact in hand["facts"]} == {0, 1, 2, 3}
        assert len(json.dumps(hand)) < 60_000


@pytest.mark.parametrize(
    "data",
    [b"", b"milk", b"{}", b"[]", b"<mjloggm/>", b"\x1f\x8bbroken", b"\x00" * 100, b'{"type":1}'],
)
def test_what_is_no_record_is_refused_in_words(data: bytes) -> None:
    answer = read_bytes(data, "a file")
    assert isinstance(answer, WireError)
    assert str(answer).startswith("a file: ")


def test_a_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(b" " * (200 << 20), 9)
    assert len(bomb) < MOST_SENT
    answer = read_bytes(bomb, "bomb.gz")
    assert isinstance(answer, WireError)
    assert "larger" in str(answer)


def test_the_desk_holds_only_so_much(tmp_path: Path) -> None:
    desk = ReplayDesk(tmp_path, lambda job, done: None, time.monotonic)
    with pytest.raises(WireError, match="MiB"):
        desk.begin("big", MOST_SENT + 1)
    uploads = [desk.begin("record", MOST_SENT) for _ in range(MOST_HELD // MOST_SENT)]
    with pytest.raises(WireError, match="too many"):
        desk.begin("one more", 1000)
    desk.drop(uploads.pop())
    upload = desk.begin("now", 10)
    assert upload.add(b"12345") is False
    assert upload.add(b"67890") is True
    with pytest.raises(WireError, match="longer"):
        upload.add(b"1")


def test_records_are_read_one_at_a_time_and_the_queue_is_bounded(tmp_path: Path) -> None:
    running: list[object] = []
    desk = ReplayDesk(tmp_path, lambda job, done: running.append((job, done)), time.monotonic)
    answers: list[object] = []
    desk.read_game("0" * 16, answers.append)
    desk.read_game("1" * 16, answers.append)
    assert len(running) == 1
    job, done = running[0]  # type: ignore[misc]
    done(job())
    assert len(running) == 2
    assert isinstance(answers[0], WireError)
    for _ in range(MOST_WAITING):
        desk.read_game("2" * 16, answers.append)
    with pytest.raises(WireError, match="too many"):
        desk.read_game("3" * 16, answers.append)
