"""How the page looks and speaks: languages, widths, keyboard, names, size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from browser import LAYOUT, Player, Watched, play_until

Visit = Callable[..., Watched]

LANGUAGES = {
    "zh": ("大厅", "立即与机器人对局", "新建牌桌", "牌谱"),
    "ja": ("ロビー", "すぐにボットと対局", "卓を作る", "牌譜"),
    "en": ("Lobby", "Play against bots now", "New table", "Replay"),
}

CUT_TEXT = """() => [...document.querySelectorAll("button, .button, h1, h2, th, td, dt, dd, li, b")]
  .filter(e => e.offsetParent !== null && getComputedStyle(e).display !== "inline")
  .filter(e => e.scrollWidth > e.clientWidth + 2 && e.clientWidth > 0 && !e.closest(".unseen"))
  .map(e => `${e.className}: ${e.textContent.slice(0, 40)}`)"""

NAMELESS = """() => [...document.querySelectorAll("button, a, input, select, [role]")]
  .filter(e => e.offsetParent !== null)
  .filter(e => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length))
  .map(e => e.outerHTML.slice(0, 120))"""


def test_the_first_page_is_small_and_asks_no_foreign_host(visit: Visit, url: str) -> None:
    watched = visit()
    bodies: dict[str, int] = {}
    watched.page.on("response", lambda r: bodies.__setitem__(r.url, len(r.body())))
    watched.open_lobby(url)
    watched.page.wait_for_load_state("networkidle")
    assert all(address.startswith(url) for address in bodies), bodies
    assert sum(bodies.values()) < 300_000, bodies
    assert any(address.endswith("tiles.svg") for address in bodies)


def test_three_languages_are_switched_live_in_the_lobby(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    for language, words in LANGUAGES.items():
        watched.page.click(f'.top [data-lang="{language}"]')
        watched.page.wait_for_selector(".create form")
        text = watched.page.inner_text("main")
        assert words[1] in text
        assert words[2] in text
        assert watched.page.evaluate("document.documentElement.lang")[:2] == language
        assert not watched.page.evaluate(CUT_TEXT)
    watched.page.reload()
    assert watched.page.evaluate("document.documentElement.lang") == "en"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browser_s_language_is_taken_at_first(visit: Visit, url: str, language: str) -> None:
    watched = visit(language={"zh": "zh-CN", "ja": "ja-JP", "en": "en-GB"}[language])
    watched.open_lobby(url)
    assert LANGUAGES[language][1] in watched.page.inner_text("main")


def test_every_text_has_three_languages(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    missing = watched.page.evaluate(
        """async () => {
          const base = document.querySelector('script[type=module]').src;
          const source = await (await fetch(new URL('words.js', base))).text();
          const entries = [...source.matchAll(/^ {2}"?([\\w. -]+)"?: \\[(.*)\\],$/gm)];
          const used = new Set();
          const modules = [...document.querySelectorAll('link[rel=modulepreload]')];
          for (const { href } of modules) {
            const text = await (await fetch(href)).text();
            for (const match of text.matchAll(/say\\("([^"]+)"/g)) used.add(match[1]);
          }
          const known = new Set(entries.map(e => e[1]));
          return {
            count: entries.length,
            short: entries.filter(e => JSON.parse(`[${e[2]}]`).length !== 3).map(e => e[1]),
            unknown: [...used].filter(key => !known.has(key)),
          };
        }"""
    )
    assert missing["count"] > 200
    assert missing["short"] == []
    assert missing["unknown"] == []


def test_the_game_goes_on_when_the_language_changes_at_the_table(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.create()
    player = Player(watched)
    play_until([player], lambda: player.clicks >= 3)
    for language in ("ja", "zh", "en"):
        request = player.wait_for_question()
        watched.page.click(".gear")
        watched.page.click(f'dialog [data-lang="{language}"]')
        watched.page.wait_for_selector(".table.asked")
        assert watched.page.evaluate("jantaku.app.screen.request.id") == request["id"]
        assert LANGUAGES[language][0] in watched.page.inner_text(".tools")
        now = player.clicks
        play_until([player], lambda now=now: player.clicks > now or player.over)  # type: ignore[misc]


def test_a_table_that_is_played_fits_a_phone_and_a_desktop(visit: Visit, url: str) -> None:
    watched = visit(width=390, height=844, reduced_motion="reduce")
    watched.open_lobby(url)
    watched.create(clock="slow")
    player = Player(watched)
    looked = 0
    while looked < 4 and not player.over:
        chosen = player.choose()
        if chosen is None:
            watched.wait()
            continue
        request, action = chosen
        watched.page.wait_for_selector(".table.asked")
        calls = {"chi", "pon", "reach", "hora"} & {item["type"] for item in request["menu"]}
        if calls or player.clicks == 20:
            looked += 1
            for width, height in ((1280, 800), (844, 390), (390, 844)):
                watched.resize(width, height)
                found = watched.page.evaluate(LAYOUT)
                assert found == [], (width, height, request["menu"])
        player.click(request, action)
    assert looked >= 2


def test_on_a_phone_the_hand_is_large_enough_for_a_thumb(visit: Visit, url: str) -> None:
    watched = visit(width=390, height=844, has_touch=True, is_mobile=True)
    watched.open_lobby(url)
    watched.create()
    player = Player(watched)
    play_until([player], lambda: player.clicks >= 3)
    player.wait_for_question()
    boxes = watched.page.evaluate(
        """[...document.querySelectorAll(".handbar .tiles .t, .actions button, .foot button")]
          .map(e => e.getBoundingClientRect()).map(r => [r.width, r.height, r.bottom])"""
    )
    assert all(wide >= 44 and high >= 28 for wide, high, _ in boxes), boxes
    assert all(bottom <= 844 for _, _, bottom in boxes)
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_game_is_started_and_played_with_the_keyboard_alone(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    page = watched.page
    page.focus("#name")
    page.keyboard.type("Kei")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    player = Player(watched)
    for turn in range(4):
        request = player.wait_for_question(30)
        player.answered.add(request["id"])
        kinds = [item["type"] for item in request["menu"]]
        if "dahai" not in kinds:
            page.keyboard.press("n")
        elif turn % 2:
            page.keyboard.press("t")
        else:
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("ArrowLeft")
            wanted = page.evaluate("document.activeElement.dataset.t")
            page.keyboard.press("Enter")
        _wait_for_answer(watched, request["id"])
        if "dahai" in kinds and not turn % 2:
            answer = next(m for m in watched.sent if m.get("id") == request["id"])
            assert request["menu"][answer["index"]]["pai"] == wanted
    page.keyboard.press("F2")
    watched.until("document.querySelector('[data-auto=calls]').ariaPressed === 'true'")


def _wait_for_answer(watched: Watched, question: int) -> None:
    watched.until(f"jantaku.app.screen.answered === {question} || !jantaku.app.screen.open()")
    watched.until(f"(jantaku.app.screen.request?.id ?? -1) !== {question}")


def test_everything_that_can_be_pressed_or_seen_has_a_name(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    assert watched.page.evaluate(NAMELESS) == []
    watched.create()
    player = Player(watched)
    play_until([player], lambda: player.clicks >= 5)
    player.wait_for_question()
    assert watched.page.evaluate(NAMELESS) == []
    tiles: list[Any] = watched.page.evaluate(
        "[...document.querySelectorAll('.handbar .tiles .t')].map(t => t.ariaLabel)"
    )
    suits = ("characters", "circles", "bamboo", "wind", "dragon")
    assert all(any(word in label for word in suits) for label in tiles), tiles
    label = watched.page.get_attribute(".river >> nth=1", "aria-label")
    assert label.startswith("Discards of ")


def test_reduced_motion_is_respected(visit: Visit, url: str) -> None:
    watched = visit(reduced_motion="reduce")
    watched.open_lobby(url)
    watched.create()
    player = Player(watched)
    play_until([player], lambda: player.clicks >= 2)
    moving = watched.page.evaluate(
        """[...document.querySelectorAll('.t')]
          .filter(t => getComputedStyle(t).animationName !== 'none').length"""
    )
    assert moving == 0


def test_corner_numerals_are_an_option(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    content = "getComputedStyle(document.querySelector('.t'), '::after').content"
    assert watched.page.evaluate(content) == "none"
    watched.page.click(".gear")
    watched.page.click('[data-pref="numerals"]')
    assert watched.page.evaluate(content) == '"R"'
    watched.page.reload()
    watched.page.wait_for_selector(".create form")
    assert watched.page.evaluate(content) == '"R"'
