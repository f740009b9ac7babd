"""`jantaku bot` and `jantaku games`, as a user runs them."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from client_kit import SHORT, nowhere
from screen_kit import environment

import paths
from jantaku_clients.cli import main
from jantaku_clients.client import Client

PROGRAMS = Path(__file__).parent / "programs"
SECONDS = 120.0
Run = tuple[int, str, str]

PLACES = re.compile(r"(\d\.  .+  +-?\d+  +[+-]\d+\.\d(  <)?\n){4}")


def jantaku(*argv: str) -> list[str]:
    return [sys.executable, "-m", "jantaku_clients.cli", *argv]


def run(*argv: str) -> Run:
    done = subprocess.run(
        jantaku(*argv), capture_output=True, text=True, env=environment(), timeout=SECONDS
    )
    return done.returncode, done.stdout, done.stderr


class Server:
    """`jantaku serve` as a process on a folder; `url` is what it prints."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.log = data.parent / "server.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                jantaku("serve", "--port", "0", "--data", str(data), "--log-format", "json"),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=environment(),
            )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert first, self.log.read_text()
        self.url = first.split()[-1]

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.communicate(timeout=SECONDS)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        running = Server(Path(folder) / "data")
        yield running
        running.stop()
        lines = [line for line in running.log.read_text().splitlines() if line.startswith("{")]
        assert [line for line in lines if json.loads(line)["level"] not in ("debug", "info")] == []


@pytest.fixture
def usage(capsys: pytest.CaptureFixture[str]):
    def run_here(*argv: str) -> Run:
        status = main(argv)
        out, err = capsys.readouterr()
        return status, out, err

    return run_here


def program(name: str) -> str:
    return f"{sys.executable} '{PROGRAMS / name}' {{seat}}"


# ---------------------------------------------------------------------- games to the end


def test_a_house_bot_plays_a_hanchan_and_prints_the_places(server: Server) -> None:
    status, out, err = run("bot", server.url, "--bot", "greedy", "--name", "my greedy")
    assert status == 0, err
    assert PLACES.fullmatch(out), out
    assert re.search(r"my greedy .*<", out)
    assert re.fullmatch(r"seat 0 of table [0-9a-f]{16}\n", err)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("line_bot.py", []),
        ("line_bot.py", ["--style", "line"]),
        ("act_bot.py", ["--style", "act", "--pass-after", "30"]),
        ("batch_bot.py", ["--style", "batch"]),
    ],
)
def test_an_mjai_program_plays_a_hanchan(server: Server, name: str, options: list[str]) -> None:
    status, out, err = run("bot", server.url, "--exec", program(name), *options)
    assert status == 0, err
    assert PLACES.fullmatch(out), out
    assert re.search(rf"{name.removesuffix('.py')} .*<", out)


@pytest.mark.parametrize("who", [["--bot", "random"], ["--exec", program("line_bot.py")]])
def test_several_games(server: Server, who: list[str]) -> None:
    status, out, err = run("bot", server.url, *who, "--games", "2")
    assert status == 0, err
    assert re.findall(r"game \d of \d", out) == ["game 1 of 2", "game 2 of 2"]
    assert len(PLACES.findall(out)) == 2
    assert len(set(re.findall(r"table (\w+)", err))) == 2


