"""Pictures of every screen: `.venv/bin/python tests/web/screenshots.py FOLDER`.

One real game is played until each moment has come; there the page is shown in every language,
on a desktop and on a phone that stands or lies.
"""

from __future__ import annotations

import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Final

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import browser as kit  # noqa: E402

import paths  # noqa: E402

SIZES: Final = {"desktop": (1280, 800), "phone": (390, 844), "lying": (844, 390)}
LANGUAGES: Final = ("zh", "ja", "en")
MOST_GAMES: Final = 12


class Album:
    """Takes a moment in each language and size, once."""

    def __init__(self, folder: Path, watched: kit.Watched) -> None:
        self.folder = folder
        self.watched = watched
        self.taken: set[str] = set()
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, moment: str, whole: bool = False, before: Any = None) -> None:
        """Pictures of this moment; `before` makes ready what a new language forgets."""
        if moment in self.taken:
            return
        self.taken.add(moment)
        page = self.watched.page
        for language in LANGUAGES:
            page.evaluate("jantaku.app.openSettings()")
            page.click(f'dialog [data-lang="{language}"]')
            for size, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                if before is not None:
                    before()
                self.watched.wait(350)
                path = self.folder / f"{moment}-{language}-{size}.png"
                page.screenshot(path=str(path), full_page=whole)
        page.set_viewport_size(dict(zip(("width", "height"), SIZES["desktop"], strict=True)))
        print(moment, flush=True)


def choose_riichi(watched: kit.Watched) -> None:
    """Press riichi, if it is not pressed yet, and look at a tile that keeps tenpai."""
    if watched.page.locator(".actions .ask").count() == 0:
        watched.page.click(".actions .act.reach")
        watched.page.wait_for_selector(".actions .ask")
    watched.page.focus(".tiles .may >> nth=0")


def play_a_game(album: Album, url: str, number: int) -> None:
    """One game, with pictures of its moments."""
    watched = album.watched
    watched.open_lobby(url)
    watched.create(clock="slow", rules={"preset": "standard", "length": "tonpuu"})
    player = kit.Player(watched, number)
    while not player.over:
        chosen = player.choose()
        if chosen is None:
            watched.wait()
            continue
        request, action = chosen
        watched.page.wait_for_selector(".table.asked")
        kinds = {item["type"] for item in request["menu"]}
        if "reach" in kinds:
            album.take("riichi", before=lambda: choose_riichi(watched))
            watched.page.keyboard.press("Escape")
        elif kinds & {"chi", "pon"} and player.clicks > 12:
            album.take("call")
        elif "hora" in kinds:
            album.take("win-offered")
        elif "dahai" in kinds and player.clicks > 20:
            album.take("turn")
        player.click(request, action)
    watched.page.evaluate("clearTimeout(jantaku.app.screen.finalTimer)")
    watched.page.wait_for_selector(".panel:not([hidden])")
    if watched.page.locator(".panel .yaku").count():
        album.take("result")
    elif watched.page.locator(".panel .result").count():
        album.take("draw")
    watched.page.evaluate("jantaku.app.screen.showFinal()")
    watched.wait_for_frame("finished")
    album.take("final", before=lambda: watched.page.evaluate("jantaku.app.screen.showFinal()"))


def watch(album: Album, url: str) -> None:
    """A table of four bots, from beside it."""
    watched = album.watched
    watched.open_lobby(url)
    watched.page.evaluate(
        """jantaku.app.connection.send({
          type: "create", seats: Array(4).fill("bot:greedy"), clock: "people", spectator_delay: 0,
          rules: { preset: "standard", length: "tonpuu" }, pace_ms: 400, chat: true,
        })"""
    )
    table = watched.wait_for_frame("created")["table"]
    watched.page.goto(f"{url}/#/w/{table}")
    watched.until("jantaku.app.screen.state.rivers?.some(river => river.length > 8)", 120)
    album.take("watch")


def show_replays(album: Album, url: str) -> None:
    """The viewer with a game of this server and with a Tenhou record."""
    page = album.watched.page
    games = page.evaluate("fetch('/api/games').then(r => r.json())")["games"]
    page.goto(f"{url}/#/r/{games[0]['id']}/2/40/0")
    page.reload()
    page.wait_for_selector("main.replaying[data-whole]")
    album.take("replay")
    page.click(".tabs button >> nth=1")
    album.take("replay-wall", whole=True)
    page.click(".tabs button >> nth=2")
    album.take("replay-proof", whole=True)
    if not (paths.folder("corpus") / "tenhou-games.zip").exists():
        return
    with zipfile.ZipFile(paths.corpus_zip()) as archive:
        name = next(n for n in archive.namelist() if n.endswith((".xml", ".mjlog")))
        data = archive.read(name)
    album.watched.open_lobby(url)
    page.set_input_files("#file", {"name": name, "mimeType": "text/xml", "buffer": data})
    page.wait_for_selector("main.replaying[data-whole]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    album.take("replay-tenhou-result", whole=True)


def main(folder: Path) -> None:
    """Make all pictures."""
    with (
        tempfile.TemporaryDirectory() as data,
        kit.running_browser() as browser,
        kit.running_server(Path(data)) as url,
    ):
        watched = kit.Watched(browser)
        album = Album(folder, watched)
        watched.open_lobby(url)
        watched.create(seats=["open", "open", "bot:greedy", "open"], private=True)
        watched.page.wait_for_selector(".panel .seats")
        album.take("waiting")
        for number in range(MOST_GAMES):
            play_a_game(album, url, number)
            if {"riichi", "call", "turn", "result", "final", "win-offered"} <= album.taken:
                break
        watch(album, url)
        show_replays(album, url)
        watched.open_lobby(url)
        album.take("lobby", whole=True)
        watched.page.click(".gear")
        watched.page.click('[data-pref="numerals"]')
        watched.page.screenshot(path=str(folder / "settings.png"))
        watched.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/screenshots"))
