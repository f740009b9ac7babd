"""How the page looks and speaks: languages, widths, keyboard, names, size."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from browser import Player, Watched, play_until

import paths

Visit = Callable[..., Watched]

SIZES = ((390, 844), (360, 640), (768, 1024), (844, 390), (1024, 768), (1280, 800), (1920, 1080))
LANGUAGES = {
    "zh": ("大厅", "立即与机器人对局", "新建牌桌", "牌谱"),
    "ja": ("ロビー", "すぐにボットと対局", "卓を作る", "牌譜"),
    "en": ("Lobby", "Play against bots now", "New table", "Replay"),
}

OVERLAPS = """() => {
  const boxes = selector => [...document.querySelectorAll(selector)]
    .filter(e => e.offsetParent !== null && getComputedStyle(e).visibility !== "hidden")
    .map(e => ({ e, r: e.getBoundingClientRect() }))
    .filter(({ r }) => r.width > 1 && r.height > 1);
  const name = e => `${e.className}${e.dataset.t ? " " + e.dataset.t : ""}`;
  const apart = [
    [".river .t", ".centre"], [".river .t", ".plate"], [".river .t", ".rack .t"],
    [".rack .t", ".plate"], [".rack .t", ".centre"], [".plate", ".centre"],
    [".board", ".tray"], [".board", ".handbar"], [".board", ".hud > *"], [".board", ".foot"],
    [".actions button", ".handbar .t"], [".actions button", ".board"],
    [".actions button", ".clock.on"], [".handbar .t", ".foot button"], [".hints > *", ".clock.on"],
    [".actions button", ".foot button"], [".hints > *", ".handbar .t"],
  ];
  const found = [];
  for (const [one, other] of apart)
    for (const a of boxes(one)) for (const b of boxes(other)) {
      const x = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left);
      const y = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
      if (x > 1.5 && y > 1.5)
        found.push(`${name(a.e)} / ${name(b.e)} ${Math.round(x)}x${Math.round(y)}`);
    }
  const rivers = [...document.querySelectorAll(".river")].map(r => [...r.querySelectorAll(".t")]);
  rivers.forEach((mine, n) => rivers.slice(n + 1).forEach(others => {
    for (const a of mine) for (const b of others) {
      const p = a.getBoundingClientRect(), q = b.getBoundingClientRect();
      if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1.5
          && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1.5) found.push("two rivers");
    }
  }));
  const wide = document.documentElement.clientWidth;
  const whole = ".board, .handbar .t, .actions button, .foot button, .hud button, .hud a, .rack .t";
  for (const { e, r } of boxes(whole))
    if (r.left < -1 || r.right > wide + 1 || r.top < -1) found.push(`cut off: ${name(e)}`);
  if (document.documentElement.scrollWidth > wide) found.push("scrolls sideways");
  return [...new Set(found)];
}"""

CUT_TEXT = """() => [...document.querySelectorAll("button, .button, h1, h2, th, td, dt, dd, li, b")]
  .filter(e => e.offsetParent !== null && getComputedStyle(e).display !== "inline")
  .filter(e => e.scrollWidth > e.clientWidth + 2 && e.clientWidth > 0 && !e.closest(".unseen"))
  .map(e => `${e.className}: ${e.textContent.slice(0, 40)}`)"""

NAMELESS = """() => [...document.querySelectorAll("button, a, input, select, [role]")]
  .filter(e => e.offsetParent !== null)
  .filter(e => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length))
  .map(e => e.outerHTML.slice(0, 120))"""


def resize(watched: Watched, width: int, height: int) -> None:
    watched.page.set_viewport_size({"width": width, "height": height})
    watched.wait(60)


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


def test_nothing_overlaps_or_is_cut_off_at_any_width(visit: Visit, url: str) -> None:
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
            for width, height in SIZES:
                resize(watched, width, height)
                found = watched.page.evaluate(OVERLAPS)
                for _ in range(20):  # the page may be in the middle of a move
                    if not found:
                        break
                    watched.wait(100)
                    found = watched.page.evaluate(OVERLAPS)
                assert found == [], (width, height, request["menu"])
            resize(watched, 390, 844)
        player.click(request, action)
    assert looked >= 2


def test_a_whole_real_game_fits_the_board_at_phone_and_desktop_width(
    visit: Visit, url: str
) -> None:
    with zipfile.ZipFile(paths.corpus_zip()) as archive:
        members = [m for m in archive.infolist() if m.filename.endswith((".xml", ".mjlog"))]
        biggest = max(members, key=lambda member: (member.file_size, member.filename))
        data = archive.read(biggest)
    watched = visit(width=390, height=844, reduced_motion="reduce")
    watched.open_lobby(url)
    watched.page.set_input_files(
        "#file", {"name": biggest.filename, "mimeType": "text/xml", "buffer": data}
    )
    watched.page.wait_for_selector("main.replaying[data-whole]")
    hands = watched.page.evaluate("jantaku.app.screen.kyokus.length")
    for width, height in SIZES:
        resize(watched, width, height)
        every = 1 if (width, height) in ((390, 844), (1280, 800)) else 5
        for kyoku in range(0, hands, every):
            # Rivers and melds are fullest just before the end.
            watched.page.evaluate(
                f"""() => {{
                  const screen = jantaku.app.screen;
                  const ends = ["hora", "ryukyoku"];
                  const at = screen.kyokus[{kyoku}].events.findIndex(e => ends.includes(e.type));
                  screen.go({kyoku}, at - 1);
                }}"""
            )
            found = watched.page.evaluate(OVERLAPS)
            assert found == [], (biggest.filename, kyoku, width)


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
