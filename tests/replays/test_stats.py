"""Figures of players, counted by hand beside what the program counts; table, JSON and page."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import record_kit as kit

from jantaku_clients.cli import main
from jantaku_clients.stats_page import stats_page
from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset
from jantaku_replays import native
from jantaku_replays.files import parse
from jantaku_replays.stats import PlayerTally, Stats, count_events
from jantaku_replays.verify import complete


def hora(
    actor: int, target: int, deltas: tuple[int, ...], yaku: str, dora: int = 0, ura: int = 0
) -> ev.Hora:
    names = tuple((name, 1) for name in yaku.split())
    return ev.Hora(
        actor, target, 0, (), (), names, dora, ura, 1, 30, 1, 0, "none", 1000, -1,
        deltas, (0, 0, 0, 0),
    )  # fmt: skip


def start() -> ev.StartKyoku:
    return ev.StartKyoku(0, 1, 0, 0, 0, 0, (25_000,) * 4, ((), (), (), ()))


def draw(reason: str, *tenpais: bool) -> ev.Ryukyoku:
    return ev.Ryukyoku(reason, ((),) * 4, tenpais, (0,) * 4, (25_000,) * 4)


GAME = (
    start(),
    hora(0, 0, (4_000, -2_000, -1_000, -1_000), "riichi menzen_tsumo", dora=2, ura=1),
    ev.EndKyoku(),
    start(),
    hora(0, 3, (2_000, 0, 0, -2_000), "tanyao", dora=1),
    ev.EndKyoku(),
    start(),
    # The wall runs out: seats 0 and 2 are tenpai.
    draw(ev.EXHAUSTIVE, True, False, True, False),
    ev.EndKyoku(),
    start(),
    # A nagashi mangan is a draw at the end of the wall too.
    draw(ev.NAGASHI_MANGAN, True, False, False, False),
    ev.EndKyoku(),
    start(),
    # An abortive draw is none.
    draw(ev.SUUCHA_RIICHI, True, True, True, True),
    ev.EndKyoku(),
    ev.EndGame((40_000, 20_000, 30_000, 10_000), (1, 3, 2, 4), (50.0, -20.0, 10.0, -40.0)),
)


def counted() -> list[PlayerTally]:
    players = [PlayerTally() for _ in range(4)]
    assert count_events(players, GAME) == (1, 5)
    return players


def test_a_game_counted_by_hand() -> None:
    winner, second, third, last = (player.to_dict() for player in counted())
    assert (winner["games"], winner["rounds"], winner["wins"]) == (1, 5, 2)
    assert winner["win_rate"] == 0.4
    assert winner["tsumo_share"] == 0.5
    assert winner["average_win"] == 3_000
    assert (winner["dora"], winner["ura_dora"], winner["red_fives"]) == (1.5, 0.5, 1)
    assert winner["yaku"] == {"menzen_tsumo": 1, "riichi": 1, "tanyao": 1}
    assert last["deal_in_rate"] == 0.2
    assert last["average_deal_in"] == 2_000
    assert second["average_win"] is None
    assert second["dora"] is None
    assert third["placements"] == [0, 1, 0, 0]


def test_tenpai_is_counted_when_the_wall_runs_out() -> None:
    players = [player.to_dict() for player in counted()]
    assert [player["draw_rate"] for player in players] == [0.4] * 4
    assert [player["tenpai_at_draw_rate"] for player in players] == [1, 0, 0.5, 0]


def test_tallies_add_up_with_their_yaku() -> None:
    first, second = counted()[0], counted()[0]
    first.add(second)
    assert (first.games, first.rounds, first.wins, first.draws) == (2, 10, 4, 4)
    assert first.yaku == {"menzen_tsumo": 2, "riichi": 2, "tanyao": 2}
    assert first.to_dict()["average_points"] == 50


# ---------------------------------------------------------------------- records


def tiny_stats(games: int = 1) -> Stats:
    stats = Stats()
    for _ in range(games):
        stats.count(complete(parse(kit.TINY.encode(), "tiny.xml"))[0])
    return stats


def test_a_record_counted_by_hand() -> None:
    stats = tiny_stats()
    assert (stats.games, stats.rounds) == (1, 1)
    ben, ada = stats.players["Ben"].to_dict(), stats.players["Ada"].to_dict()
    assert ben["yaku"] == {"kokushi_musou_13": 1}
    assert (ben["win_rate"], ben["average_win"], ben["average_points"]) == (1, 32_000, 67)
    assert (ada["deal_in_rate"], ada["average_deal_in"], ada["average_rank"]) == (1, 32_000, 4)


def test_players_are_known_by_name_and_ranked_by_games_then_rank() -> None:
    stats = tiny_stats(2)
    assert [name for name, _ in stats.ranked()] == ["Ben", "Cho", "Dee", "Ada"]
    assert stats.players["Cho"].places == [0, 2, 0, 0]
    overall = stats.overall().to_dict()
    assert overall["placements"] == [2, 2, 2, 2]
    assert (overall["win_rate"], overall["deal_in_rate"]) == (0.25, 0.25)


def test_the_corpus_adds_up() -> None:
    stats = Stats()
    for name in list(kit.corpus_texts())[:20]:
        stats.count(complete(parse(kit.corpus_texts()[name].encode(), name))[0])
    overall = stats.overall()
    texts = [kit.corpus_texts()[name] for name in list(kit.corpus_texts())[:20]]
    assert overall.wins == sum(text.count("<AGARI") for text in texts)
    assert overall.riichi == sum(text.count('step="2"') for text in texts)
    assert stats.rounds == sum(text.count("<INIT") for text in texts)
    assert overall.rounds == 4 * stats.rounds
    assert overall.places == [20, 20, 20, 20]


# ---------------------------------------------------------------------- the command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "games"
    path.mkdir()
    (path / "tiny.xml").write_text(kit.TINY)
    match = kit.play(Ruleset(length="tonpuu"), 5)
    native.write(path / "played.mjson.gz", match.events)
    return path


def test_the_table_has_every_player_and_everybody(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", "stats", str(folder)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("2 games, ")
    for name in ("Ada", "Ben", "Cho", "Dee", "Aoi", "Beni", "Chika", "Daigo", "overall"):
        assert re.search(rf"^{name} ", out, re.MULTILINE), name
    assert re.search(r"kokushi_musou_13\s+1\s", out)
    assert re.search(r"^Ben .* 1 0 0 0 .* 32,000", out, re.MULTILINE)


def test_top_shortens_the_table_and_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", "stats", str(folder), "--top", "2"]) == 0
    assert "... and 6 more players" in capsys.readouterr().out


def test_json_has_everything(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "stats", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 2
    assert told["overall"]["games"] == 8
    ben = next(player for player in told["players"] if player["name"] == "Ben")
    assert ben["placements"] == [1, 0, 0, 0]
    assert ben["average_win"] == 32_000


def test_names_can_be_hidden(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "stats", str(folder), "--json", "--hide-names"]) == 0
    out = capsys.readouterr().out
    assert {player["name"] for player in json.loads(out)["players"]} == {"A", "B", "C", "D"}
    assert "Ben" not in out


def test_what_cannot_be_read_is_told_and_the_rest_is_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.xml").write_text("<mjloggm>")
    assert main(["replay", "stats", str(folder)]) == 2
    told = capsys.readouterr()
    assert "broken.xml" in told.err
    assert told.out.startswith("2 games, ")


# ---------------------------------------------------------------------- the page


def plots(page: str) -> list[ET.Element]:
    return [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


def test_the_page_is_one_file_with_tables_and_plots(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stats.html"
    assert main(["replay", "stats", str(folder), "--html", str(path)]) == 0
    page = path.read_text(encoding="utf-8")
    assert len(plots(page)) == 3
    assert not re.search(r"https?:|src=|href=|@import|url\(", page)
    assert "<script" not in page


def test_bars_are_as_long_as_what_they_show() -> None:
    stats = tiny_stats(3)
    stats.players["Ben"].places = [3, 1, 0, 0]
    placements, rates, yaku = plots(stats_page(stats, 1))
    bars = {
        "".join(bar.itertext()): float(bar.get("width") or 0)
        for plot in (placements, rates, yaku)
        for bar in plot.iter("rect")
    }
    first, second = bars["Ben: 1st 3 times, 75.0%"], bars["Ben: 2nd 1 times, 25.0%"]
    assert first == pytest.approx(3 * second, abs=0.2)
    assert bars["Ben: 3rd 0 times, 0.0%"] == 0
    assert bars["overall: win 25.0%"] == pytest.approx(bars["Ben: win 100.0%"] / 4, abs=0.1)
    assert "kokushi_musou_13: 3, 100.0%" in bars


def test_a_name_is_text_and_never_a_tag() -> None:
    stats = Stats()
    stats.players["<script>alert(1)</script>"] = counted()[0]
    stats.games, stats.rounds = 1, 5
    page = stats_page(stats, 5)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert len(plots(page)) == 3


def test_a_page_that_cannot_be_written_is_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nowhere" / "stats.html"
    assert main(["replay", "stats", str(folder), "--html", str(path)]) == 1
    assert "cannot be written" in capsys.readouterr().err
