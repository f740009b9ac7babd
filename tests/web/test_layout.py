"""The table fits every screen: nothing overlaps, is cut off or scrolls, whatever is on it.

No game is played here and no clock runs: the page is told what to show, is looked at once, and
shows the next. What it is told are moments of games by eager callers, every choice of melds at
all seats, and questions from one button to as many as there can be.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import scenes
from browser import LAYOUT, Watched

import paths

Visit = Callable[..., Watched]
HERE = Path(__file__).parent
STAGE = (HERE / "stage.js").read_text(encoding="utf-8")

SIZES = (
    (390, 844),
    (360, 640),
    (844, 390),
    (667, 375),
    (768, 1024),
    (1024, 768),
    (1280, 800),
    (1920, 1080),
)
NAMES = [
    ["Aki", "Bo", "Chika", "Daigo"],
    [
        "W" * 20,
        "incomprehensibilities",
        "名前がとても長いプレイヤー田中次郎左衛門",
        "Bartholomew the Long",
    ],
]

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


@pytest.mark.parametrize("names", NAMES, ids=("short", "long"))
def test_every_choice_of_melds_fits_at_every_seat(stage: Watched, names: list[str]) -> None:
    shown = scenes.made_up()
    found = stage.page.evaluate(LOOK_AT_MADE, [shown, names])
    assert told(found, shown, "made up") == {}


@pytest.mark.parametrize("language", ["zh", "ja", "en"])
def test_every_question_fits_in_every_language(stage: Watched, language: str) -> None:
    stage.page.evaluate(f"stage.say('{language}')")
    made = scenes.made_up()
    shown = [made[0], made[-1], made[len(made) // 2]]
    hints = [
        {"shanten": 1},
        {"shanten": 0, "waits": scenes.WAITS[:2], "furiten": ""},
        {"shanten": 0, "waits": scenes.WAITS, "furiten": "river"},
    ]
    for hint in hints:
        found = stage.page.evaluate(LOOK_AT_MENUS, [shown, NAMES[1], scenes.menus(), hint])
        assert told(found, shown, hint) == {}


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
