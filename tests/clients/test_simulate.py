"""Simulated games: the same from the same seed, counted by hand, and the command around them."""

from __future__ import annotations

import doctest
import gzip
import hashlib
import json
import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from jantaku_clients import bots, simulate
from jantaku_clients.bots import Bot, BotError
from jantaku_clients.cli import main
from jantaku_clients.command import engine_is_compiled
from jantaku_clients.simulate import Setup, SimulationError, play, replay_name
from jantaku_clients.tally import Tally
from jantaku_engine import events as ev
from jantaku_engine.actions import DISCARDS, Action
from jantaku_engine.menu import Menu
from jantaku_engine.rules import Ruleset
from jantaku_engine.view import SeatView
from jantaku_engine.wall import Wall
from jantaku_replays.native import read_native
from jantaku_replays.stats import rank_error

CHECKOUT = Path(__file__).resolve().parents[2]
TONPUU = Ruleset(length="tonpuu")
MIXED = ("greedy", "random", "tsumogiri", "greedy")

Captured = pytest.CaptureFixture[str]


def command(*arguments: object) -> int:
    return main(["simulate", *map(str, arguments)])


# ---------------------------------------------------------------------- from a seed


def test_the_seeds_are_the_written_hashes() -> None:
    text = b"jantaku simulate 1 match 7 3"
    assert simulate.derive("match", 7, 3) == hashlib.sha256(text).digest()
    game = play(Setup(TONPUU, MIXED, seed=7), 3)
    assert game.seed == hashlib.sha256(text).digest()
    first = next(e for e in game.match.events if isinstance(e, ev.StartKyoku))
    assert first.wall_hash == Wall.from_seed(game.seed, 0).commitment


def test_a_game_depends_on_seed_and_number_alone() -> None:
    setup = Setup(TONPUU, MIXED, seed=7)
    once = play(setup, 3).match.events
    play(setup, 2)
    assert play(setup, 3).match.events == once
    assert play(setup, 4).match.events != once
    assert play(setup._replace(seed=8), 3).match.events != once


def test_the_bots_of_a_game_do_not_share_their_chances() -> None:
    labels = ("match", "seat 0", "seat 1", "seat 2", "seat 3")
    assert len({simulate.derive(label, 7, 3) for label in labels}) == 5


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_one_process_and_two_give_the_same_figures_and_the_same_files(tmp_path: Path) -> None:
    setup = Setup(TONPUU, MIXED, seed=31)
    results = []
    for jobs in (1, 2):
        out = tmp_path / str(jobs)
        out.mkdir()
        played: list[int] = []
        tally = simulate.simulate(setup, 5, jobs, out, played.append)
        assert sum(played) == tally.games == 5
        figures = [seat.figures(tally.rounds) for seat in tally.seats]
        results.append((tally.rounds, tally.decisions, figures, files_of(out)))
    assert results[0] == results[1]
    assert list(results[0][3]) == [replay_name(setup, number) for number in range(5)]


def test_a_written_game_is_read_back(tmp_path: Path) -> None:
    setup = Setup(Ruleset.preset("tenhou", length="tonpuu"), MIXED, seed=32)
    simulate.simulate(setup, 1, out=tmp_path)
    data = gzip.decompress((tmp_path / replay_name(setup, 0)).read_bytes())
    record = read_native(data, "game")
    game = play(setup, 0)
    events = [event for kyoku in record.kyokus for event in kyoku.events]
    assert events == game.match.events[1:-1]
    assert record.end[0] == game.match.events[-1]
    assert record.rules == setup.rules
    assert record.bots == setup.bots
    assert [kyoku.wall for kyoku in record.kyokus] == [
        Wall.from_seed(game.seed, number) for number in range(game.match.dealt)
    ]


