"""What the table shows and what pressing does, with no server behind it: see `stage.js`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import scenes
from browser import STAGE, Watched

Visit = Callable[..., Watched]
NAMES = ["Aki", "Bo", "Chika", "Daigo"]
NO_MELDS: list[list[Any]] = [[], [], [], []]


@pytest.fixture
def stage(visit: Visit, url: str) -> Watched:
    watched = visit(reduced_motion="reduce")
    watched.open_lobby(url)
    watched.page.evaluate(STAGE)
    return watched


def show(stage: Watched, counts: tuple[int, ...] = (0, 0, 0, 0), **state: Any) -> None:
    """Four closed hands; what is given is laid over the state."""
    stage.page.evaluate(
        "([scene, names, more]) => stage.made(scene, names, more)",
        [{"melds": NO_MELDS, "rivers": counts}, NAMES, state],
    )


def ask(stage: Watched, *menu: dict[str, Any], **hints: Any) -> None:
    stage.page.evaluate("([menu, hints]) => stage.ask(menu, hints)", [menu, hints])


def hand(tiles: str, drawn: str | None = None, *melds: dict[str, Any]) -> dict[str, Any]:
    return {"tiles": tiles.split(), "drawn": drawn, "melds": list(melds)}


def hidden(*melds: dict[str, Any]) -> dict[str, Any]:
    return hand("? " * (13 - 3 * len(melds)), None, *melds)


def discard(tile: str, tsumogiri: bool = False) -> dict[str, Any]:
    return {"type": "dahai", "actor": 0, "pai": tile, "tsumogiri": tsumogiri}


def texts(stage: Watched, selector: str) -> list[str]:
    found: list[str] = stage.page.locator(selector).all_inner_texts()
    return found


def answers(stage: Watched) -> list[int]:
    """Indices of the answers that the page has sent since the last time, each to its question."""
    found = stage.page.evaluate("stage.sent.splice(0)")
    assert len({message["id"] for message in found}) == len(found)
    return [message["index"] for message in found]


# ---------------------------------------------------------------------- what lies on the table


@pytest.mark.parametrize("owner", range(4))
@pytest.mark.parametrize("kind", ["pon", "daiminkan", "kakan"])
def test_a_called_tile_lies_on_the_side_of_whom_it_came_from(
    stage: Watched, kind: str, owner: int
) -> None:
    tiles = {"pon": 3, "kakan": 3, "daiminkan": 4}[kind]
    # From the left it lies first, from the right last, from across inside.
    for away, place in ((3, 0), (2, 1), (1, tiles - 1)):
        meld = {
            "type": kind,
            "tiles": ["N"] * (tiles + (kind == "kakan")),
            "called": "N",
            "target": (owner + away) % 4,
            "added": "N" if kind == "kakan" else None,
        }
        show(stage, hands=[hidden(*[meld] * (seat == owner)) for seat in range(4)])
        lying = stage.page.evaluate(
            """[...document.querySelectorAll(".melds .meld > *")]
              .map(e => e.classList.contains("t") ? 0 : e.querySelectorAll(".side").length || 1)"""
        )
        expected = [0] * tiles
        expected[place] = 2 if kind == "kakan" else 1
        assert lying == expected, (away, lying)


def test_a_chi_lies_to_the_left_and_a_closed_kan_shows_two_backs(stage: Watched) -> None:
    chi = {"type": "chi", "tiles": ["7s", "8s", "9s"], "called": "8s", "target": 0, "added": None}
    kan = {"type": "ankan", "tiles": ["5p", "5p", "5p", "5pr"], "called": None, "target": -1}
    show(stage, hands=[hidden(), hidden(chi, {**kan, "added": None}), hidden(), hidden()])
    shown = stage.page.evaluate(
        """[...document.querySelectorAll(".rack .meld")]
          .map(meld => [...meld.querySelectorAll(".t")].map(t => t.dataset.t))"""
    )
    assert shown == [["8s", "7s", "9s"], ["?", "5p", "5pr", "?"]]


def test_a_river_has_rows_of_six_and_tells_how_each_tile_was_discarded(stage: Watched) -> None:
    tiles = hand("1m 2m 3m 4m 5m 5mr 7m 8m 9m E S W N P F C")["tiles"]
    river = [
        {"tile": tile, "tsumogiri": n == 1, "riichi": n == 7, "called": n == 3}
        for n, tile in enumerate(tiles)
    ]
    show(stage, rivers=[river, [], [], []], phase=4, turn=0)
    own = '.frame[data-place="0"] .river'
    rows = stage.page.evaluate(
        f"[...document.querySelectorAll('{own} .row')].map(row => row.childElementCount)"
    )
    assert rows == [6, 6, 4]

    def shown(selector: str) -> list[str]:
        found: list[str] = stage.page.evaluate(
            f"[...document.querySelectorAll('{own} {selector}')].map(t => t.dataset.t)"
        )
        return found

    assert shown(".tsumogiri") == ["2m"]
    assert shown(".called") == ["4m"]
    assert shown(".side .t") == ["8m"]
    assert shown(".last") == ["C"]


def test_round_wall_honba_deposits_and_dora_are_told(stage: Watched) -> None:
    show(stage, bakaze=1, kyoku=3, honba=2, kyotaku=1, draws=30, rinshan=1, dora=["9s", "N"])
    assert texts(stage, ".middle div") == ["South 3", "39 left"]
    assert texts(stage, ".counters b") == ["2", "1"]
    tiles = stage.page.locator(".dora .t").evaluate_all("all => all.map(t => t.dataset.t)")
    assert tiles == ["9s", "N", "?", "?", "?"]
    assert "1 of bamboo, East wind" in stage.page.get_attribute(".dora", "aria-label")


def test_whose_turn_it_is_and_who_has_declared_riichi_is_seen(stage: Watched) -> None:
    show(stage, turn=2, phase=1, riichi=[0, 1, 0, 0])
    assert stage.page.locator(".lamp.on").evaluate_all("all => all.map(e => e.dataset.place)") == [
        "2"
    ]
    assert texts(stage, ".plate.turn .name") == ["Chika"]
    sticks = stage.page.locator(".stick:visible")
    assert sticks.count() == 1
    assert stage.page.locator('.frame[data-place="1"] .stick:visible').count() == 1


def test_differences_of_the_scores_are_seen_on_hover_on_press_and_on_focus(stage: Watched) -> None:
    show(stage, scores=[25000, 26000, 24000, 25000], oya=1)
    plain = ["N 25,000", "E 26,000", "S 24,000", "W 25,000"]
    differences = ["N 25,000", "E +1,000", "S −1,000", "W 0"]

    def scores() -> list[str]:
        return [text.replace("\n", " ") for text in texts(stage, ".score")]

    assert scores() == plain
    stage.page.hover(".middle")
    assert scores() == differences
    stage.page.mouse.move(5, 700)
    assert scores() == plain
    touch = {"pointerType": "touch"}
    stage.page.dispatch_event(".middle", "pointerdown", touch)
    assert scores() == differences
    stage.page.dispatch_event(".middle", "pointerup", touch)
    assert scores() == plain


def test_dora_shine_and_tiles_of_the_kind_that_is_pointed_at_are_marked(stage: Watched) -> None:
    own = hand("1m 4p 5p 5pr 9s", "5p")
    show(stage, (3, 3, 3, 3), dora=["3p"], hands=[own, hidden(), hidden(), hidden()])
    shining = stage.page.locator(".handbar .isdora").evaluate_all("all => all.map(t=>t.dataset.t)")
    assert shining == ["4p", "5pr"]
    stage.page.hover('.handbar [data-t="5pr"]')
    same = stage.page.locator(".same").evaluate_all("all => all.map(t => t.dataset.t).sort()")
    assert same == ["5p", "5p", "5pr"]
    stage.page.hover(".middle")
    assert stage.page.locator(".same").count() == 0


# ---------------------------------------------------------------------- what may be done


def test_what_the_menu_forbids_is_dimmed_and_cannot_be_pressed(stage: Watched) -> None:
    show(stage, hands=[hand("1m 2m 3m 6m", "6m"), hidden(), hidden(), hidden()])
    ask(stage, discard("1m"), discard("6m", tsumogiri=True))
    dim = stage.page.locator(".handbar .off").evaluate_all("all => all.map(t => t.dataset.t)")
    assert dim == ["2m", "3m", "6m"]
    stage.page.click('.handbar [data-t="2m"]', force=True)
    assert answers(stage) == []
    stage.page.click('.handbar [data-key="drawn"]')
    assert answers(stage) == [1]


def test_riichi_shows_which_discards_keep_tenpai_and_their_waits(stage: Watched) -> None:
    show(stage, riichi=[0] * 4, hands=[hand("1m 2m 3m 9s", "E"), hidden(), hidden(), hidden()])
    wait = {"tile": "4p", "left": 2, "yaku": True}
    ask(
        stage,
        *(discard(tile) for tile in ("1m", "2m", "3m", "9s")),
        discard("E", tsumogiri=True),
        {"type": "reach", "actor": 0},
        shanten=0,
        discards=[
            {"tile": "9s", "waits": [wait], "furiten": False, "riichi": True},
            {"tile": "E", "waits": [{**wait, "tile": "9s"}], "furiten": True, "riichi": True},
            {"tile": "1m", "waits": [wait], "furiten": False, "riichi": False},
        ],
    )
    # A dot is over each tile whose discard leaves the hand tenpai; its waits are told.
    marked = ".handbar .keeps"
    assert stage.page.locator(marked).evaluate_all("all => all.map(t => t.dataset.t)") == [
        "1m",
        "9s",
        "E",
    ]
    stage.page.click(".act.reach")
    stage.page.wait_for_selector(".ask")
    may = stage.page.locator(".handbar .may").evaluate_all("all => all.map(t => t.dataset.t)")
    assert may == ["9s", "E"]
    stage.page.hover('.handbar [data-t="E"]')
    assert stage.page.locator(".waits .t").get_attribute("data-t") == "9s"
    assert texts(stage, ".furiten") == ["Furiten"]
    stage.page.hover('.handbar [data-t="9s"]')
    assert stage.page.locator(".waits .t").get_attribute("data-t") == "4p"
    assert stage.page.locator(".furiten").count() == 0
    stage.page.keyboard.press("Escape")
    stage.page.wait_for_selector(".act.reach")
    assert answers(stage) == []
    stage.page.keyboard.press("r")
    stage.page.click('.handbar .may[data-t="9s"]')
    assert answers(stage) == [5]
    # The server then asks for the tile, which is chosen already.
    stage.page.evaluate(
        "menu => stage.ask(menu)",
        [discard("E", tsumogiri=True), discard("9s")],
    )
    assert answers(stage) == [1]


def test_waits_furiten_and_a_missing_yaku_are_told(stage: Watched) -> None:
    show(stage, riichi=[0] * 4)
    for furiten, words in (
        ("river", "a wait lies in your own river"),
        ("temporary", "Temporary"),
        ("riichi", "Riichi"),
    ):
        waits = [
            {"tile": "1m", "left": 3, "yaku": True},
            {"tile": "4m", "left": 0, "yaku": False},
        ]
        ask(stage, {"type": "none"}, shanten=0, waits=waits, furiten=furiten)
        assert texts(stage, ".wait") == ["3", "0\nno yaku"]
        assert words in stage.page.get_attribute(".furiten", "title")
    ask(stage, {"type": "none"}, shanten=2)
    assert texts(stage, ".hints") == ["2-shanten"]


def test_the_clock_counts_the_free_time_and_then_the_bank(stage: Watched) -> None:
    show(stage)
    ask(stage, discard("3p"))
    clock = "[...document.querySelectorAll('.clock > *')].map(e => e.textContent)"
    assert stage.page.evaluate(clock) == ["88", "+88"]
    late = """ms => {
      jantaku.app.screen.answers.askedAt = performance.now() - ms;
      jantaku.app.screen.controls.tick();
    }"""
    stage.page.evaluate(late, 80_500)
    assert stage.page.evaluate(clock) == ["8", "+88"]
    stage.page.evaluate(late, 98_500)
    assert stage.page.evaluate(clock) == ["0", "+78"]
    assert stage.page.locator(".clock.late").count() == 1


def test_each_question_s_buttons_are_pressed_by_mouse_and_by_key(stage: Watched) -> None:
    show(stage)
    keys = {"hora": "w", "pon": "p", "chi": "c", "daiminkan": "k", "none": "n", "ryukyoku": "y"}
    keys |= {"reach": "r", "ankan": "k", "kakan": "k"}
    for menu in scenes.menus():
        for index, action in enumerate(menu):
            kind = action["type"]
            if kind == "dahai":
                continue
            ask(stage, *menu)
            button = stage.page.locator(f'.actions [data-index="{index}"]')
            digit = button.get_attribute("data-option")
            button.click()
            assert answers(stage) == [index]
            if digit:
                ask(stage, *menu)
                stage.page.keyboard.press(digit)
                assert answers(stage) == [index]
            if [keys.get(other["type"]) for other in menu].index(keys[kind]) == index:
                ask(stage, *menu)
                stage.page.keyboard.press(keys[kind])
                assert answers(stage) == [index]


def test_a_second_press_answers_nothing(stage: Watched) -> None:
    show(stage)
    ask(stage, {"type": "pon", "consumed": ["5p", "5p"], "pai": "5p"}, {"type": "none"})
    stage.page.dblclick(".act.none")
    stage.page.keyboard.press("n")
    assert answers(stage) == [1]


def test_press_twice_to_discard_is_an_option(stage: Watched) -> None:
    stage.page.evaluate(
        "localStorage.setItem('jantaku.prefs', JSON.stringify({ confirm: true, lang: 'en' }))"
    )
    stage.page.reload()
    stage.page.wait_for_selector(".create form")
    stage.page.evaluate(STAGE)
    show(stage, hands=[hand("1m 2m"), hidden(), hidden(), hidden()])
    ask(stage, discard("1m"), discard("2m"))
    stage.page.click('.handbar [data-t="2m"]')
    assert answers(stage) == []
    stage.page.wait_for_selector('.handbar .going[data-t="2m"]')
    stage.page.wait_for_timeout(600)  # not a double click
    stage.page.click('.handbar [data-t="2m"]')
    assert answers(stage) == [1]


def test_a_word_is_shown_over_the_seat_that_calls(stage: Watched) -> None:
    show(stage, riichi=[0] * 4)
    stage.page.evaluate("jantaku.app.screen.tell({ type: 'reach', actor: 3 })")
    assert texts(stage, '.bubble[data-place="3"]') == ["Riichi"]
