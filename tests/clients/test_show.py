"""`jantaku replay show`: moving through a record, the printed table, the summary, the keys."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import record_kit as kit
from rich.text import Text
from screen_kit import Screen, environment, need_tmux
from textual.widgets import Static

from jantaku_clients.cli import main
from jantaku_clients.terminal.cursor import Cursor, NoSuchStep
from jantaku_clients.terminal.follow import Follow
from jantaku_clients.terminal.tiles import Look
from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset
from jantaku_replays import native
from jantaku_replays.files import parse
from jantaku_replays.record import Record
from jantaku_replays.verify import complete

LOOK = Look(styles=False, unicode=True, width=80)


@pytest.fixture(scope="module")
def text() -> str:
    return native.dumps(kit.play(Ruleset(length="tonpuu"), 5).events)


@pytest.fixture(scope="module")
def record(text: str) -> Record:
    return complete(parse(text.encode(), "game.mjson"))[0]


@pytest.fixture
def cursor(record: Record) -> Cursor:
    return Cursor(record, record.names)


@pytest.fixture
def path(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.mjson"
    path.write_text(text)
    return path


def lines(cursor: Cursor) -> str:
    return "\n".join(line.plain for line in cursor.lines(LOOK))


# ---------------------------------------------------------------------- moving


def test_events_go_on_into_the_next_hand_and_back(cursor: Cursor) -> None:
    cursor.go_to_step(-1)
    cursor.next_event()
    assert (cursor.hand, cursor.step) == (1, 0)
    cursor.previous_event()
    assert (cursor.hand, cursor.step) == (0, len(cursor.events) - 1)


def test_nothing_is_before_the_first_or_after_the_last_event(cursor: Cursor) -> None:
    cursor.previous_event()
    assert (cursor.hand, cursor.step) == (0, 0)
    cursor.go_to_hand(-1)
    cursor.go_to_step(-1)
    assert cursor.at_end
    cursor.next_event()
    assert cursor.at_end


def test_all_events_can_be_walked_forward_and_backward(cursor: Cursor, record: Record) -> None:
    total = sum(len(kyoku.events) - 1 for kyoku in record.kyokus)
    for _ in range(total - 1):
        assert not cursor.at_end
        cursor.next_event()
    assert cursor.at_end
    for _ in range(total - 1):
        cursor.previous_event()
    assert (cursor.hand, cursor.step) == (0, 0)


def test_turns_begin_with_a_draw_a_call_or_the_end(cursor: Cursor) -> None:
    seen = set()
    while not cursor.at_end:
        cursor.next_turn()
        seen.add(type(cursor.events[cursor.step]))
    assert ev.Dahai not in seen
    assert {ev.Tsumo, ev.StartKyoku} <= seen
    cursor.previous_turn()
    assert isinstance(cursor.events[cursor.step], ev.Tsumo | ev.Naki | ev.StartKyoku)


def test_hands_go_on_and_back(cursor: Cursor) -> None:
    cursor.next_hand()
    cursor.next_event()
    cursor.previous_hand()
    assert (cursor.hand, cursor.step) == (1, 0)
    cursor.previous_hand()
    assert cursor.hand == 0


@pytest.mark.parametrize(
    ("where", "place"), [("2", (0, 2)), ("E2-1", (1, 0)), ("E2-1 3", (1, 3)), ("2 3", (1, 3))]
)
def test_a_jump_names_a_step_a_hand_or_both(
    cursor: Cursor, where: str, place: tuple[int, int]
) -> None:
    cursor.go_to(where)
    assert (cursor.hand, cursor.step) == place


@pytest.mark.parametrize("where", ["N9-9", "99999", "E1-0 x", "0 0"])
def test_a_jump_to_nowhere_says_what_there_is(cursor: Cursor, where: str) -> None:
    with pytest.raises(NoSuchStep):
        cursor.go_to(where)


def test_seats_are_shown_in_turn_and_the_shown_one_is_below(cursor: Cursor) -> None:
    seats = []
    for _ in range(5):
        cursor.next_seat()
        seats.append((cursor.seat, cursor.bottom))
    assert seats == [(0, 0), (1, 1), (2, 2), (3, 3), (None, 3)]


# ---------------------------------------------------------------------- showing


def test_all_hands_are_open_unless_a_seat_is_chosen(record: Record) -> None:
    assert "▯" not in lines(Cursor(record, record.names))
    assert lines(Cursor(record, record.names, 2)).count("▯" * 13) == 3


def test_what_happened_last_is_told(cursor: Cursor) -> None:
    cursor.go_to_step(2)
    shown = lines(cursor)
    assert "E1-0 (1/" in shown
    assert "step 2/" in shown
    assert "Aoi draws" in shown
    assert "Aoi discards" in shown


def test_the_result_follows_the_last_table_of_a_hand(record: Record, cursor: Cursor) -> None:
    for hand, kyoku in enumerate(record.kyokus):
        cursor.go_to_hand(hand)
        cursor.go_to_step(-1)
        win = next((e for e in kyoku.events if isinstance(e, ev.Hora)), None)
        shown = lines(cursor)
        assert ("han" in shown and f"{win.points:,} points" in shown) if win else "draw:" in shown


def test_the_summary_has_every_hand_the_biggest_one_and_the_places(
    record: Record, cursor: Cursor
) -> None:
    text = "\n".join(line.plain for line in cursor.summary(LOOK))
    for kyoku in record.kyokus:
        assert f"  {kyoku.title} " in text
    wins = [e for kyoku in record.kyokus for e in kyoku.events if isinstance(e, ev.Hora)]
    best = max(win.points for win in wins)
    assert f"{best:,} points" in text.split("biggest hand: ")[1].splitlines()[0]
    end = record.end[0]
    assert isinstance(end, ev.EndGame)
    first = record.names[end.ranks.index(1)]
    assert f"1st {first}" in text


# ---------------------------------------------------------------------- the command


def show(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["replay", "show", *arguments]) == 0
    return capsys.readouterr().out


def test_without_options_the_end_and_the_summary_are_printed(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = show(capsys, str(path))
    assert "biggest hand" in out
    assert out.count("the game is over") == 1
    assert "\x1b" not in out


def test_a_step_of_a_hand(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = show(capsys, str(path), "--kyoku", "2", "--step", "0", "--seat", "1")
    assert "step 0/" in out
    assert "seen by seat 1" in out
    assert "biggest hand" not in out


def test_names_are_hidden_on_request(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = show(capsys, str(path), "--hide-names")
    assert "Aoi" not in out
    assert "Daigo" not in out
    assert "1st " in out


def test_a_tenhou_record_is_shown_with_what_the_rules_add(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tiny.xml"
    path.write_text(kit.TINY)
    out = show(capsys, str(path))
    assert "Ben wins by ron" in out
    assert "1st Ben" in out
    assert "57,000" in out


def ascii_output(path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "jantaku_clients.cli", "replay", "show", str(path)],
        env={**environment(), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    return done.stdout.decode("ascii")


def test_an_output_without_unicode_gets_letters(path: Path) -> None:
    assert "?" not in ascii_output(path)


def test_a_name_that_the_output_cannot_show_stops_nothing(path: Path) -> None:
    path.write_text(path.read_text().replace("Aoi", "葵"))
    assert "the game is over" in ascii_output(path)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--kyoku", "99"], "no hand '99'; there are 1 to"),
        (["--kyoku", "1", "--step", "9999"], "no step 9999 in E1-0: 0 to"),
        (["--follow"], "--follow needs a terminal"),
    ],
)
def test_what_cannot_be_shown_is_one_line(
    path: Path, arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", "show", str(path), *arguments]) == 2
    told = capsys.readouterr()
    assert why in told.err
    assert told.err.count("\n") == 1
    assert not told.out


def test_a_folder_of_records_asks_for_one(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path.parent / "tiny.xml").write_text(kit.TINY)
    assert main(["replay", "show", str(path.parent)]) == 2
    assert "has 2 records; name one of them" in capsys.readouterr().err


# ---------------------------------------------------------------------- keys


def shown(app: Follow) -> str:
    content = app.query_one("#table", Static).content
    return "\n".join(line.plain for line in content.renderables if isinstance(line, Text))  # type: ignore[union-attr]


async def test_keys_move_and_resizing_draws_anew(cursor: Cursor) -> None:
    app = Follow(cursor, LOOK)
    async with app.run_test(size=(90, 40)) as pilot:
        await pilot.press("right", "l", "space")
        assert cursor.step == 3
        await pilot.press("h")
        assert cursor.step == 2
        await pilot.press("n")
        assert cursor.hand == 1
        await pilot.press("end", "down")
        assert (cursor.hand, cursor.step) == (2, 0)
        await pilot.press("p", "home", "j")
        assert cursor.step == 1
        await pilot.press("s")
        assert "▯" in shown(app)
        await pilot.resize_terminal(50, 60)
        await pilot.pause()
        assert max(len(line) for line in shown(app).splitlines()) <= 50


async def test_a_jump_is_typed_and_a_wrong_one_is_told(cursor: Cursor) -> None:
    app = Follow(cursor, LOOK)
    async with app.run_test(size=(90, 40)) as pilot:
        await pilot.press("g", *"2", "space", *"4", "enter")
        assert (cursor.hand, cursor.step) == (1, 4)
        await pilot.press("g", *"s9", "enter")
        assert "no hand 's9'" in shown(app)
        await pilot.press("g", "n", "escape", "n")
        assert cursor.hand == 2


@pytest.mark.parametrize(
    "key", ["question_mark", "escape", "enter", "right", "down", "n", "home", "s", "t", "g", "z"]
)
async def test_any_key_closes_the_help_and_does_nothing_else(cursor: Cursor, key: str) -> None:
    cursor.go_to_step(2)
    app = Follow(cursor, LOOK)
    async with app.run_test(size=(90, 40)) as pilot:
        table = shown(app)
        await pilot.press("question_mark")
        assert "this help: any key closes it" in shown(app)
        await pilot.press(key)
        assert shown(app) == table
        await pilot.press("right")
        assert cursor.step == 3


async def test_q_quits_from_the_help_as_from_the_table(cursor: Cursor) -> None:
    app = Follow(cursor, LOOK)
    async with app.run_test(size=(90, 40)) as pilot:
        await pilot.press("question_mark", "q")
    assert not app.is_running


@pytest.mark.parametrize("width", [30, 60, 90])
async def test_help_and_quit_are_seen_on_the_narrowest_screen(cursor: Cursor, width: int) -> None:
    app = Follow(cursor, LOOK)
    async with app.run_test(size=(width, 30)) as pilot:
        await pilot.pause()
        keys = {key.description: key.region for key in app.query("FooterKey")}  # type: ignore[attr-defined]
        assert keys["help"].right <= width
        assert keys["quit"].right <= width


async def test_the_summary_comes_after_the_last_event(cursor: Cursor) -> None:
    cursor.go_to_hand(-1)
    app = Follow(cursor, LOOK)
    async with app.run_test(size=(90, 60)) as pilot:
        assert "biggest hand" not in shown(app)
        await pilot.press("end")
        assert "biggest hand" in shown(app)
        await pilot.press("question_mark")
        assert "next event" in shown(app)


def test_follow_in_a_real_terminal(tmp_path: Path, path: Path) -> None:
    need_tmux()
    screen = Screen(tmp_path, "replay", "show", str(path), "--follow")
    try:
        screen.until(r"step 0/")
        screen.type("Right", "Right")
        screen.until(r"step 2/")
        screen.type("g")
        screen.until("a step")
        screen.type("2 5", "Enter")
        screen.until(r"\(2/\d+\), step 5/")
        screen.resize(60, 50)
        screen.until(lambda text: max(map(len, text.splitlines())) <= 60 and "wall" in text)
        screen.type("q")
        assert screen.end()[0] == 0
    finally:
        screen.close()