def test_the_replay_verifier_finds_nothing_in_written_games(
    tmp_path: Path, capsys: Captured
) -> None:
    simulate.simulate(Setup(TONPUU, ("greedy",) * 4, seed=33), 3, out=tmp_path)
    assert main(["replay", "verify", str(tmp_path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 3
    assert report["mismatches"] == report["skipped"] == []


def test_greedy_beats_random() -> None:
    tally = simulate.simulate(Setup(TONPUU, ("greedy", "random", "greedy", "random"), 34), 16)
    figures = [seat.figures(tally.rounds) for seat in tally.seats]
    for greedy in (0, 2):
        for other in (1, 3):
            gap = figures[other]["average_rank"] - figures[greedy]["average_rank"]
            error = figures[other]["rank_error"] + figures[greedy]["rank_error"]
            assert gap > 2 * error, f"seed 34, seats {greedy} and {other}: {figures}"
        assert tally.seats[greedy].wins > tally.rounds / 5


# ---------------------------------------------------------------------- figures


def hora(actor: int, target: int, deltas: tuple[int, ...]) -> ev.Hora:
    return ev.Hora(
        actor, target, 0, (), (), (("riichi", 1),), 0, 0, 0, 30, 1, 0, "none", 1000, -1,
        deltas, (0, 0, 0, 0),
    )  # fmt: skip


def start() -> ev.StartKyoku:
    return ev.StartKyoku(0, 1, 0, 0, 0, 0, (25_000,) * 4, ((), (), (), ()))


def counted(*events: ev.Event) -> Tally:
    tally = Tally()
    tally.count(events)
    return tally


END = ev.EndGame((40_000, 20_000, 30_000, 10_000), (1, 3, 2, 4), (50.0, -20.0, 10.0, -40.0))


def test_figures_of_a_small_game_counted_by_hand() -> None:
    tally = counted(
        start(),
        # Seat 1 calls twice: one hand with calls. Seat 0 is in riichi and is paid by seat 1.
        ev.Naki(ev.PON, 1, 0, 27, (27, 27)),
        ev.Naki(ev.CHI, 1, 0, 0, (1, 2)),
        ev.Reach(0),
        ev.ReachAccepted(0, (24_000, 25_000, 25_000, 25_000)),
        hora(0, 1, (3_000, -2_000, 0, 0)),
        ev.EndKyoku(),
        start(),
        # Seat 2 declares riichi on a tile that two seats win: no riichi, one deal-in.
        ev.Reach(2),
        hora(3, 2, (0, 0, -1_000, 1_000)),
        hora(0, 2, (3_900, 0, -3_900, 0)),
        ev.EndKyoku(),
        start(),
        # A concealed kan is no call; a tsumo is nobody's deal-in.
        ev.Ankan(3, (0, 0, 0, 0)),
        hora(3, 3, (-2_000, -1_000, -1_000, 4_000)),
        ev.EndKyoku(),
        start(),
        ev.Ryukyoku(ev.EXHAUSTIVE, ((),) * 4, (False,) * 4, (0,) * 4, (25_000,) * 4),
        ev.EndKyoku(),
        END,
    )
    assert (tally.games, tally.rounds) == (1, 4)
    figures = [seat.figures(tally.rounds) for seat in tally.seats]
    assert [f["win_rate"] for f in figures] == [0.5, 0, 0, 0.5]
    assert [f["deal_in_rate"] for f in figures] == [0, 0.25, 0.25, 0]
    assert [f["riichi_rate"] for f in figures] == [0.25, 0, 0, 0]
    assert [f["call_rate"] for f in figures] == [0, 0.25, 0, 0]
    assert [f["average_win"] for f in figures] == [3_450, None, None, 2_500]
    assert [f["average_deal_in"] for f in figures] == [None, 2_000, 4_900, None]
    assert [f["placements"] for f in figures] == [
        [1, 0, 0, 0],
        [0, 0, 1, 0],
        [0, 1, 0, 0],
        [0, 0, 0, 1],
    ]
    assert [f["average_score"] for f in figures] == [40_000, 20_000, 30_000, 10_000]
    assert [f["average_points"] for f in figures] == [50, -20, 10, -40]
    assert [f["rank_error"] for f in figures] == [None] * 4


def test_tallies_add_up() -> None:
    total = counted(start(), hora(0, 1, (1_000, -1_000, 0, 0)), ev.EndKyoku(), END)
    total.add(counted(start(), hora(0, 2, (2_000, 0, -2_000, 0)), ev.EndKyoku(), END))
    assert (total.games, total.rounds) == (2, 2)
    first, second, third, _ = (seat.figures(total.rounds) for seat in total.seats)
    assert (first["win_rate"], first["average_win"], first["placements"]) == (
        1,
        1_500,
        [2, 0, 0, 0],
    )
    assert (second["deal_in_rate"], second["average_deal_in"]) == (0.5, 1_000)
    assert (third["deal_in_rate"], third["average_points"]) == (0.5, 10)


def test_the_standard_error_is_that_of_the_mean() -> None:
    ranks = [1] * 5 + [2] * 3 + [3] * 7 + [4]
    assert rank_error([5, 3, 7, 1]) == pytest.approx(
        statistics.stdev(ranks) / sqrt(len(ranks)), abs=1e-6
    )


# ---------------------------------------------------------------------- what goes wrong


class Cheat(Bot):
    """Discards a red dragon whether it has one or not."""

    def choose(self, view: SeatView, menu: Menu) -> Action:
        return DISCARDS[33]


def test_a_bot_that_plays_what_it_may_not_ends_the_simulation_with_the_game_named(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(bots, "BOTS", {**bots.BOTS, "random": Cheat})
    with pytest.raises(SimulationError, match=r"game 0 of seed 5: IllegalAction: seat \d may not"):
        simulate.simulate(Setup(TONPUU, ("random",) * 4, seed=5), 1)
    assert command("--games", 1, "--seed", 5, "--bots", "random") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("jantaku simulate: game 0 of seed 5: IllegalAction")


def test_an_unknown_bot_is_refused_before_anything_is_played() -> None:
    with pytest.raises(BotError, match="'mortal'"):
        simulate.simulate(Setup(TONPUU, ("greedy", "greedy", "greedy", "mortal"), 1), 10, jobs=2)


def test_a_worker_that_is_killed_is_noticed() -> None:
    def kill_one(played: int) -> None:
        for process in multiprocessing.active_children()[:1]:
            process.kill()

    setup = Setup(Ruleset(), ("greedy",) * 4, seed=1)
    with pytest.raises(SimulationError, match=r"games of seed 1 are missing"):
        simulate.simulate(setup, 40, 2, progress=kill_one)
    assert multiprocessing.active_children() == []


def test_a_folder_that_vanishes_is_an_error_of_any_worker(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(FileNotFoundError):
        simulate.simulate(Setup(TONPUU, ("tsumogiri",) * 4, seed=1), 4, 2, gone)
    assert multiprocessing.active_children() == []


def test_an_interrupted_simulation_leaves_no_worker_behind() -> None:
    def interrupt(played: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate.simulate(Setup(TONPUU, ("greedy",) * 4, seed=1), 1000, 2, progress=interrupt)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_the_command_with_130_and_without_a_traceback(jobs: int) -> None:
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "jantaku_clients.cli", "simulate"),
            *("--games", "100000", "--jobs", str(jobs)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    # As a terminal does it: the signal goes to the workers too.
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert line.startswith("seed ")
    assert (output, errors) == ("", "")


# ---------------------------------------------------------------------- the command


def json_of(capsys: Captured) -> dict[str, Any]:
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    result: dict[str, Any] = json.loads(lines[0])
    return result


def test_json_has_the_promised_keys_and_the_figures_of_each_seat(capsys: Captured) -> None:
    assert (
        command("--games", 2, "--seed", 9, "--length", "tonpuu", "--bots", "random", "--json") == 0
    )
    result = json_of(capsys)
    assert list(result) == [
        "games",
        "rounds",
        "decisions",
        "seconds",
        "compiled",
        "seed",
        "bots",
    ]
    assert (result["games"], result["seed"]) == (2, 9)
    assert result["compiled"] == engine_is_compiled()
    assert [(bot["seat"], bot["bot"]) for bot in result["bots"]] == [
        (seat, "random") for seat in range(4)
    ]
    expected = simulate.simulate(Setup(TONPUU, ("random",) * 4, 9), 2)
    assert result["rounds"] == expected.rounds
    assert result["decisions"] == expected.decisions
    for seat in range(4):
        figures = expected.seats[seat].figures(expected.rounds)
        assert {key: result["bots"][seat][key] for key in figures} == figures


def test_bots_sit_in_the_order_in_which_they_are_named(capsys: Captured) -> None:
    arguments = ("--games", 1, "--seed", 9, "--length", "tonpuu", "--jobs", 1, "--json")
    assert command(*arguments, "--bots", "greedy, random,tsumogiri,random") == 0
    named = [bot["bot"] for bot in json_of(capsys)["bots"]]
    assert named == ["greedy", "random", "tsumogiri", "random"]


def test_a_length_stands_over_the_rules_of_a_file(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "house.toml"
    file.write_text('preset = "mleague"\nlength = "hanchan"\n', encoding="utf-8")
    games = ("--games", 1, "--seed", 9, "--bots", "tsumogiri", "--json", "--rules", file)
    assert command(*games) == 0
    hanchan = json_of(capsys)["rounds"]
    assert command(*games, "--length", "tonpuu") == 0
    assert json_of(capsys)["rounds"] < hanchan


def test_the_table_shows_every_figure_for_each_seat(capsys: Captured) -> None:
    arguments = ("--games", 3, "--seed", 9, "--length", "tonpuu", "--jobs", 1)
    assert command(*arguments, "--bots", "greedy,random,tsumogiri,random") == 0
    output = capsys.readouterr().out
    assert output.startswith("3 games, ")
    assert 'rules standard (length="tonpuu"), tonpuu; seed 9' in output
    for word in ("0 greedy", "3 random", "1st", "4th", "average rank", "±", "win rate", "deal-in"):
        assert word in output
    for word in ("riichi rate", "call rate", "average win", "average points"):
        assert word in output
    assert max(map(len, output.splitlines())) <= 80


def test_a_seed_chosen_by_chance_is_printed_and_gives_the_same_games(capsys: Captured) -> None:
    arguments = ("--games", 1, "--length", "tonpuu", "--bots", "random", "--json")
    assert command(*arguments) == 0
    output = capsys.readouterr()
    first = json.loads(output.out)
    assert output.err == f"seed {first['seed']}\n"
    assert command(*arguments, "--seed", first["seed"]) == 0
    second = json_of(capsys)
    assert {**second, "seconds": 0} == {**first, "seconds": 0}


def test_out_makes_the_folder_and_writes_every_game(tmp_path: Path) -> None:
    out = tmp_path / "new" / "games"
    arguments = ("--games", 2, "--seed", 4, "--length", "tonpuu", "--bots", "tsumogiri")
    assert command(*arguments, "--out", out, "--json") == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "seed4-game000000.mjson.gz",
        "seed4-game000001.mjson.gz",
    ]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "--games"),
        (("--games", "0"), "must be at least 1, not '0'"),
        (("--games", "many"), "must be a whole number, not 'many'"),
        (("--games", "1", "--jobs", "-2"), "must be at least 1, not '-2'"),
        (("--games", "1", "--seed", "x"), "must be a whole number, not 'x'"),
        (("--games", "1", "--bots", "mortal"), "'mortal'; there are greedy, random, tsumogiri"),
        (("--games", "1", "--bots", "greedy,random"), "four, one a seat, not 2"),
        (("--games", "1", "--bots", ""), "no house bot is named ''"),
        (("--games", "1", "--length", "long"), "--length"),
        (("--games", "1", "--rules", "tenhuo"), "did you mean tenhou"),
        (("--games", "1", "--rules", "missing.toml"), "missing.toml: cannot be read"),
    ],
)
def test_bad_arguments_get_one_line_and_status_2(
    arguments: tuple[str, ...], complaint: str, capsys: Captured
) -> None:
    assert command(*arguments) == 2
    output = capsys.readouterr()
    (line,) = output.err.splitlines()
    assert line.startswith("jantaku simulate: ")
    assert complaint in line
    assert output.out == ""


def test_rules_with_a_mistake_name_file_and_option(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "house.toml"
    file.write_text("kuitann = true\n", encoding="utf-8")
    assert command("--games", 1, "--rules", file) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "house.toml" in line
    assert "did you mean kuitan" in line


def test_who_mixes_the_games_of_two_runs_is_told(tmp_path: Path, capsys: Captured) -> None:
    one = ("--games", 1, "--length", "tonpuu", "--bots", "tsumogiri", "--out", tmp_path, "--json")
    (tmp_path / "notes.txt").write_text("no record", encoding="utf-8")
    assert command(*one, "--seed", 4) == 0
    assert "has records already" not in capsys.readouterr().err
    assert command(*one, "--seed", 5) == 0
    assert f"--out {tmp_path}: has records already" in capsys.readouterr().err
    assert len(list(tmp_path.iterdir())) == 3


def test_an_out_that_is_a_file_is_refused(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "games"
    file.write_text("", encoding="utf-8")
    for out in (file, file / "below"):
        assert command("--games", 1, "--out", out) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert f"--out {out}: " in line


# ---------------------------------------------------------------------- examples


def test_the_example_of_the_module_runs() -> None:
    assert doctest.testmod(simulate).failed == 0


def test_the_example_of_the_readme_runs() -> None:
    path = CHECKOUT / "clients" / "README.md"
    result = doctest.testfile(str(path), module_relative=False)
    assert result.attempted > 3
    assert result.failed == 0