def test_four_commands_at_one_table(server: Server) -> None:
    table = make_table(server, "table")
    commands = [["--bot", "random"], ["--exec", program("line_bot.py")]] * 2
    running = [
        subprocess.Popen(
            jantaku("bot", f"{server.url}/table/{table}", *who, "--games", "2"),
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        for who in commands
    ]
    results = [command.communicate(timeout=SECONDS)[0] for command in running]
    assert [command.returncode for command in running] == [0] * 4
    assert len({re.sub("  <", "", result) for result in results}) == 1
    assert len(PLACES.findall(results[0])) == 2


def make_table(server: Server, wanted: str, private: bool = False) -> str:
    """A table of four free seats: its id (`table`) or its code."""

    async def make() -> str:
        async with Client(server.url) as client:
            made = await client.create(rules=SHORT, clock="bots", private=private)
            return str(made[wanted])

    return asyncio.run(make())


# ---------------------------------------------------------------------- failures


def test_an_unreachable_server_is_one_line_and_status_1(usage) -> None:
    where = nowhere()
    for who in (["--bot", "greedy"], ["--exec", program("line_bot.py")]):
        status, out, err = usage("bot", where, *who)
        assert (status, out) == (1, "")
        assert err.startswith(f"jantaku bot: {where} cannot be reached: ")
        assert err.count("\n") == 1


def test_an_unknown_bot_is_status_2_with_the_list(usage) -> None:
    status, out, err = usage("bot", nowhere(), "--bot", "mortal")
    assert (status, out) == (2, "")
    assert err == (
        "jantaku bot: no house bot is named 'mortal'; there are greedy, random, tsumogiri\n"
    )


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["ftp://x", "--bot", "greedy"], "an address begins with http://"),
        (["http://x/y", "--bot", "greedy"], "link of a table ends in /#/t/ID or /#/c/CODE"),
        (["http://x"], "one of the arguments --bot --exec is required"),
        (["http://x", "--bot", "greedy", "--exec", "y"], "not allowed with argument"),
        (["http://x", "--exec", "  "], "--exec: the command is empty"),
        (["http://x", "--exec", "a 'b"], "--exec: No closing quotation"),
        (["http://x", "--exec", "no-such-program {seat}"], "there is no program"),
        (["http://x", "--exec", "y", "--style", "loud"], "invalid choice: 'loud'"),
        (["http://x", "--bot", "greedy", "--style", "act"], "are for --exec"),
        (["http://x", "--bot", "greedy", "--pass-after", "9"], "are for --exec"),
        (["http://x", "--exec", "y", "--pass-after", "0"], "from 1 to 60000"),
        (["http://x", "--bot", "greedy", "--games", "0"], "from 1 to 1000000"),
        (["http://x", "--bot", "greedy", "--name", ""], "--name must be printable"),
        (["http://x", "--bot", "greedy", "--name", " a"], "--name must be printable"),
        (["http://x", "--bot", "greedy", "--table", "1", "--code", "2"], "give one of them"),
        (["http://x/table/1", "--bot", "greedy", "--code", "2"], "names a table already"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(usage, argv: list[str], says: str) -> None:
    status, out, err = usage("bot", *argv)
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--table", "0000", "--bot", "greedy"], "no such table"),
        (["--code", "wrong", "--exec", program("line_bot.py")], "no such table"),
        (["--exec", f"{program('line_bot.py')} die_after=5"], "ended with status 3 before"),
    ],
)
def test_what_fails_at_the_table_is_status_1(server: Server, options, says: str) -> None:
    status, out, err = run("bot", server.url, *options)
    assert (status, out) == (1, "")
    assert err.splitlines()[-1].startswith("jantaku bot: ")
    assert says in err.splitlines()[-1]


def test_ctrl_c_is_quiet(server: Server) -> None:
    # Private, so that nobody else comes to wait at it.
    code = make_table(server, "code", private=True)
    command = subprocess.Popen(
        jantaku("bot", server.url, "--code", code, "--exec", program("line_bot.py")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert command.stderr is not None
    assert command.stderr.readline().startswith("seat 0 of table")
    command.send_signal(2)
    out, err = command.communicate(timeout=SECONDS)
    assert (command.returncode, out, err) == (130, "", "")


# ---------------------------------------------------------------------- games


def test_games_of_a_folder_that_holds_none(usage, tmp_path: Path) -> None:
    status, out, err = usage("games", "--data", str(tmp_path))
    assert (status, out) == (2, "")
    assert "no such database; name a server's folder with --data" in err
    assert err.count("\n") == 1


def test_games_of_a_file_that_is_no_database(usage, tmp_path: Path) -> None:
    (tmp_path / "jantaku.sqlite3").write_text("not a database, but long enough to be read" * 99)
    status, out, err = usage("games", "--data", str(tmp_path))
    assert (status, out) == (1, "")
    assert "cannot be read" in err


# ---------------------------------------------------------------------- the README


def test_the_bot_of_the_readme_plays_a_hanchan(server: Server, tmp_path: Path) -> None:
    readme = (paths.CHECKOUT / "clients" / "README.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert code is not None
    assert sum(1 for line in code[1].splitlines() if line.strip()) <= 20
    script = tmp_path / "bot.py"
    script.write_text(code[1], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), server.url],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert PLACES.fullmatch(done.stdout), done.stdout


def test_the_mjai_bot_of_the_readme_plays_a_hanchan(server: Server, tmp_path: Path) -> None:
    readme = (paths.CHECKOUT / "clients" / "README.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)[1]
    assert "jantaku" not in code
    script = tmp_path / "tsumogiri.py"
    script.write_text(code, encoding="utf-8")
    status, out, err = run("bot", server.url, "--exec", f"{sys.executable} '{script}' {{seat}}")
    assert status == 0, err
    assert PLACES.fullmatch(out), out


def test_games_are_listed_and_their_replays_verify(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    who = [["--bot", "random"], ["--exec", program("line_bot.py")]]
    for one in who:
        status, _, err = run("bot", server.url, *one)
        assert status == 0, err
    server.stop()
    status, out, err = run("games", "--data", str(server.data), "--json")
    assert (status, err) == (0, "")
    games = json.loads(out)["games"]
    assert [game["players"][0]["name"] for game in games] == ["line_bot", "random"]
    for game in games:
        assert (server.data / "replays" / game["replay"]).is_file()
        assert sorted(player["placement"] for player in game["players"]) == [1, 2, 3, 4]
    status, out, err = run("games", "--data", str(server.data))
    assert status == 0
    assert out.count("\n") == 10
    assert out.index(games[0]["id"]) < out.index("line_bot") < out.index(games[1]["id"])
    status, out, err = run("replay", "verify", str(server.data / "replays"), "--json")
    assert status == 0, out
    found = json.loads(out)
    assert found["games"] == 2
    assert found["mismatches"] == found["skipped"] == []
    assert found["walls_checked"] == found["rounds"]
