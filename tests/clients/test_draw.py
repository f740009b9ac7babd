"""How a table looks in the terminal: tiles, melds, rivers, columns, with colours and without."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from jantaku_clients.terminal.draw import beside, seat_title, table_lines
from jantaku_clients.terminal.tell import event_text, result_lines, value_words
from jantaku_clients.terminal.tiles import Look, hand_text, meld_text, river_lines, tile_text
from jantaku_engine import events as ev
from jantaku_engine.melds import ANKAN, CHI, DAIMINKAN, KAKAN, PON, Meld
from jantaku_engine.rules import Ruleset
from jantaku_engine.table import Discard, Table
from jantaku_engine.tiles import parse_mpsz

PLAIN = Look(styles=False, unicode=True, width=80)
ASCII = Look(styles=False, unicode=False, width=80)
COLOURS = Look(styles=True, unicode=True, width=80)
NAMES = ("Aoi", "Beni", "千佳", "Daigo")


def tiles(text: str) -> tuple[int, ...]:
    return tuple(parse_mpsz(text))


def tile(text: str) -> int:
    return tiles(text)[0]


# ---------------------------------------------------------------------- tiles and melds


def test_a_hand_is_written_once_a_suit_with_the_drawn_tile_apart() -> None:
    hand = tiles("340m12s1157z")
    assert hand_text(hand, tile("0p"), PLAIN).plain == "340m 12s 東東白中 +0p"
    assert hand_text(hand, -1, ASCII).plain == "340m 12s EEPC"


def test_a_hidden_hand_is_as_many_backs() -> None:
    assert hand_text((37,) * 3, 37, PLAIN).plain == "▯▯▯ +▯ "
    assert hand_text((37,) * 3, -1, ASCII).plain == "???"


def test_every_tile_takes_two_columns() -> None:
    for look in (PLAIN, ASCII):
        assert {cell_len(tile_text(code, look).plain) for code in range(38)} == {2}


@pytest.mark.parametrize(
    ("meld", "told"),
    [
        (Meld(CHI, tiles("234m"), tile("3m"), target=3), "(3)24m"),
        (Meld(PON, tiles("777z"), tile("7z"), target=3), "(中)中中"),
        (Meld(PON, tiles("777z"), tile("7z"), target=2), "中(中)中"),
        (Meld(PON, tiles("550s"), tile("5s"), target=1), "50(5)s"),
        (Meld(DAIMINKAN, tiles("1111p"), tile("1p"), target=2), "1(1)11p"),
        (Meld(DAIMINKAN, tiles("1111p"), tile("1p"), target=1), "111(1)p"),
        (Meld(KAKAN, tiles("5550p"), tile("5p"), 2, tile("0p")), "5(5+0)5p"),
        (Meld(ANKAN, tiles("9999m")), "[9999m]"),
    ],
)
def test_a_meld_has_the_called_tile_on_the_side_that_it_came_from(meld: Meld, told: str) -> None:
    assert meld_text(meld, 0, PLAIN).plain == told


def test_a_call_from_the_left_is_left_from_every_seat() -> None:
    for seat in range(4):
        meld = Meld(PON, tiles("111m"), tile("1m"), target=(seat + 3) % 4)
        assert meld_text(meld, seat, PLAIN).plain == "(1)11m"


# ---------------------------------------------------------------------- rivers


def discard(text: str, how: str = "") -> Discard:
    made = Discard(tile(text), "t" in how, "r" in how)
    made.called = "c" in how
    return made


def test_rivers_have_rows_of_six_and_the_third_takes_the_rest() -> None:
    river = [discard("1m")] * 20
    assert [line.plain.count("1m") for line in river_lines(river, PLAIN)] == [6, 6, 8]


def test_marks_tell_without_colours_what_happened_to_a_discard() -> None:
    river = [discard("1m"), discard("2m", "t"), discard("3m", "r"), discard("1z", "c")]
    river += [discard("5p", "rc"), discard("9s", "tr")]
    assert river_lines(river, PLAIN)[0].plain == "1m 2m.3m*東^5p#9s*"
    assert river_lines(river, ASCII)[0].plain == "1m 2m.3m*E ^5p#9s*"


def test_with_colours_a_tsumogiri_is_faint_and_has_no_mark() -> None:
    line = river_lines([discard("2m", "t"), discard("3m", "r")], COLOURS)[0]
    assert line.plain == "2m 3m*"
    styles = [str(span.style) for span in line.spans]
    assert any("dim" in style for style in styles)
    assert any("reverse" in style for style in styles)


# ---------------------------------------------------------------------- the table

HANDS = (
    tiles("123m456p789s1122z"),
    tiles("147m258p369s1234z"),
    tiles("1112345678999m"),
    tiles("19m19p19s1234567z"),
)
START = ev.StartKyoku(1, 2, 1, 3, 2, tile("3s"), (25_000, 31_200, 8_000, 33_800), HANDS)


def table(*events: ev.Event) -> Table:
    made = Table(Ruleset())
    for event in (START, *events):
        made.apply(event)
    return made


def plain(made: Table, bottom: int = 0, look: Look = PLAIN) -> list[str]:
    return [line.plain for line in table_lines(made, NAMES, bottom, look)]


def test_the_middle_tells_hand_counters_wall_and_dora() -> None:
    text = "\n".join(plain(table()))
    assert "南2局 South 2" in text
    assert "honba 3  deposits 2  wall 70" in text
    assert "dora 4s from 3s" in text


@pytest.mark.parametrize("bottom", range(4))
def test_the_chosen_seat_is_below_and_the_others_sit_around_it(bottom: int) -> None:
    lines = plain(table(), bottom)
    places = {name: min(n for n, line in enumerate(lines) if name in line) for name in NAMES}
    own, right, across, left = (NAMES[(bottom + turn) % 4] for turn in range(4))
    assert places[across] < places[left] == places[right] < places[own]
    both = lines[places[left]]
    assert both.index(left) < both.index(right)


@pytest.mark.parametrize("width", [76, 80, 81, 100, 140])
@pytest.mark.parametrize("look", [PLAIN, ASCII, COLOURS])
def test_columns_are_aligned_whatever_is_double_width(width: int, look: Look) -> None:
    made = table(ev.Tsumo(1, tile("5z")), ev.Dahai(1, tile("5z"), True))
    lines = table_lines(made, NAMES, 2, look._replace(width=width))
    column = (min(width, 100) - 2) // 2
    for line in lines:
        assert cell_len(line.plain) <= width
    # Titles of the right column begin exactly there.
    title = next(line.plain for line in lines if "Daigo" in line.plain)
    right = title[title.index("Daigo") - 3 :]
    assert cell_len(title[: title.index(right)]) in (column + 2, column + 1)


def test_the_style_of_a_left_line_stays_left() -> None:
    (line,) = beside([Text("faint", style="dim")], [Text("clear")], 10)
    assert line.plain == "faint       clear"
    assert line.style == ""
    assert [(span.start, span.end) for span in line.spans if span.style == "dim"] == [(0, 10)]


def test_a_narrow_terminal_has_one_column() -> None:
    lines = plain(table(), 0, PLAIN._replace(width=50))
    assert max(map(cell_len, lines)) <= 50
    assert all(sum(name in line for name in NAMES) <= 1 for line in lines)


def test_melds_that_do_not_fit_go_into_a_line_of_their_own() -> None:
    made = table()
    made.hands[0].melds = [
        Meld(KAKAN, tiles(kind * 4 + "z"), tile(f"{kind}z"), 2, tile(f"{kind}z")) for kind in "1234"
    ]
    text = "\n".join(plain(made))
    for kind in "東南西北":
        assert f"{kind}({kind}+{kind}){kind}" in text
    assert "…" not in text


def test_five_dora_fit_beside_a_seat() -> None:
    made = table(*(ev.Dora(tile(text)) for text in ("9m", "4z", "7z", "0s")))
    assert "dora 4s 1m 東 白 6s from 3s 9m 北 中 0s" in "\n".join(plain(made))


def test_titles_tell_wind_dealer_turn_riichi_and_score() -> None:
    made = table(
        ev.Tsumo(1, tile("9s")),
        ev.Reach(1),
        ev.Dahai(1, tile("9s"), True),
        ev.ReachAccepted(1, (25_000, 30_200, 8_000, 33_800)),
    )
    title = seat_title(made, 1, "Beni", PLAIN, 60).plain
    assert title.startswith("▶東 Beni dealer ")
    assert title.endswith(" riichi ippatsu 30,200")
    assert cell_len(title) == 60
    assert seat_title(made, 0, "Aoi", PLAIN, 60).plain.startswith(" 北 Aoi ")


def test_a_long_name_is_cut_and_a_wild_one_made_harmless() -> None:
    assert cell_len(seat_title(table(), 0, "千" * 60, PLAIN, 39).plain) <= 39
    assert "\x1b" not in seat_title(table(), 0, "\x1b[31mred", PLAIN, 39).plain


def test_waits_shanten_and_furiten_stand_under_the_hand() -> None:
    made = table(ev.Tsumo(0, tile("1z")), ev.Dahai(0, tile("1z"), True))
    lines = plain(made)
    assert any("furiten (river) waits 東×1 南×2" in line for line in lines)
    assert any("6-shanten" in line for line in lines)


def test_many_waits_are_all_told() -> None:
    text = "\n".join(plain(table()))
    for number in range(1, 10):
        assert f"{number}m×" in text
    assert "…" not in text


def test_what_a_seat_does_not_know_is_not_drawn() -> None:
    made = Table(Ruleset())
    made.apply(START.seen_by(0))
    text = "\n".join(plain(made))
    assert text.count("▯" * 13) == 3
    assert text.count("shanten") + text.count("waits") == 1


# ---------------------------------------------------------------------- words

WIN = ev.Hora(
    2, 0, tile("9m"), tiles("1112345678999m"), tiles("1z"),
    (("riichi", 1), ("chinitsu", 6), ("ittsuu", 2)), 1, 2, 0, 40, 12, 0, "sanbaiman", 24_000, -1,
    (-24_900, 0, 26_900, 0), (100, 31_200, 34_900, 33_800),
)  # fmt: skip


def test_a_win_tells_hand_yaku_value_and_payments() -> None:
    text = "\n".join(line.plain for line in result_lines(WIN, NAMES, PLAIN))
    assert "千佳 wins by ron on 9m from Aoi" in text
    assert "1112345678999m +9m" in text
    assert "ura indicators 東" in text
    assert "riichi 立直 1 · chinitsu 清一色 6 · ittsuu 一気通貫 2 · dora 1 · ura dora 2" in text
    assert "12 han 40 fu, sanbaiman: 24,000 points" in text
    lines = text.splitlines()[-4:]
    assert lines[0].split() == ["Aoi", "-24,900", "100"]
    assert lines[2].split() == ["千佳", "+26,900", "34,900"]
    assert len({cell_len(line) for line in lines}) == 1


@pytest.mark.parametrize(
    ("multiple", "words"), [(1, "yakuman"), (2, "double yakuman"), (1.5, "1.5 times yakuman")]
)
def test_yakuman_are_told_by_their_multiple(multiple: float, words: str) -> None:
    win = ev.Hora(
        0, 0, 0, tiles("19m19p19s1234567z"), (), (("kokushi_musou", 1),), 0, 0, 0, 0, 0, multiple,
        "yakuman", 48_000, -1, (0,) * 4, (0,) * 4,
    )  # fmt: skip
    assert value_words(win) == words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (ev.Tsumo(0, 37), "Aoi draws a tile"),
        (ev.Tsumo(0, tile("5z")), "Aoi draws 白"),
        (ev.Dahai(1, tile("0p"), True), "Beni discards 0p as drawn"),
        (ev.Naki(ev.CHI, 1, 0, tile("3m"), tiles("24m")), "Beni calls chi on 3m with 24m"),
        (ev.Kakan(3, tile("0p"), tiles("555p")), "Daigo adds 0p to a pon (kakan)"),
        (ev.Ankan(3, tiles("1111z")), "Daigo makes a concealed kan of 東東東東"),
        (ev.Reach(0), "Aoi declares riichi"),
        (ev.Dora(tile("1z")), "new dora indicator 東"),
    ],
)
def test_events_are_sentences(event: ev.Event, words: str) -> None:
    assert event_text(event, NAMES, PLAIN).plain == words


# ---------------------------------------------------------------------- what a terminal can show


@pytest.mark.parametrize(
    ("environment", "styles"),
    [({"TERM": "xterm-256color"}, True), ({"TERM": "dumb"}, False),
     ({"TERM": "xterm-256color", "NO_COLOR": "1"}, False)],
)  # fmt: skip
def test_no_color_and_dumb_terminals_have_no_styles(
    environment: dict[str, str], styles: bool
) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, _environ=environment)
    assert Look.of(console).styles is styles


def test_a_pipe_has_no_styles() -> None:
    assert Look.of(Console(file=io.StringIO(), _environ={"TERM": "xterm"})).styles is False
