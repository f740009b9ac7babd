"""The table fits every screen: nothing overlaps, is cut off or scrolls, whatever is on it.

No game is played here and no clock runs: the page is told what to show, is looked at once, and
shows the next. What it is told are moments of games by eager callers, every choice of melds at
all seats, and questions from one button to as many as there can be.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from typing import Any

import pytest
import scenes
from browser import LAYOUT, STAGE, Watched

import paths

Visit = Callable[..., Watched]

SIZES = (
    (390, 844),
    (390, 664),
    (360, 640),
    (844, 390),
    (667, 375),
    (768, 1024),
    (1024, 768),
    (1280, 800),
    (1920, 1080),
)

LOOK_AT_GAMES = f"""(scenes) => {{
  const look = {LAYOUT};
  return scenes.map((scene) => {{
    stage.game(scene);
    return look();
  }});
}}"""
LOOK_AT_MADE = f"""([scenes, names]) => {{
  const look = {LAYOUT};
  return scenes.map((scene) => {{
    stage.made(scene, names);
    return look();
  }});
}}"""
LOOK_AT_MENUS = f"""([scenes, names, menus, hints]) => {{
  const look = {LAYOUT};
  return scenes.map((scene) => {{
    stage.made(scene, names);
    return menus.map((menu) => {{
      stage.ask(menu, hints);
      const found = look();
      stage.ask(menu, hints, menu.some((action) => action.type === "reach"));
      return [...found, ...look()];
    }}).flat();
  }});
}}"""


LOOK_AT_PANEL = """() => {
  const panel = document.querySelector(".panel");
  const box = panel.getBoundingClientRect();
  const found = [];
  if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight)
    found.push(`cut off: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
  if (panel.scrollWidth > panel.clientWidth + 1) found.push("scrolls sideways");
  if (panel.scrollHeight > panel.clientHeight + 1 && panel.querySelectorAll(".win").length === 1)
    found.push(`scrolls by ${panel.scrollHeight - panel.clientHeight}`);
  for (const e of panel.querySelectorAll("td, th, dt, dd, h2, .t, button, a, .fuparts span")) {
    const { left, right } = e.getBoundingClientRect();
    if (left < box.left - 1 || right > box.right + 1) found.push(`sticks out: ${e.textContent}`);
    if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline")
      found.push(`text is cut: ${e.textContent}`);
  }
  return found;
}"""
LOOK_AT_RESULTS = f"""(endings) => {{
  const look = {LOOK_AT_PANEL};
  return endings.map((ending) => {{
    stage.ending(ending);
    return look();
  }});
}}"""
LOOK_AT_FINALS = f"""(finals) => {{
  const look = {LOOK_AT_PANEL};
  return finals.map((final) => {{
    stage.final(final);
    return look();
  }});
}}"""


def told(
    found: list[list[str]], scenes_shown: list[Any], where: object
) -> dict[str, tuple[int, str]]:
    """Each complaint once, with how often it came and the first scene."""
    counted: dict[str, tuple[int, str]] = {}
    for scene, complaints in zip(scenes_shown, found, strict=True):
        for complaint in complaints:
            times = counted.get(complaint, (0, ""))[0]
            first = counted.get(complaint, (0, f"{where}: {str(scene)[-200:]}"))[1]
            counted[complaint] = (times + 1, first)
    return counted


@pytest.fixture(scope="module")
def games() -> list[scenes.Scene]:
    return scenes.from_games()


@pytest.fixture(scope="module")
def results() -> list[scenes.Scene]:
    return scenes.endings()


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def stage(request: pytest.FixtureRequest, visit: Visit, url: str) -> Watched:
    width, height = request.param
    watched = visit(width=width, height=height, reduced_motion="reduce")
    watched.open_lobby(url)
    watched.page.evaluate(STAGE)
    return watched


def test_games_of_eager_callers_fit(stage: Watched, games: list[scenes.Scene]) -> None:
    assert len(games) > 100
    found = stage.page.evaluate(LOOK_AT_GAMES, games)
    assert told(found, games, "game") == {}


def test_every_choice_of_melds_fits_at_every_seat(stage: Watched) -> None:
    shown = scenes.made_up()
    found = stage.page.evaluate(LOOK_AT_MADE, [shown, scenes.LONG_NAMES])
    assert told(found, shown, "made up") == {}


@pytest.mark.parametrize("language", ["zh", "ja", "en"])
def test_every_question_fits_in_every_language(stage: Watched, language: str) -> None:
    stage.page.evaluate(f"stage.say('{language}')")
    made = scenes.made_up()
    closed, middle, called = made[0], made[len(made) // 2], made[-1]
    menus = scenes.menus()
    # A hand that waits for all thirteen is closed and can call nothing.
    few = [menu for menu in menus if len(menu) < 3 and "consumed" not in menu[0]]
    for shown, asked, waits in (
        ([closed, middle, called], menus, []),
        ([closed, middle, called], menus, scenes.WAITS[:3]),
        ([closed], menus, scenes.WAITS[:8]),
        ([closed], few, scenes.WAITS),
    ):
        hints = {"shanten": 0 if waits else 1, "waits": waits, "furiten": "river" if waits else ""}
        found = stage.page.evaluate(LOOK_AT_MENUS, [shown, scenes.LONG_NAMES, asked, hints])
        assert told(found, shown, hints) == {}


@pytest.mark.parametrize("language", ["zh", "ja", "en"])
def test_every_result_fits_without_scrolling(
    stage: Watched, results: list[scenes.Scene], language: str
) -> None:
    stage.page.evaluate(f"stage.say('{language}')")
    found = stage.page.evaluate(LOOK_AT_RESULTS, results)
    assert told(found, list(range(len(results))), "result") == {}
    end = {
        "type": "end_game",
        "scores": [-12300, 25000, 30800, 56500],
        "ranks": [4, 3, 2, 1],
        "points": [-62.3, -15.0, 10.8, 66.5],
    }
    shown = [{"seat": 0, "names": names, "end": end} for names in (scenes.NAMES, scenes.LONG_NAMES)]
    assert stage.page.evaluate(LOOK_AT_FINALS, shown) == [[], []]


def test_a_river_s_tiles_are_clear_on_a_phone(stage: Watched) -> None:
    made = scenes.made_up()[-1]
    stage.page.evaluate("([made, names]) => stage.made(made, names)", [made, scenes.NAMES])
    widths = stage.page.evaluate(
        "[...document.querySelectorAll('.river .t')].map(t => t.offsetWidth)"
    )
    size = stage.page.viewport_size
    # On the smallest screens a whole table of such tiles and a hand for thumbs do not fit.
    small = size["width"] * size["height"] < 300_000
    assert min(widths) >= (20 if small else 24)


def test_a_whole_real_game_fits_the_viewer(stage: Watched) -> None:
    with zipfile.ZipFile(paths.corpus_zip()) as archive:
        members = [m for m in archive.infolist() if m.filename.endswith((".xml", ".mjlog"))]
        biggest = max(members, key=lambda member: (member.file_size, member.filename))
        data = archive.read(biggest)
    page = stage.page
    page.reload()
    page.set_input_files(
        "#file", {"name": biggest.filename, "mimeType": "text/xml", "buffer": data}
    )
    page.wait_for_selector("main.replaying[data-whole]")
    # Rivers and melds are fullest just before the end of each hand.
    for language in ("zh", "ja", "en"):
        page.evaluate("jantaku.app.openSettings()")
        page.click(f'dialog [data-lang="{language}"]')
        found = page.evaluate(
            f"""() => {{
              const look = {LAYOUT};
              const {{ screen }} = jantaku.app;
              return screen.kyokus.map(({{ events }}, kyoku) => {{
                const end = events.findIndex(({{ type }}) => ["hora", "ryukyoku"].includes(type));
                screen.go(kyoku, end - 1);
                return look();
              }});
            }}"""
        )
        assert told(found, list(range(len(found))), biggest.filename) == {}
